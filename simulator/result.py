"""What a batch of games came to: counts per leftover, and all it takes to repeat them."""

import importlib.metadata
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.errors import InputError
from simulator.landmarks import Landmarks, merge_landmarks
from simulator.rules import Rules

if TYPE_CHECKING:
    import pandas

EXCELLENT = 10
LEFTOVERS = 99

Ranges = tuple[tuple[int, int], ...]  # first game and number of games of each


def versions() -> dict[str, str]:
    """The versions that a result depends on."""
    names = {"simulator": "thegame-simulator", "numba": "numba", "numpy": "numpy"}
    return {name: importlib.metadata.version(package) for name, package in names.items()}


@dataclass(frozen=True)
class Experiment:
    """What is repeated when games are added: one strategy, its parameters, the rules and the decks."""

    strategy: str
    params: Mapping[str, Any]
    content_hash: str
    rules: Rules
    seed: int

    @property
    def key(self) -> str:
        """A text that is the same for the same experiment, and only for it."""
        return json.dumps(asdict(self), sort_keys=True)


@dataclass(frozen=True)
class Result:
    """Counts per leftover, 0 to 98, of ranges of games of an experiment."""

    counts: np.ndarray
    experiment: Experiment
    ranges: Ranges
    started: str
    seconds: float
    complete: bool = True
    landmarks: Landmarks = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=versions)

    @property
    def strategy(self) -> str:
        """The strategy, as it is named on the command line."""
        return self.experiment.strategy

    @property
    def params(self) -> Mapping[str, Any]:
        """All parameters, changed or not."""
        return self.experiment.params

    @property
    def content_hash(self) -> str:
        """The hash over the code that played."""
        return self.experiment.content_hash

    @property
    def rules(self) -> Rules:
        """What was played."""
        return self.experiment.rules

    @property
    def seed(self) -> int:
        """Which decks were dealt."""
        return self.experiment.seed

    @property
    def first_game(self) -> int:
        """The lowest game number."""
        return self.ranges[0][0]

    @property
    def games(self) -> int:
        """How many games were played."""
        return count_games(self.ranges)

    @property
    def wins(self) -> int:
        """Games with no card left."""
        return int(self.counts[0])

    @property
    def win_rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def excellent(self) -> int:
        """Games with fewer than ten cards left."""
        return int(self.counts[:EXCELLENT].sum())

    @property
    def excellent_rate(self) -> float:
        """The share of games with fewer than ten cards left."""
        return self.excellent / self.games

    @property
    def mean_leftover(self) -> float:
        """Cards left on average."""
        return sum(left * int(number) for left, number in enumerate(self.counts)) / self.games

    def __add__(self, other: "Result") -> "Result":
        """Both together, as if played at once; their games must be different ones of the same experiment."""
        if self.experiment.key != other.experiment.key:
            raise InputError(f"Results of {self.strategy} and {other.strategy} are of different experiments.")
        return Result(
            counts=self.counts + other.counts,
            experiment=self.experiment,
            ranges=join_ranges(self.ranges, other.ranges, self.strategy),
            started=min(self.started, other.started),
            seconds=self.seconds + other.seconds,
            complete=self.complete and other.complete,
            landmarks=merge_landmarks(self.landmarks, other.landmarks),
            versions={name: either(version, other.versions.get(name, "")) for name, version in self.versions.items()},
        )

    def to_frame(self) -> "pandas.DataFrame":
        """The counts as a tidy table, one row per leftover."""
        from reports.table import counts_frame  # pandas is imported by whoever needs it

        return counts_frame([self])


def count_games(ranges: Ranges) -> int:
    """How many games the ranges hold."""
    return sum(games for _, games in ranges)


def join_ranges(one: Ranges, other: Ranges, whose: str) -> Ranges:
    """All ranges in order, neighbours as one; an InputError if a game is in both."""
    joined: list[tuple[int, int]] = []
    for first, games in sorted([*one, *other]):
        if not joined or sum(joined[-1]) < first:
            joined.append((first, games))
            continue
        if sum(joined[-1]) > first:
            raise InputError(
                f"Games of {whose} from number {first} on are there twice; leave one of the results out, or play "
                "others with --first-game or another --seed."
            )
        joined[-1] = (joined[-1][0], joined[-1][1] + games)
    return tuple(joined)


def either(one: str, other: str) -> str:
    """Two versions as one text."""
    return ", ".join(sorted({*one.split(", "), *other.split(", ")} - {""}))
