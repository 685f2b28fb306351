#!/bin/sh
# The full counts: properties on thousands of examples, processes that are killed, and every mutant. Keeps what it printed.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .report
log=.report/soak.log
: >"$log"

run() {
    printf '\n== %s\n' "$*" | tee -a "$log"
    if ! "$@" >>"$log" 2>&1; then
        tail -n 60 "$log"
        exit 1
    fi
    tail -n 40 "$log"
}

TURNWISE_SOAK=1 run .venv/bin/pytest -n auto -q tests/properties tests/core tests/flow tests/authoring tests/laws tests/check \
  tests/providers tests/server tests/seeds
TURNWISE_SOAK=1 run .venv/bin/pytest -q -s tests/durability
run .venv/bin/python tests/mutants/run.py --jobs 2
printf '\nthe whole log: %s\n' "$log"
