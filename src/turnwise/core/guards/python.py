"""Calls Python guards with proxies that record what they read, so that decisions can show it.

Whatever a function raises becomes an error of the guard; nothing that it does can change a state.
"""

from __future__ import annotations

import inspect
from collections.abc import Container, Iterable, Mapping
from datetime import date, time
from enum import Enum
from functools import partial
from typing import Any, NoReturn

from turnwise.core.guards import scope as roots
from turnwise.core.guards.scope import Names
from turnwise.core.guards.types import to_duration, to_stored, to_timestamp, unset_value
from turnwise.core.state import FieldValue, State, value_at
from turnwise.core.state.events import CodeRun
from turnwise.core.state.items import ID, Item
from turnwise.core.state.read_lists import as_recorded
from turnwise.core.values import REDACTED, item_field
from turnwise.core.values.items import is_item
from turnwise.core.values.json_data import copy_data, repair
from turnwise.errors import describe
from turnwise.flow.code import PythonGuard, raised_at
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field

Reads = dict[str, Any]
"""The values that a guard has read, by the text of the guard language that reads the same."""
_LONGEST = 500
"""The longest error that is recorded, in characters."""
_UNDECLARED = "undeclared target: "


def call_guard(
    guard: PythonGuard,
    names: Names,
    state: State,
    raised: list[BaseException] | None = None,
    given: Mapping[str, Any] | None = None,
) -> CodeRun:
    """Call a Python guard; return its result or error, and the values that it read.
    An exception is added to `raised`; `given` are arguments that no state has.
    """
    reads: Reads = {}
    place = f"{guard.file}:{guard.line}" if guard.file else ""
    try:
        arguments: dict[str, Any] = {**given} if given else {}
        arguments |= {name: _argument(name, names, state, reads) for name in guard.parameters if name not in arguments}
        returned = guard.function(**{name: arguments[name] for name in guard.parameters})
        problem = _problem(guard, returned)
    except (Exception, SystemExit) as error:  # noqa: BLE001  a guard may raise anything; it is recorded, not hidden
        if raised is not None:
            raised.append(error)
        returned, problem, place = None, describe(error), raised_at(error) or place
    if problem:
        return CodeRun(guard.name, None, _recorded(reads, state), _without_secrets(problem, names, reads), place)
    if guard.targets:  # `True` means the only target; a member of an enumeration is recorded as its text
        chosen = guard.targets[0] if returned is True else returned
        returned = next((target for target in guard.targets if target == chosen), returned)
    return CodeRun(guard.name, returned, _recorded(reads, state))


def _recorded(reads: Reads, state: State) -> Reads:
    """Return what is recorded of the values that a guard has read: a longer list of the state is not written again."""
    return {
        name: as_recorded(name, value) if type(value) is list and value is value_at(state.values, name) else value
        for name, value in reads.items()
    }


def returned_undeclared(run: CodeRun) -> bool:
    """Return whether a Python guard returned a node that it does not declare as a target."""
    return run.error.startswith(_UNDECLARED)


def _problem(guard: PythonGuard, returned: Any) -> str:
    """Return why a value is not a valid answer of a guard, empty if it is."""
    if inspect.iscoroutine(returned):
        returned.close()
        return f"{guard.name} returned a coroutine; a guard is pure: fetch with a tool first"
    if returned is None or returned is False or (returned is True and len(guard.targets) < 2):
        return ""
    if not guard.targets:
        return f"{guard.name} returned {returned!r}; a guard without targets returns True or False"
    declared = ", ".join(guard.targets)
    if not isinstance(returned, str):
        return f"{guard.name} returned {returned!r}; it returns one of {declared}, or None"
    if returned not in guard.targets:
        return f"{_UNDECLARED}{guard.name} returned '{returned}', and declares {declared}"
    return ""


def _without_secrets(problem: str, names: Names, reads: Reads) -> str:
    """Return the text of an error, shortened and without secrets that were read."""
    for address, value in reads.items():
        field = names.field_at(address)
        if field is not None and field.secret and value is not None:
            problem = problem.replace(str(value), REDACTED)
    problem = repair(problem).data
    return problem if len(problem) <= _LONGEST else problem[:_LONGEST] + "…"


def record_of_parameter(name: str, records: Container[str]) -> str:
    """Return the record for a parameter of a Python guard, empty if for none: `desk.memo` for `desk__memo`."""
    return next((one for one in (name, name.replace("__", ".")) if one in records), "")


def _argument(name: str, names: Names, state: State, reads: Reads) -> Any:
    record = record_of_parameter(name, names.records)
    if record:
        return RecordProxy(names.address(record), names.records[record], state.values, reads)
    match name:
        case "tools":
            return ToolsProxy(names, state, reads)
        case "message" | "error":
            return PartsProxy(name, roots.ROOTS, state, reads)
        case "event":
            return PartsProxy(name, names.roots, state, reads)
        case "visits":
            return partial(_visits, names, state, reads)
        case _:
            return _root(name, state, reads)


def _visits(names: Names, state: State, reads: Reads, node: str) -> int:
    _check_name(node, names.nodes, "node")
    reads[f'visits("{node}")'] = found = state.frame.visits.get(names.node(node), 0)
    return found


