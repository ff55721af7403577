"""``thegame replay``: one game, turn by turn."""

import json
import os
import sys
from typing import Any

import click

from simulator.cli.options import GamesType, complete_strategy, rule_options, rules_for
from simulator.cli.progress import announce, progress_bar
from simulator.errors import InputError

FOUND_AMONG = 1_000_000


@click.command(short_help="Show one game turn by turn.")
@click.argument("strategy", shell_complete=complete_strategy)
@click.option("-p", "--players", type=int, default=3, show_default=True, help="How many play, 1 to 5.")
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of the deal.")
@click.option("--game", type=int, help="The number of the game; with --find, where to start looking.  [default: 0]")
@click.option("--find", metavar="WHAT", help="Look for a game: win, worst, or leftover=K; the first such one.")
@click.option("-n", "--games", type=GamesType(), help="With --find: how many games to look at.  [default: 1M]")
@click.option("--threads", type=int, help="With --find. Default: all cores.")
@rule_options
@click.option("--json", "as_json", is_flag=True, help="Print the game as JSON.")
def replay(
    strategy: str,
    players: int,
    seed: int,
    game: int | None,
    find: str | None,
    games: int | None,
    threads: int | None,
    as_json: bool,
    **switches: Any,
) -> None:
    """Show one game turn by turn: hands, requests heard, cards laid with their gaps, draws, and why it ended.

    Example: thegame replay reservation -p 4 --seed 1 --find win
    """
    from simulator.batch import PATIENCE, WORD, interruptible
    from simulator.loader import load
    from simulator.replay import record
    from simulator.rules import whole_number
    from simulator.search import find_game, parse_wanted
    from simulator.transcript import as_json as game_data
    from simulator.transcript import transcript

    [rules] = rules_for([players], switches)
    seed = whole_number("The seed", seed, 0, WORD - 1)
    game = whole_number("The game", 0 if game is None else game, 0, WORD - 1)
    loaded = load(strategy)
    if find is not None:
        wanted = parse_wanted(find)
        games = FOUND_AMONG if games is None else games
        with progress_bar(games) as bar:
            game = find_game(loaded, rules, seed, wanted, game, games, threads, bar, bar.announce)
    elif threads is not None:
        raise InputError("--threads goes with --find; one game is played on one core.")
    elif games is not None:
        raise InputError("-n goes with --find; --game says which game is shown.")
    number = game
    shown = interruptible(lambda: record(loaded, rules, seed, number, announce=announce, patience=PATIENCE))
    if as_json:
        click.echo(json.dumps(game_data(shown)))
    else:
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        click.echo(transcript(shown, colour=colour, ascii=not can_print("↑↓←·±−")))
    if shown.broken:
        raise SystemExit(1)


def can_print(letters: str) -> bool:
    """Whether stdout can show these letters."""
    try:
        letters.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
