"""The few games of a batch that are worth a look: its first win, its narrowest loss, its worst."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Landmark(NamedTuple):
    """A game and the cards left in it."""

    game: int
    leftover: int


Landmarks = Mapping[str, Landmark]

# Which of two landmarks of a kind is kept: the one with the lower key. Then any split of a range gives the same.
ORDER = {
    "win": lambda mark: mark.game,
    "close": lambda mark: (mark.leftover, mark.game),
    "worst": lambda mark: (-mark.leftover, mark.game),
}


def find_landmarks(leftovers: np.ndarray, first_game: int) -> Landmarks:
    """The landmarks of consecutive games, given the leftover of each."""
    places = {"worst": int(leftovers.argmax())}
    won = leftovers == 0
    if won.any():
        places["win"] = int(won.argmax())
    if not won.all():
        places["close"] = int((leftovers - np.uint8(1)).argmin())  # a won game wraps around to 255
    return {kind: Landmark(first_game + place, int(leftovers[place])) for kind, place in sorted(places.items())}


def merge_landmarks(one: Landmarks, other: Landmarks) -> Landmarks:
    """The landmarks of both together."""
    return {
        kind: min((marks[kind] for marks in (one, other) if kind in marks), key=order)
        for kind, order in ORDER.items()
        if kind in one or kind in other
    }
