"""Results as pandas tables: the tidy one that is saved, and those that charts are drawn from."""

import json
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from reports.summary import RULE_NAMES, Pair, label_experiments, summary_rows, varied_value
from simulator.result import LEFTOVERS, Result


def counts_frame(results: Iterable[Result]) -> pd.DataFrame:
    """The tidy table: one row per result and leftover, with the number of games and all it takes to repeat them."""
    frames = []
    for result in results:
        rules = result.rules
        deck = rules.deck
        fixed = {
            "strategy": result.strategy,
            **{name: getattr(rules, name) for name in RULE_NAMES},
            "deck": f"{deck.lowest}-{deck.highest}/{deck.piles}/{deck.step}",
            "params": json.dumps(dict(result.params)),
            "content_hash": result.content_hash,
            "seed": np.uint64(result.seed),
            "ranges": " ".join(f"{first}+{games}" for first, games in result.ranges),
            "complete": result.complete,
            "started": result.started,
            "seconds": result.seconds,
            **dict(result.versions),
            "landmarks": json.dumps({kind: list(mark) for kind, mark in result.landmarks.items()}),
        }
        frame = pd.DataFrame({name: [value] * LEFTOVERS for name, value in fixed.items()})
        frame["leftover"] = range(LEFTOVERS)
        frame["games"] = result.counts
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def chart_counts(results: Sequence[Result]) -> pd.DataFrame:
    """Label, players, leftover and games: what distributions are drawn from."""
    names = label_experiments([result.experiment for result in results])
    frames = [
        pd.DataFrame(
            {
                "label": names[result.experiment.key],
                "players": result.rules.players,
                "leftover": range(LEFTOVERS),
                "games": result.counts,
            }
        )
        for result in results
    ]
    return pd.concat(frames, ignore_index=True)


def summary_frame(results: Sequence[Result], vary: Sequence[str] = ()) -> pd.DataFrame:
    """One row per result, rates as fractions; with a column for every value that a sweep varied."""
    rows = summary_rows(results)
    for row, result in zip(rows, results, strict=True):
        row.update({name: varied_value(result, name) for name in vary})
    return pd.DataFrame(rows)


def pairs_frame(pairs: Iterable[Pair]) -> pd.DataFrame:
    """One row per pair."""
    columns = ["players", "label", "against", "games", "difference", "low", "high", "leads", "trails"]
    columns += ["mean_difference", "mean_low", "mean_high"]
    return pd.DataFrame([pair.row() for pair in pairs], columns=columns)
