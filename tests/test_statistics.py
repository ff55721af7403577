"""Intervals, errors and quantiles: against scipy and numpy, at the extremes, and by how often they hold the truth."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from reports.statistics import (
    Z_95,
    Interval,
    mean_and_error,
    paired_mean_difference,
    paired_rate_difference,
    quantile,
    wilson,
    wilson_games,
)

TRIALS = (1, 2, 3, 7, 10, 50, 999, 1000, 12_345, 10**6, 10**9)
SHARES = (0.0, 0.001, 0.03, 0.2, 0.5, 0.77, 0.98, 1.0)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # From the closed form, worked out with 30 digits.
    [(0, 10, 0.0, 0.27753279), (10, 10, 0.72246721, 1.0), (5, 10, 0.23659309, 0.76340691), (1, 1, 0.20654931, 1.0)],
)
def test_wilson_interval(successes, trials, low, high):
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-8)


@given(st.integers(1, 10**12), st.data())
def test_wilson_interval_holds_the_rate(trials, data):
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert low < high


@pytest.mark.parametrize("trials", TRIALS)
def test_wilson_interval_is_that_of_scipy(trials):
    near_the_ends = {0, 1, trials - 1, trials}
    for successes in near_the_ends | {round(share * trials) for share in SHARES}:
        expected = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
        assert wilson(successes, trials) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-15)


def test_no_game_tells_nothing_of_the_rate():
    assert wilson(0, 0) == (0.0, 1.0)


def wilson_width(rate: float, games: int) -> float:
    """How wide the interval is, in exact numbers up to the root: its ends are Z_95 errors away from the rate."""
    part = Fraction(Z_95) ** 2 / games
    middle, product = (Fraction(rate) + part / 2) / (1 + part), Fraction(rate) ** 2 / (1 + part)
    return 2 * math.sqrt(middle**2 - product)


@given(st.floats(0, 1), st.floats(-12, -0.05).map(lambda power: 10**power))
@example(0.5, 1e-9)
@example(0.2, 1e-10)
def test_games_for_a_width_are_enough_and_not_one_too_many(rate, width):
    games = wilson_games(rate, width)
    assert wilson_width(rate, games) <= width * (1 + 1e-9)
    assert games == 1 or wilson_width(rate, games - 1) > width * (1 - 1e-9)


def test_a_narrower_interval_takes_more_games():
    for rate in SHARES:
        games = [wilson_games(rate, width) for width in (0.5, 0.2, 0.05, 0.01, 1e-3, 1e-5, 1e-8, 1e-10)]
        assert all(few < many for few, many in pairwise(games))


@given(st.lists(st.integers(0, 98), min_size=2, max_size=200))
def test_mean_and_error_equal_those_of_the_games(leftovers):
    counts = np.bincount(leftovers, minlength=99)
    mean, error = mean_and_error(counts.tolist())
    assert mean == pytest.approx(np.mean(leftovers))
    assert error == pytest.approx(stats.sem(leftovers), abs=1e-12)


def test_mean_and_error_take_counts_of_numpy_without_overflow():
    counts = np.zeros(99, dtype=np.int64)
    counts[[0, 98]] = 2**61
    mean, error = mean_and_error(counts)
    assert mean == 49
    assert error == pytest.approx(49 / math.sqrt(2**62))


def test_mean_of_many_games_keeps_its_digits():
    counts = [0] * 99
    counts[97], counts[98] = 10**15, 1  # squares of floats would lose the difference
    mean, error = mean_and_error(counts)
    assert mean == pytest.approx(97 + 1e-15)
    assert error == pytest.approx(1e-15, rel=1e-6)


def test_games_that_are_all_the_same_have_no_error():
    assert mean_and_error([0] * 40 + [7]) == (40, 0)


def test_one_game_has_no_error():
    assert math.isnan(mean_and_error([0, 1])[1])


@given(st.lists(st.integers(0, 98), min_size=1, max_size=300), st.integers(0, 100))
def test_quantile_is_that_of_numpy(leftovers, percent):
    # A little less than the percent: 0.07 * 100 is above 7 in floats.
    expected = np.quantile(leftovers, max(percent / 100 - 1e-9, 0), method="inverted_cdf")
    assert quantile(np.bincount(leftovers).tolist(), percent) == expected


def test_quantiles_of_huge_counts_are_exact():
    half = 10**17
    assert quantile([half, half], 50) == 0
    assert quantile([half - 1, half + 1], 50) == 1
    assert quantile([95 * half, 5 * half], 95) == 0
    assert quantile([95 * half - 1, 5 * half + 1], 95) == 1


def test_quantile_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no game"):
        quantile([0, 0, 0], 50)


def sums(one, other):
    """What paired_mean_difference takes, from the games themselves."""
    games = list(zip(map(int, one), map(int, other), strict=True))
    squares = (sum(a * a for a, _ in games), sum(b * b for _, b in games), sum(a * b for a, b in games))
    return len(games), sum(a for a, _ in games), sum(b for _, b in games), *squares


@given(st.lists(st.tuples(st.integers(0, 98), st.integers(0, 98)), min_size=2, max_size=200))
def test_mean_difference_is_that_of_the_paired_games(games):
    one, other = np.array(games).T
    found = paired_mean_difference(*sums(one, other))
    error = stats.sem(one - other)
    expected = stats.norm.interval(0.95, np.mean(one - other), error) if error > 0 else (found.value, found.value)
    assert found.value == pytest.approx(np.mean(one - other), abs=1e-12)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)


def test_mean_difference_has_the_statistic_of_the_paired_t_test():
    dice = np.random.default_rng(5)
    shared = dice.binomial(60, 0.3, 400)
    one, other = shared + dice.binomial(20, 0.45, 400), shared + dice.binomial(20, 0.4, 400)
    found = paired_mean_difference(*sums(one, other))
    assert found.value / (found.margin / Z_95) == pytest.approx(stats.ttest_rel(one, other).statistic)
    alone = math.hypot(stats.sem(one), stats.sem(other))
    assert found.margin < 0.7 * Z_95 * alone  # what the same decks are good for


def test_mean_difference_of_one_game_may_be_anything():
    assert paired_mean_difference(*sums([5], [9])) == (-4, -math.inf, math.inf)


def test_mean_difference_of_huge_sums_keeps_its_digits():
    # 2 * 10**14 games: half 98 to 97, half 97 to 97.
    games, half = 2 * 10**14, 10**14
    found = paired_mean_difference(
        games, 195 * half, 194 * half, half * (98**2 + 97**2), half * 2 * 97**2, half * (98 * 97 + 97**2)
    )
    assert found.value == 0.5
    assert found.margin == pytest.approx(Z_95 * 0.5 / math.sqrt(games))


def bonett_price(games, only_first, only_second):
    """The interval again, from exact fractions: Wald's, with one more deal for each, on two deals more."""
    more = games + 2
    one, other = Fraction(only_first + 1, more), Fraction(only_second + 1, more)
    variance = (one + other - (one - other) ** 2) / more
    middle, spread = float(one - other), stats.norm.ppf(0.975) * math.sqrt(variance)
    return max(middle - spread, -1.0), min(middle + spread, 1.0)


