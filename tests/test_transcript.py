"""A game as text and as data: everything that happened is in it, and reads the same on every terminal."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import NO_GAP, STOP, Deck, Rules, Strategy, count, load, nearest, play, playable, smallest_gap
from simulator.replay import record
from simulator.transcript import COLOUR, WIDTH, as_json, transcript

GOLDEN = """\
reservation, seed 1, game 37
3 players, hands of 5, at least 3 a turn, expert with smaller hands
↑ piles go up, ↓ piles go down, ← marks a backward move; P0 is player 0

turn       ↑0   ↑1   ↓2   ↓3  draw pile
   1  P0    1    1  100  100   83    holds  36 40 59 87 98
                                     hears  P1 no big jump ↓2 ↓3
            ·    ·   59    ·   80    lays   98 ↓2 +2    87 ↓2 +11   59 ↓2 +28   draws 17 67 99
                                     hears  after 87: P1 please not ↓2; P2 no big jump ↓2
   2  P1    1    1   59  100   80    holds  20 22 42 91 97
                                     hears  P0 no big jump ↓3
            ·    ·   42   91   77    lays   97 ↓3 +3    91 ↓3 +6    42 ↓2 +17   draws 77 88 94
   3  P2    1    1   42   91   77    holds  27 41 49 64 85
                                     hears  P0 no big jump ↓2; P1 no big jump ↓3
            ·    ·   27   85   74    lays   41 ↓2 +1    27 ↓2 +14   85 ↓3 +6    draws 62 16 43
   4  P0    1    1   27   85   74    holds  17 36 40 67 99
            ·    ·   17   40   71    lays   17 ↓2 +10   67 ↓3 +18   40 ↓3 +27   draws 68 21 58
                                     hears  after 17: P2 no big jump ↓2
                                     hears  after 67: P1 please not ↓3; P2 no big jump ↓3
   5  P1    1    1   17   40   71    holds  20 22 77 88 94
                                     hears  P2 no big jump ↓2
           77    ·    ·   20   68    lays   22 ↓3 +18   20 ↓3 +2    77 ↑0 +76   draws 18 48 31
                                     hears  after 22: P0 no big jump ↓3
   6  P2   77    1   17   20   68    holds  16 43 49 62 64
                                     hears  P1 no big jump ↓3
            ·   49   16    ·   65    lays   16 ↓2 +1    43 ↑1 +42   49 ↑1 +6    draws 28 38 80
   7  P0   77   49   16   20   65    holds  21 36 58 68 99
                                     hears  P1 no big jump ↓3; P2 no big jump ↑0
           99   58    ·    ·   62    lays   68 ↑1 +19   58 ↑1 ←10   99 ↑0 +22   draws 82  9 51
                                     hears  after 58: P1 please not ↑1
   8  P1   99   58   16   20   62    holds  18 31 48 88 94
            ·   88    ·   18   59    lays   48 ↑1 ←10   18 ↓3 +2    88 ↑1 +40   draws 39 33 92
                                     hears  after 48: P0 no big jump ↑1; P2 please not ↑1
                                     hears  after 18: P2 please not ↓3
   9  P2   99   88   16   18   59    holds  28 38 62 64 80
            ·    ·    ·   38    ·    lays   28 ↓3 ←10   38 ↓3 ←10
 end       99   88   16   38   59    P0      9 21 36 51 82
                                     P1     31 33 39 92 94
                                     P2     62 64 80
                                     draw   86 50 83 26 37 57  8 61 44 24  6  5 25 47  3 34 78 66 11
                                            74 12 52 81 71 45 29 89 13 95 73 10 93 63 56 60 75 70 14
                                            79 35 19 30 23  2 90 46  7 55 32 53 69  4 72 54 15 65 96
                                            84 76

