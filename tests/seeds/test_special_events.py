"""What seed 003 asks of special events: a Viking weekend, in which Ragnar teaches in Maya's place."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import in_loop, served
from support.shell import run

STANDARD = "You are Maya, a helpful tutor."
EVENT = "It is Viking Weekend! You are Ragnar. You scream battle cries between grammar explanations."
SKAL = "SKÅL! I AM RAGNAR! Today we conquer the Dative case! ARE YOU READY?"
FLOW = f"""
flow: tutor
start: chat
time_zone: Europe/Berlin
persona: {STANDARD}
overlays:
  viking_weekend: {{from: 2026-11-20, to: 2026-11-22, name: Ragnar, persona: "{EVENT}"}}
  opening: {{from: 2026-11-20T18:00, to: 2026-11-20T20:00, addendum: Invite everyone to the feast.}}
nodes:
  chat:
    prompt: Teach German.
    transitions:
      - {{id: feast, at: before, when: 'overlay.active("viking_weekend") && message.text == "feast"', call: adventure}}
  adventure: {{scope: {{}}, prompt: Tell a story in which the pupil chooses.}}
"""


class Weekend:
    """A pupil who writes at local times in Berlin, and the requests to the model."""

    def __init__(self, replies: list[Any] | None = None) -> None:
        self.clock = tw.ManualClock(0)
        self.model = tw.ScriptedModel(replies or ["…"] * 9)
        self.app = tw.open_sync(flow_of(FLOW), model=self.model, clock=self.clock)
        self.chat = self.app.chat("max")

    def say(self, at: str, text: str = "Hello.") -> tw.Turn:
        self.clock.set_ms(round(datetime.fromisoformat(f"{at}+01:00").timestamp() * 1000))
        return self.chat.say(text)

    @property
    def persona(self) -> str:
        return self.model.calls[-1].instructions[0]

    @property
    def active(self) -> tuple[str, ...]:
        overlays = self.chat.state().overlays
        return overlays.active if overlays is not None else ()


@pytest.fixture
def weekend() -> Iterator[Weekend]:
    found = Weekend()
    yield found
    assert found.chat.rerun().difference is None
    found.app.close()


@pytest.mark.requirement("003-40", "003-41", "003-42")
def test_the_event_is_found_by_the_date(weekend: Weekend) -> None:
    for at, persona, active in (
        ("2026-11-19T23:59", STANDARD, ()),
        ("2026-11-21T12:00", EVENT, ("viking_weekend",)),
        ("2026-11-23T09:00", STANDARD, ()),  # Monday
    ):
        weekend.say(at)
        assert (weekend.persona, weekend.active) == (persona, active)
        assert len(weekend.model.calls[-1].instructions) == (3 if active else 2)


@pytest.mark.requirement("003-43")
def test_the_override_stands_in_the_prompt_only(weekend: Weekend) -> None:
    weekend.say("2026-11-21T12:00")
    weekend.say("2026-11-23T09:00")
    assert weekend.persona == STANDARD
    assert [line.text for line in weekend.chat.transcript()] == ["Hello.", "…", "Hello.", "…"]
    assert EVENT not in str(weekend.chat.journal())
    assert [message.text for message in weekend.model.calls[-1].transcript] == ["Hello.", "…", "Hello."]


@pytest.mark.requirement("003-44", "003-45")
def test_a_change_of_persona_needs_no_scope_and_may_open_one(weekend: Weekend) -> None:
    weekend.say("2026-11-19T12:00", "feast")
    assert len(weekend.chat.state().frames) == 1
    weekend.say("2026-11-21T12:00")
    assert len(weekend.chat.state().frames) == 1
    weekend.say("2026-11-21T12:01", "feast")
    assert [frame.scope for frame in weekend.chat.frames()] == ["", "adventure"]
    assert weekend.persona == EVENT  # the adventure has no persona of its own


@pytest.mark.requirement("003-48")
def test_events_begin_and_end_at_days_and_at_times(weekend: Weekend) -> None:
    for at, active in (
        ("2026-11-20T17:59:59", ("viking_weekend",)),
        ("2026-11-20T18:00", ("viking_weekend", "opening")),
        ("2026-11-20T20:00", ("viking_weekend", "opening")),
        ("2026-11-20T20:01", ("viking_weekend",)),
        ("2026-11-22T23:59", ("viking_weekend",)),
        ("2026-11-23T00:00", ()),
    ):
        weekend.say(at)
        assert weekend.active == active, at


@pytest.mark.requirement("003-60", "003-61")
def test_the_viking_weekend_flow_line_by_line() -> None:
    weekend = Weekend([SKAL])
    turn = weekend.say("2026-11-21T10:00", "Hello.")  # 1
    assert weekend.active == ("viking_weekend",)  # 2
    assert {decision.overlays for decision in turn.decisions} == {("viking_weekend",)}
    assert weekend.persona == EVENT  # 3
    assert turn.text == SKAL  # 4
    found = weekend.chat.why("the model")
    assert "the overlay viking_weekend was in the instructions for the model: its persona, its name" in [
        fact.text for fact in found.facts
    ]
    weekend.app.close()


@pytest.mark.requirement("003-61")
@in_loop
async def test_its_letters_arrive_whole_over_http() -> None:
    clock = tw.ManualClock(round(datetime.fromisoformat("2026-11-21T10:00+01:00").timestamp() * 1000))
    app = tw.open(flow_of(FLOW), model=tw.ScriptedModel(["Hm.", SKAL]), clock=clock)
    async with served(app, clock=clock) as client:
        await client.post("/api/conversations", json={"flow": "tutor", "name": "max"})
        answer = await client.post("/api/conversations/max/turns", json={"text": "Hello."})
        assert answer.json()["messages"][-1]["text"] == SKAL
        trace = (await client.get("/api/conversations/max/trace")).json()
        assert trace["overlays"] == ["viking_weekend"]


@pytest.mark.requirement("003-61")
def test_its_letters_arrive_whole_in_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "tutor.flow.yaml"
    path.write_text(f'flow: tutor\nstart: chat\nnodes: {{chat: {{say: "{SKAL}", end: said}}}}\n', "utf-8")
    ran = run("chat", path, given=b"")
    assert (ran.code, ran.lines[0]) == (0, SKAL)
