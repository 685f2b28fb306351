"""What became of fields, commands and answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.machine import Candidate, Write
from turnwise.core.state import How
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.story.beginnings import began
from turnwise.why.story.telling import Telling

HOW: dict[How, str] = {
    "button": "answered with a button",
    "direct": "answered by the user",
    "understood": "as it was understood",
    "command": "by a command of the program",
    "operator": "by the person in charge",
    "tool": "by a tool",
    "set": "by the flow",
    "prefill": "prefilled",
    "default": "by default",
    "derived": "computed",
    "supposed": "supposed",
}
"""How a value came, in words."""


def _field(address: str) -> tuple[Subject, ...]:
    return (Subject("field", address),)


def _set(telling: Telling, event: e.FieldSet) -> Iterator[Fact]:
    before = telling.state.values.get(event.field) if telling.state is not None else None
    write = _write_of(telling, event.field) if event.how == "set" else None
    yield telling.fact(
        "field_set",
        *_field(event.field),
        causes=_causes(telling, event.field, event.how, write),
        source=str(write.span) if write is not None and write.span.line else "",
        field=event.field,
        value=telling.value(event.field, event.value),
        how=_how(telling, event.how, write),
        origin=event.how,
        confidence=event.confidence if event.confidence not in (None, 1.0) else None,
        before=telling.value(event.field, before.value) if before is not None else None,
    )


def _how(telling: Telling, how: How, write: Write | None) -> str:
    if how == "set" and write is not None:
        winner = _winner(telling)
        if winner is not None and write in winner.writes:
            return f"by the transition {winner.id}"
        return f"by the node {telling.node}"
    if how == "tool" and (tool := telling.first("tool_returned", "model_replied", "tool_used_by_host")) is not None:
        return f"by the tool {tool.values['tool']}" if "tool" in tool.values else "by a call of the model"
    return HOW[how]


def _cleared(telling: Telling, event: e.FieldCleared) -> Iterator[Fact]:
    before = telling.state.values.get(event.field) if telling.state is not None else None
    write = _write_of(telling, event.field) if event.how == "set" else None
    yield telling.fact(
        "field_cleared",
        *_field(event.field),
        causes=_causes(telling, event.field, event.how, write),
        field=event.field,
        before=telling.value(event.field, before.value) if before is not None else None,
        how=_how(telling, event.how, write),
    )


def _nothing(telling: Telling, event: e.NothingSet) -> Iterator[Fact]:
    names = f"{', '.join(event.missing)} {'was' if len(event.missing) == 1 else 'were'}"
    removed = "the value before was removed" if event.removed else ""
    causes = _causes(telling, event.field, "set", _write_of(telling, event.field))
    yield telling.fact(
        "nothing_set", *_field(event.field), causes=causes, field=event.field, missing=names, removed=removed
    )


def _causes(telling: Telling, address: str, how: How, write: Write | None) -> tuple[Fact | None, ...]:
    """Return what caused a write: the message, the tool, the transition, and the values from which it was computed."""
    match how:
        case "set":
            reads = [
                read for ref in (write.reads if write is not None else ()) for read in value_read(telling, ref.key)
            ]
            return (telling.first("decided", "node_left"), *reads)
        case "derived":
            of = next((one for one in telling.machine.derived if one.address == address), None)
            return tuple([read for name in (of.reads if of is not None else ()) for read in value_read(telling, name)])
        case "tool":
            return (telling.first("tool_returned", "model_replied", "tool_used_by_host"),)
        case "operator":
            return (telling.first("person_gave_back"),)
        case "understood":
            return (telling.first("understood"), began(telling))[:1]
        case "prefill" | "default":
            return (telling.first("node_left", "conversation_started"),)
        case _:
            return (began(telling),)


def value_read(telling: Telling, name: str) -> Iterator[Fact]:
    """Yield the value that a rule read before the present entry, with its origin; a root that is no field has none."""
    if name not in telling.machine.fields or telling.state is None:
        return
    found = telling.state.values.get(name)
    if found is None:
        default = telling.machine.fields[name].default
        kind = "value_missing" if default is None else "value_read"
        how: dict[str, Any] = {} if default is None else {"value": telling.value(name, default), "how": HOW["default"]}
        yield telling.fact(kind, *_field(name), name=name, **how)
        return
    value = telling.value(name, found.value)
    yield telling.fact("value_read", *_field(name), name=name, value=value, how=HOW[found.how], since=found.turn)


def _winner(telling: Telling) -> Candidate | None:
    """Return the transition that is being taken: of the last decision, as long as its node is not left."""
    decided, left = telling.latest.get("decided"), telling.latest.get("node_left")
    if decided is None or (left is not None and left.seq > decided.seq):
        return None
    node, moment, taken = (decided.values[key] for key in ("node", "moment", "transition"))
    return next((one for one in telling.machine.candidates(node, moment).all if one.id == taken), None)


def _write_of(telling: Telling, address: str) -> Write | None:
    """Return the `set` by which a field is written now."""
    node, winner = telling.machine.nodes[telling.node], _winner(telling)
    own = (*winner.writes, *node.writes_on_leave) if winner is not None else node.writes
    return next((write for write in own if write.address == address), None)


def _shelved(telling: Telling, event: e.FieldShelved) -> Iterator[Fact]:
    causes = (telling.first("field_set", "field_cleared"),)
    yield telling.fact("field_shelved", *_field(event.field), causes=causes, field=event.field)


def _revived(telling: Telling, event: e.FieldRevived) -> Iterator[Fact]:
    causes = (telling.first("field_set", "field_cleared"),)
    yield telling.fact("field_revived", *_field(event.field), causes=causes, field=event.field)


def _applied(telling: Telling, event: e.CommandApplied) -> Iterator[Fact]:
    about = _field(event.field) if event.field else ()
    causes = (telling.first("understood") or began(telling),)
    yield telling.fact("command_applied", *about, causes=causes, command=event.command, field=event.field)


def _refused(telling: Telling, event: e.CommandRefused) -> Iterator[Fact]:
    about = _field(event.field) if event.field else ()
    causes = (telling.first("understood") or began(telling),)
    code = event.reason.replace("_", " ")
    values: dict[str, Any] = {"command": event.command, "field": event.field, "reason": code, "said": event.text}
    yield telling.fact("command_refused", *about, causes=causes, code=event.reason, **values)


def _missed(telling: Telling, event: e.Missed) -> Iterator[Fact]:
    about = (*(_field(event.field) if event.field else ()), Subject("question"))
    yield telling.fact("not_understood", *about, causes=(began(telling),), field=event.field)


def _hidden(telling: Telling, _event: e.WordsHidden) -> Iterator[Fact]:
    yield telling.fact("words_hidden", Subject("message", str(telling.entry.turn)), causes=(began(telling),))


TELLERS: dict[type, Callable[[Telling, Any], Iterator[Fact]]] = {
    e.FieldSet: _set,
    e.FieldCleared: _cleared,
    e.NothingSet: _nothing,
    e.FieldShelved: _shelved,
    e.FieldRevived: _revived,
    e.CommandApplied: _applied,
    e.CommandRefused: _refused,
    e.Missed: _missed,
    e.WordsHidden: _hidden,
}
