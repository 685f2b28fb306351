"""Parses texts with `{{ expression | format: argument }}` and loops over lists. The core fills them in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from turnwise.flow.guard.parse import GuardError, parse
from turnwise.flow.guard.syntax import Expression, Name, walk
from turnwise.flow.late_pattern import late_pattern

_HOLE = late_pattern(r"\{\{(.*?)\}\}", re.DOTALL)


_FOR = late_pattern(r"\s*for\s+(?:([A-Za-z_]\w*)\s*,\s*)?([A-Za-z_]\w*)\s+in\s+(.*)", re.DOTALL)
_BAR = late_pattern(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|\|\||(?P<bar>\|)')
_FORMAT = late_pattern(
    r"""\s*(?P<name>\w+)\s*(?::\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<word>[\w-]+)))?\s*""", re.ASCII
)


class Format(Struct, frozen=True, gc=False):
    """The format of a value in a text: a name, and a style, currency or pattern."""

    name: str
    """The name of the format, such as `date`."""
    argument: str = ""
    """The style, currency or pattern; empty for the default."""
    is_pattern: bool = False
    """True if `argument` is a pattern."""
    at: int = 0
    """The index, from 0, of the format in the `{{ }}`."""


class TemplateExpression(Struct, frozen=True, gc=False):
    """An expression `{{ }}` in a text, with its place, its format, and whether the text needs its value. For a loop it
    is the list.
    """

    expression: Expression
    """The parsed expression; for a loop, its list."""
    at: int
    """The index, from 0, of the expression in the text."""
    format: Format | None = None
    """The format of the value; `None` for the default."""
    is_required: bool = False
    """True if the whole text is refused when the expression has no value."""
    loop: TemplateLoop | None = None
    """What is repeated for each item, if this is a loop; else `None`."""


class TemplateLoop(Struct, frozen=True, gc=False):
    """A loop in a text: what `{{ for item in list }}…{{ end }}` repeats for each item.
    `number` is the name of the position, from 1, as in `{{ for number, item in list }}`; empty if it has none.
    """

    item: str
    """The name of the loop variable for each item."""
    number: str = ""
    """The name of the variable with the item's position, from 1; empty if there is none."""
    parts: tuple[str | TemplateExpression, ...] = ()
    """The texts and expressions that are repeated."""


Part = str | TemplateExpression
"""A fixed text, or a hole."""
REQUIRED = "required"
"""The word in `{{ name | required }}`, by which a text is refused if the value is missing."""


def holes(parts: Iterable[Part], local: frozenset[str] = frozenset()) -> Iterator[TemplateExpression]:
    """Yield the expressions `{{ }}` of a template, also inside loops, without those that read a loop variable; `local`
    are the variables of loops around the parts.
    """
    for part in parts:
        if isinstance(part, str):
            continue
        if not local or not any(isinstance(one, Name) and one.name in local for one in walk(part.expression)):
            yield part
        if part.loop is not None:
            yield from holes(part.loop.parts, local | {part.loop.item, part.loop.number})


def parse_template(text: str, faults: list[GuardError] | None = None) -> tuple[str | TemplateExpression, ...]:
    """Return the fixed texts and the `{{ }}` of a template, in order.
    Problems go to `faults`, with places; without it the first is raised. What cannot be read is no part.
    """
    found: list[GuardError] = []
    parts: list[Part] = []
    loops: list[_OpenLoop] = []
    end = 0
    for hole in _HOLE.finditer(text):
        parts += [text[end : hole.start()]] if hole.start() > end else []
        opened = _FOR.fullmatch(hole.group(1))
        if opened is not None:
            loops.append(_OpenLoop(hole.start(1), opened[2], opened[1] or "", hole.start(1) + opened.start(3), parts))
            parts = []
            parts += _read(opened[3], loops[-1].list_at, found)[:1]
        elif hole.group(1).strip() == "end":
            parts = _ended(loops, parts, hole.start(1), found)
        else:
            parts += _read(hole.group(1), hole.start(1), found)
        end = hole.end()
    rest = text[end:]
    if "{{" in rest:
        found.append(_open(end + rest.index("{{")))
    elif rest:
        parts.append(rest)
    found += [GuardError("TW115", "this loop is never ended", one.at, "end it with '{{ end }}'") for one in loops]
    if found and faults is None:
        raise found[0]
    if faults is not None:
        faults += found
    return tuple(parts)


