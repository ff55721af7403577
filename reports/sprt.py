"""Stop as soon as the better one of two is clear: Wald's sequential test on the deals that only one of them wins.

If neither is better, each such deal goes to either with the same chance. Two tests run side by side, one for
each strategy, of "it gets half of them" against "it gets at least ``edge``". The chance to call one better
though they are equal is at most ``ERROR``, half of it for each; the chance to miss an edge is at most ``ERROR``.
"""

import math

import numpy as np

ERROR = 0.05
EDGE = 0.55
NAMES = ("first", "second")


class SequentialTest:
    """Counts deals that only one of two wins, in order, until the verdict is clear."""

    def __init__(self, edge: float = EDGE) -> None:
        self.gain, self.loss = math.log(2 * edge), math.log(2 * (1 - edge))
        self.better = math.log((1 - ERROR) / (ERROR / 2))
        self.no_better = math.log(ERROR / (1 - ERROR / 2))
        self.evidence = [0.0, 0.0]  # log-likelihood ratio that the first, the second is better
        self.open = [True, True]
        self.verdict: str | None = None  # "first", "second" or "equal"

    def __call__(self, leftovers: np.ndarray) -> int | None:
        """Look at the next games, given as [entry, game]; how many were needed for a verdict, or None."""
        won = leftovers == 0
        for game in np.flatnonzero(won[0] != won[1]).tolist():
            self.count(winner=0 if won[0, game] else 1)
            if self.verdict is not None:
                return game + 1
        return None

    def count(self, winner: int) -> None:
        """Take in one deal that only the winner won."""
        for entry in (0, 1):
            self.evidence[entry] += self.gain if entry == winner else self.loss
            if self.open[entry] and self.evidence[entry] >= self.better:
                self.verdict = NAMES[entry]
            self.open[entry] &= self.evidence[entry] > self.no_better
        if self.verdict is None and not any(self.open):
            self.verdict = "equal"
