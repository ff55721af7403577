"""Broken strategies: each is a clear error that names the strategy, the game and the position, never a wrong number."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import numba
import pytest
from click.testing import CliRunner

from simulator import Rules, StrategyError, batch, load, play_out, simulate
from simulator.cli import thegame
from tests import reference

SEED, FIRST_GAME, GAMES, PLAYERS = 5, 1000, 2000, 3
ALWAYS, RARELY = 1, 15_000  # a fault in one of so many decisions; a game has about a hundred
THREADS = (1, 2, 7)

GREEDY = """
from numba import njit
from simulator import *

def greedy(view):
    best, move = NO_GAP, STOP
    for pile in range(view.piles):
        for card in cards_in(playable(view, pile)):
            if gap(view, card, pile) < best:
                best, move = gap(view, card, pile), play(card, pile)
    return STOP if view.laid_this_turn >= view.minimum else move
"""

# What a broken strategy does instead of a good move, and what is said about it.
NOT_HELD = r"lays -?\d+, which it does not hold"
NO_PILE = "lays a card on a pile other than 0 to 3"
FAULTS = {
    "lays a card of somebody else": ("return play(lowest(unseen(view)), 0)", NOT_HELD),
    "lays a laid card": ("return play(lowest(view.laid), 0)", NOT_HELD),
    "lays what does not fit": ("return unfit(view)", r"lays \d+ on pile \d, whose top is \d+: it does not fit"),
    "lays 0": ("return play(0, 0)", "lays 0, which it does not hold"),
    "lays 100": ("return play(100, 0)", "lays 100, which it does not hold"),
    "lays 130": ("return play(130, 0)", "lays 130, which it does not hold"),
    "lays 192": ("return play(lowest(view.hand) + 128, 0)", NOT_HELD),
    "lays -5": ("return play(-5, 0)", "lays -5, which it does not hold"),
    "lays a million": ("return play(10**6, 0)", "lays 1000000, which it does not hold"),
    "lays on pile 4": ("return play(lowest(view.hand), 4)", NO_PILE),
    "lays on pile 9": ("return play(lowest(view.hand), 9)", NO_PILE),
    "lays on pile -1": ("return play(lowest(view.hand), -1)", NO_PILE),
    "returns a bare card": ("return lowest(view.hand) + 4", NO_PILE),
    "returns -2": ("return -2", "(?!plans)"),
    "stops at once": ("return STOP", "stops after 0 of 2 cards although another fits"),
    "stops after one": ("return STOP if view.laid_this_turn else greedy(view)", "stops after 1 of 2 cards although"),
    "raises": ("raise ValueError('no idea')", "raises ValueError: no idea"),
    "raises without words": ("raise RuntimeError", "raises RuntimeError"),
    "asserts": ("assert view.player > 9, 'not me'", "raises AssertionError: not me"),
    "divides by zero": ("return play(lowest(view.hand) // (view.minimum - 2), 0)", "raises ZeroDivisionError: .*zero"),
    "index beyond": ("return int(params.weights[5 * view.minimum])", "raises IndexError: .*out of bounds"),
    "index before": ("return int(params.weights[-6])", "raises IndexError: .*out of bounds"),
    "index in a helper": ("return int(weight(params.weights, 5))", "raises IndexError: .*out of bounds"),
    "index in a compiled helper": ("return int(compiled(params.weights, 5))", "raises IndexError: .*out of bounds"),
    "never comes back": ("while best >= 0:\n            best = (best + 1) % 7", "does not come back within 1 seconds"),
}  # fmt: skip
PLAYING = [name for name in FAULTS if name != "never comes back"]
BROKEN = f"""{GREEDY}
def unfit(view):
    for card in cards_in(view.hand):
        for pile in range(view.piles):
            if not fits(view, card, pile):
                return play(card, pile)
    return greedy(view)

def weight(weights, i):
    return weights[i]

@njit
def compiled(weights, i):
    return weights[i]

def choose(view, params):
    best = 0
    if count(view.laid) < params.first or view.random % params.one_in > 0:
        return greedy(view)
