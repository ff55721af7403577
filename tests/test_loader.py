"""Four ways to name a strategy, parameters, what is wrong with a name or a file; edits are seen; fingerprints."""

import importlib
import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from simulator import InputError, Strategy, StrategyError, load
from simulator.fingerprint import fingerprint
from simulator.loader import all_names, builtin_names, run_file, split

# A strategy that always gives one number: in plain Python that is enough to see which code was loaded.
NUMBER = """
from simulator import Strategy

def choose(view, params):
    return {number}

{name} = Strategy(choose, params={{"extra_gap": 3, "bonus": 1.5, "weights": [1.0, 2.0]}})
"""


def choose(view, params):
    return 1


def request(view, pile, params):
    return 1


def number_of(strategy):
    """What ``choose`` of a strategy like NUMBER returns."""
    return strategy.choose(None, None)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current folder, and Python as users have it: willing to write byte code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    return tmp_path


def write(path, source):
    """Write a file, its folders too."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(source), encoding="utf-8")


def edit(path, old, new):
    """Change a file to one of the same size and the same time, to the nanosecond."""
    before, text = os.stat(path), Path(path).read_text(encoding="utf-8")
    assert len(old) == len(new)
    assert text.count(old) == 1
    Path(path).write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def in_new_process(script, *arguments):
    """Run a script in the current folder; what it prints as JSON."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *arguments],
        capture_output=True, text=True, timeout=60, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def number_in_new_process(spec):
    """What the strategy's ``choose`` returns in a process that has never seen it."""
    script = """
        import json, sys
        from simulator import load
        print(json.dumps(int(load(sys.argv[1]).choose(None, None))))
    """
    return in_new_process(script, spec)


# ---- four ways to name a strategy


@pytest.mark.parametrize("name", builtin_names())
def test_builtin(name):
    strategy = load(name)
    assert (strategy.name, strategy.label) == (name, name)
    assert strategy.docs.lower().startswith(f"{name}:")


def test_there_are_builtins():
    assert {"random", "greedy", "backward", "reservation"} <= set(builtin_names())


@pytest.mark.parametrize(
    ("spec", "number", "name", "label", "extra_gap"),
    [
        ("bots/bold.py", 1, "bots/bold.py", "bots/bold.py", 3),
        ("./bots/bold.py", 1, "./bots/bold.py", "./bots/bold.py", 3),
        ("bots/bold.py:strategy", 1, "bots/bold.py", "bots/bold.py", 3),
        ("bots/bold.py:extra_gap=7", 1, "bots/bold.py", "bots/bold.py:extra_gap=7", 7),
        ("bots/bold.py:strategy:extra_gap=7", 1, "bots/bold.py", "bots/bold.py:extra_gap=7", 7),
        ("bots/only.py", 2, "bots/only.py:timid", "bots/only.py:timid", 3),
        ("bots/only.py:timid", 2, "bots/only.py:timid", "bots/only.py:timid", 3),
        ("bots/only.py:timid:bonus=0", 2, "bots/only.py:timid", "bots/only.py:timid:bonus=0", 3),
        (" bots/only.py ", 2, "bots/only.py:timid", "bots/only.py:timid", 3),
        ("bots.bold:strategy", 1, "bots.bold:strategy", "bots.bold:strategy", 3),
        ("bots.only:timid:extra_gap=5", 2, "bots.only:timid", "bots.only:timid:extra_gap=5", 5),
    ],
)  # fmt: skip
def test_file_or_module(here, spec, number, name, label, extra_gap):
    write("bots/__init__.py", "")
    write("bots/bold.py", NUMBER.format(number=1, name="strategy"))
    write("bots/only.py", NUMBER.format(number=2, name="timid"))
    strategy = load(spec)
    assert number_of(strategy) == number
    assert (strategy.name, strategy.label) == (name, label)
    assert strategy.params["extra_gap"] == extra_gap
    assert load(strategy.label).params == strategy.params  # the label names the same strategy again


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("greedy", ("greedy", "", "")),
        ("greedy:extra_gap=3,bonus=1", ("greedy", "", "extra_gap=3,bonus=1")),
        ("bots/bold.py:timid:bonus=1", ("bots/bold.py", "timid", "bonus=1")),
        (r"C:\bots\bold.py:timid:bonus=1", (r"C:\bots\bold.py", "timid", "bonus=1")),
        ("C:/bots/bold.py", ("C:/bots/bold.py", "", "")),
    ],
)
def test_split(spec, parts):
    assert split(spec) == parts


