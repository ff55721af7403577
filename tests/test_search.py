"""Finding games by their score: whatever the blocks and threads, what playing them all out would show."""

import re

import numpy as np
import pytest

from simulator import (
    NO_GAP,
    STOP,
    InputError,
    Rules,
    Strategy,
    StrategyError,
    nearest,
    play,
    playable,
    search,
    smallest_gap,
)
from simulator.batch import WORD, play_out
from simulator.search import Wanted, find_game, parse_wanted

RULES = Rules(3)
GAMES = 3000


@pytest.fixture(scope="module")
def leftovers():
    return play_out("backward", seed=7, games=GAMES, rules=RULES)


@pytest.fixture(params=[(1, 1), (256, 2**19), (100, 150)])
def blocks(request, monkeypatch):
    monkeypatch.setattr(search, "FIRST_BLOCK", request.param[0])
    monkeypatch.setattr(search, "LARGEST_BLOCK", request.param[1])


@pytest.mark.parametrize("text", ["win", "leftover=0", "leftover=1", "leftover=17", "leftover=45"])
@pytest.mark.parametrize("first_game", [0, 1, 700])
def test_finds_the_first(text, first_game, leftovers, blocks):
    score = 0 if text == "win" else int(text.partition("=")[2])
    expected = first_game + int(np.flatnonzero(leftovers[first_game:] == score)[0])
    assert find_game("backward", RULES, 7, text, first_game, GAMES - first_game) == expected
    assert find_game("backward", RULES, 7, text, expected, 1, threads=1) == expected
    if expected > first_game:
        with pytest.raises(InputError, match="None of the games"):
            find_game("backward", RULES, 7, text, first_game, expected - first_game)


@pytest.mark.parametrize("first_game", [0, 700])
def test_finds_the_worst(first_game, leftovers, blocks):
    expected = first_game + int(leftovers[first_game:].argmax())
    assert find_game("backward", RULES, 7, "worst", first_game, GAMES - first_game) == expected


def test_tells_how_far_it_is():
    told = []
    find_game("backward", RULES, 7, "worst", 5, GAMES, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == GAMES


def test_says_what_to_type_when_there_is_none():
    says = "None of the games 3 to 12 of seed 7 has exactly 98 cards left; look at more games, for example with -n 100."
    with pytest.raises(InputError, match=f"^{re.escape(says)}$"):
        find_game("backward", RULES, 7, "leftover=98", 3, 10)


def test_ends_with_the_last_game_of_a_seed():
    last = play_out("backward", seed=7, games=range(WORD - 5, WORD), rules=RULES)
    assert find_game("backward", RULES, 7, "worst", WORD - 5) == WORD - 5 + int(last.argmax())
    with pytest.raises(InputError, match=f"games {WORD - 5} to {WORD - 1} .* give another --seed"):
        find_game("backward", RULES, 7, "leftover=98", WORD - 5)


@pytest.mark.parametrize(("first_game", "games"), [(-1, 10), (WORD, 10), (0, 0), (1.5, 10), (0, "10")])
def test_refuses_games_that_are_not(first_game, games):
    with pytest.raises(InputError, match="must be"):
        find_game("backward", RULES, 7, "win", first_game, games)


@pytest.mark.parametrize(("text", "leftover"), [("win", 0), ("worst", None), ("leftover=0", 0), ("leftover=98", 98)])
def test_what_is_wanted(text, leftover):
    assert parse_wanted(text) == Wanted(leftover)


@pytest.mark.parametrize(
    "text", ["", "wins", "WIN", "leftover", "leftover=", "leftover=99", "leftover=-1", "leftover=1.5", "leftover= 7",
             "leftover=٣", "leftover=7\n", "best"],
)  # fmt: skip
def test_refuses_to_look_for_anything_else(text):
    with pytest.raises(InputError, match=re.escape(f"leftover=7, not {text!r}.")):
        parse_wanted(text)


# ---- a strategy that breaks some games


def choose_until_it_rolls_badly(view, params):
    if view.random % params.one_in == 0:
        return play(120, 0)
    best, move = NO_GAP, STOP
    for pile in range(view.piles):
        if smallest_gap(view, pile) < best:
            best, move = smallest_gap(view, pile), play(nearest(view, playable(view, pile), pile), pile)
    return STOP if view.laid_this_turn >= view.minimum else move


def test_a_hit_before_a_broken_game_counts_whatever_the_blocks(blocks):
    sound = Strategy(choose_until_it_rolls_badly, params={"one_in": 2**53}, name="sound")
    rare = Strategy(choose_until_it_rolls_badly, params={"one_in": 5000}, name="rare")
    with pytest.raises(StrategyError) as fault:
        find_game(rare, RULES, 1, "leftover=98", games=GAMES)
    game = int(re.search(r"in game (\d+) of seed 1", str(fault.value))[1])
    leftovers = play_out(sound, seed=1, games=game + 1, rules=RULES)
    assert find_game(rare, RULES, 1, f"leftover={leftovers[game - 1]}", games=GAMES) == (
        int(np.flatnonzero(leftovers == leftovers[game - 1])[0])
    )
    with pytest.raises(StrategyError, match=f"in game {game} of seed 1"):
        find_game(rare, RULES, 1, "worst", games=GAMES)
