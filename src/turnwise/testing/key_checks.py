"""Checks what stands in a line of a scenario file: names that exist, values that can be read.

A check returns what is wrong with a text, `None` if nothing is. An empty expectation is left to be rewritten.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, get_args
from zoneinfo import ZoneInfo, available_timezones

from turnwise.core.machine import Machine
from turnwise.core.state.kinds import CallRefusal
from turnwise.flow.diagnostic import nearest
from turnwise.flow.durations import read_duration_s
from turnwise.testing.notation import FAILS, NOTHING, NotationError, read_calls, read_commands
from turnwise.testing.operator_lines import read_give_back
from turnwise.testing.overlay_lines import read_forcing

NO_REPLY = "(nothing)"
"""What stands for a reply that is empty."""
DEFAULT_CLOCK = "2026-01-05T09:00:00+00:00"
"""The time at which a scenario begins that names none."""
STATUSES = ("waiting", "ended", "failed")
"""The statuses that a scenario can expect of a conversation."""
REFUSED_CALLS = get_args(CallRefusal)
"""The reasons for which a tool call can be refused."""

Check = Callable[[str, Machine], "str | None"]
"""A function that returns what is wrong with the value of a line; `None` if nothing is."""
_Names = Callable[[Machine], Iterable[str]]


def read_moment(text: str) -> datetime | None:
    """Return a point in time with its zone; `None` for any other text."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def check_forcing(value: str, machine: Machine) -> str | None:
    """Return what is wrong with a line that forces an overlay; `None` if nothing is."""
    try:
        name = read_forcing(value).name
    except NotationError as error:
        return str(error)
    return known_name("overlay", of=lambda machine: machine.overlays)(name, machine)


# builders of checks ------------------------------------------------------------------------------


def known_name(what: str, *names: str, of: _Names = lambda _: (), separator: str = "") -> Check:
    """Return a check that a value is a known name: one of `names`, or of those that `of` returns for the machine; with
    a `separator`, each of several. `what` says in messages what is named.
    """

    def check(value: str, machine: Machine) -> str | None:
        known = of(machine)
        used = [part.strip() for part in value.split(separator)] if separator else [value]
        unknown = [name for name in used if name and name not in names and name not in known]
        return "; ".join(_unknown(what, name, (*names, *known)) for name in unknown) or None

    return check


def readable_by(read: Callable[[str], object]) -> Check:
    """Return a check that the function `read` can read a value."""

    def check(value: str, _machine: Machine) -> str | None:
        try:
            read(value)
        except NotationError as error:
            return str(error)
        return None

    return check


def not_empty(problem: str) -> Check:
    """Return a check that a value is not empty; `problem` is its message."""
    return lambda value, _: None if value else problem


def whole_number(what: str, least: int = 0) -> Check:
    """Return a check that a value is a whole number of at least `least`, or empty; `what` names it in messages."""

    def check(value: str, _machine: Machine) -> str | None:
        is_number = value.isascii() and value.isdigit() and int(value) >= least
        return None if not value or is_number else f"{value!r} is no {what}"

    return check


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    return f"there is no {what} '{name}'; {nearest(name, known)}".rstrip("; ")


# checks ------------------------------------------------------------------------------------------


def check_clock(value: str, _machine: object = None) -> str | None:
    """Return what is wrong with the moment at which conversations begin; `None` if nothing is."""
    return None if read_moment(value) is not None else f"the clock needs a moment with its zone, like {DEFAULT_CLOCK}"


def check_zone(value: str, _machine: object = None) -> str | None:
    """Return what is wrong with the name of a time zone; `None` if nothing is."""
    try:
        ZoneInfo(value or "UTC")
    except (KeyError, ValueError, OSError):
        return _unknown("time zone", value, available_timezones())
    return None


def check_time_span(value: str, _machine: Machine) -> str | None:
    """Return what is wrong with a time span; `None` if nothing is."""
    return None if read_duration_s(value) is not None else f"{value!r} is no time span, write it like 30m or 2h"


def check_commands(value: str, _machine: Machine) -> str | None:
    """Return what is wrong with a line of one or more commands; `None` if nothing is."""
    try:
        return None if read_commands(value) else "no command is named; write it like set(user.age, 45)"
    except NotationError as error:
        return str(error)


def check_understanding(value: str, machine: Machine) -> str | None:
    """Return what is wrong with a scripted result of understanding; `None` if nothing is."""
    return None if value in (NOTHING, FAILS) else check_commands(value, machine)


def check_tool(value: str, machine: Machine) -> str | None:
    """Return what is wrong with the name of a tool whose result is scripted; `None` if nothing is."""
    known = machine.tools
    return None if value in known else _unknown("tool", value, known) if value else "which tool? 'result think: …'"


def check_give_back(value: str, machine: Machine) -> str | None:
    """Return what is wrong with a line that gives a conversation back, such as an unknown field; else `None`."""
    try:
        given = read_give_back(value)
    except NotationError as error:
        return str(error)
    problems = [_unknown("field", field, machine.fields) for field in given.set if field not in machine.fields]
    known = machine.transitions()
    if given.transition is not None and given.transition not in known:
        problems.append(_unknown("transition", given.transition, known))
    return "; ".join(problems) or None


def check_calls(value: str, _machine: Machine) -> str | None:
    """Return what is wrong with lines of expected calls; `None` if nothing is.

    Tools are not looked up: a model may call one that does not exist.
    """
    try:
        ends = [one.end for one in read_calls(value) if one.end is not None]
    except NotationError as error:
        return str(error)
    codes = [end.removeprefix("refused ") for end in ends if end.startswith("refused ")]
    found = [_unknown("code of a refused call", code, REFUSED_CALLS) for code in codes if code not in REFUSED_CALLS]
    return "; ".join(found) or None


def check_status(value: str, _machine: Machine) -> str | None:
    """Return what is wrong with an expected status; `None` if nothing is.
    Only its first word is checked: what follows is compared when the step is played.
    """
    first = value.partition(" ")[0]
    return _unknown("status", first, STATUSES) if first and first not in (*STATUSES, NO_REPLY) else None


def check_person(value: str, _machine: Machine) -> str | None:
    """Return what is wrong with a line about the person in charge; `None` if nothing is."""
    is_known = value in ("", "none") or value.endswith(" in charge") or value.startswith("awaited in ")
    return None if is_known else "write it like 'awaited in QUEUE', 'Lena in charge', or 'none'"


def check_artefact(value: str, _machine: Machine) -> str | None:
    """Return what is wrong with the data of an expected artefact; `None` if nothing is."""
    if value in ("", "none"):
        return None
    try:
        found: Any = json.loads(value)
    except json.JSONDecodeError as error:
        return f"this is no JSON: {error}"
    return None if isinstance(found, dict) else "the data of an artefact is a JSON object, or none"
