"""Dates, times of day, moments and time spans wherever values flow: each is its own type, never a midnight of UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of, sets
from turnwise.core.link import link
from turnwise.core.state.events import CommandRefused
from turnwise.flow.diagnostic import FlowError
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding

FLOW = """
flow: visit
start: ask
time_zone: Europe/Berlin
records:
  c:
    born: date
    copy: date
    week: {type: date, value: c.born + duration("7d")}
    clock: time
    later: time
    at: datetime
    meet: datetime
    span: duration
    days: {type: list, of: date}
tools:
  store: {about: store, args: {born: date, clock: time, at: datetime, days: {type: list, of: date}}}
nodes:
  ask:
    prompt: Ask. Born {{ c.born }}, at {{ c.clock }}, seen {{ c.at }}, took {{ c.span }}, week {{ c.week }}.
    collect: [c.born, c.clock, c.at, c.span, c.days]
    transitions:
      - at: before
        when: has(c.born) && has(c.clock) && has(c.at) && has(c.days)
        set: {c.copy: c.born, c.later: 'c.clock + duration("90m")', c.meet: 'datetime(c.born, c.clock)'}
        to: act
  act:
    tool: {name: store, with: {born: c.copy, clock: c.later, at: c.meet, days: c.days}}
    once: bye
  bye: {prompt: Say goodbye., end: done}
"""
VALUES = sets(
    c__born="1980-05-01",
    c__clock="9:30",
    c__at="2026-03-29T10:00:00Z",
    c__span="90m",
    c__days=["2026-01-02", "3.1.2026"],
)


def met(flow: str = FLOW, **supplied: Any) -> tuple[tw.Turn, ScriptedModel, dict[str, object]]:
    """The last turn of a conversation in which these values were set, its model, and what the tool was given."""
    given: dict[str, object] = {}

    def store(born: date, clock: time, at: datetime, days: list[date]) -> str:
        given.update(born=born, clock=clock, at=at, days=days)
        return "stored"

    model = ScriptedModel(["Tell me.", "Bye."])
    understood = ScriptedUnderstanding([VALUES])
    chat = OneSyncChat(flow_of(flow), tools=[store], model=model, understand=understood, **supplied)
    chat.start()
    return chat.say("here"), model, given


@pytest.mark.law("2.11", "4.4")
def test_a_date_stays_a_date_in_copies_arguments_and_what_is_worked_out() -> None:
    turn, _, given = met()
    assert given == {
        "born": date(1980, 5, 1),
        "clock": time(11, 0),
        "at": datetime(1980, 5, 1, 7, 30, tzinfo=UTC),  # half past nine in Berlin, by its summer time of then
        "days": [date(2026, 1, 2), date(2026, 1, 3)],
    }
    kept = {name: found.value for name, found in turn.state.values.items()}
    assert (kept["c.copy"], kept["c.week"], kept["c.later"]) == ("1980-05-01", "1980-05-08", "11:00")


GUARDS = [
    ("c.born < today", True),
    ("yearsBetween(c.born, today) >= 18", True),
    ("date(c.at) == '2026-03-29' && time(c.at) == '12:00'", True),  # in Berlin, after its clocks went forward
    ("date(c.at) < today", False),
    ("c.clock + duration('90m') <= '11:00'", True),
    ("c.days.exists(d, d - c.born > duration('16000d'))", True),
]


@pytest.mark.law("2.11", "2.13")
@pytest.mark.parametrize(("guard", "holds"), GUARDS)
def test_a_guard_reads_dates_as_a_python_guard_does(guard: str, holds: bool) -> None:
    seen: dict[str, object] = {}

    @tw.guard
    def code(c: Any, today: date) -> bool:
        """Only looks."""
        seen.update(born=c.born, clock=c.clock, at=c.at, today=today)
        return False

    of = FLOW.replace("has(c.born) &&", f"({guard}) && has(c.born) &&")
    of = of.replace("    transitions:\n", "    transitions:\n      - {at: before, guard: code, to: bye, priority: 1}\n")
    turn, _, given = met(of, guards=[code], clock=tw.ManualClock(NOW))
    assert bool(given) is holds
    assert seen == {
        "born": date(1980, 5, 1),
        "clock": time(9, 30),
        "at": datetime(2026, 3, 29, 10, tzinfo=UTC),
        "today": date(2026, 1, 9),
    }
    explained = [c for d in turn.decisions for c in d.candidates if c.code is not None]
    assert explained[-1].code.reads["today"] == "2026-01-09"


NOW = round(datetime(2026, 1, 8, 23, 30, tzinfo=UTC).timestamp() * 1000)
"""Half past midnight in Berlin, on the next day."""


@pytest.mark.law("2.9", "2.11")
@pytest.mark.parametrize(
    ("field", "value", "hint"),
    [
        ("c.copy", "c.at", "date(…)"),
        ("c.copy", "now", "date(…)"),
        ("c.meet", "c.born", "datetime(day, time)"),
        ("c.later", "c.at", "time(…)"),
        ("c.copy", "c.clock", ""),
        ("c.copy", "'soon'", ""),
        ("c.copy", "'31.02.2026'", ""),
    ],
)
def test_a_value_of_another_type_is_refused_when_the_flow_is_linked(field: str, value: str, hint: str) -> None:
    of = FLOW.replace("{c.copy: c.born,", f'{{{field}: "{value}",').replace(
        "c.later: 'c.clock + duration(\"90m\")', c.meet: 'datetime(c.born, c.clock)'", ""
    )
    with pytest.raises(FlowError) as error:
        link(flow_of(of))
    assert [one.code for one in error.value.diagnostics] == ["TW046"]
    assert hint in str(error.value)


@pytest.mark.law("2.11")
@pytest.mark.parametrize(
    ("guard", "values", "roots", "verdict"),
    [
        ("c.born < today", {"born": "1980-05-01"}, {"today": "2026-01-01"}, "held"),
        ("c.born < today", {"born": date(1980, 5, 1)}, {"today": date(1980, 5, 1)}, "not_held"),
        ("today - c.born > duration('18d')", {"born": "2026-01-01"}, {"today": "2026-02-01"}, "held"),
        ("c.at > '9:30'", {"at": time(10, 0)}, {}, "held"),
        ("c.wait < duration('1h')", {"wait": timedelta(minutes=5)}, {}, "held"),
    ],
)
def test_judge_takes_dates_and_times(
    guard: str, values: dict[str, object], roots: dict[str, object], verdict: str
) -> None:
    assert tw.judge(guard, {"c": values}, roots=roots).verdict == verdict


@pytest.mark.law("2.11")
@pytest.mark.parametrize(
    ("guard", "needed"),
    [
        ("c.clock > '18:30'", "18:31"),
        ("c.born <= today - duration('18d')", "2025-12-22"),
        ("date(c.at) >= today", None),
    ],
)
def test_needs_propose_dates_and_times_that_hold(guard: str, needed: str | None) -> None:
    of = FLOW.replace(
        "when: has(c.born) && has(c.clock) && has(c.at) && has(c.days)", f'id: go\n        when: "{guard}"'
    )
    model = ScriptedModel(["Tell me."] * 3)
    understood = ScriptedUnderstanding([sets(c__born="2026-01-02", c__clock="9:30", c__at="2025-12-29T10:00:00Z")])
    chat = OneSyncChat(
        flow_of(of), tools={"store": lambda **_: "x"}, model=model, understand=understood, clock=tw.ManualClock(NOW)
    )
    chat.start()
    turn = chat.say("here")
    found = [one for d in turn.decisions for one in d.candidates if one.id == "go"]
    ((need,),) = found[-1].needs
    assert needed is None or need.value == needed


# texts for people ---------------------------------------------------------------------------------

SAID = """
flow: said
start: ask
language: {language}
time_zone: {zone}
records:
  c: {{born: date, clock: time, at: datetime, span: duration, price: number, n: integer, part: number, days: {{type: list, of: date}}}}
