"""Writes records as Python classes, and values as formatted Python expressions."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel

from turnwise.authoring.records import snake_case
from turnwise.flow.model import Condition, Field, Record

WIDTH = 88
"""How many columns a line may have; a wide character takes two of them, a combining one takes none."""


@dataclass(frozen=True, slots=True)
class CodeText:
    """Python source that is written unchanged: a name, a number."""

    text: str
    """The source of the expression."""


@dataclass(frozen=True, slots=True)
class CallText:
    """A call of a function or class in Python source."""

    head: str
    """The source of the function or class that is called."""
    arguments: tuple[tuple[str, Expression], ...]
    """The name and value of each argument, in order; the name of a positional argument is empty."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list in Python source."""

    items: tuple[Expression, ...]
    """The items of the list."""


@dataclass(frozen=True, slots=True)
class Entries:
    """A dict in Python source."""

    entries: tuple[tuple[str, Expression], ...]
    """The keys and values of the dict, in order."""


Expression = str | CodeText | CallText | Items | Entries
"""An expression of Python source; a bare `str` is a text that is to be quoted."""


def literal_of(value: Any) -> Expression:
    """Convert JSON data to an expression."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value).items()
        return Entries(tuple([(str(key), literal_of(one)) for key, one in entries]))
    if isinstance(value, list | tuple):
        return Items(tuple([literal_of(one) for one in cast("list[Any]", value)]))
    return CodeText(repr(value).replace("e+", "e"))


def expression_text(expression: Expression, pad: str = "", before: int = 0, after: int = 0) -> str:
    """Return the Python source of an expression, on several lines if it is longer than a line may be. `before` and
    `after` count the characters around it in its line, `pad` is the indentation.
    """
    flat = _flat(expression)
    if before + width_of(flat) + after <= WIDTH:
        return flat
    inner = pad + "    "
    match expression:
        case str():
            return _lines(expression, pad, inner)
        case CodeText():
            return flat
        case CallText(head, arguments):
            parts = [(f"{name}=" if name else "", value) for name, value in arguments]
            return _broken(f"{head}(", parts, ")", pad)
        case Items(items):
            return _broken("[", [("", item) for item in items], "]", pad)
        case Entries(entries):
            return _broken("{", [(f"{quoted_text(key)}: ", value) for key, value in entries], "}", pad)


def _broken(opening: str, parts: list[tuple[str, Expression]], closing: str, pad: str) -> str:
    """Write each part on its own line."""
    if not parts:
        return opening + closing
    inner = pad + "    "
    lines = [f"{inner}{name}{expression_text(value, inner, len(inner) + width_of(name), 1)}," for name, value in parts]
    return "\n".join([opening, *lines, pad + closing])


def _lines(text: str, pad: str, inner: str) -> str:
    """Write a text of several lines, each in its own quotes."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2 or any(line.rstrip("\n").splitlines() not in ([line.rstrip("\n")], []) for line in lines):
        return quoted_text(text)
    return "\n".join(["(", *[inner + quoted_text(line) for line in lines], pad + ")"])


def _flat(expression: Expression) -> str:
    match expression:
        case str():
            return quoted_text(expression)
        case CodeText(text):
            return text
        case CallText(head, arguments):
            parts = [f"{name}={_flat(value)}" if name else _flat(value) for name, value in arguments]
            return f"{head}({', '.join(parts)})"
        case Items(items):
            return f"[{', '.join(map(_flat, items))}]"
        case Entries(entries):
            return "{" + ", ".join([f"{quoted_text(key)}: {_flat(value)}" for key, value in entries]) + "}"


def width_of(text: str) -> int:
    """Return how many columns a text fills in a line; wide characters fill two."""
    if text.isascii():
        return len(text)
    wide = sum([unicodedata.east_asian_width(char) in "WF" for char in text])
    return len(text) + wide - sum([unicodedata.category(char) in ("Mn", "Me", "Cf") for char in text])


