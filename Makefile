# Every target is complete on a fresh clone: it needs python3 (>= 3.11), pip and a C++ compiler, nothing else.
# A second call does only what changed since.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := pyproject.toml $(wildcard CMakeLists.txt README.md LICENSE) \
	$(shell find src -type f -not -name '*.pyc' -not -name '*.so')
DIGITS := examples/digits

.PHONY: demo test test-all test-recipes test-torch test-spark docs docs-serve test-docs bench bench-growth bench-rooms coverage release-check api-check lint prose style format types public-types layers native clean
.DELETE_ON_ERROR:

demo: $(VENV)/installed
	@$(BIN)/precall about | grep '^kernel'
	@echo "Three systems that search digits, compared by five measures:"
	$(BIN)/precall eval $(DIGITS)/digits.qrels $(DIGITS)/*.run -m AP -m P@10 -m RR -m Rprec -m nDCG@10

# What is exhaustive is marked `nightly`, and is of `make test-all` only.
test: $(VENV)/installed $(VENV)/group-test
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not nightly" $(TESTS)

test-all: $(VENV)/installed $(VENV)/group-test
	$(BIN)/python -m pytest -q -n auto --dist worksteal $(TESTS)

# Runs docs/how-to/recipes.md: in a venv of its own, as the tools (torch among them) are some gigabytes.
test-recipes:
	$(MAKE) VENV=.venv-recipes .venv-recipes/installed .venv-recipes/group-recipes
	.venv-recipes/bin/python -m pytest -q tests/recipes

# Metrics for training loops; PyTorch is large, so that `make test` skips them where it is not installed.
# PyPI's for Linux brings 3 GB of CUDA; the build for processors is of 200 MB, from an index that pip is told of if it answers.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
INDEX_torch = $(shell $(PYTHON) -c 'from urllib.request import urlopen; urlopen("$(TORCH_INDEX)/torch/", timeout=5); \
	print("--extra-index-url $(TORCH_INDEX)")' 2> /dev/null)
INDEX_recipes = $(INDEX_torch)
test-torch: $(VENV)/installed $(VENV)/group-test $(VENV)/group-torch
	$(BIN)/python -m pytest -q -rs tests/training

# On a cluster within this machine; needs Java 17, and says so where there is none.
test-spark: $(VENV)/installed $(VENV)/group-test $(VENV)/group-spark
	$(BIN)/python -m pytest -q -rs tests/spark

# The site, in build/docs: warnings are errors, and nothing is asked of the network.
docs: $(VENV)/installed $(VENV)/group-docs
	$(BIN)/python -m sphinx -W --keep-going -q -b html -d build/doctrees docs build/docs
	@echo "The site: build/docs/index.html"

docs-serve: docs
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/docs 8000

# Of the built site: links, search, every public name, and how it looks to axe.
test-docs: docs $(VENV)/group-test $(VENV)/group-browser
	PRECALL_SITE=build/docs $(BIN)/python -m pytest -q -rs tests/site tests/install/test_readme.py

# Prints what is hard to read in docs, help and notes; fails nothing.
prose: $(VENV)/installed $(VENV)/group-test
	$(BIN)/python -m tests.prose

# `make -k lint` goes on past the first that fails.
lint: style format types public-types layers
style format types public-types layers: $(VENV)/installed $(VENV)/group-test $(VENV)/group-lint

style:
	$(BIN)/ruff check --output-format concise .

format:
	$(BIN)/ruff format --check --quiet --output-format concise .

types:
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/core/test_typed_options.py

public-types:
	$(BIN)/pyright
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/install/test_types_of_public_names.py

layers:
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/install/test_contract_of_rooms.py

# What a release needs, and what of it is missing; in a venv of its own, as its tools are many. DIST keeps what is built,
# WITHOUT='--without NAME' leaves a check out.
release-check: .venv-release/ready
	.venv-release/bin/python -m tests.release.check $(DIST) $(WITHOUT)

# Public names that were lost or changed since the last tag.
api-check: .venv-release/ready
	.venv-release/bin/python -m tests.release.api

.venv-release/ready: pyproject.toml
	$(MAKE) VENV=.venv-release .venv-release/group-release
	touch $@

# An hour or so on two processors: coverage of every interval (docs/why/coverage.md), size and power of every test.
coverage: $(VENV)/installed $(VENV)/group-test
	$(BIN)/python -m tests.coverage.full
	$(BIN)/python -m tests.coverage.sizes
	$(BIN)/python docs/pictures.py

# In a venv of its own: the other tools may want older versions of what precall wants.
bench:
	$(MAKE) VENV=.venv-bench .venv-bench/installed .venv-bench/group-bench
	.venv-bench/bin/python bench/all.py $(BENCH)

# Ten minutes or so: how time and memory of every public function and command grow with size.
bench-growth: $(VENV)/installed $(VENV)/group-test
	$(BIN)/python bench/growth.py $(BENCH)

# Twenty minutes or so: calls that were slow, in turns with the version in the folder AGAINST, where one is named:
# `pip install --no-deps --target FOLDER git+file://$$PWD@REVISION`.
bench-rooms: $(VENV)/installed $(VENV)/group-test
	$(BIN)/python bench/rooms.py $(if $(AGAINST),--against $(AGAINST)) $(BENCH)

# As `make demo` installs, but a kernel that cannot be built is an error.
native:
	rm -f $(VENV)/installed
	PRECALL_REQUIRE_KERNEL=1 $(MAKE) $(VENV)/installed
	PRECALL_KERNEL=native $(BIN)/precall about

clean:
	rm -rf $(VENV) \
		.venv-bench .venv-recipes .venv-release build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# pip >= 25.1 knows dependency groups.
$(VENV)/created:
	@echo "Making a virtual environment in $(VENV) ..."
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade 'pip>=25.1'
	touch $@

# Not editable: what is tested is what is installed.
$(VENV)/installed: $(VENV)/created $(SOURCES)
	@echo "Installing precall and compiling its kernel, about a minute ..."
	$(PIP) install .
	touch $@

$(VENV)/group-%: pyproject.toml | $(VENV)/created
	@echo "Installing the packages of the group $* ..."
	$(PIP) install $(INDEX_$*) --group $*
	touch $@
