# Everything on a fresh machine with python3, venv and make:  make compare   or   make test
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: compare test test-slow speed check format clean

compare: $(VENV)/installed
	$(BIN)/thegame compare

test: check
	$(BIN)/python -m pytest -n auto --dist loadfile

test-slow: $(VENV)/installed
	$(BIN)/python -m pytest -m slow

speed: $(VENV)/installed
	$(BIN)/python -m pytest -m speed -s

check: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
