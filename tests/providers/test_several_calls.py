"""Several calls of one reply over the protocols of providers: each is made, and gets its result as the provider demands.

OpenAI and what is compatible with it pair calls and results by id, Gemini by their number and order, Anthropic demands
all results in the next message and before any text.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support import fake_server as fake
from support.asking import HASTE, reach
from support.chats import OneSyncChat, flow_of
from support.fake_server import Answer, FakeServer
from support.tools import facts
from turnwise.core.state import events as e
from turnwise.models import model_named

FLOW = """
    flow: pizzeria
    start: order
    tools:
      note: {about: note a pizza, kind: effect, args: {sort: string}}
      bill: {about: write the bill, kind: effect, args: {of: {type: string, optional: true}}}
    nodes:
      order: {prompt: Take the order., tools: {allow: [note, bill]}, transitions: [{id: noted, at: MOMENT, when: tools.used("note"), to: confirm}]}
      confirm: {prompt: Read it back., tools: {allow: [note]}}
"""
MADE: list[tuple[str, dict[str, Any]]] = [("note", {"sort": "cheese"}), ("note", {"sort": "cheese"}), ("bill", {})]


def openai_calls() -> Answer:
    return fake.calls(*MADE)


def anthropic_calls() -> Answer:
    made = [fake.call_block(f"toolu_{place}", name, json.dumps(given)) for place, (name, given) in enumerate(MADE)]
    return fake.blocks(fake.text_block("One moment."), *made, stop="tool_use")


def gemini_calls() -> Answer:
    """Only the first call has a signature, and none an id, as Gemini sends parallel calls."""
    parts: list[dict[str, Any]] = [{"functionCall": {"name": name, "args": given}} for name, given in MADE]
    parts[0]["thoughtSignature"] = "c2lnbmVk"
    return _gemini(*parts)


def _gemini(*parts: dict[str, Any]) -> Answer:
    content = {"content": {"parts": list(parts), "role": "model"}, "finishReason": "STOP"}
    return Answer(
        (fake.sse({"candidates": [content], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1}}),)
    )


class Paired(NamedTuple):
    """A call and its result as the next request has them: the tool, the arguments, the result."""

    tool: str
    arguments: dict[str, Any]
    result: Any


def openai_pairs(body: dict[str, Any]) -> list[Paired]:
    messages = body["messages"]
    (at,) = [place for place, one in enumerate(messages) if one.get("tool_calls")]
    made = messages[at]["tool_calls"]
    results = messages[at + 1 : at + 1 + len(made)]
    assert [one["role"] for one in results] == ["tool"] * len(made), "results follow their calls at once"
    assert [one["tool_call_id"] for one in results] == [one["id"] for one in made]
    assert len({one["id"] for one in made}) == len(made)
    return [
        Paired(one["function"]["name"], json.loads(one["function"]["arguments"]), found["content"])
        for one, found in zip(made, results, strict=True)
    ]


def anthropic_pairs(body: dict[str, Any]) -> list[Paired]:
    messages = body["messages"]
    (at,) = [place for place, one in enumerate(messages) if any(part["type"] == "tool_use" for part in one["content"])]
    made = [part for part in messages[at]["content"] if part["type"] == "tool_use"]
    following = messages[at + 1]
    results = following["content"][: len(made)]
    assert following["role"] == "user"
    assert [one["type"] for one in results] == ["tool_result"] * len(made), "results come before any text"
    assert [one["tool_use_id"] for one in results] == [one["id"] for one in made]
    assert len({one["id"] for one in made}) == len(made)
    return [Paired(one["name"], one["input"], found["content"]) for one, found in zip(made, results, strict=True)]


def gemini_pairs(body: dict[str, Any]) -> list[Paired]:
    contents = body["contents"]
    (at,) = [place for place, one in enumerate(contents) if any("functionCall" in part for part in one["parts"])]
    made = [part for part in contents[at]["parts"] if "functionCall" in part]
    results = [part["functionResponse"] for part in contents[at + 1]["parts"] if "functionResponse" in part]
    assert [one["name"] for one in results] == [one["functionCall"]["name"] for one in made]
    assert ["thoughtSignature" in one for one in made] == [True, False, False]
    return [
        Paired(one["functionCall"]["name"], one["functionCall"]["args"], found["response"])
        for one, found in zip(made, results, strict=True)
    ]


PROVIDERS: dict[str, tuple[str, str, Any, Any, Any]] = {
    "openai:gpt-4o": ("OPENAI_BASE_URL", "/v1", openai_calls, lambda: fake.words("Two."), openai_pairs),
    "groq:llama-3.3-70b-versatile": ("GROQ_BASE_URL", "", openai_calls, lambda: fake.words("Two."), openai_pairs),
    "ollama:llama3": ("OLLAMA_BASE_URL", "/v1", openai_calls, lambda: fake.words("Two."), openai_pairs),
    "vllm:meta-llama/Llama-3": ("VLLM_BASE_URL", "/v1", openai_calls, lambda: fake.words("Two."), openai_pairs),
    "anthropic:claude-haiku-4-5": (
        *("ANTHROPIC_BASE_URL", "", anthropic_calls),
        *(lambda: fake.blocks(fake.text_block("Two.")), anthropic_pairs),
    ),
    "google:gemini-2.5-flash": (
        *("GOOGLE_GEMINI_BASE_URL", "", gemini_calls),
        *(lambda: _gemini({"text": "Two."}), gemini_pairs),
    ),
}


def order(name: str, server: FakeServer, moment: str, flow: str = FLOW) -> tuple[Any, list[str], dict[str, Any]]:
    """The turn of an order with three calls, what was done, and the request after them."""
    variable, path, made, words, _ = PROVIDERS[name]
    server.answers(made(), words())
    done: list[str] = []

    def note(sort: str) -> str:
        done.append(f"note {sort}")
        return f"noted {len(done)}"

    def bill(of: str = "") -> str:
        done.append("bill")
        return "billed"

    model = model_named(name, reach(HASTE, **{variable: server.address + path}))
    chat = OneSyncChat(flow_of(flow.replace("MOMENT", moment)), tools=[note, bill], model=model)
    turn = chat.say("two with cheese, and the bill")
    return turn, done, server.asked[-1].body


@pytest.mark.law("2.18", "3.6")
@pytest.mark.parametrize("name", PROVIDERS)
def test_all_calls_of_a_reply_are_made_and_paired_with_their_results(name: str, server: FakeServer) -> None:
    turn, done, body = order(name, server, "calls")
    paired = PROVIDERS[name][-1](body)
    assert done == ["note cheese", "note cheese", "bill"]
    assert (turn.node, turn.warnings, turn.text.endswith("Two.")) == ("confirm", (), True)
    assert [(one.tool, one.arguments) for one in paired] == MADE
    wanted = zip(("noted 1", "noted 2", "billed"), paired, strict=True)
    assert all(word in json.dumps(one.result) for word, one in wanted)


@pytest.mark.law("3.6")
@pytest.mark.parametrize("name", PROVIDERS)
def test_a_call_that_a_move_made_impossible_has_its_reason_as_the_result(name: str, server: FakeServer) -> None:
    turn, done, body = order(name, server, "tool")
    paired = PROVIDERS[name][-1](body)
    assert done == ["note cheese", "note cheese"]
    assert [(one.tool, one.reason) for one in facts(turn, e.CallRefused)] == [("bill", "dropped")]
    assert [one.code for one in turn.warnings] == ["calls_not_run"]
    assert ["moved to 'confirm'" in json.dumps(one.result) for one in paired] == [False, False, True]


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_node_without_tools_reads_what_each_call_was_given(name: str, server: FakeServer) -> None:
    without = FLOW.replace(", tools: {allow: [note]}", "")
    _, _, body = order(name, server, "calls", without)
    sent = json.dumps(body).replace('\\"', '"')
    assert 'note with {"sort":"cheese"} gave: "noted 1"\\nnote with {"sort":"cheese"} gave: "noted 2"' in sent
    assert 'bill gave: "billed"' in sent
