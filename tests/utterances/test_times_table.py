"""Days, times and whole numbers in a message (law 7.3a): stored where there is one reading, asked back where more are.

`times.tsv` and `times_held.tsv` were written before the rules were changed for them; every third row was kept back.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw

TABLES = sorted(Path(__file__).parent.glob("times*.tsv"))
ROWS = [line.split("\t") for file in TABLES for line in file.read_text("utf-8").splitlines()[1:]]
WEDNESDAY_MS = 1_794_996_000_000
"""2026-11-18 10:00 UTC."""
KINDS = {
    "date": ("{x: {type: date}}", {"x": ("Which day?", "Welcher Tag?")}),
    "past": ("{x: {type: date, max: today}}", {"x": ("When did it happen?", "Wann war das?")}),
    "future": ("{x: {type: date, min: today}}", {"x": ("Which day?", "Welcher Tag?")}),
    "time": ("{x: {type: time}}", {"x": ("What time?", "Welche Uhrzeit?")}),
    "days": ("{x: {type: list, of: date}}", {"x": ("Which days?", "Welche Tage?")}),
    "count": ("{x: {type: integer}}", {"x": ("How many?", "Wie viele?")}),
    "trip": (
        "{x: {type: date, about: arrival}, y: {type: date, about: departure}}",
        {"x": ("When do you arrive?", "Wann ist die Anreise?"), "y": ("When do you leave?", "Wann ist die Abreise?")},
    ),
}
FLOW = """
flow: t
start: ask
language: %s
records: {u: %s}
nodes:
  ask:
    form:
      fields: [%s]
      confirm: {}
"""


def _shown(value: str, language: str) -> str:
    """A date or a time of day as the user reads it."""
    if ":" in value:
        hour, minute = value.split(":")
        half = "PM" if int(hour) >= 12 else "AM"
        return value if language == "de" else f"{(int(hour) - 1) % 12 + 1}:{minute} {half}"
    day = date.fromisoformat(value)
    return f"{day:%d.%m.%Y}" if language == "de" else f"{day:%b} {day.day}, {day.year}"


def _played(language: str, kind: str, *messages: str) -> tuple[list[Any], str]:
    types, asks = KINDS[kind]
    fields = ", ".join(f"{{field: u.{name}, ask: '{ask[language == 'de']}'}}" for name, ask in asks.items())
    with tw.open_sync(tw.loads(FLOW % (language, types, fields)), clock=tw.ManualClock(WEDNESDAY_MS)) as app:
        chat = app.chat("c")
        chat.start()
        turn = [chat.say(message) for message in messages][-1]
    held = [turn.state.values.get(f"u.{name}") for name in asks]
    return [one.value for one in held if one is not None], turn.text


@pytest.mark.law("7.3a")
@pytest.mark.parametrize(("language", "kind", "message", "wanted"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS])
def test_a_day_or_a_time_is_stored_or_asked_back(language: str, kind: str, message: str, wanted: str) -> None:
    values, text = _played(language, kind, message)
    if wanted == "nothing":
        assert values == []
    elif " or " in wanted:
        shown = [_shown(one, language) for one in wanted.split(" or ")]
        lead, joint = {"en": ("That may be", "or"), "de": ("Das kann", "oder")}[language]
        assert text.startswith(f"{lead} {', '.join(shown[:-1])} {joint} {shown[-1]}")
        assert values == []
    elif kind == "days":
        assert values == [wanted.split(" + ")]
    else:
        assert [str(one) for one in values] == wanted.split(" > ")


@pytest.mark.law("3.4")
def test_a_bound_decides_between_two_days_and_is_named_where_it_excludes_both() -> None:
    assert _played("en", "future", "Wednesday")[0] == []
    values, text = _played("en", "past", "next Friday")
    assert values == []
    assert "Nov 18, 2026" in text
    assert _played("en", "past", "Wednesday")[0] == ["2026-11-18"]


@pytest.mark.law("3.4")
def test_the_day_that_a_user_chooses_is_read_as_any_other() -> None:
    assert _played("en", "date", "next Friday", "Nov 27")[0] == ["2026-11-27"]
    assert _played("de", "date", "nächsten Freitag", "20.11.2026")[0] == ["2026-11-20"]
    assert _played("en", "past", "3/12", "Dec 3, 2026")[0] == []
