"""Files and folders that appear whole or not at all."""

import contextlib
import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from simulator.errors import InputError, OutputError


@contextlib.contextmanager
def named_problems(path: Path) -> Iterator[None]:
    """Turn what the system says of a failed write into one sentence."""
    try:
        yield
    except OSError as problem:
        raise OutputError(
            f"{path} cannot be written: {problem.strerror or problem}. Nothing was changed there."
        ) from None


def unfinished(path: Path) -> Path:
    """A hidden name beside the target, to write to before the target is replaced."""
    return path.with_name(f".{path.name}.{os.getpid()}.unfinished")


def spare_name(path: Path, word: str) -> Path:
    """A name beside the path that is not taken: results.json becomes results-partial-1.json."""
    names = (path.with_name(f"{path.stem}-{word}-{number}{path.suffix}") for number in itertools.count(1))
    return next(name for name in names if not name.exists())


def clear(path: Path) -> None:
    """Remove what a run that was killed may have left behind."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its target and move it there when all of it is on disk."""
    beside = unfinished(path)
    with named_problems(path):
        clear(beside)
        try:
            with beside.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Refuse a place where nothing can be written; only trying tells, of all that can be in the way."""
    beside = unfinished(path)
    with named_problems(path):
        clear(beside)
        beside.mkdir()
        beside.rmdir()


def check_folder(folder: Path, ours: frozenset[str]) -> None:
    """Refuse a folder that cannot be written, or that holds anything else than a report's files."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; give a folder for the report, such as {folder.stem}-report.")
    if folder.resolve() == Path.cwd():
        raise InputError("The report cannot take the place of the current folder; give a folder in it with -o.")
    if folder.is_dir():
        foreign = sorted(entry.name for entry in folder.iterdir() if entry.name not in ours)
        if foreign:
            raise InputError(
                f"{folder} holds {foreign[0]}, which is no part of a report; give a new or empty folder with -o."
            )
    elif not folder.absolute().parent.is_dir():
        raise InputError(f"There is no folder {folder.parent} to put {folder.name} in; create it first.")
    check_writable(folder.resolve())


@contextlib.contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Fill a folder beside the target; it takes the target's place when all went well."""
    folder = folder.resolve()
    beside, old = unfinished(folder), folder.with_name(f".{folder.name}.{os.getpid()}.old")
    with named_problems(folder):
        clear(beside)
        beside.mkdir()
        try:
            yield beside
            if folder.exists():
                os.rename(folder, old)
            os.rename(beside, folder)
        except OutputError as problem:  # of a file in it, whose hidden name means nothing to anybody
            raise OutputError(str(problem).replace(str(beside), str(folder))) from None
        finally:
            shutil.rmtree(beside, ignore_errors=True)
            if old.exists() and not folder.exists():
                os.rename(old, folder)
            shutil.rmtree(old, ignore_errors=True)
