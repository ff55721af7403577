"""Plays millions of games of The Game. See ``simulate``, and ``Strategy`` to write a player."""

__version__ = "0.1.0"

from simulator.batch import play_out, simulate
from simulator.cards import cards_in, contains, count, highest, lowest, no_cards, single, span
from simulator.errors import InputError, StrategyError
from simulator.loader import load
from simulator.result import Result
from simulator.rules import Deck, Rules
from simulator.strategy import Strategy
from simulator.view import (
    NO_GAP,
    STOP,
    View,
    ascending,
    backward_card,
    can_lay,
    cards_ahead,
    fits,
    gap,
    hand_size,
    holds,
    nearest,
    play,
    playable,
    random_below,
    request_of,
    requested,
    smallest_gap,
    top,
    unseen,
)

__all__ = [
    "NO_GAP",
    "STOP",
    "Deck",
    "InputError",
    "Result",
    "Rules",
    "Strategy",
    "StrategyError",
    "View",
    "ascending",
    "backward_card",
    "can_lay",
    "cards_ahead",
    "cards_in",
    "contains",
    "count",
    "fits",
    "gap",
    "hand_size",
    "highest",
    "holds",
    "load",
    "lowest",
    "nearest",
    "no_cards",
    "play",
    "play_out",
    "playable",
    "random_below",
    "request_of",
    "requested",
    "simulate",
    "single",
    "smallest_gap",
    "span",
    "top",
    "unseen",
]
