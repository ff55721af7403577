"""Kernel and reference agree move by move: for any strategy, rules, seed and game that Hypothesis thinks of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Deck, Rules, Strategy, load
from simulator.batch import play_out
from simulator.replay import record
from tests import reference
from tests.plain_strategies import (
    choose_by_the_book,
    request_by_the_book,
    wild_choose,
    wild_plan,
    wild_request,
)

WORD = st.integers(0, 2**64 - 1)
WILD = Strategy(wild_choose, request=wild_request, params={"weights": [1.0, 2.0]}, name="wild")
PLANS = Strategy(plan=wild_plan, request=wild_request, name="plans")
STRATEGIES = {name: load(name) for name in ("random", "greedy", "backward", "reservation")} | {
    "wild": WILD,
    "plans": PLANS,
}
TUNABLE = {
    "extra_gap": st.integers(-11, 12),
    "backward_bonus": st.integers(-3, 25),
    "strong_penalty": st.integers(-5, 60),
    "weak_penalty": st.integers(-5, 60),
    "near_gap": st.integers(0, 99),
}


@st.composite
def any_rules(draw, deck=None):
    players = draw(st.integers(1, 5 if deck is None else 2))
    hand = draw(st.integers(1, 10 if deck is None else 4))
    extra = {} if deck is None else {"deck": deck}
    return Rules(
        players,
        hand_size=hand,
        minimum=draw(st.integers(1, hand)),
        silent=draw(st.booleans()),
        starter=draw(st.sampled_from(["first", "best"])),
        **extra,
    )


@st.composite
def tuned(draw, name):
    strategy = STRATEGIES[name]
    changes = {key: draw(values) for key, values in TUNABLE.items() if key in strategy.params}
    return strategy.with_params(changes) if draw(st.booleans()) else strategy


def assert_same_game(fast, slow):
    told = [(d.player, d.move, d.heard, d.minimum, d.card, d.pile, d.gap) for d in fast.decisions]
    assert told == [(d.player, d.move, d.heard, d.minimum, d.card, d.pile, d.gap) for d in slow.decisions]
    assert [(list(d.hand), list(d.tops)) for d in fast.decisions] == [(d.hand, d.tops) for d in slow.decisions]
    assert [list(turn.drawn) for turn in fast.turns][: len(slow.draws)] == slow.draws
    assert (fast.hands, fast.tops, fast.draw_pile) == (slow.hands, slow.tops, slow.draw_pile)
    assert fast.leftover == slow.leftover


@pytest.mark.parametrize("name", STRATEGIES)
@settings(max_examples=350)
@given(data=st.data(), rules=any_rules(), seed=WORD, game=WORD)
def test_move_by_move(name, data, rules, seed, game):
    strategy = data.draw(tuned(name))
    slow = reference.play(strategy, rules, seed, game)
    assert_same_game(record(strategy, rules, seed, game), slow)
    one_game = range(game, game + 1)
    assert play_out(strategy, rules=rules, seed=seed, games=one_game).tolist() == [slow.leftover]


@pytest.mark.parametrize("name", ["greedy", "reservation", "wild"])
@settings(max_examples=150)
@given(data=st.data(), rules=any_rules(Deck(2, 9, piles=2, step=3)), seed=WORD, game=WORD)
def test_move_by_move_with_a_tiny_deck(name, data, rules, seed, game):
    strategy = data.draw(tuned(name))
    assert_same_game(record(strategy, rules, seed, game), reference.play(strategy, rules, seed, game))


BY_THE_BOOK = {
    "greedy": {"extra_gap": -11},
    "backward": {"backward_bonus": 10, "extra_gap": 3},
    "reservation": load("reservation").params,
}


@pytest.mark.parametrize("name", BY_THE_BOOK)
@settings(max_examples=150)
@given(data=st.data(), rules=any_rules(), seed=WORD, game=WORD)
def test_a_strategy_plays_what_its_definition_says(name, data, rules, seed, game):
    request = request_by_the_book if name == "reservation" else None
    book = Strategy(choose_by_the_book, request=request, params=BY_THE_BOOK[name])
    changes = {key: data.draw(values) for key, values in TUNABLE.items() if key in book.params}
    assert_same_game(
        record(load(name).with_params(changes), rules, seed, game),
        reference.play(book.with_params(changes), rules, seed, game),
    )
