"""How the program behaves among others: Ctrl-C, pipes that close, terminals and none, the Tab key, a quick --help."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simulator import Rules, __version__, simulate
from simulator.cli import thegame
from simulator.cli.progress import Bar
from tests.program import PROGRAM, Terminal, call, files_in, run

pytestmark = pytest.mark.usefixtures("compiled")

MANY = "1G"
PLAYING = r"[1-9][\d.]*[kM] of"  # what the bar shows when thousands of games are played
SLOW = """
from simulator import *

def choose(view, params):
    best, move = NO_GAP, STOP
    for pile in range(view.piles):
        for card in cards_in(playable(view, pile)):
            if gap(view, card, pile) < best:
                best, move = gap(view, card, pile), play(card, pile)
    number = 1
    for step in range(params.work):
        number = number * 6364136223846793005 + step
        if number == 0:
            return STOP
    return STOP if view.laid_this_turn >= view.minimum else move

strategy = Strategy(choose, params={"work": 10_000_000})
"""


def saved(place):
    return json.loads(place.read_text())


def check_partial(document, strategies):
    """The file says that it is not all, and every count of it is that of a fresh run over the same games."""
    assert document["complete"] is False
    assert document["results"]
    for result in document["results"]:
        counts = 0
        for first, games in result["ranges"]:
            rules = Rules(result["rules"]["players"])
            counts += simulate(result["strategy"], rules=rules, games=games, first_game=first, seed=1).counts
        assert counts.tolist() == result["counts"]
        assert result["strategy"] in strategies


def note(document):
    games = sum(result["games"] for result in document["results"])
    return rf"Partial: interrupted after {games:,} of [\d,]+ games\."


# ---- Ctrl-C


def test_an_interrupted_simulation_keeps_what_is_finished(tmp_path):
    words = ["simulate", "-s", "greedy", "-s", "backward", "-p", "2,3", "-n", MANY, "-o", "part.json"]
    with Terminal(*words, folder=tmp_path) as terminal:
        terminal.wait_for(PLAYING)
        assert terminal.interrupt() == 130
    document = saved(tmp_path / "part.json")
    check_partial(document, ["greedy"])
    assert not document["results"][0]["complete"]
    assert re.search(note(document), terminal.stdout)
    assert "of 4,000,000,000 games" in terminal.stdout
    assert terminal.shown.endswith("saved part.json, as partial\r\n")
    assert list(files_in(tmp_path)) == ["part.json"]


def test_an_interrupted_simulation_leaves_an_earlier_result_alone(tmp_path):
    words = ["simulate", "-s", "greedy", "-p", "2", "-o", "all.json", "-n"]
    assert call(*words, 100, folder=tmp_path).returncode == 0
    before = (tmp_path / "all.json").read_bytes()
    with Terminal(*words, MANY, folder=tmp_path) as terminal:
        terminal.wait_for(PLAYING)
        assert terminal.interrupt() == 130
    assert (tmp_path / "all.json").read_bytes() == before
    assert terminal.shown.endswith("saved all-partial-1.json, as partial\r\n")
    check_partial(saved(tmp_path / "all-partial-1.json"), ["greedy"])


def test_rows_finished_before_an_interruption_are_whole(tmp_path):
    words = ["simulate", "-s", "greedy", "-p", "2", "-n", "5", "--seed", "1", "-s", "slow.py", "-o", "part.csv"]
    (tmp_path / "slow.py").write_text(SLOW.replace("10_000_000", "10_000_000_000"))
    with Terminal(*words, folder=tmp_path) as terminal:
        terminal.wait_for(r"(?s)(5\.00 of.*){4}")
        assert terminal.interrupt() == 130
    assert re.search(r"greedy +2 +5 ", terminal.stdout)
    assert "slow.py" not in terminal.stdout
    assert "Partial: interrupted after 5 of 10 games." in terminal.stdout
    assert (tmp_path / "part.csv").read_text().count("greedy") == 99


def test_an_interrupted_comparison_keeps_what_is_finished(tmp_path):
    words = ["compare", "-s", "greedy", "-s", "backward", "-p", "2,3", "-n", MANY, "-o", "part"]
    with Terminal(*words, folder=tmp_path) as terminal:
        terminal.wait_for(PLAYING)
        assert terminal.interrupt() == 130
    document = saved(tmp_path / "part" / "results.json")
    check_partial(document, ["greedy", "backward"])
    assert len({str(result["ranges"]) for result in document["results"]}) == 1
    assert document["comparisons"][0]["both_won"][0][0] == document["results"][0]["counts"][0]
    assert re.search(note(document), terminal.stdout)
    assert "saved part/results.json, as partial; charts: thegame report part/results.json -o DIR" in terminal.shown
    assert list(files_in(tmp_path)) == ["part", "part/results.json"]
    done = call("report", "part/results.json", "-o", "charts", folder=tmp_path)
    assert done.returncode == 0
    assert "Partial: at least one of the runs was interrupted." in done.stdout
    assert "Partial: at least one of the runs was interrupted." in (tmp_path / "charts" / "index.html").read_text()


def test_an_interrupted_sweep_keeps_what_is_finished_beside_an_earlier_report(tmp_path):
    words = ["sweep", "greedy", "--vary", "extra_gap=0..2", "-p", "2", "-o", "part", "-n"]
    assert call(*words, 100, folder=tmp_path).returncode == 0
    before = files_in(tmp_path / "part")
    with Terminal(*words, MANY, folder=tmp_path) as terminal:
        terminal.wait_for(PLAYING)
        assert terminal.interrupt() == 130
    document = saved(tmp_path / "part-partial-1.json")
    check_partial(document, [f"greedy:extra_gap={value}" for value in (0, 1, 2)])
    assert document["vary"] == ["extra_gap"]
    assert re.search(note(document), terminal.stdout)
    assert files_in(tmp_path / "part") == before
    assert call("report", "part-partial-1.json", "-o", "charts", folder=tmp_path).returncode == 0
    page = (tmp_path / "charts" / "index.html").read_text()
    assert "Partial: at least one of the runs was interrupted." in page


def test_games_are_kept_when_the_drawing_is_interrupted(tmp_path):
    words = ["compare", "-s", "greedy", "-s", "backward", "-p", "2", "-n", "1000", "-o", "report"]
    with Terminal(*words, folder=tmp_path) as terminal:
        for line in terminal.process.stdout:
            if b"points more than greedy" in line:
                break
        assert terminal.interrupt() == 130
    assert "saved report/results.json; charts: thegame report report/results.json -o DIR" in terminal.shown
    document = saved(tmp_path / "report" / "results.json")
    assert document["complete"] is True
    assert [result["games"] for result in document["results"]] == [1000, 1000]
    assert list(files_in(tmp_path)) == ["report", "report/results.json"]


@pytest.mark.parametrize(
    "words", [["simulate", "-s", "greedy", "-o", "a.json"], ["compare", "-o", "a"], ["replay", "greedy"]]
)
def test_compiling_can_be_interrupted(words, tmp_path):
    kernels = tmp_path / "kernels"
    folder = tmp_path / "work"
    folder.mkdir()
    with Terminal(*words, folder=folder, THEGAME_CACHE_DIR=str(kernels)) as terminal:
        terminal.wait_for(r"compiling greedy, once \.\.\.")
        assert terminal.interrupt() == 130
    assert "Traceback" not in terminal.shown
    assert terminal.stdout == ""
    assert files_in(folder) == {}


def test_a_slow_strategy_can_be_interrupted_and_its_whole_games_are_kept(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    words = ["simulate", "-s", "slow.py", "-p", "2", "-n", MANY, "-o", "part.json"]
    with Terminal(*words, folder=tmp_path) as terminal:
        terminal.wait_for(r"[1-9][\d.]* of")
        assert terminal.interrupt() == 130
    [result] = saved(tmp_path / "part.json")["results"]
    assert result["complete"] is False
    assert 1 <= result["games"] < 100
    counts = 0
    for first, games in result["ranges"]:
        counts += simulate(f"{tmp_path / 'slow.py'}:work=0", 2, games, seed=1, first_game=first).counts
    assert counts.tolist() == result["counts"]


@pytest.mark.parametrize(
    "words", [["simulate", "-s", "slow.py", "-o", "a.json"], ["compare", "-s", "slow.py", "-o", "a"]]
)
def test_a_game_that_does_not_end_can_be_interrupted(words, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW.replace("10_000_000", "10_000_000_000"))
    with Terminal(*words, "-p", 2, "-n", 10, folder=tmp_path) as terminal:
        terminal.wait_for(r"(?s)(0\.00 of.*){4}")  # the bar moves while games are played, though none is finished
        assert terminal.interrupt() == 130
    assert terminal.stdout == ""
    assert list(files_in(tmp_path)) == ["slow.py"]


@pytest.mark.parametrize(
    ("words", "moment", "says"),
    [
        ("simulate -s greedy -p 2-4 -n 100", 100, "Partial: interrupted after 100 of 300 games."),
        ("compare -s greedy -s backward -p 2,3 -n 100 -o part", 200, "Partial: interrupted after 32 of 400 games."),
        ("sweep greedy --vary extra_gap=1,2 -n 100 -o part", 200, "Partial: interrupted after 32 of 200 games."),
        ("replay greedy --find worst -n 1000", 256, ""),
    ],
)
def test_ctrl_c_is_not_lost_when_the_games_under_way_are_just_done(words, moment, says, tmp_path, monkeypatch):
    def press_ctrl_c(bar, games):
        if games == moment:
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "__call__", press_ctrl_c)
    done = call(*words.split(), folder=tmp_path)
    assert done.returncode == 130
    assert says in done.stdout
    assert bool(says) == bool(done.stdout)


# ---- files and folders of others


def test_what_is_put_into_the_folder_while_games_are_played_is_left_alone(tmp_path):
    words = ["compare", "-s", "greedy", "-s", "backward", "-p", "2", "-n", "2M", "-o", "report"]
    with Terminal(*words, folder=tmp_path) as terminal:
        terminal.wait_for(PLAYING)
        (tmp_path / "report").mkdir()
        (tmp_path / "report" / "notes.txt").write_text("mine")
        assert terminal.finish() == 2
    assert "thegame: report holds notes.txt, which is no part of a report" in terminal.shown
    assert files_in(tmp_path / "report") == {"notes.txt": b"mine"}
    document = saved(tmp_path / "report-kept-1.json")
    assert document["complete"] is True
    assert [result["games"] for result in document["results"]] == [2_000_000, 2_000_000]


def test_results_replace_results_and_nothing_else(tmp_path):
    words = ["simulate", "-s", "greedy", "-p", "2", "-n"]
    for ending in ("json", "csv", "parquet"):
        place = tmp_path / f"a.{ending}"
        for games in (100, 200):
            assert call(*words, games, "-o", place, folder=tmp_path).returncode == 0
        older = place.read_bytes()
        for content in (b"", b"mine", older[:-20]):
            place.write_bytes(content)
            assert call(*words, 100, "-o", place, folder=tmp_path).returncode == 2
            assert place.read_bytes() == content


def test_a_report_replaces_a_report_and_nothing_else(tmp_path):
    assert call("simulate", "-s", "greedy", "-p", 2, "-n", 100, "-o", "a.json", folder=tmp_path).returncode == 0
    assert call("report", "a.json", "-o", "charts", folder=tmp_path).returncode == 0
    (tmp_path / "charts" / "pairs.csv").write_text("left over from an older report")
    assert call("report", "charts", "-o", "charts", folder=tmp_path).returncode == 0
    assert "left over" not in (tmp_path / "charts" / "pairs.csv").read_text()
    (tmp_path / "charts" / ".notes").write_text("mine")
    before = files_in(tmp_path)
    assert call("report", "a.json", "-o", "charts", folder=tmp_path).returncode == 2
    assert files_in(tmp_path) == before


# ---- pipes and terminals


@pytest.fixture
def closed_pipe():
    """A pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def test_a_pipe_that_closes_early_costs_no_results(closed_pipe, tmp_path):
    words = ["simulate", "-s", "greedy", "-p", "2", "-n", "100", "-o", "a.json"]
    done = run(*words, folder=tmp_path, stdout=closed_pipe)
    assert (done.returncode, done.stderr) == (0, "saved a.json\n")
    assert saved(tmp_path / "a.json")["results"][0]["games"] == 100
    done = run("compare", "-p", 2, "-n", 100, "-o", "report", folder=tmp_path, stdout=closed_pipe)
    assert (done.returncode, done.stderr) == (0, "report: report/index.html\n")
    assert (tmp_path / "report" / "index.html").exists()


