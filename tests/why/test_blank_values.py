"""Why a field is empty to which a blank value was written: by a model, a tool, a transition, or a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import turnwise as tw
from support.opened import close_all, opened
from turnwise.models.scripted import ScriptedModel, call
from turnwise.why.kinds import FactKind

MACHINE = "examples/context_machine/context_machine.flow.yaml"
FLOW = """
flow: blanks
version: 1
start: ask
language: en
person: {queue: host}
tools: {look: {about: looks, args: {}}}
records: {u: {a: {type: string}, b: {type: string}, c: {type: string}, tags: {type: list, of: string}}}
nodes:
  ask:
    prompt: Talk.
    collect: [u.a]
    writes: [u.b, u.tags]
    transitions:
      - {id: go, at: before, when: u.a == "go", set: {u.b: SET}, to: rest}
      - {id: fetch, at: before, when: u.a == "fetch", to: fetch}
  fetch: {tool: {name: look, into: u}, transitions: [{id: on, at: after, to: rest}]}
  rest: {prompt: Rest.}
"""
LOOK: dict[str, Any] = {}


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def look() -> dict[str, Any]:
    """Look."""
    return LOOK


def blanks(*plan: Any, written: str = "null", result: Any = None) -> tw.SyncChat:
    LOOK.clear()
    LOOK.update(result or {})
    chat = opened(tw.loads(FLOW.replace("SET", written)), model=ScriptedModel(list(plan)), tools=[look])
    chat.start()
    return chat


def sets(**values: Any) -> list[tw.commands.Set]:
    return [tw.commands.Set(field=f"u.{name}", value=value) for name, value in values.items()]


def test_a_blank_text_that_a_model_wrote_is_the_reason_for_the_empty_field() -> None:
    plan = [call("write_config", set={"result": ""}), "Empty.", "x"]
    chat = opened(MACHINE, model=ScriptedModel(plan))
    chat.run()
    answer = chat.why("config.result")
    assert "because the call of write_config wrote a blank text, which clears a field" in answer.line
    assert "it had no value before" in answer.line
    assert "nothing has set it" not in answer.line
    assert answer.plain == "I do not know the result of the task yet."
    done = chat.why("done")
    assert "wrote a blank text" in next(
        fact.text for one in done.facts for fact in one.walk() if fact.kind == "field_cleared"
    )


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"set": {"b": None}}, "u.b lost its value x, because the call of write_u wrote null, which clears a field"),
        ({"data": {"b": "  "}}, "u.b lost its value x, because the call of write_u wrote a blank text, which"),
    ],
)
def test_a_model_that_clears_a_value_is_named_with_what_it_wrote(arguments: dict[str, Any], line: str) -> None:
    chat = blanks("Hi.", call("write_u", **arguments), "Done.")
    chat.commands(sets(b="x"))
    chat.say("clear it")
    answer = chat.why("u.b")
    assert line in answer.line
    assert answer.plain == "I no longer have b. I did that myself."


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"set": {"tags": []}}, "u.tags was set to [], by a call of the model (was n)"),
        ({"remove": {"tags": "n"}}, "u.tags lost its value n, because the call of write_u removed its last item"),
    ],
)
def test_an_emptied_list_is_named(arguments: dict[str, Any], line: str) -> None:
    chat = blanks("Hi.", call("write_u", **arguments), "Done.")
    chat.commands(sets(tags=["n"]))
    chat.say("clear it")
    assert line in chat.why("u.tags").line


@pytest.mark.parametrize(
    ("result", "kind", "line"),
    [
        ({"b": ""}, "field_cleared", "u.b was cleared, because look returned a blank text; it had no value before"),
        ({"b": None}, "nothing_returned", "look returned no value for u.b in turn 2, which leaves it as it is"),
        ({"c": "x"}, "nothing_returned", "look returned no value for u.b in turn 2, which leaves it as it is"),
    ],
)
def test_a_tool_that_returned_no_value_is_named(result: dict[str, Any], kind: FactKind, line: str) -> None:
    chat = blanks("Hi.", "Rest.", result=result)
    chat.commands(sets(a="fetch"))
    answer = chat.why("u.b")
    assert line in answer.line
    assert answer.fact(kind) is not None
    said = "What I looked up had nothing for b." if kind == "nothing_returned" else "I do not know b yet."
    assert answer.plain == said


@pytest.mark.parametrize(("written", "blank"), [("null", "null"), ("'\"\"'", "a blank text")])
def test_a_transition_that_sets_a_blank_value_is_named_with_it(written: str, blank: str) -> None:
    chat = blanks("Hi.", "Rest.", written=written)
    chat.commands(sets(a="go"))
    line = f"u.b was cleared, by the transition go, which sets it to {blank}; it had no value before"
    assert line in chat.why("u.b").line


def test_a_person_who_removes_a_value_is_named() -> None:
    chat = blanks("Hi.")
    chat.commands(sets(b="x"))
    chat.take_over("Lena")
    chat.give_back("ok", set={"u.b": None, "u.c": None})
    assert "u.b lost its value x, by Lena, who was in charge" in chat.why("u.b").line
    assert chat.why("u.b").plain == "I no longer have b. A person did that."
    assert "the command clear on u.c was refused because it has no value" in chat.why("u.c").line
    assert chat.why("u.c").plain == "I do not know c yet."
