"""The kernel against figures of independent programs, to the last count."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from simulator import Deck, Rules, load, simulate
from simulator.batch import play_decks, play_out
from simulator.deal import deal_deck
from simulator.replay import record
from simulator.strategy import Strategy
from tests import reference
from tests.data import rows
from tests.plain_strategies import greedy_other_piles_first

GAMES = {name: rows(f"{name}_games.csv") for name in ("greedy", "backward", "reservation")}
HANDS = {(int(r["players"]), int(r["minimum"]), int(r["hand"])) for r in GAMES["greedy"]}


@pytest.mark.parametrize("name", GAMES)
def test_single_games(name):
    groups: dict[tuple[int, ...], list[int]] = {}
    for row in GAMES[name]:
        assert int(row["game"]) == len(groups.setdefault(key_of(row), []))
        groups[key_of(row)].append(int(row["leftover"]))
    assert len(groups) >= 5
    for (seed, players, minimum, hand), leftovers in groups.items():
        rules = {"minimum": minimum, "hand_size": hand}
        assert play_out(name, players, seed, len(leftovers), **rules).tolist() == leftovers


def key_of(row):
    return tuple(int(row[name]) for name in ("seed", "players", "minimum", "hand"))


def test_greedy_games_include_full_expert():
    assert {(players, minimum) for players, minimum, _ in HANDS} == {(p, m) for p in range(1, 6) for m in (2, 3)}


@pytest.mark.parametrize("players", range(1, 6))
def test_greedy_histogram_of_a_million_games(players):
    expected = np.zeros(99, dtype=np.int64)
    for row in rows("greedy_histograms.csv"):
        if int(row["players"]) == players:
            expected[int(row["leftover"])] = int(row["games"])
    assert expected.sum() == 1_000_000
    assert simulate("greedy", players, 1_000_000, seed=1).counts.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("factor", "leftovers"),
    [(1, [0, 0, 0, 0, 6]), (3, [16, 20, 21, 41, 37]), (37, [29, 33, 34, 33, 19]), (53, [27, 35, 25, 11, 13])],
)
def test_fixed_decks(factor, leftovers):
    deck = [2 + factor * i % 98 for i in range(98)]
    played = [int(play_decks("greedy", Rules(players), [deck])[0]) for players in range(1, 6)]
    assert played == leftovers
    told = [record(load("greedy"), Rules(players), 0, 0, deck).leftover for players in range(1, 6)]
    assert told == leftovers


def test_mirrored_decks_end_alike():
    decks = np.array([deal_deck(7, game) for game in range(300)])
    mirrored = Strategy(greedy_other_piles_first, name="greedy, piles 2, 3, 0, 1")
    for players in range(1, 6):
        rules = Rules(players)
        straight, turned = play_decks("greedy", rules, decks), play_decks(mirrored, rules, 101 - decks)
        assert straight.tolist() == turned.tolist()
        assert straight.tolist() != play_decks("greedy", rules, 101 - decks).tolist()


@pytest.mark.parametrize(
    ("players", "hand", "minimum", "step", "wins", "mean"),
    [
        (1, 2, 1, 10, 32382, Fraction(163, 630)),
        (1, 2, 2, 10, 14624, Fraction(3173, 2520)),
        (1, 3, 3, 10, 26208, Fraction(59, 140)),
        (1, 2, 2, 3, 34960, Fraction(2, 9)),
        (1, 2, 1, 3, 39728, Fraction(359, 20160)),
        (2, 2, 2, 3, 35536, Fraction(31, 180)),
        (2, 2, 1, 3, 38052, Fraction(145, 2016)),
    ],
)
def test_tiny_decks_over_all_orders(players, hand, minimum, step, wins, mean):
    rules = Rules(players, hand_size=hand, minimum=minimum, deck=Deck(2, 9, piles=2, step=step))
    leftovers = play_decks("greedy", rules, list(permutations(range(2, 10))))
    assert len(leftovers) == 40320
    assert int((leftovers == 0).sum()) == wins
    assert Fraction(int(leftovers.sum()), 40320) == mean


def test_dealt_tiny_decks_equal_the_reference():
    rules = Rules(2, hand_size=2, minimum=1, deck=Deck(2, 9, piles=2, step=3))
    fast = play_out("greedy", rules=rules, seed=3, games=200)
    assert fast.tolist() == [reference.play(load("greedy"), rules, 3, game).leftover for game in range(200)]


@pytest.mark.parametrize("players", range(1, 6))
def test_random_cards_leave_what_independent_programs_found(players):
    means = [84.82, 84.41, 84.68, 84.45, 84.33]  # of 200,000 games each, so good to about 0.03
    result = simulate("random", players, 200_000, seed=5)
    assert result.wins == 0
    assert result.mean_leftover == pytest.approx(means[players - 1], abs=0.08)
