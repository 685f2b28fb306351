"""Python guards: called with proxies that note what is read, so that code explains itself too.

Whatever the function raises becomes an error of the guard; nothing it does can change a state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, time
from functools import partial
from typing import Any, NoReturn

from turnwise.core.events import CodeRun
from turnwise.core.guards import roots
from turnwise.core.guards.types import shown, to_duration, to_stored, to_timestamp
from turnwise.core.state import FieldValue, State
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field

Reads = dict[str, Any]


def call_guard(guard: PythonGuard, records: Mapping[str, Mapping[str, Field]], state: State) -> CodeRun:
    """One call of a guard: what it gave back, or what it raised, and the values that it read."""
    reads: Reads = {}
    arguments = {name: _argument(name, records, state, reads) for name in guard.parameters}
    try:
        returned = guard.function(**arguments)
    except Exception as error:  # noqa: BLE001  a guard may raise anything; it is recorded, not hidden
        return CodeRun(guard.name, None, reads, f"{type(error).__name__}: {error}")
    problem = _refused(guard, returned)
    return CodeRun(guard.name, None if problem else returned, reads, problem)


def undeclared(run: CodeRun) -> bool:
    """True if the function named a node that it does not declare."""
    return run.error.startswith(_UNDECLARED)


_UNDECLARED = "undeclared target: "


def _refused(guard: PythonGuard, returned: Any) -> str:
    """Why what a guard gave back is no answer, empty where it is one."""
    if returned is None or isinstance(returned, bool):
        return ""
    if not guard.targets:
        return f"{guard.name} gave {returned!r}; a guard without targets gives True or False"
    if isinstance(returned, str) and returned in guard.targets:
        return ""
    if isinstance(returned, str):
        return f"{_UNDECLARED}{guard.name} gave '{returned}', and declares {', '.join(guard.targets)}"
    return f"{guard.name} gave {returned!r}; it gives one of {', '.join(guard.targets)}, or None"


def _argument(name: str, records: Mapping[str, Mapping[str, Field]], state: State, reads: Reads) -> Any:
    if name in records:
        return RecordProxy(name, records[name], state.values, reads)
    return _ROOTS[name](state, reads)


class RecordProxy:
    """A record as a guard sees it: attributes, read-only, each reading noted. Missing is `None`."""

    __slots__ = ("_fields", "_name", "_reads", "_values")

    def __init__(self, name: str, fields: Mapping[str, Field], values: Mapping[str, FieldValue], reads: Reads) -> None:
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_fields", fields)
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_reads", reads)

    def __getattr__(self, name: str) -> Any:
        field = self._fields.get(name)
        if field is None:
            hint = nearest(name, self._fields)
            raise AttributeError(f"the record '{self._name}' has no field '{name}'; {hint}")
        found = self._values.get(f"{self._name}.{name}")
        value = found.value if found is not None else field.default
        self._reads[f"{self._name}.{name}"] = value
        return None if value is None else as_python(field, value)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"guards are pure: '{self._name}.{name}' cannot be written here")

    def __bool__(self) -> NoReturn:
        raise TypeError(f"'{self._name}' is a record: ask for one of its fields")


def as_python(field: Field, value: Any) -> Any:
    """A stored value as Python code expects it: dates, times and spans as their own types."""
    match field.type:
        case "date":
            return date.fromisoformat(value)
        case "time":
            return time.fromisoformat(value)
        case "datetime":
            return to_timestamp(value)
        case "duration":
            return to_duration(value)
        case "list":
            return list(value)
        case _:
            return value


class ToolsProxy:
    """`tools` for Python guards, meaning what the guard language means by it."""

    __slots__ = ("_history", "_reads")

    def __init__(self, state: State, reads: Reads) -> None:
        self._history = state.tools
        self._reads = reads

    def used(self, tool: str, *, within: int | None = None) -> bool:
        """True if the tool was used, or was among the last `within` uses."""
        key = f"tools.used({shown(tool)!r})" if within is None else f"tools.used({shown(tool)!r}, within: {within})"
        self._reads[key] = found = roots.was_used(self._history, tool, within)
        return found

    def count(self, tool: str) -> int:
        """How often the tool was used."""
        self._reads[f"tools.count({tool!r})"] = found = self._history.counts.get(tool, 0)
        return found

    def ended_with(self, sequence: list[str]) -> bool:
        """True if the last uses are these, in this order."""
        pattern = tuple((tool,) for tool in sequence)
        self._reads[f"tools.ended_with({sequence!r})"] = found = roots.ended_with(self._history, pattern)
        return found

    @property
    def last(self) -> str | None:
        """The tool that was used last."""
        self._reads["tools.last"] = found = self._history.last[-1].tool if self._history.last else None
        return found


class PartsProxy:
    """`message` or `error`: an object whose parts are roots of the guard language."""

    __slots__ = ("_name", "_reads", "_state")

    def __init__(self, name: str, state: State, reads: Reads) -> None:
        self._name = name
        self._state = state
        self._reads = reads

    def __getattr__(self, part: str) -> Any:
        root = roots.ROOTS.get(f"{self._name}.{part}")
        if root is None:
            known = [key.partition(".")[2] for key in roots.ROOTS if key.startswith(f"{self._name}.")]
            raise AttributeError(f"'{self._name}' has no '{part}'; {nearest(part, known)}")
        self._reads[f"{self._name}.{part}"] = value = root.read(self._state)
        return value


def _visits(state: State, reads: Reads) -> Any:
    def visits(node: str) -> int:
        reads[f"visits({node!r})"] = found = state.visits.get(node, 0)
        return found

    return visits


def _root(name: str) -> Any:
    def read(state: State, reads: Reads) -> Any:
        root = roots.ROOTS[name]
        value = root.read(state)
        if root.convert is not None and value is not None:
            value = root.convert(value)
        reads[name] = to_stored(value)
        return value

    return read


_ROOTS: dict[str, Callable[[State, Reads], Any]] = {
    "tools": ToolsProxy,
    "message": partial(PartsProxy, "message"),
    "error": partial(PartsProxy, "error"),
    "visits": _visits,
    "turns": _root("turns"),
    "errors": _root("errors"),
    "now": _root("now"),
}
