"""What seed 003 asks of schedules: feedback on certain days, questions of a period, nightly work, and reminders."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

import turnwise as tw
from support.clocked import Clocked, moment, played
from support.shell import run

FLOW = """
flow: tutor
start: chat
time_zone: ZONE
records:
  user: {name: {type: string, default: Max}, time_zone: string}
  feedback: {answers: answers}
nodes:
  chat: {prompt: You are Maya.}
  survey:
    scope:
      input: {questions: {type: list, of: question}}
      returns: feedback
      summary: "Feedback: {{ size(feedback.answers) }} answers"
    form: {questions: input.questions, into: feedback.answers}
schedules:
  SCHEDULES
"""
QUESTIONS = "{questions: [{id: q1, ask: What was good?}, {id: q2, ask: What was bad?}]}"


def flow(*schedules: str, zone: str = "Europe/Berlin") -> str:
    return FLOW.replace("ZONE", zone).replace("SCHEDULES", "\n  ".join(schedules))


def days(first: date, count: int) -> list[str]:
    return [f"{first + timedelta(days=number)}" for number in range(count)]


async def answer_all(talk: Clocked) -> None:
    while (await talk.chat.state()).outer:
        await talk.chat.say("fine")


@pytest.mark.requirement("003-21", "003-37")
def test_the_survey_opens_on_the_second_tuesday_of_each_month() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        opened: list[str] = []
        for day in days(date(2026, 11, 1), 90):
            if await talk.at(f"{day} 19:00") == ["What was good?"]:
                opened.append(day)
            await answer_all(talk)
        assert opened == ["2026-11-10", "2026-12-08", "2027-01-12"]

    tuesday = f'feedback: {{cron: "0 18 * * 2#2", call: survey, with: {{default: {QUESTIONS}}}}}'
    played(flow(tuesday), "2026-10-31 12:00", steps, "Europe/Berlin")


@pytest.mark.requirement("003-37", "003-50")
def test_the_survey_opens_every_second_week_from_an_anchor() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        opened: list[str] = []
        for day in days(date(2026, 11, 1), 70):
            if await talk.at(f"{day} 19:00"):
                opened.append(day)
            await answer_all(talk)
        assert opened == ["2026-11-03", "2026-11-17", "2026-12-01", "2026-12-15", "2026-12-29"]

    weeks = f"feedback: {{every: 2w, anchor: 2026-09-08, at: '18:00', call: survey, with: {{default: {QUESTIONS}}}}}"
    played(flow(weeks), "2026-10-31 12:00", steps, "Europe/Berlin")


@pytest.mark.requirement("003-39")
def test_each_period_asks_its_own_questions_without_a_new_version(tmp_path: Path) -> None:
    text = flow('feedback: {cron: "0 18 * * 2#2", call: survey}')
    document, store = tmp_path / "tutor.flow.yaml", f"sqlite:///{tmp_path}/talks.db"
    document.write_text(text)
    clock = tw.ManualClock(moment("2026-11-09 12:00"))
    december = {"questions": [{"id": "d1", "ask": "How was the year?"}]}
    with tw.open_sync(tw.loads(text), store=store, clock=clock, model=tw.ScriptedModel(["hi"] * 9)) as app:
        chat = app.chat("max")
        chat.say("hello")
        november = {"questions": [{"id": "n1", "ask": "How were the verbs?"}, {"id": "n2", "ask": "And the nouns?"}]}
        app.set_schedule_input("tutor", "feedback", "2026-11", november, by="Ann")
        words = ("set", document, "feedback", "2026-12", json.dumps(december), "--store", store, "--by", "Bea")
        assert run("schedule", *words).code == 0
        fingerprint = app.machine.fingerprint
        asked: list[str] = []
        for day in ("2026-11-10", "2026-12-08"):
            clock.set_ms(moment(f"{day} 20:00"))
            while app.tick():
                asked.append(chat.turn().text)
            while chat.state().outer:
                asked.append(chat.say("fine").text.partition("\n")[0])
        assert asked[:2] == ["How were the verbs?", "And the nouns?"]
        assert "How was the year?" in asked
        assert app.machine.fingerprint == fingerprint
        assert [(one.period, one.by) for one in app.schedule_inputs("feedback")] == [
            ("2026-11", "Ann"),
            ("2026-12", "Bea"),
        ]
        assert "2026-12" in str(chat.why("feedback"))


@pytest.mark.requirement("003-51")
def test_on_feedback_tuesday_the_wish_for_a_survey_is_in_the_instructions_once() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:00")
        await talk.chat.say("hi")
        await talk.chat.say("ok")
        shown = [sum("Please start a feedback survey" in part for part in one.instructions) for one in talk.model.calls]
        assert shown == [0, 1, 0]

    tuesday = 'feedback: {cron: "0 18 * * 2#2", instruct: Please start a feedback survey.}'
    played(flow(tuesday), "2026-11-09 12:00", steps, "Europe/Berlin")


# what the tutor's scheduler did by itself ---------------------------------------------------------


def test_nightly_work_comes_at_three_once_per_local_date_also_when_the_clocks_change() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        for day in days(date(2026, 10, 23), 5):
            for hour in range(24):
                await talk.at(f"{day} {hour:02}:59")
        fired = [talk.local(one.due_ms) for one in await talk.fired()]
        assert fired == [f"2026-10-{day} 03:00" for day in range(23, 28)]

    played(flow("nightly: {at: '03:00', instruct: A new day begins.}"), "2026-10-22 12:00", steps, "Europe/Berlin")


def test_reminders_come_in_their_windows_and_never_at_night() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        for hour in range(36):
            day, clock = divmod(12 + hour, 24)
            await talk.at(f"2026-11-{9 + day:02} {clock:02}:30")
        fired = [line.split(" remind")[0] for line in await talk.firings()]
        assert fired == [
            "2026-11-09 13:30",
            "2026-11-09 19:30",
            "2026-11-10 08:30",
            "2026-11-10 13:30",
            "2026-11-10 19:30",
        ]

    reminders = "remind: {at: ['08:00', '13:00', '19:00', '23:00'], quiet: '22:00-08:00', instruct: Ask for a word.}"
    played(flow(reminders), "2026-11-09 12:00", steps, "Europe/Berlin")


def test_who_was_silent_for_three_days_is_greeted_again_once() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        for day in days(date(2026, 11, 10), 20):
            await talk.at(f"{day} 12:00")
        assert await talk.firings() == ["2026-11-12 12:00 greet instructed"]
        await talk.chat.say("I am back")
        assert any("missed" in part for part in talk.model.calls[-1].instructions)

    played(
        flow("greet: {idle: 3d, instruct: Say that the user was missed.}"), "2026-11-09 12:00", steps, "Europe/Berlin"
    )


def test_a_zone_that_is_none_leaves_the_zone_as_it_is_and_warns() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        turn = await talk.chat.commands([tw.commands.Set(field="user.time_zone", value="Berlin")])
        assert [one.code for one in turn.warnings] == ["unknown_time_zone"]
        assert await talk.due("evening") == "2026-11-09 18:00"

    played(flow("evening: {at: '18:00', instruct: Ask.}", zone='"{{ user.time_zone }}"'), "2026-11-09 12:00", steps)