"""
for _number, (_deed, _) in enumerate(FAULTS.values()):
    BROKEN += f"    if params.fault == {_number}:\n        {_deed}\n"
BROKEN += """
    return greedy(view)

strategy = Strategy(choose, params={"fault": -1, "one_in": 1, "first": 0, "weights": [1.0] * 5, "beyond": -1.0})
"""


def broken(fault, one_in=ALWAYS, first=0):
    """The name of the strategy with this fault."""
    return f"broken.py:fault={list(FAULTS).index(fault)},one_in={one_in},first={first}"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A current folder with the broken strategies; small chunks, so that threads come to play several."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(batch, "FIRST_CHUNK", 8)
    monkeypatch.setattr(batch, "LARGEST_CHUNK", 16)
    for name, source in {"broken.py": BROKEN, "asking.py": ASKING, "planning.py": PLANNING}.items():
        Path(name).write_text(source, encoding="utf-8")
    return tmp_path


@pytest.fixture
def first_wrong(monkeypatch):
    """The first game that a strategy breaks in plain Python, and how."""

    def find(spec, rules):
        with monkeypatch.context() as context:
            context.setattr(numba.config, "DISABLE_JIT", True)  # decorated helpers too must be plain Python
            strategy = load(spec)
        for game in range(FIRST_GAME, FIRST_GAME + GAMES):
            try:
                reference.play(strategy, rules, SEED, game)
            except Exception as problem:
                return game, str(problem)
        raise AssertionError("the strategy breaks no game")

    return find


def said_of(spec, players=PLAYERS, **switches):
    """What is said when the strategy plays: with any number of threads the same, in one line."""
    messages = set()
    for threads in THREADS:
        with pytest.raises(StrategyError) as fault:
            simulate(spec, players, GAMES, SEED, first_game=FIRST_GAME, threads=threads, **switches)
        messages.add(str(fault.value))
    assert len(messages) == 1
    message = messages.pop()
    assert "\n" not in message
    assert len(message) < 400
    return message


def check(message, spec, game, complaint, players=PLAYERS):
    """The message names the strategy, the game, the complaint and position, and how to see it."""
    command = f"thegame replay {spec} -p {players} --seed {SEED} --game {game}"
    said = re.escape(f"{spec} in game {game} of seed {SEED} with {players} players ")
    assert re.fullmatch(rf"{said}{complaint}.* \(.*tops( \d+){{4}}\)\. To see it: {re.escape(command)}", message)


@pytest.mark.parametrize("fault", PLAYING)
def test_fault_at_once(fault, first_wrong):
    spec = broken(fault, first=2)
    message = said_of(spec)
    game, _ = first_wrong(spec, Rules(PLAYERS))
    check(message, spec, game, FAULTS[fault][1])


@pytest.mark.parametrize("fault", ["lays a card of somebody else", "stops at once", "raises", "index beyond"])
def test_fault_in_few_games_names_the_lowest(fault, first_wrong):
    spec = broken(fault, RARELY)
    message = said_of(spec)
    game, _ = first_wrong(spec, Rules(PLAYERS))
    assert game >= FIRST_GAME + 16  # else it was in the first chunk anyway
    check(message, spec, game, FAULTS[fault][1])


@pytest.mark.parametrize("fault", ["lays what does not fit", "stops after one"])
def test_position_of_a_fault(fault, first_wrong):
    spec = broken(fault, one_in=50, first=40)
    message = said_of(spec)
    game, problem = first_wrong(spec, Rules(PLAYERS))
    assert f"in game {game} " in message
    player = re.search(r"Player (\d)", problem)[1]
    hand, tops = (
        " ".join(re.findall(r"\d+", re.search(rf"'{what}': \[(.*?)\]", problem)[1])) for what in ("hand", "tops")
    )
    assert f"(player {player} holds {hand}, tops {tops})" in message


def test_message_knows_the_rules():
    switches = {"hand_size": 5, "minimum": 3, "silent": True, "starter": "best"}
    message = said_of(broken("stops at once"), 2, **switches)
    assert "stops after 0 of 3 cards" in message
    assert message.endswith(f"--game {FIRST_GAME} --hand-size 5 --minimum 3 --silent --starter best")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (broken("lays -5", RARELY), "lays -5, which it does not hold"),
        (broken("raises", RARELY), "raises ValueError: no idea"),
        ("asking.py:level=4,after=40", "makes a request that is not 0, 1, 2 or 3"),
    ],
)
def test_replay_command_shows_the_fault(spec, says):
    with pytest.raises(StrategyError) as fault:
        simulate(spec, 2, GAMES, SEED, silent=False, starter="best", minimum=3)
    command = str(fault.value).partition("To see it: ")[2]
    shown = CliRunner().invoke(thegame, shlex.split(command)[1:])
    assert shown.exit_code == 1
    assert shown.output.splitlines()[-1] == f"BROKEN: {spec} {says}."


def test_after_a_fault_the_next_strategy_plays():
    good = play_out("greedy", PLAYERS, SEED, 100).tolist()
    for fault in ("lays 130", "raises"):
        for threads in THREADS:
            with pytest.raises(StrategyError):
                play_out(broken(fault), PLAYERS, SEED, 100, threads=threads)
            assert play_out("greedy", PLAYERS, SEED, 100, threads=threads).tolist() == good


# ---- requests and plans


ASKING = f"""{GREEDY}
def choose(view, params):
    return greedy(view)

