"""The game itself, as the rule sheet tells it: deal, turn, minimum, draw, next player, end.

Plain functions that ``simulator.compiler`` turns into machine code, once per strategy. The strategy
enters as the functions ``next_move`` and ``request``, bound by name before compiling, so that it is
inlined and costs nothing for being pluggable. Nothing here may allocate within a game, raise, or
trust a strategy: every move is checked, and a broken one is reported by a status.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy import uint64

from simulator.cards import contains, high_half, join, low_half, no_cards, single
from simulator.deal import deal_state, dice_state, draw, fresh_deck, roll
from simulator.rules import MOST_HAND, MOST_PLAYERS
from simulator.scratch import scratch_bytes, scratch_words
from simulator.view import (
    EVERY_VOICE,
    NO_GAP,
    ONE_VOICE,
    PILE_BITS,
    STOP,
    VOICE_BITS,
    View,
    ascending,
    can_lay,
    nearest,
    playable,
    smallest_gap,
    unpack_move,
)

# Bound by the compiler for each strategy and deck.
next_move: Callable[..., Any]
request: Callable[..., Any]
plan: Callable[..., Any]
choose: Callable[..., Any]
unpack: Callable[..., Any]
speak: Callable[..., Any]
LOWEST: int
CARDS: int
PILES: int
STEP: int
BASES: int
DECK_LOW: uint64
DECK_HIGH: uint64

HALF_HANDS = 2 * MOST_PLAYERS  # every hand is stored as two 64-bit words

# How a game went.
FINISHED = 0
STOPPED_SHORT = 1
BAD_MOVE = 2
BAD_REQUEST = 3

BAD_PLAN = -2  # the move of a plan whose length cannot be

# What is recorded of each decision.
PLAYER, MOVE, HEARD, MINIMUM, ON_TURN = range(5)
MOST_DECISIONS = 256

# Where the beat of a running batch tells what it does.
GAME, DECISIONS = range(2)


class Table(NamedTuple):
    """The rules as the kernel reads them."""

    players: int
    hand_size: int
    minimum: int
    talking: bool
    best_starts: bool


def play_games(table, seed, first_game, games, values, counts, leftovers, record, decks, beat):
    """Play a range of games, count their leftovers, and return the status of the last one.

    ``leftovers`` takes each game's leftover if it has room. ``record`` (or None) takes the decisions
    of the last game, ``decks`` (or None) gives whole decks instead of the deal. ``beat`` always holds
    the number of the game being played, so that a broken or endless one can be named.
    """
    params = unpack(values)
    deck = scratch_bytes(CARDS)
    stream = scratch_words(2)
    hands = scratch_words(HALF_HANDS)
    turn = np.empty(MOST_HAND + 1, np.int64)
    for i in range(games):
        game = first_game + uint64(i)
        beat[GAME] = game
        stream[0] = deal_state(seed, game)
        fresh_deck(deck, LOWEST, CARDS)
        dice = dice_state(seed, game)
        order = None if decks is None else decks[i]
        left, status = play_game(table, params, deck, stream, dice, hands, turn, order, record, beat)
        if status != FINISHED:
            return status
        counts[left] += 1
        if leftovers.size > 0:
            leftovers[i] = left
    return FINISHED


def play_game(table, params, deck, stream, dice, hands, turn, order, record, beat):
    """Play one game; return the cards not laid and the status.

    One function on purpose: with the turn as a function of its own, strategies ran up to 11 % slower.
    """
    # The deal.
    players = table.players
    draw_pile = CARDS
    sizes = 0
    for player in range(players):
        hand = no_cards()
        for _ in range(table.hand_size):
            hand |= single(next_card(deck, stream, draw_pile, order))
            draw_pile -= 1
        hold(hands, player, hand)
        sizes += table.hand_size << (8 * player)

    # The start.
    tops = BASES
    laid = no_cards()
    left = CARDS
    status = FINISHED
    player = 0
    if table.best_starts:
        player = best_starter(hands, tops, players, table.minimum)
    voices, strange = 0, 0  # what all others ask of the player on turn
    if table.talking:
        view = see(no_cards(), tops, laid, draw_pile, sizes, 0, 0, minimum_of(table, draw_pile), player, players)
        voices, strange = hear(hands, view, dice, 0, params, 0, PILES, voices)
        if strange != 0:
            return left, BAD_REQUEST

    while True:
        # A turn, of the next player who holds cards.
        hand = held(hands, player)
        if hand:
            minimum = minimum_of(table, draw_pile)
            on_turn = 0
            touched = 0
            voices &= ~(ONE_VOICE << (VOICE_BITS * player))
            while True:
                view = see(hand, tops, laid, draw_pile, sizes, on_turn, touched, minimum, player, players)
                if not can_lay(view):
                    break
                view = with_news(view, voices, roll(dice, CARDS - left, player))
                move = np.int64(next_move(view, params, turn))
                if record is not None:  # known when compiling: a batch pays nothing for it
                    note(record, beat, view, move)
                if move == STOP:
                    if on_turn < minimum:
                        status = STOPPED_SHORT
                    break
                card, pile = unpack_move(move)
                if pile >= PILES or not contains(playable(view, pile), card):
                    status = BAD_MOVE
                    break
                hand &= ~single(card)
                laid |= single(card)
                tops = tops & ~(255 << (8 * pile)) | card << (8 * pile)
                sizes -= 1 << (8 * player)
                touched |= 1 << pile
                on_turn += 1
                left -= 1
                if table.talking:  # requests follow the piles
                    view = see(hand, tops, laid, draw_pile, sizes, 0, 0, minimum, player, players)
                    if ascending(view, pile):  # the same both ways: compiled apart, neither asks which way it goes
                        voices, strange = hear(hands, view, dice, CARDS - left, params, pile, pile + 1, voices)
                    else:
                        voices, strange = hear(hands, view, dice, CARDS - left, params, pile, pile + 1, voices)
                    if strange != 0:
                        status = BAD_REQUEST
                        break

            # The end: stuck below the minimum, or all cards laid.
            if status != FINISHED or on_turn < minimum or left == 0:
                return left, status

            # The draw.
            drawn = min(on_turn, draw_pile)
            for _ in range(drawn):
                hand |= single(next_card(deck, stream, draw_pile, order))
                draw_pile -= 1
            sizes += drawn << (8 * player)
            hold(hands, player, hand)
            if table.talking and hand:  # with other cards, other requests
                view = see(hand, tops, laid, draw_pile, sizes, 0, 0, minimum_of(table, draw_pile), player, players)
                said, strange = speak(with_news(view, 0, roll(dice, CARDS - left, player)), params, 0, PILES)
                voices |= said << (VOICE_BITS * player)
                if strange != 0:
                    return left, BAD_REQUEST
        player += 1
        if player == players:
            player = 0


def minimum_of(table, draw_pile):
    """How many cards a turn that begins now needs at least."""
    return table.minimum if draw_pile > 0 else 1


def see(hand, tops, laid, draw_pile, sizes, on_turn, touched, minimum, player, players):
    """What a player sees, before anything is heard or rolled."""
    deck = join(DECK_LOW, DECK_HIGH)
    table = (tops, laid, deck, draw_pile, sizes)
    turn = (on_turn, touched, minimum, player, players)
    return View(hand, *table, *turn, 0, 0, PILES, STEP)


def with_news(view, voices, chance):
    """The view with what is heard and rolled."""
    table = (view.tops, view.laid, view.deck, view.draw_pile, view.hand_sizes)
    turn = (view.laid_this_turn, view.touched, view.minimum, view.player, view.players)
    return View(view.hand, *table, *turn, voices, chance, PILES, STEP)


def note(record, beat, view, move):
    """Record a decision."""
    row = beat[DECISIONS]
    record[row, PLAYER] = view.player
    record[row, MOVE] = move
    record[row, HEARD] = view.requests
    record[row, MINIMUM] = view.minimum
    record[row, ON_TURN] = view.laid_this_turn
    beat[DECISIONS] = row + uint64(1)


def next_card(deck, stream, draw_pile, order):
    """The next card of the draw pile: of the deal, or of the order given."""
    if order is not None:
        return np.int64(order[CARDS - draw_pile])
    return draw(deck, stream, CARDS, draw_pile)


def held(hands, player):
    """The hand of a player."""
    return join(hands[2 * player], hands[2 * player + 1])


def hold(hands, player, hand):
    """Put the cards into the player's hand."""
    hands[2 * player] = low_half(hand)
    hands[2 * player + 1] = high_half(hand)


