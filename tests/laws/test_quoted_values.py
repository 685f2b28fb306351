"""Law 7.1a: a value that a model understood is one of those that the rules read in the words which it quotes."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from turnwise.models.scripted import ScriptedModel, understood_reply
from turnwise.understanding import says_other

WEDNESDAY_MS = 1_794_996_000_000
"""2026-11-18 10:00 UTC."""
FLOW = """
flow: t
start: ask
language: %s
records: {u: {people: {type: integer, max: 30}, price: number, day: date, at: time, wait: duration}}
nodes:
  ask:
    form: {fields: [{field: u.%s, ask: "Which?"}], confirm: {}}
"""
OTHER = [
    ("en", "people", "twelve", 20),
    ("en", "people", "twelve or so I'd say", 20),
    ("en", "people", "twenty or thirty people", 25),
    ("de", "people", "zwölf", 20),
    ("de", "people", "ungefähr zwölf", 2),
    ("en", "price", "five point five", 55),
    ("en", "day", "dec 3", "2026-03-12"),
    ("en", "day", "3/12", "2026-12-13"),
    ("en", "day", "next friday", "2026-12-04"),
    ("en", "day", "tomorrow at 8", "2026-11-20"),
    ("de", "day", "übermorgen", "2026-11-19"),
    ("en", "at", "at five", "18:00"),
    ("de", "at", "halb sechs", "06:30"),
    ("en", "wait", "an hour", 7200),
]
SAME = [
    ("en", "people", "twelve", 12),
    ("en", "people", "half a dozen", 6),
    ("en", "people", "two adults and three kids", 5),
    ("en", "people", "a couple", 2),
    ("de", "people", "zwölf", 12),
    ("en", "price", "nineteen ninety", 1990),
    ("en", "day", "dec 3", "2027-12-03"),
    ("en", "day", "next friday", "2026-11-27"),
    ("en", "day", "the friday before christmas", "2026-12-18"),
    ("en", "day", "vendredi prochain", "2026-11-27"),
    ("en", "day", "the 5th", "2027-01-05"),
    ("en", "at", "at five", "17:00"),
    ("de", "at", "halb sechs", "17:30"),
    ("en", "wait", "an hour and a half", 5400),
]


def stored(language: str, field: str, message: str, value: Any, words: str = "") -> Any:
    """What a form stores where a model understands a message as one value."""
    given = {"command": "set", "field": f"u.{field}", "value": value, "words": words or message}
    model = ScriptedModel([understood_reply(given)], understands=True)
    flow, clock = tw.loads(FLOW % (language, field)), tw.ManualClock(WEDNESDAY_MS)
    with tw.open_sync(flow, model=model, clock=clock) as app:
        chat = app.chat("c")
        chat.start()
        held = chat.say(f"I would say: {message}").state.values.get(f"u.{field}")
    return None if held is None else held.value


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("language", "field", "words", "value"), OTHER)
def test_a_value_is_refused_that_the_quoted_words_do_not_mean(
    language: str, field: str, words: str, value: Any
) -> None:
    assert stored(language, field, words, value) is None


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("language", "field", "words", "value"), SAME)
def test_a_value_is_believed_that_the_quoted_words_may_mean(language: str, field: str, words: str, value: Any) -> None:
    assert stored(language, field, words, value) == value


@pytest.mark.law("7.1a")
def test_words_for_a_field_that_is_not_exposed_are_not_compared() -> None:
    assert not says_other("twelve", 20, "u.unknown", tw.AllowedInput("en", "UTC", WEDNESDAY_MS, (), ("set",)))
