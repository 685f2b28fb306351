"""Moves and timers: which transitions held, too, and what happens if nothing more is said."""

from __future__ import annotations

import re
import runpy
from functools import cache

import pytest

import turnwise as tw
from support.chats import flow_of

CASE = "examples/eligibility/eligibility.flow.yaml"
HEALTH = "examples/health_intake/health_intake.flow.yaml"
BOTH = "introduction → ineligible by ineligible_male: user is male (user.gender is male); too_young (under age 38) held, too"
WENT_BEFORE = (
    "ineligible_male went before too_young, which held, too (under age 38), because its priority 1 goes before 2"
)


def health(*texts: str, name: str = "a", clock: tw.ManualClock | None = None) -> tw.SyncChat:
    chat = tw.open_sync(HEALTH, clock=clock or tw.ManualClock(1_767_225_600_000)).chat(name)
    for text in texts:
        chat.say(text)
    return chat


@pytest.mark.parametrize("question", ["node ineligible", "1", ""])
def test_a_move_names_the_transitions_that_held_too(question: str) -> None:
    answer = health("I'm Tom, a man of 30, and I agree to the terms").why(question)
    assert answer.line == BOTH
    assert answer.plain == "The reason is: user is male; under age 38."


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (("Hello, I am a man", "sorry, I am a woman"), "user.gender was female"),
        (("I am a man", "I am 30", "sorry, I am 50", "sorry, I am a woman"), "user.gender was female"),
        (("I am a man", "I am 30", "sorry, I am a woman", "sorry, I am 50"), "user.age was 50"),
    ],
)
def test_of_the_values_that_made_a_transition_hold_the_newest_comes_first(texts: tuple[str, ...], first: str) -> None:
    assert health(*texts).why("transition corrected").facts[0].causes[0].text.startswith(first)


def test_a_node_says_who_went_before_whom_also_later() -> None:
    chat = health("I'm Tom, a man of 30, and I agree to the terms", "hm")
    texts = [fact.text for fact in chat.why("node ineligible").facts]
    assert texts[:2] == [BOTH, WENT_BEFORE]


OTHER = """
flow: other
start: a
language: de
nodes:
  a:
    say: A.
    transitions:
      - {id: x, at: before, when: 'message.text == "x"', because: darum, to: b}
      - {id: y, at: before, when: 'message.text == "x"', because: deshalb, to: c}
  b: {say: B.}
  c: {say: C.}
"""


def test_a_reason_for_another_node_is_none_for_the_move() -> None:
    chat = tw.open_sync(flow_of(OTHER)).chat("a")
    chat.start()
    chat.say("x")
    answer = chat.why("node b")
    assert answer.line == "a → b by x: darum; y (deshalb) held, too"
    assert answer.plain == "Der Grund ist: darum."


def test_a_timer_that_did_not_fire_yet_is_where_two_conversations_differ() -> None:
    clock = tw.ManualClock(1_767_225_600_000)
    app = tw.open_sync(HEALTH, clock=clock)
    for name in ("paula", "lea"):
        app.chat(name).say("I'm 31")
        clock.move_s(1200)
    app.tick()
    answer = app.chat("lea").compare("paula")
    assert "lea made no further move, and paula ended in ineligible" in answer.line
    assert answer.facts[-1].text.startswith("lea did not take turned_away: the timer turned_away is armed since turn 1")


@pytest.mark.parametrize(
    ("texts", "applied", "sentence"),
    [
        (
            ("yes", "start over"),
            "restart was applied, which removed case.patient_info = Yes",
            "I began anew because you asked for it.",
        ),
        (("yes", "cancel"), "cancel was applied", "I stopped there because you wanted to."),
    ],
)
def test_a_turn_in_which_the_user_asked_for_something_says_so(
    texts: tuple[str, ...], applied: str, sentence: str
) -> None:
    chat = tw.open_sync(CASE).chat("a")
    chat.start()
    for text in texts:
        chat.say(text)
    for question in ("3", "message 3"):
        answer = chat.why(question)
        assert answer.line == f"the command {applied}"
        assert answer.plain == sentence


