# `make help` lists the targets. Every target sets up what it needs by itself.
SHELL := bash
PYTHON ?= python3
PORT ?= 8000
DATA ?= openseer-data
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup meaning servers run test proof lint check format bench screenshots lock clean

help:  ## list the targets
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP)  ## virtual environment, locked dependencies, system packages

$(STAMP): requirements.lock pyproject.toml setup.sh setup.py $(wildcard src/openseer/core/ml/_native/*.c src/openseer/extract/pdf/_native/*.c)
	@PYTHON="$(PYTHON)" VENV="$(VENV)" ./setup.sh
	@touch $@

meaning: setup  ## ranking by embeddings too: a runtime of 68 MB and a model of 23 MB
	@VENV="$(VENV)" ./setup.sh meaning

servers: setup
	@./setup.sh servers  # what only tests need

run: setup  ## build a small sample library and serve it [PORT=8000]
	@$(BIN)/openseer --data $(DATA) demo --port $(PORT)

test: setup servers  ## all tests, under ten minutes on two cores
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal tests

proof: setup servers  ## the long proofs: many kill rounds, whole-corpus runs
	@$(BIN)/python -m pytest -q -m proof tests

lint: setup  ## ruff, mypy, import contracts
	@$(BIN)/ruff format --check src tests benchmarks training setup.py
	@$(BIN)/ruff check src tests benchmarks training setup.py
	@$(BIN)/mypy
	@$(BIN)/lint-imports --config pyproject.toml

check: test lint  ## tests, then linters: what CI runs

format: setup  ## write the code in the house format
	@$(BIN)/ruff format src tests benchmarks training setup.py
	@$(BIN)/ruff check --fix src tests benchmarks training setup.py

bench: setup  ## measure ingest, verify and search on the corpus; results in benchmarks/
	@$(BIN)/python benchmarks/library.py
	@$(BIN)/python benchmarks/pages.py

SHOTS ?= build/screenshots
screenshots: setup servers  ## pictures of every page of the sample library, light and dark [SHOTS=folder]
	@PYTHONPATH=. $(BIN)/python benchmarks/screenshots.py build/shots-library $(SHOTS)

lock: setup  ## resolve the dependencies again into requirements.lock
	@$(BIN)/uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o requirements.lock
	@for part in meaning meaning-model; do $(BIN)/uv pip compile requirements-$$part.in --no-deps --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o requirements-$$part.lock || exit 1; done
	@! grep -nE 'https?://|index-url|find-links|trusted-host' requirements*.lock

clean:  ## remove the environment and the caches (never a library)
	rm -rf $(VENV) build dist src/*.egg-info src/openseer/core/ml/*.so src/openseer/extract/pdf/*.so .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
