"""The yardsticks play the very games of the kernel, and say so where one cannot be had."""

import numpy as np
import pytest

from benchmarks import yardsticks
from benchmarks.speed import strategy_program
from benchmarks.yardsticks import SOURCES, Yardstick, all_yardsticks
from simulator import load
from tests import data


def counts_of(play, players, first, games):
    counts = np.zeros(99, dtype=np.int64)
    play(players, 1, first, games, counts)
    return counts.tolist()


@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("yardstick", all_yardsticks(), ids=lambda yardstick: yardstick.name)
def test_same_games_as_the_kernel(yardstick, players):
    if yardstick.play is None:
        pytest.skip(yardstick.missing)
    games = 30 if yardstick.name == "plain Python" else 2000
    expected = counts_of(strategy_program(load("greedy")), players, 500, games)
    assert counts_of(yardstick.play, players, 500, games) == expected


@pytest.mark.parametrize("games", [1, 31, 33, 63, 64, 65, 200])
def test_lockstep_with_odd_numbers_of_games(games):
    [lockstep] = [yardstick for yardstick in all_yardsticks() if yardstick.name == "C in lockstep"]
    if lockstep.play is None:
        pytest.skip(lockstep.missing)
    expected = counts_of(strategy_program(load("greedy")), 3, 7, games)
    assert counts_of(lockstep.play, 3, 7, games) == expected


def test_c_agrees_with_independent_histograms():
    [sets] = [yardstick for yardstick in all_yardsticks() if yardstick.name == yardsticks.SET_C]
    if sets.play is None:
        pytest.skip(sets.missing)
    expected = [0] * 99
    for row in data.rows("greedy_histograms.csv"):
        if row["players"] == "2":
            expected[int(row["leftover"])] = int(row["games"])
    assert counts_of(sets.play, 2, 0, 1_000_000) == expected


def test_without_gcc_they_say_so(monkeypatch):
    monkeypatch.setattr(yardsticks.shutil, "which", lambda name: None)
    for name, source in SOURCES.items():
        assert yardsticks.in_c(name, source) == Yardstick(name, missing="gcc is not installed")


def test_a_processor_without_vectors_says_so(monkeypatch):
    if yardsticks.shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    monkeypatch.setattr(yardsticks, "FLAGS", ("-O1", "-march=x86-64", "-shared", "-fPIC"))
    assert yardsticks.in_c("C in lockstep", "lockstep.c").missing == (
        "gcc cannot build it here: needs a processor with AVX2"
    )


def test_what_it_is_made_of_follows_the_source(tmp_path):
    file = tmp_path / "program.c"
    file.write_text("int a;")
    before = yardsticks.digest([file], "-O3")
    assert yardsticks.digest([file], "-O2") != before
    file.write_text("int b;")
    assert yardsticks.digest([file], "-O3") != before
