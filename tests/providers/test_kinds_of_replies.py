"""What models really send, from every provider with a wire format of its own, by its real client (law 2.1)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import turnwise as tw
from support.adapters import ADAPTERS, SIGNATURE, Adapter, Planned
from support.asking import reach
from support.chats import OneChat, flow_of
from support.fake_server import FakeServer
from turnwise.core.state import events as e
from turnwise.models import model_named
from turnwise.models.scripted import ScriptedUnderstanding

FLOW = """
flow: garden
start: talk
tools: {book_bed: {about: books a bed, args: {bed: string}}}
nodes: {talk: {prompt: Help., SETTINGS tools: {allow: [book_bed]}}}
"""
CALL = ("book_bed", {"bed": "3"})
TEXT = "It opens in May."
FINE = Planned((TEXT,))
# The reply, then what becomes of it: the code of the failure, the text, and whether the second reply is needed.
KINDS: dict[str, tuple[Planned, str, str]] = {
    "empty": (Planned(), "empty", ""),
    "white space": (Planned((" ", "\n\n")), "blank", ""),
    "only thoughts": (Planned(thoughts="They ask."), "only_thoughts", ""),
    "thoughts apart": (Planned((TEXT,), thoughts="They ask."), "", TEXT),
    "thoughts in tags": (Planned(("<think>They", " ask.</thi", "nk>\n\nIt opens", " in May.")), "", TEXT),
    "only thoughts in tags": (Planned(("<think>", "They ask.", "</think>")), "only_thoughts", ""),
    "an end tag alone": (Planned(("They ask.\n", "</think>", "\n\n", TEXT)), "", TEXT),
    "cut by length": (Planned(("It op",), finish="length"), "length", "It op"),
    "cut by length in a call": (Planned(calls=(CALL,), finish="length"), "length", ""),
    "cut by a filter": (Planned(("It op",), finish="filter"), "content_filter", ""),
    "ended by a word that nobody knows": (Planned(("It op",), finish="insufficient_resource"), "error", "It op"),
    "a call in a reply that such a word ended": (Planned(calls=(CALL,), finish="insufficient_resource"), "error", ""),
    "a call announced that never came": (Planned(("It op",), finish="calls"), "error", "It op"),
    "an end by a stop word": (Planned((TEXT,), finish="stop_word"), "", TEXT),
    "invisible characters": (Planned(("\u200b", "\ufeff\u3164")), "blank", ""),
    "a call as text": (Planned(('{"name": "book_bed", ', '"arguments": {"bed": "3"}}')), "call_as_text", ""),
    "a call in words": (Planned(("Let me see.\n(calling book_", "bed with bed=3)")), "call_as_text", ""),
    "a call of a tool that is not offered": (Planned(("go_to_", "talk()")), "call_as_text", ""),
    "control tokens around it": (Planned(("<|assis", "tant|>It opens", " in May.<|im_", "end|>")), "", TEXT),
    "a note of the application": (Planned(("[From the appli", "cation] It opens.")), "note_as_text", ""),
    "no reason of its end": (Planned(("It op",), finish=""), "broken", "It op"),
    "an error in the middle": (Planned(("It op",), breaks=True), "broken", "It op"),
    "two calls": (Planned(calls=(CALL, ("book_bed", {"bed": "4"})), finish="calls"), "", "calls"),
    "signature": (Planned((), "They ask.", SIGNATURE, (CALL,), "calls"), "", "calls"),
}


class Told:
    """A turn with a fake provider."""

    def __init__(self, server: FakeServer, adapter: Adapter, *replies: Planned, settings: str = "") -> None:
        server.answers(*map(adapter.answer, replies))
        environment = {adapter.variable: server.address + adapter.path} if adapter.variable else {}
        name = adapter.name.replace("ADDRESS", server.address)
        self.booked: list[str] = []
        self.turn = asyncio.run(self._say(name, environment, settings))

    async def _say(self, name: str, environment: dict[str, str], settings: str) -> tw.Turn:
        def book_bed(bed: str) -> str:
            self.booked.append(bed)
            return "booked"

        model = model_named(name, reach(tw_patience(), **environment))
        flow, tools = flow_of(FLOW.replace("SETTINGS", settings)), {"book_bed": book_bed}
        chat = OneChat(flow, model=model, tools=tools, understand=ScriptedUnderstanding())
        chat.runtime.also_closes.append(model)
        try:
            return await chat.say("When does it open?")
        finally:
            await chat.close()

    @property
    def failed(self) -> list[e.ModelFailed]:
        return [event for event in self.turn.events if isinstance(event, e.ModelFailed)]

    @property
    def replied(self) -> list[e.ModelReplied]:
        return [event for event in self.turn.events if isinstance(event, e.ModelReplied)]


def tw_patience() -> Any:
    from turnwise.models import Patience

    return Patience(connect_s=5, silence_s=10, retries=0, pause_s=0.001)


@pytest.fixture(autouse=True)
def _aws(monkeypatch: pytest.MonkeyPatch, server: FakeServer) -> None:
    """The client of AWS reads its address, keys and region from the environment of the process."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.address)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "k",
        "AWS_SECRET_ACCESS_KEY": "s",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")


CELLS = [(adapter, kind) for adapter in ADAPTERS for kind in KINDS]
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
    "ignore:.*is not a valid FinishReason",  # the library of Google, of a word that it does not know
)


@pytest.mark.law("2.1")
@pytest.mark.parametrize(
    ("adapter", "kind"), CELLS, ids=[f"{one.name.partition(':')[0]}-{kind}" for one, kind in CELLS]
)
def test_every_kind_of_reply_from_every_provider(adapter: Adapter, kind: str, server: FakeServer) -> None:
    if kind in adapter.lacks:
        pytest.skip(adapter.lacks[kind])
    planned, code, text = KINDS[kind]
    told = Told(server, adapter, planned, FINE)
    match code:
        case "call_as_text":
            assert told.turn.text == TEXT
            assert [attempt.code for attempt in told.replied[-1].attempts] == [code]
            assert len(server.asked) == 2
        case "broken":
            assert [event.text for event in told.failed] == [text]
            assert not told.replied
        case "" if text == "calls":
            assert sorted(told.booked) == [call[1]["bed"] for call in planned.calls]  # reads run at the same time
            assert told.turn.text == TEXT
        case "":
            assert told.turn.text == text
            assert not told.turn.warnings
        case _:
            assert [(event.code, event.text) for event in told.failed] == [(code, text)]
            assert not told.booked
            assert "open again" not in told.turn.text
    if kind == "signature":
        assert adapter.signature in json.dumps(server.asked[-1].body)


SENT = {
    "compatible": ['"temperature": 0.3', '"max_tokens": 99'],
    "openai": ['"temperature": 0.3', '"max_completion_tokens": 99'],
    "anthropic": ['"temperature": 0.3', '"max_tokens": 99'],
    "google": ['"temperature": 0.3', '"maxOutputTokens": 99'],
    "mistral": ['"temperature": 0.3', '"max_tokens": 99'],
    "groq": ['"temperature": 0.3', '"max_tokens": 99'],
    "bedrock": ['"temperature": 0.3', '"maxTokens": 99'],
}


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda one: one.name.partition(":")[0])
def test_settings_reach_every_provider(adapter: Adapter, server: FakeServer) -> None:
    told = Told(server, adapter, FINE, settings="settings: {temperature: 0.3, max_tokens: 99},")
    assert told.turn.text == TEXT
    sent = json.dumps(server.asked[-1].body)
    for wanted in SENT[adapter.name.partition(":")[0]]:
        assert wanted in sent
