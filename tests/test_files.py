"""Saved results: they come back as they were written, add up, and whatever is wrong with a file is one sentence."""

import copy
import errno
import io
import json
import os
import random
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reports.checks import MalformedError
from reports.files import check_ending, check_target, read_results, write_results
from reports.json_form import FORMAT_VERSION, as_json, from_json
from reports.report import FILES, check_report, verdicts
from reports.saved import Saved, add_up
from reports.summary import label_experiments, pair, summary_rows
from reports.table import counts_frame, summary_frame
from reports.tidy_form import from_csv, from_parquet
from reports.writing import check_folder, check_writable, unfinished, whole_folder, write_whole
from simulator import STOP, Deck, Rules, Strategy, cards_in, load, play, playable, simulate
from simulator.comparison import Comparison, Tally
from simulator.errors import InputError, OutputError
from simulator.landmarks import Landmark
from simulator.result import LEFTOVERS, Experiment, Result

WORD = 2**64
ENDINGS = (".json", ".csv", ".parquet")
HOSTILE = [
    "<script>alert(1)</script>",
    '"',
    "a,b;c\td",
    'say ""no"", \'never\'',
    "two\nlines\r\nand\rmore\n",
    "\r",
    "\\n\\u0041\\",
    "=1+1",
    "策略 🎴 \u202egnol \u2028",
    "nul\0and bell\a",
    " spaces ",
    "nan",
    "None",
    "",
    "bots/../../etc/passwd.py:x=1",
]
NAMES = st.sampled_from(["greedy", "greedy:extra_gap=3", *HOSTILE]) | st.text(max_size=12)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.integers(-(2**53), 2**53) | FINITE | st.lists(FINITE, max_size=4)
PARAMS = st.dictionaries(st.sampled_from(["extra_gap", "near_gap", "weights"]), VALUES, max_size=3)


@st.composite
def some_rules(draw):
    players, hand = draw(st.integers(1, 5)), draw(st.integers(1, 10))
    deck = draw(st.sampled_from([Deck(), Deck(), Deck(lowest=3, highest=60, piles=2, step=7)]))
    minimum, starter = draw(st.integers(1, hand)), draw(st.sampled_from(["first", "best"]))
    return Rules(players, hand, minimum, draw(st.booleans()), starter, deck)


@st.composite
def some_ranges(draw):
    """One to three ranges of games apart from each other, anywhere."""
    pieces = draw(st.lists(st.tuples(st.integers(1, 2**40), st.integers(1, 2**40)), min_size=1, max_size=3))
    start = draw(st.sampled_from([0, 17]) | st.integers(0, WORD - 2**43))
    ranges = []
    for number, (gap, games) in enumerate(pieces):
        ranges.append((start + (gap if number else 0), games))
        start = sum(ranges[-1])
    if draw(st.integers(0, 9)) == 0:
        ranges.append((WORD - 1, 1))
    return tuple(ranges)


def spread_out(games, cuts, places):
    """Counts per leftover that add up to so many games."""
    borders = [0, *sorted(cut % (games + 1) for cut in cuts), games]
    counts = np.zeros(LEFTOVERS, dtype=np.int64)
    for place, start, end in zip(places, borders, borders[1:], strict=False):
        counts[place] += end - start
    counts[places[-1]] += games - counts.sum()
    return counts


@st.composite
def some_results(draw, ranges=None, counts=None):
    ranges = draw(some_ranges()) if ranges is None else ranges
    if counts is None:
        cuts = draw(st.lists(st.integers(0, 2**50), max_size=4))
        places = draw(st.lists(st.integers(0, 98), min_size=5, max_size=5))
        counts = spread_out(sum(games for _, games in ranges), cuts, places)
    found = np.flatnonzero(counts)
    first = ranges[0][0]
    marks = {"worst": Landmark(first, int(found[-1]))}
    if counts[0]:
        marks["win"] = Landmark(first, 0)
    if found[-1] > 0:
        marks["close"] = Landmark(sum(ranges[-1]) - 1, int(found[found > 0][0]))
    return Result(
        counts=counts,
        experiment=Experiment(
            draw(NAMES),
            draw(PARAMS),
            draw(st.sampled_from(["0" * 64, "f" * 64])),
            draw(some_rules()),
            draw(st.sampled_from([0, 1, 2**63, WORD - 1]) | st.integers(0, WORD - 1)),
        ),
        ranges=ranges,
        started=draw(st.sampled_from(["2026-01-02T03:04:05+00:00", ""])),
        seconds=draw(st.floats(0, 1e9)),
        complete=draw(st.booleans()),
        landmarks=marks if draw(st.booleans()) else {},
        versions=dict(zip(("simulator", "numba", "numpy"), draw(st.lists(NAMES, min_size=3, max_size=3)), strict=True)),
    )


