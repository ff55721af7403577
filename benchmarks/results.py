"""Writes the README's table of results and its picture: ``make results``.

The table carries the signature of the play it shows, so that a test can tell when it is out of date.
"""

import re
import sys
import tempfile
from datetime import date
from pathlib import Path

import click

from benchmarks.machine import machine
from benchmarks.run import record
from benchmarks.speed import spread
from reports.charts import report_charts, save
from reports.statistics import mean_and_error, wilson
from reports.table import chart_counts, pairs_frame, summary_frame
from reports.text import percent, plural, rounded
from simulator.batch import simulate
from simulator.loader import builtin_names, load
from simulator.result import Result
from simulator.rules import MOST_PLAYERS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "win-rate.png"
PICTURED = ("greedy", "backward", "reservation")
GAMES = 1_000_000
SEED = 1
PLAYERS = range(1, MOST_PLAYERS + 1)
BLOCK = re.compile(r"<!-- results: signature (\w+)[^>]*-->\n(.*?)<!-- end of results -->", re.DOTALL)


def main() -> None:
    """Play, measure and write."""
    strategies = [load(name) for name in builtin_names()]
    places = [(strategy.label, players) for strategy in strategies for players in PLAYERS]
    with click.progressbar(places, label="playing", file=sys.stderr) as bar:
        results = {(name, players): simulate(name, players, GAMES, SEED) for name, players in bar}
    measured = record(strategies, PLAYERS)
    speeds = {place: 60 * spread(rates).median for place, rates in measured.rates.items()}
    write(README, block(results, speeds, measured.signature))
    draw([results[name, players] for name in PICTURED for players in PLAYERS])


def block(results: dict[tuple[str, int], Result], speeds: dict[tuple[str, int], float], signature: str) -> str:
    """The text between the marks, and the marks."""
    widest = max((high - low) / 2 for low, high in (wilson(result.wins, result.games) for result in results.values()))
    error = max(mean_and_error(result.counts.tolist())[1] for result in results.values())
    lines = [
        f"<!-- results: signature {signature}; written by make results -->",
        f"**Games won**, mean of cards left, games per minute on one core: {GAMES:,} games each, seed {SEED}, standard",
        f"rules, {date.today().isoformat()}, on an {machine()['processor']}. Win rates ± {100 * widest:.2f} points or "
        f"better (95 %, Wilson), means ± {error:.2f} (standard error).",
        "",
        "| strategy | " + " | ".join(plural(players, "player") for players in PLAYERS) + " |",
        "|---" * (len(PLAYERS) + 1) + "|",
    ]
    for name in sorted({name for name, _ in results}, key=lambda name: -results[name, MOST_PLAYERS].win_rate):
        cells = [
            f"**{percent(results[name, players].win_rate)} %**<br>{results[name, players].mean_leftover:.2f} left"
            f"<br>{rounded(speeds[name, players])}/min"
            for players in PLAYERS
        ]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "<!-- end of results -->"])


def write(file: Path, text: str) -> None:
    """Put the text in the place of the old one."""
    old = file.read_text(encoding="utf-8")
    if len(BLOCK.findall(old)) != 1:
        raise SystemExit(f"{file.name} has no place for the results; it is marked by comments.")
    file.write_text(BLOCK.sub(lambda _: text, old), encoding="utf-8")


def draw(results: list[Result]) -> None:
    """The README's picture: the first chart of the default comparison."""
    nothing = pairs_frame([])
    with tempfile.TemporaryDirectory() as folder:
        picture, _ = save(report_charts(summary_frame(results), chart_counts(results), nothing)[0], folder)
        PICTURE.write_bytes(picture.read_bytes())


def shown_signature(text: str) -> str:
    """The signature of the play that a README shows."""
    [(signature, _)] = BLOCK.findall(text)
    return signature


if __name__ == "__main__":
    main()
