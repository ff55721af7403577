"""``thegame report``: charts and tables again from saved results."""

from pathlib import Path

import click

from simulator.cli.output import conclude, report_option


@click.command(short_help="Draw a report again from saved results.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@report_option("thegame-report")
def report(files: tuple[Path, ...], output: Path) -> None:
    """Draw charts and tables from saved results (.csv, .json, .parquet, or a report's folder); no game is played.

    Results of the same experiment over different games are added up.

    Example: thegame report monday.json tuesday.json -o both
    """
    from reports.files import read_results
    from reports.report import check_report
    from reports.saved import add_up

    check_report(output)
    conclude(add_up([read_results(file) for file in files]), output, [])
