"""A question finds out no secret, may be odd, and names by `form.status` or `message.text` what guards read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

import turnwise as tw
from asked_stories import CASE, HEALTH, ask, said
from support.whys import lines_of

SAFE = """
flow: safe
version: 1
start: ask
language: en
records: {door: {code: {type: string, secret: true, about: the code}, note: {type: string, about: a note}}}
nodes:
  ask: {form: {fields: [{field: door.code, ask: Which code?}, {field: door.note, ask: A note?}]}}
"""


def read(chat: tw.SyncChat, question: str) -> tuple[str, str]:
    """How a question is read, or which subjects are offered in its place."""
    try:
        return chat.why(question).read_as, ""
    except tw.UnknownSubject as unknown:
        return "", unknown.hint


@pytest.mark.parametrize("question", ["why {}?", "why was {} refused?", "where does “{}” come from", "did I say {}?"])
def test_a_secret_word_is_read_as_any_other_word(question: str) -> None:
    chat = tw.open_sync(tw.loads(SAFE)).chat("a")
    chat.start()
    chat.say("zebracrossing")
    secret, other = (read(chat, question.format(word)) for word in ("zebracrossing", "elephantwalk"))
    assert [one.replace("zebracrossing", "…") for one in secret] == [one.replace("elephantwalk", "…") for one in other]


def test_a_question_does_not_find_out_a_secret_number() -> None:
    text = Path(HEALTH).read_text("utf-8")
    flow = tw.loads(text.replace("age: {type: integer,", "age: {type: integer, secret: true,"))
    chat = tw.open_sync(flow, model=tw.ScriptedModel(["Hi."] * 3)).chat("a")
    chat.say("I'm Zora, I'm 37")
    for question in ("why {}?", "why is it {}", "what is “{}”?"):
        secret, other = (read(chat, question.format(age)) for age in (37, 36))
        assert [one.replace("37", "…") for one in secret] == [one.replace("36", "…") for one in other]


@pytest.mark.parametrize(
    "question", ["why “—”?", "why '' and “”?", "? ? ?", "why “1” and 2 and “thirty”", "first . first"]
)
def test_an_odd_question_is_read_or_refused(question: str) -> None:
    with suppress(tw.UnknownSubject):
        assert ask("maria", question).line


@pytest.mark.parametrize(
    ("name", "subject", "text"),
    [
        ("form.status", "the form", "cancelled"),
        ("message.text", "message 5", "cancel"),
        ("person.outcome", "the person", "person"),
        ("errors", "the conversation", "cancelled"),
        ("error.kind", "the conversation", "cancelled"),
    ],
)
def test_what_guards_read_can_be_asked_about_by_its_name(name: str, subject: str, text: str) -> None:
    answer = said(CASE, "hello", "ok", "Yes", "treatment, escalate, whenever", "cancel").why(name)
    assert str(answer.subject) == subject
    assert text in answer.facts[0].text


def test_a_summary_that_came_again_says_which_answer_changed() -> None:
    changed = said(CASE, "hello", "ok", "No", "referral, escalate, whenever", "no, it is for treatment")
    assert changed.why("form").facts[0].kind == "confirmation_due"
    for subject in ("message", "case.purpose"):
        assert "case.purpose was set to Treatment" in lines_of(changed.why(subject))
