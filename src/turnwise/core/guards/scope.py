"""The names that a guard may use: fields and roots such as `message` and `tools` (law 2.11), and how each is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from turnwise.core.answers import count_right_answers
from turnwise.core.guards import Env, Evaluate, GuardFault, Recorded, Ref
from turnwise.core.guards.types import Type, to_stored, unset_value
from turnwise.core.state import State, ToolHistory
from turnwise.flow.addresses import field_of, record_of, split_name
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import GuardError
from turnwise.flow.model import Field

Read = Callable[[State], Any]
"""Reads the value of a root from a state."""
NO_CONSTANT = object()
"""Stands for the constant of a term that has none."""


class Term(Struct):
    """A compiled expression: its type, its closure, its value if it is a constant, its address if it is a field."""

    type: Type
    run: Evaluate
    """The closure that computes it."""
    constant: Any = NO_CONSTANT
    """Its value, if that is fixed."""
    address: str = ""
    """Its address, if it is a field."""
    is_stored: bool = False
    """True for a field whose value is used in its stored form, without default or conversion."""
    of_item: tuple[int, str] | None = None
    """Where an item is bound, and the name of its value, if that is used in its stored form; else `None`."""

    @property
    def is_constant(self) -> bool:
        """True if the term has the same value in every state."""
        return self.constant is not NO_CONSTANT


def constant(kind: Type, value: Any) -> Term:
    """Return the term of a constant."""
    return Term(kind, lambda _env: value, constant=value)


def evaluated_constant(term: Term, at: int) -> Term:
    """Evaluate a term of constants once and return a constant. Raises `GuardError` if that fails."""
    try:
        return constant(term.type, term.run(Env({}, Recorded({}))))
    except GuardFault as error:
        raise GuardError("TW032", str(error), at) from None


class Root(Struct, frozen=True):
    """A root that is not a function: its type, how to read it from a state, how to convert the stored value."""

    type: Type
    read: Read
    """Reads its value from a state."""
    convert: Callable[[Any], Any] | None = None
    """Converts that value for expressions."""
    is_secret: bool = False
    """True where the value may be secret."""


class Names(Struct, frozen=True):
    """The names that a guard may use. Inside a scope they are those of the scope."""

    records: Mapping[str, Mapping[str, Field]]
    """The fields of each record, by name."""
    roots: Mapping[str, Root]
    """What may stand without a record, such as `turns`."""
    tools: frozenset[str] = frozenset()
    """The tools of the flow."""
    nodes: frozenset[str] = frozenset()
    """The nodes of the flow."""
    overlays: frozenset[str] = frozenset()
    """The overlays of the flow."""
    is_open: bool = False
    """True where every `record.field` is a field of unknown type."""
    bare: Mapping[str, str] = {}
    """Addresses by the names that may stand without their record."""
    unsure: frozenset[str] = frozenset()
    """The fields whose type could not be read."""
    places: Mapping[str, str] = {}
    """Inside a scope: where its own records stand, by name."""
    prefix: str = ""
    """Inside a scope: what stands before the names of its nodes."""
    read_only: frozenset[str] = frozenset()
    """Inside a scope: the records of the conversation around it, which it only reads."""

    def address(self, name: str) -> str:
        """Return the address of a record or field, as the state and the machine know it."""
        if not self.places:
            return name
        record, field = split_name(name, self.places)
        place = self.places.get(record, record)
        return f"{place}.{field}" if field else place

    def addresses(self) -> Iterator[str]:
        """Yield the address of each field."""
        yield from (self.address(f"{record}.{name}") for record, fields in self.records.items() for name in fields)

    def node(self, name: str) -> str:
        """Return the name of a node as the state and the machine know it."""
        return f"{self.prefix}{name}"

    def field_at(self, address: str) -> Field | None:
        """Return the field that stands at an address, `None` if that is none of these names."""
        place, name = record_of(address), field_of(address)
        record = next((one for one, where in self.places.items() if where == place), place)
        return self.records.get(record, {}).get(name)

    def items_of(self, record: str) -> Mapping[str, Field]:
        """Return the fields of the items of lists of a record, which may be one that is not visible here."""
        for fields in self.records.values():
            found = next((one for one in fields.values() if one.parts and one.of == record), None)
            if found is not None:
                return {part.name: part for part in found.parts}
        return self.records.get(record, {})

    def validated(self, address: str) -> bool:
        """True if the field at an address declares a validator."""
        field = self.field_at(address)
        return field is not None and bool(field.validate)

    def field(self, record: str, name: str, at: int) -> Field:
        """Return the field at an address. Raises `GuardError` with the nearest name."""
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
    """The fields and roots, in order of first use."""

    def add(self, key: str, of: Field | None, read: Read | None) -> None:
        """Note a field or a root."""
        if key not in self.refs:
            self.refs[key] = Ref(key, of, read, None if of is None else unset_value(of))

    def root(self, key: str, kind: Type, read: Read, convert: Callable[[Any], Any] | None = None) -> Term:
        """Return the term of a root, and note it."""
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
    """Return a time in milliseconds as a moment."""
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _today(state: State) -> str:
    return moment_of(state.at_ms).astimezone(ZoneInfo(state.time_zone)).date().isoformat()


def _open_question(state: State) -> str | None:
    """The field of the question that is open, as it is named inside the scope."""
    question = state.frame.question
    return (question.field.rpartition("/")[2] or None) if question is not None else None


def _scope_outcome(state: State) -> str | None:
    """The outcome of the scope that is the node's work, or that was closed in this turn."""
    doing = state.doing
    return (doing.scope_outcome if doing is not None else "") or state.frame.scope_outcome or None


FORM_STATUS: Final = "form.status"
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
"""What a guard may read beside fields, by name."""
REPLY_TEXT = "reply.text"
"""The root that only a check of replies reads."""
PERSON = "person"
PERSONA = "persona"
ROOTS_BEHIND_RECORDS = (PERSON, PERSONA)
"""The roots that may also be names of records: a field of the record wins over a part of the root."""
FUNCTION_ROOTS = ("tools", "visits", "overlay")
"""Names that are read by their functions only: `tools.used(…)`."""
CLOCK_ROOTS = ("now", "today")
"""The roots that change by time alone; such a change causes no new judging."""

TIME_ZONE = "time zone"
"""The key of the conversation's time zone, which conversions between moments and days read. No guard can name it."""


def time_zone(state: State) -> str:
    """Return the name of the conversation's time zone."""
    return state.time_zone


def root_shown(key: str, value: Any) -> Any:
    """Return the value of a root for explanations: a timestamp as ISO text, others unchanged."""
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
    """True if the tool was used, or was among the last `within` uses."""
    if within is None:
        return tool in tools.counts
    return any(use.tool == tool for use in tools.last[-within:])


def ended_with(tools: ToolHistory, pattern: Pattern) -> bool:
    """Return whether the last tool uses are this sequence, in this order and with repeats."""
    uses = [use.tool for use in tools.last]
    ends = {len(uses)}
    for allowed in reversed(pattern):
        left_out = ends if "" in allowed else set[int]()
        ends = left_out | {end - 1 for end in ends if end > 0 and uses[end - 1] in allowed}
    return bool(ends)
