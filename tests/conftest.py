"""Compiled kernels are kept between test runs in a folder of their own; compiling may take its time."""

import os
from pathlib import Path

from hypothesis import settings

os.environ.setdefault("THEGAME_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "kernels"))

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
