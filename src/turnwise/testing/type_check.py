"""Checks a scenario against its flow: names that exist, values that can be read, inputs that have an effect.

A mistake of the file is reported with its line and the nearest name. Otherwise a misspelt name would be an expectation
that is never met, or worse, one that is always met.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, get_args
from zoneinfo import ZoneInfo, available_timezones

from turnwise.api.open import Turn
from turnwise.core.machine import Machine
from turnwise.core.state import FormStatus
from turnwise.core.state.events import AnyEvent, CallRefused, ModelFailed, ModelReplied, Undone
from turnwise.core.state.kinds import ArtefactKind, CallRefusal, RefusalCode, WarningCode
from turnwise.core.trace import Outcome
from turnwise.flow.diagnostic import nearest
from turnwise.flow.durations import read_duration_s
from turnwise.flow.model import Moment
from turnwise.testing.approval_lines import read_decisions
from turnwise.testing.notation import (
    FAILS,
    NotationError,
    read_calls,
    read_commands,
    read_reply,
    read_result,
    read_tool_use,
)
from turnwise.testing.operator_lines import read_give_back, read_take_over
from turnwise.testing.scenario import HEADER, Line, Problem, Scenario, ScenarioFile, StepLines
from turnwise.testing.script import NOTHING

DEFAULT_CLOCK = HEADER["clock"]
NOT_JUDGED = "not a candidate"
NO_CALL = "no call"

ARTEFACTS = get_args(ArtefactKind)
STATUSES = ("waiting", "ended", "failed")
REFUSALS = get_args(RefusalCode)
WARNINGS = get_args(WarningCode)
REFUSED_CALLS = get_args(CallRefusal)

_IN_VAIN = ("late", "stale_button")
_EVENTS = tuple(str(event.__struct_config__.tag) for event in get_args(AnyEvent))
_Check = Callable[[str, Machine], "str | None"]
_Names = Callable[[Machine], Iterable[str]]


# before it is played -----------------------------------------------------------------------------


def problems_of_empty(file: ScenarioFile) -> Iterator[Problem]:
    """The keys of a header without a value."""
    for key, line in file.header.items():
        if not line.value:
            yield Problem(line.number, f"'{key}' says nothing; write it like '{key}: {HEADER[key]}'")


def problems_of_header(file: ScenarioFile) -> Iterator[Problem]:
    """Report problems of the header of a file, and a file without scenarios."""
    clock, zone = file.header.get("clock"), file.header.get("zone")
    if clock is not None and _moment(clock.value) is None:
        yield Problem(clock.number, f"the clock needs a moment with its zone, like {DEFAULT_CLOCK}")
    if zone is not None and (wrong := _zone(zone.value)):
        yield Problem(zone.number, wrong)
    if not file.scenarios:
        yield Problem(max(len(file.lines), 1), "there is no scenario in this file; an input such as 'user:' begins one")


def begin_ms(file: ScenarioFile) -> int:
    """When the conversations of a file begin, in milliseconds since 1970. Its clock is sound."""
    line = file.header.get("clock")
    begin = _moment(line.value if line is not None else DEFAULT_CLOCK)
    assert begin is not None
    return round(begin.timestamp() * 1000)


def problems_of(scenario: Scenario, machine: Machine) -> Iterator[Problem]:
    """The problems of all lines of a scenario: names that the machine lacks, values that cannot be read."""
    if not scenario.steps:
        yield Problem(scenario.line, "this scenario has no input")
    for number, step in enumerate(scenario.steps):
        if step.given.key == "run" and not machine.flow.autonomous:
            text = "this flow does not go on by itself; begin with 'start', or say 'autonomous: true' in it"
            yield Problem(step.given.number, text)
        elif step.given.key == "run" and number:
            yield Problem(step.given.number, "'run' begins a conversation; it is the first input of a scenario")
        for line in (*step.scripts, step.given, *step.expected):
            if wrong := _wrong(line, machine):
                yield Problem(line.number, wrong)


def _wrong(line: Line, machine: Machine) -> str | None:
    """Return the problem of the subject of a line, else of its value."""
    for check, text in ((_SUBJECTS.get(line.key), line.subject), (_VALUES.get(line.key), line.value)):
        if check is not None and (wrong := check(text, machine)):
            return wrong
    return None


# after it was played -----------------------------------------------------------------------------


def in_vain(step: StepLines, turn: Turn, *, is_scripted: bool = True) -> Iterator[Problem]:
    """Report inputs that were refused or had no effect, and refused scripted calls, unless the step states that it
    expects so.
    """
    keys = {line.key for line in step.expected}
    number, given = step.given.number, f"'{step.given.key}'"
    if turn.refused and "refused" not in keys:
        text = f"{given} was refused: {turn.refusal} Expect that with 'refused: {turn.refused}', or change it"
        yield Problem(number, text)
    for warning in turn.warnings if "warning" not in keys else ():
        if warning.code in _IN_VAIN:
            text = f"{given} did nothing: {warning.message}; expect that with 'warning: {warning.code}', or change it"
            yield Problem(number, text)
    is_idle = step.given.key == "undo" and not turn.refused and not any(isinstance(one, Undone) for one in turn.events)
    if is_idle and not keys & {"refused", "bot", "bot contains"}:
        yield Problem(number, "'undo' took nothing back; expect what was said with 'bot', or change it")
    # a call that waited for approval and is refused later was not made in this step
    made = {call.id for event in turn.events if isinstance(event, ModelReplied) for call in event.calls}
    for event in turn.events if is_scripted and "calls" not in keys else ():
        if isinstance(event, CallRefused) and event.call in made:
            lines = (line for line in step.scripts if line.key == "model" and f"-> {event.tool}" in line.value)
            text = f"the call of '{event.tool}' was refused: {event.text}; expect that with 'calls', or change it"
            yield Problem(next(lines, step.given).number, text)


def unanswered(step: StepLines, turn: Turn) -> Iterator[Problem]:
    """Report failed calls of a model that the step does not expect: such a turn is no test of the model."""
    expects = any(line.key == "status" and line.value.startswith("failed") for line in step.expected)
    if expects or any(line.key == "warning" and "wording_failed" in line.value for line in step.expected):
        return
    for event in turn.events:
        if isinstance(event, ModelFailed):
            yield Problem(step.given.number, f"the model did not answer: {event.reason}")


# what a line may say -----------------------------------------------------------------------------


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _zone(name: str, _machine: Machine | None = None) -> str | None:
    try:
        ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):
        return _unknown("time zone", name, available_timezones())
    return None


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    return f"there is no {what} '{name}'; {nearest(name, known)}".rstrip("; ")


def _one_of(what: str, *names: str, of: _Names = lambda _: (), separator: str = "") -> _Check:
    """A check that a name is known: one of `names` or of the machine's; with a separator, of each of several. An empty
    one is left to be rewritten.
    """

    def check(value: str, machine: Machine) -> str | None:
        known = (*names, *of(machine))
        used = [part.strip() for part in value.split(separator)] if separator else [value]
        return "; ".join(_unknown(what, name, known) for name in used if name and name not in known) or None

    return check


def _understand(value: str, _machine: Machine) -> str | None:
    return None if value in (NOTHING, FAILS) else _commands(value, _machine)


def _commands(value: str, _machine: Machine) -> str | None:
    try:
        return None if read_commands(value) else "no command is named; write it like set(user.age, 45)"
    except NotationError as error:
        return str(error)


def _readable(read: Callable[[str], object]) -> _Check:
    """A check that a value can be read. An empty one is left to be rewritten."""

    def check(value: str, _machine: Machine) -> str | None:
        try:
            read(value)
        except NotationError as error:
            return str(error)
        return None

    return check


def _calls(value: str, _machine: Machine) -> str | None:
    """Return the problem of expected calls. Tools are not looked up: a model may call one that does not exist."""
    try:
        ends = [one.end for one in read_calls(value) if one.end is not None]
    except NotationError as error:
        return str(error)
    codes = [end.removeprefix("refused ") for end in ends if end.startswith("refused ")]
    found = [_unknown("code of a refused call", code, REFUSED_CALLS) for code in codes if code not in REFUSED_CALLS]
    return "; ".join(found) or None


def _call_number(value: str, _machine: Machine) -> str | None:
    is_number = value.isascii() and value.isdigit() and int(value) > 0
    return None if not value or is_number else f"{value!r} is no number of a call of the model, counted from 1"


def _named_tool(value: str, machine: Machine) -> str | None:
    known = machine.tools
    return None if value in known else _unknown("tool", value, known) if value else "which tool? 'result think: …'"


def _time_span(value: str, _machine: Machine) -> str | None:
    return None if read_duration_s(value) is not None else f"{value!r} is no time span, write it like 30m or 2h"


def _number(value: str, _machine: Machine) -> str | None:
    return None if not value or (value.isascii() and value.isdigit()) else f"{value!r} is no number of a turn"


def _filled(problem: str) -> _Check:
    """A check that a value is not empty."""
    return lambda value, _: None if value else problem


def _status(value: str, _machine: Machine) -> str | None:
    first = value.partition(" ")[0]
    return _unknown("status", first, STATUSES) if first and first not in (*STATUSES, "(nothing)") else None


def _given_back(value: str, machine: Machine) -> str | None:
    """Return the problem of a line that gives back: it cannot be read, or names an unknown field or transition."""
    try:
        given = read_give_back(value)
    except NotationError as error:
        return str(error)
    problems = [_unknown("field", field, machine.fields) for field in given.set if field not in machine.fields]
    known = machine.transitions()
    if given.transition is not None and given.transition not in known:
        problems.append(_unknown("transition", given.transition, known))
    return "; ".join(problems) or None


def _person(value: str, _machine: Machine) -> str | None:
    is_known = value in ("", "none") or value.endswith(" in charge") or value.startswith("awaited in ")
    return None if is_known else "write it like 'awaited in QUEUE', 'Lena in charge', or 'none'"


def _data(value: str, _machine: Machine) -> str | None:
    if value in ("", "none"):
        return None
    try:
        found: Any = json.loads(value)
    except json.JSONDecodeError as error:
        return f"this is no JSON: {error}"
    return None if isinstance(found, dict) else "the data of an artefact is a JSON object, or none"


_SUBJECTS: dict[str, _Check] = {
    "field": _one_of("field", of=lambda machine: machine.fields),
    "transition": _one_of("transition", of=lambda machine: machine.transitions()),
    "missing": _one_of("transition", of=lambda machine: machine.transitions()),
    "decision": _one_of("moment", *get_args(Moment)),
    "artefact": _one_of("artefact", *ARTEFACTS),
    "result": _named_tool,
    "offered": _call_number,
    "asked contains": _call_number,
    "asked without": _call_number,
}
_SOME_TEXT = _filled("every text contains nothing; write what must be in it")
_VALUES: dict[str, _Check] = {
    "understand": _understand,
    "commands": _commands,
    "model": _readable(read_reply),
    "result": _readable(read_result),
    "tool": _readable(read_tool_use),
    "press": _filled("which button? 'press: Yes'"),
    "fire": _filled("which timer? 'fire: remind'"),
    "wait": _time_span,
    "start": _zone,
    "undo": _number,
    "take over": _readable(read_take_over),
    "operator": _filled("what does the operator say? 'operator: Hello, I am Lena.'"),
    "give back": _given_back,
    "decide": _readable(read_decisions),
    "person": _person,
    "bot contains": _SOME_TEXT,
    "asked contains": _SOME_TEXT,
    "asked without": _SOME_TEXT,
    "calls": _calls,
    "offered": _one_of("tool", "none", NO_CALL, of=lambda machine: sorted(machine.names.tools), separator=","),
    "node": _one_of("node", of=lambda machine: machine.nodes),
    "status": _status,
    "form": _one_of("status of a form", "none", *get_args(FormStatus)),
    "transition": _one_of("outcome", NOT_JUDGED, *get_args(Outcome), separator=","),
    "missing": _one_of("field", "none", of=lambda machine: machine.fields, separator=","),
    "artefact": _data,
    "events": _one_of("event", "none", *_EVENTS, separator=" "),
    "warning": _one_of("warning", "none", *WARNINGS, separator=","),
    "refused": _one_of("refusal", "no", *REFUSALS),
    "turn": _number,
}
