"""Where compiled kernels are kept between runs. Must not know what is in them."""

import os
import shutil
import warnings
from pathlib import Path

import platformdirs

MOST_ENTRIES = 500


def cache_root() -> Path:
    """The folder of all compiled kernels; THEGAME_CACHE_DIR moves it."""
    return Path(os.environ.get("THEGAME_CACHE_DIR") or platformdirs.user_cache_dir("thegame"))


def cache_entry(key: str, described: str) -> Path | None:
    """The file in whose folder numba keeps the kernel of this key; None, said once, if nothing can be kept."""
    folder = cache_root() / key
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            drop_oldest()
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "the folder is read-only")
        stamp = folder / "kernel.py"
        try:
            # numba takes the file's time for its version: it is written once and never again.
            with stamp.open("x", encoding="utf-8") as file:
                file.write(f"# {described!a}\n")
        except FileExistsError:
            pass
        os.utime(folder)
    except OSError as problem:
        warn_uncached(problem)
        return None
    return stamp


def warn_uncached(problem: Exception) -> None:
    """Say that strategies will be compiled in every process."""
    warnings.warn(
        f"Compiled strategies cannot be kept in {cache_root()} ({problem}), so every start compiles them anew; "
        "set THEGAME_CACHE_DIR to a writable folder.",
        stacklevel=2,
    )


def drop_oldest() -> None:
    """Forget the kernels that were not used for the longest time, when there are very many."""
    entries = [entry for entry in cache_root().iterdir() if (entry / "kernel.py").is_file()]
    if len(entries) <= MOST_ENTRIES:
        return
    for entry in sorted(entries, key=lambda entry: entry.stat().st_mtime)[:-MOST_ENTRIES]:
        shutil.rmtree(entry, ignore_errors=True)
