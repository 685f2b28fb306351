"""Dates, times of day, moments and time spans wherever values flow: each is its own type, never a midnight of UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

import turnwise as tw
from support.one_chat import OneSyncChat
from support.talks import read, sets
from turnwise.core.link import link
from turnwise.flow.diagnostic import FlowError
from turnwise.providers.scripted import ScriptedModel, ScriptedUnderstanding

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
    chat = OneSyncChat(read(flow), tools=[store], model=model, understand=understood, **supplied)
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
        link(read(of))
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
        read(of), tools={"store": lambda **_: "x"}, model=model, understand=understood, clock=tw.ManualClock(NOW)
    )
    chat.start()
    turn = chat.say("here")
    found = [one for d in turn.decisions for one in d.candidates if one.id == "go"]
    ((need,),) = found[-1].needs
    assert needed is None or need.value == needed
