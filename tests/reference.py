"""The Game once more, in slow and obvious Python: what the compiled kernel is checked against.

Written from the rules alone. It shares no code with the kernel, the dealer or the card sets; of the simulator it knows
only the types at its border: ``Rules``, ``Strategy`` and the ``View`` that a strategy is shown.
"""

import math
from collections import namedtuple
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np

from simulator.rules import STANDARD_DECK, Deck, Rules
from simulator.strategy import Strategy
from simulator.view import STOP, View

GOLDEN = 0x9E3779B97F4A7C15
WORD = 2**64
LONGEST_PLAN = 10
Levels = dict[tuple[int, int], int]  # what a player asks for a pile
WON, STUCK = "all cards laid", "cannot lay the minimum"


def mix(z: int) -> int:
    """Scramble a 64-bit number."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
    return z ^ (z >> 31)


def start_state(seed: int, game: int) -> int:
    """Where the random numbers of a game begin."""
    return mix((mix((seed + GOLDEN) % WORD) + (game + 1) * GOLDEN) % WORD)


def deal(seed: int, game: int, deck: Deck = STANDARD_DECK) -> list[int]:
    """The whole deck in the order in which it is dealt."""
    state = start_state(seed, game)
    undealt = list(range(deck.lowest, deck.highest + 1))
    dealt, halves = [], []
    while undealt:
        if not halves:
            state = (state + GOLDEN) % WORD
            halves = [mix(state) >> 32, mix(state) % 2**32]
        i = halves.pop(0) * len(undealt) >> 32
        dealt.append(undealt[i])
        undealt[i] = undealt[-1]
        undealt.pop()
    return dealt


def random_number(seed: int, game: int, cards_laid: int, player: int) -> int:
    """The player's random number at the moment when so many cards have been laid in the whole game."""
    dice = start_state(seed ^ 0xD1CE, game)
    return mix((dice + (cards_laid * 8 + player + 1) * GOLDEN) % WORD) >> 1


def bases(deck: Deck) -> list[int]:
    """The tops of the piles before any card is laid."""
    half = deck.piles // 2
    return [deck.lowest - 1] * half + [deck.highest + 1] * half


def legal_moves(deck: Deck, tops: list[int], hand: list[int]) -> dict[tuple[int, int], int]:
    """The gap of every (pile, card) that may be laid: onward by any gap, or backward by exactly the step."""
    gaps = {}
    for pile, top in enumerate(tops):
        for card in hand:
            gap = card - top if pile < deck.piles // 2 else top - card
            if gap > 0 or gap == -deck.step:
                gaps[pile, card] = gap
    return gaps


def opening(rules: Rules, hand: list[int]) -> float:
    """The sum of gaps when plain greedy opens with this hand; infinite if it cannot lay the minimum."""
    tops, hand, total = bases(rules.deck), list(hand), 0
    for _ in range(rules.minimum):
        gaps = legal_moves(rules.deck, tops, hand)
        if not gaps:
            return math.inf
        gap, (pile, card) = min((gap, move) for move, gap in gaps.items())
        total += gap
        tops[pile] = card
        hand.remove(card)
    return total


@dataclass(frozen=True)
class Decision:
    """One answer of a strategy and the table before it. A STOP has no card, pile or gap."""

    player: int
    move: int
    card: int | None
    pile: int | None
    gap: int | None
    heard: int
    minimum: int
    hand: list[int]
    tops: list[int]


@dataclass
class Game:
    """One game: the table as it is now (at the end: as it was left) and all that has happened."""

    rules: Rules
    seed: int
    number: int
    hands: list[list[int]]
    draw_pile: list[int]
    tops: list[int]
    laid: list[int] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    draws: list[list[int]] = field(default_factory=list)  # one list a turn, none for the turn that ends the game
    levels: Levels = field(default_factory=dict)  # what everybody asks for, as it was last said
    reason: str = ""

    @property
    def minimum(self) -> int:
        """How many cards a turn that begins now needs at least."""
        return self.rules.minimum if self.draw_pile else 1

    @property
    def leftover(self) -> int:
        """The score: all cards not laid."""
        return sum(len(hand) for hand in self.hands) + len(self.draw_pile)

    def view(self, player: int, minimum: int, on_piles: Sequence[int] = (), heard: Levels | None = None) -> View:
        """What the player may know, having laid on these piles this turn."""
        return View(
            hand=as_set(self.hands[player]),
            tops=packed(self.tops),
            laid=as_set(self.laid),
            deck=as_set(range(self.rules.deck.lowest, self.rules.deck.highest + 1)),
            draw_pile=len(self.draw_pile),
            hand_sizes=packed([len(hand) for hand in self.hands]),
            laid_this_turn=len(on_piles),
            touched=as_set(on_piles),
            minimum=minimum,
            player=player,
            players=self.rules.players,
            requests=packed_requests(heard or {}),
            random=random_number(self.seed, self.number, len(self.laid), player),
            piles=self.rules.deck.piles,
            step=self.rules.deck.step,
        )


def as_set(members: Iterable[int]) -> int:
    """A set of cards or piles as a View holds it: bit c is set for card c."""
    return sum(2**member for member in set(members))


