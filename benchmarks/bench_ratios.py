"""The ratios that are promised, with their spread; and that a comparison of two runs tells what it should."""

import pytest

from benchmarks import tables
from benchmarks.run import record
from benchmarks.yardsticks import BY_HAND, SET_C
from simulator import load
from simulator.loader import builtin_names

LEAST = {
    ("greedy", SET_C): 1.0,
    ("greedy", BY_HAND): 0.85,
    ("backward", "greedy"): 0.55,
    ("reservation", "greedy"): 1 / 3,
}
SAME_RUNS = 10


@pytest.fixture(scope="module")
def before():
    return record([load(name) for name in builtin_names()], range(1, 6))


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
