"""Why, about events of other systems: each kind of fact, who sent it, and what was refused."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import OneSyncChat, flow_of
from support.why_cases import every
from turnwise.runner.clocks import ManualClock

FLOW = """
flow: order
start: talk
person: help
commands: [{start: [survey]}]
events:
  paid: {amount: integer}
  rang: {}
records: {feedback: {mood: string}, own: {sum: integer}}
nodes:
  talk:
    form: {fields: [{field: own.sum, ask: How much?}]}
    transitions:
      - {at: event, event: paid, when: event.amount > 9, set: {own.sum: event.amount}, because: it is paid, to: thanks}
      - {at: event, event: rang, stay: true, say: Somebody rang.}
  thanks: {say: Thanks., transitions: [{at: event, end: gone}]}
  survey: {scope: {returns: feedback}, form: {fields: [{field: feedback.mood, ask: How was it?}]}}
"""


def talk(*inputs: Any) -> OneSyncChat:
    """A conversation after some events and messages."""
    chat = OneSyncChat(flow_of(FLOW), clock=ManualClock(1_767_960_000_000))
    chat.start()
    for one in inputs:
        if isinstance(one, str):
            chat.say(one)
        else:
            chat.event(one[0], one[1], by="bank")
    return chat


@pytest.mark.parametrize(
    ("inputs", "kind", "text"),
    [
        ([], "event_never_came", "the event paid never came"),
        ([("paid", {"amount": 5})], "event_received", 'the event paid came from bank with {"amount":5}'),
        ([("paid", {"amount": 5}), "7"], "event_received", 'the event paid came from bank with {"amount":5}'),
        (["survey", ("paid", {"amount": 50})], "event_waits", "the event paid waits since turn 3: survey is open"),
        ([("paid", {"amount": "x"})], "event_refused", "amount: "),
    ],
)
def test_an_event_can_be_asked_about(inputs: list[Any], kind: str, text: str) -> None:
    first = talk(*inputs).why("paid").facts[0]
    assert first.kind == kind
    assert text in first.text


def test_what_waited_says_that_it_did() -> None:
    chat = talk("survey", ("paid", {"amount": 50}))
    held = next(fact for fact in every(chat.why("paid")) if fact.kind == "event_held")
    assert held.text == "the event paid waits until the scope survey is closed"
    chat.say("good")
    chat.app.tick()
    assert "event_resumed" in {fact.kind for fact in every(chat.why("paid"))}
    assert chat.why("thanks").plain == "The reason is: it is paid."


def test_a_notice_names_its_event_and_the_question_that_stays_open() -> None:
    chat = talk(("rang", {}))
    said = next(fact for fact in chat.why("turn").facts if fact.kind == "notice_said")
    assert (
        said.text
        == "the event rang made it say “Somebody rang.”, and it stayed in talk; the question own.sum stayed open"
    )


def test_a_value_comes_from_the_event() -> None:
    chat = talk(("paid", {"amount": 50}))
    answer = chat.why("own.sum")
    assert answer.line == "own.sum was set to 50, by the transition to_thanks"
    assert "event_received" in {fact.kind for fact in every(answer)}
    assert chat.why("event.amount").line == 'the event paid came from bank with {"amount":50}'
    assert chat.why("why event paid?").subject.name == "paid"


def test_a_transition_says_what_its_event_lacked_and_a_way_names_the_event() -> None:
    chat = talk(("paid", {"amount": 5}))
    assert chat.why("to_thanks").line == "to_thanks did not hold, because it needs event.amount > 9 (is 5)"
    assert chat.ways_to("thanks").line == 'the event paid comes with {"amount":10}: leads to thanks'
    assert "when an event of another system comes" in talk().why("to_thanks").line
    assert chat.what_if(rules={"to_thanks": "event.amount > 3"}).otherwise


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (5, "1 candidate, which did not hold; nearest is → thanks, which waits for event.amount > 9"),
        (None, "event: stayed in talk: no candidates for this event"),
    ],
)
def test_an_event_that_did_nothing_says_what_it_would_have_needed(amount: int | None, text: str) -> None:
    chat = OneSyncChat(flow_of(FLOW.replace("rang: {}", "rang: {}\n  other: {}", 1)))
    chat.start()
    if amount is None:
        chat.event("other")
    else:
        chat.event("paid", {"amount": amount})
    assert text in str(chat.why("other" if amount is None else "paid"))


def test_a_refused_event_is_not_explained_by_the_event_before_it() -> None:
    chat = talk(("rang", {}))
    chat.event("paid", {"amount": "x"})
    answer = chat.why("paid")
    assert "event_refused" in [fact.kind for fact in answer.facts]
    assert not [fact for fact in every(answer) if fact.kind in ("decided", "notice_said")]


def test_an_event_whose_turn_was_undone_is_named_with_the_undo() -> None:
    chat = talk(("paid", {"amount": 50}))
    chat.undo()
    facts = chat.why("paid").facts
    assert [fact.kind for fact in facts[:1]] == ["event_received"]
    (undone,) = [fact for fact in facts if fact.kind == "turn_undone"]
    assert undone.text.startswith("the state of the end of turn 1 was restored, which took back own.sum = 50")
    assert undone.turn == 3
    chat.event("paid", {"amount": 60})
    assert "turn_undone" not in [fact.kind for fact in chat.why("paid").facts]
