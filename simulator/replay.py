"""One game played again and told move by move, for people who want to look and for errors that must show."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simulator import kernel
from simulator.deal import deal_deck
from simulator.errors import StrategyError
from simulator.result import LEFTOVERS
from simulator.rules import Rules, replay_command
from simulator.strategy import Strategy
from simulator.view import PILE_BITS, STOP, VOICE_BITS, unpack_move

STUCK_REPLAY_SECONDS = 2.0  # how long to look at a game that does not end, to tell how far it came


@dataclass(frozen=True)
class Decision:
    """What a player did, and the table before it. A STOP has no card, pile or gap."""

    player: int
    minimum: int
    heard: int
    hand: tuple[int, ...]
    tops: tuple[int, ...]
    move: int
    card: int | None = None
    pile: int | None = None
    gap: int | None = None

    def request(self, player: int, pile: int) -> int:
        """What the player had asked for the pile."""
        return ((self.heard >> (VOICE_BITS * player + PILE_BITS * pile)) & 7).bit_count()


@dataclass
class Turn:
    """One player's turn: how many cards the draw pile held before, the cards it laid and those it drew."""

    player: int
    draw_pile: int
    decisions: list[Decision] = field(default_factory=list)
    drawn: tuple[int, ...] = ()

    @property
    def laid(self) -> list[Decision]:
        """The decisions that laid a card."""
        return [decision for decision in self.decisions if decision.card is not None]

    @property
    def stopped(self) -> bool:
        """Whether the player ended the turn by its own choice."""
        return self.decisions[-1].move == STOP

    def tops_after(self) -> tuple[int, ...]:
        """The tops when the turn was over."""
        tops = list(self.decisions[0].tops)
        for decision in self.laid:
            card, pile = unpack_move(decision.move)
            tops[pile] = card
        return tuple(tops)

    def hand_after(self) -> tuple[int, ...]:
        """The cards kept, before the draw."""
        laid = {decision.card for decision in self.laid}
        return tuple(card for card in self.decisions[0].hand if card not in laid)


@dataclass
class Recorded:
    """A whole game, or a broken one up to the decision that broke it."""

    strategy: Strategy
    rules: Rules
    seed: int
    game: int
    turns: list[Turn]
    hands: list[list[int]]
    tops: list[int]
    draw_pile: list[int]
    status: int
    error: Exception | None = None
    stuck_after: float = 0.0
    deck: tuple[int, ...] = ()  # in the order of the deal

    @property
    def broken(self) -> bool:
        """Whether the strategy broke the game."""
        return self.status != kernel.FINISHED or self.error is not None or self.stuck_after > 0

    @property
    def leftover(self) -> int:
        """Cards not laid."""
        return sum(len(hand) for hand in self.hands) + len(self.draw_pile)

    @property
    def decisions(self) -> list[Decision]:
        """All decisions in order."""
        return [decision for turn in self.turns for decision in turn.decisions]

    @property
    def reason(self) -> str:
        """Why the game ended."""
        if self.broken:
            return self.complaint()
        if self.leftover == 0:
            return "All cards are laid."
        last = self.turns[-1]
        if turn_is_over(last, self.rules):
            return f"Player {self.next_mover()} has no card that fits."
        minimum = last.decisions[0].minimum
        return f"Player {last.player} has laid {len(last.laid)} of {minimum} cards and has no other that fits."

    def next_mover(self) -> int | None:
        """The player who was on turn at the end, if that is known; after a victory the one who laid the last card."""
        if not self.turns:
            return 0 if self.rules.starter == "first" else None
        last = self.turns[-1].player
        if not turn_is_over(self.turns[-1], self.rules):
            return last
        seats = [(last + i) % self.rules.players for i in range(1, self.rules.players + 1)]
        return next((seat for seat in seats if self.hands[seat]), last)

    def complaint(self) -> str:
        """What the strategy did wrong in its last decision."""
        if self.stuck_after:
            return f"does not come back within {self.stuck_after:g} seconds"
        if self.error is not None:
            return f"raises {type(self.error).__name__}: {self.error}".rstrip(": ")
        if self.status == kernel.BAD_REQUEST:
            return "makes a request that is not 0, 1, 2 or 3"
        last = self.decisions[-1]
        card, pile = unpack_move(last.move)
        if self.status == kernel.STOPPED_SHORT:
            laid = len(self.turns[-1].laid)
            return f"stops after {laid} of {last.minimum} cards although another fits"
        if last.move == kernel.BAD_PLAN and self.strategy.plan is not None:
            return f"plans a turn of fewer than 0 or more than {kernel.MOST_HAND} cards"
        if not 0 <= pile < self.rules.deck.piles:
            return f"lays a card on a pile other than 0 to {self.rules.deck.piles - 1}"
        if card not in last.hand:
            return f"lays {card}, which it does not hold"
        return f"lays {card} on pile {pile}, whose top is {last.tops[pile]}: it does not fit"


def turn_is_over(turn: Turn, rules: Rules) -> bool:
    """Whether the player has laid enough and either stopped or has no card that fits."""
    first, last = turn.decisions[0], turn.decisions[-1]
    if len(turn.laid) < first.minimum:
        return False
    if last.card is None:
        return turn.stopped
    tops, step = turn.tops_after(), rules.deck.step
    gaps = [pile_gap(tops, card, pile) for card in turn.hand_after() for pile in range(len(tops))]
    return not any(gap > 0 or gap == -step for gap in gaps)


