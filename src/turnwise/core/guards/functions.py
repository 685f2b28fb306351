"""Compiles calls of guard functions, with their argument types, and of roots such as `tools.used(…)`.

`has` and the macros over lists are no functions: their arguments are not evaluated first, so `compile` reads them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from turnwise.core.guards import Env, calendar, hints, items, operators
from turnwise.core.guards import scope as roots
from turnwise.core.guards.logic import strict
from turnwise.core.guards.scope import Names, Reads, Term, evaluated_constant
from turnwise.core.guards.types import (
    ANSWERS,
    LIST_PREFIX,
    checked_converter,
    to_duration,
    type_words,
    value_text,
)
from turnwise.core.values.patterns import regex, regex_fault
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import GuardError, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.late_pattern import late_pattern

_WHOLE = late_pattern(r"[-+]?[0-9]{1,19}")
_NUMBER = late_pattern(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_WIDEST = 2**63
_BOOLS = {"true": True, "false": False}


def _to_int(value: Any) -> int:
    """Return a whole number of 64 bits: digits and a sign, a number without its fraction, true as 1."""
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


_TEXTS: dict[str, tuple[tuple[str, ...], str, Callable[..., Any]]] = {
    "contains": (("string", "string"), "bool", operator.contains),
    "startsWith": (("string", "string"), "bool", str.startswith),
    "endsWith": (("string", "string"), "bool", str.endswith),
    "lower": (("string",), "string", str.casefold),
}
"""Functions of texts: the types of all arguments, the type of the result, the function."""
_CONVERSIONS: dict[str, tuple[tuple[str, ...], str, Callable[[Any], Any]]] = {
    "int": (("int", "double", "string", "bool"), "int", _to_int),
    "double": (("int", "double", "string"), "double", _to_double),
    "string": (("int", "double", "string", "bool", "date", "time", "timestamp", "duration"), "string", value_text),
    "bool": (("bool", "string"), "bool", lambda value: _BOOLS[value] if isinstance(value, str) else value),
    "duration": (("string", "duration"), "duration", lambda v: to_duration(v) if isinstance(v, str) else v),
}
"""Conversions: the types of which the one argument has one, the type of the result, the function."""
_MACROS = ("has", *s.MACROS)
_OTHERS = ("default", "size", "matches", "visits", *items.AGGREGATES)
FUNCTIONS = (*_MACROS, *_OTHERS, *_TEXTS, *_CONVERSIONS, *calendar.FUNCTION_NAMES)
"""The names of all functions of guards."""


def call(names: Names, reads: Reads, expression: s.Call, compile_term: Callable[[s.Expression], Term]) -> Term:
    """Compile a call, `f(x)` or `x.f()`, to a term; `compile_term` compiles each argument. Raises `GuardError`."""
    name, of, at = expression.name, expression.of, expression.at
    if of == s.Name("tools"):
        return _tools(names, reads, expression)
    if of == s.Name("overlay"):
        return _overlay(names, reads, expression)
    if name == "visits" and of is None:
        return _visits(names, reads, expression)
    if expression.named:
        raise GuardError("TW032", f"{name}() has no argument '{expression.named[0][0]}'", at)
    args = [compile_term(arg) for arg in ((of,) if of is not None else ()) + expression.args]
    quotes_value = not reads_secret(names, expression)
    if name in calendar.FUNCTION_NAMES:
        return calendar.call(reads, name, args, at, quotes_value=quotes_value)
    return _function(name, args, at, quotes_value=quotes_value)


def _function(name: str, args: list[Term], at: int, *, quotes_value: bool) -> Term:
    match name:
        case s.ITEM_ACCESS:
            return items.element_access(args[0], args[1], at)
        case _ if name in items.AGGREGATES:
            return items.aggregate(name, args, at)
        case "default":
            return _default(args, at)
        case "matches":
            return _matches(args, at)
        case "size":
            if len(args) != 1 or not (
                args[0].type in ("string", "dyn", ANSWERS) or args[0].type.startswith(LIST_PREFIX)
            ):
                raise GuardError("TW032", "size() takes a text, a list or a map of answers", at)
            return Term("int", strict(checked_converter(len, "int"), args[0].run))
        case _ if name in _CONVERSIONS:
            return _converted(name, args, at, quotes_value=quotes_value)
        case _ if name in _TEXTS:
            kinds, result, function = _TEXTS[name]
            _check(name, kinds, args, at)
            return Term(result, strict(checked_converter(function, result), *[arg.run for arg in args]))
        case _:
            hint = hints.of_function(name, FUNCTIONS, roots.ROOTS)
            raise GuardError("TW031", f"there is no function '{name}'", at, hint)


def reads_secret(names: Names, expression: s.Expression) -> bool:
    """Return whether an expression uses the value of a secret field; testing whether the field has a value does not
    count. What comes out of such an expression must not be shown.
    """
    match expression:
        case s.Call(name="has", of=None):
            return False
        case s.Select(of=s.Name(name=record), name=name):
            field, root = names.records.get(record, {}).get(name), names.roots.get(f"{record}.{name}")
            return (field is not None and field.secret) or (root is not None and root.is_secret)
        case _:
            return any(reads_secret(names, part) for part in s.parts_of(expression))


def _check(name: str, kinds: tuple[str, ...], args: list[Term], at: int) -> None:
    if len(args) != len(kinds):
        count = "1 argument" if len(kinds) == 1 else f"{len(kinds)} arguments"
        raise GuardError("TW032", f"{name}() takes {count}, this has {len(args)}", at)
    for kind, arg in zip(kinds, args, strict=True):
        if arg.type not in (kind, "dyn"):
            hint = "use 'in' for lists" if arg.type.startswith(LIST_PREFIX) and name == "contains" else ""
            raise GuardError("TW032", f"{name}() takes {type_words(kind)}, this is {type_words(arg.type)}", at, hint)


def _default(args: list[Term], at: int) -> Term:
    """Compile `default(x, y)`: x, or y if x is missing. An error in x stays an error."""
    if len(args) != 2:
        raise GuardError("TW032", f"default() takes 2 arguments, this has {len(args)}", at)
    value, fallback, kind = operators.unified_branches(args[0], args[1], at)
    if kind == "null" or (fallback.is_constant and fallback.constant is None):
        raise GuardError("TW032", "default() needs a value to use where the first one is missing", at)
    run, run_fallback = value.run, fallback.run

    def run_default(env: Env) -> Any:
        found = run(env)
        return run_fallback(env) if found is None else found

    return Term(kind, run_default)


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

    return Term("bool", strict(checked_converter(matches, "bool"), args[0].run))


def _converted(name: str, args: list[Term], at: int, *, quotes_value: bool) -> Term:
    kinds, result, function = _CONVERSIONS[name]
    if len(args) != 1:
        raise GuardError("TW032", f"{name}() takes 1 argument, this has {len(args)}", at)
    if args[0].type not in (*kinds, "dyn"):
        raise GuardError("TW032", f"{name}() does not take {type_words(args[0].type)}", at)
    term = Term(result, strict(checked_converter(function, result, quotes_value=quotes_value), args[0].run))
    return evaluated_constant(term, at) if args[0].is_constant else term


# roots that are functions ------------------------------------------------------------------------


def _tools(names: Names, reads: Reads, expression: s.Call) -> Term:
    """Compile `tools.used(t)`, `tools.used(t, within: n)`, `tools.count(t)` or `tools.ended_with([..])`."""
    name = expression.name
    if name not in ("used", "count", "ended_with"):
        hint = nearest(name, ["used", "count", "ended_with", "last"])
        raise GuardError("TW031", f"tools has no '{name}()'", expression.at, hint)
    if len(expression.args) != 1:
        raise GuardError("TW032", f"tools.{name}() takes one argument", expression.at)
    key, arg = text_of(expression), expression.args[0]
    if name == "ended_with":
        pattern = pattern_of(names, arg)
        return reads.root(key, "bool", lambda state: roots.ended_with(state.frame.tools, pattern))
    tool = _tool_name(names, arg)
    within = within_of(expression)
    if name == "count":
        return reads.root(key, "int", lambda state: state.frame.tools.counts.get(tool, 0))
    return reads.root(key, "bool", lambda state: roots.was_used(state.frame.tools, tool, within))


def _tool_name(names: Names, expression: s.Expression) -> str:
    if not isinstance(expression, s.Literal) or not isinstance(expression.value, str):
        raise GuardError("TW032", "the tool must be named by a constant text", expression.at)
    if not names.is_open and expression.value not in names.tools:
        hint = nearest(expression.value, names.tools)
        raise GuardError("TW021", f"no tool is called '{expression.value}'", expression.at, hint)
    return expression.value


def within_of(expression: s.Call) -> int | None:
    """Return how many of the latest tool uses a `tools.used` considers (`within`); `None` for all."""
    known = ("within",) if expression.name == "used" else ()
    found: int | None = None
    for key, value in expression.named:
        if key not in known:
            hint = nearest(key, known)
            raise GuardError("TW032", f"{expression.name}() has no argument '{key}'", value.at, hint)
        number = value.value if isinstance(value, s.Literal) else None
        if type(number) is not int or not 1 <= number <= roots.SEQUENCE_LONGEST:
            raise GuardError("TW044", f"within: takes a number from 1 to {roots.SEQUENCE_LONGEST}", value.at)
        found = number if found is None else found
    return found


def pattern_of(names: Names, expression: s.Expression) -> roots.Pattern:
    """Return the sequence of tool uses that a `tools.ended_with` looks for."""
    positions = expression.items if isinstance(expression, s.Sequence) else ()
    if not positions:
        raise GuardError("TW032", "tools.ended_with() takes a list of tools", expression.at)
    if len(positions) > roots.SEQUENCE_LONGEST:
        message = f"a sequence of {len(positions)} is longer than the {roots.SEQUENCE_LONGEST} uses that are kept"
        raise GuardError("TW044", message, expression.at)
    found: list[tuple[str, ...]] = []
    for position in positions:
        tools = position.items if isinstance(position, s.Sequence) else (position,)
        is_blank = [isinstance(tool, s.Literal) and tool.value == "" for tool in tools]
        filled = [_tool_name(names, tool) for tool, blank in zip(tools, is_blank, strict=True) if not blank]
        found.append((*filled, *[""] * sum(is_blank)))
    return tuple(found)


def _visits(names: Names, reads: Reads, expression: s.Call) -> Term:
    arg = expression.args[0] if len(expression.args) == 1 else None
    if not isinstance(arg, s.Literal) or not isinstance(arg.value, str):
        raise GuardError("TW032", 'visits() takes the name of a node, as in visits("intro")', expression.at)
    node = arg.value
    if not names.is_open and node not in names.nodes:
        raise GuardError("TW023", f"no node is called '{node}'", arg.at, nearest(node, names.nodes))
    address = names.node(node)
    return reads.root(f'visits("{address}")', "int", lambda state: state.frame.visits.get(address, 0))


def _overlay(names: Names, reads: Reads, expression: s.Call) -> Term:
    """Compile `overlay.active("name")`: true while the overlay is active."""
    arg = expression.args[0] if expression.name == "active" and len(expression.args) == 1 else None
    if not isinstance(arg, s.Literal) or not isinstance(arg.value, str) or expression.named:
        raise GuardError("TW032", 'an overlay is asked for as overlay.active("name")', expression.at)
    name = arg.value
    if not names.is_open and name not in names.overlays:
        raise GuardError("TW022", f"no overlay is called '{name}'", arg.at, nearest(name, names.overlays))
    return reads.root(
        text_of(expression), "bool", lambda state: state.overlays is not None and name in state.overlays.active
    )
