"""Several strategies on the same decks: who wins where the other does not, and who has fewer cards left.

Everything is kept as whole numbers that add up over disjoint games; statistics come later, in ``reports``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simulator.landmarks import Landmarks, find_landmarks, merge_landmarks
from simulator.result import LEFTOVERS, Experiment, Ranges, count_games, join_ranges

PRODUCT_GAMES = 2**15  # games multiplied at once: bounds the memory for many strategies


class Swing(NamedTuple):
    """The game in which one entry did better than another by the most: its number, and what both left."""

    game: int
    better: int
    worse: int


Swings = Mapping[tuple[int, int], Swing]  # by (better, worse) entry; only pairs with entry 0


@dataclass(frozen=True)
class Tally:
    """Whole numbers about entries 0 to k-1 that played the same games. Square tables are indexed [one, other]."""

    counts: np.ndarray  # [entry, leftover]
    both_won: np.ndarray  # games that both won; on the diagonal the wins
    leads: np.ndarray  # games in which one left fewer cards than the other
    products: np.ndarray  # the sum of leftover times leftover
    landmarks: tuple[Landmarks, ...]
    swings: Swings

    @classmethod
    def of(cls, leftovers: np.ndarray, first_game: int) -> "Tally":
        """Count consecutive games, given the leftover of each as [entry, game]."""
        entries = range(len(leftovers))
        both_won = np.zeros((len(entries), len(entries)), dtype=np.int64)
        products, leads = both_won.copy(), both_won.copy()
        for start in range(0, leftovers.shape[1], PRODUCT_GAMES):
            # Floats for the speed of matrix products; every sum is below 2**53, so they are exact.
            part = leftovers[:, start : start + PRODUCT_GAMES].astype(np.float64)
            won = (part == 0).astype(np.float64)
            products += (part @ part.T).astype(np.int64)
            both_won += (won @ won.T).astype(np.int64)
        for one in entries:
            for other in entries:
                leads[one, other] = np.count_nonzero(leftovers[one] < leftovers[other])
        swings = {}
        for one, other in [(0, other) for other in entries[1:]] + [(other, 0) for other in entries[1:]]:
            swing = biggest_swing(leftovers[one], leftovers[other], first_game)
            if swing is not None:
                swings[one, other] = swing
        return cls(
            counts=np.array([np.bincount(row, minlength=LEFTOVERS) for row in leftovers]),
            both_won=both_won,
            leads=leads,
            products=products,
            landmarks=tuple(find_landmarks(row, first_game) for row in leftovers),
            swings=swings,
        )

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            counts=self.counts + other.counts,
            both_won=self.both_won + other.both_won,
            leads=self.leads + other.leads,
            products=self.products + other.products,
            landmarks=tuple(map(merge_landmarks, self.landmarks, other.landmarks)),
            swings=merge_swings(self.swings, other.swings),
        )


def biggest_swing(one: np.ndarray, other: np.ndarray, first_game: int) -> Swing | None:
    """The first game with the largest lead of one over the other; None if it never leads."""
    leads = other.astype(np.int16) - one
    place = int(leads.argmax())
    return Swing(first_game + place, int(one[place]), int(other[place])) if leads[place] > 0 else None


def merge_swings(one: Swings, other: Swings) -> Swings:
    """The swings of both together."""
    return {
        pair: min(
            (swings[pair] for swings in (one, other) if pair in swings), key=lambda s: (s.better - s.worse, s.game)
        )
        for pair in {**one, **other}
    }


@dataclass(frozen=True)
class Comparison:
    """How experiments fared on the same games, by pairs. Square tables are indexed [one, other]."""

    experiments: tuple[Experiment, ...]
    ranges: Ranges
    sums: np.ndarray  # cards left by each, over all games
    both_won: np.ndarray
    leads: np.ndarray
    products: np.ndarray
    swings: Swings

    @property
    def games(self) -> int:
        """How many games all of them played."""
        return count_games(self.ranges)

    @property
    def key(self) -> tuple[str, ...]:
        """The same for comparisons that add up."""
        return tuple(experiment.key for experiment in self.experiments)

    def __add__(self, other: "Comparison") -> "Comparison":
        """Both together; the same experiments in the same order, over other games."""
        return Comparison(
            experiments=self.experiments,
            ranges=join_ranges(self.ranges, other.ranges, self.experiments[0].strategy),
            sums=self.sums + other.sums,
            both_won=self.both_won + other.both_won,
            leads=self.leads + other.leads,
            products=self.products + other.products,
            swings=merge_swings(self.swings, other.swings),
        )
