"""The charts of a report: all figures that suit its tables, with titles, captions and a sentence for those who listen.

The plots in them are in `reports.plots`; both are to be used from here. Nothing here knows how games are played.
"""

from collections.abc import Callable, Sequence

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from reports.drawing import (
    SETTINGS,
    Chart,
    Look,
    inline_svg,
    looks,
    new_figure,
    one_line,
    save,
    shared_legend,
    shown,
)
from reports.plots import (
    cumulative,
    distribution,
    forest,
    heat_map,
    last_ten,
    mean_by_players,
    percent,
    rate_by_players,
    sweep_curve,
)
from reports.text import with_players

__all__ = [
    "Chart",
    "cumulative",
    "distribution",
    "forest",
    "heat_map",
    "inline_svg",
    "mean_by_players",
    "rate_by_players",
    "report_charts",
    "save",
    "sweep_curve",
]

MOST_LINES = 10  # in one panel; more cannot be told apart
MOST_PAIRS = 60  # rows of a forest that can still be read


def report_charts(
    summary: pd.DataFrame, counts: pd.DataFrame, paired: pd.DataFrame, vary: Sequence[str] = ()
) -> list[Chart]:
    """Return the charts that suit the results; `vary` names the columns of the summary that a sweep varied."""
    summary, counts, paired = (frame.reset_index(drop=True) for frame in (summary, counts, paired))
    charts = []
    styles = looks(summary.label)
    with matplotlib.rc_context(SETTINGS):
        if len(vary) == 1:
            charts.append(_sweep(summary, vary[0]))
        elif len(vary) == 2:
            charts.append(_heat_map(summary, *vary))
        elif not vary:
            charts.append(_win_rate(summary, styles))
            charts.append(_mean_left(summary, styles))
        if len(styles) <= MOST_LINES:
            charts.append(_leftovers(summary, counts, styles))
            charts.append(_cumulative(summary, counts, styles))
        if not paired.empty:
            charts.append(_paired(summary, paired))
    return charts


def _games(frame: pd.DataFrame, each: str) -> str:
    """Return "1,000 games a line", or the range where they differ."""
    fewest, most = int(frame.games.min()), int(frame.games.max())
    if fewest == most:
        return f"{most:,} {'game' if most == 1 else 'games'} {each}"
    return f"{fewest:,} to {most:,} games {each}"


def _told(row: pd.Series) -> str:
    """Return who played: "reservation with 4 players"."""
    return f"{one_line(row.label)[:120]} with {with_players(row.players)}"


def _between(summary: pd.DataFrame) -> str:
    """Return the highest and the lowest win rate in words."""
    best, worst = summary.iloc[int(summary.win_rate.argmax())], summary.iloc[int(summary.win_rate.argmin())]
    if len(summary) == 1:
        return f"{_told(best)} wins {percent(best.win_rate)} %"
    return f"{_told(best)} wins most, {percent(best.win_rate)} %, {_told(worst)} fewest, {percent(worst.win_rate)} %"


def _panels(
    plot: Callable[..., None], counts: pd.DataFrame, styles: dict[str, Look], title: str, caption: str, xlabel: str
) -> Figure:
    """Return a figure with a panel for each player count and one legend."""
    groups = list(counts.groupby("players", sort=True))
    rows = len(styles) / 3 * 0.18  # inches, of the legend
    figure = new_figure(1.0 + rows + (3.2 if len(groups) == 1 else 2.1 * len(groups)), "", caption)
    axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (players, rows_of) in zip(axes, groups, strict=True):
        axis.set_title(with_players(players), loc="left", fontweight="bold")
        plot(rows_of, axis, styles, last_ten(counts))
    axes[-1].set_xlabel(xlabel)
    shared_legend(figure, styles.values(), title)
    return figure


def _leftovers(summary: pd.DataFrame, counts: pd.DataFrame, styles: dict[str, Look]) -> Chart:
    title = "How many cards are left"
    caption = f"{_games(summary, 'a line')}; pins on the left are games won, ▲ where they go beyond the scale"
    figure = _panels(distribution, counts, styles, title, caption, "cards left at the end")
    best = summary.iloc[int(summary["mean"].argmin())]
    alt = (
        f"Distributions of the cards left: {_between(summary)}; {_told(best)} leaves fewest, {best['mean']:.1f} cards "
        f"on average, and {percent(best.excellent_rate)} % of its games are excellent."
    )
    return Chart("leftovers", title, alt, figure)


def _cumulative(summary: pd.DataFrame, counts: pd.DataFrame, styles: dict[str, Look]) -> Chart:
    title = "How many games end with at most so many cards left"
    figure = _panels(cumulative, counts, styles, title, _games(summary, "a line"), "at most so many cards left")
    best = summary.iloc[int(summary.excellent_rate.argmax())]
    alt = (
        f"Shares of games with at most so many cards left: {_told(best)} is excellent most often, with under ten left "
        f"in {percent(best.excellent_rate)} % of games and at most {best['median']:g} left in half of them."
    )
    return Chart("cumulative", title, alt, figure)


def _height(summary: pd.DataFrame) -> float:
    """Return a height in inches that has room for a label for each strategy."""
    labels = summary.label.nunique()
    return 1.3 + 0.34 * labels if summary.players.nunique() == 1 else max(4.2, 1.2 + 0.17 * labels)


