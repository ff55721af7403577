"""``thegame bench``: how fast it plays, measured against yardsticks, and whether it still plays the same."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from simulator.cli.options import PercentType, PlayersType, load_all, strategy_option
from simulator.cli.progress import announce
from simulator.errors import InputError

if TYPE_CHECKING:
    from benchmarks.recording import Recording

MOST_ROUNDS = 1000
FAILED = 1


@click.command(short_help="Measure the speed against yardsticks; signature of play.")
@strategy_option
@click.option("-p", "--players", type=PlayersType(), default="1-5", show_default=True, help="3, or 1-5, or 2,4.")
@click.option(
    "--rounds",
    type=click.IntRange(1, MOST_ROUNDS),
    default=15,
    show_default=True,
    help="How often everything is measured, in turns.",
)
@click.option(
    "--compare", "old", type=click.Path(path_type=Path), metavar="OLD.json", help="Compare with this recording."
)
@click.option(
    "--tolerance",
    type=PercentType(),
    default="15%",
    show_default=True,
    help="With --compare: fail if a game takes longer by more than this, for sure.",
)
@click.option("--signature", "only_signature", is_flag=True, help="Print only the signature of play, in seconds.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Save the recording as .json.")
@click.option("--json", "as_json", is_flag=True, help="Print the recording as JSON, as -o FILE.json would save it.")
def bench(
    names: tuple[str, ...],
    players: tuple[int, ...],
    rounds: int,
    old: Path | None,
    tolerance: float,
    only_signature: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Measure how fast strategies are played, against the same game written in other ways, within a minute.

    Everything is measured in turns and in CPU time, so that a busy machine slows all alike: trust the ratios. The
    last line is a signature of how the built-in strategies play; it changes if, and only if, play does.

    Example: thegame bench -o before.json, then, after a change, thegame bench --compare before.json
    """
    from benchmarks.recording import check_target, read_recording, write_recording

    if output is not None:
        check_target(output)
    before = read_recording(old) if old is not None else None
    if only_signature:
        if names or output is not None or as_json:
            raise InputError("--signature prints one line; it goes with --compare alone.")
        show_signature(before)
        return
    from benchmarks.run import record
    from simulator.loader import builtin_names

    strategies = load_all(names or builtin_names())
    with click.progressbar(length=rounds, label="measuring", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        new = record(strategies, players, rounds, before.games if before else None, announce, bar.update)
    if output is not None:
        write_recording(output, new)
        click.echo(f"saved {output}", err=True)
    conclude(before, new, tolerance, as_json)


def show_signature(before: "Recording | None") -> None:
    """Print the signature alone; other play than before is a failure."""
    from benchmarks.signature import overall, signatures

    now = signatures(announce)
    click.echo(overall(now))
    if before is not None and now != before.signatures:
        click.echo(f"thegame: {other_play(before.signatures, now)}", err=True)
        raise SystemExit(FAILED)


def other_play(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Which strategies play other than before, in one sentence."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return f"Play is not what was recorded: {', '.join(names)}. If that is meant, record it anew."


def conclude(before: "Recording | None", new: "Recording", tolerance: float, as_json: bool) -> None:
    """Print tables, verdicts and signature; a regression is a failure."""
    from benchmarks import tables
    from benchmarks.recording import as_json as to_json
    from benchmarks.verdicts import LOST, common_yardstick, verdicts

    found = verdicts(before, new, tolerance) if before is not None else []
    if as_json:
        click.echo(to_json(new, **({"verdicts": [row.row() for row in found]} if found else {})), nl=False)
    else:
        click.echo(tables.whole(new) + "\n")
        if before is not None:
            click.echo(tables.comparison(found, common_yardstick(before, new), tolerance))
            for note in tables.differences(before, new):
                click.echo(note)
            click.echo()
        click.echo(f"signature {new.signature}")
    if any(row.verdict == LOST for row in found):
        raise SystemExit(FAILED)
