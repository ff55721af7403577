import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.deal import deal_deck
from tests import reference
from tests.data import rows

WORD = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("row", rows("deals.csv"), ids=lambda row: f"{row['seed']}-{row['game']}")
def test_deck_equals_the_independent_one(row):
    cards = [int(card) for card in row["cards"].split()]
    assert deal_deck(int(row["seed"]), int(row["game"])) == cards
    assert reference.deal(int(row["seed"]), int(row["game"])) == cards


@given(WORD, WORD)
def test_any_deal_is_the_whole_deck_and_equals_the_reference(seed, game):
    deck = deal_deck(seed, game)
    assert sorted(deck) == list(range(2, 100))
    assert deck == reference.deal(seed, game)


def test_neighbouring_games_and_seeds_share_nothing():
    decks = {tuple(deal_deck(seed, game)) for seed in range(5) for game in range(20)}
    assert len(decks) == 100
