"""The pieces of a reply have no secret, however it is divided between them; its stored message has none either."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import turnwise as tw
from support.chats import flow_of
from support.served import Listening, in_loop, served
from turnwise.core.secrets import StreamRedactor
from turnwise.core.values import REDACTED

FLOW = """\
flow: pins
start: ask
records:
  u:
    pin: {type: string, secret: true}
    age: integer
nodes:
  ask:
    form:
      fields:
        - {field: u.pin, ask: Your pin?, match: direct}
    transitions:
      - {id: known, at: before, when: has(u.pin), to: talk}
  talk:
    prompt: Talk.
"""


@given(
    values=st.lists(st.text("aAb", min_size=1, max_size=4), min_size=1, max_size=3),
    pieces=st.lists(st.text("aAbx", max_size=4), max_size=8),
)
@example(values=["abab"], pieces=["xab", "ab", "ab"])
@example(values=["ab", "abxx"], pieces=["ab", "xb"])
def test_held_back_pieces_are_together_the_text_without_the_values(values: list[str], pieces: list[str]) -> None:
    longest_first = tuple(sorted(set(values), key=lambda text: (-len(text), text)))
    held = StreamRedactor(longest_first)
    shown = "".join([*map(held.add, pieces), held.end()])
    pattern = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
    assert shown == pattern.sub(REDACTED, "".join(pieces))


def test_only_what_may_begin_a_value_is_held_back() -> None:
    held = StreamRedactor(("QX7ZZ",))
    assert [held.add(piece) for piece in ("Your pin is q", "x", "7 ", "Q", "X7Zz!")] == [
        *("Your pin is ", "", "qx7 ", ""),
        f"{REDACTED}!",
    ]
    assert held.end() == ""


class Repeating:
    """A model that says some pieces and may call tools."""

    def __init__(self, *said: Any) -> None:
        self.said = said

    async def stream(self, request: tw.ModelRequest) -> AsyncIterator[Any]:
        for one in self.said:
            yield one if isinstance(one, tw.CallMade) else tw.TextDelta(one)


@pytest.mark.parametrize("pieces", [("Is it QX", "7Z", "Z?"), ("Is it QX7ZZ?",), tuple("Is it qx7zz?")])
def test_a_secret_that_a_model_repeats_is_in_no_piece(pieces: Sequence[str]) -> None:
    @in_loop
    async def listens() -> None:
        async with served(tw.open(flow_of(FLOW), model=Repeating(*pieces))) as client:
            await client.post("/api/conversations", json={"flow": "pins", "name": "x"})
            tab = Listening(client.server, "/api/stream?conversation=x")
            await tab.until(bool)
            body = json.dumps({"text": "QX7ZZ"}).encode()
            turn = Listening(client.server, "/api/conversations/x/turns", {"content-type": "application/json"}, body)
            await turn.ended()
            await tab.until(lambda _: bool(tab.named("turn")))
            await tab.leave()
            for stream in (turn, tab):
                shown = "".join(json.loads(one["data"])["text"] for one in stream.named("delta"))
                assert shown == f"Is it {REDACTED}?"
                assert "qx7zz" not in stream.text.lower()

    listens()


@in_loop
async def test_a_reply_that_may_give_a_secret_its_value_is_shown_when_it_is_stored() -> None:
    flow = """\
flow: pins
start: ask
records: {u: {pin: {type: string, secret: true}}}
nodes:
  ask:
    prompt: Ask for the pin.
    writes: [u]
"""
    writing = tw.CallMade("write_u", {"set": {"pin": "QX7ZZ"}})
    async with served(tw.open(flow_of(flow), model=Repeating("I note QX7ZZ.", writing))) as client:
        app = client.server.service.apps["pins"]
        await client.post("/api/conversations", json={"flow": "pins", "name": "x"})
        pieces = [one async for one in app.chat("x").stream("QX7ZZ") if isinstance(one, tw.Delta)]
        assert pieces, "the program itself receives them"
        body = json.dumps({"text": "it is QX7ZZ"}).encode()
        turn = Listening(client.server, "/api/conversations/x/turns", {"content-type": "application/json"}, body)
        await turn.ended()
        assert not turn.named("delta")
        assert "QX7ZZ" not in turn.text
        assert turn.named("message")


@in_loop
async def test_a_former_secret_that_an_operator_repeats_is_in_no_answer_and_no_stream() -> None:
    pin = "pin: {type: string, secret: true}"
    flow = f"flow: pins\nstart: talk\nrecords: {{u: {{{pin}}}}}\nnodes: {{talk: {{prompt: Talk., collect: [u]}}}}"
    changes: list[dict[str, Any]] = [{"set": {"u.pin": "QX7ZZ"}}, {"set": {"u.pin": "ABCDE"}}, {"clear": ["u.pin"]}]
    async with served(tw.open(flow_of(flow), model=Repeating("Hello."))) as client:
        post = client.post
        await post("/api/conversations", json={"flow": "pins", "name": "x"})
        for change in changes:
            changed = await client.patch("/api/conversations/x/records", json=change)
            assert changed.status_code == 200, changed.text
        for number in range(30):
            await post("/api/conversations/x/turns", json={"text": f"hm {number}"})
        await post("/api/conversations/x/person/take-over", json={"operator": "Otto"})
        for app in client.server.service.apps.values():
            app.runtime.turns.drop("x")
        tabs = [Listening(client.server, f"/api/stream?conversation=x{more}") for more in ("", "&debug=true")]
        for tab in tabs:
            await tab.until(bool)
        answer = await post("/api/conversations/x/person/say", json={"text": "It was QX7ZZ, then ABCDE."})
        said = f"It was {REDACTED}, then {REDACTED}."
        assert [one["text"] for one in answer.json()["messages"]] == [said]
        number = answer.json()["number"]
        again = await client.get(f"/api/conversations/x/turns/{number}")
        assert [one["text"] for one in again.json()["messages"]] == [said]
        for tab in tabs:
            await tab.until(lambda _: bool(tab.named("turn")))  # noqa: B023
            await tab.leave()
            assert said in tab.text
            assert "QX7ZZ" not in tab.text
            assert "ABCDE" not in tab.text
