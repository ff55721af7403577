"""What to type to see a game again, or to get a result again."""

import shlex
from collections.abc import Iterator, Sequence

from reports.saved import Saved
from reports.summary import RULE_NAMES, varied_value
from reports.verdicts import by_wins
from simulator.result import Experiment, Ranges, Result
from simulator.rules import replay_command


def replay(experiment: Experiment, game: int) -> str:
    """What to type to see a game of an experiment."""
    return replay_command(experiment.strategy, experiment.rules, experiment.seed, game)


def commands(saved: Saved) -> list[str]:
    """What to type to get these results again."""
    return list(dict.fromkeys(commands_of(saved)))


def commands_of(saved: Saved) -> Iterator[str]:
    """A command for each group of results that one command can play."""
    if saved.vary and len(saved.comparisons) == 1:
        yield from sweep_commands(saved)
        return
    groups: dict[tuple[tuple[str, ...], int, Ranges], list[Result]] = {}
    for result in saved.results:
        groups.setdefault((tuple(result.rules.options()), result.seed, result.ranges), []).append(result)
    for (options, seed, ranges), results in groups.items():
        players = sorted({result.rules.players for result in results})
        names = list(dict.fromkeys(result.strategy for result in results))
        command = "compare" if saved.comparisons and not saved.vary and len(names) > 1 else "simulate"
        words = [f"thegame {command}", *(f"-s {shlex.quote(name)}" for name in names), f"-p {span(players)}"]
        for decks in deals(seed, ranges):
            yield " ".join([*words, *decks, *options])


def sweep_commands(saved: Saved) -> Iterator[str]:
    """A sweep over the same values, for each range of games."""
    first = saved.results[0]
    rules = first.rules
    options = [option for option in rules.options() if option.split()[0][2:].replace("-", "_") not in saved.vary]
    seats = [] if "players" in saved.vary else [f"-p {rules.players}"]
    vary = [
        f"--vary {name}={','.join(f'{value:g}' for value in sorted({varied_value(r, name) for r in saved.results}))}"
        for name in saved.vary
    ]
    words = ["thegame sweep", shlex.quote(without(first.strategy, saved.vary)), *vary, *seats]
    for decks in deals(first.seed, first.ranges):
        yield " ".join([*words, *decks, *options])


def deals(seed: int, ranges: Ranges) -> Iterator[list[str]]:
    """The words that say which decks, for each range of games."""
    for first, games in ranges:
        yield [f"-n {games}", f"--seed {seed}", *([f"--first-game {first}"] if first else [])]


def without(strategy: str, names: Sequence[str]) -> str:
    """A strategy's label without the values of these parameters."""
    place, _, params = strategy.rpartition(":")
    if "=" not in params:
        return strategy
    kept = [part for part in params.split(",") if part.partition("=")[0] not in names]
    return f"{place}:{','.join(kept)}" if kept else place


def confirmation(saved: Saved) -> str | None:
    """After a sweep over parameters: what to type to meet the best value on other decks, against the default."""
    tuned = [name for name in saved.vary if name not in RULE_NAMES]
    if not tuned or len(saved.comparisons) != 1:
        return None
    best = saved.comparisons[0].experiments[by_wins(saved.comparisons[0])[0]]
    rivals = dict.fromkeys([best.strategy, without(best.strategy, tuned)])
    words = ["thegame compare", *(f"-s {shlex.quote(name)}" for name in rivals), f"-p {best.rules.players}"]
    return " ".join([*words, f"-n 1M --seed {(best.seed + 1) % 2**64}", *best.rules.options()])


def span(numbers: Sequence[int]) -> str:
    """Player counts, as in 1-5 or 2,4."""
    whole = len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}-{numbers[-1]}" if whole else ",".join(map(str, numbers))
