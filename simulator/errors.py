"""What can go wrong, as kinds: a wrong request, a broken strategy, output that cannot be written."""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """A wrong request. Its text is one sentence that says what is allowed."""


class StrategyError(Exception):
    """A strategy that cannot be loaded or compiled, or that breaks the rules."""


class OutputError(Exception):
    """Something that could not be written: a full disk, a folder that may not be written to."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, or all of them."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known are {', '.join(known)}." if known else "there are none."
