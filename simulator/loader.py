"""Finds strategies by name. One grammar everywhere::

    greedy                          a built-in, or one that an installed package offers
    bots/mine.py                    the strategy of a file; bots/mine.py:name if it has several
    package.module:name             anything that can be imported
    greedy:extra_gap=3              parameters follow after a colon, separated by commas

Files are executed afresh each time, so that an edit, also in a module they import, is always seen.
"""

import contextlib
import functools
import importlib
import importlib.metadata
import importlib.util
import linecache
import pkgutil
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import strategies
from simulator.errors import InputError, StrategyError, did_you_mean
from simulator.strategy import Strategy

ENTRY_POINTS = "thegame.strategies"
DEFAULT_NAME = "strategy"


def load(spec: str | Strategy) -> Strategy:
    """The strategy that the text names, with its parameters."""
    if isinstance(spec, Strategy):
        return spec
    if not isinstance(spec, str) or not spec.strip():
        raise InputError(f"A strategy is named by a text such as 'greedy' or 'my_bot.py', not {spec!r}.")
    place, name, params = split(spec.strip())
    return find(place, name).with_params(read_params(spec, params))


def split(spec: str) -> tuple[str, str, str]:
    """Cut ``place:name:a=1,b=2`` into its parts; name and parameters may be missing."""
    head, *rest = spec.split(":")
    if len(head) == 1 and rest and rest[0][:1] in ("/", "\\"):  # the drive of a Windows path
        head, rest = f"{head}:{rest[0]}", rest[1:]
    params = rest.pop() if rest and "=" in rest[-1] else ""
    if len(rest) > 1 or (rest and not rest[0].isidentifier()):
        raise InputError(f"Cannot read the strategy {spec!r}; write name:parameter=number, or file.py:name.")
    return head, rest[0] if rest else "", params


def read_params(spec: str, text: str) -> dict[str, float]:
    """Read ``a=1,b=2.5``."""
    params: dict[str, float] = {}
    for part in text.split(",") if text else []:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        try:
            if not equals or name in params:
                raise ValueError
            params[name] = float(value)
        except ValueError:
            raise InputError(
                f"Cannot read {part!r} in the strategy {spec!r}; parameters are written name=number, each once."
            ) from None
    return params


def find(place: str, name: str) -> Strategy:
    """The strategy of that name in a file, a module, among the built-ins or the installed plug-ins."""
    if place.endswith(".py") or "/" in place or "\\" in place:
        return from_module(run_file(place), name, place)
    if name and place in all_names():
        raise InputError(f"Cannot read {place}:{name}; parameters are written {place}:parameter=number.")
    if name:
        return from_module(import_module(place), name, place)
    if place in builtin_names():
        module = importlib.import_module(f"strategies.{place}")
        return replace(from_module(module, DEFAULT_NAME, place), name=place)
    plugins = {plugin.name: plugin for plugin in importlib.metadata.entry_points(group=ENTRY_POINTS)}
    if place not in plugins:
        raise InputError(f"Unknown strategy {place!r}; {did_you_mean(place, [*builtin_names(), *plugins])}")
    return from_plugin(plugins[place])


def from_plugin(plugin: importlib.metadata.EntryPoint) -> Strategy:
    """The strategy that an installed package offers."""
    module = import_module(plugin.module)
    return replace(from_module(module, plugin.attr or DEFAULT_NAME, plugin.module), name=plugin.name)


def builtin_names() -> list[str]:
    """The names of the strategies that come with the simulator."""
    return [module.name for module in pkgutil.iter_modules(strategies.__path__)]


def all_names() -> list[str]:
    """Every name that needs no path: built-ins and installed plug-ins."""
    return builtin_names() + sorted({p.name for p in importlib.metadata.entry_points(group=ENTRY_POINTS)})


def from_module(module: ModuleType, name: str, place: str) -> Strategy:
    """Take the strategy out of a module; without a name, the one called ``strategy`` or the only one."""
    found = {key: value for key, value in vars(module).items() if isinstance(value, Strategy)}
    if not found:
        raise StrategyError(f"{place} holds no Strategy; it should end in: strategy = Strategy(choose, ...).")
    if not name:
        name = DEFAULT_NAME if DEFAULT_NAME in found else next(iter(found))
        if len(found) > 1 and name != DEFAULT_NAME:
            raise InputError(f"{place} holds several strategies: write {place}:name with one of {', '.join(found)}.")
    if name not in found:
        raise InputError(f"{place} has no strategy {name!r}; {did_you_mean(name, found)}")
    label = place if name == DEFAULT_NAME and place.endswith(".py") else f"{place}:{name}"
    # Taken now, while the sources are those that were executed.
    identity = found[name].fingerprint()
    return replace(found[name], name=label, docs=module.__doc__ or "", identity=identity)


