"""How far it is: a bar for people at a terminal, silence for everybody else, and right counts over several parts."""

import importlib
import io
import re
import sys

import pytest

from simulator.cli import progress
from simulator.cli.progress import Bar, progress_bar
from tests.program import Terminal, call, run

pytestmark = pytest.mark.usefixtures("compiled")

LAYOUT = r" *(\d+)% \|.{24}\| ([\d.]+[kMG]?) of ([\d.]+[kMG]?) games, (\?|[\d.]+[kMG]?) a minute, (\?|[\d:]+) left"


class Screen(io.StringIO):
    """A stderr that says it is a terminal."""

    def isatty(self):
        return True


class Counter:
    """A bar that remembers what it was told instead of drawing it."""

    def __init__(self, total):
        self.total = total
        self.n = 0
        self.seen = [0]
        self.closed = False

    def update(self, more):
        self.n += more
        self.seen.append(self.n)

    def close(self):
        self.closed = True


@pytest.fixture
def counters(monkeypatch):
    """Every bar that a command makes, as if at a terminal."""
    made = []

    def make(total):
        made.append(Counter(total))
        return made[-1]

    monkeypatch.setattr(progress, "games_bar", make)
    monkeypatch.setattr(Bar, "__init__", watched(Bar.__init__))
    return made


def watched(make_bar):
    """A Bar's beginning that finds a terminal at stderr, for that moment."""

    def __init__(bar, total):  # noqa: N807
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
            make_bar(bar, total)

    return __init__


# ---- the bar by itself


def test_a_bar_counts_on_over_several_parts(counters):
    bar = Bar(300)
    [counter] = counters
    for games in (40, 70, 100):
        bar(games)
    assert counter.n == 100
    bar.done(100)
    assert counter.n == 100
    bar(50)
    assert counter.n == 150
    bar.done(100)  # the rest of the part was not told
    assert counter.n == 200
    bar.expect(60)
    assert (bar.total, counter.total) == (360, 360)
    bar(160)
    bar.done(160)
    assert (counter.n, counter.total) == (360, 360)


def test_a_bar_is_closed_whatever_happens(counters):
    with pytest.raises(KeyboardInterrupt), progress_bar(10):
        raise KeyboardInterrupt
    assert counters[0].closed


def test_without_a_terminal_a_bar_counts_and_says_nothing(capsys):
    with progress_bar(100) as bar:
        bar(50)
        bar.expect(20)
        bar.done(120)
        assert bar.bar is None
        assert (bar.base, bar.total) == (120, 120)
    assert capsys.readouterr() == ("", "")


def test_what_is_said_without_a_terminal_goes_to_stderr(capsys):
    bar = Bar(100)
    bar.say("stopped at the cap")
    bar.announce("planner")
    assert capsys.readouterr() == ("", "stopped at the cap\ncompiling planner, once ...\n")


def test_what_is_said_does_not_break_the_bar(monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_bar(100) as bar:
        bar.announce("planner")
    assert "\rcompiling planner, once ...\n" in re.sub("\r +\r", "\r", screen.getvalue())


# ---- the bar of the commands


@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("simulate -s greedy -s backward -p 2,3 -n 3000", 12_000),
        ("compare -s greedy -s backward -p 2,3 -n 3000 -o report", 12_000),
        ("sweep greedy --vary extra_gap=0..2 -n 3000 -o report", 9000),
        ("replay greedy --find worst -n 3000", 3000),
    ],
)
def test_a_bar_never_goes_back_and_ends_full(words, total, counters, tmp_path):
    done = call(*words.split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    [counter] = counters
    assert counter.seen == sorted(counter.seen)
    assert len(set(counter.seen)) > 2
    assert counter.n == counter.total == total
    assert counter.closed


def test_a_bar_expects_more_games_when_a_precision_is_wanted(counters, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.import_module("simulator.cli.simulate"), "PRECISION_START", 1000)
    done = call("simulate", "-s", "greedy", "-s", "backward", "-p", "2", "--precision", "2%", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    [counter] = counters
    assert counter.seen == sorted(counter.seen)
    assert counter.n == counter.total > 2000


def test_a_test_that_stops_early_is_done_early(counters, tmp_path):
    words = "compare -s greedy -s backward -p 2 -n 1M --sprt -o report"
    assert call(*words.split(), folder=tmp_path).returncode == 0
    [counter] = counters
    assert counter.n == counter.total == 2_000_000
    assert sorted(set(counter.seen))[-2] < 1_000_000


def test_a_terminal_shows_a_bar_and_nothing_stays_of_it(tmp_path):
    words = ["simulate", "-s", "greedy", "-p", "2", "-n", "3M", "-o", "a.json"]
    with Terminal(*words, folder=tmp_path) as terminal:
        terminal.wait_for(r"[1-9]\d?% \|")
        assert terminal.finish() == 0
    drawn = [re.fullmatch(LAYOUT, piece.rstrip()) for piece in terminal.shown.split("\r") if "%" in piece]
    assert len(drawn) > 3
    assert all(drawn)
    percents = [int(found[1]) for found in drawn]
    assert percents[0] == 0
    assert percents == sorted(percents)
    assert percents[-1] > 30
    assert {found[3] for found in drawn} == {"3.00M"}
    last = drawn[-1]
    assert last[4].endswith("M")  # games a minute
    assert re.fullmatch(r"\d\d:\d\d", last[5])
    # The bar is wiped out before the next line is written.
    assert re.search(r"\r +\rsaved a\.json\r\n$", terminal.shown)
    assert terminal.stdout.startswith("strategy")
    assert "\r" not in terminal.stdout


def test_a_terminal_is_told_of_compiling_and_never_again(tmp_path):
    kernels = {"THEGAME_CACHE_DIR": str(tmp_path / "kernels")}
    words = ["simulate", "-s", "random", "-p", "2", "-n", "1000"]
    with Terminal(*words, **kernels) as terminal:
        assert terminal.finish() == 0
    assert re.sub("\r +\r", "\r", terminal.shown).count("\rcompiling random, once ...\r\n") == 1
    with Terminal(*words, **kernels) as terminal:
        assert terminal.finish() == 0
    assert "compiling" not in terminal.shown


def test_nobody_else_sees_a_bar(tmp_path):
    done = run("simulate", "-s", "greedy", "-p", 2, "-n", 1000, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = run("simulate", "-s", "greedy", "-p", 2, "-n", 1000, "-o", "a.json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "saved a.json\n")
    done = call("compare", "-p", 2, "-n", 1000, "-o", "report", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "report: report/index.html\n")
    done = call("replay", "greedy", "--find", "worst", "-n", 1000, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
