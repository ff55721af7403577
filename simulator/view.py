"""The table as one player sees it, and the words to think about it: what strategies are written in.

A view holds what a player may know and nothing else: there is no field from which a hidden card
could be reached. Every function here is plain Python; the simulator compiles it together with the
strategy (and swaps a few for machine code, see ``simulator.native``).

Several small numbers are packed into one, because a compiled game keeps them in a
register; ``top``, ``hand_size``, ``request_of`` and ``requested`` unpack them.
"""

from typing import NamedTuple

from simulator.cards import cards_in, contains, count, highest, lowest, single, span

STOP = -1
# Requests: 3 bits a pile, level 1, 2, 3 as 1, 11, 111, so that the loudest of several is a mere "or"; 12 bits a player.
PILE_BITS = 3
VOICE_BITS = 12
ONE_VOICE = 0xFFF  # all that one player says
EVERY_VOICE = 0x7007007007007  # what everybody says of pile 0
NO_GAP = 10**9  # so large that no bonus or penalty turns it into a choice


class View(NamedTuple):
    """What the player to move, or to speak, knows."""

    hand: int
    """The own cards, as a set."""
    tops: int
    """The top cards of the piles, packed: see ``top``."""
    laid: int
    """All cards laid so far, as a set."""
    deck: int
    """All cards of the game, as a set."""
    draw_pile: int
    """How many cards are left to draw."""
    hand_sizes: int
    """How many cards everybody holds, packed: see ``hand_size``."""
    laid_this_turn: int
    """How many cards the player has laid this turn."""
    touched: int
    """On which piles it laid them: bit ``pile`` is set."""
    minimum: int
    """How many cards this turn needs at least."""
    player: int
    """The own seat, 0 to players - 1."""
    players: int
    """How many play."""
    requests: int
    """What each of the others asks for, packed: see ``request_of``."""
    random: int
    """A random number from 0 to 2**63 - 1, the same whenever this game is played again."""
    piles: int
    """How many piles there are: 4, the first half ascending."""
    step: int
    """The size of a backward move: 10."""


def play(card, pile):
    """The move that lays this card on this pile."""
    return card * 65536 + pile  # room enough that a wrong pile cannot pass for another card


def unpack_move(move):
    """The card and pile of a move."""
    return move >> 16, move & 65535


def top(view, pile):
    """The card on top of the pile; 1 or 100 at first."""
    return (view.tops >> (8 * pile)) & 255


def ascending(view, pile):
    """Whether the pile goes up."""
    return 2 * pile < view.piles


def gap(view, card, pile):
    """How far the card would move the pile on; a backward move is -10. Below 1 and not -10 it is not legal."""
    if ascending(view, pile):
        return card - top(view, pile)
    return top(view, pile) - card


def holds(view, card):
    """Whether the card is in the own hand."""
    return contains(view.hand, card)


def playable(view, pile):
    """The cards of the own hand that may be laid on the pile, as a set."""
    found = 0
    for card in cards_in(view.hand):
        distance = gap(view, card, pile)
        if distance > 0 or distance == -view.step:
            found |= single(card)
    return found


def fits(view, card, pile):
    """Whether the own card may be laid on the pile."""
    return contains(playable(view, pile), card)


def can_lay(view):
    """Whether any own card may be laid anywhere."""
    anything = playable(view, 0)
    for pile in range(1, view.piles):
        anything |= playable(view, pile)
    return bool(anything)


def nearest(view, cards, pile):
    """Of these playable cards the one with the smallest gap on the pile; of no cards a number that is no card."""
    # Up the nearest card is the lowest, and one ten below the top lies lower still; down it is the highest.
    return lowest(cards) if ascending(view, pile) else highest(cards)


def smallest_gap(view, pile):
    """The smallest gap that an own card leaves on the pile (-10 if it can go backward); NO_GAP if none fits."""
    cards = playable(view, pile)
    # Worked out first, then thrown away for an empty set: compiled, that spares a branch nobody can predict.
    distance = gap(view, nearest(view, cards, pile), pile)
    return distance if cards else NO_GAP


def backward_card(view, pile):
    """The card that would move the pile back."""
    if ascending(view, pile):
        return top(view, pile) - view.step
    return top(view, pile) + view.step


def cards_ahead(view, pile, limit):
    """The numbers that would move the pile on by 1 to ``limit``, as a set, whoever holds them."""
    if ascending(view, pile):
        return span(top(view, pile) + 1, top(view, pile) + limit)
    return span(top(view, pile) - limit, top(view, pile) - 1)


def hand_size(view, player):
    """How many cards the player holds."""
    return (view.hand_sizes >> (8 * player)) & 255


def unseen(view):
    """The cards that are neither laid nor in the own hand, as a set."""
    return view.deck & ~view.laid & ~view.hand


def request_of(view, player, pile):
    """What the player asks for the pile: 0 nothing, 1 no big jump, 2 rather not, 3 please not."""
    return count((view.requests >> (VOICE_BITS * player + PILE_BITS * pile)) & 7)


def requested(view, pile):
    """The strongest request of anybody for the pile, 0 to 3."""
    voices = view.requests
    loudest = voices | voices >> 12 | voices >> 24 | voices >> 36 | voices >> 48
    return count((loudest >> (PILE_BITS * pile)) & 7)


def random_below(view, limit):
    """A random whole number from 0 to limit - 1, the same for the same moment of the same game."""
    return ((view.random >> 31) * limit) >> 32
