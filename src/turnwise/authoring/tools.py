"""Tools as functions: what the model and the checker are told of one is read from its signature.

It declares; nothing here calls a tool.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin, get_type_hints, overload

from pydantic.fields import FieldInfo

from turnwise.authoring.annotations import meaning_of
from turnwise.errors import WrongArgument
from turnwise.flow.calls import called_from
from turnwise.flow.code import ToolCall
from turnwise.flow.describe import is_async, plain_of, source_text
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.model import Field, Retry, Tool
from turnwise.flow.model.tools import PythonTool
from turnwise.flow.model.words import OnCrash, ToolKind

Function = Callable[..., Any]


@overload
def tool(function: Function, /) -> PythonTool: ...
@overload
def tool(
    *,
    kind: ToolKind = "read",
    name: str = "",
    about: str = "",
    confirm: bool = False,
    timeout: Any = None,
    retry: int | Retry = 0,
    on_crash: OnCrash = "again",
    expects: str = "",
) -> Callable[[Function], PythonTool]: ...
def tool(function: Function | None = None, /, **said: Any) -> PythonTool | Callable[[Function], PythonTool]:
    """Make a function a tool: `@tool`, or `@tool(kind="effect", …)` where it changes the world.

    Its parameters are the arguments, with their types; a text about one stands in `Annotated[str, "…"]`. A
    parameter of the type `tw.ToolCall` is told about the call, and is no argument. The first line of its
    docstring says what it does. `timeout` is a time span, `retry` how often a failed call is tried again.
    """
    frame = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  nothing else tells who called
    unknown = [key for key in said if key not in _KEYS]
    if unknown:
        raise TypeError(f"tool() got an unexpected keyword argument '{unknown[0]}'")
    place = called_from(frame, ())
    if function is not None:
        return _declared(function, said, place)

    def decorate(made: Function) -> PythonTool:
        return _declared(made, said, place)

    return decorate


_KEYS = ("kind", "name", "about", "confirm", "timeout", "retry", "on_crash", "expects")


def _declared(function: Function, said: dict[str, Any], span: Span) -> PythonTool:
    """The tool that a function is."""
    if isinstance(function, PythonTool):
        function = function.function
    if not callable(function):
        raise WrongArgument("tool", function, "a function: write @tool, or @tool(kind=…)")
    plain = plain_of(function)
    given = dict(said)
    name = given.pop("name", "") or getattr(plain, "__name__", type(function).__name__)
    about = given.pop("about", "") or next(iter((inspect.getdoc(plain) or "").splitlines()), "")
    retry: Any = given.pop("retry", 0)
    faults: list[Diagnostic] = []
    args, takes_call = _arguments(function, name, span, faults)
    declared = Tool(
        name,
        about,
        args,
        timeout_s=given.pop("timeout", None),
        retry=Retry(retry) if retry.__class__ is int else retry,
        **given,
        faults=tuple(faults),
        span=span,
    )
    source, file, line = source_text(plain)
    return PythonTool(declared, function, takes_call, source, file, line, is_async(function) or is_async(plain))


def _arguments(function: Function, name: str, span: Span, faults: list[Diagnostic]) -> tuple[tuple[Field, ...], str]:
    """The arguments that a function declares, and the parameter that is told about the call."""
    try:
        parameters = inspect.signature(function).parameters.values()
        hints = get_type_hints(plain_of(function), include_extras=True)
    except Exception as error:  # noqa: BLE001  hints are the author's code
        faults.append(problem("TW086", f"what '{name}' takes cannot be read: {error}", span))
        return (), ""
    args: list[Field] = []
    takes_call = ""
    for one in parameters:
        hint = hints.get(one.name, one.empty)
        if _is_call(hint):
            takes_call = one.name
        elif one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            stars = "*" if one.kind is one.VAR_POSITIONAL else "**"
            message = f"'{name}' takes any arguments ('{stars}{one.name}'), and a model must be told which"
            faults.append(problem("TW086", message, span))
        elif hint is one.empty:
            faults.append(problem("TW086", f"the argument '{one.name}' of '{name}' has no type", span))
            args.append(Field(one.name, span=span))
        else:
            args.append(_argument(name, one, hint, span, faults))
    return tuple(args), takes_call


def _argument(name: str, one: inspect.Parameter, hint: Any, span: Span, faults: list[Diagnostic]) -> Field:
    info = one.default if isinstance(one.default, FieldInfo) else None
    found = meaning_of(hint, info)
    for wrong in found.wrong:
        message = f"the argument '{one.name}' of '{name}': {wrong.message}"
        faults.append(problem("TW086", message, span, wrong.hint))
    if info is None and one.default is not one.empty and one.default is not None:
        found.values["default"] = one.default
    return Field(one.name, **found.values, span=span)


def _is_call(hint: Any) -> bool:
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return inner is ToolCall
