"""Every command and every program that the documentation shows is run, in a folder of its own."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from simulator import __version__, load, simulate
from simulator.cli import thegame
from simulator.loader import builtin_names

QUICK = ("greedy", "backward", "reservation")  # to play a million games of
ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def commands(text):
    return [line[2:] for block in blocks(text, "console") for line in block.splitlines() if line.startswith("$ ")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the README's strategy, as a reader would save it."""
    folder = tmp_path_factory.mktemp("reader")
    bot = next(block for block in blocks(README, "python") if "Strategy(" in block)
    (folder / "mybot.py").write_text(bot, encoding="utf-8")
    return folder


def run(words, folder):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("command", [c for c in commands(README) + commands(GUIDE) if c.startswith("thegame")])
def test_command(command, folder):
    done = run(shlex.split(command), folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_commands_of_the_reference_in_their_order(folder):
    """One after another, as some read what others have saved."""
    for command in commands(COMMANDS):
        done = run(shlex.split(command), folder)
        assert done.returncode == 0, (command, done.stderr)
        assert done.stdout.strip(), command


def test_the_reference_has_every_command_and_common_option():
    for name, command in thegame.commands.items():
        assert f"## {name}: " in COMMANDS
        assert any(line.startswith(f"thegame {name} ") or line == f"thegame {name}" for line in commands(COMMANDS))
        for option in command.params:
            longest = max(option.opts, key=len)
            assert f"`{longest}" in COMMANDS or not longest.startswith("--") or longest == "--output", (name, longest)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_set_up_as_shown(shell, folder):
    line = re.search(rf"`(?:eval \"\$\()?(_THEGAME_COMPLETE={shell}_source thegame)", COMMANDS)[1]
    done = run(["sh", "-c", line], folder)
    assert "_THEGAME_COMPLETE" in done.stdout, done.stderr


def test_links_and_pictures_lead_somewhere():
    for text, place in [(README, ROOT), (GUIDE, ROOT / "docs"), (COMMANDS, ROOT / "docs")]:
        for target in re.findall(r"\]\(([^)#]+)", text):
            assert (place / target).is_file(), target


def test_the_verdict_shown_is_that_of_the_default_comparison(tmp_path):
    [verdict] = [block.strip() for block in blocks(README, "text") if "points more than" in block]
    done = run(shlex.split(f"thegame compare -s greedy -s reservation -p 4 -o {tmp_path / 'shown'}"), tmp_path)
    assert verdict in done.stdout.splitlines()


@pytest.mark.parametrize("command", [c for c in commands(README) if not c.startswith("thegame")])
def test_make_target_exists(command):
    tool, target = command.split()
    assert tool == "make"
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)


def test_replay_excerpt_is_real(folder):
    excerpt = next(block for block in blocks(README, "text") if "hears" in block)
    shown = run(shlex.split("thegame replay reservation -p 4 --seed 1 --game 5"), folder).stdout
    assert excerpt in shown


def test_ten_line_strategy_is_greedy_that_goes_on(folder):
    bot = next(block for block in blocks(README, "python") if "Strategy(" in block)
    body = bot[bot.index("def choose") : bot.index("strategy =")].strip().splitlines()
    assert len(body) <= 10
    mine = simulate(load(str(folder / "mybot.py")), 3, 20_000)
    assert mine.counts.tolist() == simulate("greedy:extra_gap=3", 3, 20_000).counts.tolist()


def test_python_example_runs(folder):
    example = next(block for block in blocks(README, "python") if "simulator.simulate" in block)
    done = run([sys.executable, "-c", example], folder)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[0]) > 0


def test_guide_strategy_plays(tmp_path):
    (tmp_path / "polite.py").write_text(blocks(GUIDE, "python")[0], encoding="utf-8")
    loud = simulate(str(tmp_path / "polite.py"), 4, 3000)
    assert loud.counts.tolist() != simulate(str(tmp_path / "polite.py"), 4, 3000, silent=True).counts.tolist()


def test_guide_names_everything_a_strategy_may_use():
    import simulator
    from simulator.view import View

    for name in View._fields:
        assert f"`{name}`" in GUIDE or f"`{name}," in GUIDE, name
    words = {"Deck", "InputError", "NO_GAP", "Result", "Rules", "StrategyError", "View", "load", "play_out", "simulate"}
    for name in set(simulator.__all__) - words:
        assert re.search(rf"`[^`]*\b{name}\b[^`]*`", GUIDE), name


def test_results_table_shows_what_is_played():
    """Every strategy is there; that the table is of today's play, its signature tells (test_bench)."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", README, flags=re.MULTILINE)
    assert sorted(name for name, _ in rows) == builtin_names()
    for name, cells in rows:
        shown = re.findall(r"\*\*([\d.]+) %\*\*<br>([\d.]+) left<br>[\d.]+ [Mk]?/min", cells)
        assert len(shown) == 5
        if name in QUICK:
            played = [simulate(name, players, 1_000_000, seed=1) for players in range(1, 6)]
            assert shown == [(f"{100 * result.win_rate:.2f}", f"{result.mean_leftover:.2f}") for result in played]


@pytest.mark.parametrize("file", [".ci/run", ".github/workflows/test.yml", ".github/workflows/benchmark.yml"])
def test_what_ci_runs_is_there(file):
    text, makefile = ((ROOT / name).read_text(encoding="utf-8") for name in (file, "Makefile"))
    targets = re.findall(r"\bmake (?:-C \w+ )?([\w./-]+)", text)
    assert targets
    for target in targets:
        assert re.search(rf"^{re.escape(target.replace('.venv', '$(VENV)'))}:", makefile, flags=re.MULTILINE), target
    for command in re.findall(r"bin/thegame (.*?)(?: >.*)?$", text + makefile, flags=re.MULTILINE):
        words = [word for word in shlex.split(command) if word.startswith("-")]
        name = shlex.split(command)[0]
        known = {option for parameter in thegame.commands[name].params for option in parameter.opts}
        assert set(words) <= known, command


def test_versions_agree():
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["version"] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
