"""Saved results as a tidy table in CSV or Parquet, read back. It has no room for paired comparisons.

``reports.table`` makes the table.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from reports.checks import MalformedError
from reports.json_form import read_result
from reports.saved import Saved
from simulator.result import LEFTOVERS, Result

FIXED = (
    "strategy", "players", "hand_size", "minimum", "starter", "silent", "deck", "params", "content_hash", "seed",
    "ranges", "complete", "started", "seconds", "simulator", "numba", "numpy", "landmarks",
)  # fmt: skip

LONGEST = 2**31 - 1  # letters of a field; a strategy may have a long list of parameters


def from_csv(content: bytes) -> Saved:
    """Read the tidy table from CSV."""
    csv.field_size_limit(LONGEST)
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error):
        raise MalformedError("it is not CSV text") from None
    return from_rows(rows)


def from_parquet(content: bytes) -> Saved:
    """Read the tidy table from Parquet."""
    import pandas as pd

    try:
        rows = pd.read_parquet(io.BytesIO(content)).astype(str).to_dict("records")
    except Exception:  # pyarrow has many, and texts are decoded late
        raise MalformedError("it is not Parquet, perhaps cut off") from None
    return from_rows(rows)


def from_rows(rows: Sequence[Mapping[Any, Any]]) -> Saved:
    """Results from the rows of a tidy table, each value a text."""
    if not rows:
        raise MalformedError("it holds no result")
    missing = [name for name in (*FIXED, "leftover", "games") if name not in rows[0]]
    if missing:
        raise MalformedError(f"it has no column {missing[0]!r}")
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in FIXED), []).append((row["leftover"], row["games"]))
    results = [from_tidy(dict(zip(FIXED, group, strict=True)), counts) for group, counts in groups.items()]
    return Saved(results, complete=all(result.complete for result in results))


def from_tidy(fixed: Mapping[str, Any], counts: Sequence[tuple[Any, Any]]) -> Result:
    """One result from what its rows share and their counts."""
    try:
        if [int(left) for left, _ in counts] != list(range(LEFTOVERS)):
            raise MalformedError(
                f"{fixed['strategy']} does not have a row for each leftover from 0 to 98, perhaps cut off"
            )
        span, piles, step = fixed["deck"].split("/")
        lowest, highest = span.split("-")
        deck = {"lowest": int(lowest), "highest": int(highest), "piles": int(piles), "step": int(step)}
        rules: dict[str, Any] = {name: int(fixed[name]) for name in ("players", "hand_size", "minimum")}
        rules |= {"starter": fixed["starter"], "silent": fixed["silent"] == "True", "deck": deck}
        return read_result(
            {
                **{name: fixed[name] for name in ("strategy", "content_hash", "started")},
                "params": json.loads(fixed["params"]),
                "rules": rules,
                "seed": int(fixed["seed"]),
                "ranges": [[int(part) for part in piece.split("+")] for piece in fixed["ranges"].split()],
                "complete": fixed["complete"] == "True",
                "seconds": float(fixed["seconds"]),
                "versions": {name: fixed[name] for name in ("simulator", "numba", "numpy")},
                "landmarks": json.loads(fixed["landmarks"]),
                "counts": [int(games) for _, games in counts],
            }
        )
    except MalformedError:
        raise
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise MalformedError(f"a row of {fixed['strategy']!r} cannot be read") from None
