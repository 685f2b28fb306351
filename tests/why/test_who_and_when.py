"""A question of when is answered with the time first, also with two times; one of who with who gave what led to it."""

from __future__ import annotations

import pytest

from asked_stories import CASE, ask, said
from support.opened import close_all, opened
from turnwise.core.state import commands as c
from turnwise.errors import UnknownSubject
from turnwise.why.reading.times import times_asked

WHEN = [
    ("maria", "when did she agree to the terms?", ", in turn 5: user.tos_acknowledged was set to true"),
    ("maria", "in which turn did she give her age?", ", in turn 3: user.age was set to 48"),
    ("maria", "Wann wurde sie zugelassen?", ", in turn 5: introduction → profiler by complete"),
    ("case-1040", "Wann ging der Fall an den Experten?", ", in turn 4: intake → expert by expert"),
    ("reviewed", "when was the summary made?", ", in turn 2: summarize returned “a”"),
    ("changed", "when was Holiday refused?", ", in turn 3: the value Holiday was refused"),
    ("changed", "Who undid the purpose, and when?", ", in turn 4: case.purpose was set to Billing"),
    ("with_lena", "when did Lena give it back?", ", in turn 4: Lena gave the conversation back"),
]


@pytest.mark.parametrize(("story", "question", "line"), WHEN, ids=[row[1] for row in WHEN])
def test_the_time_leads_and_says_of_what_it_is(story: str, question: str, line: str) -> None:
    answer = ask(story, question)
    at = answer.facts[0]
    assert at.kind == "happened_at"
    assert at.text.startswith(f"that was at {at.values['at']}{line}")
    assert at.values["did"] in answer.facts[1].text
    assert answer.plain.endswith(f"That was at {at.values['at']}.")


@pytest.mark.parametrize(
    ("story", "question", "line"),
    [
        ("job", "when was save_result called?", "save_result was offered to the model"),
        ("case-1042", "When was she let in?", "before: stayed in intake"),
        ("maria", "when did the half hour run out?", "the timer turned_away is not armed"),
    ],
)
def test_what_did_not_happen_has_no_time(story: str, question: str, line: str) -> None:
    answer = ask(story, question)
    assert answer.line.startswith(line)
    assert answer.fact("happened_at") is None


TWO = [
    ("when did Lena take over and when did she give back?", "Lena took over: on shift", "Lena gave the conversation"),
    ("when did Lena take over and hand back?", "Lena took over: on shift", "Lena gave the conversation"),
    ("Wann hat Lena übernommen und wann hat sie zurückgegeben?", "Lena took over: on shift", "Lena gave the"),
    ("when was the age set, and when did Lena take over?", "user.age was set to 41", "Lena took over: on shift"),
]


@pytest.mark.parametrize(("question", "first", "second"), TWO, ids=[row[0] for row in TWO])
def test_a_question_for_two_times_gets_both(question: str, first: str, second: str) -> None:
    answer = ask("with_lena", question)
    assert [one.kind for one in answer.facts[:2]] == ["happened_at", "happened_at"]
    assert [one.values["did"][: len(text)] for one, text in zip(answer.facts, (first, second), strict=False)] == [
        first,
        second,
    ]
    assert all(f"That was at {one.values['at']}." in answer.plain for one in answer.facts[:2])


def test_a_second_question_that_names_nothing_is_about_the_same() -> None:
    answer = ask("changed", "when was the purpose refused and when was it set?")
    assert [one.values["did"].split(" ")[0] for one in answer.facts[:2]] == ["the", "case.purpose"]


@pytest.mark.parametrize(
    "question",
    [
        "why was she let in and when?",
        "when was “stop and leave me” said?",
        "when was the age set and noted?",
        "Who agreed to the terms, and when?",
    ],
)
def test_one_question_stays_one(question: str) -> None:
    assert times_asked(question) == [question]


