"""Reads the lines by which scenarios and the terminal play an operator: `Lena; because(on shift)` takes over, and
`solved; set(user.age, 45); take(known); because(agreed)` gives back.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.testing.notation import NotationError, read_command, split_parts, write_command

_WITH_TEXT = re.compile(r"\s*(take|end|because|instead_of)\s*\((.*)\)\s*", re.DOTALL)
_FORM = "write it like solved; set(user.age, 45); take(TRANSITION); because(we agreed)"


class TakeOver(NamedTuple):
    """An operator who takes a conversation over: the arguments of `Chat.take_over`."""

    operator: str
    """The operator who takes over."""
    reason: str = ""
    """Why the operator takes over; empty if no reason is given."""
    instead_of: str | None = None
    """The operator in charge who is replaced; `None` if no one is in charge."""


class GiveBack(NamedTuple):
    """An operator who gives a conversation back: the arguments of `Chat.give_back`."""

    outcome: str
    """The outcome that guards read as `person.outcome`."""
    set: dict[str, Any]
    """The values to store, keyed by the address of the field."""
    transition: str | None = None
    """The transition to take, whatever its guard says; `None` for none."""
    end: str | None = None
    """The outcome with which the conversation ends; `None` if it goes on."""
    reason: str = ""
    """Why the operator gives it back; empty if no reason is given."""


def read_take_over(text: str) -> TakeOver:
    """Return who takes over, why, and from whom, from a line. Raises `NotationError`."""
    name, *parts = [part.strip() for part in split_parts(text, ";")]
    texts = _texts(parts)
    if not name or len(texts) != len(parts) or texts.keys() - {"because", "instead_of"}:
        raise NotationError(f"{text!r} does not say who takes over; write it like Lena; because(on shift)")
    return TakeOver(name, texts.get("because", ""), texts.get("instead_of"))


def read_give_back(text: str) -> GiveBack:
    """Return how a conversation is given back, from a line; an empty text means the outcome `done`.

    Raises `NotationError`.
    """
    parts = [part.strip() for part in split_parts(text, ";") if part.strip()]
    is_outcome = bool(parts) and "(" not in parts[0]
    outcome = parts.pop(0) if is_outcome else "done"
    texts = _texts(parts)
    values: dict[str, Any] = {}
    for part in parts:
        if _WITH_TEXT.fullmatch(part) is None:
            values |= _value(part)
    return GiveBack(outcome, values, texts.get("take"), texts.get("end"), texts.get("because", ""))


def _texts(parts: list[str]) -> dict[str, str]:
    """Return the texts of `take(…)`, `end(…)`, `because(…)` and `instead_of(…)`."""
    found = [match for part in parts if (match := _WITH_TEXT.fullmatch(part)) is not None]
    return {match[1]: match[2].strip().strip('"') for match in found}


def _value(part: str) -> dict[str, Any]:
    """Return the field and value of `set(field, value)` or `clear(field)`."""
    match read_command(part):
        case c.Set(field=field, value=value) if field:
            return {field: value}
        case c.Clear(field=field):
            return {field: None}
        case _:
            raise NotationError(f"{part!r} sets no field; {_FORM}")


def write_take_over(event: e.TakenOver) -> str:
    """Return a take-over in the notation of `read_take_over`."""
    texts = {"instead_of": event.instead_of, "because": event.reason}
    parts = [f"{name}({json.dumps(text, ensure_ascii=False)})" for name, text in texts.items() if text]
    return "; ".join([event.operator, *parts])


def write_give_back(event: e.GivenBack) -> str:
    """Return a give-back in the notation of `read_give_back`."""
    parts = [event.outcome] if event.outcome else []
    for field, value in event.set.items():
        parts.append(write_command(c.Clear(field=field) if value is None else c.Set(field=field, value=value)))
    texts = {"take": event.transition, "end": event.end}
    parts += [f"{name}({value})" for name, value in texts.items() if value]
    parts += [f"because({json.dumps(event.reason, ensure_ascii=False)})"] if event.reason else []
    return "; ".join(parts)
