"""What a batch of games came to: counts per leftover, and all it takes to repeat them."""

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.rules import Rules

if TYPE_CHECKING:
    import pandas

EXCELLENT = 10
LEFTOVERS = 99


def versions() -> dict[str, str]:
    """The versions that a result depends on."""
    names = {"simulator": "thegame-simulator", "numba": "numba", "numpy": "numpy"}
    return {name: importlib.metadata.version(package) for name, package in names.items()}


@dataclass(frozen=True)
class Result:
    """Counts per leftover, 0 to 98, of games ``first_game`` to ``first_game + games - 1`` of a seed."""

    counts: np.ndarray
    rules: Rules
    strategy: str
    params: Mapping[str, Any]
    content_hash: str
    seed: int
    first_game: int
    games: int
    started: str
    seconds: float
    complete: bool = True
    versions: Mapping[str, str] = field(default_factory=versions)

    @property
    def wins(self) -> int:
        """Games with no card left."""
        return int(self.counts[0])

    @property
    def win_rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def excellent_rate(self) -> float:
        """The share of games with fewer than ten cards left."""
        return int(self.counts[:EXCELLENT].sum()) / self.games

    @property
    def mean_leftover(self) -> float:
        """Cards left on average."""
        return sum(left * int(number) for left, number in enumerate(self.counts)) / self.games

    def to_frame(self) -> "pandas.DataFrame":
        """The counts as a tidy table, one row per leftover."""
        from reports.table import counts_frame  # pandas is imported by whoever needs it

        return counts_frame([self])