def run_file(path: str) -> ModuleType:
    """Execute a strategy's file, with its own folder importable, and return it as a module."""
    file = Path(path).expanduser()
    try:
        source = importlib.util.decode_source(file.read_bytes())
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; give the path of a Python file that defines a strategy.") from None
    except (OSError, UnicodeDecodeError, SyntaxError) as problem:
        raise InputError(f"The file {path} cannot be read: {problem}.") from None
    module = ModuleType(f"thegame_plugin_{file.stem}")
    module.__file__ = str(file.resolve())
    with fresh_imports(file.resolve().parent), named_errors(path):
        code = compile(source, module.__file__, "exec")
        # The very text that runs is what inspect.getsource, and so the fingerprint, will see.
        linecache.cache[module.__file__] = (len(source), None, source.splitlines(keepends=True), module.__file__)
        sys.modules[module.__name__] = module
        exec(code, vars(module))
    return module


def import_module(name: str) -> ModuleType:
    """Import a module as a program in the current folder would."""
    if not all(part.isidentifier() for part in name.split(".")):
        raise no_module(name)
    with fresh_imports(Path.cwd()), named_errors(name):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as problem:
            if problem.name is not None and f"{name}.".startswith(f"{problem.name}."):
                raise no_module(problem.name) from None
            raise


def no_module(name: str) -> InputError:
    """The error for a module that is not there."""
    return InputError(f"There is no module {name!r} to import; a file is named by its path with .py.")


@contextlib.contextmanager
def fresh_imports(folder: Path) -> Iterator[None]:
    """Import the user's modules from their source as it is now, and forget them afterwards.

    Python's byte-code files go by the second and by size, so a quick edit could be missed: they are
    neither read nor written. Installed packages are left alone.
    """
    hidden = {name: module for name, module in sys.modules.items() if is_users(name, module)}
    for name in hidden:
        del sys.modules[name]
    before = set(sys.modules)
    settings = sys.dont_write_bytecode, sys.pycache_prefix
    sys.dont_write_bytecode, sys.pycache_prefix = True, str(folder / "no-byte-code-here")
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    linecache.clearcache()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode, sys.pycache_prefix = settings
        for name in set(sys.modules) - before:
            if is_users(name, sys.modules[name]):
                del sys.modules[name]
        sys.modules.update(hidden)


def is_users(name: str, module: Any) -> bool:
    """Whether a module is the user's own, rather than Python's or an installed package's."""
    if name == "__main__" or name.partition(".")[0] in ("simulator", "strategies", "reports"):
        return False
    origin = getattr(module, "__file__", None)
    if origin is not None:
        return not is_installed(origin)
    return any(not is_installed(folder) for folder in getattr(module, "__path__", ()))


@functools.cache
def is_installed(file: str) -> bool:
    """Whether a file belongs to Python or an installed package."""
    roots = [Path(sysconfig.get_path(key)).resolve() for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    return any(Path(file).resolve().is_relative_to(root) for root in roots)


@contextlib.contextmanager
def named_errors(place: str) -> Iterator[None]:
    """Turn whatever a user's module raises into one sentence with the line."""
    try:
        yield
    except InputError as problem:
        if problem.__suppress_context__:  # nothing of that name: the user's words, not the module's doing
            raise
        raise StrategyError(f"{place}: {problem}") from problem
    except SyntaxError as problem:
        file = Path(problem.filename or place)
        itself = file.name == Path(place).name or file.stem == place.rpartition(".")[2]
        what = place if itself else f"{file.name}, which {place} imports,"
        raise StrategyError(f"{what} is not valid Python: {problem.msg} (line {problem.lineno}).") from problem
    except (Exception, SystemExit) as problem:
        frames = traceback.extract_tb(problem.__traceback__)
        own = [frame for frame in frames if frame.filename != __file__ and not frame.filename.startswith("<")]
        where = f" (line {own[-1].lineno})" if own else ""
        reason = f"{type(problem).__name__}: {problem}".rstrip(": ")
        raise StrategyError(f"{place} fails when it is loaded: {reason}{where}.") from problem
