"""Ranges, threads and chunks; the Python face; bad input."""

import json
import resource
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import InputError, Rules, batch, play_out, simulate

NAMES = ("random", "greedy", "backward", "reservation")


@pytest.mark.parametrize("name", NAMES)
def test_counts_do_not_depend_on_threads(name):
    results = [simulate(name, 4, 30_000, seed=3, threads=threads).counts.tolist() for threads in (1, 2, 7)]
    assert results[0] == results[1] == results[2]
    assert sum(results[0]) == 30_000


@settings(max_examples=40)
@given(
    st.sampled_from(NAMES),
    st.integers(1, 5),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1 - 4000),
    st.lists(st.integers(1, 900), min_size=2, max_size=4),
)
def test_any_split_of_a_range_adds_up(name, players, seed, first, parts):
    whole = simulate(name, players, sum(parts), seed, first_game=first).counts
    added, start = np.zeros(99, dtype=np.int64), first
    for part in parts:
        added += simulate(name, players, part, seed, first_game=start, threads=1).counts
        start += part
    assert whole.tolist() == added.tolist()


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_counts_do_not_depend_on_chunks(chunk, monkeypatch):
    expected = simulate("backward", 2, 5000, seed=9).counts.tolist()
    monkeypatch.setattr(batch, "FIRST_CHUNK", chunk)
    monkeypatch.setattr(batch, "LARGEST_CHUNK", chunk)
    assert simulate("backward", 2, 5000, seed=9, threads=3).counts.tolist() == expected


def test_leftovers_of_games_make_up_the_counts():
    leftovers = play_out("greedy", 3, seed=1, games=range(500, 20_500), threads=3)
    assert leftovers.dtype == np.uint8
    counts = simulate("greedy", 3, 20_000, seed=1, first_game=500).counts
    assert np.bincount(leftovers, minlength=99).tolist() == counts.tolist()


def test_result_tells_how_to_repeat_it():
    result = simulate("greedy", 2, 5000, seed=7, first_game=11, expert=True, params={"extra_gap": 2})
    assert (result.strategy, result.params) == ("greedy:extra_gap=2", {"extra_gap": 2})
    assert result.rules == Rules.expert(2)
    assert (result.seed, result.first_game, result.games, result.complete) == (7, 11, 5000, True)
    assert len(result.content_hash) == 64
    assert set(result.versions) == {"simulator", "numba", "numpy"}
    again = simulate(result.strategy, games=5000, seed=7, first_game=11, rules=result.rules)
    assert again.counts.tolist() == result.counts.tolist()
    assert again.content_hash == result.content_hash
    assert result.counts.dtype == np.int64
    assert result.win_rate == result.counts[0] / 5000
    assert result.excellent_rate == result.counts[:10].sum() / 5000
    assert result.mean_leftover == pytest.approx((result.counts * np.arange(99)).sum() / 5000)


def test_tidy_table():
    frame = simulate("greedy", 2, 3000, seed=7).to_frame()
    assert list(frame.columns)[-2:] == ["leftover", "games"]
    assert len(frame) == 99
    assert frame["games"].sum() == 3000
    assert set(frame["strategy"]) == {"greedy"}


def test_switches_make_the_rules():
    assert batch.make_rules(players=3, expert=True, smaller_hands=True) == Rules.expert(3, smaller_hands=True)
    assert batch.make_rules(players=3, hand_size=4, minimum=1, silent=True, starter="best") == Rules(
        3, hand_size=4, minimum=1, silent=True, starter="best"
    )


