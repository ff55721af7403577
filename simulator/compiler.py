"""Turns the kernel and a strategy, both plain Python, into one compiled function, kept on disk.

Every plain function that the kernel reaches is compiled with it, the strategy's and its helpers
included, so nobody has to decorate anything. Names that the kernel leaves open are bound here.

numba's own disk cache is keyed by file and would serve an old strategy's machine code after an edit.
So each compiled kernel gets a folder of its own, named by a hash over everything that can change
machine code, and numba's cache lives in there.
"""

import dis
import functools
import hashlib
import platform
import re
import shutil
import sys
import threading
from collections import namedtuple
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError

from simulator import cards, deal, kernel, native, rules, scratch, view
from simulator.cache import cache_entry, warn_uncached
from simulator.errors import InputError, StrategyError
from simulator.fingerprint import Fingerprint, home_of, is_versioned, mentioned_attributes, plain_function, reached
from simulator.rules import Deck
from simulator.strategy import Strategy, as_numbers, is_whole
from simulator.view import View

SOURCES = (cards, deal, kernel, native, rules, scratch, view, sys.modules[__name__])
SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
INLINE = {"forceinline": True}
CHECKED = {"boundscheck": True}

TABLE = types.NamedTuple((types.int64,) * 3 + (types.boolean,) * 2, kernel.Table)
VIEW = types.NamedTuple(
    tuple(native.card_set if name in ("hand", "laid", "deck") else types.int64 for name in View._fields), View
)
WORDS = types.Array(types.uint64, 1, "C")
PLAY_GAMES = (
    *(TABLE, types.uint64, types.uint64, types.int64, types.Array(types.float64, 1, "C", readonly=True)),
    *(types.Array(types.int64, 1, "C"), types.Array(types.uint8, 1, "C")),
)
SIGNATURES = {
    "batch": (*PLAY_GAMES, types.none, types.none, WORDS),
    "recorded": (*PLAY_GAMES, types.Array(types.int64, 2, "C"), types.none, WORDS),
    "given": (*PLAY_GAMES, types.none, types.Array(types.uint8, 2, "C"), WORDS),
    "given-recorded": (*PLAY_GAMES, types.Array(types.int64, 2, "C"), types.Array(types.uint8, 2, "C"), WORDS),
}


class Binder:
    """Rebuilds plain functions with other globals: open names bound, callees compiled, twins put in."""

    def __init__(self, bound: dict[str, Any], inlined: tuple[Any, ...] = ()) -> None:
        self.bound = bound
        self.inlined = inlined
        self.done: dict[Any, Any] = {}

    def bind(self, function: Any, file: Path | None = None, **options: Any) -> Any:
        """The function compiled (at its first call) with everything it reaches; numba caches it beside ``file``."""
        space = dict(function.__globals__)
        closure = tuple(CellType() for _ in function.__closure__ or ())
        code = function.__code__ if file is None else function.__code__.replace(co_filename=str(file))
        rebuilt = FunctionType(code, space, function.__name__, function.__defaults__, closure)
        rebuilt.__kwdefaults__ = function.__kwdefaults__
        rebuilt.__qualname__ = function.__qualname__
        rebuilt.__module__ = __name__  # numba imports it when it reads the cache: it must be there in any process
        compiled = numba.njit(cache=file is not None, **options)(rebuilt)
        self.done[function] = compiled  # before looking further, for functions that call themselves
        for name, value in reached(function):
            if name in function.__code__.co_freevars:
                closure[function.__code__.co_freevars.index(name)].cell_contents = self.ready(value, function)
            else:
                space[name] = self.ready(value, function)
        for name in function.__code__.co_names:
            if name in self.bound and is_ours(function.__module__):
                space[name] = self.ready(self.bound[name], function)
        return compiled

    def ready(self, value: Any, user: FunctionType) -> Any:
        """What compiled code uses in place of a value that plain code uses."""
        options = getattr(value, "targetoptions", None)
        value = plain_function(value)
        if isinstance(value, FunctionType):
            value = native.TWINS.get(value, value)
        if not isinstance(value, FunctionType | ModuleType):
            return value
        if value in self.done:
            return self.done[value]
        home = home_of(value)
        ours = is_ours(home[0])
        if is_versioned(*home) and not ours:
            return value  # numba knows numpy and the standard library by itself
        if isinstance(value, ModuleType):
            return self.module(value, user)
        defaults = {**({} if ours else CHECKED), **(INLINE if ours or value in self.inlined else {})}
        given = {name: option for name, option in (options or {}).items() if option is not None}
        given = {name: option for name, option in given.items() if name not in ("nopython", "cache")}
        return self.bind(value, **{**defaults, **given})

    def module(self, module: ModuleType, user: FunctionType) -> ModuleType:
        """A stand-in for an imported module, with compiled functions."""
        stand_in = ModuleType(module.__name__)
        for name, value in mentioned_attributes(module, user):
            setattr(stand_in, name, self.ready(value, user))
        return stand_in