def test_absolute_path_and_home(here, monkeypatch):
    write("bold.py", NUMBER.format(number=1, name="strategy"))
    assert number_of(load(str(here / "bold.py"))) == 1
    monkeypatch.setenv("HOME", str(here))
    assert number_of(load("~/bold.py")) == 1


def test_the_one_called_strategy_goes_first(here):
    write("bots.py", NUMBER.format(number=1, name="other = strategy"))
    assert load("bots.py").name == "bots.py"


def test_a_strategy_is_its_own_name():
    strategy = Strategy(choose)
    assert load(strategy) is strategy


@pytest.fixture
def plugins(here, monkeypatch):
    """An installed distribution that offers strategies."""
    write("site/loud_bots/__init__.py", "")
    write("site/loud_bots/bold.py", NUMBER.format(number=1, name="strategy") + "\ntimid = strategy\n")
    write("site/loud_bots-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: loud-bots\nVersion: 1.0\n")
    write(
        "site/loud_bots-1.0.dist-info/entry_points.txt",
        """
        [thegame.strategies]
        bold = loud_bots.bold:strategy
        shy = loud_bots.bold:timid
        short = loud_bots.bold
        lost = loud_bots.lost:strategy
        nameless = loud_bots.bold:nobody
        """,
    )
    monkeypatch.syspath_prepend(str(here / "site"))


@pytest.mark.parametrize("name", ["bold", "shy", "short"])
def test_plugin(plugins, name):
    strategy = load(f"{name}:extra_gap=5")
    assert number_of(strategy) == 1
    assert (strategy.name, strategy.label) == (name, f"{name}:extra_gap=5")
    assert name in all_names()


@pytest.mark.parametrize(
    ("name", "says"), [("boldd", "did you mean 'bold'"), ("lost", "loud_bots.lost"), ("nameless", "nobody")]
)
def test_wrong_plugin(plugins, name, says):
    with pytest.raises(InputError, match=says):
        load(name)


# ---- parameters


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("extra_gap=3", {"extra_gap": 3}),
        ("extra_gap=3.0", {"extra_gap": 3}),
        ("extra_gap=-11", {"extra_gap": -11}),
        ("extra_gap=1e2", {"extra_gap": 100}),
        ("bonus=2", {"bonus": 2.0}),
        ("bonus=0.1", {"bonus": 0.1}),
        ("bonus=-2.5,extra_gap=4", {"bonus": -2.5, "extra_gap": 4}),
        (" bonus = 1e-3 , extra_gap = 4 ", {"bonus": 1e-3, "extra_gap": 4}),
    ],
)
def test_parameters(here, text, params):
    write("bold.py", NUMBER.format(number=1, name="strategy"))
    strategy = load(f"bold.py:{text}")
    assert strategy.params == {"extra_gap": 3, "bonus": 1.5, "weights": [1.0, 2.0], **params}
    assert strategy.changed == params
    for name, value in params.items():
        assert type(strategy.params[name]) is type(value)
    assert load(strategy.label).params == strategy.params