def request(view, pile, params):
    return params.level if count(view.laid) >= params.after and pile >= params.pile else 1

strategy = Strategy(choose, request=request, params={{"level": 0, "after": 0, "pile": 0}})
"""


@pytest.mark.parametrize("spec", ["asking.py:level=4", "asking.py:level=-1,pile=3", "asking.py:level=7,after=80"])
def test_request_that_does_not_exist(spec, first_wrong):
    message = said_of(spec)
    game, _ = first_wrong(spec, Rules(PLAYERS))
    check(message, spec, game, "makes a request that is not 0, 1, 2 or 3")


@pytest.mark.parametrize("after", [0, 1, 2, 5])
def test_position_of_a_wrong_request(after):
    """Wherever in a turn somebody asks for too much, the tops are those on the table."""
    with pytest.raises(StrategyError) as fault:
        play_out(f"asking.py:level=4,after={after}", 2, SEED, 1)
    laid = [d for d in reference.play(load("greedy"), Rules(2), SEED, 0).decisions if d.card is not None]
    assert f"tops {' '.join(map(str, laid[after].tops))})" in str(fault.value)


PLAN_FAULTS = {
    "none": ("pass", ""),
    "negative": ("return -1", "plans a turn of fewer than 0 or more than 10 cards"),
    "too long": ("return 11", "plans a turn of fewer than 0 or more than 10 cards"),
    "far too long": ("return 10**12", "plans a turn of fewer than 0 or more than 10 cards"),
    "counts moves it did not write": ("return 10", NOT_HELD),
    "counts one move too many": ("moves += 1", NOT_HELD),
    "writes beyond the end": ("turn[10] = 0", "raises IndexError: .*out of bounds"),
    "lays what it does not hold": ("turn[1] = play(lowest(unseen(view)), 0)", NOT_HELD),
    "lays a card twice": ("turn[1] = turn[0]", NOT_HELD),
    "too short": ("moves -= 1", "stops after 1 of 2 cards although another fits"),
    "nothing": ("return 0", "stops after 0 of 2 cards although another fits"),
    "raises": ("raise ValueError('no idea')", "raises ValueError: no idea"),
}
PLANNING = f"""{GREEDY}
def smallest_gap_move(hand, tops):
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
    while moves < view.minimum and smallest_gap_move(hand, tops) != STOP:
        move = smallest_gap_move(hand, tops)
        card, shift = move // 65536, 8 * (move % 65536)
        hand = hand & ~single(card)
        tops = (tops & ~(255 << shift)) | (card << shift)
        turn[moves] = move
        moves += 1
    if moves < 2 or view.random % params.one_in > 0:
        return moves
