"""A recorded game as text for people and as plain data for programs. Knows nothing of how a game is played.

Each turn is a row of the table before it and a row of what it changed, with what happened beside them. The text
is made with colours and arrows; whoever does not want them gets it without, in the same columns.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np

from simulator.replay import Decision, Recorded, Turn, turn_is_over
from simulator.result import EXCELLENT
from simulator.rules import EXPERT_MINIMUM, STANDARD_DECK, STANDARD_HAND, Rules
from simulator.view import unpack_move

WIDTH = 100
LABEL, TEXT = 7, 56  # what is left of it beside the table
LEVELS = {3: "please not", 2: "rather not", 1: "no big jump"}
CARDS_APART = "   "
CARDS_BESIDE_DRAW = 3  # a turn of more cards needs the line for itself

ASCII = str.maketrans("↑↓←·", "^v<.")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
BOLD, DIM, RED, GREEN = "1", "2", "1;31", "1;32"


def transcript(game: Recorded, colour: bool = False, ascii: bool = False) -> str:
    """The game turn by turn: the table, who held, heard, laid and drew what, and how it ended.

    With ``colour`` the text carries ANSI codes; with ``ascii`` arrows become ^ v < and dots full stops.
    Of requests that change within a turn it shows those that grow louder before another card; ``as_json`` has all.
    """
    lines = header(game)
    for number, turn in enumerate(game.turns, start=1):
        lines += turn_lines(game.rules, number, turn)
    text = "\n".join([*lines, *end_lines(game), "", *verdict(game)])
    if not colour:
        text = COLOUR.sub("", text)
    # Names and messages may hold any character.
    return text.translate(ASCII).encode("ascii", "backslashreplace").decode() if ascii else text


def as_json(game: Recorded) -> dict[str, Any]:
    """The game as plain data.

    ``strategy``, ``params``, ``rules``, ``seed``, ``game``: what was played. ``deck_order``: the cards as they are
    dealt, hand after hand, then the draw pile. ``turns``: see ``turn_as_json``. ``tops``, ``hands``, ``draw_pile``:
    the table at the end, the draw pile in its order. ``leftover``: the score; null if ``broken``. ``won``.
    ``broken``: whether the strategy broke the rules. ``reason``: why the game ended, as a sentence.
    """
    return {
        "strategy": game.strategy.label,
        "params": {name: np.asarray(value).tolist() for name, value in game.strategy.params.items()},
        "rules": asdict(game.rules),
        "seed": int(game.seed),
        "game": int(game.game),
        "deck_order": list(game.deck),
        "turns": [turn_as_json(game, turn) for turn in game.turns],
        "tops": list(game.tops),
        "hands": [list(hand) for hand in game.hands],
        "draw_pile": list(game.draw_pile),
        "leftover": None if game.broken else game.leftover,
        "won": game.leftover == 0 and not game.broken,
        "broken": game.broken,
        "reason": game.reason,
    }


def turn_as_json(game: Recorded, turn: Turn) -> dict[str, Any]:
    """A turn as plain data.

    ``player``, ``minimum``; ``draw_pile`` (how many cards), ``tops``, ``hand`` and ``heard`` before the first card;
    ``laid``: each card with ``pile``, ``gap``, ``backward`` and, if requests have changed since the card before,
    ``heard`` (all of them, else null); ``heard_at_stop``: likewise when the player stopped; ``drawn``;
    ``ended``: "stopped", "hand empty", "nothing fits" or, if the strategy broke the game in it, "broken".
    A request is ``player``, ``pile`` and ``level``, 1 to 3.
    """
    first = turn.decisions[0]
    news = [
        None,
        *(
            requests(later, game.rules) if later.heard != earlier.heard else None
            for earlier, later in pairwise(turn.decisions)
        ),
    ]
    if game.broken and turn is game.turns[-1] and not turn_is_over(turn, game.rules):
        ended = "broken"
    elif turn.stopped:
        ended = "stopped"
    else:
        ended = "nothing fits" if turn.hand_after() else "hand empty"
    return {
        "player": turn.player,
        "minimum": first.minimum,
        "draw_pile": turn.draw_pile,
        "tops": list(first.tops),
        "hand": list(first.hand),
        "heard": requests(first, game.rules),
        "laid": [
            {"card": card.card, "pile": card.pile, "gap": card.gap, "backward": is_backward(card), "heard": heard}
            for card, heard in zip(turn.laid, news, strict=False)
        ],
        "heard_at_stop": news[-1] if turn.stopped else None,
        "drawn": list(turn.drawn),
        "ended": ended,
    }


def requests(decision: Decision, rules: Rules) -> list[dict[str, int]]:
    """What the player heard before the decision."""
    return [
        {"player": player, "pile": pile, "level": decision.request(player, pile)}
        for player in range(rules.players)
        for pile in range(rules.deck.piles)
        if decision.request(player, pile)
    ]


def is_backward(decision: Decision) -> bool:
    """Whether the card moved its pile back."""
    return decision.gap is not None and decision.gap < 0


def header(game: Recorded) -> list[str]:
    """Which game this is, how to read it, and the names of the columns."""
    piles = game.rules.deck.piles
    return [
        paint(f"{game.strategy.label}, seed {game.seed}, game {game.game}", BOLD),
        rules_text(game.rules),
        paint("↑ piles go up, ↓ piles go down, ← marks a backward move; P0 is player 0", DIM),
        "",
        paint(f"turn    {''.join(f'{arrow(pile, piles):>5}' for pile in range(piles))}  draw pile", DIM),
    ]


def rules_text(rules: Rules) -> str:
    """The rules in words; what is not standard comes last."""
    words = [
        plural(rules.players, "player"),
        f"hands of {rules.hand_size}",
        f"at least {rules.minimum} a turn",
    ]
    if rules.minimum == EXPERT_MINIMUM:
        smaller = rules.hand_size == STANDARD_HAND[rules.players] - 1
        words.append("expert with smaller hands" if smaller else "expert")
    if rules.silent:
        words.append("silent")
    if rules.starter != "first":
        words.append(f"the {rules.starter} hand starts")
    deck = rules.deck
    if deck != STANDARD_DECK:
        words.append(f"cards {deck.lowest} to {deck.highest} on {deck.piles} piles, {deck.step} backward")
    return ", ".join(words)


def turn_lines(rules: Rules, number: int, turn: Turn) -> list[str]:
    """One turn: the table before it, requests heard, cards laid with their gaps, the table after it, cards drawn."""
    first, laid = turn.decisions[0], turn.laid
    before = f"{number:4}  {paint(f'P{turn.player}', BOLD)}{columns(first.tops, turn.draw_pile)}"
    changed = [top if top != old else None for top, old in zip(turn.tops_after(), first.tops, strict=True)]
    after = f"{'':8}{columns(changed, turn.draw_pile - len(turn.drawn) if turn.drawn else None)}"

    lines = beside(before, "holds", [numbers(first.hand)])
    lines += beside("", "hears", wrap(wishes(first, None, rules), "; "))
    rows = wrap([laid_text(decision, rules.deck.piles) for decision in laid] or ["nothing"], CARDS_APART)
    drawn = numbers(turn.drawn)
    if drawn and len(laid) <= CARDS_BESIDE_DRAW:
        room = CARDS_BESIDE_DRAW * len(f"99 ↑0 +99{CARDS_APART}")
        rows = [rows[0] + " " * (room - visible(rows[0])) + paint(f"draws {drawn}", DIM)]
        drawn = ""
    lines += beside(after, "lays", rows)
    # What is new after the last card is heard by the next player too, and shown there.
    news = [(earlier.card, wishes(later, earlier, rules)) for earlier, later in pairwise(laid)]
    for card, louder in news:
        lines += beside("", "hears", wrap([f"after {card}: {louder[0]}", *louder[1:]], "; ") if louder else [])
    return lines + beside("", paint("draws", DIM), [paint(drawn, DIM)] if drawn else [])


def wishes(decision: Decision, earlier: Decision | None, rules: Rules) -> list[str]:
    """What each player asks for, in words; compared with an earlier decision, only what is louder."""
    piles = rules.deck.piles
    found = []
    for player in range(rules.players):
        asked = {pile: decision.request(player, pile) for pile in range(piles)}
        if earlier is not None:
            asked = {pile: level for pile, level in asked.items() if level > earlier.request(player, pile)}
        parts = [
            " ".join([words, *(arrow(pile, piles) for pile in asked if asked[pile] == level)])
            for level, words in LEVELS.items()
            if level in asked.values()
        ]
        if parts:
            found.append(f"P{player} {', '.join(parts)}")
    return found


def laid_text(decision: Decision, piles: int) -> str:
    """A card with its pile and gap, as wide as any other."""
    card, pile = unpack_move(decision.move)
    gap = decision.gap or 0
    text = f"{card:2} {arrow(pile, piles)} {'+←'[gap < 0]}{abs(gap):<2}"
    return paint(text, GREEN) if is_backward(decision) else text


def end_lines(game: Recorded) -> list[str]:
    """The table at the end, and every card that was not laid; the draw pile in its order."""
    table = paint(" end", BOLD) + "    " + columns(game.tops, len(game.draw_pile))
    if game.leftover == 0:
        return [table]
    lines: list[str] = []
    for player, hand in enumerate(game.hands):
        lines += beside("" if lines else table, f"P{player}", [numbers(hand) or "no cards"])
    return lines + beside("", "draw", wrap([f"{card:2}" for card in game.draw_pile], " "))


def verdict(game: Recorded) -> list[str]:
    """How the game ended, and why."""
    if game.broken:
        mover = game.next_mover()
        when = [] if mover is None else [f"In the turn of player {mover}:"]
        return [*when, paint(f"BROKEN: {game.strategy.label} {game.reason}.", RED)]
    if game.leftover == 0:
        return [paint(f"WON. {game.reason}", GREEN)]
    excellent = ", excellent" if game.leftover < EXCELLENT else ""
    return [paint(f"{plural(game.leftover, 'card')} left{excellent}. {game.reason}", RED)]


def beside(table: str, label: str, rows: Sequence[str]) -> list[str]:
    """Rows of text to the right of the table; the label stands before the first."""
    left = WIDTH - TEXT - LABEL
    lines = []
    for row in rows:
        lines.append(f"{table}{' ' * (left - visible(table))}{label}{' ' * (LABEL - visible(label))}{row}".rstrip())
        table = label = ""
    return lines


def columns(tops: Iterable[int | None], draw_pile: int | None) -> str:
    """The tops and the size of the draw pile in columns; None is what has not changed."""
    cells = [f"{'·' if cell is None else cell:>5}" for cell in [*tops, draw_pile]]
    return "".join(paint(cell, DIM) if "·" in cell else cell for cell in cells)


def arrow(pile: int, piles: int) -> str:
    """The pile's name: its direction and number."""
    return f"{'↑' if 2 * pile < piles else '↓'}{pile}"


def wrap(words: Sequence[str], between: str) -> list[str]:
    """The words in as few rows as have room beside the table."""
    rows: list[str] = []
    for word in words:
        if rows and visible(rows[-1] + between + word) <= TEXT:
            rows[-1] += between + word
        else:
            rows.append(word)
    return rows


def numbers(cards: Iterable[int]) -> str:
    """Cards in columns."""
    return " ".join(f"{card:2}" for card in cards)


def plural(number: int, word: str) -> str:
    """A number of things."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def paint(text: str, code: str) -> str:
    """The text in a colour of the terminal."""
    return f"\x1b[{code}m{text}\x1b[0m"


def visible(text: str) -> int:
    """How many columns the text takes on the screen."""
    return len(COLOUR.sub("", text))