@st.composite
def discordant(draw, most=10**15):
    """A number of games, and how many of them only the first and only the second won."""
    games = draw(st.one_of(st.integers(1, 40), st.integers(1, most)))
    only_first = draw(st.one_of(st.sampled_from([0, games]), st.integers(0, games)))
    rest = games - only_first
    return games, only_first, draw(st.one_of(st.sampled_from([0, rest]), st.integers(0, rest)))


@given(discordant())
def test_rate_difference_is_bonett_and_prices(counts):
    games, only_first, only_second = counts
    found = paired_rate_difference(*counts)
    low, high = bonett_price(*counts)
    value = (only_first - only_second) / games
    assert found.value == value
    assert found.low == pytest.approx(min(low, value), rel=1e-6, abs=1e-12)
    assert found.high == pytest.approx(max(high, value), rel=1e-6, abs=1e-12)


@given(discordant())
def test_rate_difference_lies_in_an_interval_that_is_never_a_point(counts):
    found = paired_rate_difference(*counts)
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high
    assert found.margin == (found.high - found.low) / 2


@given(discordant())
def test_rate_difference_seen_from_the_other_side_has_the_other_sign(counts):
    games, only_first, only_second = counts
    one, other = paired_rate_difference(*counts), paired_rate_difference(games, only_second, only_first)
    assert other == pytest.approx((-one.value, -one.high, -one.low), abs=1e-15)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # From the closed form, worked out with 30 digits. Nothing differs: Wald's interval would be a point.
        ((1, 0, 0), -0.92393588, 0.92393588),
        ((10, 0, 0), -0.23098397, 0.23098397),
        ((10, 10, 0), 0.52057956, 1.0),
        ((1, 0, 1), -1.0, 0.73353593),
        ((100, 12, 5), -0.01406461, 0.15131951),
    ],
)
def test_rate_difference_at_the_extremes(counts, low, high):
    found = paired_rate_difference(*counts)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-8)


