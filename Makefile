# Two commands matter: `make run` starts the table server on the demo battle, `make test` checks everything.
# Both need Python 3.11 or newer and nothing else; they keep what they install in .venv. Where node is on the machine,
# `make test` reads the scripts and styles too, with tools that it keeps in node_modules.

VENV   := .venv
BIN    := $(VENV)/bin
# The newest Python on the machine that is new enough; `make run PYTHON=/path/to/python` overrides it.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	command -v $$python >/dev/null 2>&1 && $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$python; break; }; done)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Everything is installed by its lock, which knows each file by its hash; then the program itself, with what is there.
INSTALL_OURSELVES := $(PIP_INSTALL) --no-deps --no-build-isolation --editable .

.PHONY: run test check check-page dist bundle docs screenshots bench soak lock chromium clean

run: $(VENV)/.installed-run
	$(BIN)/dreyer serve --demo

# Two workers fill two cores: threads of their own would only get in each other's way.
test: export OPENBLAS_NUM_THREADS = 1
# Many tests start the program: it is compiled once and kept, whatever the machine's habit.
test: export PYTHONDONTWRITEBYTECODE =
test: check chromium
	@if command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; then \
		$(BIN)/python -m pytest -n 2 --dist worksteal; \
	else \
		echo "No chromium on this machine and none could be installed: the browser tests are left out."; \
		$(BIN)/python -m pytest -n 2 --dist worksteal -m "not browser and not soak"; \
	fi

# Everything that reads the code without running it.
check: check-page $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint web/templates --check --lint --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports

# The page's scripts and styles. Node is for these tools only: the program runs without it.
check-page:
	@if ! command -v npm >/dev/null 2>&1; then \
		echo "No node and npm on this machine: formatting, lint and types of the scripts and styles are left out."; \
	elif ! node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)'; then \
		echo "Node is older than 20.19: formatting, lint and types of the scripts and styles are left out."; \
	elif ! $(MAKE) --silent node_modules/.installed; then \
		echo "npm could not install the tools (is a package registry within reach?): formatting, lint and types of the scripts and styles are left out."; \
	else \
		npm run --silent format:check && npm run --silent lint && npm run --silent types; \
	fi

# Packages for a release: built, then tried in a new environment as a user would install them.
dist: $(VENV)/.installed-release
	$(BIN)/python -m release.distribution
	$(BIN)/python -m release.check_distribution

# A folder with the program and everything that it needs, for machines without Python; made for this system.
bundle: $(VENV)/.installed-release
	$(BIN)/python -m release.bundle

# The documentation as a site in build/site. It loads nothing from elsewhere; its search needs a web server.
docs: $(VENV)/.installed-release
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --config-file release/mkdocs.yml
	@echo "The site is in build/site: open build/site/index.html"

# The pictures of the manual, made from the running product in chromium.
screenshots: $(VENV)/.installed-dev chromium
	$(BIN)/python -m release.screenshots

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks

# The long runs: the pages on all screens, in both themes; hundreds of battles played to the end,
# every fire with guns held back, a million fires against their exact odds, a hundred power cuts
# under load, forty phones with a rogue among them.
soak: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal -m soak
	$(BIN)/python -m benchmarks.soak
	$(BIN)/python -m benchmarks.held_back
	$(BIN)/python -m benchmarks.million
	$(BIN)/python -m benchmarks.powercut
	$(BIN)/python -m benchmarks.crowd

# Writes the exact versions and hashes of everything, for every system, into the files that all installs obey:
# what the program needs, that with the test tools, and that with the tools for releases.
LOCK = $(BIN)/uv pip compile --quiet --universal --no-emit-index-url --no-header --generate-hashes --group build
lock: $(VENV)/.installed-dev
	$(LOCK) --upgrade --output-file requirements.lock pyproject.toml
	$(LOCK) --upgrade --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	$(LOCK) --upgrade --extra dev --extra docs --extra release --constraint requirements-dev.lock --output-file requirements-release.lock pyproject.toml

clean:
	rm -rf $(VENV) node_modules

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Dreyer Table needs Python 3.11 or newer; install it, or say PYTHON=/path/to/python."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "Python could not make a virtual environment; on Debian and Ubuntu: apt install python3-venv."; exit 1; }

$(VENV)/.installed-run: pyproject.toml requirements.lock | $(VENV)/bin/python
	@echo "Installing Dreyer Table into $(VENV) (a minute, the first time) ..."
	@$(PIP_INSTALL) --require-hashes --requirement requirements.lock
	@$(INSTALL_OURSELVES)
	@touch $@

$(VENV)/.installed-dev: pyproject.toml requirements-dev.lock | $(VENV)/bin/python
	@echo "Installing Dreyer Table and its test tools into $(VENV) (a minute, the first time) ..."
	@$(PIP_INSTALL) --require-hashes --requirement requirements-dev.lock
	@$(INSTALL_OURSELVES)
	@touch $@ $(VENV)/.installed-run

$(VENV)/.installed-release: pyproject.toml requirements-release.lock | $(VENV)/bin/python
	@echo "Installing Dreyer Table and the tools for releases into $(VENV) (two minutes, the first time) ..."
	@$(PIP_INSTALL) --require-hashes --requirement requirements-release.lock
	@$(INSTALL_OURSELVES)
	@touch $@ $(VENV)/.installed-dev $(VENV)/.installed-run

node_modules/.installed: package.json package-lock.json .npmrc
	@echo "Installing the tools for scripts and styles into node_modules ..."
	@npm ci --silent --no-audit --no-fund --fetch-retries=1 --fetch-timeout=20000
	@touch $@

# The browser tests drive Debian's chromium; where apt cannot install it they are left out, loudly.
chromium:
	@command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || { \
		command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ] && { \
			echo "Installing chromium for the browser tests ..."; \
			apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; } || true; }
