"""How the speed follows the length of a chunk and the number of threads, and that memory does not follow the games."""

import subprocess
import sys
import time

import numpy as np
import pytest

from benchmarks.machine import cores
from benchmarks.speed import SEED, strategy_program
from simulator import load, simulate

GAMES = 2**18
PEAK = "import resource, simulator; simulator.simulate('greedy', 3, {games}); \
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"


@pytest.mark.benchmark(timer=time.process_time, group="chunks")
@pytest.mark.parametrize("chunk", [2**6, 2**10, 2**14, GAMES])
def test_chunks(benchmark, chunk):
    """The same games, in chunks of so many."""
    play, counts = strategy_program(load("greedy")), np.zeros(99, dtype=np.int64)

    def in_chunks():
        for first in range(0, GAMES, chunk):
            play(3, SEED, first, chunk, counts)

    benchmark.pedantic(in_chunks, rounds=7, warmup_rounds=1)
    benchmark.extra_info["games_per_core_second"] = GAMES / benchmark.stats.stats.median


@pytest.mark.benchmark(timer=time.perf_counter, group="threads")
@pytest.mark.parametrize("threads", sorted({1, 2, cores()}))
def test_threads(benchmark, threads):
    """By the clock: how long a batch takes."""
    if threads > cores():
        pytest.skip("there are not so many cores")
    benchmark.pedantic(simulate, args=("greedy", 3, 3_000_000), kwargs={"threads": threads}, rounds=5, warmup_rounds=1)
    benchmark.extra_info["games_per_minute"] = 60 * 3_000_000 / benchmark.stats.stats.median


@pytest.mark.benchmark(group="memory")
@pytest.mark.usefixtures("compiled")
def test_memory(benchmark):
    """The peak of a process that plays many games is that of one that plays few."""

    def peak(games):
        words = [sys.executable, "-c", PEAK.format(games=games)]
        return int(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

    few = peak(1000)
    many = benchmark.pedantic(peak, args=(20_000_000,), rounds=1)
    benchmark.extra_info |= {"peak_mib_of_1_thousand": few, "peak_mib_of_20_million": many}
    assert many < few + 50
