"""What is supplied for the tools of a flow: by which name, and whether it fits what the flow declares.

What a document says of a tool holds, whatever its function says. Where a function takes other arguments, or asks for
more care than the document does, that is told.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from turnwise.authoring.annotations import may_be_none, meaning_of
from turnwise.authoring.tools import strays
from turnwise.errors import WrongArgument
from turnwise.flow.describe import hints_of, is_call, is_generator, plain_of, source_text
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span, nearest, problem
from turnwise.flow.model import Field, Flow, Tool
from turnwise.flow.model.tools import PythonTool

_TEXTS = ("string", "choice", "email", "phone", "date", "time", "datetime")
"""The types whose values are texts, for a function that asks for no more than that."""
_NUMBERS = ("integer", "number", "duration")
_EXPECTED = "functions, or a mapping from names of tools to functions or to objects with run() and check()"


def by_name(tools: object) -> dict[str, Any]:
    """What is supplied, by the name of its tool. Raises `WrongArgument` for what cannot be a tool."""
    if isinstance(tools, Mapping):
        given = dict(cast("Mapping[Any, Any]", tools))
    elif isinstance(tools, Iterable) and not isinstance(tools, str | bytes):
        listed = list(cast("Iterable[Any]", tools))
        for place, one in enumerate(listed):
            if not callable(one) or isinstance(one, type):
                raise WrongArgument(f"tools[{place}]", one, "a function; anything else needs a name: tools={name: …}")
        given = {_name(one): one for one in listed}
    else:
        raise WrongArgument("tools", tools, _EXPECTED)
    for name, one in given.items():
        if not isinstance(name, str) or not (callable(one) or is_runner(one)) or isinstance(one, type):
            raise WrongArgument(f"tools[{name!r}]", one, "a function, or an object with run() and check()")
    return given


def is_runner(given: object) -> bool:
    """True for what runs a tool itself, and is no function."""
    return all(callable(getattr(given, name, None)) for name in ("run", "check"))


def _name(function: Any) -> str:
    if isinstance(function, PythonTool):
        return function.name
    return getattr(plain_of(function), "__name__", type(function).__name__)


def unfit(flow: Flow, given: Mapping[str, Any]) -> list[Diagnostic]:
    """Every difference between the tools that a flow declares and what is supplied for them."""
    declared = {tool.name: tool for tool in flow.tools}
    found: list[Diagnostic] = []
    for name, one in given.items():
        if isinstance(one, PythonTool) and one.tool == declared.get(name):
            continue  # what a flow in Python carries is what it declares
        if name not in declared:
            found.append(problem("TW089", f"the flow declares no tool '{name}'", _place(one), nearest(name, declared)))
        elif not is_runner(one) or isinstance(one, PythonTool):
            tool, hint = declared[name], _told(one)
            found += [problem("TW089", message, tool.span, hint) for message in _differences(tool, one)]
    return found


def _place(given: Any) -> Span:
    """Where a function stands, as far as that is known."""
    _, file, line = source_text(plain_of(_function(given))) if not is_runner(given) else ("", "", 0)
    return Span(file, line, 1) if line else NOWHERE


def _told(given: Any) -> str:
    place = _place(given)
    return f"the function is at {Path(place.file).name}:{place.line}" if place.line else ""


def _function(given: Any) -> Any:
    return given.function if isinstance(given, PythonTool) else given


def _differences(tool: Tool, given: Any) -> Iterator[str]:
    """What of a tool its function does not do as declared."""
    check = given.check if isinstance(given, PythonTool) else None
    if isinstance(given, PythonTool):
        yield from _of_care(tool, given.tool)
    if is_generator(_function(given)):
        yield f"the function of '{tool.name}' is a generator, and a tool gives one result: it has to return it"
    if tool.on_crash == "check" and check is None:
        yield f"'{tool.name}' is to be checked after a crash, and its function has no check: @tw.tool(check=…)"
    elif tool.on_crash == "check":
        yield from _of_check(tool, check)
    yield from _of_arguments(tool, _function(given))


def _of_care(tool: Tool, own: Tool) -> Iterator[str]:
    """What a function says to keep its users from harm, and the flow leaves out. Of all else the flow's word holds:
    it may well give a tool more time, or another text.
    """
    if own.kind == "effect" and tool.kind == "read":
        yield f"the function says that '{tool.name}' is an effect, and the flow that it only reads"
    if own.confirm and not tool.confirm:
        yield f"the function says that '{tool.name}' needs the user's consent, and the flow does not"
    if own.on_crash not in ("again", tool.on_crash):
        yield f"the function says on_crash '{own.on_crash}' of '{tool.name}', and the flow '{tool.on_crash}'"
    if own.expects not in ("", tool.expects):
        said = f"expects '{tool.expects}'" if tool.expects else "expects nothing"
        yield f"the function says that '{tool.name}' expects '{own.expects}', and the flow {said}"


def _of_check(tool: Tool, check: Any) -> Iterator[str]:
    try:
        stray = strays(check, [arg.name for arg in tool.args])
    except Exception as error:  # noqa: BLE001  the check is the author's code
        yield f"what the check of '{tool.name}' takes cannot be read: {error}"
        return
    for one in stray:
        what = "which is no argument of the tool, nor a tw.ToolCall by its hint"
        yield f"the check of '{tool.name}' needs '{one}', {what}"


def _of_arguments(tool: Tool, function: Any) -> Iterator[str]:
    try:
        parameters = inspect.signature(function).parameters
        hints = hints_of(function)
    except Exception as error:  # noqa: BLE001  hints are the author's code
        yield f"what the function of '{tool.name}' takes cannot be read: {error}"
        return
    declared = {arg.name: arg for arg in tool.args}
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    for name, field in declared.items():
        one = parameters.get(name)
        if one is not None and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            yield from _of_argument(tool.name, field, one, hints.get(name))
        elif not takes_any:
            yield f"'{tool.name}' declares the argument '{name}', which its function does not take"
    for name, one in parameters.items():
        is_needed = one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
        if is_needed and name not in declared and not is_call(hints.get(name)):
            yield f"the function of '{tool.name}' needs '{name}', which the tool does not declare as an argument"


def _of_argument(tool: str, field: Field, parameter: inspect.Parameter, hint: Any) -> Iterator[str]:
    if hint is None:
        return
    found = meaning_of(hint)
    taken: Any = found.values.get("type")
    if taken is not None and not _fits(field.type, taken):
        yield f"'{tool}' declares '{field.name}' as {field.type}, and its function takes it as {taken}"
    options = found.values.get("options", ())
    stray = [option.value for option in field.options if options and option.value not in options]
    if stray:
        yield f"the function of '{tool}' does not take '{stray[0]}' for '{field.name}', which is an option"
    if field.optional and field.default is None and parameter.default is parameter.empty and not may_be_none(hint):
        yield f"'{field.name}' of '{tool}' may be left out, and its function needs it"


def _fits(declared: str, taken: str) -> bool:
    return declared == taken or declared in {"string": _TEXTS, "number": _NUMBERS}.get(taken, ())
