"""Measures programs side by side, in CPU time, round after round.

Absolute times lie on shared machines: a neighbour or a warm processor slows everything. So each round runs every
program once, a few milliseconds each, and what counts is the ratio of two programs within a round.
"""

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.yardsticks import Play
from simulator.batch import Announce, say_nothing
from simulator.replay import kernel_table
from simulator.result import LEFTOVERS
from simulator.rules import STANDARD_DECK, Rules
from simulator.strategy import Strategy

SEED = 1
SLICE = 0.02  # CPU-seconds that a program runs in a round, or one game if that takes longer
ROUNDS = 15
LEVEL = 0.95

Rates = dict[tuple[str, int], list[float]]
"""Games per CPU-second of a program with so many players, round by round."""
Games = dict[tuple[str, int], int]
"""How many games a program plays in a round."""


class Spread(NamedTuple):
    """The median over rounds, and the interval that holds it with 95 % confidence."""

    median: float
    low: float
    high: float


def strategy_program(strategy: Strategy, announce: Announce = say_nothing) -> Play:
    """A strategy in the simulator's kernel, on one thread."""
    from simulator.compiler import compile_kernel

    play_games = compile_kernel(strategy, STANDARD_DECK, "batch", announce)
    values, beat = strategy.values(), np.zeros(2, dtype=np.uint64)

    def play(players: int, seed: int, first: int, games: int, counts: np.ndarray) -> None:
        leftovers = np.empty(games, dtype=np.uint8)  # as in a batch, which wants them
        table = kernel_table(Rules(players))
        play_games(table, np.uint64(seed), np.uint64(first), games, values, counts, leftovers, None, None, beat)

    return play


def seconds_of(play: Play, players: int, games: int) -> float:
    """The CPU time that a program takes for its first games."""
    counts = np.zeros(LEFTOVERS, dtype=np.int64)
    clock = time.thread_time()
    play(players, SEED, 0, games, counts)
    return max(time.thread_time() - clock, 1e-9)


def fitting_games(play: Play, players: int) -> int:
    """How many games take about a slice of time: a power of two, so that two runs mostly agree on it."""
    games = 1
    while (seconds := seconds_of(play, players, games)) < SLICE / 4:
        games *= 2 if seconds > SLICE / 64 else 16
    return max(2 ** round(math.log2(games * SLICE / seconds)), 1)


def measure(
    programs: Mapping[str, Play],
    players: Sequence[int],
    rounds: int = ROUNDS,
    games: Games | None = None,
    progress: Callable[[int], None] = say_nothing,
) -> tuple[Rates, Games]:
    """The rates of every program with every number of players, and the games of a round.

    ``games`` of an earlier run are played again, so that both are of the same games.
    """
    places = [(name, number) for number in players for name in programs]
    known = games or {}
    chosen = {place: known.get(place) or fitting_games(programs[place[0]], place[1]) for place in places}
    rates: Rates = {place: [] for place in places}
    for _ in range(rounds):
        for place in places:
            name, number = place
            rates[place].append(chosen[place] / seconds_of(programs[name], number, chosen[place]))
        progress(1)
    return rates, chosen


def spread(values: Sequence[float]) -> Spread:
    """The median and its interval by ranks: whatever the law of the noise, it holds."""
    ordered, n, rank = sorted(values), len(values), 0
    # Leaving out r values on either side misses the median if at most r values are below it, or above: a binomial law.
    while 2 * sum(math.comb(n, below) for below in range(rank + 2)) <= (1 - LEVEL) * 2**n:
        rank += 1
    return Spread(statistics.median(ordered), ordered[rank], ordered[n - 1 - rank])


def ratio(rates: Rates, one: str, other: str, players: int) -> Spread:
    """How many times as fast one program is as another, over rounds in which both ran."""
    return spread([a / b for a, b in zip(rates[one, players], rates[other, players], strict=True)])
