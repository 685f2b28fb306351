"""Schedules over HTTP: when they are due and what they wait for, fired before their time, inputs by period."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import turnwise as tw
from support.served import Client, in_loop, served
from turnwise.runner.clocks import ForwardClock

NOVEMBER = 1_794_214_800_000
"""Monday 9 November 2026, 09:00 UTC."""
HOUR = 3_600_000
FLOW = """\
flow: tutor
start: chat
time_zone: Europe/Berlin
records: {feedback: {mood: string}}
nodes:
  chat: {say: Hello., transitions: [{id: more, to: chat}]}
  survey:
    scope: {returns: feedback, input: {topic: {type: string, default: the lesson}}}
    form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
schedules:
  feedback_tuesday:
    cron: "0 18 * * 2#2"
    call: survey
    with: {2026-11: {topic: the verbs}, default: {topic: the month}}
  vocabulary: {at: "23:00", quiet: "22:00-08:00", instruct: Ask for one word.}
  silence: {idle: 3d, instruct: Say that the user was missed.}
  every_other: {at: ["09:00", "12:00"], every: 2w, anchor: 2026-11-02, instruct: Repeat.}
"""


@asynccontextmanager
async def tutor(now_ms: int = NOVEMBER) -> AsyncIterator[tuple[Any, tw.ManualClock]]:
    """Serve the flow on a clock of the test, with a conversation `max`."""
    clock = tw.ManualClock(now_ms)
    async with served(tw.open(tw.loads(FLOW), clock=clock), clock=clock) as client:
        await client.post("/api/conversations", json={"flow": "tutor", "name": "max"})
        yield client, clock


async def due(client: Client) -> dict[str, dict[str, Any]]:
    """Return what is due in the conversation `max`, by name, in order."""
    return {one["name"]: one for one in (await client.get("/api/conversations/max/time")).json()["due"]}


@in_loop
async def test_what_is_due_next_and_when() -> None:
    async with tutor() as (client, _):
        found = await due(client)
        assert list(found) == ["vocabulary", "feedback_tuesday", "silence", "every_other"]
        survey = found["feedback_tuesday"]
        assert survey["due_ms"] == NOVEMBER + 32 * HOUR  # 18:00 in Berlin on the second Tuesday
        assert (survey["kind"], survey["does"], survey["because"]) == (
            "schedule",
            "opens Survey",
            "by the cron line 0 18 * * 2#2",
        )
        assert (survey["subject"], survey["held_by"], survey["can_fire"]) == ("schedule feedback_tuesday", "", True)
        assert found["silence"]["because"] == "after 3 days of silence"
        assert found["every_other"]["because"] == "every 2 weeks at 09:00, 12:00, counted from 2026-11-02"
        words = found["vocabulary"]
        assert (words["held_by"], words["because"]) == ("quiet", "every day at 23:00, not in 22:00-08:00")
        assert words["fires_ms"] == words["due_ms"] + 9 * HOUR
        listed = (await client.get("/api/conversations/max")).json()["next_schedule"]
        assert listed == {"name": "vocabulary", "at_ms": words["fires_ms"]}
        german = await client.get("/api/conversations/max/time", headers={"accept-language": "de"})
        assert {one["name"]: one["because"] for one in german.json()["due"]} == {
            "vocabulary": "jeden Tag um 23:00, nicht in 22:00-08:00",
            "feedback_tuesday": "nach der Cron-Zeile 0 18 * * 2#2",
            "silence": "nach 3 Tagen Stille",
            "every_other": "alle 2 Wochen um 09:00, 12:00, gezählt ab 2026-11-02",
        }


@in_loop
async def test_a_schedule_is_fired_now_and_waits_inside_its_scope() -> None:
    async with tutor() as (client, _):
        wrong = await client.post("/api/conversations/max/turns", json={"timer": {"transition": "feedback_tuesdy"}})
        assert wrong.json()["detail"] == "no timer is called 'feedback_tuesdy'; did you mean 'feedback_tuesday'?"
        fired = await client.post("/api/conversations/max/turns", json={"timer": {"transition": "feedback_tuesday"}})
        assert fired.json()["text"] == "How was the verbs?"
        found = await due(client)
        assert {(one["held_by"], one["can_fire"]) for one in found.values()} == {("scope", False)}
        messages = (await client.get("/api/conversations/max/transcript")).json()["messages"]
        (line,) = [one for one in messages if one["sign"] == "clock"]
        assert line["subject"] == "schedule feedback_tuesday"
        assert line["text"].startswith("The schedule feedback tuesday opened")


@in_loop
async def test_the_clock_of_a_demonstration_fires_schedules() -> None:
    clock = ForwardClock()
    async with served(tw.open(tw.loads(FLOW), clock=clock), clock=clock) as client:
        await client.post("/api/conversations", json={"flow": "tutor", "name": "max"})
        first = next(iter((await due(client)).values()))
        ahead = ((first["fires_ms"] or first["due_ms"]) - clock.now_ms()) / 1000 + 1
        moved = (await client.post("/api/demo/clock", json={"advance_s": ahead})).json()
        assert moved["fired"] >= 1
        timeline = (await client.get("/api/conversations/max/timeline")).json()
        assert any(text.startswith(f"The schedule {first['title'].lower()}") for *_, text in timeline["signs"])


@in_loop
async def test_the_inputs_of_a_period_are_listed_set_and_taken_away() -> None:
    async with tutor() as (client, clock):
        found = (await client.get("/api/flows/tutor/schedules")).json()
        assert [one["name"] for one in found] == ["feedback_tuesday", "vocabulary", "silence", "every_other"]
        survey = found[0]
        assert (survey["scope"], survey["takes"]) == ("survey", ["topic"])
        assert [(one["period"], one["input"], one["is_set"]) for one in survey["inputs"]] == [
            ("2026-11", {"topic": "the verbs"}, False),
            ("default", {"topic": "the month"}, False),
        ]
        place = "/api/flows/tutor/schedules/feedback_tuesday/input/2026-11-10"
        put = (await client.put(place, json={"input": {"topic": "this day"}})).json()
        (own,) = [one for one in put["inputs"] if one["is_set"]]
        assert (own["period"], own["input"], own["at_ms"]) == ("2026-11-10", {"topic": "this day"}, NOVEMBER)
        clock.move_s(33 * 3600)
        await client.server.service.apps["tutor"].tick()
        last = (await client.get("/api/conversations/max/transcript")).json()["messages"][-1]
        assert last["text"] == "How was this day?"
        taken = (await client.put(place, json={"input": None})).json()
        assert [one["period"] for one in taken["inputs"]] == ["2026-11", "default"]


@pytest.mark.parametrize(
    ("place", "data", "says"),
    [
        ("feedback_monday/input/2026-11", {}, "feedback_tuesday"),
        ("feedback_tuesday/input/2026-13", {}, "an ISO week"),
        ("feedback_tuesday/input/2026-11", {"topic": 5, "tpoic": "x"}, "input"),
        ("vocabulary/input/2026-11", {"topic": "x"}, "a schedule that opens or proposes a scope"),
    ],
)
def test_what_cannot_be_set_is_refused(place: str, data: dict[str, Any], says: str) -> None:
    @in_loop
    async def asks() -> None:
        async with tutor() as (client, _):
            answer = await client.put(f"/api/flows/tutor/schedules/{place}", json={"input": data})
            assert answer.status_code == 422
            assert says in answer.json()["detail"]

    asks()