def distinct(results):
    return len({result.experiment.key for result in results}) == len(results)


TIDY = st.lists(some_results(), min_size=1, max_size=3).filter(distinct)


def compare_all(results, leftovers, first_game):
    """The comparison of results that played these games."""
    tally = Tally.of(leftovers, first_game)
    return Comparison(
        experiments=tuple(result.experiment for result in results),
        ranges=((first_game, leftovers.shape[1]),),
        sums=leftovers.sum(axis=1, dtype=np.int64),
        both_won=tally.both_won,
        leads=tally.leads,
        products=tally.products,
        swings=tally.swings,
    )


@st.composite
def some_saved(draw):
    """Results of one to three strategies on the same games, compared, and perhaps one more."""
    entries, games = draw(st.integers(1, 3)), draw(st.integers(1, 50))
    first_game = draw(st.sampled_from([0, 5, WORD - 50]))
    dice = np.random.default_rng(draw(st.integers(0, 999)))
    leftovers = (dice.integers(0, 99, (entries, games)) * dice.integers(0, 2, (entries, games))).astype(np.uint8)
    ranges = ((first_game, games),)
    results = [draw(some_results(ranges, np.bincount(row, minlength=LEFTOVERS))) for row in leftovers]
    comparison = compare_all(results, leftovers, first_game)
    results += draw(st.lists(some_results(), max_size=1))
    assume(distinct(results))
    shared = set.intersection(*(set(result.params) for result in results))
    vary = [name for name in sorted(shared) if not any(isinstance(result.params[name], list) for result in results)]
    vary = draw(st.sampled_from([[], vary[:2], ["players"], ["minimum", *vary[:1]]]))
    comparisons = draw(st.sampled_from([[], [comparison]]))
    return Saved(results, comparisons, vary, draw(st.booleans()))


def as_list(value):
    return (value.tolist(), value.dtype) if isinstance(value, np.ndarray) else value


def plain(saved):
    """All that is saved, as data that can be compared."""
    columns = ("experiment", "ranges", "counts", "started", "seconds", "complete", "landmarks", "versions")
    tables = ("experiments", "ranges", "sums", "both_won", "leads", "products", "swings")
    return (
        [{name: as_list(getattr(result, name)) for name in columns} for result in saved.results],
        [{name: as_list(getattr(comparison, name)) for name in tables} for comparison in saved.comparisons],
        list(saved.vary),
        saved.complete,
    )


def tidy(saved):
    """What CSV and Parquet have room for."""
    return Saved(saved.results, complete=all(result.complete for result in saved.results))


