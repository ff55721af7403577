"""Results and comparisons as rows of numbers, and the names they go by. Needs no pandas, so that it starts at once."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reports.statistics import (
    Z_95,
    Interval,
    mean_and_error,
    paired_mean_difference,
    paired_rate_difference,
    quantile,
    wilson,
)
from simulator.comparison import Comparison
from simulator.result import Experiment, Result
from simulator.rules import STANDARD_HAND

RULE_NAMES = ("players", "hand_size", "minimum", "starter", "silent")


def summary_row(result: Result, label: str) -> dict[str, Any]:
    """What a result comes to; rates as fractions."""
    rules = result.rules
    win_low, win_high = wilson(result.wins, result.games)
    excellent_low, excellent_high = wilson(result.excellent, result.games)
    mean, error = mean_and_error(result.counts.tolist())
    return {
        "label": label,
        "strategy": result.strategy,
        "players": rules.players,
        "hand_size": rules.hand_size,
        "minimum": rules.minimum,
        "silent": rules.silent,
        "starter": rules.starter,
        "seed": result.seed,
        "first_game": result.first_game,
        "games": result.games,
        "wins": result.wins,
        "win_rate": result.win_rate,
        "win_low": win_low,
        "win_high": win_high,
        "excellent_rate": result.excellent_rate,
        "excellent_low": excellent_low,
        "excellent_high": excellent_high,
        "mean": mean,
        "mean_error": error,
        "median": quantile(result.counts.tolist(), 50),
        "p5": quantile(result.counts.tolist(), 5),
        "p95": quantile(result.counts.tolist(), 95),
        "games_per_minute": 60 * result.games / result.seconds if result.seconds > 0 else float("nan"),
        "complete": result.complete,
    }


def summary_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """A row per result."""
    names = label_experiments([result.experiment for result in results])
    return [summary_row(result, names[result.experiment.key]) for result in results]


@dataclass(frozen=True)
class Pair:
    """Two experiments on the same decks, seen from the first: its wins more than the other's, its cards left more."""

    first: Experiment
    second: Experiment
    label: str
    against: str
    games: int
    difference: Interval
    mean_difference: Interval
    leads: float
    trails: float

    def row(self) -> dict[str, Any]:
        """The pair as a row of numbers."""
        return {
            "players": self.first.rules.players,
            "label": self.label,
            "against": self.against,
            "games": self.games,
            "difference": self.difference.value,
            "low": self.difference.low,
            "high": self.difference.high,
            "leads": self.leads,
            "trails": self.trails,
            "mean_difference": self.mean_difference.value,
            "mean_low": self.mean_difference.low,
            "mean_high": self.mean_difference.high,
        }


def pair(comparison: Comparison, first: int, second: int, names: dict[str, str], z: float = Z_95) -> Pair:
    """The paired differences of two entries of a comparison; ``names`` are the labels by experiment."""
    one, other = comparison.experiments[first], comparison.experiments[second]
    games = comparison.games
    both, squares = comparison.both_won, comparison.products
    shared = int(both[first, second])
    sums = comparison.sums.tolist()
    return Pair(
        first=one,
        second=other,
        label=names[one.key],
        against=names[other.key],
        games=games,
        difference=paired_rate_difference(
            games, int(both[first, first]) - shared, int(both[second, second]) - shared, z
        ),
        mean_difference=paired_mean_difference(
            games,
            sums[first],
            sums[second],
            int(squares[first, first]),
            int(squares[second, second]),
            int(squares[first, second]),
            z,
        ),
        leads=int(comparison.leads[first, second]) / games,
        trails=int(comparison.leads[second, first]) / games,
    )


def label_experiments(experiments: Sequence[Experiment]) -> dict[str, str]:
    """A name for each experiment, by its key: the strategy, and whatever else tells it from another."""
    qualifiers: list[Callable[[Experiment], str]] = [
        lambda e: f"hands of {e.rules.hand_size}",
        lambda e: f"minimum {e.rules.minimum}",
        lambda e: "silent" if e.rules.silent else "talking",
        lambda e: f"{e.rules.starter} starts",
        lambda e: "" if e.rules.deck.cards == 98 else f"{e.rules.deck.cards} cards",
        lambda e: f"seed {e.seed}",
        lambda e: f"code {e.content_hash[:8]}",
        lambda e: f"parameters {hashlib.sha256(json.dumps(dict(e.params)).encode()).hexdigest()[:8]}",
    ]
    names = {}
    for experiment in experiments:
        rivals = [
            e for e in experiments if (e.strategy, e.rules.players) == (experiment.strategy, experiment.rules.players)
        ]
        parts = [q(experiment) for q in qualifiers if len({q(rival) for rival in rivals}) > 1]
        names[experiment.key] = experiment.strategy + (f" ({', '.join(filter(None, parts))})" if parts else "")
    return names


def odd_rules(experiment: Experiment) -> str:
    """The rules where they are not the printed ones, in words."""
    rules = experiment.rules
    words = [f"minimum {rules.minimum}"] if rules.minimum != 2 else []
    if rules.hand_size != STANDARD_HAND[rules.players]:
        words.append(f"hands of {rules.hand_size}")
    words += ["silent"] if rules.silent else []
    words += ["best player starts"] if rules.starter == "best" else []
    return ", ".join(words)


def varied_value(result: Result, name: str) -> Any:
    """The value of a parameter, or of a rule, in a sweep."""
    return getattr(result.rules, name) if name in RULE_NAMES else result.params[name]
