"""Writes a YAML document in one layout: indentation, quotes and width. Order, comments, anchors, blank lines and braces
stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from turnwise.authoring.source import number_of
from turnwise.authoring.yaml_comments import Comment, Entry, Part, attach, comments_of
from turnwise.authoring.yaml_text import WIDTH, is_block_text, key_text, scalar_text

_DEEPEST = 3
"""So many brackets may stand around a value in one line."""
_FOLDED = re.compile(r">-?(?=\s|$)")
_WORDS = ("", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE")


def lay_out(text: str) -> tuple[str, list[Comment]]:
    """Return a YAML document in the canonical layout, and all its comments. Raises for a text that is no YAML."""
    events = [one for one in _parsed(text) if type(one).__name__ not in _FRAME]
    comments = list(comments_of(text, _scanned(text)))
    root, _ = _part(events, 0, None)
    rest = attach(text, comments, root)
    writer = _Writer(text.split("\n"))
    lines = writer.root(root)
    return "\n".join([*lines, *rest]).lstrip("\n") + "\n", comments


_FRAME = ("StreamStartEvent", "StreamEndEvent", "DocumentStartEvent", "DocumentEndEvent")


def _parsed(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    yield from YAML(typ="safe", pure=True).parse(text)  # pyright: ignore[reportUnknownMemberType]


def _scanned(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    yield from YAML(typ="safe", pure=True).scan(text)  # pyright: ignore[reportUnknownMemberType]


def _part(events: list[Any], at: int, entry: Entry | None) -> tuple[Part, int]:
    """Return the part that begins with an event, and the number of the event behind it."""
    part = Part(events[at], entry)
    is_mapping = type(part.event).__name__ == "MappingStartEvent"
    at += 1
    if not part.is_collection:
        return part, at
    while type(events[at]).__name__ not in ("MappingEndEvent", "SequenceEndEvent"):
        one = Entry(events[at] if is_mapping else None, part)
        one.value, at = _part(events, at + is_mapping, one)
        part.entries.append(one)
    if not part.is_block:
        part.end = events[at].end_mark
    elif part.entries:
        part.end = part.entries[-1].value.end
    return part, at + 1


class _Writer:
    """Writes the parts of one document; `source` are its lines."""

    def __init__(self, source: list[str]) -> None:
        self.source = source

    def root(self, part: Part) -> list[str]:
        """Return the lines of the whole document."""
        line = self.inline(part)
        is_one = not part.entries or (not part.is_block and self.is_flat(part) and len(line) <= WIDTH)
        return [line] if is_one else list(self.members(part, ""))

    def members(self, part: Part, pad: str) -> Iterator[str]:
        """Yield the lines of the entries of a mapping or list."""
        for one in part.entries:
            yield from (f"{pad}{line}" if line else "" for line in one.before)
            yield from self.entry(one, pad)
            yield from (f"{pad}{line}" for line in one.after)

    def entry(self, one: Entry, pad: str) -> Iterator[str]:
        """Yield the lines of an entry, without the comments around it."""
        opening = "-" if one.key is None else f"{self.key(one.key)}:"
        behind = f"  {one.behind}" if one.behind else ""
        if not one.value.is_collection:
            first, *others = self.scalar(one.value, f"{pad}  ")
            is_header = getattr(one.value.event, "style", None) in ("|", ">") or is_block_text(_text_of(one.value))
            lines = [f"{pad}{opening} {first}".rstrip(), *others]
            lines[0 if is_header else -1] += behind
            yield from lines
            return
        line = self.inline(one.value)
        fits = len(pad) + len(opening) + 1 + len(line) <= WIDTH and _depth(one.value) <= _DEEPEST
        if not one.value.entries or (not one.value.is_block and fits and self.is_flat(one.value)):
            yield f"{pad}{opening} {line}{behind}"
            return
        anchor = f" {_anchor(one.value)}".rstrip()
        if one.key is not None or anchor:
            yield f"{pad}{opening}{anchor}{behind}"
            yield from self.members(one.value, f"{pad}  ")
            return
        if behind:
            yield f"{pad}{one.behind}"
        first, *others = self.members(one.value, f"{pad}  ")
        yield f"{pad}- {first.removeprefix(f'{pad}  ')}"
        yield from others

    def is_flat(self, part: Part) -> bool:
        """Return whether a part may stand in one line: nothing in it has comments, or takes several lines."""
        if not part.is_collection:
            return len(self.scalar(part, "")) == 1
        return not part.has_comments and all(self.is_flat(one.value) for one in part.entries)

    def key(self, event: Any) -> str:
        """Return a key as it is written."""
        anchor = f"&{event.anchor} " if event.anchor and type(event).__name__ == "ScalarEvent" else ""
        return f"{anchor}{key_text(event.value)}" if type(event).__name__ == "ScalarEvent" else f"*{event.anchor} "

    def inline(self, part: Part) -> str:
        """Return a part in one line."""
        if not part.is_collection:
            return self.scalar(part, "", in_line=True)[0]
        inside = [self.inline_entry(one) for one in part.entries]
        is_mapping = type(part.event).__name__ == "MappingStartEvent"
        whole = f"{{{', '.join(inside)}}}" if is_mapping else f"[{', '.join(inside)}]"
        return f"{_anchor(part)} {whole}".lstrip()

    def inline_entry(self, one: Entry) -> str:
        """Return an entry in one line; a key that has no value in braces stays one, for its comma may be a mistake."""
        if one.key is None:
            return self.inline(one.value)
        value = one.value.event
        is_empty = type(value).__name__ == "ScalarEvent" and not (value.value or value.style or value.anchor)
        return self.key(one.key).rstrip() if is_empty else f"{self.key(one.key)}: {self.inline(one.value)}"

    def scalar(self, part: Part, pad: str, *, in_line: bool = False) -> list[str]:
        """Return a single value, each of its lines; all but the first are indented."""
        event = part.event
        if type(event).__name__ == "AliasEvent":
            return [f"*{event.anchor}"]
        anchor = f"{_anchor(part)} ".lstrip()
        lines = [] if in_line else self.kept(event)
        if lines:
            return [anchor + lines[0], *(f"{pad}{line}" if line else "" for line in lines[1:])]
        text = event.value
        if event.style is None and event.tag is None and (text in _WORDS or number_of(text) is not None):
            return [f"{anchor}{text or ('null' if in_line else '')}".rstrip()]
        if is_block_text(text) and not in_line:
            written = text.removesuffix("\n").split("\n")
            mark = "|" if text.endswith("\n") else "|-"
            return [anchor + mark, *(f"{pad}{line}" if line else "" for line in written)]
        return [anchor + scalar_text(text, in_line=in_line)]

    def kept(self, event: Any) -> list[str]:
        """Return the lines of a text that its author has broken where no end of a line is part of it."""
        begin: Any = event.start_mark
        end: Any = event.end_mark
        if begin.line == end.line or event.style == "|" or event.tag is not None or event.anchor:
            return []
        if event.style == ">":
            return self._folded(event)
        lines = [line.strip(" \t\r") for line in self.source[begin.line : end.line + 1]]
        lines[0] = self.source[int(begin.line)][int(begin.column) :].strip(" \t\r")
        lines[-1] = self.source[int(end.line)][: int(end.column)].strip(" \t\r")
        return lines if lines[0] and "\t" not in "".join(lines) else []

    def _folded(self, event: Any) -> list[str]:
        """Return the lines of a text behind `>`; none where its mark says more than that its end is left out."""
        begin, end = event.start_mark, event.end_mark
        found = _FOLDED.search(self.source[int(begin.line)], int(begin.column))
        lines = [line.rstrip() for line in self.source[begin.line + 1 : end.line + (end.column > 0)]]
        while lines and not lines[-1]:
            lines.pop()
        if found is None or not lines or not lines[0]:
            return []
        depth = len(lines[0]) - len(lines[0].lstrip(" "))
        return [found[0], *(line[depth:] for line in lines)]


def _anchor(part: Part) -> str:
    return f"&{part.event.anchor}" if part.event.anchor and type(part.event).__name__ != "AliasEvent" else ""


def _text_of(part: Part) -> str:
    return part.event.value if type(part.event).__name__ == "ScalarEvent" and part.event.style != ">" else ""


def _depth(part: Part) -> int:
    """Return how many brackets stand around the innermost value."""
    return 1 + max((_depth(one.value) for one in part.entries), default=0) if part.is_collection else 0
