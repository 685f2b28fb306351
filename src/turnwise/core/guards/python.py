"""Python guards: called with proxies that note what is read, so that code explains itself too.

Whatever the function raises becomes an error of the guard; nothing it does can change a state.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from enum import Enum
from functools import partial
from typing import Any, NoReturn

from turnwise.core.guards import scope as roots
from turnwise.core.guards.scope import Names
from turnwise.core.guards.types import is_blank, to_duration, to_stored, to_timestamp
from turnwise.core.state import FieldValue, State
from turnwise.core.state.events import CodeRun
from turnwise.core.values import REDACTED, item_field
from turnwise.core.values.json_data import repair
from turnwise.errors import describe
from turnwise.flow.code import PythonGuard, raised_at
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field

Reads = dict[str, Any]


def call_guard(guard: PythonGuard, names: Names, state: State, raised: list[BaseException] | None = None) -> CodeRun:
    """One call of a guard: what it returned, or what it raised, and the values that it read. The exception itself is
    added to `raised`.
    """
    reads: Reads = {}
    arguments = {name: _argument(name, names, state, reads) for name in guard.parameters}
    try:
        returned = guard.function(**arguments)
        problem = _refused(guard, returned)
    except (Exception, SystemExit) as error:  # noqa: BLE001  a guard may raise anything; it is recorded, not hidden
        if raised is not None:
            raised.append(error)
        place = raised_at(error) or _place(guard)
        return CodeRun(guard.name, None, reads, _told(describe(error), names, reads), place)
    if problem:
        return CodeRun(guard.name, None, reads, _told(problem, names, reads), _place(guard))
    return CodeRun(guard.name, _answer(guard, returned), reads)


def _place(guard: PythonGuard) -> str:
    """Where a guard is written, as `file:line`."""
    return f"{guard.file}:{guard.line}" if guard.file else ""


def _told(problem: str, names: Names, reads: Reads) -> str:
    """What went wrong, as it may be shown: short, and without the secrets that were read."""
    for address, value in reads.items():
        record, _, name = address.partition(".")
        field = names.records.get(record, {}).get(name)
        if field is not None and field.secret and value is not None:
            problem = problem.replace(str(value), REDACTED)
    problem = repair(problem).data
    return problem if len(problem) <= _LONGEST else problem[:_LONGEST] + "…"


_LONGEST = 500
"""The longest error that is recorded, in characters."""


def undeclared(run: CodeRun) -> bool:
    """True if the function named a node that it does not declare."""
    return run.error.startswith(_UNDECLARED)


_UNDECLARED = "undeclared target: "


def _refused(guard: PythonGuard, returned: Any) -> str:
    """Why what a guard gave back is no answer, empty where it is one."""
    if inspect.iscoroutine(returned):
        returned.close()
        return f"{guard.name} gave something to await; a guard is pure: fetch with a tool first"
    declared = ", ".join(guard.targets)
    if returned is None or returned is False or (returned is True and len(guard.targets) < 2):
        return ""
    if not guard.targets:
        return f"{guard.name} gave {returned!r}; a guard without targets gives True or False"
    if isinstance(returned, str) and returned in guard.targets:
        return ""
    if isinstance(returned, str):
        return f"{_UNDECLARED}{guard.name} gave '{returned}', and declares {declared}"
    return f"{guard.name} gave {returned!r}; it gives one of {declared}, or None"


def _answer(guard: PythonGuard, returned: Any) -> Any:
    """The answer as plain data: true means the only target of a guard that has one."""
    if not guard.targets:
        return returned
    if returned is True:
        return guard.targets[0]
    return next((target for target in guard.targets if target == returned), returned)


def _argument(name: str, names: Names, state: State, reads: Reads) -> Any:
    if name in names.records:
        return RecordProxy(name, names.records[name], state.values, reads)
    return _ROOTS[name](names, state, reads)


class RecordProxy:
    """A record as a guard sees it: attributes, read-only, each reading noted. Missing is `None`."""

    __slots__ = ("__fields", "__name", "__reads", "__values")  # names that no field has

    def __init__(self, name: str, fields: Mapping[str, Field], values: Mapping[str, FieldValue], reads: Reads) -> None:
        put = partial(object.__setattr__, self)
        put("_RecordProxy__name", name)
        put("_RecordProxy__fields", fields)
        put("_RecordProxy__values", values)
        put("_RecordProxy__reads", reads)

    def __getattr__(self, name: str) -> Any:
        field = self.__fields.get(name)
        if field is None:
            hint = nearest(name, self.__fields)
            raise AttributeError(f"the record '{self.__name}' has no field '{name}'; {hint}".rstrip("; "))
        found = self.__values.get(f"{self.__name}.{name}")
        value = found.value if found is not None else None if is_blank(field.default) else field.default
        self.__reads[f"{self.__name}.{name}"] = value
        return None if value is None else as_python(field, value)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"guards are pure: '{self.__name}.{name}' cannot be written here")

    __setitem__ = __setattr__

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"guards are pure: '{self.__name}.{name}' cannot be taken away here")

    __delitem__ = __delattr__

    def __bool__(self) -> NoReturn:
        raise TypeError(f"'{self.__name}' is a record: ask for one of its fields")


def as_python(field: Field, value: Any) -> Any:
    """A stored value as Python code expects it: dates, times and spans as their own types."""
    match field.type:
        case "choice":
            return Chosen(value)
        case "date":
            return date.fromisoformat(value)
        case "time":
            return time.fromisoformat(value)
        case "datetime":
            return to_timestamp(value)
        case "duration":
            return to_duration(value)
        case "list":
            item = item_field(field)
            return [as_python(item, one) for one in value]
        case _:
            return value


class Chosen(str):
    """One of some options: its text, which is equal to the member of an enumeration that has it as its value."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other.value if isinstance(other, Enum) else other)  # pyright: ignore[reportArgumentType]  says so itself

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class ToolsProxy:
    """`tools` for Python guards, meaning what the guard language means by it."""

    __slots__ = ("_history", "_known", "_reads")

    def __init__(self, names: Names, state: State, reads: Reads) -> None:
        self._known = names.tools
        self._history = state.tools
        self._reads = reads

    def used(self, tool: str, *, within: int | None = None) -> bool:
        """True if the tool was used, or was among the last `within` uses."""
        if within is not None and not 1 <= within <= roots.SEQUENCE_LONGEST:
            raise ValueError(f"within takes a number from 1 to {roots.SEQUENCE_LONGEST}")
        key = f"{_quoted(_one_of(tool, self._known, 'tool'))}" + (f", within: {within}" if within is not None else "")
        self._reads[f"tools.used({key})"] = found = roots.was_used(self._history, tool, within)
        return found

    def count(self, tool: str) -> int:
        """How often the tool was used."""
        key = f"tools.count({_quoted(_one_of(tool, self._known, 'tool'))})"
        self._reads[key] = found = self._history.counts.get(tool, 0)
        return found

    def ended_with(self, sequence: Iterable[str]) -> bool:
        """True if the last uses are these, in this order."""
        names = [_one_of(tool, self._known, "tool") for tool in sequence]
        found = roots.ended_with(self._history, tuple((tool,) for tool in names))
        self._reads[f"tools.ended_with([{', '.join(map(_quoted, names))}])"] = found
        return found

    @property
    def last(self) -> str | None:
        """The tool that was used last."""
        self._reads["tools.last"] = found = self._history.last[-1].tool if self._history.last else None
        return found