def pile_gap(tops: Sequence[int], card: int, pile: int) -> int:
    """How far the card moves the pile on; the first half of the piles goes up."""
    return card - tops[pile] if 2 * pile < len(tops) else tops[pile] - card


def kernel_table(rules: Rules) -> kernel.Table:
    """The rules as the kernel reads them."""
    talking = rules.players > 1 and not rules.silent  # alone, nobody listens
    return kernel.Table(rules.players, rules.hand_size, rules.minimum, talking, rules.starter == "best")


def record(
    strategy: Strategy,
    rules: Rules,
    seed: int,
    game: int,
    order: Sequence[int] | None = None,
    announce: Callable[[str], None] = lambda name: None,
    patience: float | None = None,
) -> Recorded:
    """Play one game and keep every decision; ``order`` is a deck to play instead of the deal.

    With ``patience``, a strategy that does not come back within so many seconds is left alone.
    """
    from simulator.compiler import compile_kernel  # numba is imported by whoever plays

    play_games = compile_kernel(strategy, rules.deck, "recorded" if order is None else "given-recorded", announce)
    rows = np.zeros((kernel.MOST_DECISIONS, kernel.ON_TURN + 1), dtype=np.int64)
    beat = np.zeros(2, dtype=np.uint64)
    outcome: dict[str, Any] = {"status": kernel.FINISHED, "error": None}

    def run() -> None:
        decks = None if order is None else np.array([order], dtype=np.uint8)
        try:
            outcome["status"] = play_games(
                kernel_table(rules), np.uint64(seed), np.uint64(game), 1, strategy.values(),
                np.zeros(LEFTOVERS, dtype=np.int64), np.empty(0, dtype=np.uint8), rows, decks, beat,
            )  # fmt: skip
        except Exception as error:  # the strategy's own
            outcome["error"] = error

    stuck_after = 0.0
    if patience is None:
        run()
    else:
        watched = threading.Thread(target=run, daemon=True)
        watched.start()
        watched.join(patience)
        stuck_after = patience if watched.is_alive() else 0.0
    kept = rows[: int(beat[kernel.DECISIONS])]
    deck = deal_deck(seed, game, rules.deck.lowest, rules.deck.cards) if order is None else list(map(int, order))
    return retell(strategy, rules, seed, game, deck, kept, outcome["status"], outcome["error"], stuck_after)


def retell(
    strategy: Strategy,
    rules: Rules,
    seed: int,
    game: int,
    deck: Sequence[int],
    rows: np.ndarray,
    status: int,
    error: Exception | None,
    stuck_after: float,
) -> Recorded:
    """Lay out the table again along the recorded decisions."""
    dealt = rules.players * rules.hand_size
    hands = [sorted(deck[seat * rules.hand_size : (seat + 1) * rules.hand_size]) for seat in range(rules.players)]
    draw_pile = list(deck[dealt:])
    up = rules.deck.piles // 2
    tops = [rules.deck.lowest - 1] * up + [rules.deck.highest + 1] * up
    turns: list[Turn] = []

    def draw() -> None:
        turn = turns[-1]
        turn.drawn = tuple(draw_pile[: len(turn.laid)])
        del draw_pile[: len(turn.laid)]
        hands[turn.player] = sorted([*hands[turn.player], *turn.drawn])

    for number, (player, move, heard, minimum, on_turn) in enumerate(rows.tolist()):
        if on_turn == 0:
            if turns:
                draw()
            turns.append(Turn(player, len(draw_pile)))
        card, pile = unpack_move(move)
        before = Decision(player, minimum, heard, tuple(hands[player]), tuple(tops), move)
        broken = status in (kernel.BAD_MOVE, kernel.STOPPED_SHORT) and number == len(rows) - 1
        if move == STOP or broken:
            turns[-1].decisions.append(before)
            continue
        turns[-1].decisions.append(replace(before, card=card, pile=pile, gap=pile_gap(tops, card, pile)))
        hands[player].remove(card)
        tops[pile] = card
    if turns and turn_is_over(turns[-1], rules):  # in a broken game it may not be
        draw()
    return Recorded(strategy, rules, seed, game, turns, hands, tops, draw_pile, status, error, stuck_after, tuple(deck))


def fault(strategy: Strategy, rules: Rules, seed: int, game: int, stuck_after: float | None = None) -> StrategyError:
    """The error for a game that a strategy broke: which game, what happened at which position, how to see it."""
    seen = record(strategy, rules, seed, game, patience=None if stuck_after is None else STUCK_REPLAY_SECONDS)
    where = (
        f"{strategy.label} in game {game} of seed {seed} with {rules.players} player{'s' if rules.players > 1 else ''}"
    )
    complaint = (seen if stuck_after is None else replace(seen, stuck_after=stuck_after)).complaint()
    position = f"{len(seen.decisions)} decisions made, tops {numbers(seen.tops)}"
    if seen.status in (kernel.BAD_MOVE, kernel.STOPPED_SHORT) and seen.error is None and stuck_after is None:
        last = seen.decisions[-1]
        position = f"player {last.player} holds {numbers(last.hand)}, tops {numbers(last.tops)}"
    return StrategyError(
        f"{where} {complaint} ({position}). To see it: {replay_command(strategy.label, rules, seed, game)}"
    )


def numbers(cards: Sequence[int]) -> str:
    """Cards as people read them."""
    return " ".join(map(str, cards))