72 cards left. Player 2 has laid 2 of 3 cards and has no other that fits."""

LAID = re.compile(r"(\d+) [↑↓](\d) ([+←])(\d+)")
STRATEGIES = {name: load(name) for name in ("random", "backward", "reservation")}


@st.composite
def recorded(draw):
    """Any game of a strategy of ours."""
    players = draw(st.integers(1, 5))
    hand = draw(st.integers(1, 10))
    rules = Rules(
        players,
        hand_size=hand,
        minimum=draw(st.integers(1, min(hand, 4))),
        silent=draw(st.booleans()),
        starter=draw(st.sampled_from(["first", "best"])),
    )
    strategy = STRATEGIES[draw(st.sampled_from(sorted(STRATEGIES)))]
    return record(strategy, rules, draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**64 - 1)))


def fixed(name="reservation", players=4, seed=1, game=5, **switches):
    return record(load(name), Rules(players, **switches), seed, game)


def test_a_whole_game():
    assert transcript(record(load("reservation"), Rules.expert(3, smaller_hands=True), 1, 37)) == GOLDEN


@settings(max_examples=60)
@given(game=recorded())
def test_every_card_is_told_in_order_and_backward_moves_are_marked(game):
    told = [(int(card), int(pile), int(gap), mark == "←") for card, pile, mark, gap in LAID.findall(transcript(game))]
    laid = [d for d in game.decisions if d.card is not None]
    assert told == [(d.card, d.pile, abs(d.gap), d.gap < 0) for d in laid]
    assert len(told) + game.leftover == 98


@settings(max_examples=60)
@given(game=recorded())
def test_text_is_the_same_without_colour_and_arrows_and_never_too_wide(game):
    plain, coloured = transcript(game), transcript(game, colour=True)
    assert "\x1b" not in plain
    assert COLOUR.sub("", coloured) == plain
    assert transcript(game, ascii=True) == plain.translate(str.maketrans("↑↓←·", "^v<."))
    assert transcript(game, ascii=True).isascii()
    assert "\x1b" not in transcript(game, ascii=True)
    assert max(map(len, plain.splitlines())) <= WIDTH
    assert not any(line != line.rstrip() for line in plain.splitlines())


@settings(max_examples=60)
@given(game=recorded())
def test_data_tells_the_whole_game(game):
    told = json.loads(json.dumps(as_json(game)))
    rules, order = told["rules"], told["deck_order"]
    size = rules["hand_size"]
    hands = [set(order[seat * size : (seat + 1) * size]) for seat in range(rules["players"])]
    draw_pile, tops = order[rules["players"] * size :], [1, 1, 100, 100]
    for turn in told["turns"]:
        hand = hands[turn["player"]]
        assert (turn["hand"], turn["tops"], turn["draw_pile"]) == (sorted(hand), tops, len(draw_pile))
        for move in turn["laid"]:
            up = move["pile"] < 2
            assert move["gap"] == (1 if up else -1) * (move["card"] - tops[move["pile"]])
            assert move["backward"] == (move["gap"] == -10)
            hand.remove(move["card"])
            tops[move["pile"]] = move["card"]
        drawn, draw_pile = draw_pile[: len(turn["drawn"])], draw_pile[len(turn["drawn"]) :]
        assert turn["drawn"] == drawn
        assert (turn["ended"] == "hand empty") == (not hand)
        hand.update(drawn)
    assert (told["tops"], told["draw_pile"]) == (tops, draw_pile)
    assert [set(hand) for hand in told["hands"]] == hands
    assert told["leftover"] == len(draw_pile) + sum(map(len, hands)) == game.leftover
    assert told["won"] == (told["leftover"] == 0)
    assert not told["broken"]


def test_data_tells_requests_whenever_they_change():
    game = fixed(players=5)
    changes = 0
    for turn, told in zip(game.turns, as_json(game)["turns"], strict=True):
        news = [move["heard"] for move in told["laid"]] + [told["heard_at_stop"]] * turn.stopped
        assert news[0] is None
        heard = told["heard"]
        for decision, change in zip(turn.decisions, news, strict=True):
            changes += change is not None
            assert change != heard  # told only if it has changed
            heard = heard if change is None else change
            packed = sum((2 ** wish["level"] - 1) << (12 * wish["player"] + 3 * wish["pile"]) for wish in heard)
            assert packed == decision.heard
    assert changes > 20


def test_data_of_a_strategy_with_a_table_of_numpy():
    strategy = Strategy(
        choose_smallest, params={"last": 98, "table": np.arange(3), "rate": np.float64(0.5)}, name="table"
    )
    told = json.loads(json.dumps(as_json(record(strategy, Rules(2), np.uint64(1), np.uint64(2)))))
    assert told["params"] == {"last": 98, "table": [0, 1, 2], "rate": 0.5}
    assert (told["seed"], told["game"]) == (1, 2)


def test_won_game_ends_in_a_bare_table():
    lines = transcript(fixed(game=1)).splitlines()
    assert lines[-1] == "WON. All cards are laid."
    assert re.fullmatch(r" end( +\d+){4} +0", lines[-3])


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({}, "4 players, hands of 6, at least 2 a turn"),
        ({"silent": True}, "4 players, hands of 6, at least 2 a turn, silent"),
        ({"minimum": 3}, "4 players, hands of 6, at least 3 a turn, expert"),
        ({"minimum": 1, "starter": "best"}, "4 players, hands of 6, at least 1 a turn, the best hand starts"),
    ],
)
def test_rules_in_words(switches, words):
    assert transcript(fixed(**switches)).splitlines()[1] == words


def test_another_deck():
    text = transcript(record(load("greedy"), Rules(2, hand_size=2, deck=Deck(2, 9, piles=2, step=3)), 1, 1))
    assert "cards 2 to 9 on 2 piles, 3 backward" in text
    assert {int(card) for card, *_ in LAID.findall(text)} <= set(range(2, 10))


# ---- games that a strategy breaks


def choose_smallest(view, params):
    """Lay the smallest gap; break the rules as soon as ``last`` cards are laid."""
    if count(view.laid) == params.last and view.laid_this_turn < view.minimum:
        return break_off(view)
    best, move = NO_GAP, STOP
    for pile in range(view.piles):
        if smallest_gap(view, pile) < best:
            best, move = smallest_gap(view, pile), play(nearest(view, playable(view, pile), pile), pile)
    return STOP if view.laid_this_turn >= view.minimum else move


def break_off(view):
    """Raise as a turn begins, else lay a card that nobody has."""
    if view.laid_this_turn == 0:
        raise ValueError("naïve →")
    return play(120, 0)


def broken(last):
    return record(
        Strategy(choose_smallest, params={"last": last, "table": [0.0], "rate": 0.0}, name="naïve"), Rules(3), 1, 2
    )


def test_broken_within_a_turn():
    game = broken(5)
    text = transcript(game)
    assert len(LAID.findall(text)) == 5
    assert text.splitlines()[-2:] == ["In the turn of player 2:", "BROKEN: naïve lays 120, which it does not hold."]
    told = as_json(game)
    assert (told["broken"], told["won"], told["leftover"]) == (True, False, None)
    assert [turn["ended"] for turn in told["turns"]] == ["stopped", "stopped", "broken"]
    assert [len(turn["drawn"]) for turn in told["turns"]] == [2, 2, 0]


def test_broken_as_a_turn_begins():
    # A decision that raises is not recorded; the turn before it is over all the same, and its cards are drawn.
    game = broken(4)
    text = transcript(game)
    assert len(LAID.findall(text)) == 4
    assert text.splitlines()[-2:] == ["In the turn of player 2:", "BROKEN: naïve raises ValueError: naïve →."]
    told = as_json(game)
    assert [turn["ended"] for turn in told["turns"]] == ["stopped", "stopped"]
    assert [len(turn["drawn"]) for turn in told["turns"]] == [2, 2]
    assert [len(hand) for hand in told["hands"]] == [6, 6, 6]
    assert transcript(game, ascii=True).isascii()


def test_broken_at_once():
    game = broken(0)
    assert transcript(game).splitlines()[-2] == "In the turn of player 0:"
    assert as_json(game)["turns"] == []
