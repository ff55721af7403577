"""The ratios that are promised, with their spread; and that a comparison of two runs tells what it should."""

import pytest

from benchmarks import run, tables
from benchmarks.run import record
from benchmarks.verdicts import LOST, SAME, verdicts
from benchmarks.yardsticks import BY_HAND, SET_C
from simulator import load
from simulator.loader import builtin_names

LEAST = {
    ("greedy", SET_C): 1.2,
    ("greedy", BY_HAND): 0.85,
    ("backward", "greedy"): 0.55,
    ("reservation", "greedy"): 0.28,
}
SAME_RUNS = 10
SLOWED = 1.2
PLAYERS = (2, 5)


@pytest.fixture(scope="module")
def strategies():
    return [load(name) for name in builtin_names()]


@pytest.fixture(scope="module")
def before(strategies):
    return record(strategies, range(1, 6))


def test_promised_ratios(before, capsys):
    with capsys.disabled():
        print("\n" + tables.whole(before))
    found = {
        (*pair, players): before.ratio(*pair, players).median
        for pair in LEAST
        for players in before.players
        if pair[1] not in before.missing
    }
    assert [place for place, ratio in found.items() if ratio < LEAST[place[:2]]] == []


def test_identical_runs_are_quiet(before, strategies, capsys):
    worst = 0.0
    for _ in range(SAME_RUNS):
        found = verdicts(before, record(strategies, PLAYERS, games=before.games))
        worst = max(worst, *(abs(row.longer) for row in found))
        assert [row for row in found if row.verdict == LOST] == []
    with capsys.disabled():
        print(f"\n{SAME_RUNS} identical runs: no row differed by more than {100 * worst:.1f} %")


def test_a_slowdown_of_a_fifth_is_caught(before, strategies, monkeypatch, capsys):
    """Planted in greedy, which plays a fifth more games than it says; the others are as they were."""
    honest = run.strategy_program

    def planted(strategy, announce):
        play = honest(strategy, announce)
        if strategy.name != "greedy":
            return play
        return lambda players, seed, first, games, counts: play(players, seed, first, int(SLOWED * games), counts)

    monkeypatch.setattr(run, "strategy_program", planted)
    found = verdicts(before, record(strategies, PLAYERS, games=before.games))
    with capsys.disabled():
        print("\n" + tables.comparison(found, SET_C, 0.15))
    assert {row.program for row in found if row.verdict == LOST} == {"greedy"}
    assert all(row.verdict == LOST for row in found if row.program == "greedy")
    assert any(row.verdict == SAME for row in found)
