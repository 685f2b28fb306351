"""Inspects a Python function without calling it: parameters and source."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from tokenize import TokenError
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from turnwise.errors import TurnwiseError
from turnwise.flow.code import PythonGuard, ToolCall

Function = Callable[..., Any]
"""A Python function of an author."""
_NO_SOURCE = (OSError, TypeError, SyntaxError, TokenError)
"""What is raised where a source is asked for: there is none, or what should be it is no Python."""


def describe(function: Function, targets: tuple[str, ...] = (), name: str = "") -> PythonGuard:
    """Return a function as a guard with its parameters and source; `targets` are the nodes that it may return, none if
    it gives true or false. Raise `TurnwiseError` if it is no function.
    """
    plain = undecorated(function)
    found = name or getattr(plain, "__name__", "") or type(function).__name__
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise TurnwiseError(f"{found} cannot be a guard: what it takes is not known") from None
    source, file, line, has_source = _source(plain, found, signature)
    return PythonGuard(
        name=found,
        function=_by_name(function, signature),
        parameters=tuple(signature.parameters),
        targets=targets,
        source=source,
        has_source=has_source,
        file=file,
        line=line,
        is_async=any(is_async(one) for one in (function, plain)),
        original=function,
    )


def undecorated(function: Function) -> Function:
    """Return the function that the author wrote, without `partial` and decorators; for an object its `__call__`."""
    while isinstance(function, partial):
        function = function.func
    function = inspect.unwrap(function)
    is_function = inspect.isroutine(function) or inspect.isclass(function)
    return function if is_function else getattr(type(function), "__call__", function)  # noqa: B004  not whether, but which


def hints_of(function: Function) -> dict[str, Any]:
    """Return the annotated types of a function, by parameter. Raise what evaluating the annotations raises."""
    return get_type_hints(undecorated(function), include_extras=True)


def is_call(hint: Any) -> bool:
    """Return whether a type is that of the parameter which receives the context of a tool call (`ToolCall`)."""
    inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return inner is ToolCall


def is_async(function: Function) -> bool:
    """Return whether calling a function returns an awaitable."""
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def is_generator(function: Function) -> bool:
    """Return whether calling a function returns a generator."""
    kinds = (inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    return any(kind(one) for kind in kinds for one in (function, undecorated(function)))


_CALLED_WITH = "a function of a message and what is allowed, that returns a list of commands"


def understanding_fault(function: Any) -> str:
    """Return why a function cannot be used to understand messages, in words; empty if it can."""
    if not callable(function) or isinstance(function, type):
        return _CALLED_WITH
    plain = undecorated(function)
    try:
        inspect.signature(function).bind("", None)
    except TypeError as error:
        return f"{_CALLED_WITH}: called with both, it fails ({error})"
    except ValueError:
        return ""  # a function without Python code does not show what it takes
    if inspect.isasyncgenfunction(plain):
        return f"{_CALLED_WITH}: it is an async generator"
    if getattr(plain, "__annotations__", {}).get("return", "") in (None, "None") or _returns_nothing(plain):
        return f"{_CALLED_WITH}, [] where there is none: it returns None"
    return ""


def _returns_nothing(function: Function) -> bool:
    """Return true for a function that only returns `None`, and does not only raise."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):
        return False
    steps = list(dis.get_instructions(code))
    returned = [
        (one, before) for before, one in pairwise(steps) if one.opname.startswith("RETURN_") and "GEN" not in one.opname
    ]
    return bool(returned) and all(
        (one.opname == "RETURN_CONST" and one.argval is None)
        or (before.opname == "LOAD_CONST" and before.argval is None)
        for one, before in returned
    )


def _by_name(function: Function, signature: inspect.Signature) -> Function:
    """Return the function so that it can be called with keywords alone."""
    first = [name for name, one in signature.parameters.items() if one.kind is one.POSITIONAL_ONLY]

    def by_name(**given: Any) -> Any:
        return function(*[given.pop(name) for name in first], **given)

    return by_name if first else function


def source_text(function: Function) -> tuple[str, str, int]:
    """Return the source, file and first line of a function; empty texts and 0 where there is none."""
    try:
        lines, line = inspect.getsourcelines(function)
        return textwrap.dedent("".join(lines)), inspect.getsourcefile(function) or "", line
    except _NO_SOURCE:
        return "", "", 0


# the source --------------------------------------------------------------------------------------


def _source(function: Function, name: str, signature: inspect.Signature) -> tuple[str, str, int, bool]:
    """Return the source from its file; without a file, the signature, the docstring and the reason."""
    reason = "it is a lambda" if getattr(function, "__name__", "") == "<lambda>" else ""
    try:
        if not reason:
            lines, line = inspect.getsourcelines(function)
            text, skipped = _undecorated(textwrap.dedent("".join(lines)))
            return text, inspect.getsourcefile(function) or "", line + skipped, True
    except _NO_SOURCE as error:
        is_none = isinstance(error, OSError | TypeError)
        reason = "it was made where no file holds it" if is_none else "its file is no Python"
    about = inspect.getdoc(function)
    described = f"def {name}{signature}:  # no source: {reason}\n"
    if about:
        described += textwrap.indent(f'"""{about}"""\n', "    ")
    return described, "", 0, False


def _undecorated(source: str) -> tuple[str, int]:
    """Return the source without the decorator that makes it a guard, and the number of removed lines."""
    try:
        (made,) = ast.parse(source).body
    except (SyntaxError, ValueError):
        return source, 0
    if not isinstance(made, ast.FunctionDef | ast.AsyncFunctionDef) or not made.decorator_list:
        return source, 0
    first = made.decorator_list[0]
    called = first.func if isinstance(first, ast.Call) else first
    if getattr(called, "attr", getattr(called, "id", "")) not in ("guard", "tool") or first.end_lineno is None:
        return source, 0
    return "".join(source.splitlines(keepends=True)[first.end_lineno :]), first.end_lineno
