"""The plots of a report: every function draws one table of results on one axis, with intervals.

Nothing here knows how games are played, or where the tables come from. Looks and labels are in `reports.drawing`,
whole figures in `reports.charts`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from reports.drawing import COLOURS, INK, SMALL, Look, label_ends, looks, shown, text_width, tidy
from reports.text import with_players
from simulator.result import EXCELLENT

Looks = Mapping[str, Look]


def distribution(counts: pd.DataFrame, axis: Axes, styles: Looks | None = None, end: int | None = None) -> None:
    """Draw the share of games by cards left, wins as labelled pins on the left, cut off where they dwarf the rest."""
    styles = styles or looks(counts.label)
    end = end or last_ten(counts)
    shares = _shares(counts)
    rest = max(float(share[1:].max()) for share in shares.values())
    wins = [float(share[0]) for share in shares.values()]
    full = max([rest, *(won for won in wins if won <= 1.5 * rest or not rest)])
    axis.set_ylim(0, full / 0.64)  # the upper part is for the figures on the pins
    pitch = max(2.2, 10 * end / max(100, 500 - 10 * len(styles)))  # ten points between the figures
    for index, (label, look) in enumerate(styles.items()):
        if label not in shares:
            continue
        share, played = shares[label], np.flatnonzero(shares[label])
        x, top = -pitch * (len(styles) - index), min(float(share[0]), 1.08 * full)
        axis.vlines(x, 0, top, color=look.colour, linewidth=2.5)
        tip = "^" if share[0] > full else look.marker
        axis.plot([x], [top], linestyle="none", color=look.colour, marker=tip, markersize=4, clip_on=False)
        note = {"xytext": (0, 5), "textcoords": "offset points", "rotation": 90, "ha": "center", "va": "bottom"}
        axis.annotate(f"{percent(share[0])} %", (x, top), **note, fontsize=SMALL)  # type: ignore[arg-type]
        cards = np.arange(max(1, played[0] - 1), min(98, played[-1] + 1) + 1)
        every = (index % 7, 7)  # so that markers of different lines do not cover each other
        line = look.line(linestyle="-", linewidth=1.1, markersize=3, markevery=every)
        axis.plot(cards, share[cards], drawstyle="steps-mid", **line)
    left = -pitch * (len(styles) + 1)
    axis.set_xlim(left, end)
    axis.axvline(0, color=INK, linewidth=0.8)
    tens = range(10, end + 1, 10)
    axis.set_xticks([left / 2, 1, *tens], ["won", "1", *map(str, tens)])
    axis.yaxis.set_major_locator(MaxNLocator(4))
    axis.yaxis.set_major_formatter(_percent_tick)
    _mark_excellent(axis)
    axis.set_ylabel("games, %")
    tidy(axis)


def cumulative(counts: pd.DataFrame, axis: Axes, styles: Looks | None = None, end: int | None = None) -> None:
    """Draw the share of games with at most so many cards left; it begins with the wins."""
    styles = styles or looks(counts.label)
    shares = _shares(counts)
    for index, (label, look) in enumerate(styles.items()):
        if label in shares:
            played = np.flatnonzero(shares[label])
            cards = np.arange(max(0, played[0] - 1), min(98, played[-1] + 1) + 1)
            marks = [0, *range(4 + index % 7, len(cards), 7)]
            line = look.line(linewidth=1.4, markersize=3.5, markevery=marks, clip_on=False)
            axis.plot(cards, shares[label].cumsum()[cards], drawstyle="steps-post", **line)
    axis.set_xlim(0, end or last_ten(counts))
    axis.set_ylim(0, 1.16)
    axis.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axis.yaxis.set_major_formatter(_percent_tick)
    _mark_excellent(axis)
    axis.set_ylabel("games, %")
    tidy(axis)


def rate_by_players(summary: pd.DataFrame, axis: Axes, styles: Looks | None = None) -> None:
    """Draw win rates with their 95 % intervals by the number of players."""
    frame = summary.assign(value=100 * summary.win_rate, low=100 * summary.win_low, high=100 * summary.win_high)
    _by_players(frame, axis, "games won, %", styles)


def mean_by_players(summary: pd.DataFrame, axis: Axes, styles: Looks | None = None) -> None:
    """Draw the mean of cards left with its 95 % interval by the number of players."""
    error = 1.96 * summary.mean_error
    frame = summary.assign(value=summary["mean"], low=summary["mean"] - error, high=summary["mean"] + error)
    _by_players(frame, axis, "cards left, mean", styles)


def _by_players(frame: pd.DataFrame, axis: Axes, title: str, styles: Looks | None) -> None:
    styles = styles or looks(frame.label)
    players = sorted(frame.players.unique())
    top = max(float(np.nanmax(frame[["value", "high"]].to_numpy())), 1e-6) * 1.06
    if len(players) == 1:  # nothing to connect: one row for each strategy
        for row in _rows(frame):
            look, place = styles[row.label], -list(styles).index(row.label)
            axis.errorbar(row.value, place, xerr=_bars(row), **look.line(linestyle="none", capsize=3))
            note = {"xytext": (0, 6), "textcoords": "offset points", "ha": "center", "va": "bottom"}
            axis.annotate(_written(row.value), (row.value, place), **note, fontsize=SMALL)  # type: ignore[arg-type]
        names = [look.name for look in styles.values()]
        axis.set_yticks(-np.arange(len(names)), names, parse_math=False)
        axis.set_ylim(0.4 - len(names), 0.75)
        axis.set_xlim(-0.02 * top, top)  # room for a figure at zero
        axis.set_xlabel(title)
        tidy(axis, "both")
        return
    ends = []
    apart = min(0.06, 0.4 / len(styles))  # side by side, so that intervals do not hide each other
    for index, (label, look) in enumerate(styles.items()):
        rows = frame[frame.label == label].sort_values("players")
        if rows.empty:
            continue
        places = rows.players.to_numpy() + apart * (index - (len(styles) - 1) / 2)
        bars = np.hstack([_bars(row) for row in _rows(rows)])
        axis.errorbar(places, rows.value, yerr=bars, **look.line(linewidth=1.4, capsize=2.5))
        ends.append((float(places[-1]), float(rows.value.iloc[-1]), look.name, look.colour))
    axis.set_xticks(players)
    axis.set_xlim(players[0] - 0.35, players[-1] + 0.35)
    axis.set_ylim(0, top)
    axis.set_xlabel("players")
    axis.set_ylabel(title)
    tidy(axis)
    label_ends(axis, ends)


def forest(paired: pd.DataFrame, axis: Axes) -> None:
    """Draw how many points more games each first strategy wins than the second on the same decks."""
    place, places, names = 0.0, [], []
    for players, rows in paired.groupby("players", sort=True):
        for row in _rows(rows):
            low, high = (100 * value if np.isfinite(value) else 100 * row.difference for value in (row.low, row.high))
            # Intervals that hold zero are hollow: there the pair is not told apart.
            face = "none" if low <= 0 <= high else COLOURS[0]
            axis.plot([low, high], [place, place], "|-", color=COLOURS[0], linewidth=1.4, markersize=5)
            axis.plot([100 * row.difference], [place], "o", color=COLOURS[0], markerfacecolor=face, markersize=4)
            places.append(place)
            names.append(f"{shown(row.label, 26)} − {shown(row.against, 26)}, {with_players(players)}")
            place -= 1
        place -= 0.6
    axis.axvline(0, color=INK, linewidth=1)
    axis.set_yticks(places, names, parse_math=False)
    axis.set_ylim(places[-1] - 0.7, 0.7)
    axis.set_xlabel("more games won, percentage points")
    axis.xaxis.set_major_locator(MaxNLocator(6))
    tidy(axis, "x")


def sweep_curve(summary: pd.DataFrame, axis: Axes, x: str) -> None:
    """Draw win rates with their 95 % bands against a varied value, the best marked; a line per player count."""
    if x != "players":
        groups = [(with_players(players), rows) for players, rows in summary.groupby("players")]
    elif summary.label.duplicated().any():
        groups = [(shown(str(label)), rows) for label, rows in summary.groupby("label", sort=False)]
    else:
        groups = [("", summary)]
    styles = looks(name for name, _ in groups)
    ends = []
    for name, rows in groups:
        look, rows = styles[name], rows.sort_values(x)
        values, rates = rows[x].to_numpy(float), 100 * rows.win_rate.to_numpy(float)
        axis.fill_between(values, 100 * rows.win_low, 100 * rows.win_high, color=look.colour, alpha=0.25, linewidth=0)
        axis.plot(values, rates, **look.line(linewidth=1.5))
        if len(rows) == 1:  # a band of one point has no width
            frame = rows.assign(value=rates, low=100 * rows.win_low, high=100 * rows.win_high)
            axis.errorbar(values, rates, yerr=_bars(_rows(frame)[0]), color=look.colour, capsize=3)
        best = int(rates.argmax())
        axis.plot(values[best], rates[best], "o", markersize=10, markerfacecolor="none", color=INK, clip_on=False)
        told = f"best {_plain(values[best])}: {percent(rows.win_rate.iloc[best])} %"
        ends.append((values[-1], rates[-1], f"{name}, {told}" if len(groups) > 1 else told, look.colour))
        if len(groups) == 1:
            top = rows.win_high.iloc[best]
            spot = (values[best], 100 * top if np.isfinite(top) else rates[best])  # above the band
    axis.set_ylim(0, max(float(summary.win_high.fillna(summary.win_rate).max()) * 118, 1e-6))
    if summary[x].nunique() == 1:
        axis.set_xticks([summary[x].iloc[0]])
    elif not (summary[x] % 1).any():
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlabel(shown(x))
    axis.set_ylabel("games won, %")
    tidy(axis)
    if len(groups) > 1:
        label_ends(axis, ends)
        return
    low, high = axis.get_xlim()
    side = (spot[0] - low) / (high - low)
    along = "left" if side < 0.15 else "right" if side > 0.85 else "center"
    note = {"xytext": (0, 9), "textcoords": "offset points", "ha": along, "va": "bottom"}
    axis.annotate(ends[0][2], spot, **note, fontsize=SMALL)  # type: ignore[arg-type]


def heat_map(summary: pd.DataFrame, axis: Axes, x: str, y: str) -> None:
    """Draw win rates over two varied values, the best cell outlined, and the figures where they fit."""
    cells = 100 * summary.pivot_table(index=y, columns=x, values="win_rate", aggfunc="mean")
    rates = cells.to_numpy(float)
    top = max(float(np.nanmax(rates)), 1e-6)
    low = min(float(np.nanmin(rates)), 0.999 * top)
    colours = matplotlib.colormaps["cividis"].resampled(48)  # few enough that the bar is drawn, not a picture
    mesh = axis.pcolormesh(rates, cmap=colours, vmin=low, vmax=top, edgecolors="face", linewidth=0.3)
    figure = axis.figure.canvas.figure
    bar = figure.colorbar(mesh, ax=axis, label="games won, %", pad=0.02)
    bar.outline.set_visible(False)
    axis.set_xlabel(shown(x))
    axis.set_ylabel(shown(y))
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)
    axis.set_xticks([])
    axis.set_yticks([])
    figure.draw_without_rendering()  # the layout tells what fits into a cell
    wide, high = (
        axis.bbox.width / rates.shape[1] * 72 / figure.dpi,
        axis.bbox.height / rates.shape[0] * 72 / figure.dpi,
    )
    _ticks(axis.set_xticks, cells.columns, lambda name: (text_width(name) + 6) / wide)
    _ticks(axis.set_yticks, cells.index, lambda _: 1.4 * SMALL / high)
    fits = wide > text_width("00.00") + 4 and high > 1.3 * SMALL
    for (row, column), rate in np.ndenumerate(rates):
        if fits and np.isfinite(rate):
            ink = "white" if (rate - low) / (top - low) < 0.5 else "black"
            axis.text(column + 0.5, row + 0.5, _written(rate), ha="center", va="center", fontsize=SMALL, color=ink)
    row, column = np.unravel_index(np.nanargmax(rates), rates.shape)
    axis.add_patch(
        Rectangle((float(column), float(row)), 1, 1, fill=False, edgecolor="#e3000b", linewidth=2.5, clip_on=False)
    )


def percent(share: float) -> str:
    """Return a share in percent with about three digits: 0.04, 1.88, 17.6, 100."""
    return _written(100 * share)


def _written(value: float) -> str:
    return f"{value:.0f}" if value in (0, 100) else f"{value:.2f}" if value < 9.995 else f"{value:.1f}"


def _plain(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _percent_tick(share: float, _: Any) -> str:
    return f"{100 * share:g}" if share <= 1 else ""  # an axis may go higher, to have room for labels


def _shares(counts: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the share of games with 0 to 98 cards left for each label."""
    wide = counts.pivot_table(index="label", columns="leftover", values="games", aggfunc="sum", sort=False)
    wide = wide.reindex(columns=range(99)).fillna(0)
    return {str(label): row.to_numpy(float) / max(row.sum(), 1) for label, row in wide.iterrows() if row.any()}


