"""Other ways to play plain greedy by standard rules, which the kernel is measured against. All play the same games.

A yardstick that cannot be had here, for want of a compiler or a processor, says so.
"""

import ctypes
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from simulator.rules import STANDARD_HAND, Rules

Play = Callable[[int, int, int, int, np.ndarray], None]
"""Plays (players, seed, first game, number of games) by standard rules and adds to the counts of cards left."""

FOLDER = Path(__file__).parent
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
NO_GCC = "gcc is not installed"
BY_HAND = "numba by hand"
SET_C = "C with sets"
SOURCES = {"plain C": "naive.c", SET_C: "sets.c", "C in lockstep": "lockstep.c"}


@dataclass(frozen=True)
class Yardstick:
    """A program, or the reason why there is none; ``made_of`` changes whenever its speed could by itself."""

    name: str
    play: Play | None = None
    made_of: str = ""
    missing: str = ""


@cache
def all_yardsticks() -> tuple[Yardstick, ...]:
    """Every yardstick, from the slowest to the fastest, built now."""
    return reference(), *(in_c(name, source) for name, source in SOURCES.items()), by_hand()


def reference() -> Yardstick:
    """The plain-Python game that the kernel is tested against, with the same strategy functions."""
    import simulator.strategy
    import simulator.view
    from simulator.loader import load

    try:
        from benchmarks import reference as game  # type: ignore[attr-defined]  # an installed package has a copy
    except ImportError:
        from tests import reference as game
    greedy = load("greedy")

    def play(players: int, seed: int, first: int, games: int, counts: np.ndarray) -> None:
        for number in range(first, first + games):
            counts[game.play(greedy, Rules(players), seed, number).leftover] += 1

    files = [game.__file__, simulator.view.__file__, simulator.strategy.__file__]
    return Yardstick("plain Python", play, digest(map(Path, files), greedy.fingerprint().hex))


def in_c(name: str, source: str) -> Yardstick:
    """A C program beside this file, compiled for this processor."""
    if shutil.which("gcc") is None:
        return Yardstick(name, missing=NO_GCC)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "greedy.so"
        words = ["gcc", *FLAGS, str(FOLDER / source), "-o", str(library)]
        built = subprocess.run(words, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            reasons = [line.partition("error: ")[2] for line in built.stderr.splitlines() if "error: " in line]
            why = reasons[0].removeprefix("#error ") if reasons else "it gave no reason"
            return Yardstick(name, missing=f"gcc cannot build it here: {why}")
        program = ctypes.CDLL(str(library)).play_games
    word = ctypes.c_uint64
    program.argtypes = [ctypes.c_int, ctypes.c_int, word, word, word, ctypes.c_void_p]

    def play(players: int, seed: int, first: int, games: int, counts: np.ndarray) -> None:
        program(players, STANDARD_HAND[players], seed, first, games, counts.ctypes.data)

    return Yardstick(name, play, digest([FOLDER / source, FOLDER / "deal.h"], " ".join(FLAGS), gcc_version()))


def by_hand() -> Yardstick:
    """The same logic as kernel and greedy together, in one function written by hand."""
    import numba

    from benchmarks import hard_wired
    from simulator import native

    hard_wired.play(1, 0, 0, 1, np.zeros(99, dtype=np.int64))  # compile
    files = [Path(hard_wired.__file__), Path(native.__file__)]
    return Yardstick(BY_HAND, hard_wired.play, digest(files, numba.__version__))


@cache
def gcc_version() -> str:
    """The compiler's version; nothing without one."""
    if shutil.which("gcc") is None:
        return ""
    return subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()


def digest(files: Iterable[Path], *words: str) -> str:
    """A short hash over files and words."""
    key = hashlib.sha256()
    for content in [*(file.read_bytes() for file in files), *(word.encode() for word in words)]:
        key.update(hashlib.sha256(content).digest())
    return key.hexdigest()[:16]
