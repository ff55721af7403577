"""A report: a folder with a page, charts, tables, and the results themselves."""

import itertools
from collections.abc import Sequence
from pathlib import Path

from reports.commands import commands, confirmation, replay, span
from reports.files import read_results, write_results, write_spare
from reports.saved import Saved
from reports.statistics import Interval
from reports.summary import odd_rules, summary_rows
from reports.text import percent, plural, rounded, signed, summary_cells, with_players
from reports.verdicts import all_pairs, baseline_pairs, by_wins, headlines, names_of, pair_verdicts, sweep_verdicts
from reports.writing import check_folder, whole_folder, write_whole
from simulator.errors import InputError
from simulator.result import Ranges, either

CHARTS = ("leftovers", "cumulative", "win-rate", "mean-left", "paired", "sweep", "heat-map")
TABLES = ("index.html", "results.json", "results.csv", "summary.csv", "pairs.csv")
FILES = frozenset([*TABLES, *(f"{name}.{ending}" for name in CHARTS for ending in ("png", "svg"))])
WHY = {"win": "first win of", "close": "narrowest loss of", "worst": "worst game of"}
FEW_SENTENCES = 5  # more need summing up
MOST_GAMES = 8


def check_report(folder: Path) -> None:
    """Refuse a folder that a report cannot take, before any game is played for it."""
    check_folder(folder, FILES)
    if folder.is_dir() and any(folder.iterdir()):
        try:
            read_results(folder)
        except InputError:
            raise InputError(f"{folder} is not empty and not a report; give a new or empty folder with -o.") from None


def verdicts(saved: Saved) -> list[str]:
    """What the results say, in sentences."""
    if saved.vary and len(saved.comparisons) == 1:
        again = confirmation(saved)
        advice = "The best of many on the same decks is flattered a little. To meet it on others:"
        return [*sweep_verdicts(saved), *([f"{advice} {again}"] if again else [])]
    return pair_verdicts(saved)


def save_partial(folder: Path, saved: Saved) -> Path:
    """Keep what an interrupted run has finished; an earlier report that stands there is left alone."""
    if folder.is_dir() and any(folder.iterdir()):
        return write_spare(folder.with_name(f"{folder.name}.json"), saved)
    with whole_folder(folder) as place:
        write_results(place / "results.json", saved)
    return folder / "results.json"


def write_report(folder: Path, saved: Saved, sentences: Sequence[str], warnings: Sequence[str] = ()) -> None:
    """Write the whole report, or nothing."""
    from reports.charts import inline_svg, report_charts, save
    from reports.page import Page, Picture, render
    from reports.table import chart_counts, pairs_frame, summary_frame

    summary = summary_frame(saved.results, saved.vary)
    paired = pairs_frame([] if saved.vary else baseline_pairs(saved))
    charts = report_charts(summary, chart_counts(saved.results), paired, saved.vary)
    summed_up = headlines(saved) if len(sentences) > FEW_SENTENCES and not saved.vary else []
    page = Page(
        title="The Game: " + ("a sweep" if saved.vary else "strategies compared" if saved.comparisons else "results"),
        lead=lead(saved),
        headlines=summed_up or sentences,
        verdicts=sentences if summed_up else [],
        pictures=[Picture(chart.name, chart.title, chart.alt, inline_svg(chart)) for chart in charts],
        tables=tables(saved),
        games=games_worth_replaying(saved),
        facts=facts(saved),
        commands=commands(saved),
        warnings=[*warnings, *unpaired(saved)],
    )
    with whole_folder(folder) as place:
        for chart in charts:
            save(chart, place)
        write_results(place / "results.json", saved)
        write_results(place / "results.csv", saved)
        summary.to_csv(place / "summary.csv", index=False)
        pairs_frame(all_pairs(saved)).to_csv(place / "pairs.csv", index=False)
        write_whole(place / "index.html", render(page).encode())


def lead(saved: Saved) -> str:
    """What was played, in a sentence."""
    experiments = [result.experiment for result in saved.results]
    strategies = list(dict.fromkeys(experiment.strategy for experiment in experiments))
    players = sorted({experiment.rules.players for experiment in experiments})
    games = sum(result.games for result in saved.results)
    odd = sorted({odd_rules(experiment) for experiment in experiments} - {""})
    who = plural(len(strategies), "strategy").replace("strategys", "strategies")
    return (
        f"{plural(games, 'game')}: {who} with {span(players)} player{'s' if players != [1] else ''}"
        f"{', all on the same decks' if saved.comparisons else ''}. "
        f"{'Standard rules' if not odd else 'Rules: ' + '; '.join(odd)}. "
        "A game with no card left is won, one with fewer than ten left is excellent. "
        "Every rate comes with its 95 % interval."
    )


