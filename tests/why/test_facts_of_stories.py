"""Short conversations, and what the answers about their subjects say: which value, message, move and question was when."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import turnwise as tw
from asked_stories import ask, partner, played
from support.chats import NOON_MS
from support.stories import shared
from support.why_cases import Case, Talk, check, every
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import ScriptedModel, call

HEALTH = "examples/health_intake/health_intake.flow.yaml"
ELIGIBILITY = "examples/eligibility/eligibility.flow.yaml"

STORIES: dict[str, tuple[str, tuple[str | int, ...]]] = {
    "refused": (HEALTH, ("I'm Rita, 200 years old", "I'm 45", "I'm 51")),
    "turned away": (
        HEALTH,
        ("I'm Olga", "I'm 35 years old and I agree to the terms", "sorry, I am 53", "I sleep badly", "my head aches"),
    ),
    "no longer no": (
        ELIGIBILITY,
        ("yes", "no", "undo", "partial", "billing, and let us wait, it is urgent", "dunno"),
    ),
    "perhaps": (ELIGIBILITY, ("yes", "perhaps", "it is no")),
    "all groups": (
        HEALTH,
        ("I'm Nadia", "I'm 39, and I agree to the terms", "sorry, I am 41", "I sleep badly", "my moods", "my joints"),
    ),
    "two groups": (
        HEALTH,
        ("I'm Nadia", "I'm 39, and I agree to the terms", "sorry, I am 41", "I sleep badly", "my moods"),
    ),
    "undone": (
        ELIGIBILITY,
        ("hello", "yes", "partial", "billing", "tell me", "undo", "Escalate, and there is no hurry"),
    ),
    "misunderstood and undone": (
        ELIGIBILITY,
        ("hello", "yes", "partial", "billing", "banana", "tell me", "undo"),
    ),
    "corrected": (ELIGIBILITY, ("yes", "partial", "billing", "sorry, it is for therapy")),
    "begun anew": (
        ELIGIBILITY,
        ("hello", "yes", "undo", "yes", "no", "start over", "unknown", "I have it now"),
    ),
    "escalated": (ELIGIBILITY, ("hello", "yes", "partial", "billing", "wait", "asap", "no, escalate")),
    "man": (HEALTH, ("I'm Ruth, 36", "sorry, I am 46", "I am a man")),
    "ada": (HEALTH, ("I'm Ada, 45, and I agree to the terms", "I sleep badly")),
    "asked often": (ELIGIBILITY, ("hello", "yes", "help", "referral, please", "perhaps")),
    "elsewhere": (ELIGIBILITY, ("hello", "yes", "help", "referral, please")),
    "changed mind": (HEALTH, ("I'm Quirin, 45", "I do not agree to the terms", "well, I agree to the terms")),
    "agreed": (HEALTH, ("I'm Rita, 45", "I agree to the terms")),
    "timed": (HEALTH, ("I'm Ada", 180, "I'm 45, and I agree to the terms", 3600, "I sleep badly")),
    "maybe": (ELIGIBILITY, ("hello", "yes", "maybe", "partial", "billing", "tell me", "undo")),
    "too old": (HEALTH, ("I'm Ada, 45", "I'm 200", "I'm 46")),
    "nothing named": (HEALTH, ("I'm Ada", "well, it is what it is")),
    "maria": (HEALTH, ("I'm Maria, 35", "sorry, I am 48")),
}
"""Flows and messages; a number is that of the seconds that pass."""


@shared
def told(story: str) -> tw.SyncChat:
    path, steps = STORIES[story]
    clock = tw.ManualClock(NOON_MS)
    chat = tw.open_sync(path, clock=clock).chat("a")
    for step in steps:
        if isinstance(step, int):
            clock.move_s(step)
        else:
            chat.say(step)
    return chat


class Row(NamedTuple):
    """A subject of a story: texts that must be in its answer, also of causes, and a part of the sentence for the user."""

    story: str
    subject: str
    texts: tuple[str, ...]
    plain: str = ""
    turn: int | None = None


AT = "2026-01-09 13:03:00 CET"
UNDID = "which took back case.on_failure = Notify"
ROWS = [
    Row(
        "refused",
        "field user.age",
        ("user.age was set to 45", "the command set on user.age to 51 was refused"),
        "I could not take a later answer about that. I have “45” for age in years already.",
    ),
    Row("refused", "message 1", ("the value 200, as the rules",), "That is more than 120."),
    Row(
        "turned away",
        "message 5",
        (
            "nothing in the message was understood",
            "in profiler; what can be understood there: symptoms.groups (sleep, mood, memory, hot flushes, joints)",
        ),
    ),
    Row("turned away", "field symptoms.groups", ("symptoms.groups was set to sleep",)),
    Row(
        "turned away",
        "node ineligible",
        (
            "introduction → ineligible by too_young: under age 38; too_young held in turn 2, as user.age was 35",
            "and left in turn 3 by corrected (what is known no longer rules",
        ),
    ),
    Row("turned away", "person", ("no person is awaited or in charge",)),
    Row("no longer no", "field case.insurance_history", ("set to Partial", "had the value No until the undo")),
    Row(
        "no longer no",
        "message 5",
        ("stands for Wait of case.on_failure, and was not", "case.urgency was set to Urgent"),
    ),
    Row("perhaps", "field case.insurance_history", ("set to No",)),
    Row("all groups", "node closing", ("profiler → closing by three_groups",)),
    Row(
        "two groups",
        "field symptoms.groups",
        ("symptoms.groups was set to sleep, mood", "it needs size(symptoms.groups) >= 3"),
    ),
    Row(
        "undone",
        "question case.on_failure",
        (UNDID, "was asked for 2 times in this conversation, in turns 4 and 6", "the user was asked for"),
    ),
    Row("undone", "turn 6", (UNDID, "that was at 2026-01-09 12:00:00 UTC, in turn 6, by the user, who said “undo”")),
    Row(
        "misunderstood and undone",
        "question case.on_failure",
        (UNDID, "is asked again because the answer was not understood"),
    ),
    Row(
        "corrected",
        "field case.purpose",
        (
            "case.purpose was set to Treatment",
            "was set 2 times in this conversation: Billing in turn 3, then Treatment",
        ),
    ),
    Row(
        "begun anew",
        "question case.patient_info",
        ("lost its value Yes, because the form of intake began anew", "was asked for 3 times"),
        turn=6,
    ),
    Row(
        "begun anew",
        "field case.patient_info",
        ("lost its value Yes, because the form of intake began anew", "was set 2 times"),
        turn=6,
    ),
    Row("begun anew", "turn 6", ("which removed case.patient_info = Yes and case.insurance_history = No",)),
    Row("escalated", "field case.on_failure", ("case.on_failure had the value Wait", "set to Escalate")),
    Row("man", "node ineligible", ("introduction → ineligible by ineligible_male",)),
    Row("ada", "node profiler", ("introduction → profiler by complete", "stayed in profiler")),
    Row(
        "asked often",
        "question case.insurance_history",
        ("is asked again because the answer was not understood", "was asked for 4 times"),
    ),
    Row("elsewhere", "field case.insurance_history", ("and was stored in case.purpose instead", "is asked because")),
    Row("elsewhere", "field case.patient_info", ("case.patient_info was set to Yes",)),
    Row(
        "changed mind",
        "field user.tos_acknowledged",
        ("was set 2 times in this conversation: false in turn 2", "had the value false from turn 2 until turn 3"),
    ),
    Row(
        "changed mind",
        "transition complete",
        ("complete did not hold, because it needs user.tos_acknowledged (is false)",),
        "I had “No” for agreement to the terms, which stood against that.",
        turn=2,
    ),
    Row(
        "agreed",
        "field user.tos_acknowledged",
        ("was set to true", "was set once in this conversation: true in turn 2", ", in turn 2, by the user, who said"),
    ),
    Row("timed", "field user.age", ("user.age was set to 45", f"that was at {AT}, in turn 2")),
    Row("timed", "transition complete", ("introduction → profiler by complete", f"that was at {AT}, in turn 2")),
    Row("timed", "node introduction", ("introduction → profiler", f"(turn 1) until {AT} (turn 2)")),
    Row("maybe", "message 6", ("case.on_failure was set to Notify", UNDID)),
    Row("maybe", "message 3", ("case.insurance_history was not understood",)),
    Row("too old", "field user.age", ("user.age was set to 45", "the value 200, as the rules")),
    Row("nothing named", "message 2", ("nothing in the message",)),
    Row(
        "maria",
        "transition corrected",
        ("corrected did not hold, because it needs user.age >= 38 (is 35)",),
        "I had “35” for age in years, which stood against that.",
        turn=1,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.story}-{row.subject}" for row in ROWS])
def test_an_answer_says_what_became_of_its_subject(row: Row) -> None:
    answer = told(row.story).why(row.subject, turn=row.turn)
    texts = " | ".join(fact.text for fact in every(answer))
    assert not [text for text in row.texts if text not in texts], texts
    assert row.plain in answer.plain


def test_a_dropped_timer_names_the_move_that_left_its_node() -> None:
    chat = tw.open_sync(HEALTH).chat("a")
    for text in ("I'm Olga", "I'm 35 years old and I agree to the terms", "sorry, I am 53"):
        chat.say(text)
    fact = chat.why("turned_away").fact("timer_dropped")
    assert fact is not None
    assert fact.text == "the timer turned_away was dropped, because ineligible was left by corrected"
    assert fact.causes[0].values["transition"] == "corrected"


def test_a_timer_that_came_due_leads_back_to_what_brought_its_node_in_charge() -> None:
    clock = tw.ManualClock(NOON_MS)
    chat = tw.open_sync(HEALTH, clock=clock).chat("a")
    for text in ("I'm Paul, a man, 50, and I agree to the terms", "hm"):
        chat.say(text)
    chat.fire("turned_away")
    walked = [one.text for one in chat.why("end").facts[0].walk()]
    assert "user.gender was set to male, as the rules understood it, from “man”" in str(walked)


def test_what_a_person_set_and_why_one_came_is_in_the_answer_about_the_person() -> None:
    chat = tw.open_sync(HEALTH).chat("a")
    chat.say("I'm Wilma, 39")
    chat.take_over("Lena", reason="training")
    chat.give_back("helped", set={"user.age": 45})
    texts = [fact.text for fact in chat.why("person").facts]
    assert texts[0] == "Lena gave the conversation back with the outcome helped, set user.age = 45"
    assert "Lena took over: training" in texts


@pytest.mark.parametrize("subject", ["conversation", "turn"])
def test_a_failure_is_the_first_fact(subject: str) -> None:
    model = ScriptedModel(["Welcome, Svenja.", ProviderFailed("the network is down")])
    chat = tw.open_sync(HEALTH, model=model).chat("a")
    for text in ("I'm Svenja, 44", "I agree to the terms"):
        chat.say(text)
    assert "failed (model): the network is down" in chat.why(subject).line


def test_a_message_that_was_not_answered_has_the_failure_of_its_turn_first() -> None:
    answer = played["failed"]().why("message 2")
    assert answer.line == "the turn failed (model): the service is overloaded"


def test_each_time_that_a_timer_came_due_is_asked_for_by_its_turn() -> None:
    chat = tw.open_sync(HEALTH).chat("a")
    chat.say("I'm Bert, I am 51 and a man")
    chat.say("sorry, I am a woman")
    chat.fire("turned_away", visit=1)
    chat.say("no, I am a man")
    chat.fire("turned_away")
    first = chat.why("timer turned_away", turn=3)
    assert first.line.startswith("the timer turned_away came due and changed nothing")
    assert "its transition was taken" in chat.why("timer turned_away").line


def test_every_failure_is_counted() -> None:
    model = ScriptedModel(["Hello.", ProviderFailed("503"), "Well.", ProviderFailed("429")])
    chat = tw.open_sync(HEALTH, model=model).chat("a")
    for text in ("I'm Anna, 45", "what are the terms?", "I see", "are you there?"):
        chat.say(text)
    for subject, count in (
        ("conversation", "a turn failed 2 times in this conversation, in turns 2 and 4"),
        ("model", "the model failed 2 times in this conversation, in turns 2 and 4"),
    ):
        answer = chat.why(subject)
        assert "429" in answer.line
        assert count in [fact.text for fact in answer.facts]


def test_what_a_person_and_the_user_said_to_each_other_is_in_the_answer_about_the_person() -> None:
    chat = tw.open_sync("examples/health_intake/call_back.flow.yaml").chat("a")
    chat.start()
    for text in ("a rash", "0170 112233"):
        chat.say(text)
    chat.take_over("Mara", reason="skin is hers")
    chat.operator_say("Put something cool on it.")
    chat.say("I will")
    chat.give_back("call", transition="helped", reason="it itches less already")
    assert chat.why("person").line.startswith("Mara gave the conversation back")
    texts = [fact.text for fact in every(chat.why("person Mara"))]
    assert "Mara said “Put something cool on it.”" in texts
    assert "Mara took over: skin is hers" in str(texts)
    assert [text for text in texts if text.startswith("the message “I will” was not interpreted")]


def test_words_that_a_model_did_not_take_are_in_the_answer_about_the_field() -> None:
    chat = tw.open_sync(HEALTH, model=ScriptedModel(["Hello.", "And your joints?", "Noted."])).chat("a")
    for text in ("I'm Anna, 43, and I agree to the terms", "I cannot sleep", "and my knees hurt"):
        chat.say(text)
    texts = [fact.text for fact in chat.why("field symptoms.groups").facts]
    knees = "“knees” in the message of turn 3 stands for joints of symptoms.groups"
    assert [text for text in texts if text.startswith(knees)]


def test_each_value_that_messages_name_and_that_was_not_taken_is_in_the_answer_about_the_field() -> None:
    wrong = call("write_symptoms", add={"groups": ["tiredness"]})
    chat = tw.open_sync(
        HEALTH, model=ScriptedModel(["Hello.", "How is your mood?", "And?", [wrong], "Is it your sleep?"])
    ).chat("a")
    chat.say("I'm Elsa, 51")
    chat.take_over("Lena")
    chat.say("I agree. And I sleep badly")
    chat.give_back("helped", set={"user.tos_acknowledged": True})
    for text in ("my mood is low", "I am always tired"):
        chat.say(text)
    answer = chat.why("field symptoms.groups")
    assert answer.line.startswith("symptoms.groups has no value: a write was refused")
    texts = [fact.text for fact in answer.facts]
    assert [text for text in texts if text.startswith("“mood” in the message of turn 5 stands for mood")]
    assert "was not interpreted because Lena is in charge" in chat.why("message 3").line


def test_a_refused_call_is_found_in_its_turn_and_after_another_tool_failed() -> None:
    rents = partner(
        call("save_result", text="move to Lisbon"),
        "I cannot save that yet.",
        call("web_search", query="rents in Lisbon"),
        "No net.",
        texts=("keep this", "please research the rents in Lisbon"),
    )
    check(rents, Case("tool save_result", "the call of save_result was refused", turn=1))
    check(rents, Case("tool save_result", "", {"call_refused": {"tool": "save_result"}}))
    check(rents, Case("tool web_search", "web_search failed"))


PREPARED = [
    ("without_net", "tool web_search", ("web_search failed: OSError: no network",)),
    ("reviewed", "tool summarize", ("summarize returned “a”",)),
    (
        "maria",
        "node profiler",
        (
            "introduction → profiler by complete",
            "complete did not hold, because it needs user.tos_acknowledged (not known)",
        ),
    ),
    ("maria", "transition too_young", ("introduction → ineligible by too_young",)),
    (
        "maria",
        "node closing",
        ("three_groups did not hold, because it needs size(symptoms", "profiler → closing by three_groups"),
    ),
    ("job", "node planning_mode", ("enter_planning_mode was not judged, because nothing that",)),
    ("hanna", "node profiler", ("after: stayed in profiler: 1 candidate",)),
]


@pytest.mark.parametrize(("story", "subject", "texts"), PREPARED, ids=[f"{row[0]}-{row[1]}" for row in PREPARED])
def test_an_answer_says_also_what_came_before(story: str, subject: str, texts: tuple[str, ...]) -> None:
    told = " | ".join(fact.text for fact in every(ask(story, subject)))
    assert not [text for text in texts if text not in told], told


def test_a_tool_that_the_flow_has_not_is_named_with_its_refusal() -> None:
    replies: list[Any] = [call("delete_everything"), call("write_config", set={"result": "done"}), "Written."]
    chat = tw.open_sync("examples/context_machine/context_machine.flow.yaml", model=ScriptedModel(replies)).chat("a")
    chat.run()
    line = chat.why("tool delete_everything", turn=1).line
    assert line.startswith("the call of delete_everything was refused (unknown tool)")


def test_why_it_stayed_is_the_decision_that_lacked_something() -> None:
    flow = (
        "{flow: f, start: which_clinic, records: {r: {n: integer}}, nodes: {which_clinic: {prompt: Ask., writes: [r],"
        " transitions: [{id: enough, to: c, at: before, when: r.n > 5}]}, c: {say: C}}}"
    )
    chat = Talk(flow).did("hello").chat
    check(chat, Case("node which_clinic", "", {"decided": {"moment": "before", "transition": ""}}))
