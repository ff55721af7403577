"""Saved runs as JSON, which holds everything: results, comparisons, and what a sweep varied."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from reports.checks import (
    MalformedError,
    array,
    check_played,
    items,
    mapping,
    number,
    parameter,
    read_document,
    read_ranges,
    text,
    wholes,
)
from reports.saved import Saved
from reports.summary import RULE_NAMES, summary_rows, varied_value
from simulator.comparison import Comparison, Swing
from simulator.errors import InputError
from simulator.landmarks import Landmark
from simulator.result import LEFTOVERS, Experiment, Result
from simulator.rules import Deck, Rules

FORMAT = "thegame results"
FORMAT_VERSION = 1
MATRICES = ("both_won", "leads", "products")


def as_json(saved: Saved, **more: Sequence[Any]) -> str:
    """Results and comparisons as JSON text, a line for each so that people can look; ``more`` is not read back."""
    positions = {result.experiment.key: place for place, result in enumerate(saved.results)}
    summaries = summary_rows(saved.results)
    results = [{**result_fields(result), "summary": row} for result, row in zip(saved.results, summaries, strict=True)]
    comparisons = [
        {
            "results": [positions[key] for key in comparison.key],
            "ranges": comparison.ranges,
            "sums": comparison.sums.tolist(),
            **{name: getattr(comparison, name).tolist() for name in MATRICES},
            "swings": [[*where, *swing] for where, swing in sorted(comparison.swings.items())],
        }
        for comparison in saved.comparisons
    ]
    head = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "complete": saved.complete,
        "vary": list(saved.vary),
    }
    lines = json.dumps(head)[1:-1]
    for name, entries in {"results": results, "comparisons": comparisons, **more}.items():
        lines += f', "{name}": [' + ",".join("\n" + json.dumps(no_nan(entry)) for entry in entries) + "]"
    return "{" + lines + "}\n"


def no_nan(value: Any) -> Any:
    """The value with null in place of numbers that JSON does not know."""
    if isinstance(value, dict):
        return {name: no_nan(entry) for name, entry in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def result_fields(result: Result) -> dict[str, Any]:
    """A result as plain data."""
    return {
        "strategy": result.strategy,
        "params": dict(result.params),
        "content_hash": result.content_hash,
        "rules": asdict(result.rules),
        "seed": result.seed,
        "games": result.games,
        "ranges": result.ranges,
        "complete": result.complete,
        "started": result.started,
        "seconds": result.seconds,
        "versions": dict(result.versions),
        "landmarks": {kind: list(mark) for kind, mark in result.landmarks.items()},
        "counts": result.counts.tolist(),
    }


def from_json(content: bytes) -> Saved:
    """Read what ``as_json`` wrote."""
    document = read_document(content, FORMAT, FORMAT_VERSION)
    results = [read_result(entry) for entry in items(document, "results")]
    if not results:
        raise MalformedError("it holds no result")
    comparisons = [read_comparison(entry, results) for entry in items(document, "comparisons")]
    vary = [text(name, "vary") for name in items(document, "vary")]
    for name in vary:
        if not all(name in RULE_NAMES or name in result.params for result in results):
            raise MalformedError(f"it was varied by {name!r}, which its results do not have")
        if not all(isinstance(varied_value(result, name), int | float) for result in results):
            raise MalformedError(f"it was varied by {name!r}, which is not one number")
    return Saved(results, comparisons, vary, document.get("complete") is True)


def read_result(entry: Any) -> Result:
    """Check and rebuild one result."""
    entry = mapping(entry, "a result")
    rules = read_rules(mapping(entry.get("rules"), "rules"))
    params = {name: parameter(value, "params") for name, value in mapping(entry.get("params"), "params").items()}
    seed = number(entry.get("seed"), "seed", 2**64 - 1)
    experiment = Experiment(
        text(entry.get("strategy"), "strategy"), params, text(entry.get("content_hash"), "hash"), rules, seed
    )
    marks = mapping(entry.get("landmarks", {}), "landmarks")
    seconds = entry.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e12:
        raise MalformedError("seconds are not a time")
    result = Result(
        counts=array(entry.get("counts"), "counts", (LEFTOVERS,)),
        experiment=experiment,
        ranges=read_ranges(entry.get("ranges"), experiment.strategy),
        started=text(entry.get("started"), "started"),
        seconds=float(seconds),
        complete=entry.get("complete") is True,
        landmarks={kind: Landmark(*wholes(mark, f"landmark {kind}", 2)) for kind, mark in marks.items()},
        versions={name: text(value, "versions") for name, value in mapping(entry.get("versions"), "versions").items()},
    )
    if sum(result.counts.tolist()) != result.games:
        raise MalformedError(f"the counts of {experiment.strategy} do not add up to its games")
    for kind, mark in result.landmarks.items():
        check_played(mark.game, result.ranges, f"landmark {kind}")
        if mark.leftover >= LEFTOVERS or not result.counts[mark.leftover]:
            raise MalformedError(f"landmark {kind} is of a game that was not counted")
    return result


def read_rules(fields: Mapping[str, Any]) -> Rules:
    """Check and rebuild the rules."""
    try:
        rules = Rules(**{**fields, "deck": Deck(**mapping(fields.get("deck"), "deck"))})
    except (TypeError, InputError) as problem:
        raise MalformedError(f"its rules cannot be read ({problem})") from None
    if asdict(rules) != fields:  # a rule that is not there must not pass for the printed one
        raise MalformedError("its rules cannot be read")
    return rules


def read_comparison(entry: Any, results: Sequence[Result]) -> Comparison:
    """Check and rebuild one comparison."""
    entry = mapping(entry, "a comparison")
    members = wholes(entry.get("results"), "the results of a comparison")
    if not members or max(members) >= len(results):
        raise MalformedError("a comparison names results that are not there")
    size = len(members)
    ranges = read_ranges(entry.get("ranges"), "a comparison")
    swings = {}
    for row in items(entry, "swings"):
        better, worse, *swing = wholes(row, "a swing", 5)
        if max(better, worse) >= size:
            raise MalformedError("a swing names results that are not there")
        if not swing[1] < swing[2] < LEFTOVERS:
            raise MalformedError("a swing is none")
        swings[better, worse] = Swing(*swing)
        check_played(swing[0], ranges, "a swing")
    comparison = Comparison(
        experiments=tuple(results[place].experiment for place in members),
        ranges=ranges,
        sums=array(entry.get("sums"), "sums", (size,)),
        **{name: array(entry.get(name), name, (size, size)) for name in MATRICES},
        swings=swings,
    )
    check_comparison(comparison, [results[place] for place in members])
    return comparison


def check_comparison(comparison: Comparison, results: Sequence[Result]) -> None:
    """Refuse numbers that no games can have: every pair must be one that statistics can be made of."""
    games, left = comparison.games, np.arange(LEFTOVERS)
    # As Python's whole numbers, which do not overflow.
    sums, both, leads, products = (getattr(comparison, name).astype(object) for name in ("sums", *MATRICES))
    wins, squares = both.diagonal(), products.diagonal()
    possible = [
        both == both.T,
        both <= wins,
        wins[:, None] + wins - both <= games,
        leads + leads.T <= games,
        products == products.T,
        games * (squares[:, None] + squares - 2 * products) >= (sums[:, None] - sums) ** 2,
        [
            result.ranges != comparison.ranges
            or [result.wins, *(result.counts @ left**power for power in (1, 2))] == [won, total, square]
            for result, won, total, square in zip(results, wins, sums, squares, strict=True)
        ],
    ]
    if not all(np.all(each) for each in possible):
        raise MalformedError("the numbers of a comparison contradict each other")
