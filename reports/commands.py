"""What to type to see a game again, or to get a result again."""

import shlex
from collections.abc import Iterator, Sequence

from reports.saved import Saved
from reports.verdicts import by_wins
from simulator.result import Experiment, Result


def replay(experiment: Experiment, game: int) -> str:
    """What to type to see a game of an experiment."""
    rules = experiment.rules
    words = ["thegame replay", shlex.quote(experiment.strategy), f"-p {rules.players}", f"--seed {experiment.seed}"]
    return " ".join([*words, f"--game {game}", *rules.options()])


def commands(saved: Saved) -> list[str]:
    """What to type to get these results again."""
    return list(dict.fromkeys(commands_of(saved)))


def commands_of(saved: Saved) -> Iterator[str]:
    """A command for each group of results that one command can play."""
    groups: dict[tuple[object, ...], list[Result]] = {}
    for result in saved.results:
        groups.setdefault((tuple(result.rules.options()), result.seed, result.ranges), []).append(result)
    for (options, seed, ranges), results in groups.items():
        players = sorted({result.rules.players for result in results})
        names = list(dict.fromkeys(result.strategy for result in results))
        command = "compare" if saved.comparisons and not saved.vary and len(names) > 1 else "simulate"
        for first, games in ranges:  # type: ignore[attr-defined]
            words = [f"thegame {command}", *(f"-s {shlex.quote(name)}" for name in names), f"-p {span(players)}"]
            words += [f"-n {games}", f"--seed {seed}", *([f"--first-game {first}"] if first else []), *options]  # type: ignore[misc]
            yield " ".join(words)


def confirmation(saved: Saved) -> list[str]:
    """After a sweep over parameters: the best value against the strategy as it is, on other decks."""
    if not saved.vary or not saved.comparisons:
        return []
    best = saved.comparisons[0].experiments[by_wins(saved.comparisons[0])[0]]
    plain = best.strategy.rpartition(":")[0] if "=" in best.strategy else best.strategy
    rivals = [best.strategy, plain] if plain != best.strategy else [best.strategy]
    words = ["thegame compare", *(f"-s {shlex.quote(name)}" for name in rivals), f"-p {best.rules.players}"]
    return [" ".join([*words, f"-n 1000000 --seed {best.seed + 1}", *best.rules.options()])]


def span(numbers: Sequence[int]) -> str:
    """Player counts, as in 1-5 or 2,4."""
    whole = len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}-{numbers[-1]}" if whole else ",".join(map(str, numbers))
