"""``thegame simulate``: strategies times player counts, counted one by one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

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
from simulator.cli.output import partial_note, show
from simulator.cli.progress import Bar, progress_bar
from simulator.errors import InputError, StrategyError
from simulator.result import Result
from simulator.rules import Rules
from simulator.strategy import Strategy

DEFAULT_GAMES = 1_000_000
PRECISION_START = 10_000
PRECISION_CAP = 100_000_000
MARGIN = 1.02  # the rate is an estimate: ask for a little more than it takes


@click.command(short_help="Play strategies and count the cards left.")
@strategy_option
@click.option("-p", "--players", type=PlayersType(), default="1-5", show_default=True, help="3, or 1-5, or 2,4.")
@click.option("-n", "--games", type=GamesType(), help="Games per row: 1000000, 1e6, 10M.  [default: 1M]")
@click.option(
    "--precision",
    type=PercentType(),
    help="Instead of -n: play until every 95 % interval is that narrow from end to end, such as 0.1%; "
    f"at most {PRECISION_CAP:,} games a row.",
)
@deal_options
@rule_options
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Save as .csv, .json or .parquet."
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON, as -o FILE.json would save them.")
def simulate(
    names: tuple[str, ...],
    players: tuple[int, ...],
    games: int | None,
    precision: float | None,
    seed: int,
    first_game: int,
    threads: int | None,
    output: Path | None,
    as_json: bool,
    **switches: Any,
) -> None:
    """Play one or more strategies with one or more numbers of players, and count the cards left.

    Example: thegame simulate -s greedy -s backward:extra_gap=2 -p 2-4 -n 100k
    """
    from reports.files import check_target, write_beside, write_results
    from reports.saved import Saved

    if not names:
        raise InputError("Which strategy? Give one with -s, such as -s greedy; 'thegame strategies' lists them.")
    if games is not None and precision is not None:
        raise InputError("Give either -n or --precision, not both.")
    if output is not None:
        check_target(output)
    games = PRECISION_START if precision else DEFAULT_GAMES if games is None else games
    rows = [(strategy, rules) for strategy in load_all(names) for rules in rules_for(players, switches)]
    settings = {"seed": seed, "threads": threads}

    results: list[Result] = []
    problem: StrategyError | None = None
    with progress_bar(games * len(rows)) as bar:
        try:
            for strategy, rules in rows:
                result = play(strategy, rules, games, first_game, settings, bar)
                if precision:
                    result = play_until_narrow(result, strategy, precision, settings, bar)
                results.append(result)
                if not result.complete:
                    break
        except KeyboardInterrupt:
            if not results:
                raise
        except StrategyError as broken:  # the rows before it are sound
            if not results:
                raise
            problem = broken

    interrupted = len(results) < len(rows) or not results[-1].complete
    saved = Saved(results, complete=not interrupted)
    try:
        show(saved, warnings=[partial_note(saved, bar.total)] if interrupted else [], as_json=as_json)
    finally:  # whatever becomes of the text: a reader that ended early must not cost the games
        if output is not None:
            place = write_beside(output, saved) if interrupted else write_results(output, saved)
            click.echo(f"saved {place}" + (", as partial" if interrupted else ""), err=True)
    if problem is not None:
        raise problem
    if interrupted:
        raise SystemExit(130)


def play(strategy: Strategy, rules: Rules, games: int, first_game: int, settings: dict[str, Any], bar: Bar) -> Result:
    """The result of so many games."""
    from simulator.batch import simulate

    result = simulate(
        strategy, rules=rules, games=games, first_game=first_game, progress=bar, announce=bar.announce, **settings
    )
    bar.done(games)
    return result


def play_until_narrow(
    result: Result, strategy: Strategy, precision: float, settings: dict[str, Any], bar: Bar
) -> Result:
    """Play on until the interval of the win rate is narrow enough or the cap is reached.

    How many games come next follows from the counts alone, so the same call always plays the same games.
    """
    from reports.statistics import wilson, wilson_games

    while result.complete:
        low, high = wilson(result.wins, result.games)
        if high - low <= precision:
            break
        if result.games >= PRECISION_CAP:
            bar.say(
                f"{strategy.label} with {result.rules.players}: stopped at the cap of {PRECISION_CAP:,} games, "
                f"where its interval is {100 * (high - low):.3g} points wide."
            )
            break
        # The rate may turn out nearer to a half than it looks: grow tenfold at the most, and look again.
        needed = int(wilson_games(result.win_rate, precision) * MARGIN)
        target = min(max(needed, result.games + result.games // 20), 10 * result.games, PRECISION_CAP)
        more = target - result.games
        bar.expect(more)
        try:
            result += play(strategy, result.rules, more, result.first_game + result.games, settings, bar)
        except KeyboardInterrupt:  # before any of them was finished
            return replace(result, complete=False)
    return result
