"""How the commands that write a report end: table, verdicts, the report itself, or what an interruption leaves."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.errors import InputError, StrategyError

if TYPE_CHECKING:
    from reports.saved import Saved


def report_option(default: str) -> Any:
    """The folder of the report."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        default=default,
        show_default=True,
        metavar="DIR",
        help="The folder of the report.",
    )


def show(saved: "Saved", sentences: Sequence[str] = (), warnings: Sequence[str] = (), as_json: bool = False) -> None:
    """Print the table and what it says."""
    from reports.json_form import as_json as to_json
    from reports.summary import summary_rows
    from reports.text import printable, summary_cells, text_table
    from reports.verdicts import all_pairs

    if as_json:
        pairs = [found.row() for found in all_pairs(saved)]
        click.echo(to_json(saved, pairs=pairs, verdicts=sentences, warnings=warnings), nl=False)
        return
    click.echo(text_table([summary_cells(row) for row in summary_rows(saved.results)]))
    if sentences or warnings:
        click.echo()
    for sentence in [*sentences, *warnings]:
        click.echo(printable(sentence))


def conclude(
    saved: "Saved",
    output: Path,
    sentences: Sequence[str],
    as_json: bool = False,
    wanted: int = 0,
    ended: BaseException | None = None,
) -> None:
    """Print, and write the report. If something ended the ``wanted`` games early, keep the rest and raise it."""
    from reports.report import check_report, verdicts, write_report

    sentences = [*sentences, *verdicts(saved)]
    warnings = [] if saved.complete else [partial_note(saved, wanted)]
    unseen: OSError | None = None
    try:
        try:
            show(saved, sentences, warnings, as_json)
        except OSError as problem:  # a reader that ended early must not cost the games
            unseen = problem
        if ended is not None:
            raise ended  # drawing takes seconds, and whoever pressed Ctrl-C does not want to wait
        check_report(output)  # somebody may have put things there since the games began
        write_report(output, saved, sentences, warnings)
        click.echo(f"report: {output / 'index.html'}", err=True)
    except (KeyboardInterrupt, StrategyError, InputError):
        if wanted:
            keep(saved, output)
        raise
    if unseen is not None:
        raise unseen


def keep(saved: "Saved", output: Path) -> None:
    """Save the results without a report."""
    from reports.report import save_partial

    place = save_partial(output, saved)
    partial = "" if saved.complete else ", as partial"
    click.echo(f"saved {place}{partial}; charts: thegame report {place} -o DIR", err=True)


def partial_note(saved: "Saved", wanted: int) -> str:
    """What an interrupted run says of itself."""
    if not wanted:
        return "Partial: at least one of the runs was interrupted."
    return f"Partial: interrupted after {sum(result.games for result in saved.results):,} of {wanted:,} games."