WRITTEN = "name=number"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("extragap=3", "did you mean 'extra_gap'?"),
        ("courage=3", "has no parameter 'courage'; known are bonus, extra_gap, weights."),
        ("extra_gap=2.5", "'extra_gap' of bold.py takes a whole number"),
        ("extra_gap=1e30", "extra_gap"),  # beyond 64 bits the compiled code would take another number
        ("extra_gap=-1e19", "extra_gap"),
        ("bonus=nan", "'bonus' must be a finite number"),
        ("bonus=inf", "'bonus' must be a finite number"),
        ("extra_gap=-inf", "'extra_gap' must be a finite number"),
        ("weights=3", "'weights' of bold.py takes 2 numbers."),
        ("extra_gap=3,extra_gap=3", "each once"),
        ("extra_gap=3,bonus=1,extra_gap=4", "each once"),
        ("extra_gap=", WRITTEN),
        ("extra_gap=three", WRITTEN),
        ("extra_gap=3,", WRITTEN),
        (",extra_gap=3", WRITTEN),
        ("extra_gap=3,bonus", WRITTEN),
        ("extra_gap==3", WRITTEN),
        ("extra_gap=3;bonus=1", WRITTEN),
        ("=3", ""),
        ("=", ""),
    ],
)
def test_wrong_parameters(here, text, says):
    write("bold.py", NUMBER.format(number=1, name="strategy"))
    with pytest.raises(InputError) as refused:
        load(f"bold.py:{text}")
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("weights", [1.0], "takes 2 numbers"),
        ("weights", [1.0, float("nan")], "finite"),
        ("weights", [[1.0, 2.0]], "finite number or a list of them"),
        ("bonus", [1.0, 2.0], "takes one number"),
        ("bonus", "many", "finite number"),
        ("bonus", None, "finite number"),
        ("extra_gap", 2**70, "extra_gap"),
        ("wieghts", [1.0, 2.0], "did you mean 'weights'?"),
    ],
)
def test_wrong_values_from_python(here, name, value, says):
    write("bold.py", NUMBER.format(number=1, name="strategy"))
    with pytest.raises(InputError) as refused:
        load("bold.py").with_params({name: value})
    assert says in str(refused.value)


@pytest.mark.parametrize("name", ["extra gap", "_gap", "3", "class", ""])
def test_wrong_parameter_names(name):
    with pytest.raises(InputError, match="must be a word such as extra_gap"):
        Strategy(choose, params={name: 1})


