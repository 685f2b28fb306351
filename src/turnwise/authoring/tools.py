"""Declares functions as tools from their signatures, and compares them with the tools that a flow declares.

It calls none of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast, overload

from pydantic.fields import FieldInfo

from turnwise.authoring.annotations import declarations_of, may_be_none
from turnwise.authoring.results import result_misfits
from turnwise.errors import UnknownArgument, WrongArgument
from turnwise.flow.call_sites import call_site
from turnwise.flow.describe import hints_of, is_async, is_call, is_generator, source_text, undecorated
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span, nearest, problem
from turnwise.flow.model import Field, Flow, Retry, Tool
from turnwise.flow.model.tools import PythonTool
from turnwise.flow.model.words import Approver, OnCrash, ToolKind

Function = Callable[..., Any]
"""A Python function that is a tool."""


@overload
def tool(function: Function, /) -> PythonTool: ...
@overload
def tool(
    *,
    kind: ToolKind = "read",
    name: str = "",
    about: str = "",
    confirm: bool = False,
    ask: str = "",
    approver: Approver = "user",
    approve_within: Any = None,
    timeout: Any = None,
    retry: int | Retry = 0,
    on_crash: OnCrash = "again",
    check: Function | None = None,
    expects: str = "",
    into: Any = "",
) -> Callable[[Function], PythonTool]: ...
def tool(function: Function | None = None, /, **options: Any) -> PythonTool | Callable[[Function], PythonTool]:
    """Make a function a tool: `@tool`, or `@tool(kind="effect", …)` if it has side effects.

    Its parameters are the arguments, with their types; `Annotated[str, "…"]` describes one. A parameter of the type
    `tw.ToolCall` receives the call, and is no argument. The first line of the docstring describes the tool.

    With `confirm` each call is approved by the user, or by the `approver`, and declined if that does not happen
    `approve_within` a time span; `ask` is the question, with the arguments as `{{ name }}`. `timeout` is a time span,
    `retry` the number of further attempts after a failure.
    `check`, for `on_crash="check"`, is a function of the same arguments, or some of them: after a crash it returns the
    result of a call that was made, and raises `tw.NotDone` for one that was not. `into` is the record or field that
    takes the results.
    """
    place = call_site()
    for key in options:
        if key not in _KEYS:
            raise UnknownArgument("tool", key, nearest(key, _KEYS) or f"known: {', '.join(sorted(_KEYS))}")
    if function is not None:
        return _declared(function, options, place)

    def decorate(made: Function) -> PythonTool:
        return _declared(made, options, place)

    return decorate


_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_KEYS = (
    "kind",
    "name",
    "about",
    "confirm",
    "ask",
    "approver",
    "approve_within",
    "timeout",
    "retry",
    "on_crash",
    "check",
    "expects",
    "into",
)


def _declared(function: Function, options: dict[str, Any], span: Span) -> PythonTool:
    """Return a function as a tool, with what its decorator and its signature declare."""
    if isinstance(function, PythonTool):
        function = function.function
    if not callable(function):
        raise WrongArgument("tool", function, "a function: write @tool, or @tool(kind=…)")
    plain = undecorated(function)
    given = dict(options)
    name = given.pop("name", "") or getattr(plain, "__name__", type(function).__name__)
    about = given.pop("about", "") or next(iter((inspect.getdoc(plain) or "").splitlines()), "")
    retry: Any = given.pop("retry", 0)
    check: Any = given.pop("check", None)
    faults = _generator_faults(name, function, check, span)
    args, takes_call = _arguments(function, name, span, faults)
    if args is not None:
        faults += _check_faults(name, check, given.get("on_crash", "again"), {arg.name for arg in args}, span)
    declared = Tool(
        name,
        about,
        args or (),
        timeout_s=given.pop("timeout", None),
        approve_within_s=given.pop("approve_within", None),
        retry=Retry(retry) if retry.__class__ is int else retry,
        **given,
        faults=tuple(faults),
        span=span,
    )
    source, file, line = source_text(plain)
    found = is_async(function) or is_async(plain)
    return PythonTool(declared, function, takes_call, check, source, file, line, found)


def _generator_faults(name: str, function: Function, check: Any, span: Span) -> list[Diagnostic]:
    """Report a generator: a call of a tool has one result."""
    found = [what for what, one in (("", function), ("the check of ", check)) if callable(one) and is_generator(one)]
    hint = "return the result, such as a list of them, and take 'yield' out"
    return [
        problem("TW086", f"{what}'{name}' is a generator, and a tool gives one result", span, hint) for what in found
    ]


def _check_faults(name: str, check: Any, on_crash: str, args: set[str], span: Span) -> list[Diagnostic]:
    """Report a check that is missing, has no use, or has a parameter that is no argument of its tool."""
    if check is None:
        hint = "give it check=…, a function that says whether a call was made"
        message = f"'{name}' is to be checked after a crash, and has no check"
        return [problem("TW086", message, span, hint)] if on_crash == "check" else []
    if on_crash != "check":
        return [problem("TW086", f"the check of '{name}' is never asked", span, 'say on_crash="check"')]
    try:
        stray = unknown_check_parameters(check, args)
    except Exception as error:  # noqa: BLE001  the check is the author's code
        return [problem("TW086", f"the check of '{name}' cannot be read: {error}", span, "check= takes a function")]
    return [
        problem("TW086", f"the check of '{name}' takes '{one}', which is no argument of it", span, nearest(one, args))
        for one in stray
    ]


def unknown_check_parameters(check: Callable[..., Any], args: Iterable[str]) -> list[str]:
    """Return the parameters of a check that are not among the arguments `args` of its tool; raise what reading its type
    hints raises.
    """
    parameters, hints, known = inspect.signature(check).parameters, hints_of(check), set(args)
    needed = [one.name for one in parameters.values() if one.default is one.empty and one.kind not in _MANY]
    return [one for one in needed if one not in known and not is_call(hints.get(one))]


def _arguments(
    function: Function, name: str, span: Span, faults: list[Diagnostic]
) -> tuple[tuple[Field, ...] | None, str]:
    """Return the arguments that a function declares, `None` if they cannot be read, and its parameter for the call."""
    try:
        parameters = inspect.signature(function).parameters.values()
        hints = hints_of(function)
    except Exception as error:  # noqa: BLE001  hints are the author's code
        faults.append(problem("TW086", f"what '{name}' takes cannot be read: {error}", span))
        return None, ""
    args: list[Field] = []
    takes_call = ""
    for one in parameters:
        hint = hints.get(one.name, one.empty)
        if is_call(hint):
            takes_call = one.name
        elif one.kind is one.POSITIONAL_ONLY:
            message = f"'{name}' takes '{one.name}' by its place, and a tool is called with names"
            faults.append(problem("TW086", message, span, "take the '/' out"))
        elif one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            stars = "*" if one.kind is one.VAR_POSITIONAL else "**"
            message = f"'{name}' takes any arguments ('{stars}{one.name}'), and a model must know which"
            faults.append(problem("TW086", message, span))
        elif hint is one.empty:
            faults.append(problem("TW086", f"the argument '{one.name}' of '{name}' has no type", span))
            args.append(Field(one.name, span=span))
        else:
            args.append(_argument(name, one, hint, span, faults))
    return tuple(args), takes_call


def _argument(name: str, one: inspect.Parameter, hint: Any, span: Span, faults: list[Diagnostic]) -> Field:
    info = one.default if isinstance(one.default, FieldInfo) else None
    found = declarations_of(hint, info)
    for wrong in found.wrong:
        message = f"the argument '{one.name}' of '{name}': {wrong.message}"
        faults.append(problem("TW086", message, span, wrong.hint))
    default = one.default if info is None else one.empty if info.is_required() else info.get_default()
    is_nothing = default is None or (isinstance(default, str | list | tuple) and not default)
    if info is None and default is not one.empty and not is_nothing:
        found.values["default"] = default
    may_lack = may_be_none(hint) or default is not one.empty
    return Field(one.name, **found.values, optional=may_lack and "default" not in found.values, span=span)


_FITTING = {
    "string": ("choice", "email", "phone", "date", "time", "datetime"),
    "number": ("integer", "duration"),
}
"""For a type that a function takes, the other types of a tool's argument whose values are of that type."""
_EXPECTED = "functions, or a mapping from names of tools to functions or to objects with run() and check()"


