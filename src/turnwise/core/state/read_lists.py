"""Lists that decisions read: one that is too long to be copied into the entry of the decision is recorded there by its
field and length.

The list itself is read from the state before that entry, to which the earlier entries lead (ADR 0071).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec.structs import replace

from turnwise.core.state import FieldValue, State
from turnwise.core.state.events import CodeRun, Decided

MOST_INLINE = 4
"""How many entries a list may have to be recorded whole with a decision; of a longer one its length is recorded."""
_KEYS = {"field", "entries"}


class ListRead(dict[str, Any]):
    """The record of a list that a decision read, by length: `{"field": "order.items", "entries": 200}`.

    In the process that made the decision it still has what was read, as `found`: the stored value, or the list alone
    where Python code read it.
    """

    __slots__ = ("found",)

    def __init__(self, address: str, entries: int, found: Any) -> None:
        super().__init__(field=address, entries=entries)
        self.found = found


_READ: frozenset[type] = frozenset((dict, ListRead))
"""The types of what is recorded for a list, from a store and in the process that made the decision."""


def as_recorded(address: str, found: Any) -> Any:
    """Return what a decision records for a field that it read: the value itself, or for a long list its length."""
    length = _length(_bare(found))
    return ListRead(address, length, found) if length > MOST_INLINE else found


def is_by_length(value: object) -> bool:
    """Return whether a recorded value stands for a list by its length, without the entries."""
    return isinstance(value, dict) and cast("dict[str, Any]", value).keys() == _KEYS


def stands_for_lists(decided: Decided) -> bool:
    """Return whether a stored decision records lists by their length, so that it lacks their entries."""
    values = (*decided.reads, *[value for run in decided.code for value in run.reads.values()])
    return any(type(value) is not ListRead and is_by_length(value) for value in values)


def with_lists(decided: Decided, state: State | None) -> Decided:
    """Return a decision with the entries of the lists that it read, from the `state` on which it was made. If that
    state lacks such a list, the decision is returned without what it read.
    """
    if _READ.isdisjoint(map(type, decided.reads)) and not decided.code:
        return decided
    try:
        reads = tuple([_found(value, state) if is_by_length(value) else value for value in decided.reads])
        code = tuple([_code_with_lists(run, state) for run in decided.code])
    except KeyError:
        return replace(decided, reads=(), code=())
    return decided if reads == decided.reads and code == decided.code else replace(decided, reads=reads, code=code)


def misread_lists(decided: Decided, state: State | None) -> tuple[str, ...]:
    """Return the fields whose lists in `state`, on which the decision was made, differ from what it records."""
    values = (*decided.reads, *[value for run in decided.code for value in run.reads.values()])
    wrong: list[str] = []
    for value in filter(is_by_length, values):
        try:
            _stored(value, state)
        except KeyError:
            wrong.append(str(value["field"]))
    return tuple(wrong)


def _code_with_lists(run: CodeRun, state: State | None) -> CodeRun:
    if not any(map(is_by_length, run.reads.values())):
        return run
    reads = {
        name: _bare(_found(value, state)) if is_by_length(value) and value["field"] == name else value
        for name, value in run.reads.items()
    }
    return replace(run, reads=reads)


def _found(value: Mapping[str, Any], state: State | None) -> Any:
    return value.found if isinstance(value, ListRead) else _stored(value, state)


def _stored(value: Mapping[str, Any], state: State | None) -> FieldValue:
    """Return the list as a state has it. Raises `KeyError` if it has none of this length."""
    found = state.values[value["field"]] if state is not None else None
    if found is None or _length(found.value) != value["entries"]:
        raise KeyError(value["field"])
    return found


def _length(value: object) -> int:
    """Return how many entries a list has; -1 for any other value."""
    return len(cast("list[Any]", value)) if isinstance(value, list) else -1


def _bare(found: Any) -> Any:
    return found.value if isinstance(found, FieldValue) else found


def recorded_as(decided: Decided, other: Decided) -> Decided:
    """Return a decision that records its lists as `other` does: with all entries or by length.

    Older journals have all entries.
    """
    if len(decided.reads) != len(other.reads) or len(decided.code) != len(other.code):
        return decided
    reads = tuple([_as(value, as_in) for value, as_in in zip(decided.reads, other.reads, strict=True)])
    code = tuple(
        [
            replace(run, reads={name: _as(value, as_in.reads.get(name)) for name, value in run.reads.items()})
            for run, as_in in zip(decided.code, other.code, strict=True)
        ]
    )
    return replace(decided, reads=reads, code=code)


def _as(value: Any, other: Any) -> Any:
    found = value.found if isinstance(value, ListRead) else value
    if not is_by_length(other):
        return found
    return other if _length(_bare(found)) == other["entries"] else found
