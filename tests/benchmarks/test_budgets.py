"""Turns spend no more than their budgets: a loss of speed fails when it is made, on any machine, however busy."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BUDGETS = HERE / "budgets.toml"
HEADER = """\
# What ten turns of a conversation spend; `spending.py` measures it, `test_budgets.py` compares. By work: `form` (an option
# answers each question), `tool` (a model calls a tool and replies), `http` (the form over HTTP). By figure: `calls` of our
# functions, `commits`, `bytes` of entries and states, `kept` blocks of memory, and the `peak` of memory in bytes.
# `why` is the first answer about a field in a process, with all that it imports, and the same one asked again.
# `items` is what turns write that change an item of a list that guards read, with 2 items and with 200: `entries` alone, and
# `packed` with the states as an SQLite file has them.
# Rewrite it with: TURNWISE_REWRITE=1 .venv/bin/pytest tests/benchmarks/test_budgets.py
"""
MOST_RAISED, MOST_FALLEN = 0.03, 0.10
REWRITE = "TURNWISE_REWRITE=1 .venv/bin/pytest tests/benchmarks/test_budgets.py"


def verdict(spent: int, budget: int) -> str:
    """Return what is to be done about a figure; empty if it keeps to its budget."""
    change = spent / budget - 1
    if change > MOST_RAISED:
        return f"{spent:,} against {budget:,} ({change:+.1%}). Find what costs it; if it is worth it, run `{REWRITE}` and say why in the commit"
    if change < -MOST_FALLEN:
        return f"{spent:,} against {budget:,} ({change:+.1%}). Well done: run `{REWRITE}`, so that it stays so"
    return ""


def budgets() -> dict[str, dict[str, int]]:
    return tomllib.loads(BUDGETS.read_text("utf-8"))


@pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="later versions of Python call no function for a comprehension"
)
def test_turns_keep_to_their_budgets():
    done = subprocess.run(
        [sys.executable, str(HERE / "spending.py")],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    spent = json.loads(done.stdout)
    if os.environ.get("TURNWISE_REWRITE") == "1":
        parts = ["".join([f"{name} = {value}\n" for name, value in found.items()]) for found in spent.values()]
        BUDGETS.write_text(HEADER + "".join([f"\n[{work}]\n{part}" for work, part in zip(spent, parts, strict=True)]))
    known = budgets()
    assert {work: set(found) for work, found in known.items()} == {work: set(found) for work, found in spent.items()}
    verdicts = {
        f"{work}.{name}": verdict(value, known[work][name])
        for work, found in spent.items()
        for name, value in found.items()
    }
    assert not {name: words for name, words in verdicts.items() if words}


def test_a_turn_writes_no_more_entries_with_a_long_list():
    """A decision names the list that it read, and an event has the item that changed (issue 27: at most 1.5)."""
    items = budgets()["items"]
    assert items["entries_200"] <= 1.1 * items["entries_2"]
    assert items["packed_200"] <= 1.5 * items["packed_2"]


@pytest.mark.parametrize(
    ("spent", "expected"), [(1029, ""), (1031, "say why in the commit"), (901, ""), (899, "so that it stays so")]
)
def test_a_raise_needs_a_reason_and_a_fall_a_lower_budget(spent, expected):
    assert expected in verdict(spent, 1000)
    assert bool(verdict(spent, 1000)) == bool(expected)
