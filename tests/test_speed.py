"""Speed as ratios of CPU time, measured side by side. ``make speed``; wants an idle machine.

That the yardsticks play the same games is tested always.
"""

import os
import time
from statistics import median

import numpy as np
import pytest

from benchmarks import yardsticks
from simulator import Rules, load
from simulator.compiler import compile_kernel
from simulator.replay import kernel_table
from simulator.rules import STANDARD_DECK
from tests import reference

ROUNDS = 7
GAMES = 60_000


def kernel(name):
    """The compiled kernel of a strategy as a yardstick-like function, on one thread."""
    strategy = load(name)
    play_games = compile_kernel(strategy, STANDARD_DECK, "batch")
    values, nothing, beat = strategy.values(), np.empty(0, dtype=np.uint8), np.zeros(2, dtype=np.uint64)

    def play(players, seed, first, games, counts):
        table = kernel_table(Rules(players))
        play_games(table, np.uint64(seed), np.uint64(first), games, values, counts, nothing, None, None, beat)

    return play


def rates(players, programs):
    """Games per CPU-second of each program: the median of interleaved rounds."""
    seconds = {name: [] for name in programs}
    for turn in range(ROUNDS):
        for name, play in programs.items():
            clock = time.process_time()
            play(players, 1, turn * GAMES, GAMES, np.zeros(99, dtype=np.int64))
            seconds[name].append(time.process_time() - clock)
    return {name: GAMES / median(times) for name, times in seconds.items()}


@pytest.mark.parametrize("players", range(1, 6))
def test_yardsticks_play_the_same_games(players):
    programs = [kernel("greedy"), yardsticks.hard_wired(), yardsticks.c_with_sets()]
    if programs[-1] is None:
        pytest.skip("gcc is not installed, so there is no C to compare with")
    counts = [np.zeros(99, dtype=np.int64) for _ in programs]
    for play, into in zip(programs, counts, strict=True):
        play(players, 1, 500, 2000, into)
    assert counts[0].tolist() == counts[1].tolist() == counts[2].tolist()


@pytest.mark.speed
def test_ratios(capsys):
    programs = {name: kernel(name) for name in ("greedy", "backward", "reservation")}
    programs["hard-wired"] = yardsticks.hard_wired()
    c = yardsticks.c_with_sets()
    if c is None:
        pytest.skip("gcc is not installed, so there is no C to compare with")
    programs["C"] = c
    failures = []
    with capsys.disabled():
        print("\nplayers  greedy M/s  of C  of hard-wired  backward/greedy  reservation/greedy  of reference")
        for players in range(1, 6):
            measured = rates(players, programs)
            greedy = measured["greedy"]
            ratios = [greedy / measured[name] for name in ("C", "hard-wired")]
            ratios += [measured[name] / greedy for name in ("backward", "reservation")]
            ratios.append(greedy / reference_rate(players))
            print(f"{players:7}  {greedy / 1e6:10.3f}  {ratios[0]:4.2f}  {ratios[1]:13.2f}", end="")
            print(f"  {ratios[2]:15.2f}  {ratios[3]:18.2f}  {ratios[4]:12.0f}")
            wanted = [1.0, 0.85, 0.6, 0.25 if players == 5 else 0.0, 200]
            failures += [
                (players, i) for i, (got, least) in enumerate(zip(ratios, wanted, strict=True)) if round(got, 2) < least
            ]
    assert not failures


def reference_rate(players):
    """Games per CPU-second of the plain-Python reference."""
    strategy, games = load("greedy"), 30
    clock = time.process_time()
    for game in range(games):
        reference.play(strategy, Rules(players), 1, game)
    return games / (time.process_time() - clock)


@pytest.mark.speed
def test_two_threads_are_nearly_twice_as_fast(capsys):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core only")
    from simulator import simulate

    speed = {1: [], 2: []}
    for _ in range(5):
        for threads in speed:
            speed[threads].append(3_000_000 / simulate("greedy", 3, 3_000_000, threads=threads).seconds)
    ratio = max(speed[2]) / max(speed[1])
    with capsys.disabled():
        print(f"\ntwo threads against one: {ratio:.2f}; {max(speed[2]) * 60 / 1e6:.0f} M games a minute")
    assert ratio >= 1.8
