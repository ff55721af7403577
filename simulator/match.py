"""Plays several strategies on the same decks, block by block, and compares them game by game."""

import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from simulator.batch import Announce, Batch, Progress, experiment, say_nothing, tell, timestamp
from simulator.comparison import Comparison, Tally
from simulator.result import LEFTOVERS, Result
from simulator.rules import Rules
from simulator.strategy import Strategy

FIRST_BLOCK = 16  # short, for strategies that take a second a game
LARGEST_BLOCK = 2**19
BLOCK_SECONDS = 1.0  # what an interruption can lose

Stop = Callable[[np.ndarray], int | None]


class Match:
    """Strategies, each under its rules, playing the same games block by block."""

    def __init__(
        self,
        entries: Sequence[tuple[Strategy, Rules]],
        games: int,
        seed: int,
        first_game: int = 0,
        threads: int | None = None,
        announce: Announce = say_nothing,
    ) -> None:
        self.batches = [
            Batch(strategy, rules, games, seed, first_game, threads, announce) for strategy, rules in entries
        ]
        self.threads = threads
        self.games, self.seed, self.first_game = (getattr(self.batches[0], n) for n in ("games", "seed", "first_game"))
        self.done = 0
        self.tally: Tally | None = None
        self.seconds = np.zeros(len(entries))
        self.started = ""
        self.complete = False

    def compile(self) -> None:
        """Compile every strategy, so that playing can be timed."""
        for batch in self.batches:
            batch.compile()

    def run(self, progress: Progress = say_nothing, stop: Stop | None = None) -> bool:
        """Play all games; whether it was not interrupted. What is done is kept, whole blocks only.

        ``stop`` sees the leftovers of each block and says how many games of it are enough to end, or None.
        """
        self.compile()
        self.started = timestamp()
        try:
            self.play_blocks(progress, stop)
        except KeyboardInterrupt:
            return False
        return True

    def play_blocks(self, progress: Progress, stop: Stop | None) -> None:
        """Play block after block, each about BLOCK_SECONDS long."""
        length = FIRST_BLOCK
        while not self.complete:
            clock = time.perf_counter()
            length = min(length, self.games - self.done)
            leftovers = self.play_block(length, progress)
            enough = stop(leftovers) if stop is not None else None
            kept = length if enough is None else enough
            block = Tally.of(leftovers[:, :kept], self.first_game + self.done)
            # One assignment, so that an interruption finds either all of the block or nothing.
            self.tally, self.done = (block if self.tally is None else self.tally + block), self.done + kept
            self.complete = enough is not None or self.done == self.games
            pace = BLOCK_SECONDS / max(time.perf_counter() - clock, 1e-6)
            fewest = 2 * self.batches[0].threads  # every core has work, however long a game takes
            length = int(min(max(length * min(pace, 8.0), fewest), LARGEST_BLOCK))

    def play_block(self, length: int, progress: Progress) -> np.ndarray:
        """The leftovers of the next games as [entry, game]."""
        leftovers = np.empty((len(self.batches), length), dtype=np.uint8)
        seconds = self.seconds.copy()
        for entry, batch in enumerate(self.batches):
            clock = time.perf_counter()
            part = Batch(batch.strategy, batch.rules, length, self.seed, self.first_game + self.done, self.threads)
            part.play_games = batch.play_games
            part.leftovers = leftovers[entry]
            before = self.done * len(self.batches) + entry * length
            part.run(partial(tell, progress, before))
            if part.interrupted:  # even if all games were under way and got done
                raise KeyboardInterrupt
            seconds[entry] += time.perf_counter() - clock
        self.seconds = seconds
        return leftovers

    def results(self) -> list[Result]:
        """What each entry came to so far."""
        if self.tally is None:
            return []
        return [
            Result(
                counts=self.tally.counts[entry],
                experiment=experiment(batch.strategy, batch.rules, self.seed),
                ranges=((self.first_game, self.done),),
                started=self.started,
                seconds=float(self.seconds[entry]),
                complete=self.complete,
                landmarks=self.tally.landmarks[entry],
            )
            for entry, batch in enumerate(self.batches)
        ]

    def comparison(self) -> Comparison | None:
        """How the entries fared against each other so far."""
        if self.tally is None:
            return None
        tally = self.tally
        return Comparison(
            experiments=tuple(result.experiment for result in self.results()),
            ranges=((self.first_game, self.done),),
            sums=tally.counts @ np.arange(LEFTOVERS),
            both_won=tally.both_won,
            leads=tally.leads,
            products=tally.products,
            swings=tally.swings,
        )
