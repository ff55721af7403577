"""What a run keeps: results, and how they compare on the same decks. Runs of the same experiments add up."""

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.comparison import Comparison
from simulator.result import Result


@dataclass(frozen=True)
class Saved:
    """What a file holds; ``vary`` names what a sweep varied. Not ``complete``: interrupted, rows may be missing."""

    results: Sequence[Result]
    comparisons: Sequence[Comparison] = ()
    vary: Sequence[str] = ()
    complete: bool = True


def add_up(parts: Sequence[Saved]) -> Saved:
    """Results of several files as one: those of the same experiment are added, overlapping games refused."""
    results: dict[str, Result] = {}
    comparisons: dict[tuple[str, ...], Comparison] = {}
    for part in parts:
        for result in part.results:
            key = result.experiment.key
            results[key] = results[key] + result if key in results else result
        for comparison in part.comparisons:
            key_of_all = comparison.key
            known = comparisons.get(key_of_all)
            comparisons[key_of_all] = comparison if known is None else known + comparison
    vary = parts[0].vary if all(list(part.vary) == list(parts[0].vary) for part in parts) else ()
    return Saved(list(results.values()), list(comparisons.values()), vary, all(part.complete for part in parts))
