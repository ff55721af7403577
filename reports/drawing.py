"""How charts look and how they become files: palette, names that fit, labels that keep apart, PNG and SVG.

Knows matplotlib, but neither the game nor what a chart is about; that is in `reports.charts`.
"""

import io
import itertools
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.lines import Line2D
from matplotlib.textpath import TextToPath

# Colours that nothing else in a chart has, so that they can be told apart in an SVG and follow the page's mode.
INK, GRID = "#23272e", "#d5d9de"
SMALL, NORMAL = 8.0, 9.0  # points; 8 are 11 pixels in a picture 800 pixels wide
WIDTH = 8.0  # inches
LONGEST = 40  # characters of a name that are shown

# Petroff's ten colours, told apart with every kind of colour vision; dashes and markers do it without any colour.
COLOURS = ["#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6", "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd"]
PAGE_COLOURS = {INK: "var(--ink)", GRID: "var(--grid)"}
PAGE_COLOURS |= {colour: f"var(--line-{place}, {colour})" for place, colour in enumerate(COLOURS)}
DASHES: list[Any] = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (9, 2))]
MARKERS = "osDvPX<>*p"

SETTINGS: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so a chart is the same everywhere
    "font.size": NORMAL,
    "text.usetex": False,
    "text.parse_math": False,  # a name may hold dollar signs
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": NORMAL,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "svg.fonttype": "path",
}
TITLE: dict[str, Any] = {"fontsize": 11, "fontweight": "bold"}
TITLE_ID = "title"  # of the chart: a page has headings of its own
SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
ElementTree.register_namespace("", SVG)


@dataclass(frozen=True)
class Chart:
    """A finished figure with its file name, its title and a sentence for those who cannot see it."""

    name: str
    title: str
    alt: str
    figure: Figure


@dataclass(frozen=True)
class Look:
    """How one strategy is shown in every chart."""

    name: str
    colour: str
    dashes: Any
    marker: str

    def line(self, **more: Any) -> dict[str, Any]:
        """Return the arguments of a line that looks like this."""
        return {"color": self.colour, "linestyle": self.dashes, "marker": self.marker, "markersize": 4} | more


