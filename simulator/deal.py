"""The deal: which cards game number ``game`` of a seed deals, in order, on any machine, for ever.

Fixed, because game numbers in saved results and reports must mean the same deal to everybody.
All arithmetic is modulo 2**64, so every number here is a ``uint64``.
"""

import numpy as np
from numpy import uint64

GOLDEN = uint64(0x9E3779B97F4A7C15)
LOW_32 = uint64(0xFFFFFFFF)
# Any constant but 0 sets the players' dice apart from the deal. They must not tell the deck:
# mix() can be undone, so a number made from the deal's own state would give every hidden card away.
DICE = uint64(0xD1CE)


def mix(z):
    """Scatter the bits of a 64-bit number (the finaliser of splitmix64)."""
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


def deal_state(seed, game):
    """The state from which the deck of this game unrolls."""
    return mix(mix(seed + GOLDEN) + (game + uint64(1)) * GOLDEN)


def dice_state(seed, game):
    """The state of the players' dice in this game; the deal cannot be told from it."""
    return mix(mix((seed ^ DICE) + GOLDEN) + (game + uint64(1)) * GOLDEN)


def roll(dice, laid, player):
    """The random number, 0 to 2**63 - 1, of a player at the moment when ``laid`` cards are down."""
    moment = uint64(laid * 8 + player + 1)
    return np.int64(mix(dice + moment * GOLDEN) >> uint64(1))


def fresh_deck(deck, lowest, cards):
    """Fill the deck with its cards in order, to be drawn from."""
    for i in range(cards):
        deck[i] = np.uint8(lowest + i)


def draw(deck, stream, cards, left):
    """Take the next card from a draw pile of ``left`` of the deck's cards.

    ``stream`` holds the state and the word in use: each word serves two draws, its high half
    first. The last card of the deck fills the gap, so nothing need be shuffled beforehand and a
    game that ends early never pays for the cards it did not see.
    """
    if (cards - left) % 2 == 0:
        stream[0] += GOLDEN
        stream[1] = mix(stream[0])
        half = stream[1] >> uint64(32)
    else:
        half = stream[1] & LOW_32
    index = (half * uint64(left)) >> uint64(32)
    card = deck[index]
    deck[index] = deck[left - 1]
    return np.int64(card)


def deal_deck(seed: int, game: int, lowest: int = 2, cards: int = 98) -> list[int]:
    """The whole deck of a game in the order of the deal, in plain Python."""
    with np.errstate(over="ignore"):  # modulo 2**64 is meant
        stream = np.array([deal_state(uint64(seed), uint64(game)), 0], dtype=uint64)
        deck = np.empty(cards, dtype=np.uint8)
        fresh_deck(deck, lowest, cards)
        return [int(draw(deck, stream, cards, left)) for left in range(cards, 0, -1)]