# ---- names and files that are wrong


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("gredy", "Unknown strategy 'gredy'; did you mean 'greedy'?"),
        ("Greedy", "did you mean 'greedy'?"),
        ("xyz", "known are backward, greedy"),
        ("bold", "Unknown strategy 'bold'"),  # a file needs its .py
        ("", "named by a text such as 'greedy'"),
        ("  ", "named by a text such as 'greedy'"),
        (None, "named by a text such as 'greedy'"),
        (3, "named by a text such as 'greedy'"),
        ("greedy:", "name:parameter=number"),
        ("greedy:extra_gap", "parameter=number"),
        ("greedy:extra_gap:3", "name:parameter=number"),
        ("greedy:extra_gap=3:bonus=1", "name:parameter=number"),
        ("bold.py:a:b", "file.py:name"),
        ("bold.py:a-b", "file.py:name"),
        ("no_such.py", "There is no file no_such.py"),
        ("no/such", "There is no file no/such"),
        ("folder.py", "folder.py cannot be read: "),
        ("bold.py/inside.py", "bold.py/inside.py cannot be read: "),
        ("latin.py", "latin.py cannot be read: "),
        ("bold.py:stratgy", "bold.py has no strategy 'stratgy'; did you mean 'strategy'?"),
        ("several.py", "holds several strategies: write several.py:name with one of timid, wild."),
        ("several.py:wld", "did you mean 'wild'?"),
        ("no_such:strategy", "There is no module 'no_such'"),
        ("no_such.bold:strategy", "There is no module 'no_such"),
        ("bold.no_such:strategy", "There is no module 'bold"),
        ("bold:nobody", "bold has no strategy 'nobody'; known are strategy."),
        (".bold:strategy", "'.bold'"),
        ("..:strategy", "'..'"),
        (":strategy", "''"),
    ],
)  # fmt: skip
def test_wrong_name(here, spec, says):
    write("bold.py", NUMBER.format(number=1, name="strategy"))
    write("several.py", NUMBER.format(number=1, name="timid = wild"))
    (here / "folder.py").mkdir()
    (here / "latin.py").write_bytes("# Größe\n".encode("latin-1"))
    with pytest.raises(InputError) as refused:
        load(spec)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("x = 1\n", "{place} holds no Strategy; it should end in: strategy = Strategy(choose, ...)."),
        ("", "{place} holds no Strategy"),
        ("x = 1\ny = (\n", "{place} is not valid Python: '(' was never closed (line 2)."),
        ("x = 1\nif x:\ny = 2\n", "(line 3)."),
        ("x = 1\nraise ValueError('no idea')\n", "{place} fails when it is loaded: ValueError: no idea (line 2)."),
        ("def f():\n    return 1 // 0\n\nf()\n", "{place} fails when it is loaded: ZeroDivisionError: "),
        ("import sys\nsys.exit(0)\n", "{place} fails when it is loaded: SystemExit"),
        ("import no_such_module\n", "{place} fails when it is loaded: ModuleNotFoundError: No module named"),
        ("import unparsed\n", "unparsed.py"),
        ("from simulator import Strategy\nstrategy = Strategy()\n", "{place}: A Strategy needs either choose or plan"),
        (NUMBER.format(number=1, name="strategy").replace("bonus", "a b"), "{place}: A parameter's name must be"),
        (NUMBER.format(number=1, name="strategy").replace("1.5", "'x'"), "{place}: Parameter 'bonus' must be a finite"),
    ],
)
@pytest.mark.parametrize("spec", ["bold.py", "bold:strategy"])
def test_broken_file(here, spec, source, says):
    write("bold.py", source)
    write("unparsed.py", "x = (\n")
    with pytest.raises(StrategyError) as failed:
        load(spec)
    message = str(failed.value)
    assert says.format(place=spec.partition(":")[0]) in message
    assert "\n" not in message


@pytest.mark.parametrize("error", ["ValueError", "RuntimeError"])
def test_broken_package(here, error):
    write("bots/__init__.py", f"raise {error}('no idea')\n")
    write("bots/bold.py", NUMBER.format(number=1, name="strategy"))
    with pytest.raises(StrategyError, match=f"fails when it is loaded: {error}: no idea"):
        load("bots.bold:strategy")


@pytest.mark.parametrize(
    "start",
    [
        "\ufeff",  # the mark that some editors put before UTF-8
        "# Größe, 大きさ\n",
        "from __future__ import annotations\nimport dataclasses\n@dataclasses.dataclass\nclass Gaps:\n    up: int\n",
        "import sys\nassert sys.modules[__name__].__file__ == __file__\n",
    ],
    ids=["byte-order-mark", "non-ascii", "dataclass", "own-module"],
)
def test_what_python_runs_is_loaded(here, start):
    write("bold.py", start + NUMBER.format(number=1, name="strategy"))
    assert number_of(load("bold.py")) == 1


# ---- edits are seen, and nothing is left behind


HELPED = """
    from pathlib import Path
    import numpy as np
    import tactics.near
    from tactics import GAP, far
    from simulator import Strategy

    WEIGHTS = np.loadtxt(Path(__file__).with_name("weights.txt"))

    def choose(view, params):
        return 1000 * tactics.near.gap() + 100 * far() + 10 * GAP + WEIGHTS[1] + 10000 * 1

    strategy = Strategy(choose)
"""


@pytest.fixture
def helped(here):
    """A strategy that says 12345: 1 in its file, 2 in a submodule, 3 in a function, a constant 4, a data file's 5."""
    write("bots/bold.py", HELPED)
    write("bots/tactics/__init__.py", "GAP = 4\n\ndef far():\n    return 3\n")
    write("bots/tactics/near.py", "def gap():\n    return 2\n")
    write("bots/weights.txt", "1\n5\n")
    return here


