import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.statistics import mean_and_error, wilson


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


@given(st.lists(st.integers(0, 98), min_size=2, max_size=200))
def test_mean_and_error_equal_those_of_the_games(leftovers):
    counts = [leftovers.count(left) for left in range(99)]
    mean, error = mean_and_error(counts)
    assert mean == pytest.approx(sum(leftovers) / len(leftovers))
    variance = sum((left - mean) ** 2 for left in leftovers) / (len(leftovers) - 1)
    assert error == pytest.approx(math.sqrt(variance / len(leftovers)), abs=1e-12)


def test_one_game_has_no_error():
    assert math.isnan(mean_and_error([0, 1])[1])
