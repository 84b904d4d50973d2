# Each target works alone, as the first command in a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH_VENV := .bench-venv
KILLS := $(addprefix tests/,$(addprefix e2e/test_,killed.py build_killed.py slots_killed.py spec_killed.py) integration/fix/test_fix_killed.py integration/store/test_processes.py)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check conformance chaos kills e2e bench simulate lock golden clean system

# One stamp file: the environment is rebuilt when the lock or the project file changes.
$(VENV)/.ready: requirements.lock pyproject.toml
	@$(PYTHON) scripts/check_python.py
	@echo "setting up $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --no-deps --no-build-isolation -e .
	@touch $@

demo: $(VENV)/.ready system
	@$(BIN)/python scripts/demo.py

# Four on two cores: many tests wait for a process or a disk more than they compute.
# What each of them would compile for itself is compiled once before, beside the checks.
test: $(VENV)/.ready system
	@$(BIN)/python -m pytest -qq --collect-only >/dev/null 2>&1 & \
	$(MAKE) --no-print-directory check; checked=$$?; wait; exit $$checked
	@$(BIN)/python -m pytest -q -n 4 --dist worksteal --ignore=tests/test_architecture.py $(PYTEST_ARGS)

check: $(VENV)/.ready
	@$(BIN)/ruff format --check -q .
	@$(BIN)/ruff check -q .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/test_architecture.py

conformance: $(VENV)/.ready
	@$(BIN)/python scripts/conformance.py --run

# Every fault and attack in full, with the table of docs/chaos.md; takes long.
chaos: $(VENV)/.ready
	@$(BIN)/python -m chaos --write

# A kill at every single side effect, of which `make test` takes some; takes long.
kills: $(VENV)/.ready
	@BURNISH_ALL_POINTS=1 $(BIN)/python -m pytest -q -n 4 --dist worksteal --timeout=7200 $(KILLS)

# The real agent CLIs (got by npm or pip, about 800 MB) against a scripted model, into docs/agents.md; a quarter of an hour.
e2e: $(VENV)/.ready
	@$(BIN)/python scripts/get_agents.py || true
	@$(BIN)/python -m e2e.mcp_host
	@$(BIN)/python -m e2e --write $(E2E_ARGS)

# The peer that the loop is measured beside lives in an environment of its own: the product does not need it.
$(BENCH_VENV)/.ready: bench/requirements.txt
	@echo "setting up $(BENCH_VENV) (once)"
	@$(PYTHON) -m venv $(BENCH_VENV)
	@$(BENCH_VENV)/bin/python -m pip install -qq --require-hashes -r bench/requirements.txt
	@touch $@

# Ratios beside a frozen shell script and LangGraph, into docs/benchmarks.md; about a quarter of an hour.
bench: $(VENV)/.ready $(BENCH_VENV)/.ready
	@$(BIN)/python -m bench --write $(BENCH_ARGS)

# Every policy against simulated reviewers and fixers, into docs/benchmarks.md; seeded, a few minutes.
simulate: $(VENV)/.ready
	@$(BIN)/python -m bench simulate --write

golden: $(VENV)/.ready
	@UPDATE_GOLDEN=1 $(BIN)/python -m pytest -q tests/unit/test_prompts.py tests/unit/test_loop_prompts.py tests/unit/workflows/test_fix_prompts.py tests/unit/workflows/test_view_prompts.py tests/unit/app/test_conflict_prompt.py

# The sandbox (bubblewrap): installed by root where apt is, else explained in one line.
system:
	@sh scripts/system_packages.sh

# Needs a connection to a package registry; pins every version with hashes and names no registry.
lock:
	@$(BIN)/python scripts/lock.py

clean:
	rm -rf $(VENV) $(BENCH_VENV) .agents-cache .mypy_cache .ruff_cache .hypothesis