def packed(numbers: Sequence[int]) -> int:
    """Small numbers as a View holds them: 8 bits each, the first one lowest."""
    return sum(number * 256**place for place, number in enumerate(numbers))


def whole(what: str, value: Any, low: int, high: int) -> int:
    """The answer of a strategy as an int; anything but a whole number within the bounds is refused."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= value <= high:
        raise ValueError(f"{what} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)


def named_params(strategy: Strategy) -> tuple:
    """The parameters as the strategy's functions read them: by name, numbers or arrays of floats."""
    values = [np.array(v, dtype=np.float64) if np.ndim(v) else v for v in strategy.params.values()]
    return namedtuple("Params", list(strategy.params))(*values) if values else ()


def speak(
    game: Game, strategy: Strategy, params: tuple, minimum: int, players: Iterable[int], piles: Iterable[int]
) -> None:
    """Let those of the players who hold cards say what they ask for these piles."""
    for player in players:
        if not game.hands[player] or game.rules.silent or strategy.request is None:
            continue
        view = game.view(player, minimum)
        for pile in piles:
            level = whole(f"The request of player {player}", strategy.request(view, pile, params), 0, 3)
            game.levels[player, pile] = level


def packed_requests(levels: Levels) -> int:
    """Requests as a View holds them: 12 bits a player, 3 bits a pile, as many of them set as the level."""
    return sum((2**level - 1) << (12 * player + 3 * pile) for (player, pile), level in levels.items())


def planned_moves(strategy: Strategy, view: View, params: tuple) -> list[int]:
    """The moves of a whole turn."""
    turn = np.zeros(LONGEST_PLAN, dtype=np.int64)
    count = whole("The number of planned moves", strategy.plan(view, params, turn), 0, LONGEST_PLAN)
    return [int(move) for move in turn[:count]]


def take_turn(game: Game, strategy: Strategy, params: tuple, mover: int) -> None:
    """One turn: lay cards while any can be laid and the mover wants to; then draw, or the game is over."""
    hand, plan = game.hands[mover], None
    minimum = game.minimum
    others = [player for player in range(game.rules.players) if player != mover]
    on_piles: list[int] = []
    while gaps := legal_moves(game.rules.deck, game.tops, hand):
        levels = {(player, pile): level for (player, pile), level in game.levels.items() if player != mover}
        view = game.view(mover, minimum, on_piles, levels)
        before = {"heard": packed_requests(levels), "minimum": minimum, "hand": sorted(hand), "tops": list(game.tops)}
        if strategy.plan is None:
            move = whole("A move", strategy.choose(view, params), STOP, 100 * 65536)
        else:
            plan = planned_moves(strategy, view, params) if plan is None else plan
            move = plan.pop(0) if plan else STOP
        if move == STOP:
            if len(on_piles) < minimum:
                raise ValueError(f"Player {mover} stops after {len(on_piles)} cards, short of the minimum: {before}")
            game.decisions.append(Decision(mover, STOP, None, None, None, **before))
            break
        card, pile = divmod(move, 65536)
        if (pile, card) not in gaps:
            why = "does not fit there" if card in hand and pile < len(game.tops) else "no such card or pile"
            raise ValueError(f"Player {mover} may not lay {card} on pile {pile}, {why}: {before}")
        game.decisions.append(Decision(mover, move, card, pile, gaps[pile, card], **before))
        hand.remove(card)
        game.tops[pile] = card
        game.laid.append(card)
        on_piles.append(pile)
        speak(game, strategy, params, minimum, others, [pile])  # requests follow the piles
    if game.leftover == 0:
        game.reason = WON
    elif len(on_piles) < minimum:
        game.reason = STUCK
    else:
        drawn, game.draw_pile = game.draw_pile[: len(on_piles)], game.draw_pile[len(on_piles) :]
        game.draws.append(drawn)
        game.hands[mover] = sorted(hand + drawn)
        for pile in range(game.rules.deck.piles):
            game.levels.pop((mover, pile), None)
        speak(
            game, strategy, params, game.minimum, [mover], range(game.rules.deck.piles)
        )  # other cards, other requests


def play(strategy: Strategy, rules: Rules, seed: int, game: int, cards: Sequence[int] | None = None) -> Game:
    """Play one game, from the deal of this seed and game number or from the given order of the deck."""
    cards = deal(seed, game, rules.deck) if cards is None else [int(card) for card in cards]
    if sorted(cards) != list(range(rules.deck.lowest, rules.deck.highest + 1)):
        raise ValueError(f"Not the whole deck with each card once: {cards}")
    seats, size, params = range(rules.players), rules.hand_size, named_params(strategy)
    hands = [sorted(cards[seat * size : (seat + 1) * size]) for seat in seats]
    table = Game(rules, seed, game, hands, cards[rules.players * size :], bases(rules.deck))
    mover = min(seats, key=lambda seat: opening(rules, hands[seat])) if rules.starter == "best" else 0
    speak(table, strategy, params, table.minimum, [seat for seat in seats if seat != mover], range(rules.deck.piles))
    while not table.reason:
        if table.hands[mover]:
            take_turn(table, strategy, params, mover)
        mover = (mover + 1) % rules.players
    return table
