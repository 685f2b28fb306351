"""A value in a sentence that is no plain answer (law 5.8): asked back where it is the only one, else left alone.

`named_values.tsv` and `named_values_held.tsv` were written before the rules; every third row was kept back. An outcome is
a value that is stored, `?` and a value that is suggested, or `-` for neither; where a value is suggested it may as well
be left alone, never the other way round.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import turnwise as tw

FOLDER = Path(__file__).parent
LEARNED, HELD = (
    [line.split("\t") for line in (FOLDER / name).read_text("utf-8").splitlines()]
    for name in ("named_values.tsv", "named_values_held.tsv")
)
MONDAY_MS = int(datetime(2026, 11, 30, 10, tzinfo=UTC).timestamp() * 1000)
TYPES = {
    "choice": "{type: choice, options: [Printer, Laptop, Phone]}",
    "integer": "{type: integer, min: 1, max: 100}",
}
FLOW = """
flow: t
start: ask
records: {{u: {{x: {type}}}}}
nodes:
  ask: {{form: {{fields: [{{field: u.x, ask: "{ask}"}}], confirm: {{}}}}}}
"""


def outcome(kind: str, ask: str, message: str) -> str:
    """Return what became of the value in a message: stored, suggested, or neither."""
    flow = tw.loads(FLOW.format(type=TYPES.get(kind, f"{{type: {kind}}}"), ask=ask))
    with tw.open_sync(flow, clock=tw.ManualClock(MONDAY_MS)) as app:
        chat = app.chat("c")
        chat.start()
        turn = chat.say(message)
        stored = turn.value("u.x")
        if stored is not None:
            return str(stored)
        if not turn.text.endswith(", right?"):
            return "-"
        assert [one.value for one in turn.buttons] == ["yes", "no"]
        return f"?{chat.choose('yes').value('u.x')}"


@pytest.mark.law("5.8")
@pytest.mark.parametrize(("kind", "ask", "message", "expected"), LEARNED, ids=lambda one: one)
def test_a_value_in_a_sentence_is_asked_back(kind: str, ask: str, message: str, expected: str) -> None:
    assert outcome(kind, ask, message) == expected


@pytest.mark.law("5.8")
def test_rows_that_were_kept_back_are_asked_back_too() -> None:
    found = [(message, expected, outcome(kind, ask, message)) for kind, ask, message, expected in HELD]
    right = [one for one in found if one[1] == one[2]]
    assert len(right) >= 25, sorted(set(found) - set(right))
    assert not [one for one in found if one[1] == "-" and not one[2].startswith(("-", "?"))]


@pytest.mark.law("5.8")
def test_another_value_that_is_named_takes_the_place_of_the_suggested_one() -> None:
    flow = tw.loads(FLOW.format(type=TYPES["choice"], ask="What is it about?"))
    with tw.open_sync(flow) as app:
        chat = app.chat("c")
        chat.start()
        assert chat.say("my printer is jammed").text == "Printer, right?"
        assert chat.say("my laptop does not start").text == "Laptop, right?"
        assert "an answer about u.x was not understood 2 times" in str(chat.why("question"))
        assert chat.say("yes").value("u.x") == "Laptop"


@pytest.mark.law("5.8")
@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Abendessen am 4. Dezember", "2026-12-04"),
        ("meine Schwester kommt am Freitag", "2026-12-04"),
        ("nicht am Freitag", None),
        ("nach dem 4. Dezember", None),
        ("zwischen dem 4. und dem 6. Dezember", None),
    ],
)
def test_a_day_in_a_german_sentence_is_asked_back(message: str, expected: str | None) -> None:
    flow = tw.loads(FLOW.format(type="{type: date}", ask="Welcher Tag?").replace("start:", "language: de\nstart:"))
    with tw.open_sync(flow, clock=tw.ManualClock(MONDAY_MS)) as app:
        chat = app.chat("c")
        chat.start()
        turn = chat.say(message)
        assert turn.text.endswith(", richtig?") == (expected is not None)
        assert chat.say("ja").value("u.x") == expected


@pytest.mark.law("5.4")
@pytest.mark.parametrize("message", ["A-17", "it is about B12", "covid-19"])
def test_the_digits_of_a_code_are_no_number(message: str) -> None:
    assert outcome("number", "How much is it?", message) == "-"
