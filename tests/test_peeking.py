"""Nobody sees a hidden card: where a player's own view is the same, the decision is the same."""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Rules, Strategy, View, load
from simulator.deal import deal_deck
from simulator.loader import builtin_names
from simulator.replay import record
from tests.plain_strategies import wild_choose, wild_request

STRATEGIES = {name: load(name) for name in builtin_names()}
STRATEGIES["wild"] = Strategy(wild_choose, request=wild_request, params={"weights": [1.0, 2.0]}, name="wild")


def seen(decision):
    """All that differs between two views of the same moment."""
    return decision.player, decision.hand, decision.tops, decision.minimum, decision.heard


@pytest.mark.parametrize("name", STRATEGIES)
@settings(max_examples=60)
@given(data=st.data(), players=st.integers(1, 5), seed=st.integers(0, 2**32), silent=st.booleans())
def test_swapping_hidden_cards_changes_no_decision(name, data, players, seed, silent):
    rules = Rules(players, silent=silent)
    deck = deal_deck(seed, 0)
    game = record(STRATEGIES[name], rules, seed, 0, deck)

    # Swap cards that are hidden from player 0 at its first decision: other hands and the draw pile.
    own = rules.hand_size
    other = list(deck)
    for _ in range(data.draw(st.integers(1, 20))):
        a, b = data.draw(st.integers(own, 97)), data.draw(st.integers(own, 97))
        other[a], other[b] = other[b], other[a]
    swapped = record(STRATEGIES[name], rules, seed, 0, other)

    compared = 0
    for before, after in zip(game.decisions, swapped.decisions, strict=False):
        if seen(before) != seen(after):
            break
        assert before.move == after.move
        compared += 1
        if before.move != after.move:
            break
    if silent or load_request(name) is None:
        assert compared >= 1  # the first decision at least: nothing that player 0 may know has changed


def load_request(name):
    return STRATEGIES[name].request


def test_the_comparison_would_notice_a_player_who_peeks():
    deck = deal_deck(1, 0)
    other = [*deck[:6], *reversed(deck[6:])]
    first, second = (record(STRATEGIES["greedy"], Rules(3), 1, 0, cards) for cards in (deck, other))
    assert seen(first.decisions[0]) == seen(second.decisions[0])
    assert [d.move for d in first.decisions] != [d.move for d in second.decisions]


def test_a_view_has_no_field_from_which_a_hidden_card_could_be_reached():
    public = {"tops", "laid", "deck", "draw_pile", "hand_sizes", "requests", "minimum", "piles", "step"}
    own = {"hand", "laid_this_turn", "touched", "player", "players", "random"}
    assert set(View._fields) == public | own
    assert all(kind is int for kind in inspect.get_annotations(View).values())


def test_the_dice_do_not_tell_the_deal():
    # The deal's state can be computed back from any word of the deal; the dice must not be such a word.
    from simulator.deal import GOLDEN, deal_state, dice_state, mix

    with np.errstate(over="ignore"):
        for game in range(50):
            deal, dice = deal_state(np.uint64(1), np.uint64(game)), dice_state(np.uint64(1), np.uint64(game))
            words = {int(mix(deal + np.uint64(i) * GOLDEN)) for i in range(60)} | {int(deal)}
            assert int(dice) not in words
