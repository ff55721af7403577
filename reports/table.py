"""Results as pandas tables."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from reports.statistics import mean_and_error, wilson


def counts_frame(results: Iterable[Any]) -> pd.DataFrame:
    """The tidy table: one row per result and leftover, with the number of games."""
    frames = []
    for result in results:
        rules = result.rules
        frame = pd.DataFrame({"leftover": range(len(result.counts)), "games": result.counts})
        fixed = {
            "strategy": result.strategy,
            "players": rules.players,
            "hand_size": rules.hand_size,
            "minimum": rules.minimum,
            "silent": rules.silent,
            "starter": rules.starter,
            "seed": result.seed,
        }
        for place, (name, value) in enumerate(fixed.items()):
            frame.insert(place, name, value)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def summary_frame(results: Iterable[Any]) -> pd.DataFrame:
    """One row per result, for people: win rate with its 95 % interval, under ten, mean and standard error."""
    rows = []
    for result in results:
        low, high = wilson(result.wins, result.games)
        mean, error = mean_and_error(result.counts)
        rows.append(
            {
                "strategy": result.strategy,
                "players": result.rules.players,
                "games": result.games,
                "win %": f"{100 * result.win_rate:.2f}",
                "95 % interval": f"{100 * low:.2f} to {100 * high:.2f}",
                "under ten %": f"{100 * result.excellent_rate:.1f}",
                "mean left": f"{mean:.2f} ± {error:.2f}",
                "M games/min": f"{result.games / result.seconds * 60 / 1e6:.1f}",
            }
        )
    return pd.DataFrame(rows)