def _root(name: str, state: State, reads: Reads) -> Any:
    root = roots.ROOTS[name]
    value = root.read(state)
    if root.convert is not None and value is not None:
        value = root.convert(value)
    reads[name] = to_stored(value)
    return date.fromisoformat(str(value)) if root.type == "date" else value


class RecordProxy:
    """A read-only view of a record for Python guards that notes each read.
    A missing value is `None`, a missing list is empty.
    """

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
        value = found.value if found is not None else unset_value(field)
        self.__reads[f"{self.__name}.{name}"] = value
        return None if value is None else as_python(field, value)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"guards are pure: '{self.__name}.{name}' cannot be written here")

    __setitem__ = __setattr__

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"guards are pure: '{self.__name}.{name}' cannot be deleted here")

    __delitem__ = __delattr__

    def __bool__(self) -> NoReturn:
        raise TypeError(f"'{self.__name}' is a record: ask for one of its fields")


def as_python(field: Field, value: Any) -> Any:
    """Return the stored value of a field as a Python object: dates, times and durations as `datetime` types."""
    if is_item(field):
        return ItemView(field, value)
    match field.type:
        case "choice":
            return ChoiceText(value)
        case "date":
            return date.fromisoformat(value)
        case "time":
            return time.fromisoformat(value)
        case "datetime":
            return to_timestamp(value)
        case "duration":
            return to_duration(value)
        case "list":
            return [as_python(item_field(field), one) for one in value]
        case "question" | "answers":
            return copy_data(value)  # the function may change what it is given
        case _:
            return value


class ItemView(dict[str, Any]):
    """A list item for Python guards: a dict of its values by name, which are attributes too.
    A missing value is its default, else `None`; a missing list is empty.
    """

    def __init__(self, field: Field, item: Item) -> None:
        found = {part.name: item.get(part.name, unset_value(part)) for part in field.parts}
        super().__init__(
            {
                ID: item[ID],
                **{
                    part.name: None if found[part.name] is None else as_python(part, found[part.name])
                    for part in field.parts
                },
            }
        )

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"an item has no '{name}'; {nearest(name, self)}".rstrip("; "))


class ChoiceText(str):
    """A `str` for the value of a choice field that also equals the enum member with that value."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other.value if isinstance(other, Enum) else other)  # pyright: ignore[reportArgumentType]  says so itself

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


class ToolsProxy:
    """The `tools` argument of a Python guard, with the same meaning as in the guard language."""

    __slots__ = ("_history", "_known", "_reads")

    def __init__(self, names: Names, state: State, reads: Reads) -> None:
        self._known = names.tools
        self._history = state.frame.tools
        self._reads = reads

    def used(self, tool: str, *, within: int | None = None) -> bool:
        """Return whether the tool was used at all, or among the last `within` uses of tools."""
        if within is not None and not 1 <= within <= roots.SEQUENCE_LONGEST:
            raise ValueError(f"within takes a number from 1 to {roots.SEQUENCE_LONGEST}")
        _check_name(tool, self._known, "tool")
        window = f", within: {within}" if within is not None else ""
        self._reads[f'tools.used("{tool}"{window})'] = found = roots.was_used(self._history, tool, within)
        return found

    def count(self, tool: str) -> int:
        """Return how often the tool was used."""
        _check_name(tool, self._known, "tool")
        self._reads[f'tools.count("{tool}")'] = found = self._history.counts.get(tool, 0)
        return found

    def ended_with(self, sequence: Iterable[str]) -> bool:
        """Return whether the last uses of tools are this sequence, in this order."""
        tools = list(sequence)
        for tool in tools:
            _check_name(tool, self._known, "tool")
        found = roots.ended_with(self._history, tuple((tool,) for tool in tools))
        quoted = ", ".join(f'"{tool}"' for tool in tools)
        self._reads[f"tools.ended_with([{quoted}])"] = found
        return found

    @property
    def last(self) -> str | None:
        """The name of the tool that was used last; `None` if none was."""
        self._reads["tools.last"] = found = self._history.last[-1].tool if self._history.last else None
        return found


class PartsProxy:
    """The `message`, `error` or `event` argument of a Python guard; its attributes are roots of the guard language."""

    __slots__ = ("_name", "_reads", "_roots", "_state")

    def __init__(self, name: str, known: Mapping[str, roots.Root], state: State, reads: Reads) -> None:
        self._name = name
        self._roots = known
        self._state = state
        self._reads = reads

    def __getattr__(self, part: str) -> Any:
        root = self._roots.get(f"{self._name}.{part}")
        if root is None:
            known = [key.partition(".")[2] for key in self._roots if key.startswith(f"{self._name}.")]
            raise AttributeError(f"'{self._name}' has no '{part}'; {nearest(part, known)}".rstrip("; "))
        self._reads[f"{self._name}.{part}"] = value = root.read(self._state)
        return root.convert(value) if root.convert is not None and value is not None else value


def _check_name(name: str, known: Iterable[str], what: str) -> None:
    """Raise `LookupError` for an unknown name, so that a typing error in a guard is noticed."""
    names = tuple(known)
    if name not in names:
        raise LookupError(f"no {what} is called '{name}'; {nearest(name, names)}".rstrip("; "))
