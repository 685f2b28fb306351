"""What persons did: operators who took over, and who sent commands from outside."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import turnwise as tw
from support.why_cases import every
from turnwise.core.state import commands as c
from turnwise.errors import UnknownSubject
from turnwise.models.scripted import ScriptedModel, call

CASE = "examples/eligibility/eligibility.flow.yaml"
HEALTH = "examples/health_intake/health_intake.flow.yaml"
CALL_BACK = "examples/health_intake/call_back.flow.yaml"
MACHINE = "examples/context_machine/context_machine.flow.yaml"

Step = str | Callable[[tw.SyncChat], object]


def sent(*commands: c.AnyCommand, by: str = "dora") -> Step:
    return lambda chat: chat.commands([*commands], by=by)


def lena(chat: tw.SyncChat) -> object:
    return chat.take_over("Lena", reason="on shift")


def said(text: str) -> Step:
    return lambda chat: chat.operator_say(text)


def back(**what: Any) -> Step:
    return lambda chat: chat.give_back("ok", **what)


def start(chat: tw.SyncChat) -> object:
    return chat.start()


def mara(chat: tw.SyncChat) -> object:
    return chat.take_over("Mara", instead_of="Lena", reason="end of shift")


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


AGREED = {"user.tos_acknowledged": True}
BILLING, URGENT = c.Set(field="case.purpose", value="Billing"), c.Set(field="case.urgency", value="Urgent")
MOOD, SLEEP = c.Add(field="symptoms.groups", item="mood"), c.Remove(field="symptoms.groups", item="sleep")
STORIES: dict[str, tuple[str, tuple[Step, ...]]] = {
    "edited": (CASE, ("yes", "partial", sent(BILLING, URGENT), "wait", sent(c.Clear(field="case.insurance_history")))),
    "refused": (CASE, ("yes", sent(c.Set(field="case.purpose", value="Holiday")), "no")),
    "unclear": (CASE, ("yes", "no", "holiday", "repeat")),
    "own": (CASE, ("yes", "no")),
    "phone": (
        HEALTH,
        ("I'm Vroni, 61", lena, said("Do you agree?"), "yes I agree", back(set=AGREED, reason="by phone")),
    ),
    "friend": (HEALTH, ("I'm Wilma, 39", lena, back(transition="complete", reason="is a friend"), "sleep")),
    "too_old": (HEALTH, ("I'm Greta, 54", lena, back(set={"user.age": 400}), "hello?")),
    "boss": (HEALTH, ("I'm Xenia, 70 and I agree to the terms", sent(c.Set(field="user.age", value=20), by="boss"))),
    "many": (CASE, ("yes", *[sent(c.Set(field="case.purpose", value=one)) for one in ("Billing", "Referral") * 5])),
    "several": (CASE, ("yes", sent(BILLING), lena, back(set={"case.urgency": "Urgent"}))),
    "again": (HEALTH, ("I'm Tim, 44", "I'm 150", "I'm 50 and I agree to the terms")),
    "renamed": (HEALTH, ("I'm Yara, 45 and I agree to the terms", "I'm Zoe, 37")),
    "taken_back": (CASE, ("yes", "no", "therapy", "wait", "asap", "no, the purpose is billing", undo)),
    "replaced": (
        HEALTH,
        ("I'm Fritzi", lena, "I'm 47", mara, back(set={"user.age": 470}), back(set={"user.age": 47})),
    ),
    "number": (
        CALL_BACK,
        (start, "a rash", "030 998877", lena, back(transition="to_be_called", set={"call.number": "030 998800"})),
    ),
    "late": (HEALTH, ("I'm Xenia", "I'm 400", "29, and I agree to the terms", "sorry, I am 30")),
    "undone": (CASE, ("yes", "no", "therapy", "wait", "change the purpose", "referral", lambda chat: chat.undo(to=4))),
    "corrected": (CASE, ("yes", "partial", "no actually the history is yes")),
    "items": (HEALTH, ("I'm Eva, 45 and I agree to the terms", "hot flushes", "I sleep badly. Are knees relevant?")),
    "asked": (CASE, ("yes", "perhaps", "partial", "therapy", undo, "billing")),
    "fraud": (CASE, ("yes", lena, back(end="fraud", reason="the card is forged"))),
    "anew": (CASE, ("yes", "no", "therapy", "wait", "asap", "change the urgency", "no hurry", "start over")),
    "list": (HEALTH, ("I'm Kim, 50, I agree to the terms", "sleep", sent(MOOD, SLEEP), "knees")),
    "found": (CASE, ("no", lena, back(set={"case.patient_info": "Yes"}), "partial", "bill")),
    "nothing_undone": (CASE, ("yes", "no", "to whom?", undo)),
    "moved_back": (HEALTH, ("hello", "I am 30", undo)),
    "next_month": (CASE, ("yes", "no", "therapy", "wait", "next month", "asap")),
    "stopped": (CASE, ("unknown", "can we go on?")),
    "synonym": (CASE, ("yes", "partial", "for his therapy", "notify me", "what is it for?", "billing", "wait")),
    "handed_on": (CASE, ("yes", "talk to a human")),
    "over": (HEALTH, ("I'm Paul, 46 and a man", lambda chat: chat.fire("turned_away"))),
    "denied": (CASE, ("yes", "no", "therapy", "wait", "asap", "no", "purpose")),
}


@cache
def played(story: str, language: str = "en") -> tw.SyncChat:
    """Return the conversation of a story, which the tests only ask about."""
    flow, steps = STORIES[story]
    text = Path(flow).read_text("utf-8").replace("language: en", f"language: {language}")
    chat = tw.open_sync(tw.loads(text)).chat("main")
    for step in steps:
        chat.say(step) if isinstance(step, str) else step(chat)
    return chat


class Row(NamedTuple):
    """A subject of a story: texts that must be in the answer, also of causes, and the sentence for the user."""

    story: str
    subject: str
    texts: tuple[str, ...]
    plain: str = ""
    turn: int | None = None


OUTSIDE = "That was done outside this chat."
BY_HAND = "A person decided that."
TO_PROGRAM = (
    "no person is awaited or in charge: the conversation ended in turn 2; the artefact HANDOFF was made in turn 2"
)
ANSWERED = "A person was answering you then, so I did not."
PASSED_ON = "No person answers in this chat. What you said was passed on."
NOTED = "A person noted something down for you: agreement to the terms."
SET_AND_CLEARED = (
    "dora sent commands: set case.purpose = Billing, set case.urgency = Urgent (turn 3); "
    "dora sent commands: clear case.insurance_history (turn 5)"
)
HOLIDAY = (
    "dora sent commands: set case.purpose = Holiday (turn 2; the value Holiday was refused for case.purpose because"
)
LENA_DID = (
    "Lena took over: on shift (turn 2); Lena said “Do you agree?” (turn 3); Lena gave the conversation back "
    "with the outcome ok, set user.tos_acknowledged = true; the reason: by phone (turn 5)"
)
YES = "“yes” in the message of turn 3 stands for Yes of case.insurance_history, and was not taken: the rules take such"
KNEES = "“knees” in the message of turn 3 stands for joints of symptoms.groups, and was not taken: the message asks it"
CLOSED = (
    "A person wanted to note down something for phone number, which was not possible. These answers are closed and cannot "
    "be changed here any more."
)
ROWS = [
    Row(
        "edited",
        "person dora",
        (SET_AND_CLEARED, "lost its value Partial, by a command", "case.urgency was set to Urgent, by a command"),
        OUTSIDE,
    ),
    Row(
        "edited",
        "person dora",
        ("dora sent commands: set case.purpose = Billing, set case.urgency = Urgent (turn 3)",),
        OUTSIDE,
        turn=3,
    ),
    Row("refused", "person dora", (HOLIDAY,), OUTSIDE),
    Row("refused", "turn 2", ("the value Holiday was refused for case.purpose",)),
    Row("own", "field case.insurance_history", ("was set to No, answered by the user",)),
    Row("several", "person", ("Lena gave the conversation back", "dora sent commands")),
    Row("phone", "person Lena", (LENA_DID, "the message “yes I agree” was not"), NOTED),
    Row("too_old", "person Lena", ("Lena took over: on shift (turn 2); Lena wanted to give",)),
    Row("too_old", "person Lena", ("Lena wanted to give the conversation back with user.age = 400",), turn=2),
    Row("boss", "field user.age", ("user.age was set to 20, by a command of boss",)),
    Row(
        "replaced",
        "message 3",
        ("the message “I'm 47” was not interpreted because Lena is in charge",),
        ANSWERED,
    ),
    Row(
        "replaced",
        "field user.age",
        (
            "the message “I'm 47” was not interpreted because Lena",
            "user.age was set to 47, by Mara",
            "the value 470 was refused",
        ),
        "I have “47” for age in years because a person noted it down.",
    ),
    Row(
        "synonym",
        "message 3",
        (
            "“for his therapy” is no answer because it is none of the options Billing, Treatment, Referral; “therapy” in it counts as Treatment where it is the whole answer",
        ),
    ),
    Row("handed_on", "person", (TO_PROGRAM, "the user said “talk to a human”"), PASSED_ON),
    Row("over", "person", ("in charge: the conversation ended",), "This conversation has ended."),
    Row(
        "phone",
        "field user.tos_acknowledged",
        (
            "was set to true, by Lena, who was in charge",
            "the message “yes I agree” was not interpreted because Lena is in charge",
        ),
        "I have “Yes” for agreement to the terms because a person noted it down.",
    ),
    Row("phone", "message 4", ("the message “yes I agree” was not interpreted",)),
    Row("friend", "transition complete", ("chosen by Lena, a person: is a friend",), BY_HAND, turn=3),
    Row("phone", "turn 5", ("introduction → profiler", "by phone")),
    Row(
        "again",
        "field user.age",
        ("only a correction overwrites", "the command set on user.age to 50 was refused", "user.age was set to 44"),
    ),
    Row("renamed", "field user.name", ("“I'm Zoe” in the message of turn 2 reads as Zoe",)),
    Row(
        "taken_back",
        "field case.purpose",
        ("case.purpose had the value Billing until the undo of turn 7", "case.purpose was set to Treatment"),
        "I have “Treatment” for purpose of the check because you said “therapy”. “Billing” was taken back.",
    ),
    Row("replaced", "person Mara", ("the value 470 was refused for user.age because",), turn=4),
    Row("replaced", "person Mara", ("Mara took over from Lena: end of shift (turn 4); ",)),
    Row(
        "number",
        "field call.number",
        ("the command set on call.number to 030 998800 was refused because its form was confirmed and left",),
        "You answered “030 998877” for phone number.",
    ),
    Row("late", "field user.age", ("the value 400, as the rules understood it, was r", "user.age was set to 30")),
    Row(
        "undone",
        "turn 7",
        ("the state of the end of turn 4 was restored, which took back case.purpose = Referral (Treatment again)",),
    ),
    Row("corrected", "field case.insurance_history", (YES,)),
    Row("corrected", "message 3", (YES,)),
    Row("items", "message 3", (KNEES,)),
    Row("items", "field symptoms.groups", (KNEES,)),
    Row(
        "asked",
        "question case.purpose",
        (
            "the state of the end of turn 3 was restored, which took back case.purpose = Treatment",
            "case.purpose was asked for 2 times in this conversation, in turns 3 and 5",
        ),
    ),
    Row(
        "asked",
        "question case.insurance_history",
        (
            "is asked again because the answer was not understood",
            "case.insurance_history was asked for 2 times in this conversation, in turns 1 and 2",
        ),
    ),
    Row("fraud", "end", ("fraud; chosen by Lena, a person: the card is forged",), BY_HAND),
    Row("anew", "field case.urgency", ("set to No Rush, answered by the",)),
    Row("anew", "field case.purpose", ("has no value: case.purpose lost its value", "restart was")),
    Row(
        "list",
        "field symptoms.groups",
        ("turn 3 removed sleep from symptoms.groups", "set to mood, joints", "by a command of dora (was sleep, mood)"),
    ),
    Row("found", "field case.patient_info", ("case.patient_info was set to Yes, by Lena, who was in charge (was No)",)),
    Row(
        "stopped",
        "message 2",
        (
            "the question aside was not answered because nothing that is said at the question of case.patient_info goes to",
        ),
        "At that point I could only take an answer to my question.",
    ),
    Row(
        "denied",
        "question",
        ("the form of intake asks which answer to change because the user named none",),
        "I asked which answer you would like to change because you named none.",
        turn=6,
    ),
    Row("number", "person Lena", ("the command set on call.number to 030 998800 was refused",), CLOSED),
    Row("phone", "turn 3", ("Lena said “Do you agree?”",), "A person wrote that."),
    Row("denied", "form", ("the user wanted to change", "the user said “no”")),
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.story}-{row.subject}-{row.turn or ''}" for row in ROWS])
def test_an_answer_says_what_persons_did(row: Row) -> None:
    answer = played(row.story).why(row.subject, turn=row.turn)
    told = " | ".join(fact.text for fact in every(answer))
    assert not [text for text in row.texts if text not in told], told
    assert row.plain in ("", answer.plain)


def test_an_answer_about_a_person_has_the_acts_as_data() -> None:
    fact = played("phone").why("Lena").fact("person_acted")
    assert fact is not None
    assert [one.kind for one in fact.causes] == ["person_took_over", "person_said", "person_gave_back"]
    assert (fact.turn, fact.about[0].name) == (5, "Lena")
    assert played("stopped").why("message 2").fact("aside_not_answered") is not None


def test_what_was_added_to_a_list_is_a_fact() -> None:
    chat = played("list")
    facts = chat.why("field symptoms.groups").facts
    fact = next(one for one in facts if one.text == "turn 3 added mood to symptoms.groups")
    assert fact.kind == "items_added"
    assert "by a command of dora" in fact.causes[0].text


def test_an_undo_that_took_back_no_value_says_so() -> None:
    undone = played("nothing_undone").why("turn 4")
    assert undone.line == "the state of the end of turn 2 was restored, which took back no value and no move"
    moved = played("moved_back").why("turn 3")
    assert moved.line.endswith("which took back user.age = 30 and the move introduction → ineligible")


def test_an_answer_that_was_not_understood_has_its_words() -> None:
    facts = played("next_month").why("field case.urgency").facts
    assert "the whole message “next month” is no answer because it is none of the options" in facts[1].text


def test_an_item_that_was_removed_is_a_fact() -> None:
    fact = played("list").why("symptoms.groups").fact("items_removed")
    assert fact is not None
    assert (fact.values["before"], fact.values["turn"]) == ("sleep", 3)


def test_of_many_acts_the_newest_are_listed() -> None:
    line = played("many").why("dora").line
    assert line.startswith("2 acts before; dora sent commands: set case.purpose = Billing (turn 4)")
    assert line.endswith("(turn 11)")


def test_a_name_that_did_nothing_is_refused() -> None:
    for question in ("eve", "person eve"):
        with pytest.raises(UnknownSubject, match="nothing"):
            played("edited").why(question)


def test_the_user_is_told_of_an_act_in_german() -> None:
    plain = played("edited", "de").why("person dora").plain
    assert plain == "Das ist außerhalb dieses Gesprächs geschehen."


@pytest.mark.parametrize("question", ["done", "complete"])
def test_a_missing_value_is_traced_to_the_write_that_was_refused(question: str) -> None:
    plan = [call("write_config", set={"reslt": "done"}), "Done!", "Really done."]
    chat = tw.open_sync(MACHINE, model=ScriptedModel(plan)).chat("main")
    chat.run()
    missing = chat.why(question).fact("value_missing")
    assert missing is not None
    assert "'config' has no field 'reslt'" in missing.causes[0].text


def test_a_missing_value_is_traced_to_an_earlier_turn() -> None:
    chat = played("stopped")
    missing = chat.why("expert").fact("value_missing")
    assert missing is not None
    assert not missing.causes
    chat = played("unclear")
    missing = chat.why("transition expert").fact("value_missing")
    assert missing is not None
    assert missing.causes[0].text.startswith("the answer about case.purpose was not understood")


def test_a_write_of_the_model_that_was_refused_is_in_the_answer_about_the_field() -> None:
    plan = [call("write_user", set={"age": 174}), call("write_user", set={"age": 51}), "Thanks."]
    chat = tw.open_sync(HEALTH, model=ScriptedModel(plan)).chat("main")
    chat.say("I'm Nadia, born in '74")
    assert "a write was refused: age: That is more than 120; given 174" in [
        one.text for one in chat.why("user.age").facts
    ]


def test_a_question_whose_answer_came_before_it_says_so_after_the_end() -> None:
    chat = tw.open_sync("examples/eligibility/eligibility.flow.yaml").chat("a")
    for text in ("hello", "yes", "partial", "it is for a bill", "Escalate, and there is no hurry"):
        chat.say(text)
    chat.choose("Looks Good")
    answer = chat.why("question case.urgency")
    assert answer.line == "case.urgency is not asked because it has an answer already, No Rush of turn 5"
    assert answer.plain == "I have urgency already."
