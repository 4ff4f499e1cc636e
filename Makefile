.DEFAULT_GOAL := help
.PHONY: docs examples recording bundle release-check help setup check test soak conformance gen demo serve bench learn lock chromium picture

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH := .venv-bench
LEARN := .venv-learn
SITE := .venv-docs
SUITE := .venv-node
# Two workers more than a small machine has cores: some tests wait for a browser or a deadline.
WORKERS := -n 4 --dist loadscope --no-loadscope-reorder

# Python reads the path of an editable install in the locale's encoding, and LC_ALL=C would
# keep it from a checkout whose path has letters beyond ASCII.
unexport LC_ALL
# The tests' modules are compiled with their assertions once, not by each worker of each run.
unexport PYTHONDONTWRITEBYTECODE

# Installed again only when a lock or the project's own metadata changes.
$(STAMP): requirements/dev.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q src  # or each worker of the first run of the tests compiles it
	@touch $(STAMP)

# The lock is whole; an older pip trips over one package that two peers ask for with extras.
$(BENCH)/.installed: requirements/bench.txt
	@test -x $(BENCH)/bin/python || $(PYTHON) -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip install -qq --disable-pip-version-check --no-deps --require-hashes -r requirements/bench.txt
	@touch $@

$(LEARN)/.installed: requirements/learn.txt
	@test -x $(LEARN)/bin/python || $(PYTHON) -m venv $(LEARN)
	@$(LEARN)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/learn.txt
	@touch $@

$(SITE)/.installed: requirements/docs.txt
	@test -x $(SITE)/bin/python || $(PYTHON) -m venv $(SITE)
	@$(SITE)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/docs.txt
	@touch $@

# Only the package of Node.js itself needs its script, which copies the program.
$(SUITE)/.installed: tests/conformance/package.json
	@command -v npm >/dev/null || { echo "make conformance needs Node.js with npm: install them, and run it again" >&2; exit 1; }
	@mkdir -p $(SUITE) && cp tests/conformance/package.json $(SUITE)
	@cd $(SUITE) && npm install --ignore-scripts --no-package-lock --no-audit --no-fund --silent
	@cd $(SUITE) && npm rebuild node --silent >/dev/null
	@touch $@

help: ## Say what each verb does
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv from the hashed lock

check: $(STAMP) ## Format, lint, types, import contracts, generated files, house rules
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m sourcewright.cli.gen --check
	$(BIN)/python -m pytest $(WORKERS) tests/house

test: $(STAMP) chromium ## Run the tests; those of the house rules are in make check
	$(BIN)/python -m pytest $(WORKERS) --ignore tests/house

soak: $(STAMP) chromium ## Run every test with every kill and many more examples; takes an hour
	$(BIN)/python -m pytest $(WORKERS) --soak --timeout 1800

conformance: $(STAMP) $(SUITE)/.installed ## Run MCP's conformance suite and Inspector against the HTTP server
	@$(BIN)/python tests/conformance/run.py $(SUITE)

# The browser's suites need a Chromium; where none can be had they are skipped, and say so.
chromium:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v $$name >/dev/null && exit 0; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing Chromium by apt-get, for the tests of the browser"; \
		{ apt-get update -qq && apt-get install -qq --yes --no-install-recommends chromium; } >/dev/null 2>&1 \
		|| echo "Chromium could not be installed; the tests of the browser will be skipped"; \
	fi

picture: $(STAMP) chromium ## Take the picture of the dashboard in the guide again; takes minutes
	@$(BIN)/python tests/processes/dashboard_picture.py docs/guides/dashboard.png

gen: $(STAMP) ## Write the manifest, the reference pages and .env.example anew
	$(BIN)/python -m sourcewright.cli.gen

docs: $(SITE)/.installed ## Build the documentation site in dist/docs/site; a dead link is an error
	@$(SITE)/bin/python release/site.py dist/docs
	@cd dist/docs && $(CURDIR)/$(SITE)/bin/zensical build --strict --clean
	@$(SITE)/bin/python release/site.py dist/docs --finish

examples: $(STAMP) ## Call every tool for the page of examples anew
	@$(BIN)/python release/tool_examples.py

recording: $(STAMP) ## Record the commands of the README and its picture anew
	@$(BIN)/python release/recording.py

bundle: $(STAMP) ## Build dist/sourcewright.mcpb, which desktop clients install by a double click
	@rm -f dist/*.whl
	@$(BIN)/python -m hatchling build --target wheel >/dev/null
	@$(BIN)/python release/bundle.py dist/*.whl dist/sourcewright.mcpb

release-check: $(STAMP) ## Build wheel, sdist and bundle from a clean clone, and start each
	@$(BIN)/python release/release_check.py

demo: $(STAMP) ## Resolve four papers against the built-in world, without network or keys
	@$(BIN)/sourcewright demo

serve: $(STAMP) ## Speak MCP on stdin and stdout
	@$(BIN)/sourcewright serve

bench: $(STAMP) $(BENCH)/.installed ## Print ratios against named peers measured in the same run
	@$(BIN)/python bench/run.py --peer $(BENCH)/bin/python

learn: $(LEARN)/.installed ## Learn data/extraction.json anew from the pages beside the project
	@PYTHONPATH=src $(LEARN)/bin/python bench/learn_extraction.py

lock: ## Compile the locks anew (needs uv)
	uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url --universal --python-version 3.11 pyproject.toml -o requirements/run.txt
	uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url --universal --python-version 3.11 pyproject.toml --all-extras -c requirements/run.txt -o requirements/server.txt
	uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url --universal --python-version 3.11 pyproject.toml --group dev -o requirements/dev.txt
	uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url --universal --python-version 3.11 --group bench -o requirements/bench.txt
	uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url --universal --python-version 3.11 --group docs -o requirements/docs.txt
	uv pip compile --quiet --generate-hashes --no-header --no-emit-index-url --universal --python-version 3.11 pyproject.toml --group learn -c requirements/run.txt -o requirements/learn.txt
