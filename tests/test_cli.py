"""The command line: what the commands print and write. Wrong calls are in test_bad_input, Ctrl-C in test_manners."""

import html
import importlib
import json
import math
import re

import click
import numpy as np
import pytest
from click.testing import CliRunner

from reports.files import read_results
from simulator import play_out, simulate
from simulator.cli import thegame
from simulator.cli.options import GamesType, PercentType, PlayersType
from tests.program import call, files_in, run

pytestmark = pytest.mark.usefixtures("compiled")

COLUMNS = (
    "strategy", "players", "games", "win %", "95 % interval", "under ten %", "mean left", "median", "5–95 %",
    "games/min",
)  # fmt: skip
CHARTS = {"leftovers", "cumulative", "win-rate", "mean-left", "paired"}
TABLES = {"index.html", "results.json", "results.csv", "summary.csv", "pairs.csv"}


def table(text):
    """The rows of the first table in a text, as dictionaries."""
    heading, *rows = (re.split(r"  +", line.strip()) for line in text.partition("\n\n")[0].splitlines())
    return [dict(zip(heading, row, strict=True)) for row in rows]


def succeed(words, folder):
    done = call(*words.split(), folder=folder)
    assert done.returncode == 0, done.stderr
    return done


def counts_in(place):
    """What a file of results holds, by strategy and number of players."""
    return {(r.strategy, r.rules.players): r.counts.tolist() for r in read_results(place).results}


# ---- help


def test_every_command_has_help_with_an_example():
    for name, command in thegame.commands.items():
        shown = CliRunner().invoke(thegame, [name, "--help"])
        assert shown.exit_code == 0
        assert f"Example: thegame {name}" in " ".join(shown.output.split()), name
        assert all(option.help for option in command.params if isinstance(option, click.Option)), name


# ---- how numbers are written


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("1", 1),
        ("1000000", 10**6),
        ("1_000_000", 10**6),
        ("1,000,000", 10**6),
        ("1e6", 10**6),
        ("1E+6", 10**6),
        ("1.5e3", 1500),
        ("2k", 2000),
        ("0.5k", 500),
        ("2.5M", 2_500_000),
        ("10M", 10**7),
        ("3G", 3 * 10**9),
        ("3B", 3 * 10**9),
        (" 7 ", 7),
    ],
)
def test_a_number_of_games_can_be_written_in_many_ways(text, games):
    assert GamesType().convert(text, None, None) == games


@pytest.mark.parametrize(
    ("text", "players"),
    [("3", (3,)), ("1-5", (1, 2, 3, 4, 5)), ("2,4", (2, 4)), ("4, 2", (2, 4)), ("1..3", (1, 2, 3)), ("2-3,3", (2, 3))],
)
def test_numbers_of_players_can_be_written_in_many_ways(text, players):
    assert PlayersType().convert(text, None, None) == players


@pytest.mark.parametrize(("text", "share"), [("0.1%", 0.001), ("55%", 0.55), (" .5 % ", 0.005), ("99.9%", 0.999)])
def test_a_share_is_written_in_percent(text, share):
    assert PercentType().convert(text, None, None) == pytest.approx(share)


# ---- simulate


def test_simulate_prints_what_the_counts_say(tmp_path):
    rows = table(succeed("simulate -s backward -s greedy:extra_gap=2 -p 2,4 -n 2k --seed 7", tmp_path).stdout)
    named = [("backward", 2), ("backward", 4), ("greedy:extra_gap=2", 2), ("greedy:extra_gap=2", 4)]
    assert [(row["strategy"], int(row["players"])) for row in rows] == named
    for row, (name, players) in zip(rows, named, strict=True):
        assert tuple(row) == COLUMNS
        left = np.sort(play_out(name, players, seed=7, games=2000).astype(float))
        rate = (left == 0).mean()
        centre, z = (rate + 1.96**2 / 4000) / (1 + 1.96**2 / 2000), 1.96
        reach = z * math.sqrt(rate * (1 - rate) / 2000 + z**2 / (4 * 2000**2)) / (1 + z**2 / 2000)
        assert row["games"] == "2,000"
        assert row["win %"] == f"{100 * rate:.2f}"
        assert row["95 % interval"] == f"{100 * (centre - reach):.2f} to {100 * (centre + reach):.2f}"
        assert row["under ten %"] == f"{100 * (left < 10).mean():.2f}"
        assert row["mean left"] == f"{left.mean():.2f} ± {left.std(ddof=1) / math.sqrt(2000):.3f}"
        assert row["median"] == f"{left[999]:.0f}"
        assert row["5–95 %"] == f"{left[99]:.0f} to {left[1899]:.0f}"
        assert re.fullmatch(r"[\d.,]+( [kM])?", row["games/min"])


