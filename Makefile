# Everything works on a fresh clone; see `make help`.
.DEFAULT_GOAL := help
.PHONY: help setup demo studio types browser test quick check bench capacity rivals page soak requirements lock rewrite format clean

# What starts before tests/conftest.py is read would be compiled again by each worker.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
READY := .venv/.ready
SLOW := authoring benchmarks check cli deploy docs durability editor examples properties providers scopes server stores studio testing \
  core/test_needs.py laws/test_form_properties.py test_package.py test_wheel.py

help: ## show what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(READY): requirements.lock pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh

setup: $(READY) ## make the environment

demo: studio ## set up, then open a page with the examples: offline, no key, no account (NAME=health_intake)
	@trap : INT; $(BIN)/turnwise demo $(NAME) --browser || [ $$? -eq 130 ]

studio: $(READY) ## build the page of the server, where its sources have changed
	@$(BIN)/python scripts/build_studio.py

types: $(READY) ## write the TypeScript types of the studio from the server's OpenAPI document
	@$(BIN)/python scripts/studio_types.py

browser:
	@[ "$(TURNWISE_BROWSER)" = skip ] || sh scripts/browser.sh >/dev/null

test: check browser ## everything: style, types, layers, all tests
	$(BIN)/pytest -n auto --dist worksteal $(if $(filter skip,$(TURNWISE_BROWSER)),--ignore=tests/studio)

quick: $(READY) ## the tests of core, laws, flows and runner, in less than a minute
	$(BIN)/pytest -n auto --dist worksteal $(SLOW:%=--ignore=tests/%)

check: $(READY) ## style, types, layers, sizes, generated files
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-cache
	$(BIN)/python scripts/sizes.py
	$(BIN)/python scripts/reference.py --check
	$(BIN)/python scripts/studio_types.py --check
	@$(BIN)/basedpyright --level error & types=$$!; \
		$(BIN)/python scripts/build_studio.py --check; page=$$?; \
		wait $$types && exit $$page

bench: $(READY) ## the figures, with rivals in the same run
	$(BIN)/python benchmarks/questions.py
	$(BIN)/python benchmarks/page.py
	$(BIN)/python benchmarks/figures.py --out .bench/figures.jsonl
	$(BIN)/python benchmarks/on_postgres.py

capacity: $(READY) ## what 10,000, 100,000 and a million parked conversations cost on PostgreSQL; fills docs/capacity.md
	$(BIN)/python benchmarks/capacity.py --page docs/capacity.md

rivals: $(READY) ## the tables of docs/benchmarks.md: every rival that can be installed
	$(BIN)/python benchmarks/run.py --out .bench/rivals.jsonl --stores none memory sqlite \
		--works versions w1 form w3 form3 w4 compile w5 w2s

page: $(READY) ## measure everything anew, and fill docs/benchmarks.md: on a machine that does nothing else
	rm -f .bench/figures.jsonl .bench/rivals.jsonl
	-$(MAKE) bench
	$(MAKE) rivals
	version=$$($(BIN)/python -c "import turnwise; print(turnwise.__version__)"); \
		$(BIN)/python benchmarks/report.py --page docs/benchmarks.md --keep benchmarks/results-$$version.jsonl \
		.bench/figures.jsonl .bench/rivals.jsonl

soak: $(READY) ## the full counts: properties, mutants; takes long
	sh scripts/soak.sh

requirements: $(READY) ## the rows of the requirements that no passing test shows, by what they wait for
	$(BIN)/python tests/plugins/requirements.py

lock: $(READY) ## resolve the packages anew
	sh scripts/lock.sh

rewrite: $(READY) ## write what comes out into all expectations, for review with git diff
	TURNWISE_REWRITE=1 $(BIN)/pytest -q tests
	$(BIN)/turnwise test --rewrite tests/transcripts examples

format: $(READY) ## format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## remove what was made
	rm -rf .venv .uv .bench .report .hypothesis .pytest_cache .ruff_cache dist studio/node_modules src/turnwise/server/static
