"""Files of saved runs: JSON, CSV or Parquet, by the ending of the name. Never pickle, never half a file."""

import csv
from collections.abc import Callable
from pathlib import Path

from reports.checks import MalformedError
from reports.json_form import as_json, from_json
from reports.saved import Saved
from reports.text import printable
from reports.tidy_form import from_csv, from_parquet
from reports.writing import check_writable, spare_name, write_whole
from simulator.errors import InputError

READERS: dict[str, Callable[[bytes], Saved]] = {".csv": from_csv, ".json": from_json, ".parquet": from_parquet}
LONGEST_REASON = 300


def write_results(path: Path, saved: Saved) -> Path:
    """Write a file whole or not at all, in the form that its name's ending tells; returns the path."""
    if path.suffix == ".json":
        content = as_json(saved).encode()
    else:
        from reports.table import counts_frame

        frame = counts_frame(saved.results)
        if path.suffix == ".csv":
            # All texts in quotes: a carriage return in a name would otherwise end its row (Python 3.11).
            content = frame.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC).encode()
        else:
            content = frame.to_parquet(index=False)
    write_whole(path, content)
    return path


def write_beside(path: Path, saved: Saved) -> Path:
    """Keep what an interrupted run has finished; an earlier file that stands there is left alone."""
    return write_spare(path, saved) if path.exists() else write_results(path, saved)


def write_spare(path: Path, saved: Saved) -> Path:
    """Write a file under a name of its own near the path's; returns the place."""
    return write_results(spare_name(path, "kept" if saved.complete else "partial"), saved)


def check_ending(path: Path) -> None:
    """Refuse a name whose form is unknown or cannot be had, before any game is played for it."""
    if path.suffix not in READERS:
        raise InputError(f"Cannot tell the form of {path.name!r}; let the name end in {', '.join(READERS)}.")
    if path.suffix == ".parquet":
        try:
            import pyarrow  # type: ignore[import-untyped]  # noqa: F401
        except ImportError:
            raise InputError(
                "Parquet needs pyarrow: pip install 'thegame-simulator[parquet]', or choose .csv or .json."
            ) from None


def check_target(path: Path) -> None:
    """Refuse a target that cannot be written, or that exists and is something else than saved results."""
    check_ending(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file in it, such as {path / f'results{path.suffix}'}.")
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} to write {path.name} to; create it first.")
    if path.exists():
        try:
            read_results(path)
        except InputError:
            raise InputError(
                f"{path} exists and is not a result of this program; remove it, or choose another name."
            ) from None
    check_writable(path)


def read_results(path: Path) -> Saved:
    """What a saved file, or the folder of a report, holds; an InputError says what is wrong with it."""
    try:
        if path.is_dir():
            path = path / "results.json"
        content = path.read_bytes()
        check_ending(path)
        return READERS[path.suffix](content)
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; name a result saved with -o, or a report's folder.") from None
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}.") from None
    except MalformedError as problem:
        raise InputError(f"{path} is not a whole result of this program: {reason(problem)}.") from None


def reason(problem: MalformedError) -> str:
    """What is wrong with a file on one line of some length, whatever the names in it are."""
    told = printable(str(problem))
    return told if len(told) <= LONGEST_REASON else f"{told[: LONGEST_REASON // 2]} … {told[-LONGEST_REASON // 2 :]}"
