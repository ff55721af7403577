"""The command ``thegame``. Tables go to stdout, everything else to stderr; no traceback reaches a user.

A file per command. Nothing heavy is imported at the top, so that --help answers at once.
"""

import io
import os
import sys
import warnings

import click

from simulator import __version__
from simulator.cli.bench import bench
from simulator.cli.compare import compare
from simulator.cli.replay import replay
from simulator.cli.report import report
from simulator.cli.simulate import simulate
from simulator.cli.strategies import strategies
from simulator.cli.sweep import sweep
from simulator.errors import InputError, OutputError, StrategyError


@click.group(
    invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="thegame")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.pass_context
def thegame(context: click.Context, debug: bool) -> None:
    """Play millions of games of The Game, the cooperative card game, with strategies of yours.

    A strategy is named like this: greedy, greedy:extra_gap=3, my_bot.py, my_bot.py:name, package.module:name.

    Example: thegame compare -s greedy -s my_bot.py -p 1-5 -n 1M
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        raise SystemExit(2)


for command in (simulate, compare, sweep, replay, strategies, report, bench):
    thegame.add_command(command)


def main() -> None:
    """Run the command; turn every expected problem into a sentence and an exit code."""
    debug = "--debug" in sys.argv
    warnings.showwarning = lambda message, *_: click.echo(f"thegame: {message}", err=True)
    open_streams()
    stdout = sys.stdout
    try:
        words = [word for word in sys.argv[1:] if word != "--debug"]  # wherever it stands
        thegame(words, standalone_mode=False)
        sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        leave(130)
    except SystemExit as end:
        # Of a pipe that nobody reads any more, click makes an exit with 1, and another stdout.
        leave(int(end.code or 0) if sys.stdout is stdout else 0)
    except click.UsageError as problem:
        reason = problem.format_message()
        reason += "" if reason.endswith((".", "?", "!")) else "."
        asked = f" See '{problem.ctx.command_path} --help'." if problem.ctx is not None else ""
        fail(reason + asked, 2)
    except BrokenPipeError:
        leave(0)
    except (InputError, StrategyError, OutputError, OSError, MemoryError) as problem:
        if debug:
            raise
        reason = str(problem)
        if isinstance(problem, MemoryError):
            reason = "There is not enough memory for this; ask for less at once."
        elif isinstance(problem, OSError):
            reason = f"The output cannot be written: {problem.strerror or problem}."
        fail(reason, 2 if isinstance(problem, InputError) else 1)
    except Exception as problem:
        if debug:
            raise
        fail(
            f"This is a defect of the program ({type(problem).__name__}: {problem}); thegame --debug ... shows where.",
            1,
        )


def open_streams() -> None:
    """Let neither a closed stream nor a letter that it cannot show end the program."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def fail(reason: str, code: int) -> None:
    """Say what is wrong, and end."""
    click.echo(f"thegame: {reason}", err=True)
    leave(code)


def leave(code: int) -> None:
    """End at once: neither a strategy that never returns nor output that nobody takes may hold the program up."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or 1 if stream is sys.stderr else code
    os._exit(code)