def _one_of(name: str, known: Iterable[str], what: str) -> str:
    """A name, if it is one of those known: in a guard no slip of the pen stays unseen."""
    names = tuple(known)
    if name not in names:
        raise LookupError(f"no {what} is called '{name}'; {nearest(name, names)}".rstrip("; "))
    return name


def _quoted(text: str) -> str:
    return f'"{text}"'


class PartsProxy:
    """`message` or `error`: an object whose parts are roots of the guard language."""

    __slots__ = ("_name", "_reads", "_state")

    def __init__(self, name: str, _names: Names, state: State, reads: Reads) -> None:
        self._name = name
        self._state = state
        self._reads = reads

    def __getattr__(self, part: str) -> Any:
        root = roots.ROOTS.get(f"{self._name}.{part}")
        if root is None:
            known = [key.partition(".")[2] for key in roots.ROOTS if key.startswith(f"{self._name}.")]
            raise AttributeError(f"'{self._name}' has no '{part}'; {nearest(part, known)}".rstrip("; "))
        self._reads[f"{self._name}.{part}"] = value = root.read(self._state)
        return value


def _visits(names: Names, state: State, reads: Reads) -> Any:
    def visits(node: str) -> int:
        reads[f"visits({_quoted(_one_of(node, names.nodes, 'node'))})"] = found = state.visits.get(node, 0)
        return found

    return visits


def _root(name: str) -> Any:
    def read(_names: Names, state: State, reads: Reads) -> Any:
        root = roots.ROOTS[name]
        value = root.read(state)
        if root.convert is not None and value is not None:
            value = root.convert(value)
        reads[name] = to_stored(value)
        return value

    return read


def _today(_names: Names, state: State, reads: Reads) -> date:
    reads["today"] = found = roots.ROOTS["today"].read(state)
    return date.fromisoformat(found)


_ROOTS: dict[str, Callable[[Names, State, Reads], Any]] = {
    "tools": ToolsProxy,
    "message": partial(PartsProxy, "message"),
    "error": partial(PartsProxy, "error"),
    "visits": _visits,
    "turns": _root("turns"),
    "errors": _root("errors"),
    "now": _root("now"),
    "today": _today,
}
