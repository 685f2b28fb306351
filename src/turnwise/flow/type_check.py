"""Checks the types of the values in a flow that a program made, by the declared kinds of its keys.

A value of a wrong kind is reported at its place in the program, and its default replaces it: one mistake hides no
other. A flow that was read from a document is in shape, and is not checked again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, cast

from turnwise.flow import kinds as s
from turnwise.flow.code import PythonGuard
from turnwise.flow.converters import part_of, without_subclass
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span, nearest_name, problem
from turnwise.flow.frozen import make
from turnwise.flow.hints import of_argument, of_when
from turnwise.flow.model import Condition, Flow
from turnwise.flow.model.tools import PythonTool
from turnwise.flow.read import ReadResult
from turnwise.flow.shapes import SHAPE_OF, SHAPES


def check_types(flow: Flow) -> ReadResult:
    """Return a flow without the values that have a wrong type, and a diagnostic for each of them."""
    if flow.__class__ is Flow and flow.is_read:
        return ReadResult(flow, [])
    checker = _TypeChecker()
    checked = checker.part(flow, getattr(flow, "span", NOWHERE))
    return ReadResult(Flow("_", span=NOWHERE) if checked is _WRONG else checked, checker.diagnostics)


MAX_DEPTH = 64
"""How deep the parts of a flow may be nested."""


class _Wrong:
    """Stands for a value of a wrong kind."""


_WRONG = _Wrong()


class _TypeChecker:
    """The check of one flow: its diagnostics, and the parts that are checked already."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.checked: set[int] = set()
        self.of_subclasses: dict[int, Any] = {}
        self.depth = 0

    def wrong(self, what: str, value: Any, expected: str, span: Span, hint: str = "") -> Any:
        """Report a value of a wrong kind; `what` is the argument that it was given to."""
        self.diagnostics.append(problem("TW011", f"'{what}' is {shown_value(value)}, expected {expected}", span, hint))
        return _WRONG

    def part(self, part: Any, around: Span) -> Any:
        """Return a part of the flow, the same object where nothing in it is wrong."""
        if self.depth >= MAX_DEPTH:
            self.diagnostics.append(problem("TW004", f"nested more than {MAX_DEPTH} deep", around))
            return _WRONG
        if part.__class__ not in SHAPE_OF:
            part = self.of_model(part, around)
            if part is _WRONG:
                return _WRONG
        self.depth += 1
        kept = self.attributes(part, around)
        self.depth -= 1
        return kept

    def of_model(self, part: Any, around: Span) -> Any:
        """Return a part of a class that the program derived from one of the model as an object of the model's class."""
        if id(part) not in self.of_subclasses:
            try:
                self.of_subclasses[id(part)] = without_subclass(part)
            except TypeError as error:
                span = getattr(part, "span", None) or around
                self.diagnostics.append(problem("TW011", str(error), span))
                self.of_subclasses[id(part)] = _WRONG
        return self.of_subclasses[id(part)]

    def attributes(self, part: Any, around: Span) -> Any:
        """Return a part whose attributes are all of the right kind."""
        of: type[Any] = part.__class__
        shape = SHAPE_OF[of]
        span = getattr(part, "span", None) or around
        self.beside(part, span)
        changed: dict[str, Any] = {}
        if not isinstance(getattr(part, "name", ""), str):
            self.wrong("name", part.name, "a text", span.of("name"))
            changed["name"] = "_"
        for key, attribute, kind, default in shape.written:
            value = getattr(part, attribute)
            if value is default or attribute in changed or (default == "" and value.__class__ is str and not value):
                continue
            found = self.value(kind, value, span, key, attribute)
            if found is _WRONG:
                found = () if isinstance(kind, s.Many) else "" if default is MISSING else default
            if found is not value:
                changed[attribute] = found
        names = [one.name for one in fields(of) if one.init]
        return make(of, **({name: getattr(part, name) for name in names} | changed)) if changed else part

    def beside(self, part: Any, span: Span) -> None:
        """Check what lies beside the data of a part, once for each part: functions, and faults of its construction."""
        if id(part) in self.checked:
            return
        self.checked.add(id(part))
        self.diagnostics += getattr(part, "faults", ())
        for moment, number, value in getattr(part, "strays", ()):
            self.item(s.Object("Transition"), value, span, f"{moment}.{number}", f"{moment}[{number}]")
        code: Any = getattr(part, "code", ())
        for number, one in enumerate(cast("tuple[Any, ...]", code) if isinstance(code, tuple) else (code,)):
            if not isinstance(one, PythonGuard | PythonTool):
                self.wrong(f"code[{number}]", one, "a function", span.of(f"code.{number}"))

    def value(self, kind: s.Kind, value: Any, span: Span, key: str, what: str) -> Any:
        """Return a value of a kind, or `_WRONG`."""
        match kind:
            case s.Many(of):
                return self.many(of, value, span, key, what)
            case s.Named(name):
                return self.many(s.Object(name), value, span, key, what)
            case s.Object(name):
                return self.inner(name, value, span, key, what)
            case s.Table(of):
                return self.table(of, value, span, key, what)
            case s.OneOf(words):
                is_name = isinstance(kind, s.WordOrName) and isinstance(value, str) and s.PATH.allows(value)
                is_known = is_name or (isinstance(value, str) and value in words)
                return value if is_known else self.unknown_word(words, value, span.of(key), what)
            case s.When():
                return self.when(value, span, key, what)
            case _:
                return self.single(kind, value, span, key, what)

    def single(self, kind: s.Kind, value: Any, span: Span, key: str, what: str) -> Any:
        """Return a value without parts, or `_WRONG`."""
        expected = _expected(kind, value)
        if not expected:
            return value
        span = span.of(key)
        if isinstance(kind, s.Name) and isinstance(value, str):
            message = f"'{what}' is {shown_value(value)}, which is no name"
            self.diagnostics.append(problem("TW016", message, span, kind.rule.hint))
            return _WRONG
        return self.wrong(what, value, expected, span)

    def many(self, of: s.Kind, value: Any, span: Span, key: str, what: str) -> Any:
        """Return a list without its items of a wrong kind."""
        if not isinstance(value, tuple):
            return self.wrong(what, value, "a list", span.of(key))
        items = cast("tuple[Any, ...]", value)
        kept = [self.item(of, item, span, f"{key}.{n}", f"{what}[{n}]") for n, item in enumerate(items)]
        if all(a is b for a, b in zip(items, kept, strict=True)):
            return items
        return tuple([item for item in kept if item is not _WRONG])

    def item(self, of: s.Kind, value: Any, span: Span, key: str, what: str) -> Any:
        """Return an item of a list, which must not be `None`."""
        if value is None and isinstance(of, s.Object):
            return self.wrong(what, value, f"a tw.{of.shape}", span.of(key))
        return self.value(of, value, span, key, what)

    def inner(self, name: str, value: Any, span: Span, key: str, what: str) -> Any:
        """Return a part of the class that belongs here."""
        of = SHAPES[name].of
        if isinstance(value, of):
            return self.part(value, getattr(value, "span", None) or span.of(key))
        return self.wrong(what, value, f"a tw.{name}", span.of(key), of_argument(of, value))

    def table(self, of: s.Kind, value: Any, span: Span, key: str, what: str) -> Any:
        """Return a mapping from texts to values of a kind, without its wrong entries."""
        if not isinstance(value, Mapping):
            return self.wrong(what, value, "a mapping", span.of(key))
        entries = cast("Mapping[Any, Any]", value)
        kept: dict[str, Any] = {}
        for name, item in entries.items():
            if not isinstance(name, str):
                self.wrong(f"{what}: a key", name, "a text", span.of(key))
                continue
            found = self.value(of, item, span, f"{key}.{name}", f"{what}[{name!r}]")
            if found is not _WRONG:
                kept[name] = found
        same = len(kept) == len(entries) and all(kept[name] is item for name, item in entries.items())
        return entries if same else kept

    def unknown_word(self, words: tuple[str, ...], value: Any, span: Span, what: str) -> Any:
        """Report a value that is none of some words."""
        known = [word for word in words if word]
        found = nearest_name(value, known) if isinstance(value, str) else ""
        hint = f"did you mean '{found}'?" if found else ""
        message = f"'{what}' is {shown_value(value)}, which is not one of {', '.join(known)}"
        self.diagnostics.append(problem("TW014", message, span, hint))
        return _WRONG

    def when(self, value: Any, span: Span, key: str, what: str) -> Any:
        """Return a guard: its text, or condition objects."""
        if isinstance(value, str):
            return value
        if not isinstance(value, tuple):
            hint = "a function is given as guard=" if callable(value) else ""
            return self.wrong(what, value, "a guard, or a list of condition objects", span.of(key), hint)
        items = cast("tuple[Any, ...]", value)
        for number, item in enumerate(items):
            if not isinstance(item, Condition):
                self.wrong(f"{what}[{number}]", item, "a tw.Condition", span.of(f"{key}.{number}"), of_when(item))
                return _WRONG
            if not (isinstance(item.type, str) and isinstance(item.value, str)):  # pyright: ignore[reportUnnecessaryIsInstance]
                self.wrong(f"{what}[{number}]", (item.type, item.value), "texts", span.of(f"{key}.{number}"))
                return _WRONG
        return items


