"""What comparisons and sweeps say, in plain sentences that carry their intervals."""

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from reports.saved import Saved
from reports.sprt import ERROR
from reports.statistics import wilson
from reports.summary import Pair, label_experiments, odd_rules, pair, varied_value
from reports.text import percent, plural, points, with_players
from simulator.comparison import Comparison
from simulator.result import Experiment, Result

FEW = 3  # up to so many entries, every pair gets a sentence


def names_of(saved: Saved) -> dict[str, str]:
    """The labels of all experiments, by key."""
    return label_experiments([result.experiment for result in saved.results])


def all_pairs(saved: Saved) -> list[Pair]:
    """Every pair of every comparison, the later entry seen against the earlier."""
    names = names_of(saved)
    return [
        pair(comparison, one, other, names)
        for comparison in saved.comparisons
        for one in range(len(comparison.experiments))
        for other in range(one)
    ]


def baseline_pairs(saved: Saved) -> list[Pair]:
    """Every entry of a comparison against its first."""
    names = names_of(saved)
    return [
        pair(comparison, one, 0, names)
        for comparison in saved.comparisons
        for one in range(1, len(comparison.experiments))
    ]


def pair_verdicts(saved: Saved) -> list[str]:
    """A sentence for each pair; of many entries, each against the first, and the two best."""
    names = names_of(saved)
    sentences = []
    for comparison in saved.comparisons:
        entries = range(len(comparison.experiments))
        if len(entries) <= FEW:
            chosen = [(one, other) for one in entries for other in range(one)]
        else:
            best, second = by_wins(comparison)[:2]
            chosen = [(one, 0) for one in entries[1:]]
            chosen += [(best, second)] if 0 not in (best, second) else []
        sentences += [verdict(pair(comparison, one, other, names)) for one, other in chosen]
    return sentences


def by_wins(comparison: Comparison) -> list[int]:
    """The entries, most wins first; of equals, the one that leaves fewer cards."""
    wins = np.diagonal(comparison.both_won)
    return sorted(range(len(wins)), key=lambda entry: (-int(wins[entry]), int(comparison.sums[entry]), entry))


def headlines(saved: Saved) -> list[str]:
    """Who wins most with each number of players, and by how much more than the next."""
    names = names_of(saved)
    results = {result.experiment.key: result for result in saved.results}
    sentences = []
    for comparison in saved.comparisons:
        best, *others = by_wins(comparison)
        first = results[comparison.key[best]]
        sentence = f"With {seated(first.experiment)} {names[first.experiment.key]} wins {rate_text(first)}"
        if others:
            next_best = pair(comparison, best, others[0], names)
            if next_best.difference.clear:
                sentence += f", {margin(next_best)} points more than {next_best.against}"
            else:
                sentence += f"; {next_best.against} may be as good"
        sentences.append(f"{sentence}.")
    return sentences


def rate_text(result: Result) -> str:
    """A win rate with its interval."""
    low, high = wilson(result.wins, result.games)
    return f"{percent(result.win_rate)} % ({percent(low)} to {percent(high)})"


def margin(pair: Pair) -> str:
    """The difference of a pair in points, without its sign."""
    return points(pair.difference.value, pair.difference.margin)


def seated(experiment: Experiment) -> str:
    """How many play, and what is odd about the rules."""
    rules = odd_rules(experiment)
    return with_players(experiment.rules.players) + (f" ({rules})" if rules else "")


def verdict(pair: Pair) -> str:
    """Who wins more, by how much, in which share of deals it has fewer cards left."""
    where = seated(pair.first)
    difference = pair.difference
    if pair.leads == pair.trails == 0:
        return f"{pair.label} and {pair.against} leave the same cards in all {pair.games:,} deals with {where}."
    deals = f"leads in {share(pair.leads)} %, trails in {share(pair.trails)} % of deals"
    if not difference.clear:
        sign = "+" if difference.value >= 0 else "−"
        return (
            f"{pair.label} and {pair.against} cannot be told apart by wins with {where} "
            f"({sign}{margin(pair)} points); {pair.label} {deals}."
        )
    more = "more" if difference.value > 0 else "fewer"
    return f"{pair.label} wins {margin(pair)} points {more} than {pair.against} with {where}; {deals}."


def share(rate: float) -> str:
    """A share of deals in percent; never rounded to none or all when it is not."""
    whole = f"{100 * rate:.0f}"
    return whole if rate in (0, 1) or whole not in ("0", "100") else f"{100 * rate:.2g}" if rate < 0.5 else "over 99"


def stopped_verdict(outcome: str | None, pair: Pair, edge: float) -> str:
    """What a sequential test found, and after how many games; the pair is the first against the second."""
    where = f"with {with_players(pair.first.rules.players)} after {plural(pair.games, 'game')}"
    if outcome is None:
        return (
            f"Not clear {where}: neither {pair.label} nor {pair.against} is shown to be better. "
            "Give more games with -n."
        )
    if outcome == "equal":
        return (
            f"No clear difference {where}: of the deals that only one wins, neither {pair.label} nor {pair.against} "
            f"gets {100 * edge:g} % (5 % errors)."
        )
    better, worse = (pair.label, pair.against) if outcome == "first" else (pair.against, pair.label)
    return (
        f"{better} is clearly better than {worse} {where} (5 % errors). Stopped early, the rates lean towards "
        "the winner: for figures, play a fixed number of games."
    )


def sweep_verdicts(saved: Saved) -> list[str]:
    """The best value of a sweep, and whether its lead is real."""
    [comparison] = saved.comparisons
    results = {result.experiment.key: result for result in saved.results}
    order = by_wins(comparison)
    shown = {key: value_text(results[key], saved.vary) for key in comparison.key}
    best = results[comparison.key[order[0]]]
    sentences = [f"Best is {shown[best.experiment.key]}: it wins {rate_text(best)}."]
    if len(order) == 1:
        return sentences
    # One of many is compared with each other: the intervals are widened (Bonferroni) so that all hold at once.
    z = NormalDist().inv_cdf(1 - ERROR / (2 * (len(order) - 1)))
    pairs = [pair(comparison, order[0], other, shown, z) for other in order[1:]]
    close = [rival for rival in pairs if not rival.difference.clear]
    if close:
        others = "; ".join(rival.against for rival in close[:5]) + ("; and others" if len(close) > 5 else "")
        sentences.append(
            f"Its lead is not clear: {others} may be as good (+{margin(close[0])} points against {close[0].against})."
        )
    else:
        sentences.append(
            f"Its lead is real: {margin(pairs[0])} points more than the next, {pairs[0].against}, "
            f"with all {plural(len(pairs), 'interval')} holding at once at 95 %."
        )
    return sentences


def value_text(result: Result, vary: Sequence[str]) -> str:
    """What was varied, as in extra_gap=3."""
    values: Mapping[str, Any] = {name: varied_value(result, name) for name in vary}
    return " with ".join(f"{name}={value:g}" for name, value in values.items())