def test_simulate_as_json_has_the_counts_of_simulate(tmp_path):
    words = "simulate -s greedy -p 2,3 -n 3000 --seed 5 --first-game 700 --expert --smaller-hands --silent --json"
    document = json.loads(succeed(words, tmp_path).stdout)
    assert document["complete"] is True
    assert [result["rules"]["players"] for result in document["results"]] == [2, 3]
    for result, players in zip(document["results"], (2, 3), strict=True):
        rules = {"expert": True, "smaller_hands": True, "silent": True}
        expected = simulate("greedy", players, 3000, seed=5, first_game=700, **rules)
        assert result["counts"] == expected.counts.tolist()
        assert result["ranges"] == [[700, 3000]]
        assert result["summary"]["win_rate"] == expected.win_rate
        assert result["content_hash"] == expected.content_hash


def test_simulate_plays_a_million_games_with_one_to_five_players_unless_told_otherwise():
    options = {option.name: option for option in thegame.commands["simulate"].params}
    assert options["players"].default == "1-5"
    assert "[default: 1M]" in options["games"].help
    assert importlib.import_module("simulator.cli.simulate").DEFAULT_GAMES == 1_000_000


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_simulate_saves_what_can_be_read_back(ending, tmp_path):
    done = succeed(f"simulate -s greedy -s random -p 2,5 -n 1000 --starter best -o a.{ending}", tmp_path)
    assert done.stderr == f"saved a.{ending}\n"
    assert list(files_in(tmp_path)) == [f"a.{ending}"]
    saved = read_results(tmp_path / f"a.{ending}")
    assert saved.complete
    assert [(r.strategy, r.rules.players) for r in saved.results] == [
        ("greedy", 2), ("greedy", 5), ("random", 2), ("random", 5),
    ]  # fmt: skip
    for result in saved.results:
        expected = simulate(result.strategy, result.rules.players, 1000, starter="best")
        assert result.counts.tolist() == expected.counts.tolist()
        assert result.experiment == expected.experiment
        assert (result.ranges, result.landmarks) == (expected.ranges, expected.landmarks)


def test_precision_makes_every_interval_narrow(tmp_path):
    document = json.loads(succeed("simulate -s greedy -s backward -p 2,3 --precision 0.8% --json", tmp_path).stdout)
    assert len(document["results"]) == 4
    for result in document["results"]:
        width = result["summary"]["win_high"] - result["summary"]["win_low"]
        assert width <= 0.008
        rate = result["summary"]["win_rate"]
        assert result["games"] < 4 * 1.96**2 * rate * (1 - rate) / 0.008**2 + 15_000  # it goes by steps of 10,000
        expected = simulate(result["strategy"], result["rules"]["players"], result["games"])
        assert result["counts"] == expected.counts.tolist()
    games = [result["games"] for result in document["results"]]
    assert games[0] == 10_000
    assert games[2] > 20_000


def test_precision_says_where_the_cap_stopped_it(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.import_module("simulator.cli.simulate"), "PRECISION_CAP", 15_000)
    done = succeed("simulate -s greedy -s backward -p 2 --precision 0.8%", tmp_path)
    assert [row["games"] for row in table(done.stdout)] == ["10,000", "15,000"]
    assert re.fullmatch(
        r"backward with 2: stopped at the cap of 15,000 games, where its interval is 0\.9\d* points wide\.\n",
        done.stderr,
    )


