"""``thegame bench``: signature, measuring, recordings, verdicts, and what the command prints."""

import json
import math
import random
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import signature, tables
from benchmarks.recording import Recording, as_json, check_target, from_json, read_recording
from benchmarks.results import README, shown_signature
from benchmarks.signature import overall, signatures
from benchmarks.speed import Spread, fitting_games, measure, ratio, spread
from benchmarks.verdicts import FASTER, LOST, SAME, SLOWER, common_yardstick, judge, verdicts
from benchmarks.yardsticks import BY_HAND, SET_C
from reports.checks import MalformedError
from simulator.errors import InputError
from simulator.loader import builtin_names
from tests.program import call, files_in

RECORDED = Path(__file__).parent.parent / "benchmarks" / "recorded.json"


@pytest.fixture(scope="module")
def recorded():
    return read_recording(RECORDED)


@pytest.fixture(scope="module")
def played(compiled):
    return signatures()


def made_up(rate=1.0, noise=0.0, rounds=15, seed=1, **changes):
    """A recording of greedy with 3 players, so many times as fast as a yardstick."""
    dice = random.Random(seed)
    yardstick = [1e5 * dice.uniform(0.5, 1.5) for _ in range(rounds)]  # a machine that wavers a lot
    rates = {
        ("greedy", 3): [rate * pace * (1 + dice.uniform(-noise, noise)) for pace in yardstick],
        (SET_C, 3): yardstick,
        (BY_HAND, 3): [1.1 * pace for pace in yardstick],
    }
    fields = {
        "when": "2026-11-18T12:00:00+00:00",
        "machine": {"processor": "one", "cores": "2", "system": "Linux", "python": "3.11"},
        "signature": "s",
        "signatures": {"greedy": "g"},
        "yardsticks": {SET_C: "c", BY_HAND: "h"},
        "missing": {},
        "strategies": ("greedy",),
        "rates": rates,
        "games": dict.fromkeys(rates, 1000),
    }
    return Recording(**fields | changes)


class TestSignature:
    def test_is_the_recorded_one(self, played, recorded):
        """If play was changed on purpose: make record results, and say so in the changelog."""
        assert played == recorded.signatures
        assert overall(played) == recorded.signature

    def test_is_the_one_of_the_readme(self, played):
        assert shown_signature(README.read_text(encoding="utf-8")) == overall(played), "write it anew: make results"

    def test_has_every_strategy(self, played):
        assert list(played) == builtin_names()

    @pytest.mark.usefixtures("compiled")
    def test_does_not_depend_on_threads(self, played, monkeypatch):
        alone = signature.simulate
        monkeypatch.setattr(signature, "simulate", lambda *words, **more: alone(*words, threads=1, **more))
        assert signature.strategy_signature("greedy") == played["greedy"]

    @pytest.mark.usefixtures("compiled")
    @pytest.mark.parametrize("variant", signature.VARIANTS)
    def test_changes_if_any_count_does(self, variant, played, monkeypatch):
        honest = signature.simulate

        def tampered(name, *, rules, **more):
            result = honest(name, rules=rules, **more)
            _, switches = signature.VARIANTS[variant]
            if rules == signature.make_rules(players=4, **switches):
                result.counts[10] += 1
                result.counts[11] -= 1
            return result

        monkeypatch.setattr(signature, "simulate", tampered)
        assert signature.strategy_signature("greedy") != played["greedy"]

    def test_overall_depends_on_every_part(self, played):
        for name in played:
            assert overall(played | {name: "0" * 16}) != overall(played)
            assert overall({other: play for other, play in played.items() if other != name}) != overall(played)