class _OpenLoop(NamedTuple):
    """A loop that is not ended yet: the names in it, its place and that of its list, and the parts before it."""

    at: int
    item: str
    number: str
    list_at: int
    before: list[Part]


def _ended(loops: list[_OpenLoop], parts: list[Part], at: int, faults: list[GuardError]) -> list[Part]:
    """Return the parts before a loop with the loop behind them; its list is the first of the parts in it."""
    if not loops:
        faults.append(
            GuardError("TW115", "this ends no loop", at, "a loop begins as in {{ for pizza in order.items }}")
        )
        return parts
    loop = loops.pop()
    head, inner = parts[:1], tuple(parts[1:])
    if not head or isinstance(head[0], str):
        return loop.before  # its list cannot be read, which is reported
    if head[0].format is not None:
        faults.append(GuardError("TW038", "the list of a loop has no format", loop.list_at))
    return [*loop.before, replace(head[0], loop=TemplateLoop(loop.item, loop.number, inner))]


def _read(inner: str, start: int, faults: list[GuardError]) -> list[TemplateExpression]:
    """Parse the hole around some text; one that is not closed ends where another begins."""
    try:
        bars = [found.start() for found in _BAR.finditer(inner) if found["bar"]]
        if not bars:
            return [TemplateExpression(parse(inner), start)]
        return [_with_formats(parse(inner[: bars[0]]), start, inner, bars)]
    except GuardError as error:
        _, opening, later = inner.rpartition("{{")
        if opening:
            faults.append(_open(start - 2))
            return _read(later, start + len(inner) - len(later), faults)
        message = error.message.replace("the guard ends", "the hole ends")
        faults.append(GuardError(error.code, message, start + error.at, error.hint))
        return []


def _with_formats(expression: Expression, start: int, inner: str, bars: list[int]) -> TemplateExpression:
    """Return the hole of an expression with what stands behind its bars: a format, `required`, or both."""
    formats = [read_format(inner[bar + 1 : end], bar + 1) for bar, end in pairwise([*bars, len(inner)])]
    is_required = any(one.name == REQUIRED for one in formats)
    kept = [one for one in formats if one.name != REQUIRED]
    wrong = next((one for one in formats if one.name == REQUIRED and one.argument), None)
    if wrong is not None:
        raise GuardError(
            "TW038", "'required' takes nothing behind a colon", wrong.at, "write {{ visit.day | required }}"
        )
    if len(kept) > 1 or len(kept) + is_required < len(formats):
        hint = "such as {{ visit.day | date: long | required }}"
        raise GuardError("TW038", "a value has one format, and is required once", formats[-1].at, hint)
    return TemplateExpression(expression, start, kept[0] if kept else None, is_required)


def read_format(text: str, at: int = 0) -> Format:
    """Return the format that is written after the bar in a `{{ }}`, or at a field. Raises `GuardError`."""
    found = _FORMAT.fullmatch(text)
    if found is None:
        hint = 'write {{ visit.day | date: long }} or {{ visit.day | date: "EEEE, d MMMM" }}'
        raise GuardError("TW038", f"'{text.strip()}' cannot be read as a format", at, hint)
    pattern = found["double"] if found["double"] is not None else found["single"]
    return Format(found["name"], pattern or found["word"] or "", bool(pattern), at + found.start("name"))


def _open(at: int) -> GuardError:
    return GuardError("TW037", "this '{{' is never closed", at, "close it with '}}'")
