"""Runs a whole benchmark: strategies and yardsticks side by side."""

from collections.abc import Callable, Sequence

from benchmarks.machine import machine
from benchmarks.recording import Recording
from benchmarks.signature import overall, signatures
from benchmarks.speed import ROUNDS, Games, measure, strategy_program
from benchmarks.yardsticks import all_yardsticks
from simulator.batch import Announce, say_nothing, timestamp
from simulator.strategy import Strategy


def record(
    strategies: Sequence[Strategy],
    players: Sequence[int],
    rounds: int = ROUNDS,
    games: Games | None = None,
    announce: Announce = say_nothing,
    progress: Callable[[int], None] = say_nothing,
) -> Recording:
    """Measure these strategies and all yardsticks, and take the signature of the built-in strategies."""
    yardsticks = all_yardsticks()
    programs = {strategy.label: strategy_program(strategy, announce) for strategy in strategies}
    programs |= {yardstick.name: yardstick.play for yardstick in yardsticks if yardstick.play is not None}
    each = signatures(announce)
    started = timestamp()
    rates, played = measure(programs, players, rounds, games, progress)
    return Recording(
        when=started,
        machine=machine(),
        signature=overall(each),
        signatures=each,
        yardsticks={yardstick.name: yardstick.made_of for yardstick in yardsticks},
        missing={yardstick.name: yardstick.missing for yardstick in yardsticks if yardstick.missing},
        strategies=tuple(strategy.label for strategy in strategies),
        rates=rates,
        games=played,
    )
