"""Numbers as people read them, and tables for the terminal."""

import math
from collections.abc import Sequence
from typing import Any

LEFT_ALIGNED = ("strategy", "best", "against", "yardstick", "verdict")


def percent(rate: float, digits: int = 2) -> str:
    """A rate in percent, without the sign."""
    return f"{100 * rate:.{digits}f}"


def points(value: float, margin: float) -> str:
    """A difference of rates in points with its margin, to the margin's first digit."""
    digits = 1
    if 0 < margin < 0.001:
        digits = min(-math.floor(math.log10(100 * margin)), 4)
    return f"{100 * abs(value):.{digits}f} ± {max(100 * margin, 10**-digits):.{digits}f}"


def signed(value: float) -> str:
    """A number with two digits and its sign; none that is rounded away has one."""
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text.replace("-", "−")


def with_players(players: Any) -> str:  # a whole number, which pandas types as anything
    """How many play."""
    return f"{players} player{'s' if players > 1 else ''}"


def plural(number: int, thing: str) -> str:
    """A number of things."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def printable(text: str) -> str:
    """A text that cannot move the cursor or colour the terminal: names may come from anywhere."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def summary_cells(row: dict[str, Any]) -> dict[str, str]:
    """A summary row as the cells of a table."""
    error = "" if math.isnan(row["mean_error"]) else f" ± {row['mean_error']:.3f}"
    pace = row["games_per_minute"]
    return {
        "strategy": row["label"],
        "players": str(row["players"]),
        "games": f"{row['games']:,}",
        "win %": percent(row["win_rate"]),
        "95 % interval": f"{percent(row['win_low'])} to {percent(row['win_high'])}",
        "under ten %": percent(row["excellent_rate"]),
        "mean left": f"{row['mean']:.2f}{error}",
        "median": str(row["median"]),
        "5–95 %": f"{row['p5']} to {row['p95']}",
        "games/min": "" if math.isnan(pace) else rounded(pace),
    }


def rounded(number: float) -> str:
    """A large number in three digits: 61.3 M."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}" if number < 1000 * size else f"{number / size:,.0f} {unit}"
    return f"{number:.3g}"


def text_table(rows: Sequence[dict[str, str]]) -> str:
    """Rows of cells under aligned headings; names to the left, numbers to the right."""
    headings = list(rows[0])
    lines = [headings, *([printable(cell) for cell in row.values()] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if heading in LEFT_ALIGNED else cell.rjust(width)
            for cell, width, heading in zip(line, widths, headings, strict=True)
        ).rstrip()
        for line in lines
    )
