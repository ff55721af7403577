"""One self-contained web page from texts, charts and tables. Knows nothing of games, files or where the texts are from.

Everything but the charts is untrusted: a strategy may be called anything, and its name stays text.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import jinja2


@dataclass(frozen=True)
class Picture:
    """A chart: `svg` is a trusted <svg> element; `name`.png and `name`.svg are expected beside the page."""

    name: str
    title: str
    alt: str
    svg: str

    @property
    def address(self) -> str:
        """The name as a link without its ending; quoted whole, so that no name is a scheme or leaves the folder."""
        return quote(self.name, safe="", errors="replace")


@dataclass(frozen=True)
class Cell:
    """What is shown, and what it sorts by: a number, another text, or (None) the text itself."""

    text: str
    sort: float | str | None = None

    @property
    def is_number(self) -> bool:
        """Whether it sorts as a number."""
        return self.sort is not None and not isinstance(self.sort, str)

    @property
    def key(self) -> str | None:
        """What the page's script sorts by; None for the text itself and for "not a number", which sorts last."""
        if self.sort is None or isinstance(self.sort, str):
            return self.sort
        return None if math.isnan(self.sort) else str(float(self.sort)).replace("inf", "Infinity")


@dataclass(frozen=True)
class Table:
    """A table that readers can sort; the first cell of a row names the row."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.title!r}: a row of {len(row)} cells for {len(self.columns)} columns")

    @property
    def numeric(self) -> list[bool]:
        """Per column, whether it holds numbers; cells that sort by nothing ("–") do not change that."""
        columns = [[row[place] for row in self.rows] for place in range(len(self.columns))]
        return [
            any(cell.is_number for cell in cells) and all(cell.is_number or cell.sort is None for cell in cells)
            for cells in columns
        ]


@dataclass(frozen=True)
class Game:
    """A game worth replaying, and the command to type."""

    why: str
    command: str


@dataclass(frozen=True)
class Page:
    """All that is on the page, from top to bottom except the warnings, which come first; what is empty is left out."""

    title: str
    lead: str
    headlines: Sequence[str] = ()
    verdicts: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    games: Sequence[Game] = ()
    facts: Sequence[tuple[str, str]] = ()
    commands: Sequence[str] = ()
    warnings: Sequence[str] = ()


_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_TEMPLATES.filters["together"] = lambda text: re.sub(r" (?=[%±])|(?<=±) ", "\u00a0", text)  # no line ends in "5 ±"


def render(page: Page) -> str:
    """The whole index.html: no library, no font and no request beyond itself."""
    html = _TEMPLATES.get_template("page.html").render(page=page)
    # Names of files that are not UTF-8 reach Python with lone surrogates, which no file can be written with.
    return html.encode("utf-8", "replace").decode("utf-8")
