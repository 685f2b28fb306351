"""A schedule that opens a scope waits beside a question that a yes answers (law 6.7; 9-21, 9-22, 9-24)."""

from __future__ import annotations

from typing import Any

import pytest

from support.clocked import Clocked, played
from turnwise.core.state import events as e

pytestmark = pytest.mark.law("6.7")

FLOW = """
flow: tutor
start: chat
records:
  feedback: {mood: string}
  order: {size: string}
nodes:
  chat:
    say: Hello.
    transitions:
      - {id: order, at: before, when: 'message.text == "order"', to: order}
      - {id: news, at: event, event: shipped, stay: true, say: It was shipped.}
  order:
    form: {fields: [{field: order.size, ask: Which size?}], confirm: {}}
    transitions: [{to: chat}]
  tips:
    scope: {start: one, nodes: {one: {say: Learn daily., transitions: [{at: before, when: 'message.text == "done"', return: true}]}}}
  quiz:
    scope: {start: one, nodes: {one: {say: Ready?, transitions: [{at: before, when: 'message.text == "done"', return: true}]}}}
  survey:
    scope: {returns: feedback}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
events: {shipped: {parcel: string}}
schedules:
  SCHEDULES
"""
TIPS = 'tips: {at: "17:30", offer: tips, opener: Shall I send tips?}'
SURVEY = 'survey: {at: "18:00", call: survey}'


def flow(*schedules: str) -> str:
    """The flow with these schedules."""
    return FLOW.replace("SCHEDULES", "\n  ".join(schedules))


def play(text: str, steps: Any, begins: str = "2026-11-09 09:00") -> None:
    """Play steps from the morning on."""
    played(text, begins, steps)


async def _waits(talk: Clocked, schedule: str = "survey") -> str:
    known = (await talk.chat.state()).schedules
    armed = known.find(schedule) if known is not None else None
    return armed.waits if armed is not None else ""


def test_a_call_waits_while_an_offer_is_open_and_comes_after_its_answer() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-09 17:30") == ["Shall I send tips?"]
        assert await talk.at("2026-11-09 18:10") == []
        assert await _waits(talk) == "offer"
        assert await talk.due("survey") == "2026-11-09 19:30"
        assert (await talk.chat.say("no")).decisions is not None
        assert await talk.at("2026-11-09 18:12") == ["How was it?"]
        closed = [one.event.outcome for one in await talk.chat.journal() if isinstance(one.event, e.OfferClosed)]
        assert closed == ["declined"]

    play(flow(TIPS, SURVEY), steps)


def test_an_offer_that_is_taken_opens_its_scope_and_the_call_follows_when_it_closed() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-09 18:05")
        assert (await talk.chat.say("yes")).text == "Learn daily."
        assert await talk.at("2026-11-09 18:30") == []
        await talk.chat.say("done")
        assert await talk.at("2026-11-09 18:32") == ["How was it?"]

    play(flow(TIPS, SURVEY), steps)


def test_an_offer_that_nobody_answers_holds_a_call_no_longer_than_its_grace() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-09 17:30")
        assert await talk.at("2026-11-09 19:29") == []
        assert await talk.at("2026-11-09 19:30") == ["How was it?"]
        closed = [one.event for one in await talk.chat.journal() if isinstance(one.event, e.OfferClosed)]
        assert [(one.scope, one.outcome, one.because) for one in closed] == [("tips", "lapsed", "scope")]
        assert [one.did for one in await talk.fired()] == ["offered", "called"]

    play(flow(TIPS, SURVEY), steps)


def test_an_offer_of_yesterday_does_not_hold_a_call() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-09 19:00")
        assert await talk.at("2026-11-10 18:00") == ["How was it?"]

    play(
        flow(
            TIPS.replace("17:30", "18:30").replace("at:", "every: 30d, anchor: 2026-11-09, at:"),
            SURVEY.replace("at:", "every: 30d, anchor: 2026-11-10, at:"),
        ),
        steps,
    )


