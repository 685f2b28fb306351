"""What the offline rules record of the values that they leave out: the words, the field, the value and the reason."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import turnwise as tw
from support.opened import close_all, opened
from turnwise.core.state import events as e
from turnwise.core.state.commands import Dropped

HEALTH = "examples/health_intake/health_intake.flow.yaml"
CASE = "examples/eligibility/eligibility.flow.yaml"
PIZZA = "examples/pizza/pizza.flow.yaml"
SALAMI, SMALL_FUNGHI = "a large salami", {"size": "Small", "kind": "Funghi"}
EVA = "I'm Eva, 50, I agree to the terms"


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    close_all()


def understood(chat: tw.SyncChat, text: str) -> list[e.Understood]:
    """How a message is understood."""
    return [event for event in chat.say(text).events if isinstance(event, e.Understood)]


def left_out(flow: Any, *texts: str) -> list[tuple[str, str, Any, str]]:
    """What the rules leave out of the last of some messages."""
    chat = opened(flow)
    for text in texts[:-1]:
        chat.say(text)
    dropped = [one for event in understood(chat, texts[-1]) for one in event.dropped]
    return [(texts[-1][slice(*one.words)], one.field, one.value, one.reason) for one in dropped]


PURPOSE, HISTORY, FAILURE = "case.purpose", "case.insurance_history", "case.on_failure"
ROWS: list[tuple[str, tuple[str, ...], list[tuple[str, str, Any, str]]]] = [
    (
        CASE,
        ("yes", "no", "billing or treatment"),
        [("billing", PURPOSE, "Billing", "several"), ("treatment", PURPOSE, "Treatment", "several")],
    ),
    (CASE, ("yes", "no", "billing, no, referral"), [("billing", PURPOSE, "Billing", "corrected")]),
    (CASE, ("yes", "no", "billing, and tell me about it"), [("tell me", FAILURE, "Notify", "not_alone")]),
    (CASE, ("yes", "no, I mean partial"), [("no", HISTORY, "No", "corrected")]),
    (CASE, ("yes", "yes, I guess"), [("yes", HISTORY, "Yes", "other_words")]),
    (CASE, ("yes", "partial", "the history is yes"), [("yes", HISTORY, "Yes", "not_alone")]),
    (
        HEALTH,
        (EVA, "hot flushes", "I sleep badly. Are knees relevant?"),
        [("knees", "symptoms.groups", "joints", "question")],
    ),
    *[
        (PIZZA, (SALAMI, *more, text), [("small funghi", "order.pizzas", SMALL_FUNGHI, "beside_question")])
        for more in ((), ("no",))
        for text in ("and a small funghi, how much is that?", "a small funghi. how much is that?")
    ],
    (
        PIZZA,
        (SALAMI, "make it without olives, how much is that?"),
        [("olives", "order.pizzas", {"without": ["Olives"]}, "beside_question")],
    ),
    (
        PIZZA,
        (SALAMI, "a small funghi and a table for two"),
        [("small funghi", "order.pizzas", SMALL_FUNGHI, "other_words")],
    ),
    *[
        (PIZZA, (SALAMI, text), [])
        for text in ("how much is a small funghi?", "and a small funghi", "make it small", "no, that's all")
    ],
    (HEALTH, (EVA, "actually I am 36"), [("36", "user.age", 36, "elsewhere")]),
    (HEALTH, (EVA, "I'm Zoe, 37"), [("I'm Zoe", "user.name", "Zoe", "elsewhere"), ("37", "user.age", 37, "elsewhere")]),
    *[
        (HEALTH, (EVA, text), [])
        for text in ("I have 36 kids", "see you at 9", "36 % of them", "I am 50", "my brother is 40")
    ],
    *[(CASE, ("yes", text), []) for text in ("partial", "yes", "yes, and no hurry", "I do not know", "help")],
]


@pytest.mark.parametrize(("flow", "texts", "expected"), ROWS, ids=[row[1][-1] for row in ROWS])
def test_what_the_rules_leave_out_is_recorded(flow: str, texts: tuple[str, ...], expected: list[Any]) -> None:
    assert left_out(flow, *texts) == expected


SECRET = """
flow: safe
version: 1
start: ask
language: en
records: {u: {code: {type: integer, secret: true}, age: {type: integer, about: age}, n: {type: integer, about: guests}}}
nodes:
  ask: {form: {fields: [{field: u.code, ask: "Your code?"}, {field: u.n, ask: "How many guests?"}]}}
"""


@pytest.mark.parametrize("text", ["4711 or 4712", "it is 4711 and I am 36", "not 4711", "4711 guests and 4712 of them"])
def test_nothing_is_recorded_of_a_message_that_may_give_a_secret(text: str) -> None:
    assert left_out(tw.loads(SECRET), text) == []


def test_a_secret_is_not_left_out_at_another_question() -> None:
    assert all(one[1] != "u.code" for one in left_out(tw.loads(SECRET), "4711", "my code 4712 is old"))


def test_a_message_of_which_nothing_is_left_out_is_recorded_as_before() -> None:
    stored = msgspec.json.encode(e.Understood("1-1"))
    assert b"dropped" not in stored
    assert msgspec.json.decode(stored, type=e.Understood).dropped == ()
    dropped = e.Understood("1-1", dropped=(Dropped((0, 2), "u.age", 36, "elsewhere"),))
    assert msgspec.json.decode(msgspec.json.encode(dropped), type=e.Understood) == dropped


def test_a_journal_without_what_was_left_out_is_answered_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwise.understanding.rules.with_dropped", lambda found, _message: found)
    chat = opened(CASE)
    for text in ("yes", "no", "billing or treatment"):
        chat.say(text)
    answer = chat.why(PURPOSE)
    assert answer.line.startswith(f"{PURPOSE} has no value: the answer about {PURPOSE} was not understood")
    assert "it is none of the options Billing, Treatment, Referral" in answer.line
    assert answer.fact("words_not_taken") is None