def test_a_timer_that_came_due_says_the_reason_to_the_user() -> None:
    clock = tw.ManualClock(1_767_225_600_000)
    chat = health("I'm 31", clock=clock)
    clock.move_s(1800)
    chat.app.tick()
    answer = chat.why("timer turned_away")
    assert answer.line.startswith("the timer turned_away came due at ")
    assert answer.line.endswith("; its transition was taken")
    reason = "The reason is: half an hour passed, and what is known still rules the user out."
    assert re.fullmatch(rf"{re.escape(reason)} That was at \d+:\d\d [AP]M\.", answer.plain)


def test_a_reason_with_a_full_stop_goes_before_what_held_too() -> None:
    flow = OTHER.replace("because: darum", "because: Darum.")
    chat = tw.open_sync(flow_of(flow)).chat("a")
    chat.start()
    chat.say("x")
    assert chat.why("node b").line == "a → b by x: Darum; y (deshalb) held, too"


def test_a_timer_that_was_dropped_says_by_which_move_and_that_it_never_came_due() -> None:
    chat = health("I'm 36", "sorry, I meant 46")
    dropped = "turn 2 dropped it, because ineligible was left by corrected; it never came due"
    line = "the timer turned_away is not armed, because it belongs to ineligible, and introduction is in charge; "
    assert chat.why("timer turned_away").line == line + dropped


def test_a_node_says_how_long_it_waited_for_a_person() -> None:
    clock = tw.ManualClock(1_767_225_600_000)
    chat = tw.open_sync("examples/health_intake/call_back.flow.yaml", clock=clock).chat("a")
    chat.start()
    for text in ("a rash", "0151 234567"):
        chat.say(text)
    clock.move_s(8 * 3600)
    chat.app.tick()
    waited = "no person took over from the queue nurses in time (it waited 8h), and the machine went on"
    assert waited in [fact.text for fact in chat.why("node nurse").facts[0].walk()]


DISAGREE = (
    "the rules and the code disagree in introduction: the rules say → profiler by complete, and the function route "
    "chose → ineligible after reading user.gender = nothing, user.age = 39"
)


@cache
def mistaken() -> tw.SyncChat:
    """Turns: 1 a greeting, 2 an age that the rules accept and the code does not, 3 one that both accept."""
    own = runpy.run_path("examples/health_intake/mistaken_guards.py")
    guards, model = [own["route"], own["three_groups"]], tw.ScriptedModel(["Hi.", "Sleep?"])
    chat = tw.open_sync("examples/health_intake/with_code.flow.yaml", guards=guards, model=model).chat("a")
    for text in ("Hello", "I'm Olga, I'm 39, and I agree to the terms", "sorry, I am 41"):
        chat.say(text)
    return chat


@pytest.mark.parametrize(
    ("question", "turn"),
    [
        ("complete", None),
        ("complete", 2),
        ("to_ineligible", 2),
        ("profiler", 2),
        ("ineligible", 2),
        ("turn 2", None),
    ],
)
def test_where_rules_and_code_disagree_that_comes_first(question: str, turn: int | None) -> None:
    answer = mistaken().why(question, turn=turn)
    assert (answer.facts[0].kind, answer.line) == ("rules_disagree", DISAGREE)
    assert answer.facts[0].causes[0].kind == "decided"
    kinds = [fact.kind for fact in answer.facts]
    assert "warned" not in kinds or kinds.index("decided") < kinds.index("warned")


def test_the_user_is_told_the_reason_where_rules_and_code_disagree() -> None:
    assert mistaken().why("turn 2").plain.startswith("The reason is: name, age, gender and terms decide.")


def test_where_rules_and_code_never_disagreed_no_answer_says_so() -> None:
    chat = health("Hello")
    assert [chat.why(subject).fact("rules_disagree") for subject in ("complete", "node profiler", "turn 1")] == [
        None
    ] * 3


def test_a_way_in_that_was_not_taken_says_what_it_lacked() -> None:
    chat = health("hello", "I'm Ruth, and I am 46", "I am a man")
    lacked = "complete did not hold, because it needs user.tos_acknowledged (not known)"
    assert chat.why("transition complete").line.startswith(lacked)