def test_offers_that_are_made_again_and_again_do_not_put_off_a_call_for_ever() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        found = [await talk.at(f"2026-11-09 {hour}:{minute}") for hour in range(17, 21) for minute in ("10", "40")]
        assert [texts for texts in found if "How was it?" in texts] == [["Tips?", "How was it?"]]
        assert "How was it?" in found[6]  # at 20:10: two hours after 18:00 are over

    play(flow("tips: {cron: '*/30 17-20 * * *', offer: tips, opener: Tips?}", SURVEY), steps)


def test_a_call_whose_missed_times_are_skipped_still_comes_after_an_offer_of_before() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-09 17:30")
        await talk.at("2026-11-09 18:00")
        assert await talk.at("2026-11-09 19:30") == ["How was it?"]

    play(flow(TIPS, SURVEY.replace("call", "missed: skip, call")), steps)


def test_a_call_waits_while_a_form_confirms() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.chat.say("order")
        await talk.chat.say("large")
        state = await talk.chat.state()
        assert state.frame.question is not None
        assert state.frame.question.kind == "confirmation"
        assert await talk.at("2026-11-09 18:30") == []
        assert await _waits(talk) == "form"
        await talk.chat.say("yes")
        assert (await talk.chat.state()).frame.node == "chat"
        assert await talk.at("2026-11-09 18:32") == ["How was it?"]

    play(flow(SURVEY), steps, "2026-11-09 17:55")


def test_a_call_comes_while_a_form_asks_and_its_question_comes_back() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.chat.say("order")
        assert await talk.at("2026-11-09 18:00") == ["How was it?"]
        assert "Which size?" in (await talk.chat.say("good")).text

    play(flow(SURVEY), steps, "2026-11-09 17:55")


def test_a_call_waits_while_a_person_is_in_charge() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.chat.take_over("Ann")
        assert await talk.at("2026-11-09 18:30") == []
        assert await _waits(talk) == "person"
        await talk.chat.give_back("done")
        assert await talk.at("2026-11-09 18:40") == ["How was it?"]

    play(flow(SURVEY), steps)


@pytest.mark.law("6.5")
def test_an_offer_of_a_schedule_waits_while_another_is_open() -> None:
    both = ("tips: {at: '18:00', offer: tips, opener: Tips?}", "quiz: {at: '18:00', offer: quiz, opener: A quiz?}")

    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert await talk.at("2026-11-09 18:00") == ["Tips?"]
        assert [one.did for one in await talk.fired()] == ["offered", "offered"]
        assert (await talk.chat.say("no")).text.endswith("A quiz?")
        assert (await talk.chat.say("yes")).text == "Ready?"

    play(flow(*both), steps)


@pytest.mark.parametrize("first", ["offer", "call"])
def test_an_offer_and_a_call_in_one_second_are_asked_one_after_the_other(first: str) -> None:
    tips = TIPS.replace("17:30", "18:00").replace("offer", f"priority: {1 if first == 'offer' else 200}, offer")

    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        said = await talk.at("2026-11-09 18:00")
        assert said == (["Shall I send tips?"] if first == "offer" else ["How was it?"])
        await talk.chat.say("no" if first == "offer" else "good")
        said = await talk.at("2026-11-09 18:02")
        told = [one.did for one in await talk.fired()]
        assert told == (["offered", "called"] if first == "offer" else ["called", "offered"])
        question = (await talk.chat.state()).frame.question
        assert question is not None
        assert question.kind == ("field" if first == "offer" else "offer")

    play(flow(tips, SURVEY), steps)


@pytest.mark.law("2.17")
def test_an_offer_stays_open_beside_an_event_of_another_system() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-09 17:30")
        assert (await talk.chat.event("shipped", {"parcel": "a"})).text == "It was shipped."
        assert await talk.at("2026-11-09 18:00") == []
        assert (await talk.chat.say("yes")).text == "Learn daily."

    play(flow(TIPS, SURVEY), steps)


def test_a_program_cannot_fire_a_call_beside_an_open_offer() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-09 17:30")
        await talk.chat.fire("survey")
        *_, fired = await talk.fired()
        assert (fired.did, fired.reason, fired.text) == ("nothing", "held", "another proposal is open")
        assert (await talk.chat.say("yes")).text == "Learn daily."

    play(flow(TIPS, SURVEY), steps)
