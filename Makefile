# Two commands for newcomers: `make tournament` and `make test`. Everything happens in .venv; nothing else is touched.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# The first tournament. Without BLOCKS=…, it has as many as take some two minutes at the speed that is measured first, 300
# at most (a minute on two idle cores, compiled) and 5 at least; once begun, it keeps its number.
# Agents have a thousand calls, a thirtieth of a decision by default, so that there are games enough for narrow intervals.
FIRST  := runs/first
PLAY   := $(BIN)/tag tournament love_letter --players 4 --agent random --agent osla \
	--agent rmhc:budget=1000 --agent rhea:budget=1000 --agent mcts:budget=1000 \
	--seed 1 --workers 2 --out $(FIRST)
SIZE   := import json, sys; plan = json.load(sys.stdin); print(max(5, min(300, int(200 / plan["games"] / plan["seconds_per_game"]))))
BLOCKS ?=
SOURCES := $(shell find tag games agents tournaments tuning cluster -name '*.py' -o -name '*.json' -o -name '*.toml' -o -name '*.jinja' -o -name '*.safetensors' -o -name '*.mplstyle' -o -path '*/static/*') setup.py pyproject.toml
# Tests run in one process more than there are cores, as they wait for what they start and kill. With another one they take
# longer: the cores are busy with Ray, browsers and writers, whose time (14 % of all) `time` does not see.
# Each takes a part of the list, and later a part of what another has left: tests of a file, which share fixtures, stay
# together, but none waits for a long file at the end. `make test PARALLEL=` runs them one by one.
PARALLEL ?= -n $(shell $(PYTHON) -c "import os; print(os.cpu_count() + 1)") --dist worksteal
# The tests of the sources hardly wait, and each process takes 7 CPU seconds to find them all.
CORES = $(if $(filter file,$(origin PARALLEL)),-n $(shell $(PYTHON) -c "import os; print(os.cpu_count())") --dist worksteal,$(PARALLEL))
# All suites run on the installed, compiled package, but for some that play nothing. From the checkout, interpreted, run these, the examples of all
# docstrings, and those of the engine: that both builds play the same is what the traces of all games and agents compare. `make slow` runs games and
# agents interpreted as well.
ON_BOTH := tests/tag/engine tests/tag/components tests/tag/playing tests/tag/test_calibration.py tests/tag/cli/test_cli.py \
	tests/games/test_layout.py tests/contract/mutants tests/contract/test_transcripts.py tests/golden tests/tournaments/driver/test_opened_once.py
INTERPRETED_SLOWLY := tests/games tests/agents tests/contract
PLAY_NOTHING := tests/tournaments/statistics tests/tuning/samplers tests/docs/test_design_pictures.py
# Of each dependency, tests that call most of what is used of it.
ON_LOWEST := tests/tag/adapters tests/tag/cli/test_first_contact.py tests/tournaments/designs/rounds/test_swiss.py tests/tournaments/ledger \
	tests/tournaments/reports tests/tournaments/tracking/test_writer.py tests/tournaments/web/live/test_live_pages.py tests/cluster/test_workers.py \
	tests/tuning/reports tests/tuning/tracking
MARKED := not slow
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Python's compiled files are kept, whatever the environment says: tests start thousands of processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help tournament tune-heuristics learn wheel links test check lint types imports sources installed docs design screenshots bench budgets bench-tuning lowest slow clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

tournament: $(VENV)/.installed ## set up, and play a Love Letter tournament between the five agents
	@if [ -z "$(BLOCKS)" ] && [ -e $(FIRST)/tournament.json ]; then $(BIN)/tag tournament $(FIRST) --workers 2; else \
		blocks=$(BLOCKS); \
		[ -n "$$blocks" ] || blocks=$$($(PLAY) --blocks 1 --dry-run --json | $(BIN)/python -c '$(SIZE)') || exit; \
		echo "$(PLAY) --blocks $$blocks"; \
		$(PLAY) --blocks $$blocks; \
	fi

# The studies are examples/heuristics/*.toml; docs/reference/tuned_weights.md has what they found.
tune-heuristics: $(VENV)/.installed ## tune the weights of a game's heuristic again: make tune-heuristics GAME=dominion
	$(BIN)/tag tune examples/heuristics/$(GAME).toml --workers 2 --out runs/heuristics/$(GAME)

# The trainings are examples/learning/values/*.toml; docs/reference/learned_values.md has what their values are worth.
learn: $(VENV)/.installed ## learn the values that come with a game again, and compare them: make learn GAME=colt_express
	$(BIN)/python -P examples/learning/ship_values.py $(GAME) --out runs/learned

