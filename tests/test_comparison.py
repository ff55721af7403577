"""Strategies on the same decks: every table against lists counted one game at a time, whatever the blocks."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reports.summary import pair
from simulator import InputError, Rules, batch, comparison, load, match, play_out, simulate
from simulator.batch import experiment
from simulator.comparison import Comparison, Swing, Tally, biggest_swing, merge_swings
from simulator.match import Match

LEFT = st.sampled_from([0, 0, 1, 2, 97, 98]) | st.integers(0, 98)
FIRST = st.sampled_from([0, 1, 2**32, 2**64 - 100]) | st.integers(0, 2**64 - 100)
NAMES = ("greedy", "backward", "reservation")
MANY = 2_000_000  # seconds, not for ever, if nobody stops them


@st.composite
def tables(draw, most_entries=4):
    """What each of a few entries left in each of a few games, as lists."""
    entries, games = draw(st.integers(1, most_entries)), draw(st.integers(1, 40))
    return [draw(st.lists(LEFT, min_size=games, max_size=games)) for _ in range(entries)]


def swing_by_hand(one, other, first_game):
    """The first game with the largest lead."""
    leads = [worse - better for better, worse in zip(one, other, strict=True)]
    place = leads.index(max(leads))
    return Swing(first_game + place, one[place], other[place]) if max(leads) > 0 else None


def by_hand(table, first_game=0):
    """All that a tally holds, counted one game at a time."""
    entries = range(len(table))
    pairs = [[list(zip(table[one], table[other], strict=True)) for other in entries] for one in entries]
    swings = {
        (one, other): swing
        for one in entries
        for other in entries
        if one != other and 0 in (one, other) and (swing := swing_by_hand(table[one], table[other], first_game))
    }
    return {
        "counts": [[row.count(left) for left in range(99)] for row in table],
        "both_won": [[sum(a == b == 0 for a, b in pairs[one][other]) for other in entries] for one in entries],
        "leads": [[sum(a < b for a, b in pairs[one][other]) for other in entries] for one in entries],
        "products": [[sum(a * b for a, b in pairs[one][other]) for other in entries] for one in entries],
        "sums": [sum(row) for row in table],
        "swings": swings,
    }


def assert_same(found, expected):
    """Whatever the tally or comparison has is as counted by hand."""
    compared = 0
    for name, value in expected.items():
        if hasattr(found, name):
            seen = getattr(found, name)
            assert (seen.tolist() if isinstance(seen, np.ndarray) else seen) == value, name
            compared += 1
    assert compared == 5


def tally(table, first_game=0):
    return Tally.of(np.array(table, dtype=np.uint8), first_game)


@given(tables(), FIRST)
def test_a_tally_is_what_counting_by_hand_gives(table, first_game):
    assert_same(tally(table, first_game), by_hand(table, first_game))


@given(tables(), FIRST, st.lists(st.integers(1, 39), max_size=5), st.randoms(use_true_random=False))
def test_tallies_of_any_split_add_up_in_any_order(table, first_game, cuts, order):
    games = len(table[0])
    borders = sorted({0, games, *(cut for cut in cuts if cut < games)})
    parts = [tally([row[start:end] for row in table], first_game + start) for start, end in pairwise(borders)]
    order.shuffle(parts)
    together = parts[0]
    for part in parts[1:]:
        together += part
    assert_same(together, by_hand(table, first_game))
    assert together.landmarks == tally(table, first_game).landmarks


@settings(max_examples=20)
@given(tables(), st.integers(1, 7))
def test_products_in_parts_are_the_same(table, games_at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "PRODUCT_GAMES", games_at_once)
        assert_same(tally(table), by_hand(table))


def test_products_of_the_most_cards_are_exact():
    games = 3 * comparison.PRODUCT_GAMES + 1
    found = Tally.of(np.full((2, games), 98, dtype=np.uint8), 0)
    assert found.products.tolist() == [[98 * 98 * games] * 2] * 2
    assert found.both_won.tolist() == [[0, 0], [0, 0]]
    won = Tally.of(np.zeros((2, games), dtype=np.uint8), 0)
    assert won.both_won.tolist() == [[games] * 2] * 2


@given(st.lists(st.tuples(LEFT, LEFT), min_size=1, max_size=60), FIRST)
def test_the_biggest_swing_is_the_first_with_the_largest_lead(games, first_game):
    one, other = (list(row) for row in zip(*games, strict=True))
    found = biggest_swing(np.array(one, dtype=np.uint8), np.array(other, dtype=np.uint8), first_game)
    assert found == swing_by_hand(one, other, first_game)


def test_a_strategy_that_never_leads_has_no_swing():
    assert biggest_swing(np.array([98, 4], dtype=np.uint8), np.array([0, 4], dtype=np.uint8), 5) is None
    assert biggest_swing(np.array([0, 4], dtype=np.uint8), np.array([98, 4], dtype=np.uint8), 5) == (5, 0, 98)


def test_of_equal_swings_the_lower_game_is_kept():
    late, early, small = Swing(9, 0, 50), Swing(3, 10, 60), Swing(1, 0, 49)
    assert merge_swings({(0, 1): late}, {(0, 1): early}) == {(0, 1): early}
    assert merge_swings({(0, 1): early}, {(0, 1): late}) == {(0, 1): early}
    assert merge_swings({(0, 1): small}, {(0, 1): late}) == {(0, 1): late}
    assert merge_swings({(0, 1): small}, {(1, 0): late}) == {(0, 1): small, (1, 0): late}
    assert merge_swings({}, {}) == {}


def compared(table, first_game=0, names=NAMES):
    """A comparison of made-up games."""
    strategies = [load(names[place]).with_params({"extra_gap": place}) for place in range(len(table))]
    found = by_hand(table, first_game)
    return Comparison(
        experiments=tuple(experiment(strategy, Rules(3), 1) for strategy in strategies),
        ranges=((first_game, len(table[0])),),
        sums=np.array(found["sums"]),
        both_won=np.array(found["both_won"]),
        leads=np.array(found["leads"]),
        products=np.array(found["products"]),
        swings=found["swings"],
    )


@given(tables(most_entries=3), st.integers(0, 2**64 - 100), st.integers(1, 39))
def test_comparisons_of_neighbouring_games_add_up(table, first_game, cut):
    games = len(table[0])
    if cut >= games:
        return
    late = compared([row[cut:] for row in table], first_game + cut)
    early = compared([row[:cut] for row in table], first_game)
    for together in (early + late, late + early):
        assert_same_comparison(together, by_hand(table, first_game))
        assert together.ranges == ((first_game, games),)
        assert together.games == games
        assert together.key == early.key


def assert_same_comparison(found, expected):
    assert_same(found, {name: value for name, value in expected.items() if name != "counts"})


def test_comparisons_of_the_same_games_do_not_add_up():
    with pytest.raises(InputError, match=r"^Games of greedy.* from number 11 on are there twice; .*\.$"):
        compared([[1, 2], [3, 4]], 10) + compared([[5, 6], [7, 8]], 11)


def test_comparisons_of_games_apart_keep_both_ranges():
    together = compared([[1, 2], [3, 4]], 10) + compared([[5], [7]], 50)
    assert together.ranges == ((10, 2), (50, 1))
    assert together.games == 3


@given(tables(most_entries=2).filter(lambda table: len(table) == 2 and len(table[0]) > 1))
def test_a_pair_says_what_the_games_say(table):
    one, other = np.array(table)
    found = pair(compared(table), 0, 1, {key: key for key in compared(table).key})
    games = len(one)
    assert found.games == games
    assert found.difference.value == pytest.approx(((one == 0).sum() - (other == 0).sum()) / games)
    assert found.mean_difference.value == pytest.approx((one - other).mean())
    assert found.mean_difference.margin == pytest.approx(stats.norm.ppf(0.975) * stats.sem(one - other), abs=1e-9)
    assert (found.leads, found.trails) == ((one < other).mean(), (one > other).mean())
    back = pair(compared(table), 1, 0, {key: key for key in compared(table).key})
    assert (back.leads, back.trails) == (found.trails, found.leads)
    assert back.mean_difference.value == pytest.approx(-found.mean_difference.value)


def played(games=3000, seed=5, first_game=0, threads=None, stop=None, players=4, names=NAMES):
    """A match that is over, and whether it ran to its end."""
    rules = Rules(players)
    found = Match([(load(name), rules) for name in names], games, seed, first_game, threads)
    return found, found.run(stop=stop)


def leftovers_of(names=NAMES, players=4, seed=5, games=range(3000)):
    return [play_out(name, players, seed, games).tolist() for name in names]


def test_a_match_counts_what_each_strategy_does_alone():
    found, finished = played(games=20_000, first_game=77)
    assert finished
    for name, result in zip(NAMES, found.results(), strict=True):
        alone = simulate(name, 4, 20_000, seed=5, first_game=77)
        assert result.counts.tolist() == alone.counts.tolist()
        assert (result.experiment, result.ranges, result.landmarks) == (alone.experiment, alone.ranges, alone.landmarks)
        assert result.complete
        assert result.seconds > 0


@pytest.mark.parametrize("first_game", [0, 999, 2**64 - 3000])
def test_a_match_compares_game_by_game(first_game):
    found, _ = played(first_game=first_game)
    expected = by_hand(leftovers_of(games=range(first_game, first_game + 3000)), first_game)
    assert_same(found.tally, expected)
    assert_same_comparison(found.comparison(), expected)
    assert found.comparison().ranges == ((first_game, 3000),)
    assert found.comparison().experiments == tuple(result.experiment for result in found.results())


@pytest.mark.parametrize(
    ("shortest", "longest", "threads", "games"),
    [(1, 1, 1, 150), (1, 7, 2, 300), (16, 64, 3, 1000), (3000, 2**19, 1, 3000), (10**6, 10**6, 2, 3000)],
)
def test_blocks_and_threads_change_nothing(shortest, longest, threads, games, monkeypatch):
    monkeypatch.setattr(match, "FIRST_BLOCK", shortest)
    monkeypatch.setattr(match, "LARGEST_BLOCK", longest)
    found, _ = played(games=games, threads=threads)
    assert_same(found.tally, by_hand(leftovers_of(games=range(games))))
    assert found.done == games


def test_entries_may_play_under_different_rules():
    rules = [Rules(2), Rules(2, minimum=3), Rules(2, hand_size=5)]
    found = Match([(load("greedy"), each) for each in rules], 2000, 3)
    found.run()
    table = [play_out("greedy", 2, 3, 2000, hand_size=each.hand_size, minimum=each.minimum).tolist() for each in rules]
    assert_same(found.tally, by_hand(table))
    assert [result.rules for result in found.results()] == rules


@pytest.mark.parametrize("enough", [1, 15, 16, 17, 144, 145, 700])
@pytest.mark.parametrize("longest", [16, 2**19])
def test_stop_ends_at_exactly_the_game_it_says(enough, longest, monkeypatch):
    monkeypatch.setattr(match, "LARGEST_BLOCK", longest)
    seen = []

    def stop(leftovers):
        before = sum(block.shape[1] for block in seen)
        seen.append(leftovers.copy())
        return enough - before if before + leftovers.shape[1] >= enough else None

    found, finished = played(stop=stop, first_game=40)
    assert finished
    assert (found.done, found.complete) == (enough, True)
    expected = leftovers_of(games=range(40, 40 + enough))
    assert_same(found.tally, by_hand(expected, 40))
    assert found.comparison().ranges == ((40, enough),)
    assert [result.games for result in found.results()] == [enough] * 3
    assert all(result.complete for result in found.results())
    assert np.concatenate(seen, axis=1)[:, :enough].tolist() == expected


def test_stop_that_never_says_so_sees_every_game_once():
    seen = []
    found, _ = played(games=1234, stop=lambda leftovers: seen.append(leftovers.copy()))
    assert np.concatenate(seen, axis=1).tolist() == leftovers_of(games=range(1234))
    assert found.done == 1234


class Impatience:
    """A progress that presses Ctrl-C when so many games are told of."""

    def __init__(self, games):
        self.games = games

    def __call__(self, told):
        if told >= self.games:
            self.games = 10**18  # once only
            raise KeyboardInterrupt


@pytest.mark.parametrize("told", [0, 16, 40, 2000, 8999])
def test_an_interrupted_match_keeps_whole_blocks(told):
    found = Match([(load(name), Rules(4)) for name in NAMES], MANY, 5)
    assert not found.run(Impatience(told))
    assert not found.complete
    if found.done == 0:
        assert (found.results(), found.comparison()) == ([], None)
        return
    assert found.done < MANY
    assert_same(found.tally, by_hand(leftovers_of(games=range(found.done))))
    assert [(result.games, result.complete) for result in found.results()] == [(found.done, False)] * 3


def test_an_interruption_is_heard_even_if_all_games_under_way_get_done(monkeypatch):
    def press_at_the_end(self, workers, progress):
        for worker in workers:
            worker.finished.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(batch.Batch, "watch", press_at_the_end)
    found, finished = played(games=100)
    assert not finished
    assert found.done == 0


def test_progress_of_a_match_grows_to_all_games_of_all_entries(monkeypatch):
    monkeypatch.setattr(match, "FIRST_BLOCK", 200_000)
    told: list[int] = []
    Match([(load(name), Rules(4)) for name in ("greedy", "backward")], 200_000, 5, threads=1).run(told.append)
    assert told == sorted(told)
    assert any(200_000 < games < 400_000 for games in told)
    assert told[-1] == 400_000


def test_a_match_without_a_block_has_no_results():
    found = Match([(load("greedy"), Rules(4))], 10, 5)
    assert (found.results(), found.comparison()) == ([], None)


def test_one_entry_is_compared_with_itself_only():
    found, _ = played(names=["greedy"], games=500)
    table = leftovers_of(["greedy"], games=range(500))
    assert_same_comparison(found.comparison(), by_hand(table))
    assert found.comparison().swings == {}
