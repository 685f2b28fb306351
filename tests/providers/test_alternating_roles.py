"""Roles alternate in every request, for the chat templates that demand it: Mistral, Gemma, Llama 2 on vLLM."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import ModelMessage, ModelResponse, UserPromptPart

from support import fake_server as fake
from support.asking import request
from support.chats import OneSyncChat, flow_of
from support.fake_server import FakeServer
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Call, Message
from turnwise.models.wire.requests import ToolNames, messages_of

TEXTS = st.sampled_from(["", "  ", "Hello", "[From the application, not from the user]", "Yes?"])
SAID = st.builds(lambda text: [Message("user", text)], TEXTS)
REPLIED = st.builds(lambda text: [Message("agent", text)], TEXTS)
BY_PERSON = st.builds(lambda text: [Message("agent", text, person="Lena")], TEXTS)


@st.composite
def called(draw: st.DrawFn) -> list[Message]:
    """A reply with calls, and their results."""
    names = draw(st.lists(st.sampled_from(["search", "read file", "0"]), min_size=1, max_size=3))
    calls = tuple([Call(f"c{place}", name) for place, name in enumerate(names)])
    results = [Message("tool", call=one.id, tool=one.tool, result={"n": 1}) for one in calls]
    return [Message("agent", draw(TEXTS), calls=calls), *results]


TALKS = st.lists(st.one_of(SAID, REPLIED, BY_PERSON, called()), max_size=12)


def roles(messages: list[ModelMessage]) -> list[str]:
    """The roles of messages as providers receive them, a result by itself."""
    found: list[str] = []
    for message in messages:
        if isinstance(message, ModelResponse):
            found.append("assistant")
        else:
            found += ["user" if isinstance(part, UserPromptPart) else "tool" for part in message.parts]
    return found


@given(TALKS, st.booleans(), st.sampled_from(["reply", "note", "aside", "word", "understand"]))
def test_the_roles_of_every_request_alternate(parts: list[list[Message]], has_tools: bool, kind: str) -> None:
    talk = [message for part in parts for message in part]
    more: dict[str, object] = {"note": {"notes": ("No.",), "missing": ("age",)}, "aside": {"question": "Why?"},
            "word": {"wording": "Your name?"}, "understand": {"must_call": "search"}}.get(kind, {})  # fmt: skip
    if kind == "understand":
        talk = [*[one for one in talk if one.role != "tool" and not one.calls], Message("user", "What it means")]
    one = request(*talk, tools=["search"] if has_tools or kind == "understand" else [], **more)
    messages = messages_of(one, ToolNames(one))
    found = roles(messages)
    assert found[0] == "user"
    assert found[-1] in ("user", "tool")
    for before, now in pairwise(found):
        assert (before, now) not in {("user", "user"), ("tool", "user"), ("assistant", "assistant"), ("user", "tool")}
    if kind == "understand":
        assert messages[-1].parts[-1].content == "What it means"  # pyright: ignore[reportAttributeAccessIssue]
    if not has_tools and kind != "understand":
        assert "tool" not in found


SHOP = """
    flow: shop
    start: ask
    records: {reader: {card: {type: string, about: card}, wish: {type: string, about: wish}}}
    tools: {shelf: {about: find a shelf, args: {}}}
    nodes:
      ask:
        prompt: Get to know them.
        collect: [reader.card]
        tools: {allow: [shelf]}
        transitions: [{when: reader.card == "9", to: plain}]
      plain: {prompt: Say something., collect: [reader.wish]}
"""


def _is_alternating(body: dict[str, Any]) -> bool:
    said = [one["role"] for one in body["messages"] if one["role"] != "system"]
    pairs = set(pairwise(said))
    return said[0] == "user" and not pairs & {("user", "user"), ("tool", "user")}


@pytest.mark.law("3.6")
def test_a_whole_conversation_alternates_on_the_wire(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls, an understanding that fails, a reply that fails, and a node without tools after calls."""
    monkeypatch.setenv("TURNWISE_NO_MODELS", "0")
    monkeypatch.setenv("TURNWISE_MODEL_RETRIES", "0")
    monkeypatch.setenv("COMPATIBLE_API_KEY", "none")
    nothing = fake.calls(("understood", {"commands": []}))
    nine = {"command": "set", "field": "reader.card", "value": "9", "words": "9"}
    for answer in (
        *(nothing, fake.calls(("shelf", {})), fake.words("Which card?")),
        *(fake.error(400, "no"), fake.calls(("shelf", {})), fake.error(400, "no")),
        *(nothing, fake.words("Which card?")),
        *(fake.calls(("understood", {"commands": [nine]})), fake.words("Nine."), fake.words("It is plain here.")),
        *(nothing, fake.words("Yes.")),
    ):
        server.answers(answer)
    with OneSyncChat(flow_of(SHOP), tools=[shelf], model=f"compatible:m@{server.address}/v1") as chat:
        for message in ("hi", "and now?", "hello?", "my card is 9", "what else?"):
            chat.say(message)
    assert len(server.asked) >= 10
    assert all(_is_alternating(asked.body) for asked in server.asked)
    assert not any("application" in str(one) for asked in server.asked for one in asked.body["messages"][1:])


def shelf() -> str:
    return "shelf 3"


def test_a_request_of_a_stranger_is_no_different() -> None:
    """A program's own transcript may begin with anything."""
    one = ModelRequest("n", (), (Message("agent", "Hi"), Message("agent", "You?")))
    assert roles(messages_of(one, ToolNames(one))) == ["user", "assistant", "user"]