EDITS = [
    ("bots/bold.py", "10000 * 1", "10000 * 9", 92345),
    ("bots/tactics/near.py", "return 2", "return 9", 19345),
    ("bots/tactics/__init__.py", "return 3", "return 9", 12945),
    ("bots/tactics/__init__.py", "GAP = 4", "GAP = 9", 12395),
    ("bots/weights.txt", "5", "9", 12349),
]


@pytest.mark.parametrize(("file", "old", "new", "number"), EDITS)
def test_an_edit_is_seen_at_the_next_load(helped, file, old, new, number):
    before = load("bots/bold.py")
    assert number_of(before) == 12345
    edit(file, old, new)
    after = load("bots/bold.py")
    assert number_of(after) == number
    assert number_of(before) == 12345
    assert before.fingerprint() != after.fingerprint()
    edit(file, new, old)
    assert load("bots/bold.py").fingerprint() == before.fingerprint()


@pytest.mark.parametrize("spec", ["bots/bold.py", "bold:strategy"])
def test_edits_are_seen_in_a_new_process(helped, spec, monkeypatch):
    monkeypatch.chdir(helped if "/" in spec else helped / "bots")
    assert number_in_new_process(spec) == 12345
    for file, old, new, _ in EDITS:
        edit(helped / file, old, new)
    assert number_in_new_process(spec) == 99999


def test_an_edit_of_a_module_is_seen_at_the_next_load(helped, monkeypatch):
    monkeypatch.chdir("bots")
    assert number_of(load("bold:strategy")) == 12345
    edit("bold.py", "10000 * 1", "10000 * 9")
    edit("tactics/near.py", "return 2", "return 9")
    assert number_of(load("bold:strategy")) == 99345


def test_byte_code_of_the_users_own_programs_is_not_believed(helped):
    in_new_process("import sys; sys.path.insert(0, 'bots'); import tactics.near; print(0)")
    assert list(helped.rglob("*.pyc"))  # as after any run of the user's own
    edit("bots/tactics/near.py", "return 2", "return 9")
    assert number_of(load("bots/bold.py")) == 19345
    assert number_in_new_process("bots/bold.py") == 19345


@pytest.mark.parametrize("spec", ["bots/bold.py", "bold:strategy"])
def test_nothing_is_left_behind(helped, spec, monkeypatch):
    monkeypatch.chdir(helped if "/" in spec else helped / "bots")
    files, modules, path = sorted(helped.rglob("*")), set(sys.modules), list(sys.path)
    load(spec)
    assert number_in_new_process(spec) == 12345
    assert sorted(helped.rglob("*")) == files
    assert {name for name in set(sys.modules) - modules if "bold" in name or "tactics" in name} == set()
    assert sys.path == path
    assert (sys.dont_write_bytecode, sys.pycache_prefix) == (False, None)


def test_nothing_is_left_behind_by_a_broken_file(helped):
    write("bots/broken.py", "import tactics.near\nraise ValueError\n")
    files, path = sorted(helped.rglob("*")), list(sys.path)
    with pytest.raises(StrategyError):
        load("bots/broken.py")
    assert sorted(helped.rglob("*")) == files
    assert [name for name in sys.modules if "broken" in name or "tactics" in name] == []
    assert sys.path == path
    assert (sys.dont_write_bytecode, sys.pycache_prefix) == (False, None)


def test_installed_modules_stay(here):
    write("bold.py", "import colorsys\n" + NUMBER.format(number=1, name="strategy"))
    sys.modules.pop("colorsys", None)
    load("bold.py")
    assert "colorsys" in sys.modules


