"""Calls that a request requires, on servers that do not force them: a text in their place is asked for by a schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support import fake_server as fake
from support.asking import ask, ask_named, reach
from support.fake_server import FakeServer
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Message, ToolSpec
from turnwise.models import model_named
from turnwise.models.wire.short_schema import short_schema
from turnwise.runner.model_port import CallMade, TextDelta, Usage

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {"commands": {"type": "array", "items": {"type": "string"}}},
    "required": ["commands"],
    "additionalProperties": False,
}
TOOL = ToolSpec("understood", "say what it means", PARAMETERS)
REQUEST = ModelRequest("here", ("Read.", "Open is: name"), (Message("user", "Ada"),), (TOOL,), must_call="understood")
GIVEN = {"commands": ["Ada"]}
CALL = CallMade("understood", GIVEN)


def named(server: FakeServer) -> str:
    return f"compatible:small@{server.address}/v1"


def forms(server: FakeServer) -> list[str]:
    """How the call was asked for in each request."""
    kinds = {"tools": "call", "response_format": "schema"}
    return [" and ".join(kind for key, kind in kinds.items() if one.body.get(key)) for one in server.asked]


def made(events: list[Any]) -> list[Any]:
    return [one for one in events if isinstance(one, CallMade | TextDelta | str)]


def test_a_server_that_does_not_force_a_call_is_asked_by_a_schema_from_then_on(server: FakeServer) -> None:
    given = json.dumps(GIVEN)
    server.answers(fake.words("Hello ", "Ada!"), fake.words(given[:9], given[9:]), fake.words(given))
    said = ask_named(named(server), REQUEST, REQUEST)
    assert made(said) == [CALL, CALL]
    assert forms(server) == ["call", "schema", "schema"]
    form = server.asked[1].body["response_format"]
    assert (form["type"], form["json_schema"]["name"]) == ("json_schema", "understood")
    assert form["json_schema"]["schema"]["required"] == ["commands"]
    first, second = (one for one in said if isinstance(one, Usage))
    assert (first.tokens_in, first.tokens_out) == (22, 14)  # both attempts were spent
    assert (second.tokens_in, second.tokens_out) == (11, 7)


def test_the_form_stands_behind_what_never_changes(server: FakeServer) -> None:
    server.answers(fake.words("Hello"), fake.words(json.dumps(GIVEN)))
    ask_named(named(server), REQUEST)
    system = server.asked[1].body["messages"][0]["content"]
    task, form, state = (system.index(text) for text in ("Read.", "{commands: string[]}", "Open is: name"))
    assert task < form < state


def test_a_server_that_forces_calls_is_never_asked_by_a_schema(server: FakeServer) -> None:
    server.answers(fake.calls(("understood", GIVEN)), fake.calls(("understood", GIVEN)))
    ask_named(named(server), REQUEST, REQUEST)
    assert forms(server) == ["call", "call"]


def test_a_server_that_refuses_schemas_is_asked_for_the_call_again(server: FakeServer) -> None:
    refused = fake.error(400, "response_format is not supported")
    server.answers(fake.words("Hello"), refused, fake.words("Hello"), fake.words("Hello"))
    said = ask_named(named(server), REQUEST, REQUEST)
    assert made(said) == [TextDelta("Hello"), TextDelta("Hello")]
    assert forms(server) == ["call", "schema", "call", "call"]


def test_ollama_which_ignores_the_choice_of_a_tool_is_asked_by_a_schema_at_once(server: FakeServer) -> None:
    server.answers(fake.words(json.dumps(GIVEN)))
    model = model_named("ollama:small", reach(OLLAMA_BASE_URL=f"{server.address}/v1"))
    assert made(ask(model, REQUEST)) == [CALL]
    assert forms(server) == ["schema"]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{json.dumps(GIVEN)}\n```",
        json.dumps({"name": "understood", "arguments": GIVEN}),
        f"  {json.dumps(GIVEN, indent=1)}\n",
    ],
)
def test_what_a_server_without_schemas_lets_a_model_write_around_the_object_is_left_out(
    text: str, server: FakeServer
) -> None:
    server.answers(fake.words("Hello"), fake.words(text))
    assert made(ask_named(named(server), REQUEST)) == [CALL]


def test_a_text_that_is_no_object_stays_a_text(server: FakeServer) -> None:
    server.answers(fake.words("Hello"), fake.words("It is ", "[1]"))
    assert made(ask_named(named(server), REQUEST)) == [TextDelta("It is "), TextDelta("[1]")]


def test_openai_is_not_asked_twice(server: FakeServer) -> None:
    server.answers(fake.words("Hello"))
    model = model_named("openai:big", reach(OPENAI_BASE_URL=f"{server.address}/v1"))
    assert made(ask(model, REQUEST)) == [TextDelta("Hello")]
    assert len(server.asked) == 1


SCHEMAS: list[tuple[dict[str, Any], str]] = [
    ({"enum": ["a", 1]}, '"a" | 1'),
    ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
    ({"type": "array", "items": {"enum": ["a"]}}, '"a"[]'),
    ({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}]}, "number | string"),
    ({"type": "array", "items": {"anyOf": [PARAMETERS, {"type": "null"}]}}, "({commands: string[]} | null)[]"),
    (
        {"type": "object", "properties": {"a": {"type": "boolean", "description": "if so"}, "b": {}}},
        "{a?: boolean /* if so */, b?: any}",
    ),
    ({"type": "object"}, "object"),
    ({"type": "object", "properties": {"a b": {"type": "string"}}}, '{"a b"?: string}'),
]


@pytest.mark.parametrize(("schema", "text"), SCHEMAS)
def test_a_schema_is_shown_in_the_notation_of_typescript(schema: dict[str, Any], text: str) -> None:
    assert short_schema(schema) == text
