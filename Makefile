# The commands of the README. Everything they need is installed into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev

.PHONY: room demo test test-long test-shared check site compiled dist program sbom lock clean

room: $(STAMP)
	$(BIN)/feltwire home $(ARGS)

demo: $(STAMP)
	$(BIN)/feltwire demo $(ARGS)

test: $(DEV_STAMP)
	bash tests/run.sh

# The shares of the long proofs; CI runs them behind `test`.
test-long: $(DEV_STAMP)
	bash tests/run.sh long

# What uses real hands from beside the project; CI runs it when the folder is there.
test-shared: $(DEV_STAMP)
	bash tests/run.sh shared

check: $(DEV_STAMP)
	bash tests/run.sh check

# The documents as pages, for `feltwire docs` and the wheel; a link that leads nowhere ends it.
site: $(DEV_STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# dist/: the wheel with the compiled hand engine for machines of this kind, tried before it is put there.
compiled: $(DEV_STAMP)
	$(BIN)/python -m tests.compiled

# dist/: sdist, plain wheel and the list of what a venue installs beside them.
dist: $(DEV_STAMP) sbom site
	$(BIN)/python -I -W ignore -c "from setuptools.build_meta import build_sdist; build_sdist('dist')"
	$(PIP) wheel -q --no-deps --no-build-isolation -w dist .
	rm -rf build feltwire.egg-info # its version would be taken for that of the program in this folder

# dist/feltwire-VERSION.pyz: program and libraries for a venue's machines, signed (docs/upgrade.md).
RELEASE_KEY ?= $(HOME)/.config/feltwire/release.key
program: $(DEV_STAMP) site
	rm -rf build/program && mkdir -p build/program dist
	$(PIP) wheel -q --no-deps --no-build-isolation -w build/program .
	cp build/program/*.whl dist/
	$(BIN)/feltwire program make --wheel dist/$$(basename build/program/*.whl) --key $(RELEASE_KEY) --out dist $(ARGS)
	rm -rf build feltwire.egg-info

# CycloneDX: each library of a venue with its version and the hashes of its files.
sbom: $(DEV_STAMP)
	mkdir -p dist
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible -o dist/feltwire.cdx.json requirements.lock

$(BIN)/python:
	umask 022; $(PYTHON) -m venv $(VENV) || { echo "python3 -m venv failed: apt-get install python3-venv" >&2; exit 2; }

# Only packages whose hashes are in the lock. The Makefile's own folder is no place to import from: -I.
PIP := umask 022 && $(BIN)/python -I -m pip --disable-pip-version-check
HASHED := install -qq --require-hashes -r

$(STAMP): pyproject.toml requirements-demo.lock | $(BIN)/python
	$(PIP) $(HASHED) requirements-demo.lock
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	touch $@

$(DEV_STAMP): $(STAMP) requirements-dev.lock
	$(PIP) $(HASHED) requirements-dev.lock
	touch $@

# The venue's packages, the demo's and the developers': each lock begins as the one before, so that all three agree.
# Hashes are of every file of a release, so the locks serve x86-64 and aarch64 alike. What builds Feltwire itself is in
# them, too: a machine of a venue builds it from a clone.
COMPILE := $(BIN)/pip-compile --quiet --build-deps-for wheel --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url \
	--no-emit-find-links --no-emit-trusted-host $(UPGRADE)

lock: $(DEV_STAMP)
	$(COMPILE) -o requirements.lock pyproject.toml
	cp requirements.lock requirements-demo.lock
	$(COMPILE) --extra demo -o requirements-demo.lock pyproject.toml
	cp requirements-demo.lock requirements-dev.lock
	$(COMPILE) --extra demo --extra dev -o requirements-dev.lock pyproject.toml

clean:
	rm -rf $(VENV) var build dist feltwire/site
