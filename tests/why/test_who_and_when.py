"""When something happened, and who did it, are facts of every answer about it: its own time, and no one else's act."""

from __future__ import annotations

import pytest

from asked_stories import ask
from support.opened import close_all, opened
from support.whys import lines_of
from turnwise.core.state import commands as c

WHEN = [
    ("maria", "user.tos_acknowledged", 5, "the user, who said “yes, I agree”"),
    ("maria", "user.age", 3, "the user, who said “sorry, I am 48”"),
    (
        "maria",
        "complete",
        5,
        "the transition complete of the flow: user.tos_acknowledged was true, understood from the message in turn 5"
        " (by the user, who said “yes, I agree”), user.age was 48",
    ),
    ("maria", "too_young", 2, "the transition too_young of the flow: user.age was 35"),
    ("case-1040", "expert", 4, "the transition expert of the flow: case.purpose was Referral"),
    ("case-1039", "end", 6, "the transition done of the flow: form.status was handed_off"),
    ("job", "planning_mode", 3, "the transition enter_planning_mode of the flow: message.text"),
    ("paula", "end", 2, "the timer turned_away"),
    ("reviewed", "summarize", 2, "the model"),
    ("restarted", "case.purpose", 7, "the user, who said “start over”"),
    ("with_lena", "profiler", 4, "the transition complete of the flow: user.age was 41, by the person in charge"),
    ("wrong", "write_config", 2, "the model"),
]


@pytest.mark.parametrize(("story", "subject", "turn", "by"), WHEN, ids=[" ".join(row[:2]) for row in WHEN])
def test_an_answer_says_when_it_was_and_by_whom(story: str, subject: str, turn: int, by: str) -> None:
    at = ask(story, subject).fact("happened_at")
    assert at.turn == turn
    assert at.text.startswith(f"that was at {at.values['at']}, in turn {turn}, by {by}")


@pytest.mark.parametrize(("story", "subject", "turn"), [("changed", "case.purpose", 4), ("with_lena", "turn 2", 2)])
def test_where_the_fact_names_the_person_only_the_time_is_added(story: str, subject: str, turn: int) -> None:
    at = ask(story, subject).fact("happened_at")
    assert at.text == f"that was at {at.values['at']}, in turn {turn}"


@pytest.mark.parametrize(
    ("story", "subject", "line"),
    [
        ("job", "save_result", "save_result was offered to the model"),
        ("case-1042", "expert", "expert did not hold"),
        ("maria", "turned_away", "the timer turned_away is not armed"),
        ("lea", "complete", "complete did not hold, because it needs user.age >= 38 (is 31)"),
    ],
)
def test_what_did_not_happen_has_no_time(story: str, subject: str, line: str) -> None:
    answer = ask(story, subject)
    assert answer.line.startswith(line)
    assert answer.fact("happened_at") is None


def test_both_acts_of_a_person_are_told_with_their_turns() -> None:
    told = lines_of(ask("with_lena", "person Lena"))
    assert "Lena took over: on shift (turn 2); Lena gave the conversation back with the outcome helped" in told


def test_a_node_was_in_charge_until_it_was_left_and_not_until_the_end() -> None:
    passed = ask("maria", "profiler").fact("time_passed")
    assert (passed.values["since"], passed.values["turn"]) == (5, 7)
    assert ask("maria", "farewell").fact("time_passed").values["turn"] == 8


def test_the_time_of_a_later_event_is_not_said_to_be_of_who_did_an_earlier_one() -> None:
    chat = opened("examples/eligibility/eligibility.flow.yaml")
    for text in ("Yes", "partial"):
        chat.say(text)
    chat.commands([c.Clear(field="case.insurance_history")], by="dora")
    chat.say("banana")
    cleared, missed = (chat.why("case.insurance_history", turn=turn).fact("happened_at") for turn in (3, 4))
    close_all()
    assert (cleared.turn, cleared.values["person"]) == (3, "dora, who sent commands")
    assert (missed.turn, missed.values["person"]) == (4, "the user, who said “banana”")


def test_who_took_an_item_out_of_a_list_is_said_also_where_the_fact_has_their_name_as_a_word() -> None:
    chat = opened("examples/health_intake/health_intake.flow.yaml")
    for text in ("I'm Kim, 50, I agree to the terms", "sleep"):
        chat.say(text)
    field = "symptoms.groups"
    chat.commands([c.Add(field=field, item="mood"), c.Remove(field=field, item="sleep")], by="sleep")
    answer = chat.why(field)
    close_all()
    assert answer.fact("items_removed").text == "turn 3 removed sleep from symptoms.groups"
    assert "sleep sent commands" in lines_of(answer)


@pytest.mark.parametrize(
    ("story", "subject"), [("maria", "user.age"), ("changed", "case.purpose"), ("maria", "profiler")]
)
def test_the_time_does_not_stand_after_a_count_which_has_turns_of_its_own(story: str, subject: str) -> None:
    kinds = [fact.kind for fact in ask(story, subject).facts]
    assert kinds.index("happened_at") < kinds.index("counted"), kinds
