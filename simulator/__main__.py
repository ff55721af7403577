"""``python -m simulator`` is the same as ``thegame``."""

from simulator.cli import main

main()
