"""``thegame compare``: strategies on the same decks, with verdicts and a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.options import (
    GamesType,
    PercentType,
    PlayersType,
    deal_options,
    load_all,
    rule_options,
    rules_for,
    strategy_option,
)
from simulator.cli.output import conclude, report_option
from simulator.cli.progress import Bar, progress_bar
from simulator.errors import InputError, StrategyError

if TYPE_CHECKING:
    from simulator.match import Match

COMPARED = ("greedy", "backward", "reservation")


@click.command(short_help="Play strategies on the same decks; verdicts and a report.")
@strategy_option
@click.option("-p", "--players", type=PlayersType(), default="1-5", show_default=True, help="3, or 1-5, or 2,4.")
@click.option("-n", "--games", type=GamesType(), default="1M", show_default=True, help="Games per row: 1e6, 10M.")
@click.option(
    "--sprt", is_flag=True, help="Stop as soon as the better one of two strategies is clear (5 %/5 % errors)."
)
@click.option(
    "--sprt-edge",
    type=PercentType(),
    default="55%",
    show_default=True,
    help="With --sprt: the edge that must not be missed, as a share of the deals that only one of the two wins.",
)
@deal_options
@rule_options
@report_option("thegame-report")
@click.option("--json", "as_json", is_flag=True, help="Print results, pairs and verdicts as JSON.")
def compare(
    names: tuple[str, ...],
    players: tuple[int, ...],
    games: int,
    sprt: bool,
    sprt_edge: float,
    seed: int,
    first_game: int,
    threads: int | None,
    output: Path,
    as_json: bool,
    **switches: Any,
) -> None:
    """Play strategies on the same decks, say which is better, and write a report with charts.

    Without -s: greedy, backward and reservation. The first one named is the baseline of the charts.

    Example: thegame compare -s greedy -s my_bot.py -p 2,4 -n 100k -o my-report
    """
    from reports.report import check_report
    from reports.saved import Saved
    from reports.sprt import SequentialTest
    from reports.verdicts import names_of, pair, stopped_verdict
    from simulator.match import Match

    check_report(output)
    loaded = load_all(names or COMPARED)
    if sprt and len(loaded) != 2:
        raise InputError(f"--sprt tells two strategies apart, not {len(loaded)}; name two with -s.")
    if not 0.5 < sprt_edge < 1:
        raise InputError("--sprt-edge must be above 50% and below 100%, such as 55%.")
    matches = [
        Match([(strategy, rules) for strategy in loaded], games, seed, first_game, threads)
        for rules in rules_for(players, switches)
    ]
    tests = [SequentialTest(sprt_edge) if sprt else None for _ in matches]
    with progress_bar(games * len(loaded) * len(matches)) as bar:
        problem = play_matches(matches, tests, bar)
    results = [result for match in matches for result in match.results()]
    if not results and problem is not None:
        raise problem
    comparisons = [found for match in matches if (found := match.comparison()) is not None]
    results.sort(key=lambda result: names_in_order(result.strategy, loaded))
    saved = Saved(results, comparisons, complete=problem is None)
    stopped = [
        stopped_verdict(test.verdict, pair(comparison, 0, 1, names_of(saved)), sprt_edge)
        for test, comparison in zip(tests, comparisons, strict=False)
        if test is not None and (test.verdict is not None or comparison.games == games)
    ]
    conclude(saved, output, stopped, as_json, games * len(loaded) * len(matches), problem)


def names_in_order(label: str, loaded: list[Any]) -> int:
    """The place of a strategy on the command line; rows are sorted by it, then by players."""
    return [strategy.label for strategy in loaded].index(label)


def play_matches(matches: list["Match"], tests: list[Any], bar: Bar) -> BaseException | None:
    """Play one match after another; returns what ended it early, if anything: what was played before is sound."""
    for match, test in zip(matches, tests, strict=True):
        for batch in match.batches:
            batch.announce = bar.announce
        try:
            if not match.run(bar, test):
                return KeyboardInterrupt()
        except (KeyboardInterrupt, StrategyError) as problem:
            return problem
        bar.done(match.games * len(match.batches))
    return None
