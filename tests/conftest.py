"""Compiled kernels are kept between test runs in a folder of their own; compiling may take its time."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("THEGAME_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "kernels"))

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def compiled():
    """The built-in strategies are compiled and kept: for tests that look at all that a command says."""
    from simulator import simulate
    from simulator.loader import builtin_names

    for name in builtin_names():
        simulate(name, 2, 1)
