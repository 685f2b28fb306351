"""Python as a front door: functions that a flow names, with what is known about their source.

It calls none of them.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable
from typing import Any, overload

from turnwise.flow.code import PythonGuard

Function = Callable[..., Any]


@overload
def guard(function: Function, /) -> PythonGuard: ...
@overload
def guard(*, to: str | Iterable[str] = (), name: str = "") -> Callable[[Function], PythonGuard]: ...
def guard(
    function: Function | None = None, /, *, to: str | Iterable[str] = (), name: str = ""
) -> PythonGuard | Callable[[Function], PythonGuard]:
    """Make a pure function a guard: `@guard`, or `@guard(to=["a", "b"])` where it names its target.

    Its parameters name records, or `tools`, `message`, `visits`, `turns`, `errors`, `error`, `now`.
    """
    targets = (to,) if isinstance(to, str) else tuple(to)
    if function is not None:
        return describe(function, targets, name)
    return lambda made: describe(made, targets, name)


def describe(function: Function, targets: tuple[str, ...] = (), name: str = "") -> PythonGuard:
    """What is known about a function, its source among it."""
    source, file, line, has_source = _source(function)
    return PythonGuard(
        name=name or function.__name__,
        function=function,
        parameters=tuple(inspect.signature(function).parameters),
        targets=targets,
        source=source,
        has_source=has_source,
        file=file,
        line=line,
        is_async=inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function),
    )


def _source(function: Function) -> tuple[str, str, int, bool]:
    """The source as it stands in its file; where there is none, what is known and why."""
    reason = "it is a lambda" if function.__name__ == "<lambda>" else ""
    try:
        if not reason:
            lines, line = inspect.getsourcelines(function)
            return textwrap.dedent("".join(lines)), inspect.getsourcefile(function) or "", line, True
    except (OSError, TypeError):
        reason = "it was made where no file holds it"
    about = inspect.getdoc(function)
    described = f"def {function.__name__}{inspect.signature(function)}:  # no source: {reason}\n"
    if about:
        described += textwrap.indent(f'"""{about}"""\n', "    ")
    return described, "", 0, False