def _win_rate(summary: pd.DataFrame, styles: dict[str, Look]) -> Chart:
    title = "Games won"
    figure = new_figure(_height(summary), title, f"{_games(summary, 'a point')}; bars are 95 % intervals (Wilson)")
    rate_by_players(summary, figure.subplots(), styles)
    return Chart("win-rate", title, f"Win rates by the number of players: {_between(summary)}.", figure)


def _mean_left(summary: pd.DataFrame, styles: dict[str, Look]) -> Chart:
    title = "Cards left on average"
    figure = new_figure(_height(summary), title, f"{_games(summary, 'a point')}; bars are 95 % intervals")
    mean_by_players(summary, figure.subplots(), styles)
    best, worst = summary.iloc[int(summary["mean"].argmin())], summary.iloc[int(summary["mean"].argmax())]
    alt = f"Mean of the cards left by the number of players: {_told(best)} leaves {best['mean']:.1f}"
    alt += f", the fewest, {_told(worst)} {worst['mean']:.1f}, the most." if len(summary) > 1 else "."
    return Chart("mean-left", title, alt, figure)


def _paired(summary: pd.DataFrame, paired: pd.DataFrame) -> Chart:
    title = "Games won, strategies compared on the same decks"
    caption = f"{_games(paired, 'a pair')}; bars are 95 % intervals, hollow where they hold zero"
    if len(paired) > MOST_PAIRS:
        best = summary.groupby("label").win_rate.mean().idxmax()
        kept = paired[(paired.label == best) | (paired.against == best)].head(MOST_PAIRS)
        caption += f"\n{len(kept)} of {len(paired)} pairs: those with {shown(str(best))}"
        paired = _turned(kept, str(best))
    figure = new_figure(1.2 + 0.22 * (len(paired) + 0.6 * paired.players.nunique()), title, caption)
    forest(paired, figure.subplots())
    row = paired.iloc[int(paired.difference.abs().argmax())]
    more = "more" if row.difference >= 0 else "less"
    alt = (
        f"Differences in win rate on the same decks: the largest is {_told(row)}, which wins "
        f"{percent(abs(row.difference))} points {more} than {one_line(row.against)[:120]}, "
        f"95 % interval {100 * row.low:.2f} to {100 * row.high:.2f}."
    )
    return Chart("paired", title, alt, figure)


def _turned(paired: pd.DataFrame, first: str) -> pd.DataFrame:
    """Return the pairs with this strategy as the first of each."""
    turn = paired.against == first
    other = paired.label.where(turn, paired.against)
    low, high = paired.low.where(~turn, -paired.high), paired.high.where(~turn, -paired.low)
    difference = paired.difference.where(~turn, -paired.difference)
    return paired.assign(label=first, against=other, difference=difference, low=low, high=high)


def _swept(summary: pd.DataFrame, vary: Sequence[str]) -> str:
    """Return the title of a sweep: who played, and what was varied."""
    names = {str(name).partition(":")[0] for name in summary.strategy}
    who = shown(names.pop(), 24) if len(names) == 1 else "Games"
    seated = summary.players.unique()
    with_whom = f" with {with_players(seated[0])}" if len(seated) == 1 and "players" not in vary else ""
    return f"{who}{with_whom}: games won by {' and '.join(shown(name, 24) for name in vary)}"


def _sweep(summary: pd.DataFrame, x: str) -> Chart:
    title = _swept(summary, [x])
    figure = new_figure(4.2, title, f"{_games(summary, 'a point')}; bands are 95 % intervals (Wilson)")
    sweep_curve(summary, figure.subplots(), x)
    best = summary.iloc[int(summary.win_rate.argmax())]
    alt = f"Win rate against {x} from {summary[x].min():g} to {summary[x].max():g}: best at {best[x]:g}, "
    return Chart("sweep", title, alt + f"{percent(best.win_rate)} % with {with_players(best.players)}.", figure)


def _heat_map(summary: pd.DataFrame, x: str, y: str) -> Chart:
    title = _swept(summary, [x, y])
    groups = [summary] if "players" in (x, y) else [rows for _, rows in summary.groupby("players", sort=True)]
    rows = summary[y].nunique()
    height = 1.0 + len(groups) * min(max(2.2, 0.9 + 0.3 * rows), 6)
    widest = 50 * float((summary.win_high - summary.win_low).max())
    caption = f"{_games(summary, 'a cell')}; the best cell is outlined"
    caption += f"; 95 % intervals are at most ± {widest:.2g} points" if widest == widest else ""
    figure = new_figure(height, title, caption)
    for axis, group in zip(figure.subplots(len(groups), 1, squeeze=False)[:, 0], groups, strict=True):
        if len(groups) > 1:
            axis.set_title(with_players(group.players.iloc[0]), loc="left", fontweight="bold")
        heat_map(group, axis, x, y)
    best = summary.iloc[int(summary.win_rate.argmax())]
    alt = f"Win rate over {x} and {y}: best at {x} {best[x]:g} and {y} {best[y]:g}, {percent(best.win_rate)} %, "
    alt += f"worst {percent(summary.win_rate.min())} %, with {with_players(best.players)}."
    return Chart("heat-map", title, alt, figure)
