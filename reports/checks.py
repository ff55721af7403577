"""Checks of values that come from a file, which may hold anything."""

import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.errors import InputError
from simulator.result import Ranges, count_games, join_ranges

LARGEST = 2**63 - 1


class MalformedError(ValueError):
    """Something in a file is not what it should be."""


def read_document(content: bytes, kind: str, newest: int) -> dict[str, Any]:
    """A JSON file of ours, if it is of this kind and not newer than this program."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise MalformedError("it is not valid JSON, perhaps cut off") from None
    if not isinstance(document, dict) or document.get("format") != kind:
        raise MalformedError("it is JSON of another kind")
    version = number(document.get("version"), "version")
    if version > newest:
        raise MalformedError(f"it has the newer format {version}, and this program reads up to {newest}; update it")
    return document


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """The value, if it is a JSON object."""
    if not isinstance(value, dict):
        raise MalformedError(f"{what} cannot be read")
    return value


def items(document: Mapping[str, Any], name: str) -> list[Any]:
    """A list in the document."""
    value = document.get(name, [])
    if not isinstance(value, list):
        raise MalformedError(f"{name} cannot be read")
    return value


def text(value: Any, what: str) -> str:
    """The value, if it is a text, and not half of one of JSON's pairs of surrogates."""
    if not isinstance(value, str) or value.encode(errors="replace").decode() != value:
        raise MalformedError(f"{what} cannot be read")
    return value


def parameter(value: Any, what: str) -> Any:
    """The value, if it is a finite number or a list of them."""
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, bool) or not isinstance(entry, int | float) or not abs(entry) <= sys.float_info.max:
            raise MalformedError(f"{what} holds {value!r}, which is no number")
    return value


def number(value: Any, what: str, most: int = LARGEST) -> int:
    """The value, if it is a whole number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise MalformedError(f"{what} holds {value!r}, which is no count")
    return value


def wholes(value: Any, what: str, length: int | None = None) -> list[int]:
    """The value, if it is a list of whole numbers from 0 on, which may be game numbers."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise MalformedError(f"{what} cannot be read")
    return [number(entry, what, 2**64) for entry in value]


def check_played(game: int, ranges: Ranges, what: str) -> None:
    """Refuse a game that is in none of the ranges."""
    if not any(first <= game < first + games for first, games in ranges):
        raise MalformedError(f"{what} is of a game that was not played")


def array(value: Any, what: str, shape: tuple[int, ...]) -> np.ndarray:
    """The value as counts of that shape."""
    rows = value if len(shape) == 2 else [value]
    if not isinstance(rows, list) or len(rows) != (shape[0] if len(shape) == 2 else 1):
        raise MalformedError(f"{what} cannot be read")
    for row in rows:
        for entry in wholes(row, what, shape[-1]):
            number(entry, what)
    return np.array(value, dtype=np.int64)


def read_ranges(value: Any, whose: str) -> Ranges:
    """Check and rebuild ranges of games."""
    pieces = value if isinstance(value, list) else []
    ranges = tuple((first, games) for first, games in (wholes(piece, "ranges", 2) for piece in pieces))
    if (
        not ranges
        or count_games(ranges) > LARGEST
        or any(games < 1 or first + games > 2**64 for first, games in ranges)
    ):
        raise MalformedError(f"the games of {whose} cannot be read")
    try:
        return join_ranges(ranges, (), whose)
    except InputError as problem:
        raise MalformedError(str(problem).rstrip(".")) from None
