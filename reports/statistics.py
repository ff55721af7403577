"""Statistics from counts per leftover: exact sums of integers, then one division."""

import math
from collections.abc import Sequence

Z_95 = 1.959963984540054


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


def mean_and_error(counts: Sequence[int]) -> tuple[float, float]:
    """The mean leftover and its standard error; one game has no error to tell."""
    games = sum(int(number) for number in counts)
    total = sum(left * int(number) for left, number in enumerate(counts))
    squares = sum(left * left * int(number) for left, number in enumerate(counts))
    if games < 2:
        return total / games, math.nan
    variance = (squares * games - total * total) / (games * (games - 1))
    return total / games, math.sqrt(variance / games)
