"""Bounds of dates and times that move with the clock: `today + 30d`, `now`."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of
from turnwise.authoring.python_text import write_python
from turnwise.authoring.yaml_text import write_yaml
from turnwise.core.language import language_of
from turnwise.core.link import link_with_diagnostics
from turnwise.core.values import Refused, Rules, read_value
from turnwise.core.values.schema import value_schema
from turnwise.flow.model import Field

LATE_ON_SUNDAY_MS = int(datetime(2026, 11, 29, 23, 30, tzinfo=UTC).timestamp() * 1000)
"""29 November 2026, 23:30 in UTC: Monday in Berlin, and 18:30 on Sunday in New York."""


def fits(field: Field, value: str, zone: str = "UTC", at_ms: int | None = LATE_ON_SUNDAY_MS) -> bool:
    """Whether a field takes a value in stored form."""
    return not isinstance(read_value(field, value, Rules(language_of("en"), zone, at_ms=at_ms)), Refused)


@pytest.mark.law("1.8")
@pytest.mark.parametrize(
    ("bound", "zone", "last"),
    [
        ("today", "UTC", "2026-11-29"),
        ("today", "Europe/Berlin", "2026-11-30"),
        ("today", "America/New_York", "2026-11-29"),
        ("today + 30d", "UTC", "2026-12-29"),
        ("today + 2w", "Europe/Berlin", "2026-12-14"),
        ('today+duration("1d")', "UTC", "2026-11-30"),
        ("today + duration('24h')", "UTC", "2026-11-30"),
        ("today - 18 days", "UTC", "2026-11-11"),
        ("today + 1 week", "UTC", "2026-12-06"),
    ],
)
def test_a_date_is_bounded_by_the_day_of_the_person(bound: str, zone: str, last: str) -> None:
    later = date.fromordinal(date.fromisoformat(last).toordinal() + 1).isoformat()
    earlier = date.fromordinal(date.fromisoformat(last).toordinal() - 1).isoformat()
    assert [fits(Field("day", type="date", max=bound), one, zone) for one in (last, later)] == [True, False]
    assert [fits(Field("day", type="date", min=bound), one, zone) for one in (last, earlier)] == [True, False]


@pytest.mark.law("1.8")
@pytest.mark.parametrize(
    ("kind", "key", "bound", "zone", "value", "is_in"),
    [
        ("datetime", "min", "now", "UTC", "2026-11-29T23:30:00Z", True),
        ("datetime", "min", "now", "UTC", "2026-11-29T23:29:59Z", False),
        ("datetime", "max", "now - 2h", "UTC", "2026-11-29T21:30:00Z", True),
        ("datetime", "max", "now - 2h", "UTC", "2026-11-29T21:30:01Z", False),
        ("datetime", "min", "now", "Europe/Berlin", "2026-11-30T00:30", True),
        ("datetime", "min", "now", "Europe/Berlin", "2026-11-30T00:29", False),
        ("time", "min", "now", "America/New_York", "18:30", True),
        ("time", "min", "now", "America/New_York", "18:29", False),
        ("time", "max", "now + 30m", "America/New_York", "19:01", False),
        ("time", "min", "now + 1h", "UTC", "00:30", False),
        ("time", "max", "now - 1h", "Europe/Berlin", "00:10", False),
    ],
)
def test_moments_and_times_are_bounded_by_now(
    kind: str, key: str, bound: str, zone: str, value: str, *, is_in: bool
) -> None:
    assert fits(Field("at", type=kind, **{key: bound}), value, zone) is is_in  # type: ignore[arg-type]


def test_what_is_stored_already_is_not_judged_again() -> None:
    assert fits(Field("day", type="date", max="today"), "2099-01-01", at_ms=None)


@pytest.mark.parametrize(
    ("kind", "bounds", "message", "hint"),
    [
        ("date", "max: todya", "a field of type date is not bounded by 'todya'", "did you mean 'today'?"),
        ("date", "max: now", "a field of type date is not bounded by 'now'", "write today, or today + 30d"),
        ("datetime", "min: today", "a field of type datetime is not bounded by 'today'", "write now, or now + 2h"),
        ("time", "min: nwo + 5m", "a field of type time is not bounded by 'nwo'", "did you mean 'now'?"),
        ("date", "max: today + 5h", "a date moves by whole days only", "write today, or today + 30d"),
        ("date", "max: today + soon", "'today + soon' is no bound for a field of type date", "write today"),
        ("date", "max: today + 1000000d", "'today + 1000000d' is more than 1000 years away", "write today"),
        ("date", "min: today, max: today - 1d", "no value is both at least today and at most today - 1d", ""),
        ("integer", "max: today", "'today' is no bound for a field of type integer", ""),
        ("date", "max: 24.12.2026", "'24.12.2026' is no bound for a field of type date", "write 2026-12-24"),
    ],
)
def test_a_wrong_bound_is_reported_where_it_stands(kind: str, bounds: str, message: str, hint: str) -> None:
    flow = flow_of(f"""
        flow: wrong
        start: hi
        records:
          visit:
            day: {{type: {kind}, {bounds}}}
        nodes: {{hi: {{say: "{{{{ visit.day }}}}"}}}}
    """)
    _, found = link_with_diagnostics(flow)
    (one,) = [diagnostic for diagnostic in found if diagnostic.code == "TW042"]
    assert (one.message, one.span.line) == (message, 6)
    assert one.hint.startswith(hint)


def test_models_read_the_bounds_of_dates_in_words() -> None:
    field = Field("day", type="date", about="day of the visit", min="today", max="2027-01-31")
    assert value_schema(field)["description"] == "day of the visit; not before today, not after 2027-01-31"


def test_a_program_declares_them_and_writes_them_back() -> None:
    class Visit(tw.Record):
        """A visit."""

        day: date = tw.field(ge="today", le="today + 8w")

    flow = tw.Flow("clinic", "hi", records=[Visit], nodes=[tw.Node("hi", say="Hi.")])
    field = flow.records[0].fields[0]
    assert (field.min, field.max) == ("today", "today + 8w")
    assert 'ge="today", le="today + 8w"' in write_python(flow)
    (read,) = tw.loads(write_yaml(flow)).records
    assert (read.fields[0].min, read.fields[0].max) == ("today", "today + 8w")


CLUB = """
    flow: club
    start: ask
    language: de
    time_zone: Europe/Berlin
    records:
      member: {born: {type: date, about: Geburtsdatum, max: today}}
    nodes:
      ask: {form: {fields: [{field: member.born, ask: Wann bist du geboren?}]}}
