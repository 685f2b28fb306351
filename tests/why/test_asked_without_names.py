"""Questions that name nothing of the flow: who was rejected, which button was pressed, which call failed, who acted from
outside. The subjects were written down before the answers were seen.
"""

from __future__ import annotations

import pytest

import turnwise as tw
from asked_stories import CASE, ask, played
from support.stories import shared
from turnwise.core.state import commands as c
from turnwise.errors import UnknownSubject

REJECTIONS = [
    ("maria", "was Maria at any time rejected?", "transition too_young", 2),
    ("maria", "On what ground was she refused?", "transition too_young", 2),
    ("maria", "Why did you send me away at first?", "transition too_young", 2),
    ("maria", "was she ever let go, and why", "transition too_young", 2),
    ("maria", "had the user been excluded before she corrected herself?", "transition too_young", 2),
    ("maria", "How many times was Maria declined?", "node ineligible", 2),
    ("maria", "what caused her rejection", "transition too_young", 2),
    ("maria", "Wurde die Nutzerin je abgelehnt, und warum?", "transition too_young", 2),
    ("maria", "Wie oft wurde Maria weggeschickt?", "node ineligible", 2),
    ("maria", "Weshalb hat man sie ausgeschlossen?", "transition too_young", 2),
    ("maria", "Was war der Grund ihrer Ablehnung?", "transition too_young", 2),
    ("lea", "did it throw her out?", "transition too_young", 1),
    ("lea", "Warum hast du mich abgelehnt?", "transition too_young", 1),
    ("late", "was Eva ever refused?", "node ineligible", 4),
    ("ines", "Wurde Ines jemals abgewiesen?", "node ineligible", 1),
    ("case-1040", "why was I declined?", "transition expert", 4),
    ("case-1039", "was he ever rejected?", "node expert", 6),
]
NOT_OF_THE_USER = [
    ("old", "why was 130 refused?", "message 1", 1),
    ("changed", "why was Holiday refused?", "turn 3", 3),
    ("old", "why did she refuse the terms?", "field user.tos_acknowledged", 2),
]


PRESSES = [
    ("pressed", "I pressed Yes again and nothing happened. Why?", "message 4", 4),
    ("pressed", "I clicked Yes and you just ignored me, why?", "message 4", 4),
    ("pressed", "why did my click on Yes have no effect", "message 4", 4),
    ("pressed", "I tapped “Yes”. Why did you do nothing?", "message 4", 4),
    ("pressed", "Why did the last press of a button change nothing?", "message 4", 4),
    ("pressed", "the Yes button is broken, it does not work", "message 4", 4),
    ("pressed", "What came of my click?", "message 4", 4),
    ("pressed", "What happened when she pressed Yes the first time?", "message 2", 2),
    ("pressed", "how often was a button pressed?", "message 4", 4),
    ("pressed", "Ich habe Yes gedrückt und nichts ist passiert, warum?", "message 4", 4),
    ("pressed", "Warum hatte mein Klick auf „Yes“ keine Wirkung?", "message 4", 4),
    ("pressed", "Wieso wurde der letzte Knopf nicht akzeptiert?", "message 4", 4),
    ("pressed", "Weshalb hat die Schaltfläche nicht funktioniert?", "message 4", 4),
    ("pressed", "Wie viele Knöpfe wurden gedrückt?", "message 4", 4),
    ("case-1040", "What became of pressing Yes?", "message 3", 3),
    ("case-1040", "why did the conversation end after I pressed Yes?", "the end", 4),
]
FROM_OUTSIDE = [
    ("changed", "Which outside program touched this case?", "person dora", 5),
    ("changed", "What did the other system want to store, and what of it was refused?", "person dora", 5),
    ("changed", "Who intervened from outside?", "person dora", 5),
    ("changed", "Which system wrote into this conversation?", "person dora", 5),
    ("changed", "did any external application send commands?", "person dora", 5),
    ("changed", "Has a third party meddled with it?", "person dora", 5),
    ("changed", "Did somebody other than the user enter something?", "person dora", 5),
    ("changed", "who else put values in?", "person dora", 5),
    ("changed", "Wer hat von außen eingegriffen?", "person dora", 5),
    ("changed", "Welches fremde System hat hier etwas eingetragen?", "person dora", 5),
    ("changed", "Hat ein anderes Programm etwas geändert?", "person dora", 5),
    ("changed", "Kamen Befehle von einem anderen System?", "person dora", 5),
    ("with_lena", "Did anyone from outside intervene?", "person Lena", 4),
    ("unsaved", "was anything done from outside?", "tool save_result", 2),
    ("changed", "Did something come in by another application?", "person dora", 5),
    ("changed", "which system prompt was used?", "the model", 5),
]
NO_PRESSES = [
    "I pressed Partial and nothing happened",
    "I clicked “Urgent” in vain, why?",
    "how often did I press Yes?",
]


