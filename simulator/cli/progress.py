"""How far it is, on stderr, for people at a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

COMPILING = "compiling {}, once ..."


def announce(name: str) -> None:
    """Say that a strategy is being compiled, where there is no bar."""
    click.echo(COMPILING.format(name), err=True)


class Bar:
    """A bar over all games of a command; silent if nobody watches."""

    def __init__(self, total: int) -> None:
        self.base = 0  # games of the parts that are done
        self.total = total
        self.bar: Any = None
        if sys.stderr.isatty():
            self.bar = games_bar(total)

    def __call__(self, games: int) -> None:
        """Tell how many games of the current part are played."""
        if self.bar is not None:
            self.bar.update(self.base + games - self.bar.n)

    def expect(self, more: int) -> None:
        """More games are to be played than it was thought."""
        self.total += more
        if self.bar is not None:
            self.bar.total = self.total

    def done(self, games: int) -> None:
        """A part is finished: the next one counts from here."""
        self.base += games
        self(0)

    def say(self, text: str) -> None:
        """Print a line without breaking the bar."""
        if self.bar is None:
            click.echo(text, err=True)
        else:
            self.bar.write(text, file=sys.stderr)

    def announce(self, name: str) -> None:
        """Say that a strategy is being compiled, so that nobody thinks it hangs."""
        self.say(COMPILING.format(name))


def games_bar(total: int) -> Any:
    """tqdm's bar, with games per minute."""
    from tqdm import tqdm

    class GamesBar(tqdm):
        @property
        def format_dict(self) -> dict[str, Any]:
            fields = super().format_dict
            rate = fields["rate"] or (fields["n"] / fields["elapsed"] if fields["elapsed"] else 0)
            return {**fields, "per_minute": tqdm.format_sizeof(60 * rate) if rate else "?"}

    layout = "{percentage:3.0f}% |{bar:24}| {n_fmt} of {total_fmt} games, {per_minute} a minute, {remaining} left"
    return GamesBar(
        total=total,
        bar_format=layout,
        unit_scale=True,
        leave=False,
        dynamic_ncols=True,
        smoothing=0.1,
        miniters=0,  # after quick games, slow ones must move it too
    )


@contextmanager
def progress_bar(total: int) -> Iterator[Bar]:
    """A bar that is gone when the games are."""
    bar = Bar(total)
    try:
        yield bar
    finally:
        if bar.bar is not None:
            bar.bar.close()