"""


@pytest.mark.law("1.8")
def test_a_refusal_names_the_day_in_german_and_a_replay_has_the_clock_of_its_turn() -> None:
    clock = tw.ManualClock(LATE_ON_SUNDAY_MS)
    with OneSyncChat(flow_of(CLUB), clock=clock) as chat:
        chat.start()
        assert "Das ist später als 30.11.2026." in chat.say("2026-12-01").text
        assert "2026-11-30" in chat.why("message").line
        clock.move_s(86_400 * 400)
        assert chat.replay()
        assert chat.rerun().difference is None
        chat.say("2026-12-01")
        assert chat.state().values["member.born"].value == "2026-12-01"


@pytest.mark.law("1.8")
def test_a_birthday_in_the_future_is_refused_by_its_bound_in_words_too() -> None:
    with OneSyncChat(
        flow_of(CLUB.replace("language: de", "language: en")), clock=tw.ManualClock(LATE_ON_SUNDAY_MS)
    ) as chat:
        chat.start()
        assert chat.say("1 May 2099").text.startswith("That is later than Nov 30, 2026.")


@pytest.mark.law("1.8")
@pytest.mark.parametrize(
    ("field", "message", "value"),
    [
        ('{type: time, min: "08:00", max: "17:30"}', "at 9", "09:00"),
        ('{type: time, min: "08:00", max: "17:30"}', "3", "15:00"),
        ('{type: time, max: "17:30"}', "at 3", None),
        ("{type: time}", "at 9", None),
        ("{type: date, min: today, max: today + 8w}", "3/12/2026", None),
    ],
)
def test_the_only_reading_within_the_bounds_counts(field: str, message: str, value: str | None) -> None:
    flow = flow_of(f"""
        flow: visit
        start: ask
        records: {{visit: {{at: {field}}}}}
        nodes: {{ask: {{form: {{fields: [{{field: visit.at, ask: When?}}], confirm: true}}}}}}
    """)
    with OneSyncChat(flow, clock=tw.ManualClock(LATE_ON_SUNDAY_MS)) as chat:
        chat.start()
        assert chat.say(message).value("visit.at") == value
