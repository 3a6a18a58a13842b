# The two commands of the README. Everything they need is installed into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
LOCK := requirements.lock

.PHONY: demo test test-shared check lock clean

demo: $(STAMP)
	$(BIN)/feltwire demo $(ARGS)

test: $(DEV_STAMP)
	bash tests/run.sh

# What uses real hands from beside the project; CI runs it when the folder is there.
test-shared: $(DEV_STAMP)
	bash tests/run.sh shared

check: $(DEV_STAMP)
	bash tests/run.sh check

$(BIN)/python:
	$(PYTHON) -m venv $(VENV) || { echo "python3 -m venv failed: apt-get install python3-venv" >&2; exit 2; }

$(STAMP): pyproject.toml $(LOCK) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "setuptools>=69"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r $(LOCK)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(DEV_STAMP): $(STAMP) requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	touch $@

lock: | $(BIN)/python
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-find-links --extra demo --extra provision -o $(LOCK) pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-find-links --extra demo --extra provision --extra dev -o requirements-dev.lock pyproject.toml

clean:
	rm -rf $(VENV) var