def by_name(tools: object) -> dict[str, Any]:
    """Return implementations of tools keyed by tool name. Raises `WrongArgument` for a value that cannot be a tool."""
    if isinstance(tools, Mapping):
        given = dict(cast("Mapping[Any, Any]", tools))
    elif isinstance(tools, Iterable) and not isinstance(tools, str | bytes):
        listed = list(cast("Iterable[Any]", tools))
        for place, one in enumerate(listed):
            if not callable(one) or isinstance(one, type):
                raise WrongArgument(f"tools[{place}]", one, "a function; anything else needs a name: tools={name: …}")
        names = [
            one.name if isinstance(one, PythonTool) else getattr(undecorated(one), "__name__", "") for one in listed
        ]
        given = {name or type(one).__name__: one for name, one in zip(names, listed, strict=True)}
    else:
        raise WrongArgument("tools", tools, _EXPECTED)
    for name, one in given.items():
        if not isinstance(name, str) or not (callable(one) or is_runner(one)) or isinstance(one, type):
            raise WrongArgument(f"tools[{name!r}]", one, "a function, or an object with run() and check()")
    return given


def is_runner(given: object) -> bool:
    """Return whether an object runs tools itself, and is no plain function."""
    return all(callable(getattr(given, name, None)) for name in ("run", "check"))