def is_ours(module: str | None) -> bool:
    """Whether a module belongs to the simulator."""
    return (module or "").partition(".")[0] == "simulator"


def parameter_unpacker(strategy: Strategy) -> Callable[..., Any]:
    """The function that turns the flat array of values into ``params`` with a field for each name."""
    if not strategy.params:
        return lambda values: ()
    fields, start = [], 0
    for name, value in strategy.params.items():
        shape = as_numbers(name, value).shape
        entry = f"values[{start}:{start + shape[0]}]" if shape else f"values[{start}]"
        fields.append(f"int64({entry})" if is_whole(value) else entry)
        start += shape[0] if shape else 1
    # The only way to call a named tuple with a mix of numbers and slices that numba understands.
    space: dict[str, Any] = {"__name__": __name__, "int64": np.int64, "Params": namedtuple("Params", strategy.params)}
    exec(f"def unpack(values):\n    return Params({', '.join(fields)})", space)
    return space["unpack"]


def bound_names(strategy: Strategy, deck: Deck) -> dict[str, Any]:
    """The names that the kernel leaves open."""
    piles_up = deck.piles // 2
    bases = [deck.lowest - 1] * piles_up + [deck.highest + 1] * piles_up
    every_card = sum(cards.single(card) for card in range(deck.lowest, deck.highest + 1))
    return {
        "choose": strategy.choose,
        "plan": strategy.plan,
        "request": strategy.request,
        "next_move": kernel.next_planned if strategy.choose is None else kernel.next_chosen,
        "speak": kernel.say_nothing if strategy.request is None else kernel.speak_up,
        "unpack": parameter_unpacker(strategy),
        "LOWEST": deck.lowest,
        "CARDS": deck.cards,
        "PILES": deck.piles,
        "STEP": deck.step,
        "BASES": sum(base << (8 * pile) for pile, base in enumerate(bases)),
        "DECK_LOW": cards.low_half(every_card),
        "DECK_HIGH": cards.high_half(every_card),
        "FITTING": native.fitting_cards(deck),
    }


@functools.cache
def machine_key() -> str:
    """Everything but the strategy that can change machine code."""
    key = hashlib.sha256()
    for module in SOURCES:
        key.update(Path(str(module.__file__)).read_bytes())
    target = numba.core.registry.cpu_target.target_context.codegen().magic_tuple()
    settings = [(name, getattr(numba.config, name)) for name in SETTINGS]
    versions = (platform.python_version(), numba.__version__, np.__version__, llvmlite.__version__)
    key.update(repr((versions, sys.implementation.cache_tag, target, settings)).encode())
    return key.hexdigest()


def cache_key(strategy: Strategy, deck: Deck, kind: str, print_of_strategy: Fingerprint) -> str:
    """The name of one compiled kernel: changes whenever its machine code could."""
    shapes = [(name, is_whole(value), as_numbers(name, value).shape) for name, value in strategy.params.items()]
    parts = (machine_key(), print_of_strategy.hex, shapes, asdict(deck), kind)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


class CacheError(Exception):
    """The disk cache could not be read or written."""


_kernels: dict[str, Any] = {}
_compiling = threading.Lock()  # numba compiles one function at a time


