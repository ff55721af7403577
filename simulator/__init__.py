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
