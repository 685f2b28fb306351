"""Real models over a fake server, through the path that real calls take: what a server does wrong is an event in
words, the conversation stays usable, and no tool runs by mistake.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from support import fake_server as fake
from support.asking import HASTE, KEY, ask_named, reach, request, text_of
from support.chats import NOON_MS, OneChat, flow_of
from support.fake_server import Answer, FakeServer
from support.tools import FakeTool
from turnwise.api.open import Turn
from turnwise.core.state import events as e
from turnwise.models import Patience, model_named
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import CallMade, TextDelta, Usage
from turnwise.stores.memory import MemoryStore

FLOW = """
flow: helper
start: help
tools:
  search: {about: searches, args: {q: {type: string}}}
  think: {about: thinks}
nodes:
  help:
    prompt: Help the user.
    tools: {allow: [search, think]}
"""
WHO = "compatible:fake@ADDRESS/v1"
FINE = fake.words("All is ", "well.")


class Talk:
    """A conversation with a fake server behind the real path; tools keep their calls."""

    def __init__(self, server: FakeServer, patience: Patience = HASTE) -> None:
        self.server = server
        self.tools = {"search": FakeTool({"found": 1}), "think": FakeTool("ok")}
        self.model = model_named(WHO.replace("ADDRESS", server.address), reach(patience))
        self.store = MemoryStore()
        self.loop = asyncio.Runner()
        self.chat = OneChat(
            flow_of(FLOW), model=self.model, understand=lambda *_: (), clock=ManualClock(NOON_MS), store=self.store
        )
        self.chat.runtime.also_closes.append(self.model)
        self.chat.runtime.performer.tools = self.tools

    def say(self, text: str) -> Turn:
        return self.loop.run(self.chat.say(text))

    def close(self) -> str:
        """End it; gives all that was kept of it, as it would be exported."""
        kept = self.loop.run(self.chat.export()).decode()
        self.loop.run(self.chat.close())
        self.loop.close()
        return kept

    def ran(self) -> list[str]:
        """The tools that ran, with their arguments."""
        return [f"{name} {json.dumps(call)}" for name, tool in self.tools.items() for call in tool.calls]


def told(turn: Turn, server: FakeServer) -> list[str]:
    """What came of a turn, an event a line."""
    lines: list[str] = []
    for event in turn.events:
        match event:
            case e.ModelReplied(text=text, calls=calls):
                lines.append(f"replied {text[:40]!r}" + "".join(f", calls {call.tool} {_args(call)}" for call in calls))
            case e.ModelFailed(reason=reason, text=text):
                lines.append(
                    f"failed {reason.replace(server.address, 'ADDRESS')}" + (f" after {text!r}" if text else "")
                )
            case e.CallRefused(tool=tool, text=text):
                lines.append(f"refused {tool}: {text}")
            case e.ToolReturned(tool=tool):
                lines.append(f"ran {tool}")
            case _:
                pass
    return lines


def _args(call: Any) -> str:
    return "(wrong)" if call.wrong else json.dumps(call.arguments)


SILENT = Patience(connect_s=5, silence_s=0.8, retries=1, pause_s=0.001)
CUT = Answer((fake.chunk(content="All "),), is_cut=True)
HUGE = "x" * 5_000_000

BAD: dict[str, tuple[list[Answer], list[str], list[str]]] = {
    "cut in the middle": (
        [CUT],
        [f"failed {WHO} broke off its answer: Connection error. after 'All '"],
        [],
    ),
    "cut between two calls": (
        [Answer((fake.chunk(tool_calls=[fake.piece(0, "i", "search", '{"q":"x"}')]),), is_cut=True), FINE],
        ["replied 'All is well.'"],
        [],
    ),
    "ends without an end": (
        [Answer((fake.chunk(tool_calls=[fake.piece(0, "i", "think", "{}")]), fake.DONE))] * 3,
        [
            f"failed {WHO} sent an answer that cannot be read, or not to its end: Streamed response ended without a "
            "`finish_reason` (asked 3 times)"
        ],
        [],
    ),
    "429 with retry-after": ([fake.error(429, "slow down", retry_after="0"), FINE], ["replied 'All is well.'"], []),
    "429 with a long retry-after": (
        [fake.error(429, "slow down", retry_after="3600")],
        [f"failed {WHO} is asked too often (HTTP 429): slow down"],
        [],
    ),
    "429 without retry-after": ([fake.error(429, "slow down"), FINE], ["replied 'All is well.'"], []),
    "429 again and again": (
        [fake.error(429, "slow down")] * 3,
        [f"failed {WHO} is asked too often (HTTP 429): slow down (asked 3 times)"],
        [],
    ),
    "500": ([fake.error(500, "oops"), FINE], ["replied 'All is well.'"], []),
    "500 again and again": (
        [fake.error(500, "oops")] * 3,
        [f"failed {WHO} failed (HTTP 500): oops (asked 3 times)"],
        [],
    ),
    "503": ([fake.error(503, "busy"), FINE], ["replied 'All is well.'"], []),
    "401": (
        [fake.error(401, f"Incorrect API key provided: {KEY}")],
        [f"failed {WHO} does not accept the key (HTTP 401): Incorrect API key provided: [key]"],
        [],
    ),
    "400": ([fake.error(400, "bad tools")], [f"failed {WHO} refused the request (HTTP 400): bad tools"], []),
    "404": ([fake.error(404, "no such model")], [f"failed {WHO} is not known there (HTTP 404): no such model"], []),
    "an error inside of the stream": (
        [Answer((fake.sse({"error": {"message": "boom", "code": 500}}),)), FINE],
        ["replied 'All is well.'"],
        [],
    ),
    "malformed JSON": (
        [Answer((b"data: {nope\n\n",))] * 3,
        [
            f"failed {WHO} sent an answer that cannot be read, or not to its end: Failed to decode response as JSON: "
            "Expecting property name enclosed in double quotes: line 1 column 2 (char 1) (asked 3 times)"
        ],
        [],
    ),
    "a page instead of an answer": (
        [Answer((b"<html>",), kind="text/html")] * 3,
        [
            f"failed {WHO} sent an answer that cannot be read: Streamed response ended without content or tool calls "
            "(asked 3 times)"
        ],
        [],
    ),
    "an unknown tool": (
        [fake.calls(("delete_all", {})), FINE],
        [
            "replied '', calls delete_all {}",
            "refused delete_all: there is no tool 'delete_all'; available are: search, think",
            "replied 'All is well.'",
        ],
        [],
    ),
    "arguments that are not JSON": (
        [fake.calls(("search", '{"q": ')), FINE],
        ["replied '', calls search (wrong)", "refused search: …", "replied 'All is well.'"],
        [],
    ),
    "arguments that are no object": (
        [fake.calls(("search", "[1]")), FINE],
        ["replied '', calls search (wrong)", "refused search: …", "replied 'All is well.'"],
        [],
    ),
    "arguments of the wrong type": (
        [fake.calls(("search", {"q": {"a": 1}})), FINE],
        ['replied \'\', calls search {"q": {"a": 1}}', "refused search: …", "replied 'All is well.'"],
        [],
    ),
    "two calls under one index": (
        [fake.pieces(fake.piece(0, "i", "think", "{}"), fake.piece(0, "j", "search", '{"q":"x"}')), FINE],
        ['replied \'\', calls think {}, calls search {"q": "x"}', "ran think", "ran search", "replied 'All is well.'"],
        ['search {"q": "x"}', "think {}"],
    ),
    "two calls under one index and one id": (
        [fake.pieces(fake.piece(0, "i", "think", "{}"), fake.piece(0, "i", "search", '{"q":"x"}'))],
        [f"failed {WHO} sent two calls of tools as one, and they cannot be distinguished"],
        [],
    ),
    "an empty reply": ([fake.words()], ["failed compatible:fake gave an empty reply"], []),
    "only a filter": (
        [Answer((fake.chunk("content_filter"), fake.DONE))],
        ["failed compatible:fake had its reply cut off by a filter"],
        [],
    ),
    "no token left": (
        [Answer((fake.chunk("length"), fake.DONE))],
        ["failed compatible:fake had its reply cut off: it used up its tokens"],
        [],
    ),
    "a reply of 5 MB": (
        [Answer(tuple(fake.chunk(content="x" * 50_000) for _ in range(100)), hangs=True)],
        ["failed the reply is longer than 100,000 characters (reply_chars), so it was cut off after …"],
        [],
    ),
    "a call of 5 MB": (
        [fake.calls(("search", {"q": HUGE}))],
        [f"failed {WHO} sent calls of more than 1,000,000 characters"],
        [],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_a_server_does_wrong_is_told_and_the_conversation_goes_on(case: str, server: FakeServer) -> None:
    plan, expected, ran = BAD[case]
    talk = Talk(server)
    server.answers(*plan)
    turn = talk.say("hello")
    lines = [_short(line, wanted) for line, wanted in zip(told(turn, server), expected, strict=True)]
    assert lines == expected
    assert talk.ran() == ran
    assert not server.plan, "everything that was planned was asked for"
    assert len(server.asked) == len(plan)

    server.answers(fake.words("Here I am."))
    assert talk.say("are you there?").text == "Here I am."
    said = server.asked[-1].body["messages"]
    assert next(message["content"] for message in said if message["role"] == "user") == "hello"
    assert talk.ran() == ran
    assert KEY not in talk.close()


def _short(line: str, wanted: str) -> str:
    """A line, cut where the expectation leaves its end open."""
    return line[: len(wanted) - 1] + "…" if wanted.endswith("…") else line


def test_a_server_that_is_late_is_asked_again_and_then_given_up(server: FakeServer) -> None:
    talk = Talk(server, SILENT)
    server.answers(Answer(late_s=5), Answer(late_s=5))
    assert told(talk.say("hello"), server) == [f"failed {WHO} was silent for 0.8 s (asked 2 times)"]
    server.answers(Answer(late_s=5), FINE)
    assert talk.say("again").text == "All is well."
    talk.close()


def test_a_stream_that_falls_silent_keeps_what_was_said(server: FakeServer) -> None:
    talk = Talk(server, SILENT)
    server.answers(Answer((fake.chunk(content="All "),), hangs=True))
    assert told(talk.say("hello"), server) == [f"failed {WHO} was silent for 0.8 s after 'All '"]
    server.answers(FINE)
    assert talk.say("again").text == "All is well."
    talk.close()


def test_a_model_that_calls_tools_for_ever_meets_a_limit(server: FakeServer) -> None:
    talk = Talk(server)
    server.answers(*[fake.calls(("think", {}))] * 40)
    turn = talk.say("hello")
    assert turn.warnings or turn.text
    assert 0 < len(talk.tools["think"].calls) <= 24
    server.plan.clear()
    server.answers(FINE)
    assert talk.say("again").text == "All is well."
    talk.close()


def test_what_a_call_cost_is_in_the_journal(server: FakeServer) -> None:
    talk = Talk(server)
    server.answers(fake.words("Hi.", model="tiny"))
    (replied,) = [event for event in talk.say("hello").events if isinstance(event, e.ModelReplied)]
    assert (replied.model, replied.tokens_in, replied.tokens_out, replied.cost) == ("compatible:tiny", 11, 7, None)
    talk.close()


def test_a_known_price_is_told(server: FakeServer) -> None:
    server.answers(fake.words("Hi.", model="gpt-4o-mini"))
    usage = ask_named("openai:gpt-4o-mini", OPENAI_BASE_URL=f"{server.address}/v1")[-1]
    assert isinstance(usage, Usage)
    assert usage.model == "openai:gpt-4o-mini"
    assert usage.cost == pytest.approx(11 * 0.15e-6 + 7 * 0.6e-6)


def test_a_key_in_an_answer_is_hidden_however_it_is_cut(server: FakeServer) -> None:
    server.answers(fake.words("It is ", KEY[:4], KEY[4:9], f"{KEY[9:]}.", " Bye, s"))
    found = ask_named(WHO.replace("ADDRESS", server.address))
    assert text_of(found) == "It is [key]. Bye, s"
    server.answers(fake.calls(("search", {"q": KEY})))
    (call, _) = ask_named(WHO.replace("ADDRESS", server.address), request("x", tools=["search"]))
    assert call == CallMade("search", '{"q": "[key]"}')


def test_the_next_model_is_asked_only_where_nothing_was_shown(server: FakeServer) -> None:
    names = f"openai:first, {WHO.replace('ADDRESS', server.address)}"
    base = f"{server.address}/v1"
    server.answers(fake.error(401, "no"), fake.words("Second."))
    assert text_of(ask_named(names, OPENAI_BASE_URL=base)) == "Second."
    server.answers(CUT, fake.words("Second."))
    assert ask_named(names, OPENAI_BASE_URL=base) == [
        TextDelta("All "),
        "openai:first broke off its answer: Connection error.",
    ]
    server.plan.clear()
    server.answers(fake.error(401, "no"), fake.error(400, "nor here"))
    assert ask_named(names, OPENAI_BASE_URL=base) == [
        "openai:first does not accept the key (HTTP 401): no; "
        f"{names.split(', ')[1]} refused the request (HTTP 400): nor here"
    ]


def test_who_is_not_there_is_told(server: FakeServer) -> None:
    address = server.address
    found = ask_named("compatible:x@http://127.0.0.1:9/v1", patience=Patience(connect_s=1, retries=0))
    assert found == ["compatible:x@http://127.0.0.1:9/v1 could not be reached: Connection error."]
    assert address not in found[0]


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_model_is_used_again_in_another_loop(server: FakeServer) -> None:
    model = model_named(WHO.replace("ADDRESS", server.address), reach())

    async def once() -> str:
        server.answers(FINE)
        return "".join([event.text async for event in model.stream(request("x")) if isinstance(event, TextDelta)])

    assert [asyncio.run(once()), asyncio.run(once())] == ["All is well."] * 2
