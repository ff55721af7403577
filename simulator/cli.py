"""The command ``thegame``. Tables go to stdout, everything else to stderr; no traceback reaches a user.

Imports nothing heavy at the top, so that --help answers at once.
"""

import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import click

from simulator import __version__
from simulator.errors import InputError, StrategyError

COMPARED = ("greedy", "backward", "reservation")
F = TypeVar("F", bound=Callable[..., Any])


def rule_options(command: F) -> F:
    """The switches that say which rules are played, the same for every command."""
    options = [
        click.option("--expert", is_flag=True, help="Lay at least three cards a turn."),
        click.option("--smaller-hands", is_flag=True, help="With --expert: every hand one card smaller."),
        click.option("--hand-size", type=int, help="Cards in a hand, 1 to 10. Default: 8 alone, 7 for two, else 6."),
        click.option("--minimum", type=int, help="Cards to lay at least in a turn. Default: 2."),
        click.option("--silent", is_flag=True, help="Nobody makes requests."),
        click.option("--starter", default="first", show_default=True, help="Who starts: first, or best."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def announce(name: str) -> None:
    """Say that a strategy is being compiled, so that nobody thinks it hangs."""
    click.echo(f"compiling {name}, once ...", err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="thegame")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def thegame(debug: bool) -> None:
    """Play millions of games of The Game, the cooperative card game, with strategies of yours.

    A strategy is named like this: greedy, greedy:extra_gap=3, my_bot.py, my_bot.py:name, package.module:name.
    """


@thegame.command()
@click.option("-n", "--games", type=int, default=1_000_000, show_default=True, help="Games per row.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which decks are dealt.")
@click.option("--threads", type=int, help="Default: all cores.")
@rule_options
def compare(games: int, seed: int, threads: int | None, **switches: Any) -> None:
    """Play greedy, backward and reservation with 1 to 5 players on the same decks.

    Example: thegame compare -n 100000
    """
    from reports.table import summary_frame
    from simulator.batch import simulate

    results = []
    for strategy in COMPARED:
        for players in range(1, 6):
            settings: dict[str, Any] = {"seed": seed, "threads": threads, "announce": announce, **switches}
            result = simulate(strategy, players, games, **settings)
            if result.games:
                results.append(result)
            if not result.complete:
                click.echo("Interrupted; the last row is what was finished.", err=True)
                click.echo(summary_frame(results).to_string(index=False))
                raise SystemExit(130)
    click.echo(summary_frame(results).to_string(index=False))


@thegame.command()
@click.argument("strategy")
@click.option("-p", "--players", type=int, default=3, show_default=True, help="How many play, 1 to 5.")
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of the deal.")
@click.option("--game", type=int, default=0, show_default=True, help="The number of the game.")
@rule_options
def replay(strategy: str, players: int, seed: int, game: int, **switches: Any) -> None:
    """Show one game turn by turn.

    Example: thegame replay reservation -p 4 --seed 1 --game 7
    """
    from simulator.batch import PATIENCE, WORD, make_rules
    from simulator.loader import load
    from simulator.replay import record
    from simulator.rules import whole_number
    from simulator.transcript import transcript

    rules = make_rules(players=players, **switches)
    seed = whole_number("The seed", seed, 0, WORD - 1)
    game = whole_number("The game", game, 0, WORD - 1)
    shown = record(load(strategy), rules, seed, game, announce=announce, patience=PATIENCE)
    click.echo(transcript(shown))
    if shown.broken:
        raise SystemExit(1)


@thegame.command()
def strategies() -> None:
    """List the strategies that need no path: built-ins and installed plug-ins.

    Example: thegame strategies
    """
    from simulator.loader import all_names, load
    from simulator.strategy import number_text

    for name in all_names():
        strategy = load(name)
        click.echo(f"{name:12} {strategy.summary}")
        if strategy.params:
            values = [
                f"{key}={number_text(value)}" for key, value in strategy.params.items() if not isinstance(value, list)
            ]
            click.echo(f"{'':12} {name}:{','.join(values)}")


def main() -> None:
    """Run the command; turn every expected problem into a sentence and an exit code."""
    debug = "--debug" in sys.argv
    warnings.showwarning = lambda message, *_: click.echo(f"thegame: {message}", err=True)
    try:
        thegame(standalone_mode=False)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except (InputError, StrategyError) as problem:
        if debug:
            raise
        click.echo(f"thegame: {problem}", err=True)
        sys.exit(2 if isinstance(problem, InputError) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
