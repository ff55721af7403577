"""The command line: what it prints, and how it refuses."""

import json
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from simulator import __version__
from simulator.cli import thegame


def run(*words, folder=None, timeout=120):
    program = [sys.executable, "-m", "simulator", *map(str, words)]
    return subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False)


def test_every_command_has_help_with_an_example():
    for name, command in thegame.commands.items():
        shown = CliRunner().invoke(thegame, [name, "--help"])
        assert shown.exit_code == 0
        assert f"Example: thegame {name}" in " ".join(shown.output.split()), name
        assert all(option.help for option in command.params if isinstance(option, click.Option)), name


def test_version():
    assert __version__ in run("--version").stdout


def test_help_imports_nothing_heavy():
    program = "import sys; sys.argv = ['thegame', '--help']\nfrom simulator.cli import main\n"
    program += "try:\n    main()\nexcept SystemExit:\n    pass\n"
    program += "import json; print(json.dumps([m for m in ('numba', 'pandas', 'matplotlib') if m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_compare_prints_a_row_per_strategy_and_player_count(tmp_path):
    done = run("compare", "-n", "2000", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = done.stdout.partition("\n\n")[0].splitlines()
    assert len(rows) == 16
    assert [row.split()[0] for row in rows[1:]] == ["greedy"] * 5 + ["backward"] * 5 + ["reservation"] * 5


def test_replay_of_a_win_and_a_loss():
    lost = run("replay", "greedy", "-p", "3", "--game", "0")
    assert "47 cards left. Player" in lost.stdout
    won = run("replay", "reservation", "-p", "5", "--game", "4")
    assert won.returncode == 0


def test_strategies_lists_parameters():
    shown = run("strategies").stdout
    for name in ("random", "greedy", "backward", "reservation", "near_gap=3"):
        assert name in shown


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["replay", "gredy"], 2, "did you mean 'greedy'?"),
        (["replay", "greedy:extra_gab=3"], 2, "did you mean 'extra_gap'?"),
        (["replay", "greedy:extra_gap=x"], 2, "parameters are written name=number"),
        (["replay", "nowhere.py"], 2, "There is no file nowhere.py"),
        (["replay", "no.such.module:bot"], 2, "There is no module"),
        (["replay", "greedy", "-p", "0"], 2, "players must be from 1 to 5, not 0"),
        (["replay", "greedy", "-p", "6"], 2, "players must be from 1 to 5, not 6"),
        (["replay", "greedy", "-p", "x"], 2, "not a valid integer"),
        (["replay", "greedy", "--seed", "-1"], 2, "seed must be from 0"),
        (["replay", "greedy", "--game", "-1"], 2, "game must be from 0"),
        (["replay", "greedy", "--minimum", "9"], 2, "minimum must be from 1 to 6"),
        (["replay", "greedy", "--hand-size", "0"], 2, "hand size must be from 1 to 10"),
        (["replay", "greedy", "--starter", "worst"], 2, "Unknown starter 'worst'"),
        (["replay", "greedy", "--smaller-hands"], 2, "goes with expert"),
        (["compare", "-n", "-5"], 2, "'-5' is no number of games"),
        (["compare", "--threads", "0"], 2, "threads must be from 1"),
        (["comprae"], 2, "No such command"),
        (["replay"], 2, "Missing argument"),
    ],
)
def test_bad_input(words, code, says):
    done = run(*words)
    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_broken_strategy_is_shown(tmp_path):
    bot = tmp_path / "broken.py"
    bot.write_text(
        "from simulator import Strategy\ndef choose(view, params):\n    return -1\nstrategy = Strategy(choose)\n"
    )
    done = run("replay", str(bot), "-p", "2")
    assert done.returncode == 1
    assert "stops after 0 of 2 cards although another fits" in done.stdout
    assert "Traceback" not in done.stderr