def content_of(saved, ending):
    """The bytes of a file of that form."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"results{ending}"
        write_results(place, saved)
        return place.read_bytes()


@given(some_saved())
def test_json_brings_everything_back(saved):
    assert plain(from_json(as_json(saved).encode())) == plain(saved)


@given(TIDY)
def test_csv_brings_all_results_back(results):
    assert plain(from_csv(content_of(Saved(results), ".csv"))) == plain(tidy(Saved(results)))


@settings(max_examples=50)
@given(TIDY)
def test_parquet_brings_all_results_back(results):
    assert plain(from_parquet(content_of(Saved(results), ".parquet"))) == plain(tidy(Saved(results)))


def example(name="greedy", seed=1, first_game=0, games=60, entries=2, **changes):
    """Results of strategies on the same games, and how they compare."""
    dice = np.random.default_rng(first_game)
    leftovers = (dice.integers(0, 99, (entries, games)) * dice.integers(0, 2, (entries, games))).astype(np.uint8)
    tally = Tally.of(leftovers, first_game)
    results = [
        Result(
            counts=tally.counts[entry],
            experiment=Experiment(name, {"extra_gap": entry, "w": [1.0, 0.5]}, "ab" * 32, Rules(3, silent=True), seed),
            ranges=((first_game, games),),
            started="2026-01-02T03:04:05+00:00",
            seconds=0.125,
            landmarks=tally.landmarks[entry],
            versions={"simulator": "0.1.0", "numba": "0.61", "numpy": "2.0"},
        )
        for entry in range(entries)
    ]
    return replace(Saved(results, [compare_all(results, leftovers, first_game)], ["extra_gap"]), **changes)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_come_back_from_files(name, ending, tmp_path):
    place, saved = tmp_path / f"results{ending}", example(name, seed=WORD - 1)
    write_results(place, saved)
    assert plain(read_results(place)) == plain(saved if ending == ".json" else tidy(saved))
    assert os.listdir(tmp_path) == [place.name]


def read_mutation(content, ending, folder):
    """What is read of a file with that content, or None if it is refused as it should."""
    place = folder / f"mutated{ending}"
    place.write_bytes(content)
    try:
        saved = read_results(place)
    except InputError as refused:
        check_sentence(refused, place)
        return None
    use(saved)
    return saved


def check_sentence(refused, place):
    said = str(refused)
    assert said.startswith(str(place))
    assert said.endswith(".")
    assert said.isprintable(), said
    assert len(said) < 400 + len(str(place))


def use(saved):
    """Whatever is read can be shown, compared, added up and saved again."""
    for result in saved.results:
        assert result.counts.shape == (LEFTOVERS,)
        assert sum(result.counts.tolist()) == result.games
        assert result.counts.min() >= 0
        assert list(result.ranges) == sorted(result.ranges)
    summary_rows(saved.results)
    names = label_experiments([result.experiment for result in saved.results])
    for comparison in saved.comparisons:
        for one in range(len(comparison.experiments)):
            for other in range(len(comparison.experiments)):
                found = pair(comparison, one, other, names)
                assert -1 <= found.difference.low <= found.difference.value <= found.difference.high <= 1
                assert found.mean_difference.low <= found.mean_difference.high
                assert 0 <= found.leads + found.trails <= 1
    try:
        together = add_up([saved])
    except InputError:  # an experiment that is there twice
        return
    verdicts(together)
    summary_frame(together.results, together.vary)
    assert plain(from_json(as_json(together).encode())) == plain(together)


GOOD = {ending: content_of(example(), ending) for ending in ENDINGS}


@pytest.mark.parametrize(("ending", "times"), [(".json", 3000), (".csv", 2000), (".parquet", 1500)])
def test_damaged_bytes_are_read_or_refused_with_a_sentence(ending, times, tmp_path):
    dice, good = random.Random(2026), GOOD[ending]
    refused = 0
    for _ in range(times):
        content, place = bytearray(good), dice.randrange(len(good))
        length = dice.randint(1, 60)
        match dice.randrange(6):
            case 0 | 1:
                content[place] ^= 1 << dice.randrange(8)
            case 2:
                content[place] = dice.randrange(256)
            case 3:
                del content[place : place + length]
            case 4:
                content[place:place] = content[max(place - length, 0) : place]
            case 5:
                content[place:place] = dice.randbytes(length)
        refused += read_mutation(bytes(content), ending, tmp_path) is None
    assert refused > times / 2


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_is_cut_off_is_refused(ending, tmp_path):
    good = GOOD[ending].rstrip(b"\n")
    for end in {*range(0, len(good), 1 + len(good) // 400), *range(len(good) - 20, len(good))}:
        assert read_mutation(good[:end], ending, tmp_path) is None, end


JUNK = [None, True, False, 0, 1, -1, 2**63 - 1, 2**63, WORD, 2**65, 10**400]
JUNK += [1.5, 4.0, 1e308, float("nan"), float("inf")]
JUNK += ["", "x", "99", "two\nlines", "W" * 10**5, [], [1], [[1]], [None], [0] * 99, {}, {"a": 1}, {"\n": 1}]
JUNK += ["deck", "options", "players", "starter", "extra_gap", "w"]
HALF = "\ud800"  # of a pair of surrogates: JSON can say it, no other form can


def places(document, path=()):
    """The paths to everything in a JSON document."""
    yield path
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield from places(document[key], (*path, key))


DOCUMENT = json.loads(GOOD[".json"])
PLACES = [path for path in places(DOCUMENT) if path]
FEW = [path for path in PLACES if path[-2:-1] != ("counts",)]  # most are counts
WINS = [result["counts"][0] for result in DOCUMENT["results"]]
MORE_THAN_EITHER = [[WINS[0], max(WINS) + 1], [max(WINS) + 1, WINS[1]]]


def changed(path, change, value):
    """The document with something gone, renamed or replaced."""
    document = copy.deepcopy(DOCUMENT)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    if change == "drop":
        del inner[path[-1]]
    elif change == "rename" and isinstance(inner, dict):
        inner["two\nlines"] = inner.pop(path[-1])
    elif change == "repeat" and isinstance(inner, list):
        inner.append(copy.deepcopy(inner[path[-1]]))
    else:
        inner[path[-1]] = value
    return document


@settings(max_examples=400)
@given(
    st.sampled_from(FEW) | st.sampled_from(PLACES),
    st.sampled_from(["drop", "rename", "repeat", "replace", "replace", "replace"]),
    st.integers(0, len(JUNK)),  # Hypothesis could not print all of the junk
)
def test_json_with_anything_in_it_is_read_or_refused_with_a_sentence(path, change, junk):
    with tempfile.TemporaryDirectory() as folder:
        read_mutation(json.dumps(changed(path, change, [*JUNK, HALF][junk])).encode(), ".json", Path(folder))


def test_every_part_of_json_may_be_missing_or_of_a_wrong_type(tmp_path):
    for path in FEW:
        for change, value in [("drop", None), ("replace", None), ("replace", "x"), ("replace", [[]]), ("replace", -1)]:
            saved = read_mutation(json.dumps(changed(path, change, value)).encode(), ".json", tmp_path)
            if path[0] == "results" and path[2:3] in [(name,) for name in ("rules", "seed", "ranges", "counts")]:
                assert saved is None, (path, change)


@settings(max_examples=150)
@given(st.integers(0, 197), st.data())
def test_tables_with_anything_in_them_are_read_or_refused_with_a_sentence(row, data):
    frame = counts_frame(example().results).astype(object)
    column = data.draw(st.sampled_from(list(frame.columns)))
    match data.draw(st.sampled_from(["cell", "column", "row", "drop", "rename"])):
        case "cell":
            frame.loc[row, column] = data.draw(
                st.sampled_from(JUNK).filter(lambda value: not isinstance(value, list | dict))
            )
        case "column":
            frame[column] = [data.draw(st.sampled_from(JUNK))] * len(frame)
        case "row":
            frame = frame.drop(index=row)
        case "drop":
            frame = frame.drop(columns=column)
        case "rename":
            frame = frame.rename(columns={column: "two\nlines"})
    with tempfile.TemporaryDirectory() as folder:
        text = frame.to_csv(index=False).encode()
        read_mutation(text, ".csv", Path(folder))
        try:
            content = frame.to_parquet(index=False)
        except Exception:  # Parquet has no room for it
            return
        read_mutation(content, ".parquet", Path(folder))


FOREIGN = {
    "empty.json": b"",
    "empty.csv": b"",
    "empty.parquet": b"",
    "other.json": b'{"format": "geo", "results": []}',
    "list.json": b"[1, 2]",
    "text.json": b'"thegame results"',
    "deep.json": b"[" * 10**5,
    "digits.json": b"1" * 10**4,
    "latin.json": '{"größe": 1}'.encode("latin-1"),
    "page.json": b"<!DOCTYPE html>",
    "heading.csv": GOOD[".csv"].split(b"\n", 1)[0],
    "other.csv": b"a,b\n1,2\n",
    "semicolons.csv": GOOD[".csv"].replace(b",", b";"),
    "latin.csv": "größe,b\n1,2\n".encode("latin-1"),
    "picture.csv": bytes(range(256)),
    "picture.parquet": b"\x89PNG\r\n" + bytes(1000),
    "json.csv": GOOD[".json"],
    "csv.json": GOOD[".csv"],
    "json.parquet": GOOD[".json"],
    "parquet.csv": GOOD[".parquet"],
    "other.parquet": pd.DataFrame({"a": [1, 2]}).to_parquet(),
    "no-rows.parquet": counts_frame(example().results)[:0].to_parquet(),
    "nested.csv": counts_frame(example().results).assign(params="[" * 10**4).to_csv(index=False).encode(),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files_are_refused(name, tmp_path):
    assert read_mutation(FOREIGN[name], Path(name).suffix, tmp_path) is None


def test_a_newer_format_asks_for_an_update(tmp_path):
    place = tmp_path / "new.json"
    place.write_text(json.dumps({**DOCUMENT, "version": FORMAT_VERSION + 1}))
    with pytest.raises(InputError, match=rf"newer format {FORMAT_VERSION + 1}.* up to {FORMAT_VERSION}; update it\.$"):
        read_results(place)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("results", 0, "counts", 0), 10**6, "the counts of greedy do not add up to its games"),
        (("results", 0, "ranges"), [[0, 30], [29, 30]], "Games of greedy from number 29 on are there twice"),
        (("results", 0, "ranges"), [[WORD - 1, 2]], "the games of greedy cannot be read"),
        (("results", 0, "seed"), WORD, "seed holds 18446744073709551616, which is no count"),
        (("results", 0, "rules", "players"), 6, "players must be from 1 to 5, not 6"),
        (("results", 0, "landmarks", "worst"), [10**6, 3], "landmark worst is of a game that was not played"),
        (("results", 0, "params", "extra_gap"), "3", "params holds '3', which is no number"),
        (("results", 0, "params", "w"), [1.0, float("nan")], "params holds [1.0, nan], which is no number"),
        (("results", 0, "strategy"), HALF, "strategy cannot be read"),
        (("results", 0, "landmarks", "worst"), [0, 99], "landmark worst is of a game that was not counted"),
        (("comparisons", 0, "swings", 0, 2), 60, "a swing is of a game that was not played"),
        (("comparisons", 0, "swings", 0, 3), 98, "a swing is none"),
        (("vary", 0), "w", "varied by 'w', which is not one number"),
        (("vary", 0), "deck", "varied by 'deck', which its results do not have"),
        (("comparisons", 0, "results", 0), 2, "a comparison names results that are not there"),
        (("comparisons", 0, "both_won", 0, 1), 60, "the numbers of a comparison contradict each other"),
        (("comparisons", 0, "both_won"), MORE_THAN_EITHER, "the numbers of a comparison contradict each other"),
        (("comparisons", 0, "leads", 0, 1), 2**63 - 1, "the numbers of a comparison contradict each other"),
        (("comparisons", 0, "products", 0, 0), 0, "the numbers of a comparison contradict each other"),
        (("comparisons", 0, "sums", 0), 1, "the numbers of a comparison contradict each other"),
    ],
)
def test_a_contradiction_is_named(path, value, says, tmp_path):
    place = tmp_path / "wrong.json"
    place.write_text(json.dumps(changed(path, "replace", value)))
    with pytest.raises(InputError) as refused:
        read_results(place)
    check_sentence(refused.value, place)
    assert says in str(refused.value)


def test_more_games_than_can_be_counted_are_refused(tmp_path):
    document = changed(("comparisons",), "replace", [])
    for result in document["results"]:
        result |= {"ranges": [[0, 2**63]], "counts": [2**63 - 1, 1, *[0] * 97], "landmarks": {}}
    assert read_mutation(json.dumps(document).encode(), ".json", tmp_path) is None


@pytest.mark.parametrize("rule", list(DOCUMENT["results"][0]["rules"]))
def test_a_rule_that_is_missing_does_not_pass_for_the_printed_one(rule, tmp_path):
    assert (
        read_mutation(json.dumps(changed(("results", 0, "rules", rule), "drop", None)).encode(), ".json", tmp_path)
        is None
    )


def test_a_long_list_of_parameters_comes_back(tmp_path):
    [result] = example(entries=1, vary=()).results
    long = {"w": np.random.default_rng(1).random(9000).tolist()}
    saved = Saved([replace(result, experiment=replace(result.experiment, params=long))])
    for ending in ENDINGS:
        write_results(tmp_path / f"long{ending}", saved)
        assert plain(read_results(tmp_path / f"long{ending}")) == plain(saved)


@pytest.mark.parametrize("ending", ENDINGS)
def test_parameters_of_numpy_and_lists_come_back_from_a_real_run(ending, tmp_path):
    def choose(view, params):
        for pile in range(view.piles):
            for card in cards_in(playable(view, pile)):
                if view.laid_this_turn < view.minimum:
                    return play(card, pile)
        return STOP

    given_as = {"a": np.arange(3), "b": np.float64(0.5), "c": True, "d": range(2), "e": (1, 2), "f": 3}
    result = simulate(Strategy(choose, params=given_as, name="quick"), 2, 50, seed=WORD - 1)
    assert result.params == {"a": [0.0, 1.0, 2.0], "b": 0.5, "c": 1.0, "d": [0.0, 1.0], "e": [1.0, 2.0], "f": 3}
    assert isinstance(result.params["f"], int)
    write_results(tmp_path / f"run{ending}", Saved([result]))
    assert plain(read_results(tmp_path / f"run{ending}")) == plain(Saved([result]))


def test_the_name_of_a_file_that_is_no_text_can_be_saved(tmp_path):
    [result] = example(entries=1, vary=()).results
    label = replace(load("greedy"), name="b\udcff.py").label
    saved = Saved([replace(result, experiment=replace(result.experiment, strategy=label))])
    for ending in ENDINGS:
        write_results(tmp_path / f"odd{ending}", saved)
        assert read_results(tmp_path / f"odd{ending}").results[0].strategy == r"b\udcff.py"


# ---- adding up


def test_results_of_other_games_add_up_exactly():
    parts = [example(first_game=first) for first in (0, 60, 500)]
    together = add_up(parts)
    assert len(together.results) == 2
    for place, result in enumerate(together.results):
        assert result.counts.tolist() == sum(part.results[place].counts for part in parts).tolist()
        assert result.ranges == ((0, 120), (500, 60))
        assert result.seconds == 3 * 0.125
        assert result.landmarks["worst"].leftover == max(np.flatnonzero(result.counts))
    [comparison] = together.comparisons
    assert comparison.ranges == ((0, 120), (500, 60))
    for name in ("sums", "both_won", "leads", "products"):
        assert getattr(comparison, name).tolist() == sum(getattr(p.comparisons[0], name) for p in parts).tolist()
    assert together.vary == ["extra_gap"]
    assert together.complete


@settings(max_examples=20)
@given(st.permutations(range(5)))
def test_the_order_of_files_does_not_matter(order):
    whole = add_up([example(first_game=60 * place) for place in range(5)])
    again = add_up([example(first_game=60 * place) for place in order])
    assert plain(replace(again, results=whole.results)) == plain(whole)
    by_key = {result.experiment.key: result for result in again.results}
    for result in whole.results:
        assert plain(Saved([by_key[result.experiment.key]])) == plain(Saved([result]))


@pytest.mark.parametrize("ending", ENDINGS)
def test_saved_parts_add_up_as_those_in_memory(ending, tmp_path):
    parts = [example(first_game=0), example(first_game=1000)]
    for number, part in enumerate(parts):
        write_results(tmp_path / f"{number}{ending}", part)
    together = add_up([read_results(tmp_path / f"{number}{ending}") for number in range(2)])
    expected = add_up(parts if ending == ".json" else [tidy(part) for part in parts])
    assert plain(together) == plain(expected)


@pytest.mark.parametrize("first_game", [0, 30, 59])
def test_games_that_are_there_twice_are_refused(first_game):
    with pytest.raises(InputError) as refused:
        add_up([example(), example(first_game=first_game)])
    said = str(refused.value)
    assert said.startswith(f"Games of greedy from number {first_game} on are there twice;")
    assert said.endswith(".")
    assert said.isprintable()


def test_other_experiments_stay_rows_of_their_own():
    base = example(entries=1, vary=())
    [result] = base.results

    def other(**changes):
        return Saved([replace(result, experiment=replace(result.experiment, **changes))])

    others = [
        other(seed=2),
        other(rules=Rules(3)),
        other(rules=Rules(4, silent=True)),
        other(content_hash="cd" * 32),
        other(strategy="backward"),
        other(params={"extra_gap": 0, "w": [1.0, 0.25]}),
    ]
    together = add_up([base, *others])
    assert len(together.results) == 7
    assert all(each.games == 60 for each in together.results)
    labels = label_experiments([each.experiment for each in together.results])
    assert len({(each.rules.players, labels[each.experiment.key]) for each in together.results}) == 7
    assert len(add_up([*others, example(entries=1, first_game=60)]).results) == 7


def test_one_partial_file_makes_the_sum_partial():
    assert not add_up([example(), example(first_game=60, complete=False)]).complete
    partial = [replace(result, complete=False) for result in example(first_game=60).results]
    together = add_up([example(), example(first_game=60, results=partial)])
    assert [result.complete for result in together.results] == [False, False]


def test_files_that_vary_other_things_are_no_sweep_together():
    assert add_up([example(), example(first_game=60, vary=())]).vary == ()


# ---- writing


def no_space(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class FullDisk(io.FileIO):
    """A file that takes a few bytes and no more."""

    def write(self, content):
        super().write(bytes(content)[:10])
        no_space()


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


FAILURES = {
    "replace": lambda patch: patch.setattr(os, "replace", no_space),
    "fsync": lambda patch: patch.setattr(os, "fsync", no_space),
    "write": lambda patch: patch.setattr(Path, "open", lambda path, mode: FullDisk(path, mode.replace("b", ""))),
    "open": lambda patch: patch.setattr(Path, "open", no_space),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_file_that_cannot_be_written_leaves_the_old_one(failure, old, tmp_path, monkeypatch):
    place = tmp_path / "results.json"
    if old is not None:
        place.write_bytes(old)
    before = contents(tmp_path)
    with monkeypatch.context() as patch:
        FAILURES[failure](patch)
        with pytest.raises(OutputError) as failed:
            write_whole(place, b"new" * 1000)
    assert str(failed.value) == f"{place} cannot be written: No space left on device. Nothing was changed there."
    assert contents(tmp_path) == before
    write_whole(place, b"new")
    assert contents(tmp_path) == {Path("results.json"): b"new"}


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    place = tmp_path / "results.json"
    place.write_bytes(b"old")

    def press(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", press)
    with pytest.raises(KeyboardInterrupt):
        write_whole(place, b"new")
    assert contents(tmp_path) == {Path("results.json"): b"old"}


def fill(folder, text):
    with whole_folder(folder) as place:
        (place / "index.html").write_text(text)
        (place / "results.json").write_text(text)


@pytest.mark.parametrize("old", [False, True])
def test_a_folder_appears_whole(old, tmp_path):
    folder = tmp_path / "report"
    if old:
        fill(folder, "old")
        (folder / "sweep.png").write_text("old")
    with whole_folder(folder) as place:
        (place / "index.html").write_text("new")
        assert folder.exists() == old  # until all is there
    assert contents(tmp_path) == {Path("report/index.html"): b"new"}


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize(
    "problem", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), ValueError()]
)
def test_a_folder_that_cannot_be_filled_leaves_the_old_one(problem, old, tmp_path):
    folder = tmp_path / "report"
    if old:
        fill(folder, "old")
    before = contents(tmp_path)
    expected = OutputError if isinstance(problem, OSError) else type(problem)

    def fill_half():
        with whole_folder(folder) as place:
            (place / "index.html").write_text("new")
            raise problem

    with pytest.raises(expected) as failed:
        fill_half()
    if expected is OutputError:
        assert str(failed.value) == f"{folder} cannot be written: No space left on device. Nothing was changed there."
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == (["report"] if old else [])


@pytest.mark.parametrize("step", [1, 2])
def test_a_folder_that_cannot_be_moved_leaves_the_old_one(step, tmp_path, monkeypatch):
    folder = tmp_path / "report"
    fill(folder, "old")
    before, rename, calls = contents(tmp_path), os.rename, []

    def failing(source, target):
        calls.append(target)
        if len(calls) == step:
            no_space()
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", failing)
        with pytest.raises(OutputError):
            fill(folder, "new")
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_file_in_a_folder_that_cannot_be_written_is_named_by_where_it_should_be(tmp_path, monkeypatch):
    folder = tmp_path / "report"
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OutputError) as failed, whole_folder(folder) as place:
        write_whole(place / "results.json", b"new")
    assert str(failed.value).startswith(f"{folder / 'results.json'} cannot be written: No space left on device.")
    assert os.listdir(tmp_path) == []


def test_a_folder_behind_a_link_is_replaced_where_it_is(tmp_path):
    fill(tmp_path / "real", "old")
    (tmp_path / "link").symlink_to("real")
    fill(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "index.html").read_text() == "new"


# ---- refusals before any game is played


@pytest.fixture
def stock(tmp_path, monkeypatch):
    """A folder with a bit of everything, which must stay as it is."""
    monkeypatch.chdir(tmp_path)
    write_results(tmp_path / "good.json", example())
    write_results(tmp_path / "good.csv", example())
    (tmp_path / "notes.json").write_text('{"mine": 1}')
    (tmp_path / "notes.txt").write_text("mine")
    for name in ("folder.json", "empty", "diary", "page", "report", "half"):
        (tmp_path / name).mkdir()
    (tmp_path / "diary" / "monday.txt").write_text("mine")
    (tmp_path / "page" / "index.html").write_text("mine")
    (tmp_path / "half" / "results.json").write_text("{}")
    write_results(tmp_path / "report" / "results.json", example())
    (tmp_path / "report" / "index.html").write_text("ours")
    before = contents(tmp_path)
    yield tmp_path
    assert contents(tmp_path) == before
    assert not list(tmp_path.rglob(".*"))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("results", "Cannot tell the form of 'results'; let the name end in .csv, .json, .parquet."),
        ("results.txt", "Cannot tell the form of 'results.txt'"),
        (".json", "Cannot tell the form of '.json'"),
        ("two\nlines", r"Cannot tell the form of 'two\nlines'"),
        ("folder.json", "folder.json is a folder; name a file in it, such as folder.json/results.json."),
        ("nowhere/results.json", "There is no folder nowhere to write results.json to; create it first."),
        ("notes.txt/results.json", "There is no folder notes.txt to write results.json to; create it first."),
        ("notes.json", "notes.json exists and is not a result of this program; remove it, or choose another name."),
    ],
)
def test_targets_that_are_refused(name, says, stock):
    with pytest.raises(InputError) as refused:
        check_target(Path(name))
    assert str(refused.value).startswith(says)
    assert str(refused.value).endswith(".")
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("name", ["new.json", "new.csv", "new.parquet", "good.json", "good.csv", "report/results.json"])
def test_targets_that_are_taken(name, stock):
    check_target(Path(name))
    check_target(stock / name)


def test_parquet_without_pyarrow_is_refused_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    check_ending(Path("results.csv"))
    with pytest.raises(InputError, match=r"^Parquet needs pyarrow: pip install .*, or choose \.csv or \.json\.$"):
        check_ending(Path("results.parquet"))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("notes.txt", "notes.txt is a file; give a folder for the report, such as notes-report."),
        (".", "The report cannot take the place of the current folder; give a folder in it with -o."),
        ("diary", "diary holds monday.txt, which is no part of a report; give a new or empty folder with -o."),
        ("nowhere/report", "There is no folder nowhere to put report in; create it first."),
        ("page", "page is not empty and not a report; give a new or empty folder with -o."),
        ("half", "half is not empty and not a report; give a new or empty folder with -o."),
    ],
)
def test_folders_that_are_refused(name, says, stock):
    with pytest.raises(InputError) as refused:
        check_report(Path(name))
    assert str(refused.value) == says


@pytest.mark.parametrize("name", ["empty", "report", "new", "./new", "empty/new"])
def test_folders_that_are_taken(name, stock):
    check_report(Path(name))
    check_folder(stock / name, FILES)


@pytest.mark.parametrize("check", [check_target, check_report])
def test_a_place_where_nothing_can_be_written_is_refused_before_any_game(check, stock, monkeypatch):
    def read_only(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "mkdir", read_only)
    with pytest.raises(OutputError, match=r"new\.json cannot be written: Read-only file system\."):
        check(stock / "new.json")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere.json", "There is no file nowhere.json; name a result saved with -o, or a report's folder."),
        ("empty", "There is no file empty/results.json; name a result saved with -o, or a report's folder."),
        ("notes.txt", "Cannot tell the form of 'notes.txt'"),
        ("notes.txt/x.json", "notes.txt/x.json cannot be read: Not a directory."),
        ("W" * 300 + ".json", "W" * 300 + ".json cannot be read: File name too long."),
        ("half", "half/results.json is not a whole result of this program: it is JSON of another kind."),
    ],
)
def test_files_that_cannot_be_read(name, says, stock):
    with pytest.raises(InputError) as refused:
        read_results(Path(name))
    assert str(refused.value).startswith(says)


def test_the_folder_of_a_report_is_read_by_its_name(stock):
    assert plain(read_results(stock / "report")) == plain(example())


def test_json_that_ends_early_says_so():
    with pytest.raises(MalformedError, match="not valid JSON, perhaps cut off"):
        from_json(as_json(example())[:-40].encode())


def test_what_a_killed_run_left_behind_is_in_nobodys_way(tmp_path):
    target = tmp_path / "results.json"
    unfinished(target).write_text("half a fi")
    write_whole(target, b"whole")
    unfinished(tmp_path / "report").mkdir()
    (unfinished(tmp_path / "report") / "half").write_text("half")
    check_writable(tmp_path / "report")
    with whole_folder(tmp_path / "report") as place:
        (place / "page").write_text("whole")
    assert {path.name: path.is_dir() for path in tmp_path.iterdir()} == {"results.json": False, "report": True}
    assert [path.name for path in (tmp_path / "report").iterdir()] == ["page"]
