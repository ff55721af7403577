"""Sets of cards, written as whole numbers: bit ``c`` is 1 if card ``c`` is in the set.

Sets make tactics cheap: ``hand & (hand << 10)`` is every card whose card ten below is held too.
In compiled code a set is 128 bits wide (``simulator.native``); in plain Python it is an ``int``,
and the functions here say what each operation means.
"""

from collections.abc import Iterator

from numpy import uint64

WIDTH = 128
HALF = 64
FULL_HALF = 2**HALF - 1


def no_cards() -> int:
    """The empty set."""
    return 0


def single(card: int) -> int:
    """The set of one card; no card is outside 0 to 127."""
    return 1 << card if 0 <= card < WIDTH else 0


def span(first: int, last: int) -> int:
    """The set of all numbers from first to last, cards or not; empty if last is below first."""
    return sum(single(card) for card in range(first, last + 1))


def contains(cards: int, card: int) -> bool:
    """Whether the card is in the set."""
    return bool(cards & single(card))


def count(cards: int) -> int:
    """How many cards the set holds."""
    return cards.bit_count()


def lowest(cards: int) -> int:
    """The lowest card of the set; 128 if it is empty."""
    return (cards & -cards).bit_length() - 1 if cards else WIDTH


def highest(cards: int) -> int:
    """The highest card of the set; -1 if it is empty."""
    return cards.bit_length() - 1


def cards_in(cards: int) -> Iterator[int]:
    """The cards of the set, one after another, lowest first."""
    while cards:
        card = lowest(cards)
        yield card
        cards = cards & ~single(card)


def low_half(cards: int) -> uint64:
    """Cards 0 to 63 of the set, as an array of 64-bit words stores them."""
    return uint64(cards & FULL_HALF)


def high_half(cards: int) -> uint64:
    """Cards 64 to 127 of the set, as an array of 64-bit words stores them."""
    return uint64(cards >> HALF)


def join(low: uint64, high: uint64) -> int:
    """The set that was stored as two halves."""
    return int(low) | int(high) << HALF
