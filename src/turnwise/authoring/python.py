"""Python as a front door: functions that a flow names, with what is known about their source.

It calls none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast, overload

from turnwise.errors import WrongArgument
from turnwise.flow.code import PythonGuard
from turnwise.flow.describe import describe
from turnwise.flow.lenient import name_of

Function = Callable[..., Any]


@overload
def guard(function: Function, /, *, to: Any = (), name: str = "") -> PythonGuard: ...
@overload
def guard(*, to: Any = (), name: str = "") -> Callable[[Function], PythonGuard]: ...
def guard(
    function: Function | None = None, /, *, to: Any = (), name: str = ""
) -> PythonGuard | Callable[[Function], PythonGuard]:
    """Make a pure function a guard: `@guard`, or `@guard(to=["a", "b"])` where it names its target.

    Its parameters name records, or `tools`, `message`, `visits`, `turns`, `errors`, `error`, `now`, `today`.
    """
    targets = _targets(to)
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]  who calls may not check types
        raise WrongArgument("name", name, "a str")
    if function is not None:
        return describe(_function(function), targets, name)

    def decorate(made: Function) -> PythonGuard:
        return describe(_function(made), targets, name)

    return decorate


def _function(given: Any) -> Function:
    """The function that is decorated."""
    if isinstance(given, PythonGuard):
        return given.original or given.function
    if not callable(given):
        raise WrongArgument("guard", given, "a function: write @guard, or @guard(to=…)")
    return given


def _targets(to: Any) -> tuple[str, ...]:
    """The nodes that a guard may name."""
    one = to if isinstance(to, str) else name_of(to)
    if one or isinstance(to, str):
        return (one,) if one else ()
    given = list(cast("Iterable[Any]", to)) if isinstance(to, Iterable) and not isinstance(to, str | bytes) else [to]
    found = [node if isinstance(node, str) else name_of(node) for node in given]
    if not all(found):
        raise WrongArgument("to", cast("object", to), "the name of a node, or a list of names")
    return tuple(found)
