"""Why a schedule fired, with which input, or why it did not; and why a message came that nobody asked for."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.clocked import Clocked, played
from support.why_cases import every
from turnwise.errors import NoClearSubject, UnknownSubject

FLOW = """
flow: tutor
start: chat
time_zone: "{{ user.zone }}"
language: LANGUAGE
commands: [why]
records: {user: {zone: string}, feedback: {mood: string}}
nodes:
  chat: {prompt: You are Maya.}
  survey:
    scope: {returns: feedback, input: {topic: {type: string, default: the lesson}}}
    form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
schedules:
  tuesday: {cron: "0 18 * * 2#2", call: survey, with: {2026-11: {topic: verbs}}}
  note: {at: "09:00", instruct: Ask for a word., quiet: "08:00-10:00"}
  silent: {idle: 3d, instruct: Greet.}
"""
EN = FLOW.replace("LANGUAGE", "en")


def kinds(answer: tw.Answer) -> set[str]:
    return {fact.kind for fact in every(answer)}


def test_it_says_when_it_fired_and_with_which_input() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:00")
        turn = await talk.chat.turn()
        answer = await talk.chat.why("tuesday", turn=turn.number)
        assert answer.line == (
            "the schedule tuesday, due at 2026-11-10 18:00:00 UTC, opened the scope 'survey' with the input of 2026-11: topic = verbs"
        )
        assert {"schedule_fired", "schedule_due", "schedule_waits"} <= kinds(answer)
        asked = await talk.chat.why("field survey/feedback.mood")
        assert "schedule_fired" in kinds(asked)
        scope = await talk.chat.why("scope survey")
        assert "opened by a schedule (tuesday)" in str(scope)
        assert scope.plain.startswith("I begin this by myself at set times, and it was time.")

    played(EN, "2026-11-10 12:00", steps)


def test_the_line_of_the_turn_in_which_it_wrote_names_it() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:00")
        turn = await talk.chat.turn()
        assert turn.text == "How was verbs?"
        answer = await talk.chat.why(f"turn {turn.number}")
        assert answer.line.startswith("the schedule tuesday, due at 2026-11-10 18:00:00 UTC, opened the scope 'survey'")

    played(EN, "2026-11-10 12:00", steps)


OFFERS = """  evening: {at: "19:00", offer: survey, opener: A minute?, with: {default: {}}}
"""


def test_a_user_who_asks_why_they_were_written_to_hears_the_truth() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-09 19:00")
        asked = await talk.chat.say("why did you write to me?")
        assert asked.text == (
            "I begin this by myself at set times, and it was time. It is only an offer, and you decide.\n\nA minute?"
        )
        assert "It is only an offer" in (await talk.chat.say("why?")).text
        await talk.chat.say("no")
        await talk.at("2026-11-10 18:00")
        asked = await talk.chat.say("why did you write to me?")
        assert asked.text.startswith("I begin this by myself at set times, and it was time. I ask because")

    played(EN + OFFERS, "2026-11-09 12:00", steps)


BY_ITSELF = """
flow: tutor
start: chat
commands: [why]
records: {feedback: {mood: string}}
nodes:
  chat: {prompt: You are Maya.}
  survey:
    scope: {returns: feedback}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
events:
  paid: {amount: integer}
transitions:
  - {at: event, when: "event.name == 'paid'", stay: true, say: "Paid: {{ event.amount }}."}
schedules:
  weekly: {cron: "0 9 * * *", call: survey}
