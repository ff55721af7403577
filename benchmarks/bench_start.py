"""How long it takes until the program answers: CPU time of processes of their own."""

import resource
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-m", "simulator"]
SIMULATE = [*PROGRAM, "simulate", "-s", "greedy", "-p", "3", "-n", "1000"]


def children_seconds():
    """The CPU time of all processes started so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


start = pytest.mark.benchmark(timer=children_seconds, group="start")


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


@start
def test_cold_compile(benchmark, tmp_path, monkeypatch):
    """A strategy that was never compiled here."""
    folders = iter(range(100))

    def anew():
        monkeypatch.setenv("THEGAME_CACHE_DIR", str(tmp_path / str(next(folders))))

    benchmark.pedantic(run, args=SIMULATE, setup=anew, rounds=3)


@start
@pytest.mark.usefixtures("compiled")
def test_warm_start(benchmark):
    """A strategy that is kept: under 1.5 CPU-seconds."""
    benchmark.pedantic(run, args=SIMULATE, rounds=7, warmup_rounds=1)
    assert benchmark.stats.stats.median < 1.5


@start
def test_help(benchmark):
    """Nothing heavy is imported: under 0.3 CPU-seconds."""
    benchmark.pedantic(run, args=(*PROGRAM, "--help"), rounds=7, warmup_rounds=1)
    assert benchmark.stats.stats.median < 0.3
