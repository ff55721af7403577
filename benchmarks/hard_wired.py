"""Plain greedy and the kernel in one function written by hand: what a strategy that is plugged in is measured against.

Only greedy can be played here, so the strategy costs nothing but itself. Moves are checked as in the kernel.
"""

import numpy as np
from numba import njit
from numpy import uint64

from simulator import native
from simulator.deal import GOLDEN, LOW_32
from simulator.rules import MOST_PLAYERS, STANDARD_DECK, STANDARD_HAND

FITTING = native.fitting_cards(STANDARD_DECK)
HALF_HANDS = 2 * MOST_PLAYERS
join, single = native.join, native.single


def play(players: int, seed: int, first: int, games: int, counts: np.ndarray) -> None:
    """Play games by standard rules and add to the counts of cards left."""
    _play_games(uint64(seed), uint64(first), games, players, STANDARD_HAND[players], 2, -11, counts)


@njit(nogil=True)
def _play_games(seed, first, games, players, hand_size, minimum, extra_gap, counts):
    deck = native.scratch_bytes(98)
    hands = native.scratch_words(HALF_HANDS)
    base = _mix(seed + GOLDEN)
    for number in range(games):
        state = _mix(base + (first + uint64(number) + uint64(1)) * GOLDEN)
        word = uint64(0)
        for i in range(98):
            deck[i] = np.uint8(i + 2)
        pile_left = 98
        for player in range(players):
            hand = native.no_cards()
            for _ in range(hand_size):
                if pile_left % 2 == 0:
                    state += GOLDEN
                    word = _mix(state)
                    half = word >> uint64(32)
                else:
                    half = word & LOW_32
                index = (half * uint64(pile_left)) >> uint64(32)
                hand |= single(deck[index])
                pile_left -= 1
                deck[index] = deck[pile_left]
            hands[2 * player] = native.low_half(hand)
            hands[2 * player + 1] = native.high_half(hand)
        tops = 1 | 1 << 8 | 100 << 16 | 100 << 24
        left = 98
        player = 0
        over = False
        while not over:
            hand = join(hands[2 * player], hands[2 * player + 1])
            if hand:
                needed = minimum if pile_left > 0 else 1
                laid = 0
                while True:
                    if laid >= needed and extra_gap < -10:
                        break
                    best, best_card, best_pile = 1000, 0, 0
                    for pile in range(4):
                        shown = (tops >> (8 * pile)) & 255
                        row = shown if pile < 2 else shown + 128
                        fitting = hand & join(FITTING[row & 255, 0], FITTING[row & 255, 1])
                        card = native.lowest(fitting) if pile < 2 else native.highest(fitting)
                        gap = card - shown if pile < 2 else shown - card
                        if (gap < best) & bool(fitting):
                            best, best_card, best_pile = gap, card, pile
                    if best == 1000 or (laid >= needed and best > extra_gap):
                        over = laid < needed
                        break
                    shown = (tops >> (8 * best_pile)) & 255
                    row = shown if best_pile < 2 else shown + 128
                    fitting = hand & join(FITTING[row & 255, 0], FITTING[row & 255, 1])
                    if not fitting & single(best_card):  # every move is checked, as in the kernel
                        return
                    hand = hand & ~single(best_card)
                    tops = tops & ~(255 << (8 * best_pile)) | best_card << (8 * best_pile)
                    laid += 1
                    left -= 1
                if left == 0:
                    over = True
                if not over:
                    for _ in range(min(laid, pile_left)):
                        if pile_left % 2 == 0:
                            state += GOLDEN
                            word = _mix(state)
                            half = word >> uint64(32)
                        else:
                            half = word & LOW_32
                        index = (half * uint64(pile_left)) >> uint64(32)
                        hand |= single(deck[index])
                        pile_left -= 1
                        deck[index] = deck[pile_left]
                    hands[2 * player] = native.low_half(hand)
                    hands[2 * player + 1] = native.high_half(hand)
            player += 1
            if player == players:
                player = 0
        counts[left] += 1


@njit(forceinline=True)
def _mix(z):
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))