@pytest.fixture
def forget_modules():
    """Forget what a test imports for itself."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_an_edit_is_seen_although_the_program_has_imported_the_helper(helped, monkeypatch, forget_modules):
    monkeypatch.syspath_prepend("bots")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    own = importlib.import_module("tactics")
    edit("bots/tactics/__init__.py", "GAP = 4", "GAP = 9")
    assert number_of(load("bots/bold.py")) == 12395
    assert sys.modules["tactics"] is own  # the program's own is left alone
    assert own.GAP == 4


def test_the_helper_beside_the_strategy_counts_not_the_programs(helped, monkeypatch, forget_modules):
    write("elsewhere/tactics.py", "GAP = 7\n\ndef far():\n    return 7\n")
    monkeypatch.syspath_prepend("elsewhere")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    importlib.import_module("tactics")
    assert number_of(load("bots/bold.py")) == 12345


def test_a_helper_may_be_called_like_a_standard_module(here, monkeypatch):
    monkeypatch.delitem(sys.modules, "profile", raising=False)
    write("profile.py", "GAP = 1\n")
    write("bold.py", "import profile\n" + NUMBER.format(number="profile.GAP", name="strategy"))
    before = load("bold.py")
    edit("profile.py", "GAP = 1", "GAP = 2")
    after = load("bold.py")
    assert (number_of(before), number_of(after)) == (1, 2)
    assert before.fingerprint() != after.fingerprint()


def test_a_strategy_imported_before_an_edit_does_not_pass_for_the_edited_one(here, monkeypatch, forget_modules):
    write("bold.py", NUMBER.format(number=1, name="strategy"))
    monkeypatch.syspath_prepend(".")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    old = importlib.import_module("bold").strategy
    write("bold.py", NUMBER.format(number=20, name="strategy"))
    new = load("bold.py")
    assert (number_of(old), number_of(new)) == (1, 20)
    # Else the old machine code is kept under the new name, and the next process plays it.
    assert old.fingerprint().hex != new.fingerprint().hex


# ---- fingerprints


# What is reached, and how it changes: <<before|after>>.
CHANGES = """
-- itself
def choose(view, params):
    return <<1|2>>
-- global
GAP = <<1|2>>
def choose(view, params):
    return GAP
-- kind of number
GAP = <<1|1.0>>
def choose(view, params):
    return GAP
-- list
GAPS = [<<1, 2|2, 1>>]
def choose(view, params):
    return GAPS[0]
-- tuple in a tuple
GAPS = (1, (2, <<3|4>>))
def choose(view, params):
    return GAPS[1][1]
-- text
MOOD = "<<bold|shy>>"
def choose(view, params):
    return len(MOOD)
-- function
def far():
    return <<1|2>>
def choose(view, params):
    return far()
-- function of a function
def further():
    return <<1|2>>
def far():
    return further()
def choose(view, params):
    return far()
-- global of a function
GAP = <<1|2>>
def far():
    return GAP
def choose(view, params):
    return far()
-- which function
def near():
    return 1
def far():
    return 2
gap = <<near|far>>
def choose(view, params):
    return gap()
-- default
def far(gap=<<1|2>>):
    return gap
def choose(view, params):
    return far()
-- value of a default
GAP = <<1|2>>
def far(gap=GAP):
    return gap
GAP = 0
def choose(view, params):
    return far()
-- value of a keyword's default
GAP = <<1|2>>
def far(*, gap=GAP):
    return gap
GAP = 0
def choose(view, params):
    return far()
-- closure
def make(gap):
    def choose(view, params):
        return gap
    return choose
choose = make(<<1|2>>)
-- closed over function
def make(gap):
    def choose(view, params):
        return gap(1)
    return choose
choose = make(lambda card: card + <<1|2>>)
-- nested function
def choose(view, params):
    def far(card):
        return card + <<1|2>>
    return far(3)
-- lambda
far = lambda card: card + <<1|2>>
def choose(view, params):
    return far(3)
-- array
import numpy as np
WEIGHTS = np.arange(5000.0)
WEIGHTS[4321] = <<1|2>>
def choose(view, params):
    return WEIGHTS[7]
-- kind of array
import numpy as np
WEIGHTS = np.zeros(4, "<<i8|f8>>")
def choose(view, params):
    return WEIGHTS[0]
