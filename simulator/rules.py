"""The rules of one experiment: how many play, with how many cards, under which minimum.

Knows nothing of how a game is played; ``simulator.kernel`` reads the numbers from here.
"""

import shlex
from dataclasses import dataclass
from typing import Any, Literal

from simulator.errors import InputError, did_you_mean

MOST_PLAYERS = 5
MOST_HAND = 10
STANDARD_HAND = {1: 8, 2: 7, 3: 6, 4: 6, 5: 6}
STANDARD_MINIMUM = 2
EXPERT_MINIMUM = 3
STARTERS = ("first", "best")

Starter = Literal["first", "best"]


def whole_number(name: str, value: Any, low: int, high: int, why: str = "") -> int:
    """The value as an int, or an InputError that says what is allowed."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InputError(f"{name} must be a whole number from {low} to {high}{why}, not {value!r}.")
    number = int(value)
    if not low <= number <= high:
        raise InputError(f"{name} must be from {low} to {high}{why}, not {number}.")
    return number


@dataclass(frozen=True)
class Deck:
    """The cards and piles. All but the standard deck are for tests and experiments."""

    lowest: int = 2
    highest: int = 99
    piles: int = 4
    step: int = 10

    def __post_init__(self) -> None:
        whole_number("The lowest card of a deck", self.lowest, 2, 99)
        whole_number("The highest card of a deck", self.highest, self.lowest, 99)
        whole_number("The backward step of a deck", self.step, 1, 99)
        if whole_number("The number of piles", self.piles, 2, 4) == 3:
            raise InputError(f"A deck is played on 2 or 4 piles, half of them ascending, not {self.piles}.")

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return self.highest - self.lowest + 1


STANDARD_DECK = Deck()


@dataclass(frozen=True)
class Rules:
    """What is played. Without a hand size the printed one is taken: 8 alone, 7 for two, else 6."""

    players: int
    hand_size: int = 0
    minimum: int = STANDARD_MINIMUM
    silent: bool = False
    starter: Starter = "first"
    deck: Deck = STANDARD_DECK

    def __post_init__(self) -> None:
        players = whole_number("The number of players", self.players, 1, MOST_PLAYERS)
        if self.hand_size == 0 and not isinstance(self.hand_size, bool):
            object.__setattr__(self, "hand_size", STANDARD_HAND[players])
        hand = whole_number("The hand size", self.hand_size, 1, MOST_HAND)
        whole_number("The minimum", self.minimum, 1, hand, why=", the hand size")
        if players * hand > self.deck.cards:
            raise InputError(f"{players} hands of {hand} need more than the {self.deck.cards} cards of the deck.")
        if self.starter not in STARTERS:
            raise InputError(f"Unknown starter {self.starter!r}; {did_you_mean(str(self.starter), STARTERS)}")
        if not isinstance(self.silent, bool):
            raise InputError(f"silent must be True or False, not {self.silent!r}.")

    @classmethod
    def standard(cls, players: int, **switches: Any) -> "Rules":
        """The printed rules: lay at least two."""
        return cls(players, **switches)

    @classmethod
    def expert(cls, players: int, smaller_hands: bool = False, **switches: Any) -> "Rules":
        """The printed expert rules: lay at least three; one step harder, hands one card smaller."""
        if "hand_size" not in switches:
            hand = STANDARD_HAND[whole_number("The number of players", players, 1, MOST_PLAYERS)]
            switches["hand_size"] = hand - bool(smaller_hands)
        elif smaller_hands:
            raise InputError("Give either smaller_hands or a hand_size, not both.")
        return cls(players, **{"minimum": EXPERT_MINIMUM, **switches})

    def options(self) -> list[str]:
        """What to type after a command to play these rules, the number of players apart."""
        words = []
        if self.hand_size != STANDARD_HAND[self.players]:
            words.append(f"--hand-size {self.hand_size}")
        if self.minimum != STANDARD_MINIMUM:
            words.append(f"--minimum {self.minimum}")
        if self.silent:
            words.append("--silent")
        if self.starter != "first":
            words.append(f"--starter {self.starter}")
        return words


def replay_command(strategy: str, rules: Rules, seed: int, game: int) -> str:
    """What to type to see a game of a strategy, named as on the command line."""
    words = ["thegame replay", shlex.quote(strategy), f"-p {rules.players}", f"--seed {seed}", f"--game {game}"]
    return " ".join([*words, *rules.options()])