def last_ten(counts: pd.DataFrame) -> int:
    """Return the end of an axis of cards left: the next ten after the worst game."""
    return max(20, int(counts.leftover[counts.games > 0].max()) // 10 * 10 + 10)


def _mark_excellent(axis: Axes) -> None:
    axis.axvline(EXCELLENT - 0.5, color=INK, linewidth=0.8, linestyle=(0, (2, 2)))
    note = {"xytext": (3, -1), "textcoords": "offset points", "va": "top"}
    where = (EXCELLENT - 0.5, 1)
    axis.annotate("← excellent: under ten", where, xycoords=axis.get_xaxis_transform(), **note, fontsize=SMALL)  # type: ignore[arg-type]


def _rows(frame: pd.DataFrame) -> list[Any]:
    return list(frame.itertuples())


def _bars(row: Any) -> np.ndarray:
    """Return the lengths of an interval's two arms, none where it is unknown."""
    arms = np.array([[row.value - row.low], [row.high - row.value]], dtype=float)
    return np.maximum(np.nan_to_num(arms), 0)


def _ticks(place: Callable[..., Any], values: Iterable[Any], share: Callable[[str], float]) -> None:
    """Name the cells of a heat map, leaving out as many as it takes to keep the names apart."""
    names = [_plain(value) for value in values]
    step = max(1, int(np.ceil(max(share(name) for name in names))))
    place(np.arange(len(names))[::step] + 0.5, names[::step])
