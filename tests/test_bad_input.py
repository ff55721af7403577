"""Wrong calls of the command line: a sentence on stderr, an exit code, and nothing written or changed anywhere."""

import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys

import pytest

from tests.program import PROGRAM, call, files_in, run

pytestmark = pytest.mark.usefixtures("compiled")

WORD = 2**64
ALL_DIGITS = "1" * 5000
NO_COMPILE = """
from simulator import Strategy

def choose(view, params):
    return view.nothing

strategy = Strategy(choose)
"""
PLUGINS = {
    "syntax.py": "def (:\n",
    "bytes.py": bytes(range(256)),
    "empty.py": "",
    "raises.py": "raise ValueError('oops')\n",
    "exits.py": "raise SystemExit(0)\n",
    "imports.py": "import no_such_module\n",
    "uncompiled.py": NO_COMPILE,
    "two.py": NO_COMPILE.replace("strategy = ", "one = two = "),
}
FOREIGN = {
    "foreign.json": '{"a": 1}',
    "foreign.csv": "a,b\n1,2\n",
    "empty.json": "",
    "empty.csv": "",
    "empty.parquet": "",
    "junk.json": bytes(range(256)),
    "junk.csv": bytes(range(256)),
    "junk.parquet": bytes(range(256)),
    "list.json": "[1, 2]",
    "deep.json": "[" * 100_000,
    "notes.txt": "mine",
    "diary/monday.txt": "mine",
    "page/index.html": "mine",
    "nearly/results.json": "{}",
}


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    """A folder with good results, and everything that can be wrong."""
    folder = tmp_path_factory.mktemp("stock")
    for name in ("good.json", "good.csv", "good.parquet"):
        done = call("simulate", "-s", "greedy", "-p", 2, "-n", 100, "-o", name, folder=folder)
        assert done.returncode == 0, done.stderr
    (folder / "report").mkdir()
    shutil.copy(folder / "good.json", folder / "report" / "results.json")
    for name, content in {**PLUGINS, **FOREIGN, **damaged(folder)}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def damaged(folder):
    """Results that something went wrong with."""
    text, table = (folder / "good.json").read_text(), (folder / "good.csv").read_text()
    parquet = (folder / "good.parquet").read_bytes()

    def changed(change):
        document = json.loads(text)
        change(document, document["results"][0])
        return json.dumps(document)

    def one_more(_, result):
        result["counts"][3] += 1

    return {
        "cut.json": text[: len(text) // 2],
        "corrupt.json": text.replace('"results"', 'results"'),
        "newer.json": changed(lambda document, _: document.update(version=2)),
        "older.json": changed(lambda document, _: document.update(version=None)),
        "miscounted.json": changed(one_more),
        "negative.json": changed(lambda _, result: result.update(counts=[101, -1, *[0] * 97])),
        "short.json": changed(lambda _, result: result.update(counts=[100])),
        "seven.json": changed(lambda _, result: result["rules"].update(players=7)),
        "overlapping.json": changed(lambda _, result: result.update(ranges=[[0, 60], [50, 40]])),
        "without.json": changed(lambda document, _: document.update(results=[])),
        "cut.csv": table[: len(table) // 2],
        "lines.csv": "".join(table.splitlines(keepends=True)[:60]),
        "miscounted.csv": "".join(table.splitlines(keepends=True)[:-1]) + table.splitlines()[-1][:-1] + "7\n",
        "heading.csv": table.splitlines()[0] + "\n",
        "cut.parquet": parquet[: len(parquet) // 2],
        "renamed.csv": text,
    }


@pytest.fixture
def folder(stock, tmp_path):
    return shutil.copytree(stock, tmp_path / "work")


def check_refusal(done, code, says):
    """The exit code, and one or two whole sentences that a person can do something with."""
    said = re.sub(r"^compiling \S+, once \.\.\.\n", "", done.stderr)
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert said.startswith("thegame: ")
    assert says in said
    assert said.count("\n") == 1
    told = re.sub(r" See '\S.* --help'\.\n$", "\n", said)
    assert told.endswith((".\n", "?\n"))
    assert len(re.findall(r"[.?!](?=\s+[A-Z]|\s*$)", told)) <= 2, told
    for word in ("Traceback", "thegame: Error", "a defect of the program"):
        assert word not in said


PLAYERS = "from 1 to 5 can play; write 3, or 1-5, or 2,4."
GAMES = "is no number of games; write 1000000, 1_000_000, 1e6 or 10M."
PERCENT = "is no share between 0 and 100 %; write it in percent"
VARY = "Cannot read --vary"
NOT_WHOLE = "is not a whole result of this program"
NO_RESULT = "exists and is not a result of this program"
REFUSED = [
    # which strategy
    ("simulate", "Which strategy? Give one with -s"),
    ("simulate -s gredy", "Unknown strategy 'gredy'; did you mean 'greedy'?"),
    ("simulate -s zzz", "known are backward, greedy, random, reservation"),
    ("simulate -s greedy:extra_gab=3", "did you mean 'extra_gap'?"),
    ("simulate -s greedy:extra_gap=x", "parameters are written name=number"),
    ("simulate -s greedy:extra_gap=1,extra_gap=2", "parameters are written name=number, each once"),
    ("simulate -s greedy:extra_gap=nan", "must be a finite number"),
    ("simulate -s greedy:extra_gap=1e400", "must be a finite number"),
    ("simulate -s greedy:extra_gap=1.5", "takes a whole number"),
    ("simulate -s greedy:", "Cannot read the strategy 'greedy:'"),
    ("simulate -s ''", "A strategy is named by a text"),
    ("simulate -s greedy -s greedy", "greedy is named twice"),
    ("compare -s greedy -s backward:extra_gap=2 -s backward:extra_gap=2.0", "backward:extra_gap=2 is named twice"),
    ("compare -s greedy -s gredy", "did you mean 'greedy'?"),
    ("sweep gredy --vary extra_gap=1..2", "did you mean 'greedy'?"),
    ("replay gredy", "did you mean 'greedy'?"),
    ("strategies gredy", "did you mean 'greedy'?"),
    ("strategies greedy backward", "unexpected extra argument"),
    ("simulate -s nowhere.py", "There is no file nowhere.py"),
    ("simulate -s notes.txt", "Unknown strategy 'notes.txt'"),
    ("simulate -s bytes.py", "The file bytes.py cannot be read"),
    ("simulate -s diary/", "The file diary/ cannot be read"),
    ("simulate -s no.such.module:bot", "There is no module"),
    ("simulate -s two.py", "holds several strategies: write two.py:name with one of one, two"),
    ("simulate -s two.py:three", "two.py has no strategy 'three'"),
    # how many play how many games of which decks
    ("simulate -s greedy -p 0", PLAYERS),
    ("simulate -s greedy -p 6", PLAYERS),
    ("simulate -s greedy -p 5-1", PLAYERS),
    ("simulate -s greedy -p x", PLAYERS),
    ("simulate -s greedy -p 1-", PLAYERS),
    ("simulate -s greedy -p 1,,2", PLAYERS),
    ("simulate -s greedy -p ''", PLAYERS),
    (f"simulate -s greedy -p {ALL_DIGITS}", PLAYERS),
    ("compare -p 2-6", PLAYERS),
    ("replay greedy -p 6", "number of players must be from 1 to 5, not 6"),
    ("sweep greedy --vary extra_gap=1,2 -p 2-4", "not a valid integer"),
    ("simulate -s greedy -n 0", "number of games must be from 1"),
    ("simulate -s greedy -n -5", GAMES),
    ("simulate -s greedy -n 1.5", GAMES),
    ("simulate -s greedy -n 1e99", "number of games must be from 1"),
    ("simulate -s greedy -n 1e999", GAMES),
    ("simulate -s greedy -n abc", GAMES),
    ("simulate -s greedy -n 10Q", GAMES),
    ("simulate -s greedy -n 1__0", GAMES),
    ("simulate -s greedy -n 1000,", GAMES),
    ("simulate -s greedy -n ''", GAMES),
    (f"simulate -s greedy -n {ALL_DIGITS}", GAMES),
    ("simulate -s greedy -n", "Option '-n' requires an argument"),
    ("compare -n 0", "number of games must be from 1"),
    ("sweep greedy --vary extra_gap=1,2 -n 1.5", GAMES),
    ("simulate -s greedy --precision 0%", PERCENT),
    ("simulate -s greedy --precision 100%", PERCENT),
    ("simulate -s greedy --precision 0.1", PERCENT),
    ("simulate -s greedy --precision 1% -n 100", "either -n or --precision"),
    ("simulate -s greedy --seed -1", "seed must be from 0"),
    (f"simulate -s greedy --seed {WORD}", f"seed must be from 0 to {WORD - 1}, not {WORD}"),
    ("simulate -s greedy --seed x", "not a valid integer"),
    ("compare --seed -1", "seed must be from 0"),
    ("simulate -s greedy --first-game -1", "first game must be from 0"),
    (f"simulate -s greedy --first-game {WORD - 1} -n 2", f"first game must be from 0 to {WORD - 2}"),
    ("simulate -s greedy --threads 0", "number of threads must be from 1"),
    ("compare --threads 1025", "number of threads must be from 1"),
    ("replay greedy --game -1", "game must be from 0"),
    (f"replay greedy --game {WORD}", "game must be from 0"),
    # which rules
    ("simulate -s greedy --hand-size 0", "hand size must be from 1 to 10"),
    ("simulate -s greedy --hand-size 11", "hand size must be from 1 to 10"),
    ("simulate -s greedy --hand-size 5 --minimum 6", "minimum must be from 1 to 5, the hand size, not 6"),
    ("simulate -s greedy --minimum 0", "minimum must be from 1"),
    ("simulate -s greedy --expert --minimum 2", "either expert or a minimum"),
    ("simulate -s greedy --smaller-hands", "--smaller-hands goes with --expert"),
    ("simulate -s greedy --expert --smaller-hands --hand-size 5", "not both"),
    ("simulate -s greedy --starter worst", "Unknown starter 'worst'"),
    ("compare --hand-size 0", "hand size must be from 1 to 10"),
    ("replay greedy --smaller-hands", "--smaller-hands goes with --expert"),
    # compare
    ("compare --sprt -s greedy -s backward -s random", "--sprt tells two strategies apart, not 3"),
    ("compare --sprt", "--sprt tells two strategies apart, not 3"),
    ("compare --sprt -s greedy -s backward --sprt-edge 50%", "--sprt-edge must be above 50%"),
    ("compare --sprt -s greedy -s backward --sprt-edge 0.6", PERCENT),
    # sweep
    ("sweep greedy", "Missing option '--vary'"),
    ("sweep greedy --vary extra_gab=1..2", "did you mean 'extra_gap'?"),
    ("sweep greedy --vary zzz=1..2", "known are extra_gap, hand_size, minimum, players"),
    ("sweep greedy --vary extra_gap", VARY),
    ("sweep greedy --vary extra_gap=", VARY),
    ("sweep greedy --vary extra_gap=5..1", VARY),
    ("sweep greedy --vary extra_gap=1..5..0", VARY),
    ("sweep greedy --vary extra_gap=1..5..-1", VARY),
    ("sweep greedy --vary extra_gap=nan", VARY),
    (f"sweep greedy --vary extra_gap=0..{ALL_DIGITS}", VARY),
    ("sweep greedy --vary extra_gap=0..400", "401 values; at most 400"),
    ("sweep greedy --vary extra_gap=0..1..0.00000000000001", "values; at most 400"),
    ("sweep greedy --vary extra_gap=1..100 --vary players=1..5", "500 points are too many"),
    ("sweep greedy --vary extra_gap=1,2 --vary players=1,2 --vary minimum=1,2", "one name, or two different ones"),
    ("sweep greedy --vary extra_gap=1,2 --vary extra_gap=3,4", "one name, or two different ones"),
    ("sweep greedy --vary extra_gap=0.5,1", "takes a whole number"),
    ("sweep greedy --vary players=1..2..0.5", "players takes whole numbers, not 1.5"),
    ("sweep greedy --vary players=1..6", "number of players must be from 1 to 5, not 6"),
    ("sweep greedy --vary players=1,2 -p 3", "either --vary players=… or -p"),
    ("sweep greedy --vary hand_size=5,6 --hand-size 6", "either --vary hand_size=… or --hand-size"),
    ("sweep greedy --vary minimum=1,2 --minimum 2", "either --vary minimum=… or --minimum"),
    ("sweep greedy --vary minimum=1,2 --expert", "either expert or a minimum"),
    # replay
    ("replay", "Missing argument 'STRATEGY'"),
    ("replay greedy --find rubbish", "win, worst or leftover=K"),
    ("replay greedy --find leftover=99", "K from 0 to 98"),
    ("replay greedy --find leftover=98 -n 1000", "None of the games 0 to 999 of seed 1 has exactly 98 cards left"),
    ("replay greedy --threads 2", "--threads goes with --find"),
    ("replay greedy -n 100", "-n goes with --find"),
    # where to
    ("simulate -s greedy -o results.txt", "let the name end in .csv, .json, .parquet"),
    ("simulate -s greedy -o results", "let the name end in .csv, .json, .parquet"),
    ("simulate -s greedy -o missing/results.json", "There is no folder missing"),
    ("simulate -s greedy -o report", "let the name end in .csv, .json, .parquet"),
    ("simulate -s greedy -o foreign.json", NO_RESULT),
    ("simulate -s greedy -o foreign.csv", NO_RESULT),
    ("simulate -s greedy -o renamed.csv", NO_RESULT),
    ("simulate -s greedy -o junk.parquet", NO_RESULT),
    ("simulate -s greedy -o empty.json", NO_RESULT),
    ("compare -o good.json", "good.json is a file; give a folder for the report"),
    ("compare -o .", "cannot take the place of the current folder"),
    ("compare -o missing/report", "There is no folder missing"),
    ("compare -o diary", "diary holds monday.txt, which is no part of a report"),
    ("compare -o page", "page is not empty and not a report"),
    ("compare -o nearly", "nearly is not empty and not a report"),
    ("sweep greedy --vary extra_gap=1,2 -o diary", "diary holds monday.txt"),
    ("report good.json -o diary", "diary holds monday.txt"),
    ("report good.json -o foreign.json", "foreign.json is a file"),
    # saved results
    ("report", "Missing argument 'FILES...'"),
    ("report nowhere.json", "There is no file nowhere.json"),
    ("report good.json nowhere.csv", "There is no file nowhere.csv"),
    ("report notes.txt", "let the name end in .csv, .json, .parquet"),
    ("report diary", "There is no file diary/results.json"),
    ("report nearly", NOT_WHOLE),
    ("report good.json good.json", "Games of greedy from number 0 on are there twice"),
    ("report good.csv good.parquet", "Games of greedy from number 0 on are there twice"),
    ("report good.json good.csv report", "Games of greedy from number 0 on are there twice"),
    ("report good.json cut.json", NOT_WHOLE),
    ("report corrupt.json", f"{NOT_WHOLE}: it is not valid JSON"),
    ("report deep.json", f"{NOT_WHOLE}: it is not valid JSON"),
    ("report empty.json", f"{NOT_WHOLE}: it is not valid JSON"),
    ("report junk.json", f"{NOT_WHOLE}: it is not valid JSON"),
    ("report foreign.json", f"{NOT_WHOLE}: it is JSON of another kind"),
    ("report list.json", f"{NOT_WHOLE}: it is JSON of another kind"),
    ("report newer.json", "it has the newer format 2, and this program reads up to 1"),
    ("report older.json", NOT_WHOLE),
    ("report miscounted.json", "the counts of greedy do not add up to its games"),
    ("report negative.json", "counts holds -1, which is no count"),
    ("report short.json", f"{NOT_WHOLE}: counts cannot be read"),
    ("report seven.json", "number of players must be from 1 to 5, not 7"),
    ("report overlapping.json", NOT_WHOLE),
    ("report without.json", f"{NOT_WHOLE}: it holds no result"),
    ("report cut.csv", "does not have a row for each leftover"),
    ("report lines.csv", "does not have a row for each leftover"),
    ("report miscounted.csv", "the counts of greedy do not add up to its games"),
    ("report heading.csv", f"{NOT_WHOLE}: it holds no result"),
    ("report foreign.csv", f"{NOT_WHOLE}: it has no column 'strategy'"),
    ("report empty.csv", NOT_WHOLE),
    ("report junk.csv", f"{NOT_WHOLE}: it is not CSV text"),
    ("report cut.parquet", f"{NOT_WHOLE}: it is not Parquet"),
    ("report junk.parquet", f"{NOT_WHOLE}: it is not Parquet"),
    ("report empty.parquet", f"{NOT_WHOLE}: it is not Parquet"),
    # the words themselves
    ("simulat", "Did you mean 'simulate'?"),
    ("nonsense", "No such command 'nonsense'"),
    ("--nonsense", "No such option '--nonsense'"),
    ("simulate -s greedy --thread 2", "Did you mean '--threads'?"),
    ("simulate greedy", "unexpected extra argument (greedy)"),
]
FAILED = [
    ("simulate -s syntax.py", "syntax.py is not valid Python: invalid syntax (line 1)"),
    ("simulate -s empty.py", "empty.py holds no Strategy"),
    ("simulate -s json:dumps", "json holds no Strategy"),
    ("simulate -s raises.py", "raises.py fails when it is loaded: ValueError: oops (line 1)"),
    ("compare -s greedy -s exits.py", "exits.py fails when it is loaded: SystemExit: 0 (line 1)"),
    ("strategies imports.py", "imports.py fails when it is loaded: ModuleNotFoundError"),
    ("sweep raises.py --vary extra_gap=1,2", "raises.py fails when it is loaded"),
    ("simulate -s uncompiled.py -p 2 -n 10", "choose does not compile: Unknown attribute 'nothing' of the view"),
    ("compare -s uncompiled.py -p 2 -n 10", "choose does not compile: Unknown attribute 'nothing' of the view"),
    ("replay uncompiled.py", "choose does not compile: Unknown attribute 'nothing' of the view"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED, ids=[words[:60] for words, _ in REFUSED])
def test_a_wrong_call_is_refused_and_changes_nothing(words, says, folder):
    before = files_in(folder)
    check_refusal(call(*shlex.split(words), folder=folder), 2, says)
    assert files_in(folder) == before


@pytest.mark.parametrize(("words", "says"), FAILED, ids=[words for words, _ in FAILED])
def test_a_broken_strategy_fails_and_changes_nothing(words, says, folder):
    before = files_in(folder)
    check_refusal(call(*shlex.split(words), folder=folder), 1, says)
    assert files_in(folder) == before


def test_a_process_refuses_as_well(folder):
    before = files_in(folder)
    check_refusal(run("simulate", "-s", "gredy", folder=folder), 2, "did you mean 'greedy'?")
    check_refusal(run("simulate", "-s", "raises.py", folder=folder), 1, "ValueError: oops")
    check_refusal(run("report", "cut.json", folder=folder), 2, NOT_WHOLE)
    assert files_in(folder) == before


def test_without_a_command_there_is_help(tmp_path):
    done = run(folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: ")
    assert all(name in done.stderr for name in ("simulate", "compare", "sweep", "replay", "strategies", "report"))


# ---- places that cannot be written


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a /proc, where nobody can make files")
@pytest.mark.parametrize(
    "words",
    ["simulate -s greedy -o /proc/nope.json", "compare -o /proc/nope", "sweep greedy --vary extra_gap=1,2 -o /proc/no"],
)
def test_a_place_that_cannot_be_written_is_found_out_before_any_game(words, tmp_path):
    check_refusal(call(*shlex.split(words), "-n", "100", folder=tmp_path), 1, "cannot be written")


@pytest.mark.parametrize("words", ["simulate -s greedy -o locked/new.json", "compare -o locked/new"])
def test_a_read_only_folder_is_found_out_before_any_game(words, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if os.access(locked, os.W_OK):
        pytest.skip("this user, perhaps root, may write to read-only folders; /proc is tried instead")
    check_refusal(call(*shlex.split(words), "-n", "100", folder=tmp_path), 1, "Permission denied")


@pytest.mark.parametrize("words", ["simulate -s greedy -o {}.json", "compare -o {}"])
def test_a_name_that_is_too_long_is_found_out_before_any_game(words, tmp_path):
    for length in (245, 300):  # in the second case, the name itself
        words_with_name = shlex.split(words.format("x" * length))
        check_refusal(call(*words_with_name, "-n", "100", folder=tmp_path), 1, "File name too long")
    assert files_in(tmp_path) == {}


def limited(most):
    """Let no file of the process grow beyond so many bytes, like a disk that is full by then."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@pytest.mark.parametrize("name", ["good.json", "good.csv", "new.json"])
def test_a_file_that_cannot_be_finished_leaves_the_old_one(name, folder):
    before = files_in(folder)
    words = ["simulate", "-s", "greedy", "-p", "2", "-n", "200", "-o", name]
    done = run(*words, folder=folder, preexec_fn=limited(1000))
    assert done.returncode == 1
    assert done.stderr == f"thegame: {name} cannot be written: File too large. Nothing was changed there.\n"
    assert "greedy          2    200" in done.stdout  # the games were played, and can be read at least
    assert files_in(folder) == before


@pytest.mark.parametrize(
    ("words", "most", "where"),
    [
        ("compare -p 2 -n 200 -o report", 20_000, "report"),  # a chart is too large
        ("compare -p 2 -n 200 -o new", 150_000, "new/index.html"),
        ("report good.json -o report", 150_000, "report/index.html"),
    ],
)
def test_a_report_that_cannot_be_finished_leaves_the_old_one(words, most, where, folder):
    before = files_in(folder)
    done = run(*words.split(), folder=folder, preexec_fn=limited(most))
    assert done.returncode == 1
    assert done.stderr == (f"thegame: {folder / where} cannot be written: File too large. Nothing was changed there.\n")
    assert files_in(folder) == before


FULL_DISK = """
mount -t tmpfs -o size=400k none disk && cp -r report disk && cd disk || exit 77
"$@" -o report
echo "exit $?"
ls -A
cmp report/results.json ../report/results.json && ls report
"""


def test_a_full_disk_leaves_the_old_report(folder):
    (folder / "disk").mkdir()
    command = ["unshare", "-rm", "sh", "-c", FULL_DISK, "sh", *PROGRAM]
    words = ["compare", "-p", "2", "-n", "200"]
    try:
        done = subprocess.run([*command, *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    except FileNotFoundError:
        pytest.skip("there is no unshare to mount a small disk with")
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no small disk can be mounted: {done.stderr.strip()}")
    assert re.fullmatch(r"thegame: \S+ cannot be written: No space left on device\. Nothing .*\n", done.stderr)
    assert done.stdout.endswith("exit 1\nreport\nresults.json\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_stdout_is_an_error_but_does_not_cost_the_games(tmp_path):
    full = "thegame: The output cannot be written: No space left on device.\n"
    with open("/dev/full", "w") as nowhere:
        done = run("simulate", "-s", "greedy", "-p", 2, "-n", 100, "-o", "a.json", folder=tmp_path, stdout=nowhere)
        assert (done.returncode, done.stderr) == (1, f"saved a.json\n{full}")
        done = run("compare", "-p", 2, "-n", 100, "-o", "report", folder=tmp_path, stdout=nowhere)
        assert (done.returncode, done.stderr) == (1, f"report: report/index.html\n{full}")
        for words in (["--help"], ["strategies"], ["replay", "greedy"]):
            done = run(*words, folder=tmp_path, stdout=nowhere)
            assert done.returncode == 1
            assert done.stderr.endswith(full)
    assert json.loads((tmp_path / "a.json").read_text())["complete"] is True
    assert json.loads((tmp_path / "report" / "results.json").read_text())["complete"] is True


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_error(stream, tmp_path):
    number = {"stdout": 1, "stderr": 2}[stream]
    words = ["simulate", "-s", "greedy", "-p", "2", "-n", "100", "-o", "a.json"]
    done = run(*words, folder=tmp_path, preexec_fn=lambda: os.close(number))
    assert done.returncode == 0
    assert done.stderr == ("saved a.json\n" if stream == "stdout" else "")
    assert done.stdout.count("greedy") == (stream == "stderr")
    assert list(files_in(tmp_path)) == ["a.json"]


def test_letters_that_stdout_does_not_know_are_no_error(tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = run("simulate", "-s", "greedy", "-p", 2, "-n", 100, folder=tmp_path, env=environment, encoding="latin-1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "± " in done.stdout
    assert "5?95 %" in done.stdout


# ---- what nobody expects

DEFECTIVE = """
import sys
import simulator.loader
from simulator.cli import main

def load(name):
    raise {problem}

simulator.loader.load = load
sys.argv[0] = "thegame"
main()
"""


def run_defective(problem, *words):
    program = [sys.executable, "-c", DEFECTIVE.format(problem=problem), *words]
    return subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)


def test_a_defect_is_one_sentence_and_with_debug_a_traceback():
    done = run_defective("ZeroDivisionError('by hand')", "simulate", "-s", "greedy")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "thegame: This is a defect of the program (ZeroDivisionError: by hand); thegame --debug ... shows where.\n"
    )
    done = run_defective("ZeroDivisionError('by hand')", "--debug", "simulate", "-s", "greedy")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert done.stderr.endswith("ZeroDivisionError: by hand\n")


def test_debug_shows_where_an_expected_problem_comes_from():
    done = run("--debug", "simulate", "-s", "gredy")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert done.stderr.endswith("did you mean 'greedy'?\n")


def test_a_lack_of_memory_is_one_sentence():
    done = run_defective("MemoryError", "simulate", "-s", "greedy")
    assert done.returncode == 1
    assert done.stderr == "thegame: There is not enough memory for this; ask for less at once.\n"
