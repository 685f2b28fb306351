"""What holds for every sentence for the person in the conversation, tried with random machines: it is never empty, it is
about the fact that comes first, and no two sentences of it exclude each other.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from properties.test_answers import asked
from properties.test_reasons import opened
from strategies.chance import Chance
from support.random_runs import Run, converse
from turnwise.core.language import Language
from turnwise.why import Answer, Fact, ask
from turnwise.why.plain import SENTENCES, plain
from turnwise.why.plain.voice import Voice

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SOME = settings(max_examples=2000 if IS_SOAK else 10, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_DONE = {"why_done", "why_you_agreed"}
_NOT_DONE = {
    *("why_not_here", "why_call_wrong", "why_tool_failed", "why_declined", "why_not_done", "why_never_done"),
    *("why_other_first", "why_not_in_copy", "why_consent"),
}
_HAD = {f"why_{how}" for how in ("told", "noted", "entered", "person_set", "found", "made", "set", "known")}
_HAS_NOT = {"why_not_known", "why_removed", "why_taken_back", "why_ended_without"}
_OVER = {"conversation_ended", "why_ended_first", "why_after_end"}
_GOES_ON = {"why_waiting", "why_asked", "why_confirm", "why_goes_on", "why_consent", "why_timer", "why_timer_ends"}
EXCLUDE = [
    (_DONE, _NOT_DONE),
    (_HAD, _HAS_NOT),
    (_OVER, _GOES_ON),
    ({"why_person_in_charge", "why_person_awaited"}, {"why_no_person", "why_asked", "why_waiting"}),
    ({"why_asked", "why_was_asked"}, {"why_not_needed", "why_needless", "why_known", "why_later"}),
    ({"why_waiting"}, {"why_asked", "why_confirm", "why_consent", "why_goes_on"}),
]
"""Texts of which one may not stand beside the other."""


def marked() -> Iterator[None]:
    """Name each text in front of it."""
    said = Language.text
    with patch.object(Language, "text", lambda self, key, **values: f"<{key}>{said(self, key, **values)}"):
        yield


def keys(plain: str) -> list[str]:
    """The texts of which a sentence is made, as those of the present."""
    return [re.sub(r"(_secret|_then|_once)+$", "", key) for key in re.findall(r"<(\w+)>", plain)]


def is_quoted(answer: Answer) -> bool:
    """Whether the sentence is a text that the user was given then, as the journal has it."""
    return answer.plain in [one.values.get("said") for fact in answer.facts for one in fact.walk()]


@SOME
@given(st.integers(0, 2**40))
def test_no_two_sentences_exclude_each_other(number: int) -> None:
    run = converse(number)
    for _ in marked():
        for answer in answers(run, number):
            found = keys(answer.plain)
            assert found or is_quoted(answer), answer.line
            assert found.count("why_unknown") in (0, len(found)), answer.plain
            for one, other in combinations(found, 2):
                for some, others in EXCLUDE:
                    assert not (one in some and other in others), (answer.line, answer.plain)
                    assert not (other in some and one in others), (answer.line, answer.plain)


@SOME
@given(st.integers(0, 2**40))
def test_the_sentence_is_about_the_fact_that_comes_first(number: int) -> None:
    run = converse(number)
    firsts: list[str] = []

    def spied(*given: Any) -> str:
        machine, state, subject, facts, *more = given
        is_led = any(fact.kind in _LEADS for fact in facts) or any(_is_silent(fact) for fact in facts)
        firsts.append("" if is_led else Voice(machine, state, subject, facts, SENTENCES, *more).of(facts[0]))
        return plain(*given)

    with patch.object(ask, "plain", spied):
        said = [answer.plain for answer in answers(run, number)]
    assert len(firsts) == len(said)
    for first, sentence in zip(firsts, said, strict=True):
        assert sentence.startswith(first), (first, sentence)


_LEADS = ("message_not_kept", "turn_failed", "conversation_failed")
"""What the sentence says before anything else."""


def _is_silent(fact: Fact) -> bool:
    """Whether a turn had no answer: then the sentence is about that."""
    return fact.kind == "warned" and fact.values["code"] == "silent turn"


def answers(run: Run, number: int) -> list[Answer]:
    async def ask() -> list[Answer]:
        chat = (await opened(run)).chat("x")
        return [await chat.why(question, turn=turn) for question, turn in asked(run, Chance(number), 12)]

    return asyncio.run(ask())
