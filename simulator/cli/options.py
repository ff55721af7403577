"""What the commands have in common: how numbers are written, the rules, and where output goes."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from simulator.errors import InputError
from simulator.rules import MOST_PLAYERS, Rules
from simulator.strategy import Strategy

UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "B": 10**9}
LONGEST_NUMBER = 40  # letters; Python itself refuses to read thousands of digits
F = TypeVar("F", bound=Callable[..., Any])


class GamesType(click.ParamType):
    """A number of games: 1000000, 1_000_000, 1e6, 10M."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read the number."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"([0-9]+(?:[_,][0-9]+)*)(?:\.([0-9]+))?(?:[eE]\+?([0-9]{1,2}))?([kMGB]?)", value.strip())
        if found and len(value) <= LONGEST_NUMBER:
            whole, part, power, unit = (text or "" for text in found.groups())
            digits = int(re.sub("[_,]", "", whole) + part)
            number, rest = divmod(digits * 10 ** int(power or 0) * UNITS[unit], 10 ** len(part))
            if rest == 0:
                return number
        self.fail(f"{value!r} is no number of games; write 1000000, 1_000_000, 1e6 or 10M.", param, ctx)


class PlayersType(click.ParamType):
    """Numbers of players: 3, 1-5, 2,4."""

    name = "players"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        """Read the numbers, each once, in order."""
        if isinstance(value, tuple):
            return value
        numbers: set[int] = set()
        for piece in value.split(","):
            found = re.fullmatch(r"\s*([0-9]{1,9})(?:\s*(?:-|\.\.)\s*([0-9]{1,9}))?\s*", piece)
            low, high = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
            if not 1 <= low <= high <= MOST_PLAYERS:
                self.fail(f"{value!r}: from 1 to 5 can play; write 3, or 1-5, or 2,4.", param, ctx)
            numbers.update(range(low, high + 1))
        return tuple(sorted(numbers))


class PercentType(click.ParamType):
    """A share, written in percent."""

    name = "percent"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Read the share as a fraction."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*%\s*", value)
        if not found or not 0 < float(found[1]) < 100:
            self.fail(f"{value!r} is no share between 0 and 100 %; write it in percent, such as 0.1%.", param, ctx)
        return float(found[1]) / 100


def complete_strategy(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of strategies for the shell's Tab key, and files."""
    from simulator.loader import all_names

    names = [CompletionItem(name) for name in all_names() if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def decorate(command: F, options: Sequence[Callable[[F], F]]) -> F:
    """The command with the options, shown in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def strategy_option(command: F) -> F:
    """One or more strategies."""
    words = "A strategy, such as greedy:extra_gap=3 or my_bot.py; may be given several times."
    return click.option(
        "-s", "--strategy", "names", multiple=True, metavar="NAME", shell_complete=complete_strategy, help=words
    )(command)


def deal_options(command: F) -> F:
    """Which decks are dealt, and on how many cores they are played."""
    options = [
        click.option("--seed", type=int, default=1, show_default=True, help="Which decks are dealt."),
        click.option("--first-game", type=int, default=0, show_default=True, help="Number of the first game."),
        click.option("--threads", type=int, help="Default: all cores."),
    ]
    return decorate(command, options)


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
    return decorate(command, options)


def load_all(names: Sequence[str]) -> list[Strategy]:
    """The strategies, all found before any of them plays; the same one twice is a slip."""
    from simulator.loader import load

    loaded = [load(name) for name in names]
    labels = [strategy.label for strategy in loaded]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise InputError(f"{twice} is named twice; name each strategy once, or give it other parameters.")
    return loaded


def rules_for(players: Sequence[int], switches: dict[str, Any]) -> list[Rules]:
    """The rules for each number of players."""
    from simulator.batch import make_rules

    if switches["smaller_hands"] and not switches["expert"]:
        raise InputError("--smaller-hands goes with --expert, whose second step it is.")
    return [make_rules(players=number, **switches) for number in players]
