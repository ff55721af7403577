"""Finds a game worth a look by its score: the first that is won, the first with so many cards left, the worst.

Knows nothing of what happens within a game; whoever wants to see the one found replays it by its number.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from simulator.batch import WORD, Announce, Batch, Progress, say_nothing, tell
from simulator.errors import InputError, StrategyError
from simulator.loader import load
from simulator.result import LEFTOVERS
from simulator.rules import Rules, whole_number
from simulator.strategy import Strategy

FIRST_BLOCK = 256  # an early hit is found at once, even by a slow strategy
LARGEST_BLOCK = 2**19
BLOCK_SECONDS = 0.5  # about as much is played in vain after a hit
MOST_LEFT = LEFTOVERS - 1
NOT_PLAYED = 255  # no leftover


@dataclass(frozen=True)
class Wanted:
    """The score that is looked for; without one, the highest."""

    leftover: int | None

    def __str__(self) -> str:
        if self.leftover is None:
            return "is the worst"
        return (
            f"has exactly {self.leftover} card{'' if self.leftover == 1 else 's'} left" if self.leftover else "is won"
        )


def parse_wanted(text: str) -> Wanted:
    """What ``win``, ``worst`` or ``leftover=7`` asks for."""
    if text in ("win", "worst"):
        return Wanted(0 if text == "win" else None)
    number = re.fullmatch(r"leftover=([0-9]{1,2})", text)
    if number is None or int(number[1]) > MOST_LEFT:
        raise InputError(
            f"What to find is written win, worst or leftover=K with a whole number K from 0 to {MOST_LEFT}, "
            f"for example leftover=7, not {text!r}."
        )
    return Wanted(int(number[1]))


def find_game(
    strategy: str | Strategy,
    rules: Rules,
    seed: int,
    wanted: str | Wanted,
    first_game: int = 0,
    games: int = 1_000_000,
    threads: int | None = None,
    progress: Progress = say_nothing,
    announce: Announce = say_nothing,
) -> int:
    """The number of the first game, of so many from ``first_game`` on, with the score that is wanted.

    For ``worst`` it is the first of those with the highest score, for which all games are played. ``progress`` is
    called with the number of games done. If there is none, or ``seed`` has no more games, it is an InputError.
    """
    wanted = parse_wanted(wanted) if isinstance(wanted, str) else wanted
    first_game = whole_number("The first game", first_game, 0, WORD - 1)
    games = min(whole_number("The number of games", games, 1, WORD), WORD - first_game)
    worst, worst_leftover = first_game, -1
    for start, leftovers in play_blocks(
        load(strategy), rules, seed, wanted, first_game, games, threads, progress, announce
    ):
        if wanted.leftover is None:
            place = int(leftovers.argmax())
            if leftovers[place] > worst_leftover:
                worst, worst_leftover = start + place, int(leftovers[place])
            continue
        hits = np.flatnonzero(leftovers == wanted.leftover)
        if hits.size:
            return start + int(hits[0])
    if wanted.leftover is None:
        return worst
    last = first_game + games - 1
    advice = "give another --seed" if last == WORD - 1 else f"look at more games, for example with -n {10 * games}"
    raise InputError(f"None of the games {first_game} to {last} of seed {seed} {wanted}; {advice}.")


def play_blocks(
    strategy: Strategy,
    rules: Rules,
    seed: int,
    wanted: Wanted,
    first_game: int,
    games: int,
    threads: int | None,
    progress: Progress,
    announce: Announce,
) -> Iterator[tuple[int, np.ndarray]]:
    """Play growing blocks of games; yields the first game of each and the leftovers."""
    play_games = None
    length, done = FIRST_BLOCK, 0
    while done < games:
        length = min(length, games - done)
        start = first_game + done
        batch = Batch(strategy, rules, length, seed, start, threads, announce)
        batch.play_games = play_games  # a strategy that cannot be kept must not be compiled for every block
        play_games = batch.compile()
        batch.leftovers = np.full(length, NOT_PLAYED, dtype=np.uint8)
        clock = time.perf_counter()
        try:
            batch.run(partial(tell, progress, done))
        except StrategyError:
            # All games below the broken one are played: one that was wanted counts, whatever the blocks are.
            if batch.problem is not None and wanted.leftover is not None:
                yield start, batch.leftovers[: batch.problem[0] - start]
            raise
        if batch.interrupted:
            raise KeyboardInterrupt
        yield start, batch.leftovers
        done += length
        if time.perf_counter() - clock < BLOCK_SECONDS:
            length = min(2 * length, LARGEST_BLOCK)
