# The course in five commands: `make lab` to learn, `make test` to check everything.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# JupyterLab asks nobody for news, updates or extensions; in a container, where everyone is root, it starts all the same
QUIET := --LabApp.news_url=None --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate --LabApp.extension_manager=readonly
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: lab test run write bench doctor lint lock latest clean setup

lab: $(READY)  ## set up, then open lesson 0 in JupyterLab
	$(BIN)/jupyter lab $(QUIET) $(AS_ROOT) --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb

test: $(READY)  ## set up, then run every test and every notebook
	$(BIN)/ruff check companion tests
	$(BIN)/ruff format --check companion tests
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadscope --nbval --nbval-cell-timeout 60 tests notebooks

run: $(READY)  ## execute all lessons headless and print a table
	$(BIN)/python -m companion run

write: $(READY)  ## execute all lessons and store their outputs (LESSON=4 for one)
	COMPANION_OFFLINE=1 $(BIN)/python -m companion run --write $(LESSON)

bench: $(READY)  ## measure the lab against a baseline of the same run
	$(BIN)/python tests/bench.py

doctor: $(READY)  ## check this machine
	$(BIN)/python -m companion doctor

lock: $(READY)  ## resolve requirements.lock again
	$(BIN)/uv pip compile --universal --group dev pyproject.toml -o requirements.lock --python-version 3.11 --upgrade

latest: $(READY)  ## the newest release of everything instead of the lock
	$(BIN)/uv pip install --upgrade --group dev -e .

setup: $(READY)

$(READY): pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	$(BIN)/python -m compileall -q companion
	touch $(READY)

clean:
	rm -rf $(VENV)
