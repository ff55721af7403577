"""The signature: one hash that changes if, and only if, play changes.

Every built-in strategy plays fixed games under all kinds of rules; the counts of cards left are hashed. Neither
machine nor threads nor speed can change it, so a change that was only meant to be faster must leave it alone.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from simulator.batch import Announce, make_rules, say_nothing, simulate
from simulator.loader import builtin_names
from simulator.rules import MOST_PLAYERS, Rules

SEED = 2026
DIGITS = 16
# Named here and not by the fields of Rules, so that a new switch changes no signature of the rules that were there.
VARIANTS: dict[str, tuple[int, dict[str, Any]]] = {
    "standard": (20_000, {}),
    "expert": (2_000, {"expert": True}),
    "smaller hands": (2_000, {"expert": True, "smaller_hands": True}),
    "silent": (2_000, {"silent": True}),
    "best starter": (2_000, {"starter": "best"}),
}


def signatures(announce: Announce = say_nothing) -> dict[str, str]:
    """The signature of every built-in strategy."""
    return {name: strategy_signature(name, announce) for name in builtin_names()}


def strategy_signature(name: str, announce: Announce = say_nothing) -> str:
    """A hash over the counts of a strategy under all rules and numbers of players."""
    lines = []
    for variant, (games, switches) in VARIANTS.items():
        for players in range(1, MOST_PLAYERS + 1):
            rules: Rules = make_rules(players=players, **switches)
            counts = simulate(name, rules=rules, games=games, seed=SEED, announce=announce).counts
            lines.append(f"{variant} {players} {games} {' '.join(map(str, counts))}")
    return hashed(lines)


def overall(each: dict[str, str]) -> str:
    """The signature of all strategies together."""
    return hashed(f"{name} {signature}" for name, signature in sorted(each.items()))


def hashed(lines: Iterable[str]) -> str:
    """The hash of some lines, as it is printed."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:DIGITS]
