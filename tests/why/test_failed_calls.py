"""Calls that failed: the tool says so first, with how often, and the other tools do not."""

from __future__ import annotations

from functools import cache

import pytest

import turnwise as tw
from asked_stories import partner, played
from support.why_cases import Case, check
from turnwise.models.scripted import call


@cache
def rents() -> tw.SyncChat:
    """The search in the web fails in turn 1; another tool is used in turn 2. The tool `search` is never used."""
    looked, thought = call("web_search", query="rents in Lisbon"), call("think", thought="savings last a year")
    replies = (looked, "The search does not work now.", thought, "Well.")
    return partner(*replies, texts=("please research the rents", "and my money"))


CASES = [
    Case(
        "tool web_search",
        "web_search failed: OSError: no network",
        {"tool_failed": {"tool": "web_search"}, "counted": {"did": "failed", "count": 1, "turns": "in turn 1"}},
        turn=1,
    ),
    Case("tool web_search", "", {"tool_failed": {"tool": "web_search"}}),
    Case("tool search", "search was offered to the model", {"tool_never_used": {}}, ("tool_failed",)),
    Case("tool think", "think returned “savings last a year”", {}, ("tool_failed",)),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.question}-{case.turn or ''}" for case in CASES])
def test_a_failure_is_told_of_the_tool_that_failed(case: Case) -> None:
    check(rents(), case)


def test_a_use_by_the_program_does_not_hide_the_failure_before_it() -> None:
    chat = played["unsaved"]()
    assert chat.why("tool save_result", turn=1).line.startswith("save_result failed: OSError: no space is left")
    assert chat.why("tool save_result").fact("tool_used_by_host") is not None