# It is built as a release is, and fails where there is no C compiler. Both share the object files of unchanged modules.
wheel: $(VENV)/bin/python ## build a compiled wheel into dist/, for machines of the same system and Python
	@rm -rf build/lib* build/bdist*
	@TAG_COMPILE=1 $(BIN)/python -m pip wheel --no-deps --wheel-dir dist . $(QUIETLY)
	@ls dist/*.whl

# Git makes them, but where it is told not to, and in archives, they are text files.
links: ## make the links of tag/ to the folders beside it again
	@for name in agents cluster games tournaments tuning; do rm -rf tag/$$name && ln -s ../$$name tag/$$name; done

# What fails while several processes test side by side is run once more, alone: only what fails again fails the run. Both
# are shown. $(1) is a name for what pytest remembers of the run, $(2) what it is called with, $(3) its options for several.
define pytest
	mkdir -p build
	$(2) -o cache_dir=$(CURDIR)/build/tests-$(1) $(3) || { [ $$? -eq 1 ] && echo "what failed is run once more, alone" && \
		$(2) -o cache_dir=$(CURDIR)/build/tests-$(1) --last-failed --last-failed-no-failures none --maxfail 1; }
endef

# Checks use one core: they run beside the tests of the sources, which do not wait for clocks. Of what `check` does, the
# strict build of the documentation is one of the tests.
test: $(VENV)/.dev ## set up, and run every check and test
	$(MAKE) -j 2 lint imports build/.collected types sources
	$(MAKE) installed

# pytest rewrites the assertions of changed tests, which takes a process twice as long as finding all tests. The processes
# of a suite begin at once, and would each do all of it.
build/.collected: $(VENV)/.dev $(shell find tests -name '*.py')
	@mkdir -p build
	@cd build && ../$(BIN)/python -P -m pytest -qq -c ../pyproject.toml --rootdir=.. -p no:cacheprovider --collect-only \
		$(PLAY_NOTHING:%=--ignore=../%) ../tests > collected.txt || { cat collected.txt; exit 1; }
	@touch $@

sources: $(VENV)/.dev ## the tests of what plays, on the sources, interpreted
	$(call pytest,sources,$(BIN)/python -m pytest -q -m "not slow and not heavy" tag $(ON_BOTH) $(PLAY_NOTHING),$(CORES))

installed: $(VENV)/.dev ## all tests but those that play nothing, on the installed package, compiled where there is a C compiler
	@$(BIN)/tag version | grep -qw compiled || echo "no C compiler was found, so what follows runs interpreted, several times as long"
	$(call pytest,installed,cd $(CURDIR)/build && ../$(BIN)/python -P -m pytest -q -c ../pyproject.toml --rootdir=.. \
		-m "$(MARKED)" $(PLAY_NOTHING:%=--ignore=../%) ../tests,$(PARALLEL))

lowest: build/lowest/.installed ## the tests that use each dependency, with the oldest versions that pyproject.toml allows, from the sources
	$(call pytest,lowest,build/lowest/bin/python -m pytest -q -o filterwarnings=default --disable-warnings -m "$(MARKED)" $(ON_LOWEST),$(PARALLEL))

slow: $(VENV)/.dev ## the long checks, one by one, before a release
	$(BIN)/python -m pytest -q -m "slow and not heavy" --ignore tests/compiled
	$(BIN)/python -m pytest -q $(PARALLEL) -m "not slow and not heavy" $(INTERPRETED_SLOWLY)
	$(MAKE) installed MARKED=slow PARALLEL=

check: lint types imports docs ## lint, types, import directions, docs

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

docs: $(VENV)/.dev ## build the documentation strictly into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

design: $(VENV)/.dev ## draw the pictures of docs/design.md from the imports
	PYTHONPATH=. $(BIN)/python tests/docs/draw_design.py docs

screenshots: $(VENV)/.dev ## photograph the table of every game and the live pages for the documentation, with Chromium
	PYTHONPATH=tests/helpers:. $(BIN)/python tests/tournaments/web/tables/screenshots.py docs/pictures
	PYTHONPATH=tests/helpers:. $(BIN)/python tests/tournaments/web/live/live_screenshots.py docs/pictures

bench: $(VENV)/.dev ## measure rates per CPU second, compiled and interpreted; the figures are kept in benchmarks/history/
	cd build && ../$(BIN)/python -P ../benchmarks/run.py
	$(BIN)/python benchmarks/run.py

# Not on every machine: games are the same on all of them only with the same file.
budgets: $(VENV)/.installed ## measure the default budgets of agents again, and write games/budgets.toml: make budgets GAMES=hex
	cd build && ../$(BIN)/python -P ../benchmarks/budgets.py $(GAMES)

bench-tuning: $(VENV)/.dev ## measure samplers on made-up landscapes: what they recommend after so many games
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/samplers.py

# --- set-up -------------------------------------------------------------------------------------------------------------
# The package is installed as a user would have it: compiled where there is a C compiler, and not editable. Tests run from
# the checkout, where `python -m pytest` finds the sources first; `python -P` outside of it finds the installed package.

# pip's dozens of warnings would hide the line that matters; they are kept, and shown where it fails.
PIP     := $(BIN)/python -m pip install
QUIETLY := > $(VENV)/pip.log 2>&1 || { cat $(VENV)/pip.log; exit 1; }

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python $(SOURCES)
	@echo "setting up $(VENV): downloading what is needed and compiling, which takes some minutes"
	@rm -rf build/lib* build/bdist*
	@$(PIP) . $(QUIETLY)
	@$(BIN)/tag version
	@$(BIN)/tag version | grep -qw compiled || echo "no C compiler was found, so it is slower; with one: make clean tournament"
	@touch $@

build/lowest/.installed: $(VENV)/.dev pyproject.toml
	$(PYTHON) -m venv build/lowest
	@$(BIN)/python tests/helpers/lowest_versions.py > build/lowest.txt
	@build/lowest/bin/python -m pip install -r build/lowest.txt pytest pytest-timeout pytest-xdist hypothesis $(QUIETLY)
	@touch $@

# The package is there already, so this adds the tools of its extra `dev` and builds nothing.
$(VENV)/.dev: $(VENV)/.installed
	@$(PIP) "tag-games[dev]" $(QUIETLY)
	@touch $@

clean: ## remove all that was built
	rm -rf $(VENV) build dist *.egg-info
