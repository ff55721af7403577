"""Whole reports from real games: the folder, the page in a browser, the sentences, and the commands they name."""

import json
import re
import shlex
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from reports.commands import commands, confirmation
from reports.files import read_results
from reports.report import FILES, check_report, games_worth_replaying, save_partial, verdicts, write_report
from reports.saved import Saved, add_up
from reports.text import signed
from reports.verdicts import all_pairs, headlines, stopped_verdict
from simulator import InputError, Rules, load, play_out, simulate
from simulator.match import Match
from tests.browser import browser, visit  # noqa: F401
from tests.test_cli import run

HOSTILE = "<script>alert(1)</script>"


def played(entries, games=2000, seed=5, vary=()):
    """What a run of a match keeps."""
    match = Match(entries, games, seed)
    assert match.run()
    return Saved(match.results(), [match.comparison()], vary)


def named(name, label):
    return replace(load(name), name=label)


@pytest.fixture(scope="module")
def compared():
    strategies = [load("greedy"), named("backward", HOSTILE), load("reservation")]
    parts = [played([(strategy, Rules(players)) for strategy in strategies]) for players in (1, 2, 4)]
    return add_up(parts)


@pytest.fixture(scope="module")
def swept():
    plain = load("reservation:backward_bonus=5")
    entries = [(plain.with_params({"strong_penalty": value}), Rules(4, silent=False)) for value in (0, 10, 20)]
    return played(entries, vary=["strong_penalty"])


@pytest.fixture(scope="module")
def folder(compared, tmp_path_factory):
    place = tmp_path_factory.mktemp("reports") / "compared"
    write_report(place, compared, verdicts(compared))
    return place


def test_the_folder_holds_what_a_report_may_hold(folder):
    found = {path.name for path in folder.iterdir()}
    assert found <= FILES
    assert {
        "index.html",
        "results.json",
        "results.csv",
        "summary.csv",
        "pairs.csv",
        "paired.png",
        "paired.svg",
    } <= found
    check_report(folder)  # may be replaced by another


def test_the_results_can_be_read_back(folder, compared):
    again = read_results(folder)
    assert [r.counts.tolist() for r in again.results] == [r.counts.tolist() for r in compared.results]
    assert verdicts(again) == verdicts(compared)
    table = read_results(folder / "results.csv")
    assert [r.counts.tolist() for r in table.results] == [r.counts.tolist() for r in compared.results]


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_real_games_in_a_browser(browser, folder, width, scheme):  # noqa: F811
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with visit(browser, folder / "index.html", **options) as (page, seen):
        for button in page.locator("thead button").all():
            button.click()
        assert seen.requests == [(folder / "index.html").as_uri()]
        assert (seen.errors, seen.dialogs) == ([], [])
        root = "document.documentElement"
        assert page.evaluate(f"{root}.scrollWidth") <= page.evaluate(f"{root}.clientWidth")
        assert HOSTILE in page.locator("body").inner_text()
        assert page.locator("figure svg").count() == 5
        page.locator("thead button", has_text="win %").first.click()
        rates = [float(text) for text in page.locator("table").first.locator("tbody td:nth-child(4)").all_inner_texts()]
        assert len(rates) == 9
        assert rates in (sorted(rates), sorted(rates, reverse=True))


def test_every_figure_of_a_verdict_is_that_of_the_games(compared):
    leftovers = {name: play_out(name, 4, seed=5, games=2000).astype(int) for name in ("greedy", "reservation")}
    one, other = leftovers["reservation"], leftovers["greedy"]
    difference = 100 * (np.count_nonzero(one == 0) - np.count_nonzero(other == 0)) / 2000
    leads, trails = (f"{100 * np.mean(first < second):.0f} %" for first, second in ((one, other), (other, one)))
    [sentence] = [
        text for text in verdicts(compared) if text.startswith("reservation wins") and "greedy with 4" in text
    ]
    assert sentence.startswith(f"reservation wins {difference:.1f} ± ")
    assert sentence.endswith(f"points more than greedy with 4 players; leads in {leads}, trails in {trails} of deals.")


def test_strategies_that_play_alike_are_said_to(compared):
    assert f"reservation and {HOSTILE} leave the same cards in all 2,000 deals with 1 player." in verdicts(compared)


def test_headlines_tell_the_best_for_each_number_of_players(compared):
    lines = headlines(compared)
    assert [line[:16] for line in lines] == ["With 1 player <s", "With 2 players r", "With 4 players r"]
    assert lines[0].endswith("; reservation may be as good.")
    assert re.search(r"wins \d+\.\d\d % \(\d+\.\d\d to \d+\.\d\d\), \d+\.\d ± \d\.\d points more than", lines[2])