"""
for _number, (_deed, _) in enumerate(PLAN_FAULTS.values()):
    PLANNING += f"    if params.fault == {_number}:\n        {_deed}\n"
PLANNING += '    return moves\n\nstrategy = Strategy(plan=plan, params={"fault": 0, "one_in": 1})\n'


@pytest.mark.parametrize("fault", [name for name in PLAN_FAULTS if name != "none"])
@pytest.mark.parametrize("one_in", [ALWAYS, 3000])
def test_wrong_plan(fault, one_in, first_wrong):
    spec = f"planning.py:fault={list(PLAN_FAULTS).index(fault)},one_in={one_in}"
    message = said_of(spec)
    game, _ = first_wrong(spec, Rules(PLAYERS))
    check(message, spec, game, PLAN_FAULTS[fault][1])


def test_without_a_fault_they_play():
    good = play_out("greedy", PLAYERS, SEED, 500).tolist()
    for spec in ("broken.py", "asking.py", "asking.py:level=3", "planning.py"):
        assert play_out(spec, PLAYERS, SEED, 500).tolist() == good


# ---- what does not compile


ASKS = """
def choose(view, params):
    return greedy(view)
def request({arguments}):
    return {level}
strategy = Strategy(choose, request=request)
"""
RETURNS = r"choose must return play\(card, pile\) or STOP, but it returns "
ASKED = "request must return a level from 0 to 3, but it returns "
PLANNED = "plan must return the number of moves in the turn, but it returns "
REFUSED = "choose does not compile: .*"

# What is wrong with the types: the body of choose, or the end of a file; and what is said.
MISTYPED = {
    "float": ("return greedy(view) / 1", RETURNS + r"a float\."),
    "None": ("greedy(view)", RETURNS + r"None\."),
    "sometimes None": ("if view.laid_this_turn < view.minimum: return greedy(view)", RETURNS + "None on some way"),
    "bool": ("return view.player == 0", RETURNS + ".*bool"),
    "tuple": ("return 5, 0", RETURNS + ".*tuple"),
    "text": ("return 'stop'", RETURNS + ".*"),
    "card set": ("return view.hand", RETURNS + ".*set"),
    "generator": ("yield greedy(view)", RETURNS + ".*generator"),
    "request float": (ASKS.format(arguments="view, pile, params", level="0.5"), ASKED + "a float"),
    "request None": (ASKS.format(arguments="view, pile, params", level="None"), ASKED + "None"),
    "request bool": (ASKS.format(arguments="view, pile, params", level="True"), ASKED + ".*bool"),
    "plan float": (
        "def plan(view, params, turn):\n    return 0.5\nstrategy = Strategy(plan=plan)",
        PLANNED + "a float",
    ),
    "plan None": (
        "def plan(view, params, turn):\n    turn[0] = greedy(view)\nstrategy = Strategy(plan=plan)",
        PLANNED + "None",
    ),
    "unknown attribute": ("return play(view.hands, 0)", REFUSED + "'hands'.*line 13"),
    "unknown attribute in a helper": (
        "def far(view):\n    return view.hands\ndef choose(view, params):\n    return play(far(view), 0)\n"
        "strategy = Strategy(choose)",
        REFUSED + "'hands'.*line 13",
    ),
    "unknown parameter": (
        "def choose(view, params):\n    return play(params.extra, 0)\n"
        "strategy = Strategy(choose, params={'extra_gap': 1})",
        REFUSED + "'extra'.*line 13",
    ),
    "no parameters": ("return play(params.extra, 0)", REFUSED + "'extra'.*line 13"),
    "unknown name": ("return nothing(view)", REFUSED + "'nothing' is not defined"),
    "choose of one": ("def choose(view):\n    return greedy(view)\nstrategy = Strategy(choose)", "choose.* argument"),
    "choose of three": (
        "def choose(view, params, turn):\n    return greedy(view)\nstrategy = Strategy(choose)",
        "choose.* argument",
    ),
    "plan of two": ("def plan(view, params):\n    return 0\nstrategy = Strategy(plan=plan)", "plan.* argument"),
    "request of two": (ASKS.format(arguments="view, params", level="0"), "request.* argument"),
    "partial": ("import functools\nstrategy = Strategy(functools.partial(greedy))", "choose .*function"),
    "method": (
        "class Player:\n    def choose(self, view, params):\n        return greedy(view)\n"
        "strategy = Strategy(Player().choose)",
        "choose .*function",
    ),
    "callable": (
        "class Player:\n    def __call__(self, view, params):\n        return greedy(view)\n"
        "strategy = Strategy(Player())",
        "choose .*function",
    ),
    "class": ("class Player:\n    pass\nstrategy = Strategy(Player)", "choose .*function"),
    "built-in": ("strategy = Strategy(max)", "choose .*function"),
    "number": ("strategy = Strategy(3)", "choose of a Strategy must be a function, not 3"),
}
NOISE = r"Literal\[|int64|CardSet|Tuple\(|0x[0-9a-f]{6}|<function|numba"

# What the compiler knows better: the same, but it may speak its own language.
UNCOMPILED = {
    "move or tuple": ("return (5, 0) if view.player else STOP", REFUSED + "line 13"),
    "text for a card": ("return play('5', 0)", REFUSED + "line 13"),
    "dictionary": (
        "CARDS = {1: 2}\ndef choose(view, params):\n    return play(CARDS[1], 0)\nstrategy = Strategy(choose)",
        REFUSED + "'CARDS'.*line 14",
    ),
    "opens a file": ("return len(open('cards.txt').read())", REFUSED + "'open'.*line 13"),
    "writes a global": (
        "TURNS = 0\ndef choose(view, params):\n    global TURNS\n    TURNS += 1\n    return greedy(view)\n"
        "strategy = Strategy(choose)",
        REFUSED,
    ),
    # Two that numba itself trips over.
    "default of a named tuple": (
        "import collections\nGaps = collections.namedtuple('Gaps', 'up down', defaults=[1])\n"
        "def choose(view, params):\n    return play(Gaps(5).down, 0)\nstrategy = Strategy(choose)",
        REFUSED,
    ),
    "while True": (
        "card = 0\n    if view.player:\n        while True:\n            card = (card + 1) % 7\n    return STOP",
        REFUSED,
    ),
    # Else the games that a thread has played before would change the next one.
    "writes a parameter": (
        "def choose(view, params):\n    params.weights[0] += 1\n    return greedy(view)\n"
        "strategy = Strategy(choose, params={'weights': [1.0, 2.0]})",
        REFUSED + "line 13",
    ),
}


def refusal(source):
    """What is said of a strategy that cannot be compiled."""
    if "strategy = " not in source:
        source = f"def choose(view, params):\n    {source}\nstrategy = Strategy(choose)"
    Path("bold.py").write_text(f"{GREEDY}{source}\n", encoding="utf-8")
    with pytest.raises(StrategyError) as fault:
        simulate("bold.py", PLAYERS, 10)
    message = str(fault.value)
    assert message.startswith("bold.py: ")
    assert "\n" not in message
    assert len(message) < 300
    return message


@pytest.mark.parametrize(("source", "says"), MISTYPED.values(), ids=MISTYPED)
def test_what_is_mistyped(source, says):
    message = refusal(source)
    assert re.search(says, message)
    assert not re.search(NOISE, message), "speaks to people who know numba"


@pytest.mark.parametrize(("source", "says"), UNCOMPILED.values(), ids=UNCOMPILED)
def test_what_does_not_compile(source, says):
    assert re.search(says, refusal(source))


# ---- never comes back


STUCK = """
import json, sys, time
from simulator import StrategyError, batch, replay, simulate