WHO = [
    (
        "maria",
        "who decided that she is eligible?",
        "that was in turn 5, by the transition complete of the flow: user.tos_acknowledged was true, understood from the"
        " message in turn 5 (by the user, who said “yes, I agree”), user.age was 48",
    ),
    ("maria", "Wer hat entschieden, dass Maria eligible ist?", "that was in turn 5, by the transition complete of"),
    ("maria", "who decided that the age is 48?", "that was in turn 3, by the user, who said “sorry, I am 48”"),
    (
        "case-1040",
        "Wer hat beschlossen, dass der Fall an den Experten geht?",
        "that was in turn 4, by the transition e",
    ),
    ("case-1039", "who decided that it was settled?", "that was in turn 6, by the transition done of the flow: form."),
    ("job", "who let us go on?", "that was in turn 3, by the transition enter_planning_mode of the flow: message.text"),
    ("paula", "who decided that it is over?", "that was in turn 2, by the timer turned_away"),
]


@pytest.mark.parametrize(("story", "question", "text"), WHO, ids=[row[1] for row in WHO])
def test_who_decided_a_move_is_the_transition_with_who_gave_what_it_read(story: str, question: str, text: str) -> None:
    assert ask(story, question).facts[1].text.startswith(text)


def test_a_move_that_a_person_chose_says_so_once() -> None:
    answer = ask("with_lena", "who let her in?")
    assert "(by Lena)" in answer.facts[1].text


LEADS = [
    ("restarted", 'what became of my answer "care"?', "case.purpose lost its value Treatment, because the form"),
    ("restarted", 'why was "no" lost?', "case.insurance_history lost its value No, because the form"),
    ("restarted", 'Was wurde aus "care"?', "case.purpose lost its value Treatment, because the form"),
    ("maria", "Warum ging es nach dem Alter 48 doch weiter?", "ineligible → introduction by corrected"),
    ("maria", "Why was Maria turned away at first?", "introduction → ineligible by too_young: under age 38"),
    ("paula", "what would Paula have had to say to be accepted?", "complete did not hold, because it needs has(user."),
    ("lea", "what must I say to be admitted?", "complete did not hold, because it needs user.age >= 38 (is 31)"),
    ("with_lena", "how did Lena get into this conversation?", "Lena took over: on shift"),
    ("changed", "why could dora not set the purpose?", "the value Holiday was refused for case.purpose"),
]


@pytest.mark.parametrize(("story", "question", "line"), LEADS, ids=[row[1] for row in LEADS])
def test_what_is_asked_of_a_value_a_move_or_a_person_leads(story: str, question: str, line: str) -> None:
    assert ask(story, question).line.startswith(line)


def test_in_the_end_asks_for_the_value_that_counts() -> None:
    chat = said(CASE, "yes", "no", "billing", "wait", "no rush", "change the urgency", "asap", "undo")
    assert chat.why("Is it urgent or not in the end, and why?").line.startswith("case.urgency was set to No Rush")
    assert "until the undo" in chat.why("why is it not urgent?").line


@pytest.mark.parametrize(
    "question",
    ["what if the search had failed?", "would it have called save_result if I had said stop?"],
)
def test_a_supposed_act_is_refused_with_the_command_that_tries_it(question: str) -> None:
    with pytest.raises(
        UnknownSubject, match=r'turnwise fork CONVERSATION COPY --turn 1, or chat\.fork\("COPY", turn=1\)'
    ):
        ask("reviewed", question)


def test_who_did_it_is_said_also_where_the_fact_has_their_name_as_a_word() -> None:
    chat = opened("examples/health_intake/health_intake.flow.yaml")
    for text in ("I'm Kim, 50, I agree to the terms", "sleep"):
        chat.say(text)
    field = "symptoms.groups"
    chat.commands([c.Add(field=field, item="mood"), c.Remove(field=field, item="sleep")], by="sleep")
    answer = chat.why("who removed sleep?")
    close_all()
    assert answer.line == "turn 3 removed sleep from symptoms.groups"
    assert answer.facts[1].text == "that was in turn 3, by sleep, who sent commands"
