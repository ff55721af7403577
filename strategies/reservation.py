"""Reservation: the backward seeker that listens to the others.

Every player asks for the piles it can use best: strongly if it holds the pile's backward card,
weakly if it holds a card at a gap of at most ``near_gap``. The mover adds ``strong_penalty`` or
``weak_penalty`` to the cost of every card on a requested pile, backward moves included, until it
has laid on that pile this turn: then the wish is spoilt anyway.

``backward_bonus=0`` gives the plain version without set-ups. A near-veto hurts with three or more
players; ``reservation:weak_penalty=3,near_gap=1`` wins 24.9 % with five. The penalties are worth a sweep.

Source: "please leave that pile", as players say it at the table.
Wins 14.0 / 10.1 / 17.6 / 21.8 % of games with 2 to 5 players (± 0.1); alone it is the backward seeker.
"""

from simulator import NO_GAP, STOP, Strategy, play, requested, smallest_gap
from strategies.backward import cheapest_on

STRONG = 3
WEAK = 1


def request(view, pile, params):
    """Ask strongly for a pile that the own hand can move back, weakly for one that it hardly moves on."""
    distance = smallest_gap(view, pile)
    return STRONG if distance < 0 else WEAK if distance <= params.near_gap else 0


def penalty(view, pile, params):
    """What a card on this pile costs beyond its gap, because somebody asked for the pile."""
    level = requested(view, pile)
    cost = params.strong_penalty if level == STRONG else params.weak_penalty
    return cost if (level > 0) & (((view.touched >> pile) & 1) == 0) else 0


def choose(view, params):
    """Lay the lowest cost, penalties included; beyond the minimum only costs of at most ``extra_gap``."""
    best, move = NO_GAP, STOP
    for pile in range(view.piles):
        cost, card = cheapest_on(view, pile, params.backward_bonus)
        cost += penalty(view, pile, params)
        if cost < best:
            best, move = cost, play(card, pile)
    return STOP if view.laid_this_turn >= view.minimum and best > params.extra_gap else move


strategy = Strategy(
    choose,
    request=request,
    params={"backward_bonus": 10, "strong_penalty": 20, "weak_penalty": 8, "near_gap": 3, "extra_gap": 3},
    summary="The backward seeker that spares piles the others ask for.",
)
