"""Law 4.5: a process that ends in the middle of an effect. What becomes of it is the policy that the tool declares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.shell import start_with_streams

DOUBT = "it is not known whether this was done: the process ended in the middle"
LIVES: list[tuple[str, list[str], dict[str, Any]]] = [
    ("again", ["run", "run"], {"result": "booked today"}),
    ("check, done", ["run", "checked today"], {"result": "was booked today"}),
    ("check, not done", ["run", "checked today", "run"], {"result": "booked today"}),
    (
        "check, broken",
        ["run", "checked today"],
        {"reason": f"{DOUBT}, and its check failed: OSError: the bank is closed", "in_doubt": True},
    ),
    ("unknown", ["run"], {"reason": DOUBT, "in_doubt": True}),
]


def life(*arguments: str) -> tuple[int, bytes, bytes]:
    """Live once; return the exit code and what was printed on both outputs."""
    return start_with_streams(*arguments, program="support.crashing_tool").close()


@pytest.mark.law("4.5")
@pytest.mark.parametrize(("policy", "done", "outcome"), LIVES, ids=[one[0] for one in LIVES])
def test_after_a_crash_an_effect_goes_by_its_policy(
    policy: str, done: list[str], outcome: dict[str, Any], tmp_path: Path
) -> None:
    store, notes = f"sqlite:///{tmp_path}/talk.db", tmp_path / "notes.txt"
    assert life(store, str(notes), policy)[0] == 9
    code, printed, errors = life(store, str(notes), policy)
    assert code == 0, errors
    told = [json.loads(line) for line in printed.splitlines()]
    assert told == [outcome, {"text": "Done."}]
    written = [line.rpartition(" ") for line in notes.read_text().splitlines()]
    assert [what for what, _, _ in written] == done
    assert {key for _, _, key in written} == {"main/1.2"}