"""
WRITTEN_TO = [
    "Why did you write to me?",
    "why are you messaging me",
    "why did I get this message?",
    "Hello, why did you contact me?",
    "Warum hast du mir geschrieben?",
    "Wieso meldest du dich bei mir?",
    "How come you texted me just now?",
    "Weshalb hast du mich angeschrieben?",
    "Wieso kriege ich diese Nachricht?",
    "Warum schickst du mir das?",
    "why the reminder to me?",
]
NOT_ABOUT_WRITING = [
    "why was my message refused?",
    "why did I write that?",
    "why didn't you write to me?",
    "Warum hast du mir nicht geschrieben?",
    "why do you need my contact?",
    "why is the text so long?",
    "Warum ist meine Nachricht weg?",
]


@pytest.mark.parametrize("question", WRITTEN_TO)
def test_a_question_about_what_was_written_is_about_what_wrote_last(question: str) -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 09:00")
        answer = await talk.chat.why(question)
        assert (str(answer.subject), answer.turn) == ("schedule weekly", 2)
        said = (await talk.chat.say(question)).text
        assert said.startswith(("I begin this by myself at set times, and it was time.", "Damit beginne ich"))
        assert (await talk.chat.say("fine")).node == "chat"
        assert (await talk.chat.why(question)).turn == 2
        assert (await talk.chat.say(question)).text == said.partition(".")[0] + ". That was at 9:00 AM."
        event = await talk.chat.event("paid", {"amount": 5})
        answer = await talk.chat.why(question)
        assert (str(answer.subject), answer.turn) == ("event paid", event.number)
        assert (await talk.chat.say(question)).text == "That was done outside this chat."

    played(BY_ITSELF, "2026-11-09 12:00", steps)


@pytest.mark.parametrize("question", NOT_ABOUT_WRITING)
def test_other_questions_are_not_about_what_wrote_last(question: str) -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 09:00")
        await talk.chat.say("fine")
        assert "set times" not in (await talk.chat.say(question)).text
        try:
            about = (await talk.chat.why(question)).subject.kind
        except NoClearSubject:
            about = ""
        assert about != "schedule"

    played(BY_ITSELF, "2026-11-09 12:00", steps)


def test_a_model_answers_where_the_flow_never_writes_first() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        assert (await talk.chat.say("why did you write that to me?")).text.startswith("reply")

    played("flow: plain\nstart: a\ncommands: [why]\nnodes: {a: {prompt: Talk.}}", "2026-11-09 12:00", steps)


def test_it_says_what_it_waits_for_and_what_it_did_last() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        answer = await talk.chat.why("why note")
        assert answer.line == (
            "the schedule note is due at 2026-11-11 09:00:00 UTC, and fires at 2026-11-11 10:00:00 UTC:"
            " it waits for the end of its quiet hours"
        )
        assert answer.plain == "I come to that by myself at Nov 11, 2026, 10:00 AM."
        await talk.at("2026-11-10 18:00")
        assert "as a scope is open" in (await talk.chat.why("note")).line
        await talk.at("2026-11-13 13:00")
        assert "schedule_waits" in kinds(await talk.chat.why("silent"))

    played(EN, "2026-11-10 12:00", steps)


@pytest.mark.parametrize(
    ("language", "plain"),
    [("en", "It was time for it, but it did not fit then"), ("de", "Es war Zeit dafür, aber es passte gerade nicht")],
)
def test_it_says_why_it_did_nothing(language: str, plain: str) -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-12-08 18:00")
        fired = next(one for one in await talk.chat.journal() if getattr(one.event, "reason", "") == "no_input")
        answer = await talk.chat.why("tuesday", turn=fired.turn)
        assert "did nothing, because the scope had no input: no period has an input for this time" in answer.line
        assert answer.plain.startswith(plain)

    played(FLOW.replace("LANGUAGE", language), "2026-12-01 12:00", steps)


@pytest.mark.parametrize(
    ("until", "earlier"), [("12", ""), ("13", "; 1 earlier time was"), ("14", "; 2 earlier times were")]
)
def test_it_counts_the_earlier_times_that_went_with_it(until: str, earlier: str) -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at(f"2026-11-{until} 11:00")
        fired = next(one for one in await talk.chat.journal() if getattr(one.event, "schedule", "") == "note")
        line = (await talk.chat.why("note", turn=fired.turn)).line
        assert ("handled with it" in line) == bool(earlier)
        assert earlier in line

    played(EN, "2026-11-11 11:00", steps)


def test_a_schedule_that_is_not_due_says_why() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-14 12:00")
        answer = await talk.chat.why("silent")
        assert "the schedule silent is not due, because it fired for this silence of the user" in str(answer)
        assert "schedule_not_due" in kinds(answer)

    played(EN, "2026-11-11 11:00", steps)


def test_a_reply_names_the_schedule_whose_text_it_followed() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-11 10:00")
        turn = await talk.chat.say("hi")
        answer = await talk.chat.why("the model", turn=turn.number)
        assert "its instructions had a text of the schedule note" in str(answer)

    played(EN, "2026-11-10 20:00", steps)


def test_a_change_of_the_time_zone_has_its_cause() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        turn = await talk.chat.commands([tw.commands.Set(field="user.zone", value="Asia/Tokyo")])
        answer = await talk.chat.why(f"turn {turn.number}")
        assert "time_zone_changed" in kinds(answer)
        assert "the conversation goes on in the time zone Asia/Tokyo" in str(answer)

    played(EN, "2026-11-10 12:00", steps)


def test_an_unknown_schedule_names_the_nearest() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        with pytest.raises(UnknownSubject, match="did you mean 'tuesday'"):
            await talk.chat.why("schedule tusday")

    played(EN, "2026-11-10 12:00", steps)


def test_a_schedule_whose_turn_was_undone_is_named_with_the_undo() -> None:
    async def steps(talk: Clocked) -> None:
        await talk.chat.say("hello")
        await talk.at("2026-11-10 18:00")
        await talk.chat.undo()
        assert "turn_undone" in [fact.kind for fact in (await talk.chat.why("tuesday")).facts]

    played(EN, "2026-11-09 12:00", steps)