nodes:
  ask:
    prompt: Ask. {{{{ c.born | date:long }}}}.
    collect: [c.born, c.clock, c.at, c.span, c.price, c.n, c.part, c.days]
    transitions: [{{at: before, when: has(c.born), to: bye}}]
  bye: {{say: '{text}', once: last}}
  last: {{prompt: 'Born {{{{ c.born }}}} at {{{{ c.clock }}}}, {{{{ c.at }}}}, {{{{ c.span }}}}, {{{{ c.price }}}}.', end: done}}
"""
GIVEN = sets(
    c__born="1980-05-01", c__clock="18:30", c__at="2026-03-29T16:30:00Z", c__span="90m", c__price=1234.5, c__n=2026, c__part=0.25,
    c__days=["2026-01-02", "2026-02-03"],
)  # fmt: skip


def said(text: str, language: str = "en", zone: str = "Europe/Berlin") -> tuple[str, ScriptedModel]:
    """What is said to the user with these values, and the model that was shown them."""
    model = ScriptedModel(["Tell me.", "Bye."])
    of = SAID.format(language=language, zone=zone, text=text.replace("'", "''"))
    chat = OneSyncChat(flow_of(of), model=model, understand=ScriptedUnderstanding([GIVEN]))
    chat.start()
    text = chat.say("here").text
    chat.say("and now?")
    return text, model


@pytest.mark.law("3.6")
@pytest.mark.parametrize(
    ("hole", "english", "german"),
    [
        ("c.born", "May 1, 1980", "01.05.1980"),
        ("c.clock", "6:30 PM", "18:30"),
        ("c.at", "Mar 29, 2026, 6:30 PM", "29.03.2026, 18:30"),
        ("c.span", "1 hour, 30 minutes", "1 Stunde, 30 Minuten"),
        ("c.price", "1234.5", "1234,5"),
        ("c.n", "2026", "2026"),
        ("c.days", "Jan 2, 2026, Feb 3, 2026", "02.01.2026, 03.02.2026"),
        ('c.born + duration("7d")', "May 8, 1980", "08.05.1980"),
        ("c.born | date: long", "May 1, 1980", "1. Mai 1980"),
        ("c.born|date:full", "Thursday, May 1, 1980", "Donnerstag, 1. Mai 1980"),
        ('c.born | date: "EEEE, d MMMM"', "Thursday, 1 May", "Donnerstag, 1 Mai"),
        ("c.born | date: \"d. MMM 'of' y\"", "1. May of 1980", "1. Mai of 1980"),
        ("c.at | date", "Mar 29, 2026", "29.03.2026"),
        ("c.at | time: medium", "6:30:00 PM", "18:30:00"),
        ("c.at | datetime: short", "3/29/26, 6:30 PM", "29.03.26, 18:30"),
        ('c.clock | time: "HH:mm"', "18:30", "18:30"),
        ("c.span | duration: short", "1 hr, 30 min", "1 Std., 30 Min."),
        ("c.price | number", "1,234.5", "1.234,5"),
        ('c.price | number: "#,##0.00"', "1,234.50", "1.234,50"),
        ("c.n | number", "2,026", "2.026"),
        ("c.part | percent", "25%", "25\xa0%"),
        ("c.price | currency: EUR", "€1,234.50", "1.234,50\xa0€"),
        ("c.days | date: long", "January 2, 2026, February 3, 2026", "2. Januar 2026, 3. Februar 2026"),
        ('c.n > 3 || c.n < 1 ? "a|b" : "c"', "a|b", "a|b"),
    ],
)
def test_people_read_values_in_their_language_and_time_zone(hole: str, english: str, german: str) -> None:
    text = f"It is {{{{ {hole} }}}}."
    assert said(text)[0] == f"It is {english}."
    assert said(text, "de")[0] == f"It is {german}."


@pytest.mark.law("3.6")
def test_a_moment_is_told_in_the_time_zone_of_the_conversation() -> None:
    assert said("{{ c.at }}", zone="America/New_York")[0] == "Mar 29, 2026, 12:30 PM"


FORM = """
flow: form
start: ask
language: de
time_zone: Europe/Berlin
records:
  c: {day: {type: date, min: 2026-01-01}, at: datetime}