def test_silence_and_the_best_starter_change_play():
    plain = simulate("reservation", 5, 20_000, seed=1)
    assert simulate("reservation", 5, 20_000, seed=1, silent=True).win_rate < plain.win_rate - 0.05
    assert simulate("greedy", 3, 2000, seed=1, starter="best").counts.tolist() != (
        simulate("greedy", 3, 2000, seed=1).counts.tolist()
    )
    silent, backward = (simulate(name, 3, 20_000, silent=True).counts.tolist() for name in ("reservation", "backward"))
    assert silent == backward


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: simulate("greedy", 0), "players must be from 1 to 5, not 0"),
        (lambda: simulate("greedy", 6), "players must be from 1 to 5, not 6"),
        (lambda: simulate("greedy"), "The number of players is missing; give players=1 to players=5."),
        (lambda: simulate("greedy", 3, 0), "games must be from 1"),
        (lambda: simulate("greedy", 3, -5), "games must be from 1"),
        (lambda: simulate("greedy", 3, 1.5), "games must be a whole number"),
        (lambda: simulate("greedy", 3, 10, seed=-1), "seed must be from 0 to 18446744073709551615, not -1"),
        (lambda: simulate("greedy", 3, 10, seed=2**64), "seed must be from 0"),
        (lambda: simulate("greedy", 3, 10, first_game=-1), "first game must be from 0"),
        (lambda: simulate("greedy", 3, 10, first_game=2**64 - 9), "first game must be from 0"),
        (lambda: simulate("greedy", 3, 10, threads=0), "threads must be from 1"),
        (lambda: simulate("greedy", 3, 10, minimum=7), "minimum must be from 1 to 6, the hand size, not 7"),
        (lambda: simulate("greedy", 3, 10, hand_size=0), "hand size must be from 1 to 10, not 0"),
        (lambda: simulate("greedy", 3, 10, smaller_hands=True), "goes with expert=True"),
        (lambda: simulate("greedy", 3, 10, expert=True, minimum=2), "either expert or a minimum"),
        (lambda: simulate("greedy", 3, 10, rules=Rules(3)), "either rules=Rules(...) or the number of players"),
        (lambda: simulate("greedy", 3, 10, starter="last"), "Unknown starter 'last'"),
        (lambda: simulate("gredy", 3, 10), "Unknown strategy 'gredy'; did you mean 'greedy'?"),
        (lambda: simulate(17, 3, 10), "A strategy is named by a text"),
        (lambda: simulate("greedy", 3, 10, params={"extra_gab": 1}), "did you mean 'extra_gap'?"),
        (lambda: simulate("greedy", 3, 10, params={"extra_gap": "x"}), "must be a finite number"),
        (lambda: simulate("greedy", 3, 10, params={"extra_gap": 1.5}), "takes a whole number up to 2**53, not 1.5"),
        (lambda: simulate("greedy", 3, 10, params={"extra_gap": [1, 2]}), "takes one number"),
        (lambda: play_out("greedy", 3, 1, range(0, 10, 2)), "range of consecutive games"),
        (lambda: play_out("greedy", 3, 1, [1, 2]), "range of consecutive games"),
        (lambda: play_out("greedy", 3, 1, range(5, 5)), "games must be from 1"),
        (lambda: batch.play_decks("greedy", Rules(3), [[2] * 98]), "each card from 2 to 99 once"),
    ],
)
def test_bad_input_gets_one_sentence(call, says):
    with pytest.raises(InputError) as refused:
        call()
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_progress_grows_to_the_end():
    seen: list[int] = []
    simulate("greedy", 3, 400_000, seed=1, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 400_000


def test_other_threads_run_while_games_are_played():
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(1)

    ticker = threading.Thread(target=tick)
    ticker.start()
    simulate("greedy", 3, 1_000_000, seed=1, threads=1)
    done.set()
    ticker.join()
    assert len(ticks) > 10


def test_interrupt_keeps_a_whole_range():
    program = """
        import json, os, signal, threading
        from simulator import simulate
        simulate("greedy", 3, 10)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        result = simulate("greedy", 3, 10**12, seed=1)
        again = simulate("greedy", 3, result.games, seed=1)
        print(json.dumps([result.complete, result.games, result.counts.tolist() == again.counts.tolist()]))
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    complete, games, same = json.loads(run_program(program))
    assert (complete, same) == (False, True)
    assert games > 1000


def test_memory_does_not_grow_with_the_number_of_games():
    program = """
        import os, resource, signal, threading
        from simulator import simulate
        simulate("greedy", 3, 1_000_000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        threading.Timer(3.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        result = simulate("greedy", 3, 1_000_000_000)  # what is asked for, not what is done, would be allocated
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    assert int(run_program(program)) < 4096  # KiB
    assert resource.RUSAGE_SELF == 0


def run_program(source):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
