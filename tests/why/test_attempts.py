"""The journal keeps every attempt of a call that was repeated, and a question of why tells it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, flow_of
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_entry, encode_entry
from turnwise.core.state.commands import Set
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import ScriptedModel, call, understood_reply
from turnwise.runner.clocks import ManualClock

FLOW = """
flow: f
start: a
records: {user: {pin: {type: string, secret: true}, name: string}}
tools:
  look: {about: look it up, args: {what: string}, retry: {times: 2}}
nodes:
  a: {prompt: Talk., retry: {times: 2}, tools: {allow: [look]}}
"""


def failing(times: int, clock: ManualClock, words: str = "gone") -> Callable[[str], str]:
    """A tool that fails so often, each time after one second."""
    left = [times]

    def look(what: str) -> str:
        clock.move_s(1)
        if left[0]:
            left[0] -= 1
            raise RuntimeError(f"{words} {what}")
        return "found"

    return look


def chat_of(plan: list[Any], times: int = 0, words: str = "gone", *, understands: bool = False) -> tw.SyncChat:
    clock = ManualClock(NOON_MS)
    model = ScriptedModel(plan, understands=understands)
    return tw.open_sync(flow_of(FLOW), model=model, tools=[failing(times, clock, words)], clock=clock).chat("main")


def attempts(chat: tw.SyncChat, kind: type[Any]) -> tuple[e.Attempt, ...]:
    return next(one.event.attempts for one in chat.journal() if isinstance(one.event, kind))


def test_a_repeated_call_has_its_attempts_with_errors_and_times() -> None:
    chat = chat_of([call("look", what="x"), "Fine."], times=2)
    chat.say("go")
    found = attempts(chat, e.ToolReturned)
    assert [(one.reason, one.at_ms - NOON_MS, one.ms) for one in found] == [
        ("RuntimeError: gone x", 0, 1000),
        ("RuntimeError: gone x", 1000, 1000),
    ]
    assert all("test_attempts.py" in one.at for one in found)
    assert [fact.text.partition(" (")[0] for fact in chat.why("look").facts if fact.kind == "attempt_failed"] == [
        "attempt 1 of the call of look failed at 2026-01-09 12:00:00 UTC after 1000 ms: RuntimeError: gone x",
        "attempt 2 of the call of look failed at 2026-01-09 12:00:01 UTC after 1000 ms: RuntimeError: gone x",
    ]


def test_the_last_attempt_is_the_failure_and_no_attempt() -> None:
    chat = chat_of([call("look", what="x"), "Sorry."], times=3)
    chat.say("go")
    assert len(attempts(chat, e.ToolFailed)) == 2


@pytest.mark.parametrize(("times", "kind"), [(2, e.ModelReplied), (3, e.ModelFailed)])
def test_a_model_call_has_its_attempts(times: int, kind: type[Any]) -> None:
    chat = chat_of([*[ProviderFailed("busy, try later")] * times, "Hello."])
    chat.say("hi")
    assert [one.reason for one in attempts(chat, kind)] == ["busy, try later"] * 2


@pytest.mark.parametrize(("times", "kind"), [(1, e.Understood), (3, e.UnderstandingFailed)])
def test_an_understanding_by_a_model_has_its_attempts(times: int, kind: type[Any]) -> None:
    clock = ManualClock(NOON_MS)
    text = FLOW.replace("prompt: Talk.", "prompt: Talk., collect: {fields: [user.name]}")
    plan = [*[ProviderFailed("busy")] * times, *([understood_reply()] if times < 3 else []), "Hello."]
    app = tw.open_sync(
        flow_of(text), model=ScriptedModel(plan, understands=True), tools=[failing(0, clock)], clock=clock
    )
    chat = app.chat("main")
    chat.say("hm")
    assert [one.reason for one in attempts(chat, kind)] == ["busy"] * min(times, 2)


def test_the_reason_of_an_attempt_has_no_secret_and_is_short() -> None:
    chat = chat_of([call("look", what="x"), "Fine."], times=1, words="77-88-99 " + "x" * 500)
    chat.commands([Set(field="user.pin", value="77-88-99")])
    chat.say("go")
    (found,) = attempts(chat, e.ToolReturned)
    assert "77-88-99" not in found.reason
    assert len(found.reason) == 200


def test_a_call_that_was_not_repeated_takes_no_more_bytes() -> None:
    entry = e.Entry(1, 1, NOON_MS, e.ToolReturned("1.1", "look", "found", 5))
    assert b"attempts" not in encode_entry(entry)
    assert decode_entry(encode_entry(entry)) == entry


def test_attempts_are_read_back() -> None:
    failed = e.ToolFailed("1.1", "look", "gone", attempts=(e.Attempt("gone", NOON_MS, 3, "a.py:1"),))
    entry = e.Entry(1, 1, NOON_MS, failed)
    assert decode_entry(encode_entry(entry)) == entry