class TestSpread:
    @pytest.mark.parametrize(("n", "rank"), [(1, 0), (3, 0), (5, 0), (6, 0), (8, 0), (9, 1), (15, 3), (31, 9)])
    def test_ranks_are_those_of_the_sign_test(self, n, rank):
        """The ranks of the usual tables for the 95 % interval of a median, counted from 0."""
        values = list(range(n))
        random.Random(n).shuffle(values)
        assert spread(values) == ((n - 1) / 2, rank, n - 1 - rank)

    def test_covers_the_median_whatever_the_noise(self):
        dice = np.random.default_rng(4)
        for draw, middle in [(dice.normal, 0.0), (dice.exponential, math.log(2)), (dice.standard_cauchy, 0.0)]:
            held = [low <= middle <= high for _, low, high in (spread(draw(size=15)) for _ in range(4000))]
            assert 0.95 < np.mean(held) < 0.98  # exactly 96.5 %

    def test_a_ratio_is_taken_within_rounds(self):
        found = made_up(rate=2.0).ratio("greedy", SET_C, 3)
        assert found.median == pytest.approx(2.0)
        assert found.high - found.low < 1e-12  # though the machine wavered


class TestMeasure:
    def test_every_program_every_round_in_turns(self):
        calls = []

        def program(name):
            def play(players, seed, first, games, counts):
                calls.append((name, players, games))
                sum(range(20_000))

            return play

        told = []
        known = {("a", 2): 7, ("b", 2): 8, ("a", 3): 9, ("b", 3): 5}
        rates, games = measure({"a": program("a"), "b": program("b")}, [2, 3], 3, known, told.append)
        assert calls == [("a", 2, 7), ("b", 2, 8), ("a", 3, 9), ("b", 3, 5)] * 3
        assert {len(row) for row in rates.values()} == {3}
        assert all(rate > 0 for row in rates.values() for rate in row)
        assert sum(told) == 3
        assert games == known
        assert ratio(rates, "a", "a", 2) == (1, 1, 1)

    def test_games_fill_a_slice(self):
        def play(players, seed, first, games, counts):
            for _ in range(games):
                sum(range(2000))

        games = fitting_games(play, 1)
        assert games > 50
        assert math.log2(games).is_integer()

    def test_one_game_that_takes_long_is_enough(self):
        assert fitting_games(lambda *_: sum(range(3_000_000)), 1) == 1


class TestRecording:
    def test_is_read_back(self):
        written = made_up(noise=0.1, missing={"C in lockstep": "gcc is not installed"})
        read = from_json(as_json(written).encode())
        assert replace(read, rates={}) == replace(written, rates={})
        for place, rates in written.rates.items():
            assert read.rates[place] == pytest.approx(rates, rel=1e-5)

    @pytest.mark.parametrize(
        "change",
        [
            lambda d: d.update(format="thegame results"),
            lambda d: d.update(version=99),
            lambda d: d.update(version=True),
            lambda d: d.update(rows=[]),
            lambda d: d.update(rows={}),
            lambda d: d.update(machine=None),
            lambda d: d.update(signatures={"greedy": 7}),
            lambda d: d.update(signature=None),
            lambda d: d.update(strategies="greedy"),
            lambda d: d["rows"].append(7),
            lambda d: d["rows"][0].update(players=6),
            lambda d: d["rows"][0].update(players=0),
            lambda d: d["rows"][0].update(games=0),
            lambda d: d["rows"][0].update(games=-1),
            lambda d: d["rows"][0].update(games_per_core_second=[1.0]),
            lambda d: d["rows"][0].update(games_per_core_second=["fast"] * 15),
            lambda d: d["rows"][0].update(games_per_core_second=[0.0] * 15),
            lambda d: d["rows"][0].update(games_per_core_second=[math.inf] * 15),
            lambda d: d["rows"][0].update(games_per_core_second=[math.nan] * 15),
            lambda d: [row.update(games_per_core_second=[]) for row in d["rows"]],
        ],
    )
    def test_anything_else_is_refused(self, change):
        document = json.loads(as_json(made_up()))
        change(document)
        with pytest.raises(MalformedError):
            from_json(json.dumps(document).encode())

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"null"])
    def test_no_json_is_refused_in_a_sentence(self, content, tmp_path):
        (tmp_path / "old.json").write_bytes(content)
        with pytest.raises(InputError, match=r"is not a recording of thegame bench: .*\.$"):
            read_recording(tmp_path / "old.json")

    def test_other_files_are_not_replaced(self, tmp_path):
        (tmp_path / "other.json").write_text('{"precious": 1}')
        for name, problem in {
            "other.json": "is not a recording",
            "bench.csv": "end in .json",
            "nowhere/bench.json": "no place",
            "folder.json": "no place",
        }.items():
            (tmp_path / "folder.json").mkdir(exist_ok=True)
            with pytest.raises(InputError, match=problem):
                check_target(tmp_path / name)
        check_target(tmp_path / "new.json")
        assert sorted(files_in(tmp_path)) == ["folder.json", "other.json"]