@pytest.mark.parametrize("words", [["--help"], ["strategies"], ["replay", "greedy"], ["replay", "greedy", "--json"]])
def test_a_pipe_that_closes_early_is_no_error(words, closed_pipe, tmp_path):
    done = run(*words, folder=tmp_path, stdout=closed_pipe)
    assert (done.returncode, done.stderr) == (0, "")


def test_head_takes_the_first_line():
    shell = f"{' '.join(PROGRAM)} replay greedy | head -1"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "greedy, seed 1, game 0\n"
    assert done.stderr == ""


def test_colours_are_for_terminals():
    with Terminal("replay", "greedy", piped=False) as terminal:
        assert terminal.finish() == 0
    assert "\x1b[" in terminal.shown
    with Terminal("replay", "greedy", piped=False, NO_COLOR="1") as plain:
        assert plain.finish() == 0
    assert "\x1b" not in plain.shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", terminal.shown) == plain.shown
    piped = run("replay", "greedy")
    assert "\x1b" not in piped.stdout
    assert piped.stdout == plain.shown.replace("\r\n", "\n")


# ---- quick answers


def test_the_module_is_the_program():
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"thegame, version {__version__}\n", "")


def test_the_script_is_the_program():
    script = shutil.which("thegame", path=Path(sys.executable).parent)
    assert script is not None
    done = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == f"thegame, version {__version__}\n"


