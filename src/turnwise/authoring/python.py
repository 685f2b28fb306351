"""Python as a front door: guards and tools that a flow names, with what is known about their source."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, cast, overload

from turnwise.errors import TurnwiseError, WrongArgument
from turnwise.flow.code import PythonGuard
from turnwise.flow.code import guards_of as carried_by
from turnwise.flow.converters import name_of
from turnwise.flow.describe import describe
from turnwise.flow.model import Flow
from turnwise.flow.model.tools import PythonTool

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


class Code(NamedTuple):
    """What a file defines: guards, beside those that its flows carry, tools, and its other functions by their names."""

    guards: list[PythonGuard]
    tools: list[PythonTool]
    functions: dict[str, Callable[..., Any]]

    def tools_of(self, flow: Flow) -> dict[str, Any]:
        """What supplies the tools of a flow: every tool of the file, and each function that has the name of a tool."""
        declared = {tool.name for tool in flow.tools}
        plain = {name: function for name, function in self.functions.items() if name in declared}
        return plain | {tool.name: tool for tool in self.tools}


NO_CODE = Code([], [], {})


def read_code(path: Path) -> Code:
    """What a file defines; it is run. Raises `TurnwiseError` where it cannot be."""
    if not path.is_file():
        raise TurnwiseError(f"{path}: there is no such Python file")
    spec = importlib.util.spec_from_file_location(f"turnwise_supplied_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise TurnwiseError(f"{path}: this is no Python file: its name ends otherwise than with .py")
    module = importlib.util.module_from_spec(spec)
    try:
        with redirect_stdout(sys.stderr):  # what it prints is no output of ours
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001  the file is the user's, and may raise anything
        from turnwise.authoring.modules import raised

        raise TurnwiseError(f"{path}: the file cannot be run: {raised(error)}") from None
    return _found(vars(module), module.__name__)


def _found(names: dict[str, Any], module: str) -> Code:
    """The functions among what a module defines; those that it imports are tools only where they say so."""
    values = list(names.values())
    flows = [flow for flow in values if isinstance(flow, Flow)]
    guards = [one for one in values if isinstance(one, PythonGuard)] + [
        one for flow in flows for one in carried_by(flow)
    ]
    own = {name: one for name, one in names.items() if inspect.isfunction(one) and one.__module__ == module}
    return Code(
        list({id(guard): guard for guard in guards}.values()),
        list({id(one): one for one in values if isinstance(one, PythonTool)}.values()),
        own,
    )