class TestVerdicts:
    @pytest.mark.parametrize(
        ("slower", "verdict"), [(1.0, SAME), (1.01, SAME), (1.1, SLOWER), (1.14, SLOWER), (1.2, LOST), (0.9, FASTER)]
    )
    def test_of_a_real_change(self, slower, verdict):
        [found] = verdicts(made_up(noise=0.02), made_up(rate=1 / slower, noise=0.02, seed=2))
        assert found.verdict == verdict
        assert found.longer == pytest.approx(slower - 1, abs=0.02)
        assert found.low < found.longer < found.high

    def test_a_large_change_that_may_be_noise_is_no_regression(self):
        found = judge("greedy", 3, Spread(1.0, 0.7, 1.3), Spread(0.8, 0.6, 1.2), 0.15)
        assert found.longer == pytest.approx(0.25)
        assert found.verdict == SAME

    def test_the_tolerance_is_the_users(self):
        old, new = made_up(), made_up(rate=1 / 1.3)
        assert [row.verdict for row in verdicts(old, new, 0.5)] == [SLOWER]
        assert [row.verdict for row in verdicts(old, new, 0.25)] == [LOST]

    def test_identical_programs_are_never_a_regression(self):
        for seed in range(300):
            [found] = verdicts(made_up(noise=0.1, seed=seed), made_up(noise=0.1, seed=1000 + seed))
            assert found.verdict != LOST

    def test_a_yardstick_that_changed_does_not_serve(self):
        old = made_up()
        assert common_yardstick(old, made_up()) == SET_C
        assert common_yardstick(old, made_up(yardsticks={SET_C: "other", BY_HAND: "h"})) == BY_HAND
        assert common_yardstick(old, made_up(yardsticks={SET_C: "", BY_HAND: "h"})) == BY_HAND
        with pytest.raises(InputError, match=r"another program now; .* is missing now\. Record"):
            common_yardstick(old, made_up(yardsticks={SET_C: "other", BY_HAND: ""}))

    def test_nothing_in_common_is_refused(self):
        new = made_up(strategies=("random",))
        with pytest.raises(InputError, match="no strategy with the same number"):
            verdicts(made_up(), new)

    def test_what_else_differs_is_said(self):
        new = made_up(
            machine={"processor": "two", "cores": "2", "system": "Linux", "python": "3.12"}, signatures={"greedy": "x"}
        )
        assert tables.differences(made_up(), new) == [
            "Recorded on another processor, one: ratios may differ by that.",
            "Recorded with other versions: python 3.11.",
            "Play has changed: greedy. Other play takes other time.",
        ]
        assert tables.differences(made_up(), made_up()) == []