def compile_kernel(
    strategy: Strategy, deck: Deck, kind: str, announce: Callable[[str], None] = lambda name: None
) -> Any:
    """``kernel.play_games`` for this strategy, from memory, from disk, or compiled now (which is announced)."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        raise InputError("NUMBA_DISABLE_JIT is set, but strategies must be compiled to be played; unset it.")
    print_of_strategy = strategy.fingerprint()
    key = cache_key(strategy, deck, kind, print_of_strategy)
    with _compiling:
        if not print_of_strategy.complete:
            return build(strategy, deck, kind, None, announce)
        if key not in _kernels:
            _kernels[key] = load_or_build(strategy, deck, kind, key, announce)
        return _kernels[key]


def load_or_build(strategy: Strategy, deck: Deck, kind: str, key: str, announce: Callable[[str], None]) -> Any:
    """The kernel through its disk cache; a damaged cache is thrown away, a hopeless one done without."""
    for _ in range(2):
        file = cache_entry(key, f"{strategy.name} {kind}")
        if file is None:
            break
        try:
            return build(strategy, deck, kind, file, announce)
        except CacheError as problem:
            damage = problem
            shutil.rmtree(file.parent, ignore_errors=True)
    else:
        warn_uncached(damage)
    return build(strategy, deck, kind, None, announce)


def build(strategy: Strategy, deck: Deck, kind: str, file: Path | None, announce: Callable[[str], None]) -> Any:
    """Compile the kernel, or read it back if ``file`` has it already."""
    names = bound_names(strategy, deck)
    binder = Binder(names, inlined=(strategy.choose, strategy.request))
    play_games = binder.bind(kernel.play_games, file, nogil=True)
    if file is None or not any(Path(play_games.stats.cache_path).glob("*.nbc")):
        announce(strategy.name)
        check_functions(strategy, names["unpack"](strategy.values()), binder)
    try:
        play_games.compile(SIGNATURES[kind])
    except NumbaError as error:
        raise StrategyError(f"{strategy.name} does not compile: {first_reason(error)}") from error
    except Exception as error:  # reading back a truncated or foreign file can fail in any way, a full disk too
        raise error if file is None else CacheError(str(error)) from error
    return play_games


def check_functions(strategy: Strategy, params: Any, binder: Binder) -> None:
    """Compile the strategy's functions by themselves, so that an error names the function and not the kernel."""
    params_type = numba.typeof(params)
    roles = {
        "choose": ((VIEW, params_type), "play(card, pile) or STOP"),
        "plan": ((VIEW, params_type, types.Array(types.int64, 1, "C")), "the number of moves in the turn"),
        "request": ((VIEW, types.int64, params_type), "a level from 0 to 3"),
    }
    for function in binder.done:
        if isinstance(function, FunctionType) and rolls_foreign_dice(function):
            raise StrategyError(
                f"{strategy.name}: {function.__name__} rolls numpy's or Python's dice, which never fall the same; "
                "take random_below(view, limit) or view.random, so that a game can be played again."
            )
    for role, (signature, wanted) in roles.items():
        function = plain_function(getattr(strategy, role))
        if function is None:
            continue
        if function.__code__.co_argcount != len(signature):
            raise StrategyError(f"{strategy.name}: {role} takes the arguments {ARGUMENTS[role]} and no others.")
        try:
            compiled = binder.done[function]
            compiled.compile(signature)
        except Exception as error:  # numba also trips over code in other ways than by a NumbaError
            raise StrategyError(f"{strategy.name}: {role} does not compile: {first_reason(error)}") from error
        result = compiled.overloads[signature].signature.return_type
        if not isinstance(result, types.Integer):
            raise StrategyError(f"{strategy.name}: {role} must return {wanted}, but it returns {plain_name(result)}.")


def rolls_foreign_dice(function: FunctionType) -> bool:
    """Whether a function of the user's reaches for numpy.random or random."""
    if is_ours(function.__module__):
        return False
    foreign = ("random", "numpy.random")
    before: Any = None
    for step in dis.get_instructions(function):
        if before is np and step.argval == "random":
            return True
        before = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        home = before.__name__ if isinstance(before, ModuleType) else getattr(before, "__module__", None)
        if home in foreign or type(getattr(before, "__self__", None)).__module__ in (*foreign, "numpy.random.mtrand"):
            return True
    return False


def first_reason(error: Exception) -> str:
    """The one line of numba's long message that tells what is wrong, and where."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("Failed in nopython mode pipeline")]
    reason = lines[0] if lines else type(error).__name__
    call = next((line for line in lines if line.startswith(">>>")), "")
    if reason.endswith(":") and call:
        reason += " " + call.removeprefix(">>>").strip()
    reason = re.sub(r"of type (View(?=\()|Params(?=\()|Tuple(?=\(\)))\(.*\)", lambda found: OF_WHAT[found[1]], reason)
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    outside = [place for place in places if "simulator/" not in place[0].replace("\\", "/")]
    where = f" ({Path(outside[0][0]).name}, line {outside[0][1]})" if outside else ""
    return reason[:200].rstrip(".") + where + "."


ARGUMENTS = {"choose": "(view, params)", "plan": "(view, params, turn)", "request": "(view, pile, params)"}
OF_WHAT = {"View": "of the view", "Params": "of params", "Tuple": "of params, as the strategy has none"}
NAMES = {
    types.NoneType: "None",
    types.Float: "a float",
    types.Boolean: "a bool",
    types.Integer: "a whole number",
    types.BaseTuple: "a tuple",
    types.UnicodeType: "a text",
    types.Array: "an array",
    types.Generator: "a generator, for it has a yield",
    native.CardSet: "a set of cards",
}


def plain_name(kind: types.Type) -> str:
    """A numba type in words for people who know Python."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Optional):
        return f"None on some way through, else {plain_name(kind.type)}"
    return next((words for family, words in NAMES.items() if isinstance(kind, family)), "something else")
