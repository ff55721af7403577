"""The games worth a look: the first of their kind, however the games are split."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator import play_out, simulate
from simulator.landmarks import Landmark, find_landmarks, merge_landmarks

GAMES = st.lists(st.sampled_from([0, 0, 1, 2, 5, 97, 98]) | st.integers(0, 98), min_size=1, max_size=60)
FIRST = st.sampled_from([0, 1, 2**32, 2**64 - 60]) | st.integers(0, 2**64 - 60)


def by_hand(leftovers: list[int], first_game: int) -> dict[str, Landmark]:
    """The landmarks, from what their names mean."""
    games = [Landmark(first_game + place, left) for place, left in enumerate(leftovers)]
    won, lost = ([game for game in games if (game.leftover == 0) == which] for which in (True, False))
    found = {"worst": max(games, key=lambda game: game.leftover)}  # of equals, max and min take the first
    if won:
        found["win"] = won[0]
    if lost:
        found["close"] = min(lost, key=lambda game: game.leftover)
    return found


@given(GAMES, FIRST)
def test_landmarks_are_the_first_games_of_their_kind(leftovers, first_game):
    assert find_landmarks(np.array(leftovers, dtype=np.uint8), first_game) == by_hand(leftovers, first_game)


@given(GAMES, FIRST, st.lists(st.integers(0, 60), max_size=6), st.randoms(use_true_random=False))
def test_any_split_in_any_order_gives_the_same_landmarks(leftovers, first_game, cuts, order):
    borders = sorted({0, len(leftovers), *(cut for cut in cuts if cut < len(leftovers))})
    parts = [
        find_landmarks(np.array(leftovers[start:end], dtype=np.uint8), first_game + start)
        for start, end in pairwise(borders)
    ]
    order.shuffle(parts)
    together = parts[0]
    for part in parts[1:]:
        together = merge_landmarks(together, part)
    assert together == by_hand(leftovers, first_game)


def test_games_that_are_all_won_have_no_narrow_loss():
    assert find_landmarks(np.zeros(3, dtype=np.uint8), 7) == {"win": (7, 0), "worst": (7, 0)}


def test_games_without_a_win_have_none():
    assert set(find_landmarks(np.array([98, 1], dtype=np.uint8), 0)) == {"close", "worst"}


def test_of_equal_games_the_lower_number_is_kept():
    early, late = by_hand([4, 0, 9], 3), by_hand([4, 0, 9], 50)
    assert merge_landmarks(early, late) == merge_landmarks(late, early) == early


def test_nothing_merged_with_landmarks_leaves_them():
    marks = by_hand([4, 0, 9], 3)
    assert merge_landmarks({}, marks) == merge_landmarks(marks, {}) == marks


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("name", ["greedy", "reservation"])
def test_a_batch_has_the_landmarks_of_its_games(name, threads):
    leftovers = play_out(name, 4, seed=8, games=range(300, 20_300)).tolist()
    found = simulate(name, 4, 20_000, seed=8, first_game=300, threads=threads).landmarks
    assert found == by_hand(leftovers, 300)
    assert found["win"].leftover == 0