def pressed() -> tw.SyncChat:
    """In turn 4 the user presses a button of the first question; in turn 5 a program edits a value."""
    chat = tw.open_sync(CASE).chat("a")
    first = chat.start()
    chat.choose("Yes")
    chat.choose("Yes")
    chat.choose("Yes", position=first.state.seq)
    chat.commands([c.Set(field="case.urgency", value="Urgent")], by="dora")
    return chat


played["pressed"] = shared(pressed)


@pytest.mark.parametrize(
    ("story", "question", "subject", "turn"),
    [*REJECTIONS, *NOT_OF_THE_USER, *PRESSES, *FROM_OUTSIDE],
    ids=lambda one: one if isinstance(one, str) and " " in one else "",
)
def test_what_is_not_named_is_found(story: str, question: str, subject: str, turn: int) -> None:
    answer = ask(story, question)
    assert (str(answer.subject), answer.turn) == (subject, turn), answer.line


def test_who_was_never_rejected_is_told_why_not() -> None:
    assert ask("ines", "was she ever rejected?").line.startswith("ineligible was never entered")


def test_a_flow_that_rejects_nobody_says_so() -> None:
    with pytest.raises(UnknownSubject, match="no transition that leaves general before its work is done rejects"):
        ask("job", "was he ever rejected?")


@pytest.mark.parametrize("question", NO_PRESSES)
def test_a_press_that_never_was_is_not_explained(question: str) -> None:
    with pytest.raises(UnknownSubject, match=r"no button “|are counted for all buttons together"):
        ask("pressed", question)


@pytest.mark.parametrize(
    ("story", "question", "line"),
    [
        ("pressed", "how many buttons were pressed?", "a button was pressed 3 times in this conversation"),
        ("pressed", "How many clicks were refused?", "a button was refused once in this conversation, in turn 4"),
        ("pressed", "Wie oft wurde ein Knopf abgelehnt?", "a button was refused once in this conversation, in turn 4"),
        ("case-1040", "how many buttons were ignored?", "a button was not refused in this conversation"),
        ("lea", "how many buttons were pressed?", "a button was not pressed in this conversation"),
    ],
)
def test_presses_are_counted(story: str, question: str, line: str) -> None:
    assert ask(story, question).line.startswith(line)


def test_acts_from_outside_are_told_in_order_with_what_was_refused() -> None:
    line = ask("changed", "Which outside system touched this case, and what did it want to store?").line
    first, last = line.index("set case.purpose = Holiday (turn 3; the value Holiday was refused"), line.index("Billing")
    assert first < last


def test_more_than_one_who_acted_from_outside_are_all_told() -> None:
    chat = pressed()
    chat.commands([c.Set(field="case.on_failure", value="Notify")], by="the CRM")
    answer = chat.why("Welche fremden Systeme haben hier etwas gespeichert?")
    assert "dora sent commands" in answer.line
    assert "the CRM sent commands" in answer.line


@pytest.mark.parametrize(
    "question", ["Which outside system touched this?", "Hat hier ein fremdes Programm eingegriffen?"]
)
def test_where_nobody_acted_from_outside_no_user_is_named_instead(question: str) -> None:
    with pytest.raises(UnknownSubject, match="nobody acted from outside so far"):
        ask("lea", question)


def test_commands_of_nobody_by_name_are_found_too() -> None:
    chat = tw.open_sync(CASE).chat("a")
    chat.start()
    chat.commands([c.Set(field="case.urgency", value="Urgent")])
    chat.say("yes")
    answer = chat.why("Was anything entered by another system?")
    assert str(answer.subject) == "turn 2"
    assert "set case.urgency = Urgent" in answer.line


def test_who_is_not_let_go_on_was_not_let_go() -> None:
    with pytest.raises(UnknownSubject):
        ask("maria", "why did you not let me go on?")


@pytest.mark.parametrize("question", ["Which services are there?", "is there another program for me?"])
def test_a_service_of_which_no_act_is_said_is_not_what_acted(question: str) -> None:
    with pytest.raises(UnknownSubject):
        ask("changed", question)
