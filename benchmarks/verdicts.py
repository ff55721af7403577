"""Compares two benchmarks, program by program: faster, slower, or the same for all that can be told.

Both runs measured a yardstick beside every program; the speed that counts is that against the yardstick, so neither
needs an idle machine, nor the same one at the same pace.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.recording import Recording
from benchmarks.speed import Spread
from benchmarks.yardsticks import BY_HAND, SET_C
from simulator.errors import InputError

YARDSTICKS = (SET_C, BY_HAND)  # scalar code like the kernel's, so that what slows one slows the other
TOLERANCE = 0.15

SAME, FASTER, SLOWER, LOST = "same", "faster", "slower", "REGRESSION"


@dataclass(frozen=True)
class Verdict:
    """One program with one number of players, then and now, in times of the yardstick."""

    program: str
    players: int
    before: Spread
    now: Spread
    longer: float  # how much longer a game takes now: 0.2 is 20 %
    low: float
    high: float
    verdict: str

    def row(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "before": self.before._asdict(), "now": self.now._asdict()}


def common_yardstick(old: Recording, new: Recording) -> str:
    """A yardstick that was the very same program in both runs."""
    for name in YARDSTICKS:
        if new.yardsticks.get(name) and new.yardsticks.get(name) == old.yardsticks.get(name):
            return name
    raise InputError(
        "The two benchmarks have no yardstick in common: "
        f"{'; '.join(why_not(name, old.yardsticks, new.yardsticks) for name in YARDSTICKS)}. "
        "Record the old program again here with: thegame bench -o OLD.json"
    )


def why_not(name: str, old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Why a yardstick cannot serve."""
    if not old.get(name):
        return f"{name} was missing then"
    return f"{name} is another program now" if new.get(name) else f"{name} is missing now"


def verdicts(old: Recording, new: Recording, tolerance: float = TOLERANCE) -> list[Verdict]:
    """A verdict for every strategy and number of players that both runs measured."""
    against = common_yardstick(old, new)
    both = [
        (name, players)
        for name in new.strategies
        for players in new.players
        if {(name, players), (against, players)} <= set(old.rates) & set(new.rates)
    ]
    if not both:
        raise InputError("The two benchmarks have no strategy with the same number of players in common.")
    return [
        judge(name, players, old.ratio(name, against, players), new.ratio(name, against, players), tolerance)
        for name, players in both
    ]


def judge(program: str, players: int, before: Spread, now: Spread, tolerance: float) -> Verdict:
    """The verdict on one program. A regression is real, the intervals lie apart, and large, beyond the tolerance."""
    longer, low, high = before.median / now.median - 1, before.low / now.high - 1, before.high / now.low - 1
    verdict = SAME
    if low > 0:
        verdict = LOST if longer > tolerance else SLOWER
    elif high < 0:
        verdict = FASTER
    return Verdict(program, players, before, now, longer, low, high, verdict)
