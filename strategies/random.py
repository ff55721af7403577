"""Random: lay any legal card on any pile, each way equally likely, exactly the minimum.

Nobody plays like this. It is the floor that every idea must clear, and the example of a strategy
that rolls dice: the same game always gets the same rolls.

Source: none.
Wins no game in millions; about 84 cards are left whatever the number of players.
"""

from simulator import STOP, Strategy, cards_in, count, play, playable, random_below


def choose(view, params):
    """Pick one of all legal moves."""
    if view.laid_this_turn >= view.minimum:
        return STOP
    moves = 0
    for pile in range(view.piles):
        moves += count(playable(view, pile))
    skip = random_below(view, moves)
    for pile in range(view.piles):
        for card in cards_in(playable(view, pile)):
            if skip == 0:
                return play(card, pile)
            skip -= 1
    return STOP


strategy = Strategy(choose, summary="Lay any legal card.")
