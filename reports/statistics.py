"""Statistics from counts: exact sums of integers, then one division."""

import math
from collections.abc import Sequence
from typing import NamedTuple

Z_95 = 1.959963984540054


class Interval(NamedTuple):
    """An estimate and the ends of its interval."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half of the width."""
        return (self.high - self.low) / 2

    @property
    def clear(self) -> bool:
        """Whether zero is outside."""
        return self.low > 0 or self.high < 0


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a rate."""
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    spread = Z_95 * math.sqrt(rate * (1 - rate) / trials + Z_95**2 / (4 * trials**2))
    middle = rate + Z_95**2 / (2 * trials)
    scale = 1 + Z_95**2 / trials
    low = 0.0 if successes == 0 else (middle - spread) / scale
    high = 1.0 if successes == trials else (middle + spread) / scale
    return low, high


def wilson_games(rate: float, width: float) -> int:
    """How many games make the Wilson interval about this rate that wide, from end to end; rounded up."""
    # width = 2 z sqrt(rate (1 - rate) / n + z² / 4n²) / (1 + z² / n), solved for n without a difference of near equals.
    spread = rate * (1 - rate)
    root = math.sqrt(4 * spread**2 + width**2 * (1 - 4 * spread))
    return math.ceil(Z_95**2 * (2 * spread - width**2 + root) / width**2)


def mean_and_error(counts: Sequence[int]) -> tuple[float, float]:
    """The mean leftover and its standard error; one game has no error to tell."""
    games = sum(int(number) for number in counts)
    total = sum(left * int(number) for left, number in enumerate(counts))
    squares = sum(left * left * int(number) for left, number in enumerate(counts))
    if games < 2:
        return total / games, math.nan
    variance = (squares * games - total * total) / (games * (games - 1))
    return total / games, math.sqrt(variance / games)


def quantile(counts: Sequence[int], percent: int) -> int:
    """The lowest leftover that at least this share of the games does not exceed."""
    games = sum(int(number) for number in counts)
    reached = 0
    for left, number in enumerate(counts):
        reached += int(number)
        if 100 * reached >= percent * games and reached > 0:
            return left
    raise ValueError("no game was counted")


def paired_rate_difference(games: int, only_first: int, only_second: int, z: float = Z_95) -> Interval:
    """By how much the first wins more often than the second on the same decks.

    The interval is Bonett and Price's (2012): Wald's, as if one more deal had gone to each alone. It holds its
    level with few games and few differences, where Wald's plain interval collapses.
    """
    first, second = (only_first + 1) / (games + 2), (only_second + 1) / (games + 2)
    spread = z * math.sqrt((first + second - (first - second) ** 2) / (games + 2))
    value = (only_first - only_second) / games
    # With few games the middle is not quite the estimate, which must not lie outside.
    low, high = min(first - second - spread, value), max(first - second + spread, value)
    return Interval(value, max(low, -1.0), min(high, 1.0))


def paired_mean_difference(
    games: int, first: int, second: int, first_squares: int, second_squares: int, products: int, z: float = Z_95
) -> Interval:
    """By how much the first leaves more cards than the second, from sums over the same decks."""
    total = first - second
    squares = first_squares + second_squares - 2 * products
    if games < 2:
        return Interval(total / games, -math.inf, math.inf)
    variance = (squares * games - total * total) / (games * (games - 1))
    spread = z * math.sqrt(variance / games)
    return Interval(total / games, total / games - spread, total / games + spread)