def best_starter(hands, tops, players, minimum):
    """The player whose greedy opening has the smallest sum of gaps; ties go to the lowest seat."""
    best = 0
    cheapest = minimum * NO_GAP
    for player in range(players):
        hand = held(hands, player)
        table = tops
        total = 0
        for _ in range(minimum):
            view = see(hand, table, no_cards(), 0, 0, 0, 0, minimum, player, players)
            card, pile, distance = greedy_move(view)
            if distance == NO_GAP:
                total = minimum * NO_GAP
                break
            total += distance
            hand &= ~single(card)
            table = table & ~(255 << (8 * pile)) | card << (8 * pile)
        if total < cheapest:
            best = player
            cheapest = total
    return best


def greedy_move(view):
    """The card, pile and gap of the smallest gap; ties go to the lowest pile."""
    best_pile = 0
    best = smallest_gap(view, 0)
    for pile in range(1, PILES):
        distance = smallest_gap(view, pile)
        if distance < best:
            best = distance
            best_pile = pile
    return nearest(view, playable(view, best_pile), best_pile), best_pile, best


def hear(hands, view, dice, down, params, first_pile, end_pile, voices):
    """The voices after all others who hold cards have spoken about these piles; then not 0 if one said strange things.

    Round the table from the next player on: with the seats in order, the processor would have to guess in every
    game and turn at which seat the player on turn is passed over, which cost a fifth with five players.
    """
    strange = 0
    for pile in range(first_pile, end_pile):
        voices &= ~(EVERY_VOICE << (PILE_BITS * pile))
    for distance in range(1, MOST_PLAYERS):
        player = view.player + distance
        player = player - view.players if player >= view.players else player
        hand = held(hands, player)
        if distance < view.players and hand:
            table = (view.tops, view.laid, view.draw_pile, view.hand_sizes)
            asker = see(hand, *table, 0, 0, view.minimum, player, view.players)
            asker = with_news(asker, 0, roll(dice, down, player))
            said, odd = speak(asker, params, first_pile, end_pile)
            voices |= said << (VOICE_BITS * player)
            strange |= odd
    return voices, strange


def speak_up(asker, params, first_pile, end_pile):
    """What a player asks for these piles; the second number is not 0 if a level is not 0 to 3."""
    said, strange = 0, 0
    for pile in range(first_pile, end_pile):
        level = np.int64(request(asker, pile, params))
        strange |= level & ~3
        said |= ((1 << (level & 3)) - 1) << (PILE_BITS * pile)
    return said, strange


def say_nothing(asker, params, first_pile, end_pile):
    """What is said when the strategy makes no requests."""
    return 0, 0


def next_chosen(view, params, turn):
    """The next move of a strategy that chooses card by card."""
    return choose(view, params)


def next_planned(view, params, turn):
    """The next move of a strategy that plans its turn at once; ``turn`` keeps the plan and its length."""
    if view.laid_this_turn == 0:
        turn[:] = 0  # a move that the plan counts but did not write must not be an old one
        length = np.int64(plan(view, params, turn[:MOST_HAND]))
        if length < 0 or length > MOST_HAND:
            return BAD_PLAN
        turn[MOST_HAND] = length
    if view.laid_this_turn == turn[MOST_HAND]:
        return STOP
    return turn[view.laid_this_turn]
