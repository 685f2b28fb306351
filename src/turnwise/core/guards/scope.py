"""The names that a guard may use: fields and roots such as `message` and `tools` (law 2.11), and how each is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct

from turnwise.core.answers import count_right_answers
from turnwise.core.guards import Env, Evaluate, GuardFault, Recorded, Ref
from turnwise.core.guards.types import Type, to_stored, unset_value
from turnwise.core.state import State, ToolHistory
from turnwise.core.zones import local_time
from turnwise.flow.addresses import field_of, record_of, split_name
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import GuardError
from turnwise.flow.model import Field

Read = Callable[[State], Any]
"""A function that returns the value of a root in a state."""
NO_CONSTANT = object()
"""Stands for the constant of a term that has none."""


class Term(Struct):
    """A compiled expression: its type, and the closure that computes it."""

    type: Type
    """The type of the value in the guard language."""
    run: Evaluate
    """The closure that computes the value in an environment."""
    constant: Any = NO_CONSTANT
    """The value of a constant expression; `NO_CONSTANT` for any other."""
    address: str = ""
    """The address of the field, if the expression is one; else empty."""
    is_stored: bool = False
    """True if a field's value is used in its stored form, without default or conversion."""
    of_item: tuple[int, str] | None = None
    """For a value of a list item in stored form: the depth at which the item is bound, and its name; else `None`."""

    @property
    def is_constant(self) -> bool:
        """True if the term has the same value in every state."""
        return self.constant is not NO_CONSTANT


def constant(kind: Type, value: Any) -> Term:
    """Return the term of a constant of the type `kind`."""
    return Term(kind, lambda _env: value, constant=value)


def evaluated_constant(term: Term, at: int) -> Term:
    """Evaluate a term of constants once and return a constant. Raises `GuardError` at the offset `at` if that fails."""
    try:
        return constant(term.type, term.run(Env({}, Recorded({}))))
    except GuardFault as error:
        raise GuardError("TW032", str(error), at) from None


class Root(Struct, frozen=True):
    """A name that guards can read without a record, such as `turns`: its type, and how a state has its value."""

    type: Type
    """The type of the value in the guard language."""
    read: Read
    """Computes the value from a state."""
    convert: Callable[[Any], Any] | None = None
    """Converts the value for expressions; `None` if it is used as it is."""
    is_secret: bool = False
    """True if the value may be secret."""


class Names(Struct, frozen=True):
    """The names that a guard may use; inside a scope those of the scope."""

    records: Mapping[str, Mapping[str, Field]]
    """The fields by name, by the name of their record."""
    roots: Mapping[str, Root]
    """The values without a record, such as `turns`, by name."""
    tools: frozenset[str] = frozenset()
    """The names of the flow's tools."""
    nodes: frozenset[str] = frozenset()
    """The full names of the flow's nodes."""
    overlays: frozenset[str] = frozenset()
    """The names of the flow's overlays."""
    is_open: bool = False
    """True if every `record.field` counts as a field of unknown type, so that none is reported as missing."""
    bare: Mapping[str, str] = {}
    """The addresses of fields that may be named without their record, by that name."""
    unsure: frozenset[str] = frozenset()
    """The addresses of fields whose type could not be read."""
    places: Mapping[str, str] = {}
    """Inside a scope: the full addresses of its own records, by their names."""
    prefix: str = ""
    """Inside a scope: the prefix of the full names of its nodes; else empty."""
    read_only: frozenset[str] = frozenset()
    """Inside a scope: the records of the surrounding conversation, which the scope can only read."""

    def address(self, name: str) -> str:
        """Return the full address of a record or field, as the state and the machine know it."""
        if not self.places:
            return name
        record, field = split_name(name, self.places)
        place = self.places.get(record, record)
        return f"{place}.{field}" if field else place

    def addresses(self) -> Iterator[str]:
        """Yield the full address of each field."""
        yield from (self.address(f"{record}.{name}") for record, fields in self.records.items() for name in fields)

    def node(self, name: str) -> str:
        """Return the full name of a node, as the state and the machine know it."""
        return f"{self.prefix}{name}"

    def field_at(self, address: str) -> Field | None:
        """Return the field at a full address; `None` if it is none of these names."""
        place, name = record_of(address), field_of(address)
        record = next((one for one, where in self.places.items() if where == place), place)
        return self.records.get(record, {}).get(name)

    def items_of(self, record: str) -> Mapping[str, Field]:
        """Return the fields, by name, of the record of list items, which may be a record that these guards
        cannot name.
        """
        for fields in self.records.values():
            found = next((one for one in fields.values() if one.parts and one.of == record), None)
            if found is not None:
                return {part.name: part for part in found.parts}
        return self.records.get(record, {})

    def validated(self, address: str) -> bool:
        """Return whether the field at an address declares a validator."""
        field = self.field_at(address)
        return field is not None and bool(field.validate)

    def field(self, record: str, name: str, at: int) -> Field:
        """Return the field of a record; if there is none, raise `GuardError` with the nearest name, for the offset
        `at`.
        """
        fields = self.records.get(record, {})
        if name in fields:
            return fields[name]
        if self.is_open:
            return Field(name)
        if record not in self.records:
            raise GuardError("TW031", f"nothing is called '{record}'", at, nearest(record, self.records))
        raise GuardError("TW031", f"'{record}' has no field '{name}'", at, nearest(name, fields))


