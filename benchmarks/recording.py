"""A benchmark as a file: the rates of every round, so that a later run can be compared with it."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.speed import Games, Rates, Spread, ratio
from reports.checks import MalformedError, items, mapping, number, read_document, text
from reports.files import reason
from reports.writing import check_writable, write_whole
from simulator.errors import InputError
from simulator.rules import MOST_PLAYERS

FORMAT = "thegame bench"
FORMAT_VERSION = 1
DIGITS = 6


@dataclass(frozen=True)
class Recording:
    """What a benchmark measured, on which machine, and how the strategies played."""

    when: str
    machine: Mapping[str, str]
    signature: str
    signatures: Mapping[str, str]  # by strategy
    yardsticks: Mapping[str, str]  # what each is made of; empty if it could not be had
    missing: Mapping[str, str]  # why those could not
    strategies: tuple[str, ...]
    rates: Rates
    games: Games

    @property
    def players(self) -> list[int]:
        """The numbers of players, in order."""
        return sorted({players for _, players in self.rates})

    @property
    def rounds(self) -> int:
        """How often everything was measured."""
        return len(next(iter(self.rates.values())))

    def ratio(self, one: str, other: str, players: int) -> Spread:
        """How many times as fast one program is as another."""
        return ratio(self.rates, one, other, players)


def as_json(recording: Recording, **more: Any) -> str:
    """The recording as JSON text, a line for each program and number of players; ``more`` is not read back."""
    fields = asdict(recording)
    rates, games = fields.pop("rates"), fields.pop("games")
    rows = [
        {
            "program": name,
            "players": players,
            "games": games[name, players],
            "games_per_core_second": [float(f"{rate:.{DIGITS}g}") for rate in rates[name, players]],
        }
        for name, players in rates
    ]
    head = json.dumps({"format": FORMAT, "version": FORMAT_VERSION, **fields, **more}, indent=1)
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return head.removesuffix("\n}") + ',\n "rows": [\n' + lines + "\n ]\n}\n"


def from_json(content: bytes) -> Recording:
    """Read what ``as_json`` wrote."""
    document = read_document(content, FORMAT, FORMAT_VERSION)
    rates: Rates = {}
    games: Games = {}
    for row in items(document, "rows"):
        fields = mapping(row, "a row")
        place = text(fields.get("program"), "a program"), number(fields.get("players"), "players", MOST_PLAYERS)
        rates[place] = [rate(value) for value in items(fields, "games_per_core_second")]
        games[place] = number(fields.get("games"), "games")
        if not games[place] or not place[1]:
            raise MalformedError("a row played no game")
    if not rates or len({len(row) for row in rates.values()}) != 1 or not next(iter(rates.values())):
        raise MalformedError("its rows are not of the same rounds")
    return Recording(
        when=text(document.get("when"), "when"),
        signature=text(document.get("signature"), "signature"),
        **{name: texts(document, name) for name in ("machine", "signatures", "yardsticks", "missing")},
        strategies=tuple(text(name, "a strategy") for name in items(document, "strategies")),
        rates=rates,
        games=games,
    )


def rate(value: Any) -> float:
    """The value, if it is a speed."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise MalformedError(f"{value!r} is no speed")
    return float(value)


def texts(document: Mapping[str, Any], name: str) -> dict[str, str]:
    """An object of texts in the document."""
    return {text(key, name): text(value, name) for key, value in mapping(document.get(name), name).items()}


def read_recording(path: Path) -> Recording:
    """The recording in a file; an InputError says what is wrong with it."""
    try:
        return from_json(path.read_bytes())
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; record one with: thegame bench -o {path}") from None
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}.") from None
    except MalformedError as problem:
        raise InputError(f"{path} is not a recording of thegame bench: {reason(problem)}.") from None


def check_target(path: Path) -> None:
    """Refuse a target that cannot be written, or that exists and is no recording."""
    if path.suffix != ".json":
        raise InputError(f"A benchmark is saved as JSON; let the name {path.name!r} end in .json.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InputError(f"{path} is no place for a file; name one in a folder that exists.")
    if path.exists():
        read_recording(path)
    check_writable(path)


def write_recording(path: Path, recording: Recording) -> None:
    """Write the file whole or not at all."""
    write_whole(path, as_json(recording).encode())
