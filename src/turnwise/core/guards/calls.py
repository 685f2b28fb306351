"""The functions of the guard language, each with the types that it takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from turnwise.core.guards import calendar, compare, hints
from turnwise.core.guards import scope as roots
from turnwise.core.guards.env import Env, GuardFault
from turnwise.core.guards.scope import Compiling, Names, Term
from turnwise.core.guards.types import LIST, named, shown, to_duration
from turnwise.core.values.patterns import regex, regex_fault
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import GuardError, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.late_pattern import late_pattern

# functions of values: name -> (types of the arguments, result, function) --------------------------


_WHOLE = late_pattern(r"[-+]?[0-9]{1,19}")
_NUMBER = late_pattern(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_WIDEST = 2**63


def _to_int(value: Any) -> int:
    """A whole number of 64 bits: digits and a sign, a number without its fraction, true as 1."""
    if isinstance(value, str) and not _WHOLE.fullmatch(value):
        raise ValueError("no digits")
    found = int(value)
    if not -_WIDEST <= found < _WIDEST:
        raise OverflowError("more than 64 bits")
    return found


def _to_double(value: Any) -> float:
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise ValueError("no number")
    found = float(value)
    if not math.isfinite(found):
        raise OverflowError("too large")
    return found


def _contains(text: str, part: str) -> bool:
    return part in text


_TEXTS: dict[str, tuple[tuple[str, ...], str, Callable[..., Any]]] = {
    "contains": (("string", "string"), "bool", _contains),
    "startsWith": (("string", "string"), "bool", str.startswith),
    "endsWith": (("string", "string"), "bool", str.endswith),
    "lower": (("string",), "string", str.casefold),
}
_CONVERSIONS: dict[str, tuple[tuple[str, ...], str, Callable[[Any], Any]]] = {
    "int": (("int", "double", "string", "bool"), "int", _to_int),
    "double": (("int", "double", "string"), "double", _to_double),
    "string": (("int", "double", "string", "bool", "date", "time", "timestamp", "duration"), "string", shown),
    "bool": (("bool", "string"), "bool", lambda value: _BOOLS[value] if isinstance(value, str) else value),
    "duration": (("string", "duration"), "duration", lambda v: to_duration(v) if isinstance(v, str) else v),
}
_BOOLS = {"true": True, "false": False}
_KNOWN = (
    "has",
    "default",
    "size",
    "exists",
    "all",
    "filter",
    "matches",
    "visits",
    *_TEXTS,
    *_CONVERSIONS,
    *calendar.NAMES,
)
_TOOL_CALLS = ("used", "count", "ended_with")


def call(compiler: Compiling, expression: s.Call) -> Term:
    """The term of a function call, written `f(x)` or `x.f()`."""
    name, of = expression.name, expression.of
    if isinstance(of, s.Name) and of.name in _ROOTS:
        return _ROOTS[of.name](compiler, expression)
    if name == "visits" and of is None:
        return _visits(compiler, expression)
    if expression.named:
        raise GuardError("TW032", f"{name}() has no argument '{expression.named[0][0]}'", expression.at)
    args = [compiler.term(arg) for arg in ((of,) if of is not None else ()) + expression.args]
    tells = not reads_secret(compiler.names, expression)
    if name in calendar.NAMES:
        return calendar.call(compiler, name, args, expression.at, shows_values=tells)
    if name in _CONVERSIONS:
        return _converted(name, args, expression.at, tells=tells)
    return _function(name, args, expression.at)


def reads_secret(names: Names, expression: s.Expression) -> bool:
    """True if the value of a secret field is read, not only whether it has one: then nothing tells it."""
    match expression:
        case s.Call(name="has", of=None):
            return False
        case s.Select(of=s.Name(name=record), name=name):
            field = names.records.get(record, {}).get(name)
            return field is not None and field.secret
        case _:
            return any(reads_secret(names, part) for part in s.parts_of(expression))


def _function(name: str, args: list[Term], at: int) -> Term:
    """A function of values."""
    if name in _TEXTS:
        kinds, result, function = _TEXTS[name]
        _check(name, kinds, args, at)
        return _applied(result, function, args)
    if name == "default":
        return _default(args, at)
    if name == "size":
        return _size(args, at)
    if name == "matches":
        return _matches(args, at)
    raise GuardError("TW031", f"there is no function '{name}'", at, hints.of_function(name, _KNOWN, roots.ROOTS))


def _check(name: str, kinds: tuple[str, ...], args: list[Term], at: int) -> None:
    if len(args) != len(kinds):
        count = "1 argument" if len(kinds) == 1 else f"{len(kinds)} arguments"
        raise GuardError("TW032", f"{name}() takes {count}, this has {len(args)}", at)
    for kind, arg in zip(kinds, args, strict=True):
        if arg.type not in (kind, "dyn"):
            hint = "use 'in' for lists" if arg.type.startswith(LIST) and name == "contains" else ""
            raise GuardError("TW032", f"{name}() takes {named(kind)}, this is {named(arg.type)}", at, hint)


def _applied(result: str, function: Callable[..., Any], args: list[Term], *, tells: bool = True) -> Term:
    """A function of values: unknown where one is missing, in error where it gives nothing. The
    error tells the value, unless that is secret.
    """
    if len(args) == 1:
        return Term(result, _applied_to_one(result, function, args[0].run, tells=tells))
    runs = [arg.run for arg in args]

    def run(env: Env) -> Any:
        values = [arg(env) for arg in runs]
        if None in values:
            return None
        return _called(result, function, values, tells=tells)

    return Term(result, run)


def _applied_to_one(
    result: str, function: Callable[[Any], Any], arg: Callable[[Env], Any], *, tells: bool
) -> Callable[[Env], Any]:
    def run(env: Env) -> Any:
        value = arg(env)
        if value is None:
            return None
        try:
            found = function(value)
        except _REFUSALS:
            found = None
        if found is None:
            raise _unreadable(result, value, tells=tells)
        return found

    return run


def _called(result: str, function: Callable[..., Any], values: list[Any], *, tells: bool) -> Any:
    try:
        found = function(*values)
    except _REFUSALS:
        found = None
    if found is None:
        raise _unreadable(result, values[0], tells=tells)
    return found


_REFUSALS = (ValueError, TypeError, KeyError, OverflowError, AttributeError)


def _unreadable(result: str, value: Any, *, tells: bool) -> GuardFault:
    return GuardFault(f"{shown(value)!r} cannot be read as {named(result)}" if tells else calendar.UNTOLD)


def _default(args: list[Term], at: int) -> Term:
    """`default(x, y)`: the value of x, or y where x has none. An error in x stays an error."""
    if len(args) != 2:
        raise GuardError("TW032", f"default() takes 2 arguments, this has {len(args)}", at)
    value, fallback, kind = compare.unified(args[0], args[1], at)
    if kind == "null" or (fallback.is_constant and fallback.constant is None):
        raise GuardError("TW032", "default() needs a value to use where the first one is missing", at)
    run, run_fallback = value.run, fallback.run

    def run_default(env: Env) -> Any:
        found = run(env)
        return run_fallback(env) if found is None else found

    return Term(kind, run_default)


def _size(args: list[Term], at: int) -> Term:
    if len(args) != 1 or not (args[0].type in ("string", "dyn") or args[0].type.startswith(LIST)):
        raise GuardError("TW032", "size() takes a text or a list", at)
    return _applied("int", len, args)


def _matches(args: list[Term], at: int) -> Term:
    _check("matches", ("string", "string"), args, at)
    pattern = args[1].constant
    if not isinstance(pattern, str):
        raise GuardError("TW034", "the pattern of matches() must be a constant text", at)
    try:
        compiled = regex(pattern)
    except Exception as error:  # noqa: BLE001  the library's own error class is not typed
        raise GuardError("TW034", f"the pattern is refused: {regex_fault(error)}", at) from None

    def matches(text: str) -> bool:
        return compiled.search(text) is not None

    return _applied("bool", matches, args[:1])


def _converted(name: str, args: list[Term], at: int, *, tells: bool) -> Term:
    kinds, result, function = _CONVERSIONS[name]
    if len(args) != 1:
        raise GuardError("TW032", f"{name}() takes 1 argument, this has {len(args)}", at)
    if args[0].type not in (*kinds, "dyn"):
        raise GuardError("TW032", f"{name}() does not take {named(args[0].type)}", at)
    term = _applied(result, function, args, tells=tells)
    if args[0].is_constant:
        try:
            value = term.run(Env({}, _NOTHING))
        except GuardFault as error:
            raise GuardError("TW032", str(error), at) from None
        return Term(result, lambda _env: value, constant=value)
    return term


class _Nothing:
    def get(self, key: str, read: Callable[..., Any]) -> Any:  # noqa: ARG002  constants read nothing
        return None


_NOTHING = _Nothing()


# roots that are functions -------------------------------------------------------------------------


def _tools(compiler: Compiling, expression: s.Call) -> Term:
    """`tools.used(t)`, `tools.used(t, within: n)`, `tools.count(t)`, `tools.ended_with([..])`."""
    if expression.name not in _TOOL_CALLS:
        hint = nearest(expression.name, [*_TOOL_CALLS, "last"])
        raise GuardError("TW031", f"tools has no '{expression.name}()'", expression.at, hint)
    if len(expression.args) != 1:
        raise GuardError("TW032", f"tools.{expression.name}() takes one argument", expression.at)
    key, arg = text_of(expression), expression.args[0]
    if expression.name == "ended_with":
        pattern = _pattern(compiler, arg)
        return compiler.read(key, "bool", lambda state: roots.ended_with(state.tools, pattern))
    tool = _tool_name(compiler, arg)
    if expression.name == "count":
        _refuse_named(expression, ())
        return compiler.read(key, "int", roots.counted(tool))
    within = _within(expression)
    return compiler.read(key, "bool", lambda state: roots.was_used(state.tools, tool, within))


def _tool_name(compiler: Compiling, expression: s.Expression) -> str:
    if not isinstance(expression, s.Literal) or not isinstance(expression.value, str):
        raise GuardError("TW032", "the tool must be named by a constant text", expression.at)
    if not compiler.names.is_open and expression.value not in compiler.names.tools:
        hint = nearest(expression.value, compiler.names.tools)
        raise GuardError("TW021", f"no tool is called '{expression.value}'", expression.at, hint)
    return expression.value


def _within(expression: s.Call) -> int | None:
    _refuse_named(expression, ("within",))
    for _, value in expression.named:
        is_whole = isinstance(value, s.Literal) and isinstance(value.value, int) and not isinstance(value.value, bool)
        if not is_whole or not 1 <= value.value <= roots.SEQUENCE_LONGEST:  # type: ignore[union-attr,operator]
            raise GuardError("TW044", f"within: takes a number from 1 to {roots.SEQUENCE_LONGEST}", value.at)
        return value.value  # type: ignore[union-attr,return-value]
    return None


def _refuse_named(expression: s.Call, known: tuple[str, ...]) -> None:
    for key, value in expression.named:
        if key not in known:
            raise GuardError("TW032", f"{expression.name}() has no argument '{key}'", value.at, nearest(key, known))


def _pattern(compiler: Compiling, expression: s.Expression) -> roots.Pattern:
    _positions = expression.items if isinstance(expression, s.Sequence) else ()
    if not _positions:
        raise GuardError("TW032", "tools.ended_with() takes a list of tools", expression.at)
    if len(_positions) > roots.SEQUENCE_LONGEST:
        message = f"a sequence of {len(_positions)} is longer than the {roots.SEQUENCE_LONGEST} uses that are kept"
        raise GuardError("TW044", message, expression.at)
    return tuple(_position(compiler, position) for position in _positions)


def _position(compiler: Compiling, expression: s.Expression) -> tuple[str, ...]:
    names = expression.items if isinstance(expression, s.Sequence) else (expression,)
    left_out = tuple("" for name in names if isinstance(name, s.Literal) and name.value == "")
    named_ = [name for name in names if not (isinstance(name, s.Literal) and name.value == "")]
    return (*(_tool_name(compiler, name) for name in named_), *left_out)


def _visits(compiler: Compiling, expression: s.Call) -> Term:
    arg = expression.args[0] if len(expression.args) == 1 else None
    if not isinstance(arg, s.Literal) or not isinstance(arg.value, str):
        raise GuardError("TW032", 'visits() takes the name of a node, as in visits("intro")', expression.at)
    if not compiler.names.is_open and arg.value not in compiler.names.nodes:
        hint = nearest(arg.value, compiler.names.nodes)
        raise GuardError("TW023", f"no node is called '{arg.value}'", arg.at, hint)
    return compiler.read(text_of(expression), "int", roots.visited(arg.value))


def _overlay(compiler: Compiling, expression: s.Call) -> Term:
    arg = expression.args[0] if expression.name == "active" and len(expression.args) == 1 else None
    if not isinstance(arg, s.Literal) or not isinstance(arg.value, str):
        raise GuardError("TW032", 'an overlay is asked for as overlay.active("name")', expression.at)
    if arg.value not in compiler.names.overlays:
        hint = nearest(arg.value, compiler.names.overlays)
        raise GuardError("TW022", f"no overlay is called '{arg.value}'", arg.at, hint)
    raise GuardError("TW090", "overlays are not run by this version", expression.at)


_ROOTS: dict[str, Callable[[Compiling, s.Call], Term]] = {"tools": _tools, "overlay": _overlay}
