"""The machine-code twins mean what the plain functions mean."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import uint64

from simulator import cards, native, view
from simulator.compiler import Binder
from simulator.rules import STANDARD_DECK, Deck

SETS = st.sets(st.integers(0, 127)).map(lambda members: sum(1 << member for member in members))
CARDS = st.integers(-300, 300)


def halves(value):
    return cards.low_half(value), cards.high_half(value)


def compiled(function, **bound):
    return Binder(bound).bind(function)


def unary(low, high):
    value = cards.join(low, high)
    return cards.count(value), cards.lowest(value), cards.highest(value), bool(value), not value


def binary(low, high, other_low, other_high, shift):
    a, b = cards.join(low, high), cards.join(other_low, other_high)
    results = (a & b, a | b, a ^ b, a & ~b, a << shift, a >> shift, a & 1, a & -2)
    equal = (a == b, a != b, a == 0)
    return [cards.low_half(r) for r in results], [cards.high_half(r) for r in results], equal


def one_card(low, high, card, other):
    value = cards.join(low, high)
    ahead = cards.span(card, other)
    part = cards.single(card)
    total = 0
    for member in cards.cards_in(value):
        total = total * 3 + member
    grown = 0
    for member in cards.cards_in(value):
        grown |= cards.single(member)
    return (
        (cards.low_half(part), cards.high_half(part)),
        (cards.low_half(ahead), cards.high_half(ahead)),
        cards.contains(value, card),
        uint64(total & 0xFFFFFFFF),
        cards.high_half(grown),
    )


UNARY, BINARY, ONE_CARD = compiled(unary), compiled(binary), compiled(one_card)


@given(SETS)
def test_counting_and_ends(value):
    assert UNARY(*halves(value)) == unary(*halves(value))


@given(SETS, SETS, st.integers(0, 127))
def test_operators_stay_within_128_bits(value, other, shift):
    low, high, equal = binary(*halves(value), *halves(other), 0)
    fast_low, fast_high, fast_equal = BINARY(*halves(value), *halves(other), shift)
    plain = (value & other, value | other, value ^ other, value & ~other, value << shift, value >> shift, value & 1)
    plain = (*plain, value & -2)
    assert list(map(int, fast_low)) == [p & (2**64 - 1) for p in plain]
    assert list(map(int, fast_high)) == [(p >> 64) & (2**64 - 1) for p in plain]
    assert fast_equal == equal
    assert len(low) == len(high)


@given(SETS, CARDS, CARDS)
def test_single_span_contains_and_iteration(value, card, other):
    with np.errstate(over="ignore"):
        fast, slow = ONE_CARD(*halves(value), card, other), one_card(*halves(value), card, other)
    # The checksum of a long set overflows 64 bits in machine code; its low bits are the same.
    assert fast == slow


@pytest.mark.parametrize("deck", [STANDARD_DECK, Deck(2, 9, piles=2, step=3)], ids=["standard", "tiny"])
def test_table_of_fitting_cards_is_the_rule(deck):
    table = native.fitting_cards(deck)
    for shown in range(101):
        for card in range(128):
            real = deck.lowest <= card <= deck.highest
            row = [int(table[side * 128 + shown, card // 64]) >> (card % 64) & 1 for side in (0, 1)]
            assert row == [
                real and (card > shown or card == shown - deck.step),
                real and (card < shown or card == shown + deck.step),
            ]


@settings(max_examples=200)
@given(st.sets(st.integers(2, 99), max_size=10), st.lists(st.integers(1, 100), min_size=4, max_size=4))
def test_playable_by_table_equals_playable_by_rule(hand, tops):
    packed = sum(top << (8 * pile) for pile, top in enumerate(tops))
    members = sum(1 << card for card in hand)
    for pile in range(4):
        fast = PLAYABLE(*halves(members), packed, pile)
        shown = view.View(members, packed, *[0] * 11, 4, 10)
        plain = view.playable(shown, pile)
        assert (int(fast[0]), int(fast[1])) == (plain & (2**64 - 1), plain >> 64)


def playable(low, high, tops, pile):
    shown = view.View(cards.join(low, high), tops, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 10)
    found = view.playable(shown, pile)
    return cards.low_half(found), cards.high_half(found)


PLAYABLE = compiled(playable, FITTING=native.fitting_cards(STANDARD_DECK))


def test_a_pile_that_does_not_exist_reads_no_foreign_memory():
    everything = 2**100 - 4
    rows = {tuple(map(int, row)) for row in native.fitting_cards(STANDARD_DECK)}
    for pile in (-8, -1, 4, 7, 8, 1000):
        low, high = PLAYABLE(*halves(everything), 0x64640101, pile)
        assert (int(low), int(high)) in rows
