"""Every built-in strategy and every yardstick with every number of players, and the deal alone."""

import time

import numpy as np
import pytest
from numpy import uint64

from benchmarks.speed import SEED, fitting_games, strategy_program
from benchmarks.yardsticks import all_yardsticks
from simulator import load
from simulator.compiler import Binder
from simulator.deal import deal_state, draw, fresh_deck
from simulator.loader import builtin_names
from simulator.scratch import scratch_bytes, scratch_words

ROUNDS = 7
MANY = 2**14  # games of whatever takes microseconds, decks
FEW = 2**4  # of whatever takes longer


def run(benchmark, play, players):
    """Measure a program, on the same games as others in its group."""
    games = MANY if fitting_games(play, players) > FEW else FEW
    counts = np.zeros(99, dtype=np.int64)
    benchmark.group = f"{games:,} games of {players}"
    benchmark.pedantic(play, args=(players, SEED, 0, games, counts), rounds=ROUNDS, warmup_rounds=1)
    assert counts.sum() == games * (ROUNDS + 1)
    benchmark.extra_info["games_per_core_second"] = games / benchmark.stats.stats.median


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("name", builtin_names())
def test_strategy(benchmark, name, players):
    run(benchmark, strategy_program(load(name)), players)


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("yardstick", all_yardsticks(), ids=lambda yardstick: yardstick.name)
def test_yardstick(benchmark, yardstick, players):
    if yardstick.play is None:
        pytest.skip(yardstick.missing)
    run(benchmark, yardstick.play, players)


def deal_decks(seed, decks):
    """Deal whole decks, with the kernel's memory on the stack; the sum of all cards."""
    deck, stream, total = scratch_bytes(98), scratch_words(2), 0
    for game in range(decks):
        stream[0] = deal_state(seed, uint64(game))
        fresh_deck(deck, 2, 98)
        for left in range(98, 0, -1):
            total += draw(deck, stream, 98, left)
    return total


@pytest.mark.benchmark(timer=time.process_time, group="deal")
def test_deal(benchmark):
    compiled = Binder({}).bind(deal_decks)
    total = benchmark.pedantic(compiled, args=(uint64(SEED), MANY), rounds=ROUNDS, warmup_rounds=1)
    assert total == MANY * sum(range(2, 100))
    benchmark.extra_info["decks_per_core_second"] = MANY / benchmark.stats.stats.median
