"""The names that a guard may use: fields and roots (law 2.11), and how each is read from a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from msgspec import Struct

from turnwise.core.guards.env import Env, Ref
from turnwise.core.guards.types import Type, to_stored
from turnwise.core.state import State, ToolHistory
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression, GuardError
from turnwise.flow.model import Field


class _Open:
    """Stands for a term that is no constant."""


OPEN = _Open()


class Term(Struct):
    """A compiled expression: its type, the closure that gives its value (`None` for unknown), its
    value where it is a constant, its address where it is a field (`is_stored`: one whose value is
    read as it is stored, without default or conversion).
    """

    type: Type
    run: Callable[[Env], Any]
    constant: Any = OPEN
    address: str = ""
    is_stored: bool = False

    @property
    def is_constant(self) -> bool:
        """True if the term is the same in every state."""
        return self.constant is not OPEN


class Root(Struct, frozen=True):
    """A root that is no function: its type, how to read it from a state, how to convert it."""

    type: Type
    read: Callable[[State], Any]
    convert: Callable[[Any], Any] | None = None


class Names(Struct, frozen=True):
    """What a guard may name. `is_open` takes any `record.field` for a field of any type; `unsure` are
    the fields whose type could not be read.
    """

    records: Mapping[str, Mapping[str, Field]]
    roots: Mapping[str, Root]
    tools: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()
    overlays: frozenset[str] = frozenset()
    is_open: bool = False
    bare: Mapping[str, str] = {}
    unsure: frozenset[str] = frozenset()

    def validated(self, address: str) -> bool:
        """True if the field at an address declares a validator."""
        record, _, name = address.partition(".")
        return bool(self.records[record][name].validate)

    def field(self, record: str, name: str, at: int) -> Field:
        """The field at an address. Raises `GuardError` with the nearest name."""
        fields = self.records.get(record)
        if fields is None:
            if self.is_open:
                return Field(name)
            raise GuardError("TW031", f"nothing is called '{record}'", at, nearest(record, self.records))
        if name in fields:
            return fields[name]
        if self.is_open:
            return Field(name)
        raise GuardError("TW031", f"'{record}' has no field '{name}'", at, nearest(name, fields))


FUNCTION_ROOTS = ("tools", "visits", "overlay")


class Compiling(Protocol):
    """What functions and macros ask of the compiler that calls them."""

    @property
    def names(self) -> Names:
        """The names that may be used."""
        ...

    @property
    def depth(self) -> int:
        """How many macros stand around what is compiled: the slot of the innermost variable."""
        ...

    def term(self, expression: Expression) -> Term:
        """The compiled form of any expression."""
        ...

    def condition(self, expression: Expression) -> Callable[[Env], bool | None]:
        """The closure of an expression that stands for true or false."""
        ...

    def presence(self, term: Term) -> Callable[[Env], bool]:
        """Whether a term has a value."""
        ...

    def inside(self, variable: str, item: Type) -> Compiling:
        """A compiler for the body of a macro, where a variable has the type of the items."""
        ...

    def read(self, key: str, kind: Type, read: Callable[[State], Any]) -> Term:
        """A root by its key, with the way to read it from a state."""
        ...


class Reads(Struct):
    """What the expression that is being compiled reads, in the order of reading."""

    refs: dict[str, Ref] = {}

    def add(self, key: str, of: Field | None, read: Callable[[State], Any] | None) -> None:
        """Note something that is read."""
        if key not in self.refs:
            self.refs[key] = Ref(key, of, read)


def _message_text(state: State) -> str | None:
    text = state.doing.message if state.doing is not None else None
    return text if text is not None and text.strip() else None


def _button(state: State) -> str | None:
    return state.doing.button if state.doing is not None else None


def _fault(part: str) -> Callable[[State], str | None]:
    def read(state: State) -> str | None:
        fault = state.doing.fault if state.doing is not None else None
        return (getattr(fault, part) or None) if fault is not None else None

    return read


def _form_status(state: State) -> str | None:
    form = state.frames[-1].form
    return form.status if form is not None else None


def _scope_outcome(_state: State) -> None:
    return None


def _last_tool(state: State) -> str | None:
    return state.tools.last[-1].tool if state.tools.last else None


def moment_of(at_ms: int) -> datetime:
    """A time in milliseconds as a moment."""
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _today(state: State) -> str:
    """The day that it is, in the conversation's time zone."""
    return moment_of(state.at_ms).astimezone(ZoneInfo(state.time_zone)).date().isoformat()


TIME_ZONE = "time zone"
"""The conversation's time zone: what conversions between moments and days read. No guard can name it."""


def time_zone(state: State) -> str:
    """The name of the conversation's time zone."""
    return state.time_zone


ROOTS: dict[str, Root] = {
    "message.text": Root("string", _message_text),
    "message.button": Root("string", _button),
    "tools.last": Root("string", _last_tool),
    "turns": Root("int", lambda state: state.frames[-1].turns),
    "errors": Root("int", lambda state: state.errors),
    "form.status": Root("string", _form_status),
    "scope.outcome": Root("string", _scope_outcome),
    "error.kind": Root("string", _fault("kind")),
    "error.message": Root("string", _fault("message")),
    "error.tool": Root("string", _fault("tool")),
    "now": Root("timestamp", lambda state: state.at_ms, moment_of),
    "today": Root("date", _today),
}


CLOCK_ROOTS = ("now", "today")
"""The roots that change by time alone, which judges nothing again."""


def told(key: str, value: Any) -> Any:
    """The value of a root as it is shown: a moment as its text, all else as it is."""
    root = ROOTS.get(key)
    if root is None or root.convert is None or value is None or isinstance(value, str):
        return value
    return to_stored(root.convert(value))


SEQUENCE_LONGEST = 64
"""The longest sequence and the widest window: as many uses as are kept (law 1.1)."""

Pattern = tuple[tuple[str, ...], ...]
"""A tool sequence: per position the tools that fill it; an empty text among them leaves it out."""


def was_used(tools: ToolHistory, tool: str, within: int | None) -> bool:
    """True if the tool was used, or was among the last `within` uses."""
    if within is None:
        return tool in tools.counts
    return any(use.tool == tool for use in tools.last[-within:])


def ended_with(tools: ToolHistory, pattern: Pattern) -> bool:
    """True if the last uses, in their true order and with repeats, are this sequence."""
    uses = [use.tool for use in tools.last]
    ends = {len(uses)}
    for allowed in reversed(pattern):
        left_out = ends if "" in allowed else set[int]()
        ends = left_out | {end - 1 for end in ends if end > 0 and uses[end - 1] in allowed}
    return bool(ends)


def counted(tool: str) -> Callable[[State], Any]:
    """How often a tool was used."""
    return lambda state: state.tools.counts.get(tool, 0)


def visited(node: str) -> Callable[[State], Any]:
    """How often a node was entered."""
    return lambda state: state.visits.get(node, 0)