-- shape of an array
import numpy as np
WEIGHTS = np.zeros((<<2, 3|3, 2>>))
def choose(view, params):
    return WEIGHTS.shape[0]
-- numpy number
import numpy as np
GAP = np.float64(<<1|2>>)
def choose(view, params):
    return GAP
-- compiled helper
from numba import njit
@njit
def far(card):
    return card + <<1|2>>
def choose(view, params):
    return far(3)
-- options of a compiled helper
from numba import njit
@njit(fastmath=<<False|True>>)
def far(card):
    return card + 1
def choose(view, params):
    return far(3)
-- compiled choose
from numba import njit
@njit
def choose(view, params):
    return <<1|2>>
-- order of a named tuple
from collections import namedtuple
GAPS = namedtuple("Gaps", "<<up down|down up>>")(1, 2)
def choose(view, params):
    return GAPS.up
-- order of a record
import numpy as np
GAPS = np.array([(1, 2)], dtype=[("<<up|down>>", "i8"), ("<<down|up>>", "i8")])
def choose(view, params):
    return GAPS[0]["up"]
"""
CASES = dict(case.split("\n", 1) for case in CHANGES.split("-- ")[1:])


def with_choice(source, choice):
    """A source of CHANGES before (0) or after (1) its change."""
    return re.sub("<<(.*?)[|](.*?)>>", lambda found: found[choice + 1], source)


def from_file(source):
    """The function ``choose`` of a file."""
    write("bold.py", source)
    return run_file("bold.py").choose


def from_prompt(source):
    """The function ``choose`` as typed in somewhere: there is no file to read it from."""
    space = {"__name__": "__main__"}
    exec(source, space)
    return space["choose"]


@pytest.mark.parametrize("origin", [from_file, from_prompt])
@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_fingerprint_covers_all_that_is_reached(here, origin, source):
    before, again, after = (fingerprint([origin(with_choice(source, choice))]) for choice in (0, 0, 1))
    assert before.complete
    assert after.complete
    assert before.hex == again.hex
    assert before.hex != after.hex


def test_fingerprint_covers_the_request():
    assert Strategy(choose).fingerprint().hex != Strategy(choose, request=request).fingerprint().hex


def test_fingerprint_does_not_depend_on_what_is_not_reached(here):
    source = NUMBER.format(number=1, name="strategy")
    write("a/bold.py", source)
    write("b/shy.py", '"""Other words."""\nUNUSED = 7\n' + source.replace("weights", "others"))
    assert load("a/bold.py").fingerprint() == load("b/shy.py").fingerprint()
    assert load("a/bold.py:extra_gap=9").fingerprint() == load("a/bold.py").fingerprint()


@pytest.mark.parametrize(
    "thing",
    [
        "{1: 2}",
        "{1, 2}",
        "object()",
        "type('Mood', (), {'BOLD': 1})",
        "np.array([object()])",
        "(1, [2, {3: 4}])",
        "functools.partial(max, 1)",
        "bytearray(3)",
    ],
)
def test_fingerprint_is_not_complete_if_something_unknown_is_reached(thing):
    source = f"import functools\nimport numpy as np\nTHING = {thing}\ndef choose(view, params):\n    return THING\n"
    assert not fingerprint([from_prompt(source)]).complete


def test_fingerprint_of_what_refers_to_itself():
    source = textwrap.dedent("""
        def even(n):
            return True if n == 0 else odd(n - 1)
        def odd(n):
            return False if n == 0 else even(n - 1)
        def choose(view, params):
            return choose(view, params) if even(3) else 1
    """)
    before, again = fingerprint([from_prompt(source)]), fingerprint([from_prompt(source)])
    assert before == again
    assert before.hex != fingerprint([from_prompt(source.replace("False", "True"))]).hex


def test_fingerprint_of_a_variable_that_is_not_set_yet():
    def choose(view, params):
        return later

    missing = fingerprint([choose])
    later = 1
    assert fingerprint([choose]) != missing