def cpu_seconds(*words):
    """What the program uses of the machine, whatever else runs there."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run(*words).returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("words", [[], *([name] for name in thegame.commands)])
def test_help_is_quick(words):
    assert min(cpu_seconds(*words, "--help") for _ in range(3)) < 0.3


@pytest.mark.parametrize("words", [["--version"], ["--help"], *([name, "--help"] for name in thegame.commands)])
def test_help_imports_nothing_heavy(words):
    program = [sys.executable, "-X", "importtime", *PROGRAM[1:], *words]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert {"click", "simulator.cli.sweep"} <= imported
    assert not {"numba", "llvmlite", "pandas", "matplotlib", "jinja2", "tqdm"} & imported


COMPLETED = "import sys; sys.argv = ['thegame']; from simulator.cli import main; main()"


def completions(line, shell="bash"):
    """What the Tab key offers at the end of the line."""
    environment = {
        **os.environ,
        "_THEGAME_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    program = [sys.executable, "-c", COMPLETED]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("thegame simulate -s gr", ["plain,greedy"]),
        ("thegame simulate -s greedy -p 2 --strategy r", ["plain,random", "plain,reservation"]),
        ("thegame compare -s back", ["plain,backward"]),
        ("thegame sweep gr", ["plain,greedy"]),
        ("thegame replay re", ["plain,reservation"]),
        ("thegame strategies ba", ["plain,backward"]),
        ("thegame simulate -s my_b", ["file,my_b"]),
        ("thegame simu", ["plain,simulate"]),
        ("thegame compare --spr", ["plain,--sprt", "plain,--sprt-edge"]),
    ],
)
def test_the_tab_key_completes(line, offered):
    assert completions(line) == offered


# ---- a strategy that breaks the rules after others have played

LATE = """
from simulator import *

