"""Compiled kernels: kept on disk and found again, never stale, never trusted blindly; what compiles."""

import ast
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from simulator import Rules, compiler, load, play_out, simulate
from simulator.rules import STANDARD_DECK
from tests import reference

GAMES = 40

# Plays and tells how it came to its kernel.
PLAYS = """
import json, sys, warnings
from simulator import load, simulate
from simulator.compiler import compile_kernel
from simulator.rules import STANDARD_DECK

announced, stats = [], []
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    counts = [simulate(spec, 3, int(sys.argv[1]), announce=announced.append).counts.tolist() for spec in sys.argv[2:]]
    for strategy in map(load, sys.argv[2:]):
        if strategy.fingerprint().complete:  # else it would be compiled once more
            stats.append(compile_kernel(strategy, STANDARD_DECK, "batch").stats)
print(json.dumps({
    "counts": counts,
    "announced": announced,
    "hits": sum(sum(s.cache_hits.values()) for s in stats),
    "misses": sum(sum(s.cache_misses.values()) for s in stats),
    "warnings": [str(warning.message) for warning in warned],
}))
"""


def start(cache, *specs):
    """A new process that plays the strategies with this cache folder."""
    return subprocess.Popen(
        [sys.executable, "-c", PLAYS, str(GAMES), *specs],
        env={**os.environ, "THEGAME_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(process):
    """What a process that was started tells at its end."""
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert errors == ""
    return json.loads(out)


def play(cache, *specs):
    """What a new process tells that plays the strategies with this cache folder."""
    return told(start(cache, *specs))


def right_counts(spec):
    """The counts by the plain-Python game."""
    strategy = load(spec)
    leftovers = [reference.play(strategy, Rules(3), 1, game).leftover for game in range(GAMES)]
    return np.bincount(leftovers, minlength=99).tolist()


def write(path, source):
    """Write a file and return its path."""
    Path(path).write_text(textwrap.dedent(source), encoding="utf-8")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current folder: files are named without a path, so that their kernels are found again by later runs."""
    monkeypatch.setenv("THEGAME_CACHE_DIR", os.path.abspath(os.environ["THEGAME_CACHE_DIR"]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A cache folder with the kernel of greedy, and what the process told that made it."""
    folder = tmp_path_factory.mktemp("warm") / "not" / "there" / "yet"
    return folder, play(folder, "greedy")


@pytest.fixture(scope="module")
def greedy_counts():
    return right_counts("greedy")


def test_first_process_compiles_into_a_new_folder(warm, greedy_counts):
    folder, first = warm
    assert first == {"counts": [greedy_counts], "announced": ["greedy"], "hits": 0, "misses": 1, "warnings": []}
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == {".py", ".nbi", ".nbc"}


def test_second_process_starts_from_the_cache(warm, greedy_counts):
    folder, _ = warm
    files = sorted(folder.rglob("*"))
    again = play(folder, "greedy", "greedy:extra_gap=3", "greedy:extra_gap=-40")
    assert (again["announced"], again["misses"], again["warnings"]) == ([], 0, [])
    assert again["hits"] >= 1
    assert again["counts"] == [greedy_counts, right_counts("greedy:extra_gap=3"), greedy_counts]
    assert greedy_counts != right_counts("greedy:extra_gap=3")
    assert sorted(folder.rglob("*")) == files


HELPED = """
    import tactics
    from simulator import NO_GAP, STOP, Strategy, cards_in, play, playable

    def choose(view, params):
        best, move = NO_GAP, STOP
        for pile in range(view.piles):
            for card in cards_in(playable(view, pile)):
                cost = tactics.cost(view, card, pile)
                if cost < best:
                    best, move = cost, play(card, pile)
        return STOP if view.laid_this_turn >= view.minimum + 0 else move

    strategy = Strategy(choose)
"""
TACTICS = """
    from simulator import gap

    PULL = 1

    def cost(view, card, pile):
        return PULL * gap(view, card, pile)
"""


def test_an_edit_compiles_anew_and_gives_the_new_play(here):
    write("bold.py", HELPED)
    write("tactics.py", TACTICS)
    seen = []
    for file, old, new in [
        ("bold.py", "minimum + 0", "minimum + 0"),
        ("bold.py", "minimum + 0", "minimum + 1"),
        ("tactics.py", "PULL = 1", "PULL = 0"),
    ]:
        before = os.stat(file)
        write(file, Path(file).read_text().replace(old, new))
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # as of an edit within the same second
        told_first, told_next = play("cache", "bold.py"), play("cache", "bold.py")
        counts = [right_counts("bold.py")]
        assert told_first == {"counts": counts, "announced": ["bold.py"], "hits": 0, "misses": 1, "warnings": []}
        assert told_next == {"counts": counts, "announced": [], "hits": 1, "misses": 0, "warnings": []}
        seen.append(counts)
    assert seen[0] != seen[1] != seen[2] != seen[0]


def test_two_processes_that_start_at_once(here, greedy_counts):
    both = [start("cache", "greedy"), start("cache", "greedy")]
    for process in both:
        one = told(process)
        assert (one["counts"], one["warnings"]) == ([greedy_counts], [])
    after = play("cache", "greedy")
    assert (after["counts"], after["announced"], after["hits"]) == ([greedy_counts], [], 1)


def test_a_cache_that_cannot_be_written(here, greedy_counts):
    write("file", "no folder")  # below a file there is no folder to make, not even for root
    alone = play("file/cache", "greedy", "greedy:extra_gap=-12")
    assert alone["counts"] == [greedy_counts, greedy_counts]
    assert alone["announced"] == ["greedy"]
    assert len(alone["warnings"]) == 1
    assert "file/cache" in alone["warnings"][0]
    assert "set THEGAME_CACHE_DIR to a writable folder" in alone["warnings"][0]
    assert "\n" not in alone["warnings"][0]


def truncated(content):
    return content[: len(content) // 2]


def garbage(content):
    return np.random.default_rng(1).bytes(len(content))


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [truncated, garbage])
def test_a_damaged_cache_is_repaired(here, warm, greedy_counts, suffix, damage):
    shutil.copytree(warm[0], "cache")
    (file,) = Path("cache").rglob(f"*.{suffix}")
    file.write_bytes(damage(file.read_bytes()))
    repair, after = play("cache", "greedy"), play("cache", "greedy")
    assert repair == {"counts": [greedy_counts], "announced": ["greedy"], "hits": 0, "misses": 1, "warnings": []}
    assert after == {"counts": [greedy_counts], "announced": [], "hits": 1, "misses": 0, "warnings": []}


def test_what_cannot_be_hashed_is_not_kept(here, monkeypatch, greedy_counts):
    monkeypatch.setenv("THEGAME_CACHE_DIR", "cache")
    write("bold.py", f"import enum\nclass Pull(enum.IntEnum):\n    ON = 1\n{textwrap.dedent(HELPED)}")
    write("tactics.py", TACTICS)
    write("bold.py", Path("bold.py").read_text().replace("tactics.cost(", "Pull.ON * tactics.cost("))
    announced = []
    assert not load("bold.py").fingerprint().complete
    assert simulate("bold.py", 3, GAMES, announce=announced.append).counts.tolist() == greedy_counts
    assert announced == ["bold.py"]
    assert list(Path("cache").rglob("*.nb?")) == []


def test_the_key_covers_every_source_that_the_kernel_is_made_of():
    simulator = Path(compiler.__file__).parent
    hashed = {Path(module.__file__).stem for module in compiler.SOURCES}
    for name in hashed - {"compiler"}:
        for node in ast.walk(ast.parse((simulator / f"{name}.py").read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("simulator."):
                taken = node.module.removeprefix("simulator.")
                assert taken in hashed | {"errors"}, f"{name} takes {node.names[0].name} from {taken}"


# ---- what compiles: each plays like greedy


SMALLEST_GAP = """
def choose(view, params):
    best, move = NO_GAP, STOP
    for pile in range(view.piles):
        for card in cards_in(playable(view, pile)):
            if {cost} < best:
                best, move = {cost}, play(card, pile)
    return STOP if view.laid_this_turn >= view.minimum else move
"""
VOCABULARY = "from simulator import NO_GAP, STOP, Strategy, cards_in, gap, play, playable, top\n"

WAYS = {
    "plain helpers": """
def up(view, pile):
    return 1 if pile < 2 else -1
def cost(view, card, pile):
    return up(view, pile) * (card - top(view, pile))
"""
    + SMALLEST_GAP.format(cost="cost(view, card, pile)"),
    "imported": """
import tactics
import tactics as names
from tactics import cost
"""
    + SMALLEST_GAP.format(cost="(tactics.cost(view, card, pile) + cost(view, card, pile)) // (2 * names.PULL)"),
    "compiled helper": """
import numba
@numba.njit(cache=True)
def cost(view, card, pile):
    return gap(view, card, pile)
"""
    + SMALLEST_GAP.format(cost="cost(view, card, pile)"),
    "compiled choose": "import numba\n@numba.njit" + SMALLEST_GAP.format(cost="gap(view, card, pile)"),
    "closures": """
def make(pull, cost):
    def choose(view, params):
        best, move = NO_GAP, STOP
        for pile in range(view.piles):
            for card in cards_in(playable(view, pile)):
                if cost(view, card, pile) < best:
                    best, move = cost(view, card, pile), play(card, pile)
        return STOP if view.laid_this_turn >= view.minimum else move
    return choose
def make_cost(pull):
    return lambda view, card, pile: pull * gap(view, card, pile)
choose = make(1, make_cost(2))
""",
    "arrays": """
import numpy as np
SIGNS = np.array([1, 1, -1, -1])
def cost(view, card, pile):
    return SIGNS[pile] * (card - top(view, pile))
"""
    + SMALLEST_GAP.format(cost="cost(view, card, pile)"),
}


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS)
def test_what_compiles(here, source, greedy_counts):
    write("bold.py", VOCABULARY + source + "strategy = Strategy(choose)\n")
    write("tactics.py", TACTICS)
    assert load("bold.py").fingerprint().complete
    assert play_out("bold.py", 3, games=200).tolist() == play_out("greedy", 3, games=200).tolist()
    again = play(os.environ["THEGAME_CACHE_DIR"], "bold.py")
    assert again == {"counts": [greedy_counts], "announced": [], "hits": 1, "misses": 0, "warnings": []}


RECURSIVE = f"""
{VOCABULARY}
def best_from(view, pile, best, move):
    if pile == view.piles:
        return move
    for card in cards_in(playable(view, pile)):
        if gap(view, card, pile) < best:
            best, move = gap(view, card, pile), play(card, pile)
    return best_from(view, pile + 1, best, move)

def choose(view, params):
    return STOP if view.laid_this_turn >= view.minimum else best_from(view, 0, NO_GAP, STOP)

strategy = Strategy(choose)
"""


def test_a_function_that_calls_itself(here, greedy_counts):
    """In the second process too: read back from its disk cache, numba's recursive code crashes (numba issue 6061)."""
    write("bold.py", RECURSIVE)
    for _ in range(2):
        assert play("cache", "bold.py")["counts"] == [greedy_counts]


WEIGHING = f"""
{VOCABULARY}
{SMALLEST_GAP.format(cost="params.weights[gap(view, card, pile) + 10]")}
strategy = Strategy(choose, params={{"unused": 3, "weights": [float(i) for i in range(5000)], "other": 0.5}})
"""


def test_thousands_of_weights_are_data(here):
    write("weighing.py", WEIGHING)
    strategy = load("weighing.py")
    wild = strategy.with_params({"weights": [(i * 7) % 97 / 7 for i in range(5000)]})
    leftovers = play_out(strategy, 3, games=GAMES).tolist()
    assert leftovers == play_out("greedy", 3, games=GAMES).tolist()
    wild_leftovers = play_out(wild, 3, games=GAMES).tolist()
    assert wild_leftovers == [reference.play(wild, Rules(3), 1, game).leftover for game in range(GAMES)]
    assert wild_leftovers != leftovers
    kernels = [compiler.compile_kernel(each, STANDARD_DECK, "batch") for each in (strategy, wild)]
    assert kernels[0] is kernels[1]


PLANNING = """
    from simulator import NO_GAP, STOP, Strategy, cards_in, play, single

    def best_move(hand, tops):
        best, move = NO_GAP, STOP
        for pile in range(4):
            top = (tops >> (8 * pile)) & 255
            for card in cards_in(hand):
                gap = card - top if pile < 2 else top - card
                if (gap > 0 or gap == -10) and gap < best:
                    best, move = gap, play(card, pile)
        return move

    def plan(view, params, turn):
        hand, tops, moves = view.hand, view.tops, 0
        while moves < view.minimum:
            move = best_move(hand, tops)
            if move == STOP:
                break
            card, shift = move // 65536, 8 * (move % 65536)
            hand = hand & ~single(card)
            tops = (tops & ~(255 << shift)) | (card << shift)
            turn[moves] = move
            moves += 1
        return moves

    strategy = Strategy(plan=plan)
"""


@pytest.mark.parametrize("players", [1, 2, 5])
def test_a_plan_plays_like_the_same_idea_card_by_card(here, players):
    write("planner.py", PLANNING)
    rules = {"players": players, "games": 300, "seed": 8, "minimum": 3}
    assert play_out("planner.py", **rules).tolist() == play_out("greedy", **rules).tolist()
