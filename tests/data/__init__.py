"""Figures from independent programs that share no code with this project."""

import csv
from pathlib import Path


def rows(name: str) -> list[dict[str, str]]:
    """The rows of one of the files beside this one."""
    with Path(__file__).with_name(name).open(newline="") as file:
        return list(csv.DictReader(file))