tools:
  book: {about: einen Tisch bestellen, kind: effect, confirm: true, args: {day: date, at: datetime}}
nodes:
  ask:
    form:
      fields: [{field: c.day, ask: Welcher Tag?}, {field: c.at, ask: Wann?}]
      confirm: {}
    transitions: [{at: after, to: book}]
  book: {tool: {name: book, with: {day: c.day, at: c.at}}, once: bye}
  bye: {say: Danke., end: done}
"""


@pytest.mark.law("5.13", "4.5")
def test_a_summary_and_a_question_for_consent_tell_dates_in_the_language() -> None:
    understood = ScriptedUnderstanding([sets(c__day="2026-03-04", c__at="2026-03-04T17:30:00Z")])
    chat = OneSyncChat(flow_of(FORM), tools={"book": lambda **_: "x"}, understand=understood)
    chat.start()
    summary = chat.say("am 4. März um halb sieben").text
    assert "→ 04.03.2026" in summary and "→ 04.03.2026, 18:30" in summary
    question = chat.say("ja").text
    assert "- day: 04.03.2026\n- at: 04.03.2026, 18:30" in question


@pytest.mark.law("3.6")
def test_a_model_reads_iso_unless_a_format_is_asked_for() -> None:
    (_, model) = said("Hello.", "de")
    shown = "\n".join("\n".join(request.instructions) for request in model.calls)
    assert "Born 1980-05-01 at 18:30, 2026-03-29T16:30:00Z, 1h30m, 1234.5." in shown


@pytest.mark.parametrize(
    ("hole", "reported"),
    [
        ("c.born | dat: long", "TW038 there is no format 'dat'; did you mean 'date'?"),
        ("c.born | upper", "TW038 there is no format 'upper'"),
        ("c.born | date: lang", "TW038 'date' has no format 'lang'; did you mean 'long'?"),
        ("c.born | time", "TW038 the format 'time' is for a time of day or a moment in time, this is a date"),
        ("c.n | date", "TW038 the format 'date' is for"),
        ("c.price | currency: EUT", "TW038 there is no currency 'EUT'"),
        ("c.price | currency", "TW038 'currency' needs a currency"),
        ('c.born | date: "foo"', "TW038 'f' means nothing in a pattern of 'date'"),
        ('c.price | number: "abc"', "TW038 'a' means nothing"),
        ("c.born | date: long: x", "TW038"),
        ("c.born | ", "TW038"),
        ("c.born | date | date", "TW038"),
    ],
)
def test_a_format_that_does_not_exist_or_fit_is_refused_with_its_place(hole: str, reported: str) -> None:
    of = SAID.format(language="en", zone="UTC", text=f"It is {{{{ {hole} }}}}.".replace("'", "''"))
    with pytest.raises(FlowError) as error:
        link(flow_of(of))
    (found,) = error.value.diagnostics
    assert f"{found.code} {found.message}; {found.hint}".startswith(reported)
    assert found.span.line == 13


# refusals ----------------------------------------------------------------------------------------

LATE = """
flow: late
start: ask
language: {language}
time_zone: Europe/Berlin
records:
  c:
    day: {{type: date, max: 2019-03-08}}
    clock: {{type: time, min: "09:00"}}
    at: {{type: datetime, max: "2019-03-08T10:00:00Z"}}
    span: {{type: duration, max: 45m}}
    price: {{type: number, max: 1.5}}