def tool_differences(flow: Flow, given: Mapping[str, Any]) -> list[Diagnostic]:
    """Return every difference between the tools that a flow declares and their implementations in `given`, by name."""
    declared = {tool.name: tool for tool in flow.tools}
    found: list[Diagnostic] = []
    for name, one in given.items():
        if name in declared and not (is_runner(one) and not isinstance(one, PythonTool)):
            wrong = result_misfits(flow, declared[name], _function(one))
            found += [problem("TW089", message, declared[name].span, _stands_at(_place(one))) for message in wrong]
        if isinstance(one, PythonTool) and one.tool == declared.get(name):
            continue  # what a flow in Python carries is what it declares
        if name not in declared:
            hint = nearest(name, declared) or "leave it out here, or declare it under `tools`"
            found.append(problem("TW089", f"the flow declares no tool '{name}'", _place(one), hint))
        elif not is_runner(one) or isinstance(one, PythonTool):
            tool, place = declared[name], _place(one)
            found += [problem("TW089", message, tool.span, _stands_at(place)) for message in _differences(tool, one)]
    return found


def _place(given: Any) -> Span:
    """Return where a function stands, `NOWHERE` if that is not known."""
    _, file, line = source_text(undecorated(_function(given))) if not is_runner(given) else ("", "", 0)
    return Span(file, line, 1) if line else NOWHERE


def _stands_at(place: Span) -> str:
    return f"the function is at {Path(place.file).name}:{place.line}" if place.line else ""


def _function(given: Any) -> Any:
    return given.function if isinstance(given, PythonTool) else given


def _differences(tool: Tool, given: Any) -> Iterator[str]:
    """Yield a message for each difference between a tool and its function."""
    check: Any = given.check if isinstance(given, PythonTool) else None
    if isinstance(given, PythonTool):
        yield from _differences_of_safety(tool, given.tool)
    if is_generator(_function(given)):
        yield f"the function of '{tool.name}' is a generator, and a tool gives one result: it has to return it"
    if tool.on_crash == "check" and check is None:
        yield f"'{tool.name}' is to be checked after a crash, and its function has no check: @tw.tool(check=…)"
    elif tool.on_crash == "check":
        try:
            for one in unknown_check_parameters(check, [arg.name for arg in tool.args]):
                what = "which is no argument of the tool, nor a tw.ToolCall by its hint"
                yield f"the check of '{tool.name}' needs '{one}', {what}"
        except Exception as error:  # noqa: BLE001  the check is the author's code
            yield f"what the check of '{tool.name}' takes cannot be read: {error}"
    yield from _differences_of_arguments(tool, _function(given))


def _differences_of_safety(tool: Tool, own: Tool) -> Iterator[str]:
    """Yield a message for each safety property, and each destination of results, that the function declares and the
    flow leaves out. For everything else, such as the timeout or the text, the declaration of the flow counts.
    """
    if own.kind == "effect" and tool.kind == "read":
        yield f"the function says that '{tool.name}' is an effect, and the flow that it only reads"
    if own.confirm and not tool.confirm:
        yield f"the function says that '{tool.name}' needs the user's consent, and the flow does not"
    if own.approver != tool.approver == "user":
        yield f"the function says that an operator approves '{tool.name}', and the flow that the user does"
    if own.on_crash not in ("again", tool.on_crash):
        yield f"the function says on_crash '{own.on_crash}' of '{tool.name}', and the flow '{tool.on_crash}'"
    if own.expects not in ("", tool.expects):
        declared = f"expects '{tool.expects}'" if tool.expects else "expects nothing"
        yield f"the function says that '{tool.name}' expects '{own.expects}', and the flow {declared}"
    if own.into and not tool.into:
        yield f"the function says that results of '{tool.name}' go into '{own.into}', and the flow stores them nowhere"


def _differences_of_arguments(tool: Tool, function: Any) -> Iterator[str]:
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
            yield from _differences_of_argument(tool.name, field, one, hints.get(name))
        elif not takes_any:
            yield f"'{tool.name}' declares the argument '{name}', which its function does not take"
    for name, one in parameters.items():
        is_needed = one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
        if is_needed and name not in declared and not is_call(hints.get(name)):
            yield f"the function of '{tool.name}' needs '{name}', which the tool does not declare as an argument"


def _differences_of_argument(tool: str, field: Field, parameter: inspect.Parameter, hint: Any) -> Iterator[str]:
    if hint is None:
        return
    found = declarations_of(hint)
    taken: Any = found.values.get("type")
    if taken not in (None, field.type) and field.type not in _FITTING.get(taken, ()):
        yield f"'{tool}' declares '{field.name}' as {field.type}, and its function takes it as {taken}"
    options = found.values.get("options", ())
    stray = [option.value for option in field.options if options and option.value not in options]
    if stray:
        yield f"the function of '{tool}' does not take '{stray[0]}' for '{field.name}', which is an option"
    if field.optional and field.default is None and parameter.default is parameter.empty and not may_be_none(hint):
        yield f"'{field.name}' of '{tool}' may be left out, and its function needs it"
