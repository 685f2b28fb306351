"""Reads questions that name their subject exactly: by a name of the flow, a kind and a name, an item of a list, the
number of a turn, the id of a call, or a word such as `end` for what there is once.
"""

from __future__ import annotations

from typing import NamedTuple, cast, get_args

from turnwise.core.candidates import PERSON_TIMEOUT
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.errors import UnknownSubject
from turnwise.flow.diagnostic import nearest
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject, SubjectKind
from turnwise.why.item_names import item_named
from turnwise.why.names import UNNAMED, by_name, by_other_name, by_question, is_used, subjects

_CALL = late_pattern(r"\d+-\d+-\d+")
_WHY = late_pattern(r"(?i)^(?:why|warum|wieso|weshalb)(?:\s+(?:not|nicht))?(?:\s+|$)")
_ALONE: dict[str, SubjectKind] = {
    **{kind: kind for kind in UNNAMED},
    "message": "message",
    "turn": "turn",
    "prompt": "model",
    "timer": "timer",
}
"""Words that need no name beside them: `end`, or `the end` where the flow has such a name."""
_OF_SCOPES = ("scope", "frame")
"""Words before the name of a scope."""


class ExactSubjects(NamedTuple):
    """The subjects that a name means."""

    found: tuple[Subject, ...]
    """The subjects with that name, the most probable first."""
    turn: int | None = None
    """The number of the turn that the name contains; `None` if it contains none."""


def named_exactly(machine: Machine, question: str, state: State, turn: int) -> ExactSubjects | None:
    """Return the subjects that a question names exactly, at the end of a turn; `None` if it is no exact name.
    Raises `UnknownSubject` for a name that the flow does not have.
    """
    text = question.strip().rstrip("?").strip()
    if not text or text.casefold() in ("this turn", "the turn"):
        own = _of_name(machine, "turn") if text else ()
        return ExactSubjects((Subject("turn", str(turn)), *own))
    bare = _WHY.sub("", text, count=1)
    item = item_named(machine, lambda name: _of_name(machine, name), bare.removeprefix("item "), state)
    if item is not None:
        return ExactSubjects((item,))
    found = (*_of_name(machine, text), Subject("turn")) if not bare else _alone(machine, text) or _alone(machine, bare)
    if found:
        return ExactSubjects(_whole(machine, found, state, turn))
    kind, _, name = bare.replace(":", " ").partition("." if bare.startswith("limit.") else " ")
    name = name.strip()
    if kind.casefold() in _OF_SCOPES and name and " " not in name and len(machine.scopes) > 1:
        return ExactSubjects(_scope(machine, name))
    if kind in get_args(SubjectKind) and name and (" " not in name or name == PERSON_TIMEOUT):
        return _of_kind(machine, cast("SubjectKind", kind), name, state, turn)
    if text.lstrip("-").isdecimal():
        return ExactSubjects((Subject("turn", text),), int(text))
    return ExactSubjects((Subject("call", text),), _turn_of_call(text)) if _CALL.fullmatch(text) else None


def _of_kind(machine: Machine, kind: SubjectKind, name: str, state: State, turn: int) -> ExactSubjects | None:
    """Read `field user.age`, `turn 7`, `call 3-1-1`, `person Lena`."""
    if kind in ("turn", "message") and name.isdecimal():
        return ExactSubjects((Subject(kind, name),), int(name))
    if kind == "call":
        return ExactSubjects((Subject(kind, name),), _turn_of_call(name))
    if kind in ("person", "turn", "message"):
        return ExactSubjects((Subject(kind, name),)) if kind == "person" else None
    looked_for: SubjectKind = "field" if kind == "question" else kind
    found = tuple([one for one in _of_name(machine, name) if one.kind == looked_for])
    if not found and kind == "tool":
        return ExactSubjects((Subject("tool", name),))  # a model may have called a tool that there is not
    if not found:
        known = [one.name for one in subjects(machine) if one.kind == looked_for]
        raise UnknownSubject(f"{kind} {name}", nearest(name, known))
    if kind == "question":
        found = tuple([Subject("question", one.name) for one in found])
    return ExactSubjects(_whole(machine, found, state, turn))


def _scope(machine: Machine, name: str) -> tuple[Subject, ...]:
    """Return the node that opens a scope, by the name of the scope: `scope survey`, `frame survey/detail`. Raises
    `UnknownSubject` for a name that no scope has.
    """
    found = tuple([one for one in _of_name(machine, name) if one.kind == "node" and one.name in machine.scopes])
    if not found:
        raise UnknownSubject(f"scope {name}", nearest(name, [scope for scope in machine.scopes if scope]))
    return found


def _of_name(machine: Machine, name: str) -> tuple[Subject, ...]:
    """Return every subject of a name."""
    key = ("why", "names")
    if key not in machine.explain_cache:
        machine.explain_cache[key] = (by_name(machine), by_other_name(machine))
    own, other = machine.explain_cache[key]
    return (*own.get(name.casefold(), ()), *other.get(name, ())) or by_question(machine, own, name)


def _alone(machine: Machine, text: str) -> tuple[Subject, ...]:
    """Return the subjects of a name, or of a word such as `end`; with `the` before it, it is that word first."""
    is_the = text.casefold().startswith("the ")
    word = text[4:] if is_the else text
    found, kind = _of_name(machine, word), _ALONE.get(word.casefold())
    own = (Subject(kind),) if kind is not None else ()
    return (*own, *found) if is_the else (*found, *own)


def _whole(machine: Machine, found: tuple[Subject, ...], state: State, turn: int) -> tuple[Subject, ...]:
    """Return subjects with the names of those that have none yet; of the timers, armed ones first."""
    whole: list[Subject] = []
    for one in found:
        if one.kind == "timer" and not one.name:
            timers = [own for own in subjects(machine) if own.kind == "timer"]
            timers = [own for own in timers if is_used(machine, own.name)] or timers
            armed = {timer.transition for timer in state.timers}
            whole += sorted(timers, key=lambda timer: timer.name not in armed)
        elif one.kind in ("turn", "message") and not one.name:
            whole.append(Subject(one.kind, str(turn)))
        else:
            whole.append(one)
    return tuple(dict.fromkeys(whole))


def _turn_of_call(name: str) -> int | None:
    """Return the turn of the call of a model, whose id begins with it: `3-1-2`; `None` for any other text."""
    return int(name.partition("-")[0]) if _CALL.fullmatch(name) else None
