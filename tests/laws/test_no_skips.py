"""A no at an optional question leaves it out (law 5.10)."""

from __future__ import annotations

import pytest

import turnwise as tw

FLOW = """
flow: f
start: a
records: {u: {x: %s, y: string}}
nodes: {a: {form: {fields: [{field: u.x, ask: First?, required: %s}, {field: u.y, ask: Second?, required: false}]}}}
"""


def said(kind: str, message: str, *, required: bool = False) -> tw.Turn:
    with tw.open_sync(tw.loads(FLOW % (kind, str(required).lower()))) as app:
        chat = app.chat("c")
        chat.start()
        return chat.say(message)


@pytest.mark.law("5.10")
@pytest.mark.parametrize("kind", ["phone", "email", "date", "time", "integer", "{type: choice, options: [Red, Blue]}"])
@pytest.mark.parametrize("message", ["no", "no thanks", "nope"])
def test_a_no_leaves_an_optional_question_out(kind: str, message: str) -> None:
    turn = said(kind, message)
    assert turn.text == "Second?"
    assert turn.value("u.x") is None


@pytest.mark.law("5.10")
@pytest.mark.parametrize(
    ("kind", "message", "value"),
    [
        ("boolean", "no", False),
        ("{type: list, of: string}", "no", []),
        ("string", "no", "no"),
        ("integer", "none", 0),
        ('{type: choice, options: ["Yes", "No"]}', "no", "No"),
    ],
)
def test_a_no_that_is_an_answer_is_stored(kind: str, message: str, value: object) -> None:
    assert said(kind, message).value("u.x") == value


@pytest.mark.law("5.10")
@pytest.mark.parametrize("message", ["no idea what you mean by that", "no?"])
def test_more_than_a_no_leaves_nothing_out(message: str) -> None:
    assert said("phone", message).text.endswith("First?")


@pytest.mark.law("5.10")
def test_a_no_leaves_no_required_question_out() -> None:
    assert said("phone", "no", required=True).text.endswith("First?")
