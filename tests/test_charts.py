"""Charts say what the tables say, in labels that can be read, and files that a page can hold."""

import itertools
import re
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

import matplotlib.image
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from reports.charts import (
    Chart,
    cumulative,
    distribution,
    forest,
    heat_map,
    inline_svg,
    mean_by_players,
    rate_by_players,
    report_charts,
    save,
    sweep_curve,
)
from reports.drawing import looks, shown, spread

HOSTILE = [
    "<script>alert(1)</script>",
    "$\\frac{1}{0}$ and $",
    "_hidden",
    "two\nlines\x00",
    "an endless name " * 9,
    "W" * 90,
    "策略 🎴",
    "\"&'-->",
    "",
    "greedy",
]
PAIR_COLUMNS = ["players", "label", "against", "games", "difference", "low", "high", "leads", "trails"]
PAIR_COLUMNS += ["mean_difference", "mean_low", "mean_high"]


def tables(
    labels: Sequence[str], players: Sequence[int] = (1, 2, 3, 4, 5), won: float | None = None, games: int = 1000
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return a summary, counts and pairs; `won` is the share of wins, otherwise they differ a little."""
    cards = np.arange(99)
    rows, counts, pairs = [], [], []
    for (index, label), seats in itertools.product(enumerate(labels), players):
        rate = 0.02 + 0.011 * index + 0.01 * seats if won is None else won
        shape = np.exp(-((cards - 20 + index) ** 2) / 150) * (cards > 0)
        left = np.floor((1 - rate) * games * shape / shape.sum()).astype(int)
        left[0] = round(rate * games)
        left[15] += games - left.sum()
        mean, wins = float(cards @ left / games), left[0] / games
        rows.append(
            {"label": label, "strategy": label, "players": seats, "games": games, "wins": left[0], "win_rate": wins}
            | {"win_low": wins * 0.9, "win_high": wins + (1 - wins) * 0.02, "excellent_rate": left[:10].sum() / games}
            | {"mean": mean, "mean_error": 0.3 if games > 1 else np.nan, "median": 15, "p5": 2, "p95": 30}
        )
        counts.append(pd.DataFrame({"label": label, "players": seats, "leftover": cards, "games": left}))
    for seats in players:
        same = [row for row in rows if row["players"] == seats]
        for second, first in itertools.combinations(same, 2):
            difference = float(first["win_rate"] - second["win_rate"])  # type: ignore[operator]
            numbers = [games, difference, difference - 0.015, difference + 0.015, 0.6, 0.3, -1.0, -1.5, -0.5]
            pairs.append([seats, first["label"], second["label"], *numbers])
    return pd.DataFrame(rows), pd.concat(counts, ignore_index=True), pd.DataFrame(pairs, columns=PAIR_COLUMNS)


def sweep(values: int, second: int = 1, players: Sequence[int] = (3,)) -> pd.DataFrame:
    """Return the summary of a sweep over extra_gap, and near_gap, that is best at 2."""
    (one,) = tables(["greedy"], [3])[0].to_dict("records")
    rows = []
    for x, y, seats in itertools.product(range(values), range(second), players):
        rate = 0.3 - 0.1 * ((x - 2) / max(values, 3)) ** 2 - 0.001 * y - 0.02 * seats
        varied = {"label": f"greedy:extra_gap={x},near_gap={y}", "players": seats, "extra_gap": x, "near_gap": y}
        rows.append(one | varied | {"win_rate": rate, "win_low": 0.97 * rate, "win_high": 1.03 * rate})
    return pd.DataFrame(rows)


NOTHING = tables(["a"])[2]
NO_COUNTS = tables(["a"])[1]


def written(figure: Figure) -> list[Text]:
    """Return all texts that are seen, after a layout."""
    figure.draw_without_rendering()
    unseen = set()  # matplotlib keeps the labels of ticks beyond the ends of an axis, but does not draw them
    for axis in itertools.chain.from_iterable((axes.xaxis, axes.yaxis) for axes in figure.axes):
        low, high = sorted(axis.get_view_interval())
        slack = 1e-9 * (high - low)
        for tick in axis.get_major_ticks():
            if not low - slack <= tick.get_loc() <= high + slack:
                unseen |= {tick.label1, tick.label2}
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return [text for text in texts if text not in unseen]


def assert_legible(chart: Chart) -> list[str]:
    """Return the texts; none leaves the figure, and no two touch."""
    figure = chart.figure
    texts = written(figure)
    boxes = [(text.get_text(), Text.get_window_extent(text)) for text in texts]
    for name, box in boxes:
        assert box.x0 >= -0.5, (chart.name, name)
        assert box.y0 >= -0.5, (chart.name, name)
        assert box.x1 <= figure.bbox.width + 0.5, (chart.name, name)
        assert box.y1 <= figure.bbox.height + 0.5, (chart.name, name)
    for (name, box), (other, another) in itertools.combinations(boxes, 2):
        wide = min(box.x1, another.x1) - max(box.x0, another.x0)
        high = min(box.y1, another.y1) - max(box.y0, another.y0)
        assert wide <= 0.5 or high <= 0.5, (chart.name, name, other)
    return [name for name, _ in boxes]


def by_name(charts: Sequence[Chart]) -> dict[str, Chart]:
    return {chart.name: chart for chart in charts}


TEN = ["greedy", "backward", "reservation", "random", *(f"greedy:extra_gap={gap}" for gap in range(6))]


@pytest.mark.parametrize(
    ("labels", "players", "won"),
    [
        (["reservation"], [4], None),
        (["greedy", "reservation", "backward"], [1, 2, 3, 4, 5], None),
        (TEN, [2, 5], None),
        (TEN, [3], 0.0),
        (["greedy", "strong"], [2, 3], 0.95),
        (["greedy", "reservation"], [1, 4], 1.0),
        (HOSTILE, [1, 3], None),
        (HOSTILE, [2], None),
    ],
)
def test_all_charts_are_legible(labels, players, won):
    charts = report_charts(*tables(labels, players, won))
    names = ["win-rate", "mean-left", "leftovers", "cumulative", "paired"]
    assert [chart.name for chart in charts] == (names if len(labels) > 1 else names[:-1])
    for chart in charts:
        assert any("1,000 games a" in text for text in assert_legible(chart))
        assert re.search(r"\d", chart.alt)
        assert chart.alt.endswith(".")


def test_one_single_game_without_any_interval():
    summary, counts, paired = tables(["greedy", "random"], [2, 3], won=0.0, games=1)
    unknown = {"win_low": np.nan, "win_high": np.nan}
    for chart in report_charts(summary.assign(**unknown), counts, paired.assign(low=np.nan, high=np.nan)):
        assert any("1 game a" in text for text in assert_legible(chart))


def test_a_table_drawn_on_a_bare_axis():
    summary, counts, paired = tables(HOSTILE, [2])
    for plot, frame in [
        (distribution, counts),
        (cumulative, counts),
        (rate_by_players, summary),
        (mean_by_players, summary),
        (forest, paired),
    ]:
        figure = Figure()
        plot(frame, figure.subplots())
        figure.savefig("/dev/null", format="png")


def test_wins_are_told_and_cut_off_only_where_they_dwarf_the_rest():
    _, counts, _ = tables(["strong"], [2], won=0.95)
    axis = Figure().subplots()
    distribution(counts, axis)
    assert "95.0 %" in [text.get_text() for text in axis.texts]
    assert "← excellent: under ten" in [text.get_text() for text in axis.texts]
    assert axis.get_ylim()[1] < 0.1
    _, counts, _ = tables(["weak"], [2], won=0.03)
    axis = Figure().subplots()
    distribution(counts, axis)
    assert axis.get_ylim()[1] > 0.03


def test_steps_are_the_shares_of_the_counts():
    _, counts, _ = tables(["greedy"], [2], won=0.1)
    share = counts.games.to_numpy() / 1000
    axis = Figure().subplots()
    distribution(counts, axis)
    steps = max(axis.lines, key=lambda line: len(line.get_xdata()))
    assert np.allclose(steps.get_ydata(), share[np.asarray(steps.get_xdata(), int)])
    assert steps.get_xdata()[0] == 1
    axis = Figure().subplots()
    cumulative(counts, axis)
    steps = max(axis.lines, key=lambda line: len(line.get_xdata()))
    assert np.allclose(steps.get_ydata(), share.cumsum()[: len(steps.get_ydata())])
    assert steps.get_ydata()[0] == 0.1
    assert steps.get_ydata()[-1] == pytest.approx(1)


def test_panels_show_the_worst_game_of_all_player_counts():
    summary, counts, paired = tables(["greedy"], [1, 2])
    counts.loc[(counts.players == 1) & (counts.leftover == 90), "games"] = 1
    for name in ("leftovers", "cumulative"):
        axes = by_name(report_charts(summary, counts, paired))[name].figure.axes
        assert [axis.get_xlim()[1] for axis in axes] == [100, 100]


def test_rates_have_the_intervals_of_the_table():
    summary, _, _ = tables(["greedy", "reservation"], [2, 3])
    axis = Figure().subplots()
    rate_by_players(summary, axis)
    drawn = [segment for bars in axis.collections for segment in bars.get_segments()]
    ends = sorted((round(low, 6), round(high, 6)) for (_, low), (_, high) in drawn)
    told = sorted(zip(round(100 * summary.win_low, 6), round(100 * summary.win_high, 6), strict=True))
    assert np.allclose(ends, told)
    assert [text.get_text() for text in axis.texts] == ["greedy", "reservation"]


def test_forest_rows():
    _, _, paired = tables(["greedy", "reservation"], [1, 4])
    axis = Figure().subplots()
    forest(paired, axis)
    names = [label.get_text() for label in axis.get_yticklabels()]
    assert names == ["reservation − greedy, 1 player", "reservation − greedy, 4 players"]
    bars = [list(line.get_xdata()) for line in axis.lines if len(line.get_xdata()) == 2 and line.get_marker() == "|"]
    assert np.allclose(bars, 100 * paired[["low", "high"]].to_numpy())


def test_too_many_pairs_leave_those_with_the_best_first():
    chart = by_name(report_charts(*tables(TEN)))["paired"]
    rows = [label.get_text() for label in chart.figure.axes[0].get_yticklabels()]
    assert len(rows) == 45
    assert all(row.startswith("greedy:extra_gap=5 − ") for row in rows)
    points = [line.get_xdata()[0] for line in chart.figure.axes[0].lines if line.get_marker() == "o"]
    assert min(points) > 0
    assert "45 of 225 pairs" in " ".join(assert_legible(chart))


@pytest.mark.parametrize(("values", "players"), [(1, [3]), (6, [3]), (12, [1, 2, 3, 4, 5])])
def test_sweep_marks_the_best(values, players):
    summary = sweep(values, players=players)
    (chart,) = report_charts(summary, NO_COUNTS, NOTHING.iloc[:0], ["extra_gap"])[:1]
    assert chart.name == "sweep"
    best = min(2, values - 1)
    assert any(f"best {best}: " in text for text in assert_legible(chart))
    axis = Figure().subplots()
    sweep_curve(summary, axis, "extra_gap")
    rings = [line for line in axis.lines if line.get_markersize() == 10]
    assert [ring.get_xdata()[0] for ring in rings] == [best] * len(players)
    assert f"best at {best}" in chart.alt


def test_sweep_over_players_has_a_line_per_strategy():
    summary, _, _ = tables(["greedy", "random"])
    axis = Figure().subplots()
    sweep_curve(summary, axis, "players")
    assert [text.get_text().split(",")[0] for text in axis.texts] == ["greedy", "random"]


@pytest.mark.parametrize(("wide", "high", "players"), [(1, 1, [3]), (5, 4, [3]), (40, 20, [3]), (4, 3, [2, 5])])
def test_heat_map_outlines_the_best(wide, high, players):
    summary = sweep(wide, high, players).assign(extra_gap=lambda frame: frame.extra_gap * 1000)
    charts = report_charts(summary, NO_COUNTS, NOTHING.iloc[:0], ["extra_gap", "near_gap"])
    assert charts[0].name == "heat-map"
    assert ("leftovers" in by_name(charts)) == (wide * high <= 10)
    figures = sum(re.fullmatch(r"\d\d\.\d", text) is not None for text in assert_legible(charts[0]))
    assert figures >= wide * high * len(players) if wide < 40 else figures < 40
    axis = Figure().subplots()
    heat_map(summary[summary.players == players[0]], axis, "extra_gap", "near_gap")
    (outline,) = axis.patches
    assert outline.get_xy() == (min(2, wide - 1), 0)


def test_heat_map_with_a_hole_and_no_win():
    summary = sweep(3, 3).assign(win_rate=0.0).iloc[1:]
    charts = report_charts(summary, NO_COUNTS, NOTHING.iloc[:0], ["extra_gap", "near_gap"])
    assert_legible(charts[0])


def test_files_open_and_are_the_same_every_time(tmp_path):
    for folder in ("first", "second"):
        chart = by_name(report_charts(*tables(HOSTILE[:3], [2, 3])))["win-rate"]
        png, svg = save(chart, tmp_path / folder)
        assert (png.name, svg.name) == ("win-rate.png", "win-rate.svg")
        assert matplotlib.image.imread(png).shape[1] == 1600
        assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    for name in ("win-rate.png", "win-rate.svg"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_inline_charts_share_a_page():
    charts = report_charts(*tables(HOSTILE, [2, 3]))
    charts += report_charts(sweep(4, 3), NO_COUNTS, NOTHING.iloc[:0], ["extra_gap", "near_gap"])[:1]
    page = [inline_svg(chart) for chart in charts]
    seen: set[str] = set()
    for chart, text in zip(charts, page, strict=True):
        root = ElementTree.fromstring(text)
        assert text.startswith("<svg ")
        assert root.get("role") == "img"
        assert root.get("aria-label") == chart.alt
        assert root.get("viewBox")
        assert root.get("width") is root.get("height") is None
        assert {element.tag.rpartition("}")[2] for element in root.iter()}.isdisjoint({"script", "style", "image"})
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert seen.isdisjoint(ids)
        seen.update(ids)
        used = re.findall(r'(?:href="|url\()#([^")]+)', text)
        assert set(used) == set(ids)
        assert set(re.findall(r'[a-z]+://[^"\s<]+', text)) == {"http://www.w3.org/2000/svg"}
        assert "var(--ink)" in text
        assert "#23272e" not in text
        assert "#d5d9de" not in text
        if chart.name != "heat-map":
            assert "var(--grid)" in text
        assert "#ffffff" not in text or chart.name == "heat-map"


def test_names_are_shown_in_one_line_of_known_glyphs():
    assert shown("greedy") == "greedy"
    assert shown("\n") == "?"
    assert shown("two\nlines\x00") == "two lines"
    assert shown("策略 a\ud800") == "?? a"
    long = shown("reservation:" + "x" * 100 + "=1")
    assert len(long) <= 40
    assert long.startswith("reservation:")
    assert long.endswith("x=1")
    assert "…" in long
    names = [look.name for look in looks(["a" * 80, "a" * 90, "b"]).values()]
    assert len(set(names)) == 3


def test_ten_strategies_look_different_without_colour_too():
    ten = list(looks(map(str, range(10))).values())
    assert len({look.colour for look in ten}) == len({look.marker for look in ten}) == 10


@pytest.mark.parametrize("wanted", [[0.5], [0.5, 0.5, 0.5], [0.0, 0.01, 0.9, 1.0], [1, 1, 1, 0], [0.3, 0.1, 0.2]])
def test_spread_keeps_apart_in_order_and_within(wanted):
    placed = spread(wanted, 0.1)
    ordered = [placed[index] for index in sorted(range(len(wanted)), key=lambda index: wanted[index])]
    assert all(after - before >= 0.1 - 1e-9 for before, after in itertools.pairwise(ordered))
    assert min(placed) >= -1e-9
    assert max(placed) <= 1 + 1e-9


def test_spread_leaves_alone_what_is_apart_and_centres_what_is_not():
    assert spread([0.2, 0.8], 0.1) == pytest.approx([0.2, 0.8])
    assert spread([0.5, 0.5], 0.1) == pytest.approx([0.45, 0.55])


@pytest.mark.parametrize("name", ["win-rate", "leftovers"])
def test_an_inline_chart_leaves_its_title_to_the_page(name):
    chart = by_name(report_charts(*tables(["greedy", "random"], [2, 3])))[name]
    [high] = re.findall(r'viewBox="0 0 576 ([\d.]+)"', save_text(chart))
    top, rest = map(float, re.findall(r'viewBox="0 ([\d.]+) 576 ([\d.]+)"', inline_svg(chart))[0])
    assert 12 < top < 30
    assert top + rest == pytest.approx(float(high), abs=0.01)


def save_text(chart: Chart) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return save(chart, folder)[1].read_text(encoding="utf-8")


def test_lines_of_an_inline_chart_follow_the_page():
    text = inline_svg(by_name(report_charts(*tables(TEN, [2, 3])))["win-rate"])
    assert {f"var(--line-{place}, #" in text for place in range(10)} == {True}


def test_whole_values_of_a_sweep_have_whole_ticks():
    axis = Figure().subplots()
    sweep_curve(sweep(5), axis, "extra_gap")
    assert all(float(tick).is_integer() for tick in axis.get_xticks())


def test_a_sweep_is_named_after_who_played():
    titles = [
        report_charts(summary, NO_COUNTS, NOTHING.iloc[:0], vary)[0].title
        for summary, vary in [(sweep(3), ["extra_gap"]), (sweep(3, 2, [2, 5]), ["extra_gap", "near_gap"])]
    ]
    assert titles == ["greedy with 3 players: games won by extra_gap", "greedy: games won by extra_gap and near_gap"]