def test_a_sweep_tells_the_best_and_how_to_meet_it_again(swept):
    best, lead, again = verdicts(swept)
    assert re.fullmatch(r"Best is strong_penalty=20: it wins \d+\.\d\d % \(\d+\.\d\d to \d+\.\d\d\)\.", best)
    assert lead.startswith("Its lead is ")
    command = confirmation(swept)
    assert again.endswith(f"To meet it on others: {command}")
    assert command.startswith("thegame compare -s reservation:backward_bonus=5,strong_penalty=20 -s reservation:")
    assert "--seed 6" in command


def test_a_lead_of_equals_is_not_real():
    alike = [(load("greedy").with_params({"extra_gap": value}), Rules(1)) for value in (-20, -30)]
    assert verdicts(played(alike, vary=["extra_gap"]))[1].startswith("Its lead is not clear: extra_gap=-30 may be")


@pytest.mark.parametrize("what", ["compared", "swept", "rules"])
def test_the_commands_play_the_same_again(what, compared, swept, tmp_path):
    if what == "rules":
        rules = [Rules(3, hand_size=hand, minimum=least) for hand in (5, 6) for least in (1, 2)]
        saved = played([(load("greedy"), each) for each in rules], vary=["hand_size", "minimum"])
    elif what == "swept":
        saved = swept
    else:
        names = {HOSTILE: "backward"}
        results = [
            replace(r, experiment=replace(r.experiment, strategy=names.get(r.strategy, r.strategy)))
            for r in compared.results
        ]
        experiments = [result.experiment for result in results]
        groups = [tuple(experiments[start : start + 3]) for start in (0, 3, 6)]
        saved = Saved(results, [replace(c, experiments=g) for c, g in zip(compared.comparisons, groups, strict=True)])
    [command] = commands(saved)
    done = run(*shlex.split(command)[1:], "--json", "-o", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    again = {json.dumps(r["rules"]) + r["strategy"]: r["counts"] for r in json.loads(done.stdout)["results"]}
    assert sorted(map(str, again.values())) == sorted(str(result.counts.tolist()) for result in saved.results)


def test_games_worth_replaying_show_what_they_say(compared):
    found = games_worth_replaying(compared)
    assert 3 <= len(found) <= 8
    for game in found:
        words = shlex.split(game.command.replace(shlex.quote(HOSTILE), "backward"))
        shown = json.loads(run(*words[1:], "--json").stdout)
        who, _, _ = game.why.partition(" leaves " if " leaves " in game.why.partition(",")[0] else " wins,")
        told = re.search(r"leaves (\d+)|, (\d+) left$", game.why)
        if "first win" in game.why or " wins," in game.why:
            assert shown["won"], (game, who)
        else:
            assert shown["leftover"] == int(next(filter(None, told.groups())))


def test_replay_commands_quote_a_hostile_name(compared):
    texts = [game.command for game in games_worth_replaying(compared) if HOSTILE in game.command] + commands(compared)
    assert all(shlex.quote(HOSTILE) in text for text in texts)


def test_results_without_pairs_are_not_compared(tmp_path):
    results = [simulate(name, 2, 500, seed=5) for name in ("greedy", "backward")]
    write_report(tmp_path / "plain", Saved(results), verdicts(Saved(results)))
    page = unescape((tmp_path / "plain" / "index.html").read_text(encoding="utf-8"))
    assert "no paired games" in page
    assert verdicts(Saved(results)) == []
    assert not (tmp_path / "plain" / "paired.png").exists()


def test_a_partial_run_is_kept_beside_an_older_report(folder, compared, tmp_path):
    partial = replace(compared, complete=False)
    assert save_partial(tmp_path / "new", partial) == tmp_path / "new" / "results.json"
    before = {path: path.read_bytes() for path in folder.iterdir()}
    places = [save_partial(folder, partial) for _ in range(2)]
    assert [place.name for place in places] == ["compared-partial-1.json", "compared-partial-2.json"]
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert not read_results(places[0]).complete


def test_a_folder_with_anything_else_is_refused(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(InputError, match=r"holds thesis\.txt, which is no part of a report"):
        check_report(tmp_path / "mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "index.html").write_text("<h1>My home page</h1>")
    with pytest.raises(InputError, match="is not empty and not a report"):
        check_report(tmp_path / "other")


def test_the_outcomes_of_a_sequential_test(compared):
    pair = all_pairs(compared)[0]
    assert "neither" in stopped_verdict("equal", pair, 0.55)
    assert stopped_verdict("first", pair, 0.55).startswith(f"{pair.label} is clearly better than {pair.against}")
    assert stopped_verdict("second", pair, 0.55).startswith(f"{pair.against} is clearly better than {pair.label}")
    assert "more games" in stopped_verdict(None, pair, 0.55)


@pytest.mark.parametrize(("value", "text"), [(0.0, "0.00"), (-0.001, "0.00"), (1.234, "+1.23"), (-5.0, "−5.00")])
def test_signed_numbers(value, text):
    assert signed(value) == text
