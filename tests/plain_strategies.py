"""The built-in strategies again, as ``strategies.md`` words them: slow loops over every card and pile.

And a few that exist to reach the corners of the kernel.
"""

from simulator import (
    STOP,
    cards_in,
    contains,
    fits,
    gap,
    hand_size,
    highest,
    holds,
    play,
    random_below,
    request_of,
    requested,
    top,
    unseen,
)


def costed_moves(view, params):
    """Every legal move with its cost, bonus and penalty included."""
    for pile in range(view.piles):
        for card in cards_in(view.hand):
            if not fits(view, card, pile):
                continue
            distance = gap(view, card, pile)
            follow_up = card - view.step if 2 * pile < view.piles else card + view.step
            cost = distance
            if distance > 0 and holds(view, follow_up):
                cost -= getattr(params, "backward_bonus", 0)
            if requested(view, pile) and not view.touched >> pile & 1:
                cost += params.strong_penalty if requested(view, pile) == 3 else params.weak_penalty
            yield cost, pile, -distance, card


def choose_by_the_book(view, params):
    """One cost, lowest laid first; ties go to the lowest pile, then to the largest gap."""
    cost, pile, _, card = min(costed_moves(view, params))
    if view.laid_this_turn >= view.minimum and cost > params.extra_gap:
        return STOP
    return play(card, pile)


def request_by_the_book(view, pile, params):
    """Strongly for a pile whose backward card is held, weakly for a card at gap <= near_gap."""
    gaps = [gap(view, card, pile) for card in cards_in(view.hand)]
    if -view.step in gaps:
        return 3
    return 1 if any(0 < distance <= params.near_gap for distance in gaps) else 0


def greedy_other_piles_first(view, params):
    """Plain greedy that prefers piles 2, 3, 0, 1 in this order: the mirror image of greedy."""
    best = 1000
    move = STOP
    if view.laid_this_turn >= view.minimum:
        return STOP
    for i in range(4):
        pile = (i + 2) % 4
        for card in cards_in(view.hand):
            if fits(view, card, pile) and gap(view, card, pile) < best:
                best = gap(view, card, pile)
                move = play(card, pile)
    return move


def wild_choose(view, params):
    """Lays any legal card by a roll that stirs in everything a view tells, and often goes on."""
    stir = view.random ^ view.draw_pile * 31 ^ view.minimum * 101 ^ view.touched * 7 ^ view.players * 13
    for player in range(view.players):
        stir ^= hand_size(view, player) * (17 + player)
        for pile in range(view.piles):
            stir ^= request_of(view, player, pile) * (1009 + 64 * player + 16 * pile)
    for pile in range(view.piles):
        stir ^= requested(view, pile) * 4099 * (pile + 1) ^ top(view, pile) * (pile + 5)
    hidden = unseen(view)
    stir ^= highest(hidden) * 257
    if contains(view.laid, 50):
        stir ^= 8191
    if view.laid_this_turn >= view.minimum and stir % 3 == 0:
        return STOP
    skip = stir % 97
    move = STOP
    while skip >= 0:
        for pile in range(view.piles):
            for card in cards_in(view.hand):
                if fits(view, card, pile):
                    move = play(card, pile)
                    skip -= 1
                    if skip < 0:
                        return move
    return move


def wild_request(view, pile, params):
    """Asks anything, by a roll that stirs in what an asker sees."""
    stir = view.random >> (3 + pile)
    stir ^= highest(view.hand) ^ view.draw_pile ^ hand_size(view, view.player) ^ view.minimum ^ view.laid_this_turn
    return (stir + random_below(view, 5)) % 4


def wild_plan(view, params, turn):
    """Plans a turn of the minimum, or one more, by the smallest gaps; keeps track of the tops by itself."""
    hand = view.hand
    tops = view.tops
    wanted = view.minimum + random_below(view, 2)
    laid = 0
    while laid < wanted:
        best, best_card, best_pile = 1000, -1, -1
        for pile in range(view.piles):
            shown = (tops >> (8 * pile)) & 255
            for card in cards_in(hand):
                distance = card - shown if 2 * pile < view.piles else shown - card
                if (distance > 0 or distance == -view.step) and distance < best:
                    best, best_card, best_pile = distance, card, pile
        if best_card < 0:
            break
        turn[laid] = play(best_card, best_pile)
        laid += 1
        tops = tops & ~(255 << (8 * best_pile)) | best_card << (8 * best_pile)
        hand = without(hand, best_card)
    return laid


def without(cards, card):
    """The set without the card; a helper of a strategy's own."""
    kept = 0
    for member in cards_in(cards):
        if member != card:
            kept |= one(member)
    return kept


def one(card):
    """A set of one card, made the way a newcomer would."""
    from_zero = 0
    for member in range(128):
        if member == card:
            from_zero |= SINGLES(member)
    return from_zero


from simulator import single as SINGLES  # noqa: E402, N812  (a helper imported after its use, as users do)