nodes:
  ask:
    form: {{fields: [{{field: c.{field}, ask: When?}}]}}
"""


@pytest.mark.law("5.13")
@pytest.mark.parametrize(
    ("field", "answer", "english", "german"),
    [
        ("day", "2019-03-09", "later than Mar 8, 2019.", "später als 08.03.2019."),
        ("day", "03/04/2019", "Mar 4, 2019 or Apr 3, 2019.", "04.03.2019 oder 03.04.2019 sein."),
        ("clock", "08:00", "earlier than 9:00 AM.", "früher als 09:00."),
        ("at", "2019-03-09 10:00", "later than Mar 8, 2019, 11:00 AM.", "später als 08.03.2019, 11:00."),
        ("span", "90m", "more than 45 minutes.", "mehr als 45 Minuten."),
        ("price", "2", "more than 1.5.", "mehr als 1,5."),
    ],
)
def test_people_read_why_a_value_is_refused_in_their_language(
    field: str, answer: str, english: str, german: str
) -> None:
    for language, expected in (("en", english), ("de", german)):
        with tw.open_sync(tw.loads(LATE.format(language=language, field=field))) as app:
            chat = app.chat("late")
            chat.start()
            text = chat.say(answer).text
        assert expected in text


@pytest.mark.law("5.13")
@pytest.mark.parametrize("answer", ["Mar 4, 2019", "Apr 3, 2019"])
def test_the_ways_that_a_refusal_offers_are_taken(answer: str) -> None:
    with tw.open_sync(tw.loads(LATE.format(language="en", field="day").replace(", max: 2019-03-08", ""))) as app:
        chat = app.chat("late")
        chat.start()
        assert answer in chat.say("03/04/2019").text
        assert chat.say(answer).value("c.day") in ("2019-03-04", "2019-04-03")


PROMPTED = """
flow: prompted
start: ask
language: de
records: {c: {day: {type: date, max: 2019-03-08}}}
nodes:
  ask: {prompt: Ask., collect: [c.day], writes: [c.day]}
"""


@pytest.mark.law("3.6", "4.4")
def test_models_read_why_a_value_is_refused_in_iso_and_people_do_not() -> None:
    late = tw.call("write_c", set={"day": "2019-03-10"})
    model = ScriptedModel(["Wann?", late, "Bitte noch einmal."])
    with tw.open_sync(
        tw.loads(PROMPTED), model=model, understand=ScriptedUnderstanding([sets(c__day="2019-03-09")])
    ) as app:
        chat = app.chat("late")
        chat.start()
        turn = chat.say("am 9.3.2019")
    assert model.calls[1].notes == ("Das ist mehr als 2019-03-08.",)
    assert "2019-03-08" in str([m for m in model.calls[2].transcript if m.role == "tool"] or model.calls[2].transcript)
    (refused,) = [event for event in turn.events if isinstance(event, CommandRefused)]
    assert (refused.text, refused.iso) == ("Das ist später als 08.03.2019.", "Das ist mehr als 2019-03-08.")
    with tw.open_sync(tw.loads(PROMPTED), understand=ScriptedUnderstanding([sets(c__day="2019-03-09")])) as app:
        chat = app.chat("late")
        chat.start()
        assert "08.03.2019" in chat.say("am 9.3.2019").text
