"""What a strategy is: one or two plain functions, numbers to tune, and a sentence about it."""

import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any

import numpy as np

from simulator.errors import InputError, did_you_mean
from simulator.fingerprint import Fingerprint, fingerprint, plain_function

LARGEST_WHOLE = 2**53

Value = float | Sequence[float]


@dataclass(frozen=True)
class Strategy:
    """A way to play.

    Give either ``choose(view, params)``, called before every card, which returns
    ``play(card, pile)`` or ``STOP``; or ``plan(view, params, turn)``, called once a turn, which
    writes its moves into the array ``turn`` and returns how many. ``request(view, pile, params)``
    says what the player asks of the others: 0 nothing, 1 no big jump, 2 rather not, 3 please not.

    ``params`` are numbers, or sequences of numbers, which the functions read by name
    (``params.extra_gap``). A default of 3 makes a whole number, 3.0 any number. They are data:
    another value compiles nothing anew.
    """

    choose: Callable[..., Any] | None = None
    plan: Callable[..., Any] | None = None
    request: Callable[..., Any] | None = None
    params: Mapping[str, Value] = field(default_factory=dict)
    summary: str = ""
    name: str = ""
    docs: str = ""
    changed: Mapping[str, Value] = field(default_factory=dict)
    identity: Fingerprint | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.choose is None) == (self.plan is None):
            raise InputError("A Strategy needs either choose or plan, and not both.")
        for role in ("choose", "plan", "request"):
            function = plain_function(getattr(self, role))
            if function is None:
                continue
            if not isinstance(function, FunctionType):
                what = repr(function) if isinstance(function, int | float | str) else f"a {type(function).__name__}"
                raise InputError(f"{role} of a Strategy must be a function, not {what}.")
        for name, value in self.params.items():
            if not name.isidentifier() or name.startswith("_") or keyword.iskeyword(name):
                raise InputError(f"A parameter's name must be a word such as extra_gap, not {name!r}.")
            if is_whole(value) and abs(value) > LARGEST_WHOLE:  # type: ignore[arg-type]
                raise InputError(f"Parameter {name!r} must be a whole number up to 2**53, not {value!r}.")
            as_numbers(name, value)
        if not self.name:
            function = self.choose or self.plan
            object.__setattr__(self, "name", getattr(function, "__module__", "") or "strategy")

    def with_params(self, changes: Mapping[str, Value]) -> "Strategy":
        """The same strategy with some parameters changed; an unknown name is refused."""
        changed = {name: self.fitting_value(name, value) for name, value in changes.items()}
        return replace(self, params={**self.params, **changed}, changed={**self.changed, **changed})

    def fitting_value(self, name: str, value: Any) -> Value:
        """The value in the form of the parameter's default, or an InputError."""
        if name not in self.params:
            raise InputError(f"{self.name} has no parameter {name!r}; {did_you_mean(name, self.params)}")
        default = self.params[name]
        numbers = as_numbers(name, value)
        if numbers.shape != np.shape(default):
            wanted = f"{np.shape(default)[0]} numbers" if np.shape(default) else "one number"
            raise InputError(f"Parameter {name!r} of {self.name} takes {wanted}.")
        if numbers.ndim:
            return numbers.tolist()
        if not is_whole(default):
            return float(numbers)
        if not float(numbers).is_integer() or abs(numbers) > LARGEST_WHOLE:
            raise InputError(f"Parameter {name!r} of {self.name} takes a whole number up to 2**53, not {value!r}.")
        return int(numbers)

    def values(self) -> np.ndarray:
        """All parameters in order as one flat array, as the kernel takes them."""
        parts = [as_numbers(name, value).ravel() for name, value in self.params.items()]
        values = np.concatenate([np.empty(0), *parts])
        values.flags.writeable = False  # a strategy that changed them would change the next games
        return values

    def plain_params(self) -> dict[str, Value]:
        """All parameters as ints, floats and lists of floats, however they were given: the form that is saved."""
        return {
            name: int(value) if is_whole(value) else as_numbers(name, value).tolist()  # type: ignore[arg-type]
            for name, value in self.params.items()
        }

    @property
    def label(self) -> str:
        """The name with the parameters that were changed, as the loader reads it: ``greedy:extra_gap=3``."""
        changed = [f"{name}={number_text(value)}" for name, value in self.changed.items() if np.ndim(value) == 0]
        text = self.name + (":" + ",".join(changed) if changed else "")
        return text.encode(errors="backslashreplace").decode()  # a file's name may be no text

    def fingerprint(self) -> Fingerprint:
        """A hash over all code and constants that decide how this strategy plays, parameters apart."""
        return self.identity or fingerprint([self.choose, self.plan, self.request])


def as_numbers(name: str, value: Any) -> np.ndarray:
    """A parameter's value as an array of no or one dimension; anything but finite numbers is refused."""
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array(np.nan)
    if numbers.ndim > 1 or not np.isfinite(numbers).all():
        raise InputError(f"Parameter {name!r} must be a finite number or a list of them, not {value!r}.")
    return numbers


def is_whole(value: Any) -> bool:
    """Whether a parameter's default is a whole number; then it takes whole numbers only, and stays one."""
    return isinstance(value, int) and not isinstance(value, bool)


def number_text(value: Any) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))