@pytest.mark.usefixtures("compiled")
class TestCommand:
    QUICK = ("bench", "-s", "greedy", "-s", "random", "-p", "3", "--rounds", "2")

    def test_prints_speeds_ratios_machine_and_signature(self, tmp_path, recorded):
        done = call(*self.QUICK, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        assert re.search(r"^greedy +[\d.]+ M$", done.stdout, flags=re.MULTILINE)
        for name in recorded.yardsticks:
            assert re.search(rf"^{name} +(–|[\d.]+ ±[\d.]+ %)$", done.stdout, flags=re.MULTILINE), name
        assert re.search(r"\d cores?, .*python 3\..*numba", done.stdout)
        assert done.stdout.splitlines()[-1] == f"signature {recorded.signature}"

    def test_signature_alone(self, tmp_path, recorded):
        done = call("bench", "--signature", folder=tmp_path)
        assert (done.returncode, done.stdout) == (0, f"{recorded.signature}\n")

    def test_other_play_fails(self, tmp_path, recorded):
        other = replace(recorded, signatures={**recorded.signatures, "greedy": "0" * 16})
        (tmp_path / "old.json").write_text(as_json(other))
        done = call("bench", "--signature", "--compare", "old.json", folder=tmp_path)
        assert (done.returncode, done.stdout) == (1, f"{recorded.signature}\n")
        assert done.stderr == "thegame: Play is not what was recorded: greedy. If that is meant, record it anew.\n"
        assert call("bench", "--signature", "--compare", str(RECORDED), folder=tmp_path).returncode == 0

    def test_saves_and_compares(self, tmp_path):
        done = call(*self.QUICK, "-o", "old.json", folder=tmp_path)
        assert done.stderr.splitlines()[-1] == "saved old.json"
        done = call(*self.QUICK, "--compare", "old.json", "--json", "--tolerance", "90%", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert [(row["program"], row["players"]) for row in document["verdicts"]] == [("greedy", 3), ("random", 3)]
        assert from_json(done.stdout.encode()).games == read_recording(tmp_path / "old.json").games

    def test_a_regression_is_told_and_fails(self, tmp_path):
        call(*self.QUICK, "-o", "old.json", folder=tmp_path)
        old = read_recording(tmp_path / "old.json")
        faster = {p: [3 * rate for rate in rates] if p[0] == "greedy" else rates for p, rates in old.rates.items()}
        (tmp_path / "old.json").write_text(as_json(replace(old, rates=faster)))
        done = call(*self.QUICK, "--compare", "old.json", folder=tmp_path)
        assert done.returncode == 1
        assert re.search(r"^greedy +3 .* REGRESSION$", done.stdout, flags=re.MULTILINE)
        assert "1 regression beyond 15 %; the worst is greedy with 3 players, which takes" in done.stdout
        assert call(*self.QUICK, "--compare", "old.json", "--tolerance", "99%", folder=tmp_path).returncode == 1

    def test_without_gcc_the_columns_say_so(self, tmp_path, monkeypatch):
        from benchmarks import yardsticks

        monkeypatch.setattr(yardsticks.shutil, "which", lambda name: None)
        yardsticks.all_yardsticks.cache_clear()
        yardsticks.gcc_version.cache_clear()
        try:
            done = call(*self.QUICK, folder=tmp_path)
            assert re.search(r"^C with sets +–$", done.stdout, flags=re.MULTILINE)
            assert "C with sets: gcc is not installed.\n" in done.stdout
            assert "gcc none" in done.stdout
        finally:
            monkeypatch.undo()
            yardsticks.all_yardsticks.cache_clear()
            yardsticks.gcc_version.cache_clear()

    def test_a_strategy_of_ones_own(self, tmp_path):
        shutil.copy(Path(__file__).parent.parent / "strategies" / "greedy.py", tmp_path / "mine.py")
        done = call("bench", "-s", "mine.py", "-p", "2", "--rounds", "1", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        assert re.search(r"^mine\.py +[\d.]+ [Mk]$", done.stdout, flags=re.MULTILINE)

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            (["--compare", "none.json"], "There is no file none.json; record one with: thegame bench -o none.json"),
            (["--signature", "--json"], "--signature prints one line; it goes with --compare alone."),
            (["--signature", "-o", "x.json"], "--signature prints one line; it goes with --compare alone."),
            (["-o", "x.csv"], "A benchmark is saved as JSON; let the name 'x.csv' end in .json."),
            (["--rounds", "0"], "0 is not in the range"),
            (["-p", "6"], "from 1 to 5 can play"),
            (["-s", "gredy"], "did you mean 'greedy'?"),
            (["--tolerance", "0%"], "no share between 0 and 100 %"),
            (["--tolerance", "15"], "write it in percent"),
        ],
    )
    def test_bad_input(self, words, reason, tmp_path):
        done = call("bench", *words, folder=tmp_path)
        assert done.returncode == 2
        assert reason in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert done.stdout == ""
        assert files_in(tmp_path) == {}