def unpaired(saved: Saved) -> list[str]:
    """Why there are rows but no comparison."""
    if saved.comparisons or len(saved.results) < 2:
        return []
    return [
        "These results hold no paired games, so strategies are not compared here: thegame compare plays them on the "
        "same decks."
    ]


def tables(saved: Saved) -> list:
    """The summary and the pairs as sortable tables."""
    from reports.page import Cell, Table

    summary, rows = summary_rows(saved.results), []
    for row in summary:
        sorts = [None, *(row[name] for name in ("players", "games", "win_rate", "win_low", "excellent_rate"))]
        sorts += [row[name] for name in ("mean", "median", "p5", "games_per_minute")]
        rows.append([Cell(text, sort) for text, sort in zip(summary_cells(row).values(), sorts, strict=True)])
    found = [Table("Results", list(summary_cells(summary[0])), rows)]
    pairs = [] if saved.vary else all_pairs(saved)
    if pairs:
        columns = [
            "strategy",
            "against",
            "players",
            "games",
            "wins more, points",
            "95 % interval",
            "leads %",
            "trails %",
        ]
        columns += ["cards left more", "95 % interval"]
        found.append(
            Table(
                "Pairs, on the same decks",
                columns,
                [
                    [
                        Cell(pair.label),
                        Cell(pair.against),
                        Cell(str(pair.first.rules.players), pair.first.rules.players),
                        Cell(f"{pair.games:,}", pair.games),
                        Cell(signed(100 * pair.difference.value), pair.difference.value),
                        Cell(ends(pair.difference, 100), pair.difference.low),
                        Cell(percent(pair.leads, 1), pair.leads),
                        Cell(percent(pair.trails, 1), pair.trails),
                        Cell(signed(pair.mean_difference.value), pair.mean_difference.value),
                        Cell(ends(pair.mean_difference), pair.mean_difference.low),
                    ]
                    for pair in pairs
                ],
                "Differences are strategy minus against, over the same deals. "
                "Leads: deals in which it has fewer cards left.",
            )
        )
    return found


def ends(interval: Interval, scale: float = 1) -> str:
    """Both ends of an interval."""
    return f"{signed(scale * interval.low)} to {signed(scale * interval.high)}"


def games_worth_replaying(saved: Saved) -> list:
    """A few games to look at: where the best shines, then a win, a close and a bad game of the best."""
    from reports.page import Game

    names = names_of(saved)
    found: list[Game] = []
    for comparison in saved.comparisons[: 1 if saved.vary else None]:
        best = by_wins(comparison)[0]
        for (better, worse), swing in sorted(comparison.swings.items()):
            if better == best and worse == (0 if best else by_wins(comparison)[1]):
                one, other = comparison.experiments[better], comparison.experiments[worse]
                outcome = "wins" if swing.better == 0 else f"leaves {swing.better}"
                why = f"{names[one.key]} {outcome}, {names[other.key]} leaves {swing.worse}"
                found.append(Game(f"{why} ({with_players(one.rules.players)})", replay(one, swing.game)))
    results = sorted(saved.results, key=lambda result: -result.win_rate)
    for result, kind in itertools.product(results[:1], WHY):
        if kind in result.landmarks:
            mark = result.landmarks[kind]
            left = "" if kind == "win" else f", {mark.leftover} left"
            why = f"{WHY[kind]} {names[result.experiment.key]} ({with_players(result.rules.players)}){left}"
            found.append(Game(why, replay(result.experiment, mark.game)))
    return found[:MOST_GAMES]


def facts(saved: Saved) -> list[tuple[str, str]]:
    """How the results were made."""
    seconds = sum(result.seconds for result in saved.results)
    games = sum(result.games for result in saved.results)
    versions: dict[str, str] = {}
    for result in saved.results:
        versions = {name: either(version, versions.get(name, "")) for name, version in result.versions.items()}
    hashes = {result.strategy.partition(":")[0]: result.content_hash[:12] for result in saved.results}
    return [
        (
            "games",
            f"{games:,} in {seconds:,.1f} seconds" + (f", {rounded(60 * games / seconds)} a minute" if seconds else ""),
        ),
        ("seed", ", ".join(sorted({str(result.seed) for result in saved.results}))),
        ("game numbers", "; ".join(sorted({ranges_text(result.ranges) for result in saved.results}))),
        ("started", min(result.started for result in saved.results)),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions.items())),
        ("code of the strategies", ", ".join(f"{name} {code}" for name, code in hashes.items())),
        ("intervals", "95 %; Wilson for rates, Bonett and Price for paired differences of rates"),
    ]


def ranges_text(ranges: Ranges) -> str:
    """Game numbers, as in 0 to 999,999."""
    return ", ".join(f"{first:,} to {first + games - 1:,}" for first, games in ranges)
