"""``thegame sweep``: one strategy over a range of values, on the same decks."""

import itertools
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from simulator.cli.compare import play_matches
from simulator.cli.options import GamesType, complete_strategy, deal_options, rule_options, rules_for
from simulator.cli.output import conclude, report_option
from simulator.cli.progress import progress_bar
from simulator.errors import InputError, did_you_mean
from simulator.rules import Rules
from simulator.strategy import Strategy

RULES = ("players", "hand_size", "minimum")
MOST_POINTS = 400
NUMBER = r"[+-]?[0-9]{0,20}\.?[0-9]{1,20}"


@click.command(short_help="Play a strategy over a range of values; curve or heat map.")
@click.argument("strategy", shell_complete=complete_strategy)
@click.option(
    "--vary",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    help="A parameter, or players, hand_size or minimum, over 0..10, 0..1..0.25 (with a step) or 1,2,5. "
    "Twice for a heat map.",
)
@click.option("-p", "--players", type=int, help="How many play, 1 to 5.  [default: 3]")
@click.option("-n", "--games", type=GamesType(), default="100k", show_default=True, help="Games per value: 1e6, 10M.")
@deal_options
@rule_options
@report_option("thegame-sweep")
@click.option("--json", "as_json", is_flag=True, help="Print results and verdicts as JSON.")
def sweep(
    strategy: str,
    vary: tuple[str, ...],
    players: int | None,
    games: int,
    seed: int,
    first_game: int,
    threads: int | None,
    output: Path,
    as_json: bool,
    **switches: Any,
) -> None:
    """Play a strategy with every value of a parameter or rule, and tell the best and whether its lead is real.

    Example: thegame sweep greedy --vary extra_gap=0..10 -p 4 -n 200k
    """
    from reports.report import check_report
    from reports.saved import Saved
    from simulator.loader import load
    from simulator.match import Match

    check_report(output)
    loaded = load(strategy)
    values = dict(read_vary(text) for text in vary)
    if len(values) < len(vary) or len(values) > 2:
        raise InputError("--vary takes one name, or two different ones for a heat map.")
    combinations = [dict(zip(values, point, strict=True)) for point in itertools.product(*values.values())]
    if "players" in values and players is not None:
        raise InputError("Give either --vary players=… or -p, not both.")
    if len(combinations) > MOST_POINTS:
        raise InputError(f"{len(combinations)} points are too many; at most {MOST_POINTS} make a sweep.")
    entries = [
        entry(loaded, point, {"players": 3 if players is None else players, **switches}) for point in combinations
    ]
    match = Match(entries, games, seed, first_game, threads)
    with progress_bar(games * len(entries)) as bar:
        problem = play_matches([match], [None], bar)
    comparison = match.comparison()
    if comparison is None:
        raise problem or KeyboardInterrupt
    saved = Saved(match.results(), [comparison], list(values), problem is None)
    conclude(saved, output, [], as_json, games * len(entries), problem)


def read_vary(text: str) -> tuple[str, list[float]]:
    """The name and the values of ``extra_gap=0..10``."""
    name, _, spec = text.partition("=")
    found = re.fullmatch(rf"({NUMBER})\.\.({NUMBER})(?:\.\.({NUMBER}))?", spec)
    if name.isidentifier() and found:
        low, high, step = (Decimal(part or "1") for part in found.groups())
        if step > 0 and low <= high:
            points = int((high - low) / step) + 1
            if points > MOST_POINTS:
                raise InputError(f"{text!r} has {points} values; at most {MOST_POINTS} make a sweep.")
            return name, [float(low + place * step) for place in range(points)]
    elif name.isidentifier() and re.fullmatch(rf"{NUMBER}(,{NUMBER})*", spec):
        return name, list(dict.fromkeys(float(part) for part in spec.split(",")))
    raise InputError(f"Cannot read --vary {text!r}; write extra_gap=0..10, extra_gap=0..1..0.25 or extra_gap=1,2,5.")


def entry(strategy: Strategy, point: dict[str, float], switches: dict[str, Any]) -> tuple[Strategy, Rules]:
    """The strategy and the rules at one point of the sweep."""
    changes = {name: value for name, value in point.items() if name not in RULES}
    for name in changes:
        if name not in strategy.params:
            known = [*strategy.params, *RULES]
            raise InputError(f"{strategy.name} has no parameter {name!r} to vary; {did_you_mean(name, known)}")
    for name in (name for name in point if name in RULES):
        if not point[name].is_integer():
            raise InputError(f"{name} takes whole numbers, not {point[name]:g}.")
        if name in ("hand_size", "minimum") and switches.get(name) is not None:
            raise InputError(f"Give either --vary {name}=… or --{name.replace('_', '-')}, not both.")
    rules = {name: int(value) for name, value in point.items() if name in RULES}
    merged = {**switches, **rules}
    [ruled] = rules_for([merged.pop("players")], merged)
    return strategy.with_params(changes), ruled