# ---- compare


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """A comparison, and the folder it was run in."""
    folder = tmp_path_factory.mktemp("compared")
    return succeed("compare -s greedy -s backward -p 2,3 -n 2000 --seed 3 -o report", folder), folder


def test_compare_prints_a_row_per_strategy_and_player_count(compared):
    rows = table(compared[0].stdout)
    assert all(tuple(row) == COLUMNS for row in rows)
    assert [(row["strategy"], row["players"]) for row in rows] == [
        ("greedy", "2"), ("greedy", "3"), ("backward", "2"), ("backward", "3"),
    ]  # fmt: skip


def test_compare_takes_three_strategies_and_all_player_counts_by_default(tmp_path):
    done = run("compare", "-n", 200, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "report: thegame-report/index.html\n"
    assert [(row["strategy"], row["players"]) for row in table(done.stdout)] == [
        (name, str(players)) for name in ("greedy", "backward", "reservation") for players in range(1, 6)
    ]
    assert len(done.stdout.partition("\n\n")[2].splitlines()) == 3 * 5


def test_compare_says_who_is_better_and_by_how_much(compared):
    sentences = compared[0].stdout.partition("\n\n")[2].splitlines()
    assert len(sentences) == 2
    for sentence, players in zip(sentences, (2, 3), strict=True):
        greedy, backward = (play_out(name, players, seed=3, games=2000) for name in ("greedy", "backward"))
        more = 100 * ((backward == 0).mean() - (greedy == 0).mean())
        leads, trails = (100 * share.mean() for share in (backward < greedy, backward > greedy))
        assert re.fullmatch(
            rf"backward wins {more:.1f} ± \d\.\d points more than greedy with {players} players; "
            rf"leads in {leads:.0f} %, trails in {trails:.0f} % of deals\.",
            sentence,
        )


def test_compare_writes_a_whole_report(compared):
    done, folder = compared
    assert done.stderr == "report: report/index.html\n"
    charts = {f"{name}.{ending}" for name in CHARTS for ending in ("png", "svg")}
    assert set(files_in(folder)) == {"report", *(f"report/{name}" for name in TABLES | charts)}
    page = html.unescape((folder / "report" / "index.html").read_text()).replace("\N{NO-BREAK SPACE}", " ")
    for sentence in done.stdout.partition("\n\n")[2].splitlines():
        assert sentence in page
    assert counts_in(folder / "report") == counts_in(folder / "report" / "results.csv")
    assert counts_in(folder / "report") == {
        (name, players): simulate(name, players, 2000, seed=3).counts.tolist()
        for name in ("greedy", "backward")
        for players in (2, 3)
    }


def test_compare_as_json_has_pairs_and_verdicts(compared, tmp_path):
    words = "compare -s greedy -s backward -p 2,3 -n 2000 --seed 3 -o report --json"
    document = json.loads(succeed(words, tmp_path).stdout)
    assert document["verdicts"] == compared[0].stdout.partition("\n\n")[2].splitlines()
    assert [(pair["label"], pair["against"], pair["players"]) for pair in document["pairs"]] == [
        ("backward", "greedy", 2), ("backward", "greedy", 3),
    ]  # fmt: skip
    assert all(0 < pair["low"] < pair["difference"] < pair["high"] < 1 for pair in document["pairs"])


def test_a_sequential_test_says_after_how_many_games_it_stopped(tmp_path):
    said = set()
    for threads in (1, 2):
        words = f"compare -s greedy -s backward -p 2 -n 1M --sprt -o report --threads {threads}"
        done = succeed(words, tmp_path)
        games = read_results(tmp_path / "report").results[0].games
        found = re.search(
            r"^backward is clearly better than greedy with 2 players after ([\d,]+) games", done.stdout, re.M
        )
        assert found[1] == f"{games:,}"
        assert 10 < games < 10_000
        assert [row["games"] for row in table(done.stdout)] == [f"{games:,}"] * 2
        said.add(done.stdout.partition("\n\n")[2])
    assert len(said) == 1


def test_a_sequential_test_that_runs_out_of_games_says_so(tmp_path):
    done = succeed("compare -s greedy -s backward -p 3 -n 50 --sprt -o report", tmp_path)
    assert "Not clear with 3 players after 50 games" in done.stdout


# ---- sweep


def test_a_sweep_of_one_value_tells_the_best(tmp_path):
    done = succeed("sweep greedy --vary extra_gap=0..4..2 -p 2 -n 2000 -o report", tmp_path)
    rows = table(done.stdout)
    assert [row["strategy"] for row in rows] == [f"greedy:extra_gap={value}" for value in (0, 2, 4)]
    wins = {value: simulate(f"greedy:extra_gap={value}", 2, 2000).wins for value in (0, 2, 4)}
    assert [row["win %"] for row in rows] == [f"{wins[value] / 20:.2f}" for value in (0, 2, 4)]
    best = max(wins, key=wins.__getitem__)
    assert f"Best is extra_gap={best}" in done.stdout
    assert f"it wins {wins[best] / 20:.2f} %" in done.stdout
    assert "Its lead is" in done.stdout
    assert done.stderr == "report: report/index.html\n"
    assert {"sweep.png", "sweep.svg", *TABLES} <= set(files_in(tmp_path / "report"))
    assert read_results(tmp_path / "report").vary == ["extra_gap"]


def test_a_sweep_of_two_values_makes_a_heat_map(tmp_path):
    done = succeed("sweep greedy --vary extra_gap=1,3 --vary hand_size=5,6,7 -n 500 -o report --json", tmp_path)
    document = json.loads(done.stdout)
    assert [(r["params"]["extra_gap"], r["rules"]["hand_size"]) for r in document["results"]] == [
        (gap, hand) for gap in (1, 3) for hand in (5, 6, 7)
    ]
    for result in document["results"]:
        expected = simulate(result["strategy"], 3, 500, hand_size=result["rules"]["hand_size"])
        assert result["counts"] == expected.counts.tolist()
    assert {"heat-map.png", "heat-map.svg", *TABLES} <= set(files_in(tmp_path / "report"))
    assert read_results(tmp_path / "report").vary == ["extra_gap", "hand_size"]


# ---- replay


def test_replay_of_a_loss_and_a_win():
    lost = run("replay", "greedy", "-p", "3", "--game", "0")
    assert "47 cards left. Player" in lost.stdout
    won = run("replay", "reservation", "-p", "5", "--game", "4")
    assert won.returncode == 0


@pytest.mark.parametrize("game", [None, 40])
@pytest.mark.parametrize("wanted", ["win", "worst", "leftover=3"])
def test_replay_finds_the_first_game_that_is_wanted(wanted, game, tmp_path):
    left = play_out("backward", 2, seed=4, games=range(game or 0, (game or 0) + 500))
    score = {"win": 0, "worst": left.max(), "leftover=3": 3}[wanted]
    expected = (game or 0) + int(np.flatnonzero(left == score)[0])
    start = "" if game is None else f" --game {game}"
    done = succeed(f"replay backward -p 2 --seed 4 --find {wanted} -n 500{start}", tmp_path)
    assert done.stdout.startswith(f"backward, seed 4, game {expected}\n")
    document = json.loads(
        succeed(f"replay backward -p 2 --seed 4 --find {wanted} -n 500{start} --json", tmp_path).stdout
    )
    assert (document["seed"], document["game"], document["leftover"]) == (4, expected, score)
    assert len(document["deck_order"]) == 98


def test_broken_strategy_is_shown(tmp_path):
    bot = tmp_path / "broken.py"
    bot.write_text(
        "from simulator import Strategy\ndef choose(view, params):\n    return -1\nstrategy = Strategy(choose)\n"
    )
    done = run("replay", str(bot), "-p", "2")
    assert done.returncode == 1
    assert "stops after 0 of 2 cards although another fits" in done.stdout
    assert "Traceback" not in done.stderr


# ---- strategies


def test_strategies_lists_names_summaries_and_parameters(tmp_path):
    done = succeed("strategies", tmp_path)
    for name in ("random", "greedy", "backward", "reservation"):
        assert re.search(rf"^{name} +[A-Z].*\.$", done.stdout, re.M)
    assert "near_gap=3" in done.stdout


def test_strategies_tells_all_about_one(tmp_path):
    import strategies.reservation as module

    done = succeed("strategies reservation:near_gap=1", tmp_path)
    assert done.stdout.startswith(f"reservation:near_gap=1: {module.strategy.summary}\n")
    assert module.__doc__.strip() in done.stdout
    for name, value in {**module.strategy.params, "near_gap": 1}.items():
        assert f"{name}={value}" in done.stdout
    assert "requests: yes" in done.stdout
    assert "thegame replay reservation:near_gap=1 -p 3 --game 0" in done.stdout


def test_strategies_tells_of_a_file_as_well(tmp_path):
    (tmp_path / "mine.py").write_text(
        '"""Stops at once.\n\nNot a good idea."""\nfrom simulator import Strategy\n'
        "def choose(view, params):\n    return -1\n"
        'strategy = Strategy(choose, params={"courage": 0.5, "weights": [1, 2, 3]}, summary="A test.")\n'
    )
    done = succeed("strategies mine.py", tmp_path)
    assert done.stdout.startswith("mine.py: A test.\n")
    assert "parameters: courage=0.5, weights=[3 numbers]" in done.stdout
    assert "Stops at once.\n\nNot a good idea." in done.stdout
    assert "requests: none" in done.stdout


# ---- report


@pytest.mark.parametrize("endings", [("json", "json"), ("csv", "parquet")])
def test_a_report_adds_up_files_of_different_games(endings, tmp_path):
    one, other = (f"{name}.{ending}" for name, ending in zip(("one", "other"), endings, strict=True))
    succeed(f"simulate -s greedy -s backward -p 2 -n 1000 -o {one}", tmp_path)
    succeed(f"simulate -s backward -s greedy -p 2 -n 2000 --first-game 1000 -o {other}", tmp_path)
    done = succeed(f"report {one} {other} -o both", tmp_path)
    assert [row["games"] for row in table(done.stdout)] == ["3,000", "3,000"]
    assert done.stderr == "report: both/index.html\n"
    saved = read_results(tmp_path / "both")
    assert [result.ranges for result in saved.results] == [((0, 3000),), ((0, 3000),)]
    for result in saved.results:
        assert result.counts.tolist() == simulate(result.strategy, 2, 3000).counts.tolist()


def test_a_report_adds_up_comparisons(compared, tmp_path):
    words = "compare -s greedy -s backward -p 2,3 --seed 3"
    succeed(f"{words} -n 500 -o one", tmp_path)
    succeed(f"{words} -n 1500 --first-game 500 -o other", tmp_path)
    done = succeed("report one other/results.json -o both", tmp_path)
    # The verdicts are those of one run over all games; only the pace may differ.
    assert done.stdout.partition("\n\n")[2] == compared[0].stdout.partition("\n\n")[2]
    both, whole = (read_results(place / name) for place, name in ((tmp_path, "both"), (compared[1], "report")))
    for added, expected in zip(both.comparisons, whole.comparisons, strict=True):
        assert added.ranges == expected.ranges == ((0, 2000),)
        for name in ("sums", "both_won", "leads", "products"):
            assert getattr(added, name).tolist() == getattr(expected, name).tolist()
        assert added.swings == expected.swings


def test_strategies_as_json(tmp_path):
    listed = json.loads(call("strategies", "--json", folder=tmp_path).stdout)
    assert [entry["name"] for entry in listed] == ["backward", "greedy", "random", "reservation"]
    [one] = json.loads(call("strategies", "--json", "reservation:near_gap=1", folder=tmp_path).stdout)
    assert one["params"]["near_gap"] == 1
    assert one["requests"] is True
