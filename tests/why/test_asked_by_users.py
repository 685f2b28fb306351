"""Questions that users, authors and support ask about the examples: the answer is true, whole, and about the question."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from runpy import run_path

import pytest

import turnwise as tw
from turnwise.models.scripted import ScriptedModel
from turnwise.why.answer import Subject, lines_of

CASE = "examples/eligibility/eligibility.flow.yaml"
HEALTH = "examples/health_intake/health_intake.flow.yaml"
CALL_BACK = "examples/health_intake/call_back.flow.yaml"
MACHINE = "examples/context_machine/context_machine.flow.yaml"
BUNGLED = ("Hi, I am Carla", "I am 30 years old")
WHOLE = (
    *BUNGLED,
    "sorry, I am 48",
    "yes I agree",
    "I sleep badly and forget things",
    "and my joints",
    "No, that was it",
)

Step = str | Callable[[tw.SyncChat], object]


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def lena(chat: tw.SyncChat) -> object:
    return chat.take_over("Lena", reason="on shift")


def choose_expert(chat: tw.SyncChat) -> object:
    return chat.give_back("ok", transition="expert", reason="I know the case")


def fire(chat: tw.SyncChat) -> object:
    return chat.fire("turned_away")


STORIES: dict[str, tuple[str, tuple[Step, ...]]] = {
    "stopped": (CASE, ("Unknown",)),
    "expert": (CASE, ("Yes", "Yes", "referral please")),
    "chosen": (CASE, ("Yes", lena, choose_expert)),
    "cancelled": (CASE, ("Yes", "cancel")),
    "man": (HEALTH, ("I am Carla, 48", "I am a man")),
    "late": (HEALTH, ("I am Carla, 30", "sorry, I am 48", fire)),
    "missed": (CASE, ("Yes", "Yes", "bla")),
    "undone": (CASE, ("Yes", "Yes", "referral please", undo)),
    "young": (HEALTH, BUNGLED),
    "whole": (HEALTH, WHOLE),
    "changing": (CASE, ("Yes", "No", "Billing", "Escalate", "Urgent", "change the urgency")),
    "named": (HEALTH, ("Hi, I am Carla",)),
    "with_her": (CASE, ("Yes", lena)),
    "awaited": (CALL_BACK, ("a rash", "0151 234567", "hello? anybody?")),
    "with_lena": (CALL_BACK, ("a rash", "0151 234567", lena, "hi Lena")),
}


def played(name: str) -> tw.SyncChat:
    flow, steps = STORIES[name]
    chat = tw.open_sync(flow).chat("a")
    chat.start()
    for step in steps:
        chat.say(step) if isinstance(step, str) else step(chat)
    return chat


CANNOT_GO_ON = "I cannot go on with your answer about patient information. I can with: Yes."
AWAITED = "I am waiting for a person who will answer you here."
WITH_PERSON = "A person is answering you now, so I do not."
CHOSEN = "A person decided that."
UNDER_AGE = "The reason is: under age 38."
ASKED = [
    ("young", "node ineligible", ("introduction → ineligible by too_young",), UNDER_AGE),
    ("changing", "form intake", ("case.urgency is asked again because the user wanted to change",), ""),
    ("named", "field user.gender", ("as none is connected, names it",), ""),
    ("young", "field user.gender", ("what the user says in introduction and ineligible",), ""),
    ("with_her", "question", ("the form of intake asks nothing while the conversation is with Lena",), WITH_PERSON),
    ("changing", "timer person timeout", ("the timer person timeout is not armed, because no person is awaited",), ""),
    ("changing", "form", ("case.urgency is asked again because the user wanted to change",), ""),
    (
        "missed",
        "field case.urgency",
        ("nothing has set it yet; case.urgency is not asked yet",),
        "I do not know urgency yet. I ask for this later: urgency.",
    ),
    (
        "missed",
        "field case.purpose",
        ("was not understood",),
        "I did not understand the answer about purpose of the check. That is not one of the options: Billing, Treatment, Referral.",
    ),
    ("stopped", "question", ("the form of intake stopped because case.patient_info is Unknown",), CANNOT_GO_ON),
    ("stopped", "end", ("one of its stop values No and Unknown; it would go on with Yes",), CANNOT_GO_ON),
    ("stopped", "conversation", ("case.patient_info is Unknown, one of its stop values",), CANNOT_GO_ON),
    (
        "expert",
        "end",
        (
            "ended with the outcome expert, because the transition expert led to expert, which ends it: a referral with earlier",
        ),
        "The reason is: a referral with earlier inconsistencies is not for a machine.",
    ),
    ("expert", "node handed_over", ("handed_over was never entered: done was not judged",), ""),
    (
        "undone",
        "transition expert",
        (
            "expert was taken in turn 4: a referral with earlier inco",
            "; turn 5 undid that; expert was not judged in turn 5",
        ),
        "",
    ),
    (
        "undone",
        "conversation",
        ("the conversation waits for a button",),
        "I ask because I still need purpose of the check.",
    ),
    ("young", "transition turned_away", ("when its delay has come, 30m: not due yet, but at",), ""),
    ("young", "field user.age", ("user.age was set to 30, as the rules understood it, from “30”",), ""),
    (
        "young",
        "timer turned_away",
        ("the timer turned_away is armed since turn 3, and is not due yet: it is due at",),
        "",
    ),
    ("young", "node profiler", ("never entered: complete did not hold, because it needs user.age >= 38",), ""),
    ("whole", "field user.age", ("from “48” (was 30)",), ""),
    ("whole", "transition too_young", ("too_young was taken in turn 3: under age 38; ",), UNDER_AGE),
    ("whole", "end", ("outcome completed, because the transition once_farewell led to farewell, which ends it",), ""),
    ("awaited", "conversation", ("the conversation is waiting for a person in the queue nurses (a rash)",), AWAITED),
    ("awaited", "message 4", ("a person of the queue nurses is awaited",), AWAITED),
    ("with_lena", "conversation", ("the conversation is with Lena, who is in charge since 20",), WITH_PERSON),
    ("with_lena", "message 5", ("because Lena is in charge",), WITH_PERSON),
    ("with_lena", "person", ("Lena is in charge since",), WITH_PERSON),
    ("with_lena", "person Lena", ("on shift",), WITH_PERSON),
    ("expert", "question", ("no question is open: expert asks none",), "This conversation has ended."),
    ("chosen", "transition expert", ("chosen by Lena, a person: I know the case",), CHOSEN),
    ("chosen", "node expert", ("intake → expert by expert; chosen by Lena, a person: I know the case",), CHOSEN),
    ("chosen", "end", ("which ends it; chosen by Lena, a person: I know the case",), CHOSEN),
    ("cancelled", "end", ("the form of intake asks nothing because the user cancelled it",), ""),
    (
        "man",
        "transition complete",
        ("complete did not hold, because it needs user.tos_ack",),
        "That needs agreement to the terms, which I do not know yet.",
    ),
    (
        "man",
        "node ineligible",
        ("introduction → ineligible by ineligible_male: user is male",),
        "The reason is: user is male.",
    ),
    ("late", "turn 4", ("the timer turned_away came due and changed nothing, because introduction is in charge",), ""),
    ("young", "model", ("no model was called in turn 3",), ""),
    ("young", "turn 3", ("introduction → ineligible by too_young",), ""),
    ("stopped", "turn 2", ("it would go on with Yes",), ""),
]


@pytest.mark.parametrize(("story", "subject", "texts", "plain"), ASKED, ids=[f"{row[0]}-{row[1]}" for row in ASKED])
def test_the_line_and_the_sentence_answer_the_question(
    story: str, subject: str, texts: tuple[str, ...], plain: str
) -> None:
    answer = played(story).why(subject)
    assert not [text for text in texts if text not in answer.line], answer.line
    assert plain in ("", answer.plain)


NAMES = [
    ("changing", "planner", "form intake"),
    ("changing", "PROBLEM_STATEMENT", "form intake"),
    ("changing", "timer", "timer person timeout"),
    ("young", "prompt", "the model"),
    ("young", "turn", "turn 3"),
    ("undone", "expert", "transition expert"),
    ("chosen", "expert", "transition expert"),
    ("man", "ineligible", "node ineligible"),
    ("whole", "age", "field user.age"),
    ("missed", "case.urgency", "field case.urgency"),
]


@pytest.mark.parametrize(("story", "name", "subject"), NAMES, ids=[f"{row[0]}-{row[1]}" for row in NAMES])
def test_a_name_alone_is_a_subject(story: str, name: str, subject: str) -> None:
    assert str(played(story).why(name).subject) == subject


def test_a_failure_is_said_to_the_user() -> None:
    chat = tw.open_sync(MACHINE, model=ScriptedModel(["I did nothing."])).chat("a")
    chat.run()
    for question in ("end", "conversation"):
        answer = chat.why(question)
        assert "the last turn failed (stuck): no way out of" in answer.line
        assert answer.plain == "I did not get any further, because I do not have the result of the task."


def test_a_value_that_was_understood_twice_in_a_turn_had_none_before() -> None:
    assert "(was 30)" not in played("young").why("user.age").line


def test_an_end_is_no_move() -> None:
    one = played("expert")
    other = one.fork("b", turn=3)
    other.say("referral, please")
    assert one.compare("b").line == "a and b made the same moves: 1"


def test_what_was_erased_is_said_to_be_erased_and_nothing_is_claimed_about_it() -> None:
    clock = tw.ManualClock(1_767_225_600_000)
    app = tw.open_sync(CASE, clock=clock)
    chat = app.chat("a")
    for text in ("Yes", "Yes"):
        chat.say(text)
    clock.move_s(10 * 86_400)
    for text in ("Billing", "bla"):
        chat.say(text)
    app.retain(tw.Retention(events_days=5))
    assert chat.why("turn 2").plain == "That is no longer stored, so I cannot say why."
    empty = chat.why("case.urgency")
    assert "nothing in the turns that are still stored set it" in empty.line
    assert empty.plain == "I do not know urgency yet. I ask for this later: urgency."


def test_the_user_who_asks_why_is_told_with_which_answer_the_form_stopped() -> None:
    document = Path(CASE).read_text("utf-8").replace("commands: [ask, undo]", "commands: [ask, undo, why]")
    chat = tw.open_sync(tw.loads(document)).chat("a")
    chat.say("Unknown")
    assert chat.say("why?").text.startswith("I cannot go on with your answer about patient information.")


def test_a_form_in_which_an_answer_is_changed_still_asks_for_it() -> None:
    answer = played("changing").why("form")
    later = answer.fact("confirmation_later")
    assert later is not None
    assert later.values["missing"] == "case.urgency"


def test_a_python_guard_is_asked_for_by_its_name_and_gave_the_reason() -> None:
    found = run_path("examples/health_intake/guards.py")
    flow = "examples/health_intake/with_code.flow.yaml"
    chat = tw.open_sync(flow, guards=[found["route"], found["three_groups"]]).chat("a")
    for text in ("hello", "I'm Nora and I'm 30", "sorry, I am 48"):
        chat.say(text)
    answer = chat.why("route")
    assert str(answer.subject) == "transition to_ineligible"
    assert [str(one) for one in answer.also] == ["transition to_profiler"]
    assert answer.line == "to_ineligible did not hold, because the function route returned nothing"
    entered = chat.why("node ineligible").fact("node_left")
    assert entered is not None
    read = "the function route returned ineligible after reading user.gender = nothing, user.age = 30"
    assert entered.text == f"introduction → ineligible by to_ineligible: name, age, gender and terms decide; {read}"


def test_the_terminal_says_nothing_twice() -> None:
    for story, question in [("whole", "age"), ("expert", "expert"), ("missed", "question"), ("missed", "case.purpose")]:
        lines = [line.text.lstrip("←· ").partition("   ")[0] for line in lines_of(played(story).why(question))]
        assert len(lines) == len(set(lines)), lines


def test_a_timer_of_persons_is_offered_only_where_the_flow_waits_for_one() -> None:
    assert [str(one) for one in subjects_of("young", "timer")] == ["timer turned_away"]
    assert [str(one) for one in subjects_of("awaited", "timer")] == ["timer person timeout"]


def subjects_of(story: str, name: str) -> tuple[Subject, ...]:
    answer = played(story).why(name)
    return (answer.subject, *answer.also)


@pytest.mark.parametrize(
    ("last", "before"),
    [((), "The reason is: what is known no longer rules the user out. "), (("I don't agree to the terms",), "")],
)
def test_who_asks_why_is_told_what_is_still_missing(last: tuple[str, ...], before: str) -> None:
    document = Path(HEALTH).read_text("utf-8")
    document = document if "commands: [" in document else document.replace("start:", "commands: [why]\nstart:", 1)
    document = re.sub(r"^commands: \[.*\]$", "commands: [undo, why]", document, flags=re.MULTILINE)
    chat = tw.open_sync(tw.loads(document)).chat("a")
    for text in ("I'm Maria, and I'm 35", "sorry, I am 48", *last):
        chat.say(text)
    assert chat.say("why?").text == before + "I ask because I still need agreement to the terms."


PASSED_ON = "I have passed that on. A person will answer you here."


@pytest.mark.parametrize("question", ["why?", "warum?", "why do I have to wait?", "warum muss ich jetzt warten?"])
def test_who_waits_for_a_person_and_asks_why_gets_the_reason_for_the_wait(question: str) -> None:
    chat = played("awaited")
    assert chat.say(question).text == f"{PASSED_ON} The reason for the wait is: a nurse is asked for."
    assert chat.say("and now?").text == PASSED_ON
    chat.take_over("Lena")
    assert chat.say(question).text == ""


def test_who_asked_for_a_person_is_told_so_where_users_may_ask_why() -> None:
    document = Path(CASE).read_text("utf-8").replace("commands: [ask, undo]", "commands: [undo, why, hand_over]")
    document = document.replace("\nstart:", "\nperson: {queue: desk}\nstart:", 1)
    chat = tw.open_sync(tw.loads(document)).chat("a")
    chat.start()
    chat.say("I want to talk to a human")
    assert chat.say("why?").text == f"{PASSED_ON} You are waiting because you asked for a person."


def test_who_may_not_ask_why_is_only_told_that_the_question_is_passed_on() -> None:
    document = Path(CALL_BACK).read_text("utf-8").replace("commands: [why]", "commands: []")
    chat = tw.open_sync(tw.loads(document)).chat("a")
    for text in ("hello", "a rash", "0151 234567"):
        chat.say(text)
    assert chat.say("why?").text == PASSED_ON


@pytest.mark.parametrize(
    ("said", "field", "line", "plain"),
    [
        (
            ("ok",),
            "case.patient_info",
            "as “ok” is a word for Yes",
            "I have “Yes” for patient information because you said “ok”.",
        ),
        (("Yes",), "case.patient_info", "", "You answered “Yes” for patient information."),
        (
            ("Yes", "Yes", "Billing", "tell me", "asap"),
            "case.urgency",
            "as “asap” is a word for it in the flow",
            "I have “Urgent” for urgency because you said “asap”.",
        ),
    ],
)
def test_a_value_that_was_said_in_other_words_names_them(
    said: tuple[str, ...], field: str, line: str, plain: str
) -> None:
    chat = tw.open_sync(CASE).chat("a")
    chat.start()
    for text in said:
        chat.say(text)
    answer = chat.why(field)
    assert (" is a word for " in answer.line) == bool(line)
    assert line in answer.line
    assert answer.plain == plain


def test_the_line_about_a_turn_with_two_moves_names_both() -> None:
    nodes = (
        "  a: {say: Hello, transitions: [{id: go, at: before, when: 'message.text == \"go\"', because: it began., to: b}]}\n"
        "  b: {say: On, transitions: [{id: on, at: after, because: it was said., to: c}]}\n"
        "  c: {say: There, transitions: [{id: back, at: before, when: 'message.text == \"back\"', to: a}]}\n"
    )
    chat = tw.open_sync(tw.loads(f"flow: two\nversion: 1\nstart: a\nlanguage: en\nnodes:\n{nodes}")).chat("a")
    chat.start()
    chat.say("go")
    assert chat.why("turn 2").line == "b → c by on: it was said; earlier in this turn: a → b by go"
