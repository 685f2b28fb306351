"""Compares the code of a flow's Python functions with the code that an earlier version of the flow was stored with, so
that its conversations run only with the functions that it had: their source, and what in the program they refer to. It
calls nothing. What a function reaches in another way, such as an attribute of an object or a mutable value, is not
compared.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from hashlib import sha256
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

from turnwise.flow.code import PythonGuard, is_user_file
from turnwise.flow.describe import source_text

_PLAIN = (type(None), bool, int, float, complex, str, bytes, date, time, timedelta, Decimal, Enum)
_MOST = 200
"""Of how many names a function's code is compared."""
_BYTECODE = "its bytecode"


def is_same_source(one: str, other: str) -> bool:
    """Return whether two sources are the same code, apart from spaces, comments and line breaks."""
    return one == other or _normal(one) == _normal(other)


def references(guard: PythonGuard) -> dict[str, str]:
    """Return a digest of each thing that a guard's function refers to, by name, to detect changed code. These are
    functions and constants of the program's own code, values of its closure, its defaults; without a source also its
    bytecode, which only one version of Python has.
    """
    function = _plain(guard.original or guard.function)
    if function is None:
        return {}
    found: dict[str, str] = {}
    _add(found, function, "")
    if not guard.has_source:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        found[_BYTECODE] = _digest(version + _bytecode(function.__code__))
    return found


def first_change(kept: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return the name of the first thing whose digest differs between the stored mapping `kept` and the mapping `now`
    of the supplied function; empty if there is none.
    """
    return next((name for name, digest in kept.items() if now.get(name) != digest), "")


def _add(found: dict[str, str], function: FunctionType, within: str) -> None:
    """Add what a function refers to, and what that refers to."""
    for name, value in _named(function):
        key = f"{within}{name}"
        if len(found) >= _MOST or key in found:
            continue
        inner = _plain(value)
        if inner is not None and is_user_file(inner.__code__.co_filename):
            source = source_text(inner)[0]
            found[key] = _digest(_normal(source) if source else _bytecode(inner.__code__))
            if inner is not function:
                _add(found, inner, "")
        elif _is_plain(value):
            found[key] = _digest(_text(value))


def _named(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield names and values: defaults, closure, then the globals that its code names."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    for name, value in (*zip(names[len(names) - len(defaults) :], defaults, strict=False),
                        *(function.__kwdefaults__ or {}).items()):  # fmt: skip
        yield f"{function.__name__}({name})", value
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=False):
        try:
            yield f"{function.__name__}.{name}", cell.cell_contents
        except ValueError:  # it is still empty
            continue
    for name in sorted(set(_names(code))):
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType) and is_user_file(getattr(value, "__file__", None) or "<frozen"):
            yield from [(f"{name}.{one}", vars(value)[one]) for one in sorted(set(_names(code))) if one in vars(value)]
        elif name in function.__globals__:
            yield name, value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names(one)


def _plain(value: Any) -> FunctionType | None:
    """Return the function below partials, methods and decorators; `None` if there is no Python function."""
    for _ in range(20):
        if isinstance(value, FunctionType) and not hasattr(value, "__wrapped__"):
            return value
        inner = getattr(value, "__wrapped__", None) or getattr(value, "__func__", None) or getattr(value, "func", None)
        if inner is None or not callable(inner):
            break
        value = cast("Callable[..., Any]", inner)
    return value if isinstance(value, FunctionType) else None


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_plain, cast("tuple[Any, ...]", value)))
    return isinstance(value, _PLAIN)


def _text(value: Any) -> str:
    """Return a text of a constant that is the same in every process."""
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_text, cast('frozenset[Any]', value))))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, cast('tuple[Any, ...]', value)))})"
    return f"{type(value).__name__} {value!r}"


def _bytecode(code: CodeType) -> str:
    parts = [_bytecode(one) if isinstance(one, CodeType) else _text(one) for one in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {parts}"


def _normal(source: str) -> str:
    """Return the code of a source without its layout; the source itself if it is no whole code."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return source


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
