# The front door. `make run` shows a whole tournament, `make check test` is what CI runs.

PYTHON ?= python3
BIN := .venv/bin
PROTOS := $(wildcard protos/aboveboard_protos/v1/*.proto)
PROTOC = $(BIN)/python -m grpc_tools.protoc --proto_path=protos

.DEFAULT_GOAL := help
.PHONY: help run test test-slow test-js test-defences fuzz fuzz-seeds check docs protos golden vectors bench clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

run: .venv/.run  ## 8 bots, 6 rounds over every game, then verify the archive
	$(BIN)/aboveboard demo

test: .venv/.dev  ## the quick suite
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

test-slow: .venv/.dev  ## the long-running tests
	$(BIN)/python -m pytest -m slow -q

# Node trusts authorities of its own; where they do not do, those that the machine trusts are tried.
NPM_CI = npm --prefix examples/javascript ci --ignore-scripts --no-audit --no-fund --loglevel=error
test-js: .venv/.dev  ## the bots of other languages in examples/, also in whole tournaments
	@if ! node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null \
	    || ! command -v npm >/dev/null; then \
	  echo "test-js: no Node.js 20 with npm here, so the bot in JavaScript is not tested"; \
	else set -e; \
	  test examples/javascript/node_modules/.package-lock.json -nt examples/javascript/package-lock.json \
	    || $(NPM_CI) 2>/dev/null || NODE_OPTIONS=--use-openssl-ca $(NPM_CI); \
	  npm --prefix examples/javascript test --silent; \
	  $(BIN)/python -m pytest -q tests/e2e/javascript_bots.py; \
	fi

test-defences: .venv/.dev  ## each attack with the defence switched off that stops it
	$(BIN)/python -m pytest -q tests/attacks --defences-off

fuzz: .venv/.dev  ## every reader of foreign bytes, FUZZ_SECONDS (10) each, guided by coverage
	@test -e .venv/.fuzz || { $(BIN)/python -m pip install --quiet --only-binary atheris \
	  --constraint constraints.txt --build-constraint constraints.txt --editable '.[fuzz]' \
	  >.venv/fuzz.log 2>&1 && touch .venv/.fuzz; } || true
	@$(BIN)/python -m tests.fuzz

fuzz-seeds: .venv/.dev  ## rewrite the inputs that fuzzing starts from, once the format has changed
	$(BIN)/python -m tests.fuzz.corpus

check: .venv/.dev  ## lint, types, import contracts, generated code and pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	@set -e; out=$$(mktemp -d); trap 'rm -r "$$out"' EXIT; \
	$(PROTOC) --python_out="$$out" --pyi_out="$$out" $(PROTOS); \
	for file in $$(cd "$$out" && find . -type f); do \
	  cmp "$$out/$$file" "protos/$$file" || { echo "generated code is stale: run make protos"; exit 1; }; \
	done; echo "generated code equals its protos"
	$(BIN)/python -m tests.commands_page --check

docs: .venv/.dev  ## write docs/commands.md anew from the commands
	$(BIN)/python -m tests.commands_page

protos: .venv/.dev  ## generate code from the protos
	$(PROTOC) --python_out=protos --pyi_out=protos $(PROTOS)

golden: .venv/.dev  ## rewrite the golden files; review them as a diff
	$(BIN)/python -m pytest -q tests/golden --rewrite-golden

vectors: .venv/.dev  ## rewrite the vectors that the oracle makes; review them as a diff
	$(BIN)/python -m tests.oracle.make_vectors

bench: .venv/.dev  ## referee beside echo server, idle bots, verifying beside its signatures, pairing beside gacrux, late rounds
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench.idle_bench
	$(BIN)/python -m tests.bench.verify_bench
	$(BIN)/python -m tests.bench.pairing_bench
	$(BIN)/python -m tests.bench.rounds_bench

clean:  ## remove the environment and caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

# pip on a new machine can be older than the flags used here, so it is raised first.
.venv/.pip: constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --upgrade pip
	@touch $@

.venv/.run: .venv/.pip pyproject.toml
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --build-constraint constraints.txt --editable '.[fast]'
	@touch $@

.venv/.dev: .venv/.run
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --build-constraint constraints.txt --editable '.[dev]'
	@touch $@
