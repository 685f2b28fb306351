"""Python functions that a flow names: the function, and its parameters and source.

A document never supplies one; only code does, and loading a document runs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from traceback import walk_tb
from typing import Any

from turnwise.flow.frozen import frozen


@frozen
class PythonGuard:
    """A Python function that judges transitions, with its parameters, possible targets and source.

    `targets` are the nodes it may name; without any it gives true or false. `parameters` are the
    records and roots that it asks for. `source` is its text, or why there is none.
    """

    name: str
    """The name by which flows name the function."""
    function: Callable[..., Any]
    """The function."""
    parameters: tuple[str, ...]
    """The names of the function's parameters: the records and roots that it reads."""
    targets: tuple[str, ...] = ()
    """The nodes that the function may return as targets; empty if it returns true or false."""
    source: str = ""
    """The source of the function, or why there is none."""
    has_source: bool = True
    """False if the source cannot be read; then `source` says why."""
    file: str = ""
    """The file of the source; empty without one."""
    line: int = 0
    """The line of the file at which the source begins, from 1; 0 without one."""
    is_async: bool = False
    """True if a call of the function returns an awaitable."""
    original: Callable[..., Any] | None = field(default=None, compare=False, repr=False)
    """The function as the program wrote it, with its decorators; `None` if it is not known."""

    def __call__(self, *args: Any, **given: Any) -> Any:
        """Call the function as it was written."""
        return (self.original or self.function)(*args, **given)


@frozen
class ToolCall:
    """The context of a tool call, which a tool can receive as a parameter.
    `key` is the same for each attempt of one call, so that the tool can avoid repeating its changes; `attempt` counts
    from 1 in each process that makes the call.
    """

    key: str
    """The id of the call, the same for each attempt, so that the tool can avoid repeating its changes."""
    conversation: str = ""
    """The name of the conversation; empty where it is not known."""
    node: str = ""
    """The address of the node in charge; empty where it is not known."""
    tool: str = ""
    """The name of the tool; empty where it is not known."""
    attempt: int = 1
    """The number of the attempt, counted from 1 in each process that makes the call."""


def _folder(file: str, levels: int) -> str:
    """Return the folder so many levels above a file, with slashes."""
    return file.replace("\\", "/").rsplit("/", levels)[0] + "/"


_NOT_USER_CODE = (_folder(__file__, 2), _folder(walk_tb.__code__.co_filename, 1), "<frozen")
"""Where turnwise and the standard library are."""
_INSTALLED = ("/site-packages/", "/dist-packages/")


def raised_at(error: BaseException) -> str:
    """Return the innermost place in the program's own code where an error passed, as `file:line`; empty if none."""
    found = ""
    for frame, line in walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if is_user_file(file):
            found = f"{file}:{line}"
    return found


def is_user_file(file: str) -> bool:
    """Return whether a file is the program's own, not of turnwise, the standard library or an installed package."""
    place = file.replace("\\", "/")
    return not place.startswith(_NOT_USER_CODE) and not any(part in place for part in _INSTALLED)


def guards_of(flow: Any) -> list[PythonGuard]:
    """Return the Python guards that a flow made in Python has, in the order of its parts; a document has none."""
    if flow.is_read:
        return []
    found = _of(flow)
    found += _of(flow.guard_reply)
    _add(found, flow.transitions, flow.nodes)
    return found


def _add(found: list[PythonGuard], transitions: Any, nodes: Any) -> None:
    for transition in transitions:
        found += _of(transition)
    for node in nodes:
        found += _of(node.guard_reply)
        _add(found, node.transitions, ())
        if node.scope is not None:
            _add(found, node.scope.transitions, node.scope.nodes)


def _of(part: Any) -> list[PythonGuard]:
    code: Any = getattr(part, "code", None)
    return [one for one in code if isinstance(one, PythonGuard)] if code.__class__ is tuple else []