class Reads(Struct):
    """Collects the fields and roots that an expression reads, in order of first use."""

    refs: dict[str, Ref] = {}
    """The fields and roots by their keys, in the order in which they are first read."""

    def add(self, key: str, of: Field | None, read: Read | None) -> None:
        """Add a field (`of`), or a root that `read` takes from a state, by its key to those that the
        expression reads.
        """
        if key not in self.refs:
            self.refs[key] = Ref(key, of, read, None if of is None else unset_value(of))

    def root(self, key: str, kind: Type, read: Read, convert: Callable[[Any], Any] | None = None) -> Term:
        """Return the term of a root of the type `kind`, and add it to those that are read. `read` takes the value from
        a state, `convert` makes of it a value of the type; without it the value is as it is read.
        """
        self.add(key, None, read)
        if convert is None:
            return Term(kind, lambda env: env.source.get(key, read))

        def run(env: Env) -> Any:
            value = env.source.get(key, read)
            return None if value is None else convert(value)

        return Term(kind, run)


# roots -------------------------------------------------------------------------------------------


def _message_text(state: State) -> str | None:
    text = state.doing.message if state.doing is not None else None
    return text if text is not None and text.strip() else None


def _fault(part: str) -> Read:
    def read(state: State) -> str | None:
        fault = state.doing.fault if state.doing is not None else None
        return (getattr(fault, part) or None) if fault is not None else None

    return read


def moment_of(at_ms: int) -> datetime:
    """Return a time in milliseconds since 1970 as a `datetime`."""
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _today(state: State) -> str:
    return local_time(state.at_ms, state.time_zone).date().isoformat()


def _open_question(state: State) -> str | None:
    """The field of the question that is open, as it is named inside the scope."""
    question = state.frame.question
    return (question.field.rpartition("/")[2] or None) if question is not None else None


def _scope_outcome(state: State) -> str | None:
    """The outcome of the scope that is the node's work, or that was closed in this turn."""
    doing = state.doing
    return (doing.scope_outcome if doing is not None else "") or state.frame.scope_outcome or None


FORM_STATUS: Final = "form.status"
"""The root that is the status of the form in progress; unknown without one."""
FORM_RIGHT: Final = "form.right"
"""The root that counts the right answers of a form whose questions are data."""
SINCE_ENTRY = "message.since_entry"
"""The root that is true once the user has sent something after the turn that entered the node."""

ROOTS: dict[str, Root] = {
    "message.text": Root("string", _message_text),
    "message.button": Root("string", lambda state: state.doing.button if state.doing is not None else None),
    SINCE_ENTRY: Root("bool", lambda state: state.frame.has_message),
    "tools.last": Root("string", lambda state: state.frame.tools.last[-1].tool if state.frame.tools.last else None),
    "turns": Root("int", lambda state: state.frame.turns),
    "errors": Root("int", lambda state: state.errors),
    FORM_STATUS: Root("string", lambda state: state.frame.form.status if state.frame.form is not None else None),
    FORM_RIGHT: Root("int", count_right_answers),
    "scope.outcome": Root("string", _scope_outcome),
    "scope.open_question": Root("string", _open_question),
    "person.outcome": Root("string", lambda state: state.frame.person_outcome or None),
    "error.kind": Root("string", _fault("kind")),
    "error.message": Root("string", _fault("message")),
    "error.tool": Root("string", _fault("tool")),
    "now": Root("timestamp", lambda state: state.at_ms, moment_of),
    "today": Root("date", _today),
}
"""The roots: what a guard may read beside fields, by name."""
REPLY_TEXT = "reply.text"
"""The root that only a check of replies reads."""
PERSON = "person"
"""The root about the person in charge."""
PERSONA = "persona"
"""The root about who speaks for the machine."""
ROOTS_BEHIND_RECORDS = (PERSON, PERSONA)
"""The roots that may also be names of records: a field of the record wins over a part of the root."""
FUNCTION_ROOTS = ("tools", "visits", "overlay")
"""Names that are read by their functions only: `tools.used(…)`."""
CLOCK_ROOTS = ("now", "today")
"""The roots that change by time alone; a change of their values causes no new judging."""

TIME_ZONE = "time zone"
"""The key of the conversation's time zone, which conversions between moments and days read. No guard can name it."""


def time_zone(state: State) -> str:
    """Return the name of the conversation's time zone."""
    return state.time_zone


def root_shown(key: str, value: Any) -> Any:
    """Return the value of the root `key` for explanations: a timestamp as ISO text, others unchanged."""
    root = ROOTS.get(key)
    if root is None or root.convert is None or value is None or isinstance(value, str):
        return value
    return to_stored(root.convert(value))


# uses of tools -----------------------------------------------------------------------------------

SEQUENCE_LONGEST = 64
"""The longest sequence and the widest window: as many uses as a state keeps (law 1.1)."""

Pattern = tuple[tuple[str, ...], ...]
"""A tool sequence: per position the tools that fill it; an empty text among them means that it may be left out."""


def was_used(tools: ToolHistory, tool: str, within: int | None) -> bool:
    """Return whether a tool was used at all, or among the last `within` uses of tools."""
    if within is None:
        return tool in tools.counts
    return any(use.tool == tool for use in tools.last[-within:])


def ended_with(tools: ToolHistory, pattern: Pattern) -> bool:
    """Return whether the last tool uses match a sequence, in this order, with its optional repeats."""
    uses = [use.tool for use in tools.last]
    ends = {len(uses)}
    for allowed in reversed(pattern):
        left_out = ends if "" in allowed else set[int]()
        ends = left_out | {end - 1 for end in ends if end > 0 and uses[end - 1] in allowed}
    return bool(ends)
