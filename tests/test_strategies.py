"""The built-in strategies win what is known of them, and each is an example worth copying."""

import importlib
import inspect

import pytest

from simulator import load, simulate
from simulator.loader import builtin_names
from simulator.strategy import Strategy

# Win %, under ten %, mean left for 1 to 5 players, from independent prototypes of 60,000 games or more.
KNOWN = {
    "greedy": [(1.35, 14.2, 21.3), (1.89, 27.4, 18.8), (0.64, 17.1, 23.2), (1.07, 27.5, 18.1), (1.26, 32.4, 15.4)],
    "greedy:extra_gap=3": [
        *[(1.00, 11.6, 22.3), (5.00, 44.8, 13.6), (2.25, 32.8, 17.4)],
        *[(4.17, 49.1, 12.5), (5.24, 56.2, 10.2)],
    ],
    "backward": [(3.19, 23.0, 18.3), (9.73, 59.5, 10.2), (4.29, 44.4, 14.3), (6.87, 60.6, 10.1), (8.13, 66.5, 8.4)],
    "reservation:backward_bonus=0": [
        *[None, (7.44, 53.5, 11.5), (5.66, 48.2, 13.4), (10.95, 68.4, 8.5), (14.65, 75.9, 6.7)]
    ],
    "reservation": [None, (14.2, 68.1, 8.4), (10.1, 61.4, 10.3), (17.6, 78.6, 6.3), (21.8, 84.4, 5.1)],
}
CASES = [
    (name, players, figures)
    for name, by_players in KNOWN.items()
    for players, figures in enumerate(by_players, start=1)
    if figures
]


@pytest.mark.parametrize(("name", "players", "figures"), CASES)
def test_rates_and_means_are_those_known(name, players, figures):
    result = simulate(name, players, 300_000, seed=20)
    win, under_ten, mean = figures
    assert 100 * result.win_rate == pytest.approx(win, abs=0.3)
    assert 100 * result.excellent_rate == pytest.approx(under_ten, abs=0.6)
    assert result.mean_leftover == pytest.approx(mean, abs=0.15)


def test_other_figures_known():
    assert 100 * simulate("backward:extra_gap=-10", 1, 300_000, seed=20).win_rate == pytest.approx(4.3, abs=0.2)
    result = simulate("reservation:weak_penalty=3,near_gap=1", 5, 300_000, seed=20)
    assert 100 * result.win_rate == pytest.approx(24.9, abs=0.3)


def test_plain_reservation_differs_from_greedy_only_by_listening():
    plain = load("reservation:backward_bonus=0")
    silent = simulate(plain, 3, 20_000, silent=True).counts.tolist()
    assert silent == simulate("greedy:extra_gap=3", 3, 20_000).counts.tolist()


@pytest.mark.parametrize("name", builtin_names())
def test_every_strategy_file_is_an_example(name):
    module = importlib.import_module(f"strategies.{name}")
    assert isinstance(module.strategy, Strategy)
    assert module.strategy.summary.endswith(".")
    docstring = inspect.getdoc(module)
    assert "Source:" in docstring
    assert "Wins " in docstring
    for parameter in module.strategy.params:
        assert parameter in docstring or parameter in inspect.getsource(module.strategy.choose)
    assert len(inspect.getsource(module).splitlines()) <= 100