_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted_text(text: str) -> str:
    """Return the Python source of a text: in double quotes, unless single quotes need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join([_escaped(char, quote) for char in text]) + quote


def _escaped(char: str, quote: str) -> str:
    if char == quote:
        return "\\" + char
    if char in _ESCAPES:
        return _ESCAPES[char]
    return char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode()


_TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "date": "date",
    "time": "time",
    "datetime": "datetime",
    "duration": "timedelta",
}
_IMPORTED = ("date", "time", "datetime", "timedelta")
_RESERVED = {*_TYPES.values(), "list", "Literal", "None", "tw", *dir(BaseModel), "model_config"}
"""Names that mean something else in the body of a class."""


@dataclass(frozen=True, slots=True)
class Class:
    """A record as the source of a Python class."""

    record: Record
    """The record that the class declares."""
    name: str
    """The name of the class."""
    text: str
    """The source of the class."""
    imports: tuple[str, ...]
    """The import lines that the source needs."""


def class_of(record: Record, taken: Container[str]) -> Class | None:
    """Return a record as a class; `None` if no class can express it. `taken` are names that are in use."""
    names = [field.name for field in record.fields]
    if not names or len(set(names)) < len(names) or not all(map(_is_plain, names)):
        return None
    name = "".join(part[:1].upper() + part[1:] for part in re.split(r"[_.]", record.name))
    if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name) or name in taken or name in _RESERVED:
        return None
    lines = [_line(field) for field in record.fields]
    if None in lines or any(field.optional for field in record.fields):
        return None
    named = "" if snake_case(name) == record.name else f', name="{record.name}"'
    body = "\n".join(f"    {line}" for line in lines if line is not None)
    return Class(record, name, f"class {name}(tw.Record{named}):\n{body}", _imports(record))


def _is_plain(name: str) -> bool:
    is_name = name.isidentifier() and name.isascii() and not keyword.iskeyword(name)
    return is_name and not name.startswith("_") and name not in _RESERVED


def _imports(record: Record) -> tuple[str, ...]:
    types = {_annotation(field) for field in record.fields}
    found = [f"from datetime import {name}" for name in _IMPORTED if types & {name, f"list[{name}]"}]
    if any("Literal[" in one for one in types):
        found.append("from typing import Literal")
    return tuple(found)


def _options(field: Field) -> str:
    """Return the options as a type, empty if a `Literal` cannot express them."""
    values = [option.value for option in field.options]
    if not values or any(option.words for option in field.options) or len(set(values)) < len(values):
        return ""
    if not all(value.isprintable() and '"' not in value and "\\" not in value for value in values):
        return ""
    return "Literal[" + ", ".join(f'"{value}"' for value in values) + "]"


def _annotation(field: Field) -> str:
    """Return the type of a field as an annotation; `str` where `tw.field(type=…)` adds the rest."""
    if field.type == "choice":
        return _options(field) or "str"
    if field.type == "list":
        if field.options and field.of is None:
            return f"list[{_options(field)}]" if _options(field) else ""
        inner = _TYPES.get(field.of or "", "")
        return "list" if field.of is None else f"list[{inner}]" if inner else ""
    return _TYPES.get(field.type, "str")


def _line(field: Field) -> str | None:
    """Return the line that declares a field, `None` if no line can."""
    annotation = _annotation(field)
    if (
        not annotation
        or field.options_from is not None
        or field.default == []
        or (field.of is not None and field.type != "list")
    ):
        return None
    arguments = _arguments(field, annotation)
    head = f"{field.name}: {annotation} | None = "
    if not arguments:
        return head + "None"
    return head + expression_text(CallText("tw.field", tuple(arguments)), "    ", len(head) + 4)


def _arguments(field: Field, annotation: str) -> list[tuple[str, Expression]]:
    """Return the arguments of `tw.field` for the properties that the annotation does not express."""
    arguments: list[tuple[str, Expression]] = []
    if field.default is not None:
        arguments.append(("", literal_of(field.default)))
    arguments += [("type", field.type)] if field.type not in _TYPES and annotation == "str" else []
    if field.options and "Literal" not in annotation:
        arguments.append(("options", Items(tuple([_option(one) for one in field.options]))))
    arguments += [
        (name, literal_of(value)) for name, value in (("ge", field.min), ("le", field.max)) if value is not None
    ]
    texts = {"pattern": field.pattern, "about": field.about, "title": field.title, "format": field.format}
    texts["value"] = field.value
    arguments += [(name, value) for name, value in texts.items() if value]
    arguments += [(name, CodeText("True")) for name in ("secret", "names") if getattr(field, name)]
    if field.validate != "":
        arguments.append(("validate", guard_text(field.validate)))
    return [*arguments, ("refuse", field.refuse)] if field.refuse else arguments


def _option(option: Any) -> Expression:
    words = (("", literal_of(option.words)),) if option.words else ()
    return CallText("tw.Option", (("", option.value), *words)) if words else option.value


def guard_text(guard: str | tuple[Condition, ...]) -> Expression:
    """Return a guard as a Python expression: its text, or its conditions as calls."""
    if isinstance(guard, str):
        return guard
    return Items(tuple([_condition(one) for one in guard]))


def _condition(one: Condition) -> Expression:
    window = (("window", literal_of(one.window)),) if one.window is not None else ()
    value = (("", one.value),) if one.value else ()
    about = (("description", one.description),) if one.description else ()
    return CallText("tw.Condition", (("", one.type), *value, *window, *about))