def looks(labels: Iterable[str]) -> dict[str, Look]:
    """Give every label a look, in order of appearance; names that look the same once shortened get a number."""
    found: dict[str, Look] = {}
    taken: dict[str, int] = {}
    for index, label in enumerate(dict.fromkeys(labels)):
        name = shown(label)
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name} ({taken[name]})"
        # Five dashes and ten colours: beyond ten strategies, a colour comes back with other dashes.
        dashes = DASHES[(index + index // 10) % len(DASHES)]
        found[label] = Look(name, COLOURS[index % 10], dashes, MARKERS[(index + index // 10) % 10])
    return found


@cache
def _glyphs() -> frozenset[int]:
    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())


def text_width(text: str, size: float = SMALL) -> float:
    """Return the width of a text in points."""
    font = FontProperties(family="DejaVu Sans", size=size)
    return TextToPath().get_text_width_height_descent(text, font, False)[0]


def one_line(text: str) -> str:
    """Return a name without line breaks and invisible characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in str(text)).split())


def shown(text: str, longest: int = LONGEST) -> str:
    """Return a name as a chart can show it: one line, known glyphs, shortened in the middle."""
    text = "".join(sign if ord(sign) in _glyphs() else "?" for sign in one_line(text)) or "?"
    room = longest * 0.62 * SMALL  # 0.6 em is a usual character; a name of Ws has to be shorter
    keep, short = longest, text
    while len(text) > keep or text_width(short[: longest + 1]) > room:
        short = f"{text[: keep // 2]}…{text[len(text) - (keep - 1) // 2 :]}"
        if len(short) <= longest and text_width(short) <= room:
            break
        keep -= 1
    return short


def new_figure(height: float, title: str, caption: str) -> Figure:
    """Return a figure with a title and a small caption; make it and fill it within `SETTINGS`."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.06)  # type: ignore[union-attr, call-arg]
    if title:
        figure.suptitle(title, x=0.0125, ha="left", gid=TITLE_ID, **TITLE)
    figure.supxlabel(caption, x=0.0125, ha="left", fontsize=SMALL)
    return figure


def tidy(axis: Axes, grid: str = "y") -> None:
    """Leave the two axes and a faint grid."""
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_facecolor("none")
    axis.grid(visible=True, axis=grid, color=GRID, linewidth=0.6)  # type: ignore[arg-type]
    axis.set_axisbelow(True)


def spread(wanted: Sequence[float], gap: float, low: float = 0.0, high: float = 1.0) -> list[float]:
    """Move positions as little as possible so that they are a gap apart, keep their order and stay within bounds."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    # Less rank times gap, "a gap apart" reads "not descending": merge neighbours that descend into their mean.
    blocks: list[tuple[float, int]] = []
    for rank, index in enumerate(order):
        blocks.append((wanted[index] - rank * gap, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (first, m), (second, n) = blocks[-2:]
            blocks[-2:] = [((first * m + second * n) / (m + n), m + n)]
    flat = itertools.chain.from_iterable([mean] * count for mean, count in blocks)
    top = max(low, high - (len(wanted) - 1) * gap)
    placed = [0.0] * len(wanted)
    for rank, (index, mean) in enumerate(zip(order, flat, strict=True)):
        placed[index] = min(max(mean, low), top) + rank * gap
    return placed


def label_ends(axis: Axes, ends: Sequence[tuple[float, float, str, str]]) -> None:
    """Write names right of the axis, each tied to its point; `ends` are x, y, name and colour."""
    figure = axis.figure.canvas.figure
    figure.draw_without_rendering()  # the layout tells how high the axis is, hence how many labels fit
    line = 1.35 * SMALL * figure.dpi / 72 / axis.bbox.height
    to_axis = axis.transData + axis.transAxes.inverted()
    heights = [float(to_axis.transform((x, y))[1]) for x, y, _, _ in ends]
    for (x, y, name, colour), height in zip(ends, spread(heights, line), strict=True):
        tie = {"arrowstyle": "-", "color": colour, "linewidth": 0.9, "shrinkA": 1, "shrinkB": 3}
        place = {"xytext": (1.04, height), "textcoords": "axes fraction", "va": "center", "ha": "left"}
        tie["relpos"] = (0, 0.5)
        note = axis.annotate(name, (x, y), **place, arrowprops=tie, fontsize=SMALL, annotation_clip=False)  # type: ignore[arg-type]
        note.set_parse_math(False)


def shared_legend(figure: Figure, entries: Iterable[Look], title: str) -> None:
    """Put the title and one legend above all panels, in as many columns as fit."""
    entries = list(entries)
    lines = [Line2D([], [], **look.line()) for look in entries]
    widest = max(text_width(look.name) for look in entries) + 46  # points, with the handle and the space between
    columns = max(1, min(len(entries), int(WIDTH * 72 // widest)))
    # A legend drops labels that begin with an underscore, so they are set afterwards.
    numbers = [str(index) for index in range(len(entries))]
    legend = figure.legend(
        lines,
        numbers,
        loc="outside upper left",
        ncols=columns,
        frameon=False,
        fontsize=SMALL,
        handlelength=3,
        borderpad=0,
        title=title,  # a title of the figure would be drawn over the legend
        title_fontproperties=FontProperties(family="DejaVu Sans", size=TITLE["fontsize"], weight="bold"),
        alignment="left",
    )
    legend.get_title().set_gid(TITLE_ID)
    for text, look in zip(legend.get_texts(), entries, strict=True):
        text.set_parse_math(False)
        text.set_text(look.name)


def save(chart: Chart, folder: Path | str) -> list[Path]:
    """Write the chart as PNG and SVG, the same bytes every time, and return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{chart.name}.png", folder / f"{chart.name}.svg"]
    with matplotlib.rc_context(SETTINGS):
        chart.figure.savefig(paths[0], dpi=200, metadata={"Software": None})
    paths[1].write_text(_svg(chart, transparent=False), encoding="utf-8")
    return paths


def _svg(chart: Chart, transparent: bool) -> str:
    text = io.StringIO()
    with matplotlib.rc_context(SETTINGS | {"svg.hashsalt": chart.name}):
        metadata = {"Date": None, "Creator": None}
        chart.figure.savefig(text, format="svg", metadata=metadata, transparent=transparent)
    return text.getvalue()


def _below_title(figure: Figure) -> float:
    """Return how far the title reaches down from the upper edge, in points."""
    figure.draw_without_rendering()  # a legend knows where its title is only when drawn at this resolution
    titles = figure.findobj(lambda artist: artist.get_gid() == TITLE_ID)
    lowest = min((title.get_window_extent().y0 for title in titles), default=figure.bbox.height)
    return (figure.bbox.height - lowest) * 72 / figure.dpi


def inline_svg(chart: Chart) -> str:
    """Return the chart as an element for a web page: without its title, which the page has, and in its colours.

    The colours are `--ink`, `--grid` and `--line-0` to `--line-9`, as far as the page sets them.
    """
    root = ElementTree.fromstring(_svg(chart, transparent=True))
    for parent in list(root.iter()):
        for child in list(parent):
            style = child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style")  # would hold for the whole page
            if style or child.get("id") == TITLE_ID:
                parent.remove(child)
    left, top, wide, high = map(float, root.get("viewBox", "").split())
    below = _below_title(chart.figure)
    root.set("viewBox", f"{left:g} {top + below:g} {wide:g} {high - below:g}")
    text = ElementTree.tostring(root, encoding="unicode")
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', text))
    for element in root.iter():
        identity = element.attrib.pop("id", None)
        if identity in used:
            element.set("id", f"{chart.name}-{identity}")
        link = element.attrib.pop(f"{{{XLINK}}}href", None)
        if link is not None:
            element.set("href", f"#{chart.name}-{link[1:]}" if link.startswith("#") else link)
        for key, value in element.attrib.items():
            if key in ("style", "clip-path"):
                value = value.replace("url(#", f"url(#{chart.name}-")
                for colour, name in PAGE_COLOURS.items():
                    value = value.replace(colour, name)
                element.set(key, value)
    for key in ("width", "height"):
        root.attrib.pop(key, None)
    root.set("style", "stroke-linejoin: round; stroke-linecap: butt")  # what the removed style sheet said
    root.set("role", "img")
    root.set("aria-label", chart.alt)
    return ElementTree.tostring(root, encoding="unicode")