def _expected(kind: s.Kind, value: Any) -> str:
    """Return the expected kind of a value in words, empty if the value has it."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match kind:
        case s.Text() | s.FunctionName():
            return "" if isinstance(value, str) else "a text"
        case s.Name(rule):
            is_name = isinstance(value, str) and rule.allows(value)
            return "" if is_name else f"a name: {rule.hint}"
        case s.Integer(least):
            is_whole = is_number and isinstance(value, int) and value >= least
            return "" if is_whole else f"a whole number of {least} or more"
        case s.Number(least, most):
            return "" if is_number and least <= value <= most else s.number_between(kind)
        case s.Flag():
            return "" if isinstance(value, bool) else "True or False"
        case s.Duration():
            is_span = is_number and math.isfinite(value) and value >= 0
            return "" if is_span else "a time span, such as '30m', a timedelta, or a number of seconds"
        case s.Bound():
            is_bound = (is_number and math.isfinite(value)) or (isinstance(value, str) and value)
            return "" if is_bound else "a number, or a date or time"
        case _:
            return "" if _is_data(value) else "JSON data"


def _is_data(value: Any) -> bool:
    match value:
        case None | bool() | int() | str():
            return True
        case float():
            return math.isfinite(value)
        case list() | tuple():
            return all(_is_data(item) for item in cast("list[Any]", value))
        case Mapping():
            entries = cast("Mapping[Any, Any]", value).items()
            return all(isinstance(key, str) and _is_data(item) for key, item in entries)
        case _:
            return False


_LONGEST = 60


def shown_value(value: Any) -> str:
    """Return a value as short text for a message."""
    part = part_of(value)
    if part.__class__ in SHAPE_OF:
        return f"a tw.{part.__class__.__name__}"
    if isinstance(value, PythonGuard):
        return f"the guard {value.name}"
    if callable(value) and getattr(value, "__name__", ""):
        return f"the {'class' if isinstance(value, type) else 'function'} {value.__name__}"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  the value is the author's, and its text is its own code
        text = f"of the type {type(value).__name__}"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
