"""Greedy: lay the card that moves a pile the least.

The strategy that every newcomer plays: of all own cards and all piles, take the smallest gap. A
backward move counts as a gap of -10, so it is taken whenever there is one. Ties go to the lowest pile.

By default it lays exactly the minimum. With ``extra_gap`` it goes on while the smallest gap is at
most that: ``greedy:extra_gap=3`` wins three to four times as many games with two to five players.

Source: folklore; the baseline of every program about The Game.
Wins 1.3 / 1.9 / 0.6 / 1.1 / 1.3 % of games with 1 to 5 players.
"""

from simulator import STOP, Strategy, card_at, play, smallest_gap


def choose(view, params):
    """Lay the smallest gap; beyond the minimum only gaps of at most ``extra_gap``."""
    if view.laid_this_turn >= view.minimum and params.extra_gap < -view.step:
        return STOP  # no gap is that small: no need to look
    best_pile = 0
    best = smallest_gap(view, 0)
    for pile in range(1, view.piles):
        distance = smallest_gap(view, pile)
        if distance < best:
            best = distance
            best_pile = pile
    if view.laid_this_turn >= view.minimum and best > params.extra_gap:
        return STOP
    return play(card_at(view, best_pile, best), best_pile)


strategy = Strategy(choose, params={"extra_gap": -11}, summary="Lay the card with the smallest gap.")
