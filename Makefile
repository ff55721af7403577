# Everything on a fresh machine with python3, venv and make:  make compare   or   make test
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: compare test test-slow bench results record check-recorded check format clean

compare: $(VENV)/installed
	$(BIN)/thegame compare

test: check
	$(BIN)/python -m pytest -n auto --dist loadfile

test-slow: $(VENV)/installed
	$(BIN)/python -m pytest -m slow

# Everything that is measured; wants an idle machine and some five minutes.
bench: $(VENV)/installed
	$(BIN)/python -m pytest benchmarks --benchmark-columns=median,iqr,rounds --benchmark-sort=fullname

# The README's table of results and its picture.
results: $(VENV)/installed
	$(BIN)/python -m benchmarks.results

# What CI compares with: the signature of play and the speed on this machine.
record: $(VENV)/installed
	$(BIN)/thegame bench -o benchmarks/recorded.json

# Other play fails, and so does a game that takes half as long again: machines differ, so no less.
check-recorded: $(VENV)/installed
	$(BIN)/thegame bench --signature --compare benchmarks/recorded.json
	$(BIN)/thegame bench -s greedy -s backward -s reservation -p 2,5 --rounds 7 --compare benchmarks/recorded.json --tolerance 50%

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
