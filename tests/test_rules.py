import pytest

from simulator import Deck, InputError, Rules


@pytest.mark.parametrize(("players", "hand"), [(1, 8), (2, 7), (3, 6), (4, 6), (5, 6)])
def test_printed_rules(players, hand):
    standard = Rules.standard(players)
    assert (standard.hand_size, standard.minimum, standard.silent, standard.starter) == (hand, 2, False, "first")
    assert (Rules.expert(players).hand_size, Rules.expert(players).minimum) == (hand, 3)
    harder = Rules.expert(players, smaller_hands=True)
    assert (harder.hand_size, harder.minimum) == (hand - 1, 3)


def test_experiments_are_allowed():
    for hand in range(1, 11):
        for minimum in range(1, hand + 1):
            assert Rules(5, hand_size=hand, minimum=minimum).minimum == minimum


def test_rules_are_values():
    assert Rules(3) == Rules.standard(3)
    assert hash(Rules(3)) == hash(Rules.standard(3))
    with pytest.raises(AttributeError):
        Rules(3).players = 4  # type: ignore[misc]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Rules(0), "players must be from 1 to 5, not 0"),
        (lambda: Rules(6), "players must be from 1 to 5, not 6"),
        (lambda: Rules(2.5), "players must be a whole number from 1 to 5, not 2.5"),
        (lambda: Rules("3"), "players must be a whole number from 1 to 5, not '3'"),
        (lambda: Rules(True), "players must be a whole number"),
        (lambda: Rules(3, hand_size=11), "hand size must be from 1 to 10, not 11"),
        (lambda: Rules(3, hand_size=-1), "hand size must be from 1 to 10, not -1"),
        (lambda: Rules(3, minimum=0), "minimum must be from 1 to 6, the hand size, not 0"),
        (lambda: Rules(3, minimum=7), "minimum must be from 1 to 6, the hand size, not 7"),
        (lambda: Rules(3, starter="bst"), "Unknown starter 'bst'; did you mean 'best'?"),
        (lambda: Rules(3, starter="x"), "known are best, first"),
        (lambda: Rules(3, silent="no"), "silent must be True or False"),
        (lambda: Rules.expert(0), "players must be from 1 to 5"),
        (lambda: Rules.expert(3, smaller_hands=True, hand_size=4), "either smaller_hands or a hand_size"),
        (lambda: Deck(piles=3), "2 or 4 piles"),
        (lambda: Deck(lowest=1), "lowest card of a deck must be from 2"),
        (lambda: Deck(2, 100), "highest card"),
        (lambda: Deck(step=0), "backward step"),
        (lambda: Rules(5, hand_size=2, deck=Deck(2, 9)), "5 hands of 2 need more than the 8 cards"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(make, says):
    with pytest.raises(InputError) as refused:
        make()
    assert says in str(refused.value)
    assert str(refused.value).endswith((".", "?"))