batch.PATIENCE, replay.STUCK_REPLAY_SECONDS, batch.FIRST_CHUNK, batch.LARGEST_CHUNK = 1.0, 0.5, 8, 16
spec, players, games, seed, first_game, threads = sys.argv[1], *map(int, sys.argv[2:])
try:
    simulate(spec, players, games, seed, first_game=first_game, threads=threads)
except StrategyError as fault:
    message = str(fault)
print(json.dumps({"message": message, "next": simulate("greedy", 3, 50).counts.tolist()}))
"""
REPLAY = """
import sys
from simulator import batch, cli, replay

batch.PATIENCE, replay.STUCK_REPLAY_SECONDS = 1.0, 0.5
sys.argv[0] = "thegame"
cli.main()
"""


def run(script, *arguments):
    """Run a script in a new process, since a thread that is stuck can be ended in no other way."""
    with pytest.raises(StrategyError):  # compiles what the process needs: beside a stuck thread that takes long
        play_out(broken("raises"), PLAYERS, SEED, 1)
    words = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=40)


@pytest.mark.parametrize(("one_in", "threads"), [(ALWAYS, 1), (RARELY, 1), (RARELY, 2)])
def test_strategy_that_never_comes_back(one_in, threads, first_wrong):
    spec = broken("never comes back", one_in)
    done = run(STUCK, spec, PLAYERS, GAMES, SEED, FIRST_GAME, threads)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    # The same decision at which the strategy that raises would raise.
    game, _ = first_wrong(broken("raises", one_in), Rules(PLAYERS))
    check(told["message"], spec, game, FAULTS["never comes back"][1])
    assert told["next"] == simulate("greedy", 3, 50).counts.tolist()


def test_of_several_stuck_threads_the_lowest_game_is_named(monkeypatch):
    monkeypatch.setattr(batch, "PATIENCE", 0.05)
    monkeypatch.setattr(batch, "fault", lambda *about, stuck_after: StrategyError(f"game {about[-1]}"))
    workers = [SimpleNamespace(game=game, finished=Event(), is_stuck=lambda: True) for game in (20, 10, 30)]
    with pytest.raises(StrategyError, match=r"^game 10$"):
        batch.Batch(load("greedy"), Rules(PLAYERS), GAMES, SEED).watch(workers, batch.say_nothing)


def test_replay_of_a_strategy_that_never_comes_back():
    spec = broken("never comes back", first=20)
    done = run(REPLAY, "replay", spec, "-p", 3)
    assert done.returncode == 1, done.stderr
    assert f"BROKEN: {spec} does not come back" in done.stdout


# ---- dice that would make a game unrepeatable


@pytest.mark.parametrize(
    ("imports", "roll"),
    [
        ("import numpy as np", "np.random.random()"),
        ("import numpy.random as chance", "chance.random()"),
        ("from numpy import random", "random.random()"),
        ("from numpy.random import rand", "rand()"),
        ("import random", "random.random()"),
        ("from random import random", "random()"),
    ],
)
def test_foreign_dice_are_refused(imports, roll):
    source = f"{imports}\ndef lucky():\n    return {roll} < 0.5\n"
    source += "def choose(view, params):\n    return greedy(view) if lucky() else STOP\n"
    assert "lucky rolls numpy's or Python's dice" in refusal(source + "strategy = Strategy(choose)")


def test_own_dice_beside_numpy_are_not():
    source = "import numpy as np\ndef choose(view, params):\n"
    source += "    return greedy(view) if np.sqrt(view.random) >= 0 else STOP\n"
    Path("bold.py").write_text(f"{GREEDY}{source}strategy = Strategy(choose)\n", encoding="utf-8")
    assert simulate("bold.py", PLAYERS, 10).games == 10


def test_a_game_that_ends_at_last_took_too_long_all_the_same(monkeypatch):
    monkeypatch.setattr(batch, "PATIENCE", 0.1)
    running = batch.Batch(load("greedy"), Rules(PLAYERS), 10, SEED, threads=1)
    worker = batch.Worker(running, running.compile())
    worker.finished.set()
    with pytest.raises(StrategyError, match=r"in game 3 of seed .* does not come back"):
        running.give_up([worker], 3)
