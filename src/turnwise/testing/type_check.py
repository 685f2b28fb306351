"""Checks a scenario against its flow: names that exist, values that can be read, inputs that have an effect.

A mistake of the file is reported with its line and the nearest name. Otherwise a misspelt name would be an expectation
that is never met, or worse, one that is always met.
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.api.open import Turn
from turnwise.core.machine import Machine
from turnwise.core.state.events import CallRefused, ModelFailed, ModelReplied, Undone
from turnwise.testing.key_checks import DEFAULT_CLOCK, read_moment
from turnwise.testing.keys import HEADER, Line, Problem
from turnwise.testing.scenario import KEYS, Scenario, ScenarioFile, StepLines

_IN_VAIN = ("late", "stale_button")


# before it is played -----------------------------------------------------------------------------


def problems_of_empty(file: ScenarioFile) -> Iterator[Problem]:
    """Yield a problem for each key of a file's header that has no value."""
    for key, line in file.header.items():
        if not line.value:
            yield Problem(line.number, f"'{key}' says nothing; write it like '{key}: {HEADER[key].example}'")


def problems_of_header(file: ScenarioFile, machine: Machine) -> Iterator[Problem]:
    """Yield the problems of a file's header, and a problem if the file has no scenarios."""
    for line in file.header.values():
        yield from _wrong(line, machine)
    if not file.scenarios:
        yield Problem(max(len(file.lines), 1), "there is no scenario in this file; an input such as 'user:' begins one")


def begin_ms(file: ScenarioFile) -> int:
    """Return when the conversations of a file begin, in milliseconds since 1970; its clock must be valid."""
    line = file.header.get("clock")
    begin = read_moment(line.value if line is not None else DEFAULT_CLOCK)
    assert begin is not None
    return round(begin.timestamp() * 1000)


def problems_of(scenario: Scenario, machine: Machine) -> Iterator[Problem]:
    """Yield the problems of all lines of a scenario: unknown names, and values that cannot be read."""
    if not scenario.steps:
        yield Problem(scenario.line, "this scenario has no input")
    for number, step in enumerate(scenario.steps):
        if step.given.key == "run" and not machine.flow.autonomous:
            text = "this flow does not go on by itself; begin with 'start', or say 'autonomous: true' in it"
            yield Problem(step.given.number, text)
        elif step.given.key == "run" and number:
            yield Problem(step.given.number, "'run' begins a conversation; it is the first input of a scenario")
        for line in (*step.scripts, step.given, *step.expected):
            yield from _wrong(line, machine)


def _wrong(line: Line, machine: Machine) -> Iterator[Problem]:
    """Report the problem of the subject of a line, else of its value."""
    key = KEYS[line.key]
    wrong = key.subject.check(line.subject, machine) if key.subject is not None else None
    if not wrong and key.value is not None:
        wrong = key.value(line.value, machine)
    if wrong:
        yield Problem(line.number, wrong)


# after it was played -----------------------------------------------------------------------------


def useless_inputs(step: StepLines, turn: Turn, *, is_scripted: bool = True) -> Iterator[Problem]:
    """Yield a problem for each input that was refused or had no effect, and with `is_scripted` for each call of the
    script that was refused, unless the step expects that.
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


def failed_model_calls(step: StepLines, turn: Turn) -> Iterator[Problem]:
    """Yield a problem for each failed model call that the step does not expect: such a turn does not test the model."""
    expects = any(line.key == "status" and line.value.startswith("failed") for line in step.expected)
    warned = [line.value for line in step.expected if line.key == "warning"]
    if expects or any(code in one for code in ("wording_failed", "summary_failed") for one in warned):
        return
    for event in turn.events:
        if isinstance(event, ModelFailed):
            yield Problem(step.given.number, f"the model did not answer: {event.reason}")
