"""What a function's play depends on: itself, and every function and constant that it reaches.

Compiled code freezes all of that, so a cache is only safe if its key covers all of it. Walking what
is really reached, rather than files, sees an edit in any imported module and any array that was read
from a data file. Must not know numba: it looks at plain objects only.
"""

import contextlib
import hashlib
import inspect
import linecache
import sys
import sysconfig
import textwrap
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

# Named by their version in the cache key, so not looked into.
VERSIONED = frozenset({"numpy", "numba", "llvmlite", "simulator", "builtins"})


class Fingerprint(NamedTuple):
    """The hash, and whether everything reached could be hashed; if not, nothing may be cached by it."""

    hex: str
    complete: bool


STANDARD_LIBRARY = sysconfig.get_path("stdlib")


def is_versioned(module: str | None, file: str | None = None) -> bool:
    """Whether a module's code is identified by a version rather than by its content.

    A user's file may be called like a module of the standard library: then its place tells.
    """
    top_level = (module or "").partition(".")[0]
    if top_level in VERSIONED:
        return True
    if file is None:
        file = getattr(sys.modules.get(module or ""), "__file__", None)
    at_home = file is None or file.startswith(("<frozen", STANDARD_LIBRARY))
    return top_level in sys.stdlib_module_names and at_home


def home_of(value: Any) -> tuple[str, str | None]:
    """The module of a function or module, and its file."""
    if isinstance(value, ModuleType):
        return value.__name__, getattr(value, "__file__", None)
    return value.__module__ or "", value.__code__.co_filename


def names_in(code: CodeType) -> set[str]:
    """Every global and attribute name that the code, or code nested in it, mentions."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
    return names


def reached(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals that a function mentions and the variables it closes over, by name."""
    for name in sorted(names_in(function.__code__)):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # not set yet: calling the function would fail as well
            yield name, cell.cell_contents


def mentioned_attributes(module: ModuleType, function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The attributes of an imported module that the function may mean."""
    for name in sorted(names_in(function.__code__)):
        if hasattr(module, name):
            yield name, getattr(module, name)


def plain_function(value: Any) -> Any:
    """The Python function inside a numba-decorated one; any other value as it is."""
    return value.py_func if hasattr(value, "py_func") and hasattr(value, "targetoptions") else value


def fingerprint(functions: Iterable[Callable[..., Any] | None]) -> Fingerprint:
    """Hash the functions and all they reach."""
    walk = _Walk()
    for function in functions:
        walk.value(function)
    return Fingerprint(walk.hash.hexdigest(), walk.complete)


class _Walk:
    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.complete = True
        self.seen: dict[int, int] = {}
        self.under_way: set[int] = set()

    def note(self, *parts: Any) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode()
            self.hash.update(b"%d:" % len(data) + data)

    def value(self, value: Any, user: FunctionType | None = None) -> None:
        """Hash one value; ``user`` is the function that mentions it."""
        if plain_function(value) is not value:
            self.note("compiled", sorted(value.targetoptions.items()))
            value = plain_function(value)
        module = getattr(value, "__module__", None)
        if isinstance(value, FunctionType) and not is_versioned(*home_of(value)):
            self.function(value)
        elif isinstance(value, ModuleType):
            self.note("module", value.__name__)
            if not is_versioned(*home_of(value)) and user is not None:
                for name, attribute in mentioned_attributes(value, user):
                    self.note(name)
                    self.value(attribute, user)
        elif isinstance(value, FunctionType | BuiltinFunctionType | np.ufunc | type):
            self.note("name", module, getattr(value, "__qualname__", value.__name__))
            if isinstance(value, type) and not is_versioned(module):
                self.note("fields", *getattr(value, "_fields", ("unknown",)))
                self.complete &= hasattr(value, "_fields")
        elif value is None or isinstance(value, bool | int | float | complex | str | bytes):
            self.note(type(value).__name__, repr(value))
        elif isinstance(value, tuple | list):
            self.note(type(value).__name__, len(value), *getattr(value, "_fields", ()))
            for item in value:
                self.value(item, user)
        elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            self.note("array", value.dtype.descr, np.shape(value), np.ascontiguousarray(value).tobytes())
        elif type(value).__module__.startswith("numba.core.types"):
            self.note("numba type", repr(value))
        else:
            self.note("unknown", type(value))
            self.complete = False

    def function(self, function: FunctionType) -> None:
        if id(function) in self.seen:
            self.note("again", self.seen[id(function)])
            # numba crashes when it reads functions that call themselves back from its disk cache.
            self.complete &= id(function) not in self.under_way
            return
        self.seen[id(function)] = len(self.seen)
        self.under_way.add(id(function))
        if source_is_current(function):
            self.note("source", textwrap.dedent(inspect.getsource(function)))
        else:
            self.code(function.__code__)
        self.value(function.__defaults__)
        self.value(tuple(sorted((function.__kwdefaults__ or {}).items())))
        for name, value in reached(function):
            self.note(name)
            self.value(value, function)
        self.under_way.discard(id(function))

    def code(self, code: CodeType) -> None:
        self.note("code", code.co_code, code.co_names, code.co_varnames, code.co_freevars)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.code(constant)
            else:
                self.value(constant)


def source_is_current(function: FunctionType) -> bool:
    """Whether the source that can be read now is what the function was made from.

    Not so for code typed into a prompt, or imported before its file was edited. Where it is, the
    source is the better identity: byte code changes with every Python.
    """
    lines = linecache.getlines(function.__code__.co_filename)
    try:
        waiting = [compile("".join(lines), function.__code__.co_filename, "exec")] if lines else []
    except SyntaxError:
        return False
    while waiting:
        code = waiting.pop()
        if code == function.__code__:  # compares names, line, byte code and constants
            return True
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return False
