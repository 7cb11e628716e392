# `make serve` serves on http://127.0.0.1:8000, `make test` runs the tests; each sets up what it needs on a fresh clone.

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
SERVES := .venv/serves.stamp
TESTS := .venv/tests.stamp
WIRE := clients/wire/wire.d.ts
WORKERS ?= 4
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
TOOLS := .venv/tools
LOCK := $(TOOLS)/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --no-header
QUICK := not (slow or heavy or browser or services or database)
COMPILED := env -u PYTHONDONTWRITEBYTECODE  # the tests start many processes, and none need compile everything again
CITUS_TESTS := $(addprefix tests/,failure/test_citus.py server/eventlog/test_event_store.py server/storage/test_sql_store.py \
	server/operations/test_merkle_roots.py server/leaderboards server/competitions/daily)
# Appends on different workers have no order, and a table that a view hides is no distributed one.
NOT_ON_CITUS := tests/server/eventlog/test_event_store.py::test_concurrent_appends_have_the_outcome_of_sequential_ones \
	tests/server/competitions/daily/test_challenges.py::test_days_are_not_read_without_an_event_that_cannot_be_seen_and_are_all_there_a_moment_later
NOT_QUICK := benchmarks bots deploy e2e failure gate sdk terminal web wire \
	$(addprefix server/,audit cli cluster mail operations)

GATE = $(COMPILED) $(BIN)/python -m tests.gate

.PHONY: serve test quick test-heavy flaky citus-tests native check types documents format browser lock sbom mutants clean

serve: $(SERVES)  ## Bundle the web client, bring the database up to date and serve; CADOGAN_... settings apply.
	$(BIN)/python -m deploy.bundle
	$(BIN)/cadogan migrate
	exec $(BIN)/cadogan serve

test: $(TESTS) browser  ## Run every test that is not heavy, in a random order: SEED=... repeats one. Those of the web client need Node.
	$(BIN)/python -m deploy.bundle
	@if command -v node >/dev/null; then node --test tests/web/*/*.test.mjs; \
	else echo 'Left out: the tests of the web client (tests/web) need Node.' && [ "$$CADOGAN_REQUIRE_SERVICES" != 1 ]; fi
	$(GATE) $(SEED:%=--randomly-seed=%) $(or $(ARGUMENTS),--numprocesses $(WORKERS) -m 'not heavy')
	@$(BIN)/python -m tests.gate.ledger --check

quick: $(TESTS)  ## In under a minute: lint, and the fast tests of what needs no service, no browser and no other process.
	$(BIN)/ruff check
	$(BIN)/python -m pytest --quiet --numprocesses auto $(NOT_QUICK:%=--ignore=tests/%) -m '$(QUICK)'
	@if command -v node >/dev/null; then node --test --test-reporter=dot tests/web/*/*.test.mjs; fi

test-heavy: $(TESTS) browser  ## Run the heavy tests, one after another, with nothing beside them; FOLDERS='tests/failure citus' selects some.
	$(BIN)/python -m deploy.bundle
	$(GATE).lanes heavy $(FOLDERS)

flaky: $(TESTS)  ## Write into tests/flaky.toml which tests failed and then passed in the runs in this checkout.
	$(BIN)/python -m tests.gate.ledger

citus-tests: $(TESTS)  ## The log, leaderboards, days and a killed worker on Citus, where its programs are installed.
	@if ! $(BIN)/python -m deploy.citus.cluster --check; then echo 'The tests on Citus were left out.'; \
	else CADOGAN_TEST_CITUS=1 $(GATE) -k 'postgresql or citus' $(CITUS_TESTS) \
		$(NOT_ON_CITUS:%=--deselect '%[postgresql]'); fi

native: $(SERVES)  ## Compile the rules and the solver, where there is a C++ compiler; without this the solver is slower.
	$(BIN)/python -m cadogan.engine.compiled.building

check: $(TESTS) types  ## Lint, format, types and import contracts.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

types: $(WIRE)  ## Types of the web client's modules, by TypeScript, where Node brings it.
	@tests/web/types

documents: $(WIRE)  ## Check the OpenAPI and AsyncAPI documents with the tools of others, where npm and Java bring them.
	@tests/wire/check-documents

format: $(TESTS)  ## Rewrite the code as `make check` wants it.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

browser:  ## Bring the Chromium that the browser tests drive, where a package manager can.
	@tests/e2e/bring-chromium

lock: $(TOOLS)/bin/uv  ## Resolve the newest versions that pyproject.toml allows, and write them with their hashes.
	$(LOCK) --extra server --extra terminal --extra nats --output-file deploy/requirements.txt pyproject.toml
	$(LOCK) --extra dev --constraint deploy/requirements.txt --output-file $(TOOLS)/all.txt pyproject.toml
	grep -vxFf deploy/requirements.txt $(TOOLS)/all.txt >deploy/requirements-dev.txt  # what the tests need beside a server

sbom: $(TOOLS)/bin/cyclonedx-py  ## Write what a server is made of, in the format CycloneDX, to sbom.json.
	$(TOOLS)/bin/cyclonedx-py requirements deploy/requirements.txt --pyproject pyproject.toml --output-file sbom.json

mutants: $(TESTS)  ## Put small bugs into what is committed, in FOLDER or where `tests/mutants` says, and print which no test notices.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mutants]'
	$(BIN)/python -m tests.mutants $(FOLDER) --sample $(or $(SAMPLE),200) --seed $(or $(SEED),1) $(SESSION:%=--session %)

clean:  ## Remove everything that these targets made.
	rm -rf .venv sbom.json clients/web/bundle $(WIRE) clients/wire/*.json *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo 'Cadogan needs Python 3.11 or later: install it, or name it with PYTHON=...' >&2; exit 1; }
	$(PYTHON) -m venv .venv

$(SERVES): pyproject.toml deploy/requirements.txt | .venv/bin/python
	$(PIP) --require-hashes --requirement deploy/requirements.txt
	$(PIP) --no-deps --editable .
	touch $@

$(TESTS): pyproject.toml deploy/requirements.txt deploy/requirements-dev.txt | .venv/bin/python
	$(PIP) --require-hashes --requirement deploy/requirements.txt --requirement deploy/requirements-dev.txt
	$(PIP) --no-deps --editable .
	touch $(SERVES) $@

$(WIRE): $(wildcard clients/wire/*.py clients/wire/endpoints/*.py) | $(TESTS)
	$(BIN)/python -m cadogan.wire

$(TOOLS)/bin/uv $(TOOLS)/bin/cyclonedx-py: | .venv/bin/python
	$(BIN)/python -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9 cyclonedx-bom==7.3.0