def test_only_an_interval_without_zero_is_clear():
    assert Interval(0.2, 0.1, 0.3).clear
    assert Interval(-0.2, -0.3, -0.1).clear
    assert not Interval(0.2, -0.1, 0.3).clear
    assert not Interval(0.1, 0.0, 0.2).clear


class Truth(NamedTuple):
    """Deals of a few kinds: what the first and the second leave in each, and how often it comes. Luck is shared."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    chances: tuple[float, ...]

    @property
    def rate_difference(self) -> float:
        return float(np.dot(self.chances, np.equal(self.first, 0)) - np.dot(self.chances, np.equal(self.second, 0)))

    @property
    def alone(self) -> float:
        return float(np.dot(self.chances, np.not_equal(np.equal(self.first, 0), np.equal(self.second, 0))))

    @property
    def mean_difference(self) -> float:
        return float(np.dot(self.chances, np.subtract(self.first, self.second)))


TRUTHS = {
    "equal": Truth((0, 0, 12, 9, 30, 21), (0, 12, 0, 30, 9, 21), (0.1, 0.1, 0.1, 0.2, 0.2, 0.3)),
    "better": Truth((0, 0, 12, 9, 30, 21), (0, 12, 0, 30, 9, 21), (0.1, 0.15, 0.08, 0.3, 0.2, 0.17)),
    "far better": Truth((0, 0, 5, 9, 14, 21), (0, 12, 0, 30, 9, 21), (0.3, 0.4, 0.05, 0.15, 0.05, 0.05)),
    "nearly the same": Truth((0, 0, 12, 9, 30, 21), (0, 12, 0, 10, 29, 21), (0.2, 0.04, 0.03, 0.3, 0.2, 0.23)),
    "rare wins": Truth((0, 0, 12, 9, 30, 21), (0, 12, 0, 30, 9, 21), (0.001, 0.01, 0.004, 0.3, 0.3, 0.385)),
    "hardly ever a win": Truth((0, 0, 12, 9, 30, 21), (0, 12, 0, 30, 9, 21), (0.0, 0.001, 0.001, 0.3, 0.3, 0.398)),
}
GAMES = (30, 100, 300, 1000, 3000)
REPETITIONS = 10_000
# Of a level of 95 %, the share seen in so many repetitions strays by more than this once in 15,000 times.
SLACK = 4 * math.sqrt(0.95 * 0.05 / REPETITIONS)


def coverage(truth: Truth, games: int, z: float = Z_95) -> tuple[float, float]:
    """In which share of repetitions the intervals of the rate and of the mean hold the truth."""
    dice = np.random.default_rng(games)
    first, second = np.array(truth.first), np.array(truth.second)
    deals = dice.multinomial(games, truth.chances, size=REPETITIONS)
    alone = [(first == 0) & (second > 0), (second == 0) & (first > 0)]
    products = [first, second, first * first, second * second, first * second]
    rates = [paired_rate_difference(games, *row, z) for row in (deals @ np.transpose(alone)).tolist()]
    means = [paired_mean_difference(games, *row, z) for row in (deals @ np.transpose(products)).tolist()]
    return share_holding(rates, truth.rate_difference), share_holding(means, truth.mean_difference)


def share_holding(intervals: list[Interval], truth: float) -> float:
    return sum(found.low <= truth <= found.high for found in intervals) / len(intervals)


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("truth", TRUTHS.values(), ids=TRUTHS)
def test_paired_intervals_hold_a_known_truth_in_95_of_100_repetitions(truth, games):
    rate, mean = coverage(truth, games)
    assert rate > 0.95 - SLACK
    # With few deals that only one wins, the interval is on the safe side.
    if games * truth.alone >= 30:
        assert rate < 0.97
    # The normal law instead of Student's costs a little: 94 % with 30 games.
    normal = 2 * stats.t.cdf(Z_95, games - 1) - 1
    assert normal - SLACK - 0.3 / games < mean < 0.95 + SLACK + 0.6 / games


@pytest.mark.parametrize("z", [Z_95 / 2, 0.9 * Z_95, 1.15 * Z_95])
def test_intervals_too_narrow_or_too_wide_do_not(z):
    for share in coverage(TRUTHS["better"], 3000, z):
        assert not 0.95 - SLACK < share < 0.95 + SLACK