def choose(view, params):
    if view.random % params.one_in == 0:
        return play(120, 0)
    best, move = NO_GAP, STOP
    for pile in range(view.piles):
        if smallest_gap(view, pile) < best:
            best, move = smallest_gap(view, pile), play(nearest(view, playable(view, pile), pile), pile)
    return STOP if view.laid_this_turn >= view.minimum else move

strategy = Strategy(choose, params={"one_in": 3_000_000})
"""


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("simulate -s greedy -s late.py -p 2 -n 200k -o all.json", "all.json"),
        ("compare -s greedy -s late.py -p 2 -n 1M -o all", "all/results.json"),
        ("sweep late.py --vary one_in=3000001,3000000 -p 2 -n 1M -o all", "all/results.json"),
    ],
)
def test_what_was_played_before_a_strategy_broke_the_rules_is_kept(words, place, tmp_path):
    (tmp_path / "late.py").write_text(LATE)
    done = call(*words.split(), folder=tmp_path)
    assert done.returncode == 1
    assert re.search(r"thegame: late\.py\S* in game \d+ of seed 1 with 2 players lays 120", done.stderr)
    assert "Partial: interrupted after" in done.stdout
    document = saved(tmp_path / place)
    assert document["complete"] is False
    assert document["results"][0]["games"] > 0
    assert sorted(files_in(tmp_path)) == sorted({"late.py", place.partition("/")[0], place})
