"""Finds the comments of a YAML document, and the entry of a mapping or list to which each belongs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_HEADER = re.compile(r"[|>][-+0-9]*[ \t]+(#.*)")
_BLOCK = ("|", ">")


class Comment(NamedTuple):
    """A comment of a YAML document."""

    at: int
    """The offset of the comment's first character in the document, from 0."""
    line: int
    """The number of the comment's line, from 0."""
    column: int
    """The column of the comment's first character, from 0."""
    text: str
    """The comment with its mark."""
    is_alone: bool
    """True if no other text is in the comment's line."""


class Entry:
    """A pair of a mapping or an item of a list, with the comments and blank lines around it."""

    def __init__(self, key: Any, parent: Part | None) -> None:
        self.key = key
        """The event of the key; `None` for an item."""
        self.value: Part
        self.parent = parent
        self.before: list[str] = []
        """The comments before it, each in its line; an empty text is a blank line."""
        self.behind = ""
        """The comment at the end of its line."""
        self.after: list[str] = []

    @property
    def mark(self) -> Any:
        """The position at which the entry begins, as the YAML parser has it."""
        return (self.value.event if self.key is None else self.key).start_mark

    @property
    def column(self) -> int:
        """The column of the key, from 0; for an item of a list that of the list."""
        return self.mark.column if self.key is not None or self.parent is None else self.parent.event.start_mark.column

    def around(self) -> Iterator[Entry]:
        """Yield the entry, then the entries that contain it, the innermost first."""
        one: Entry | None = self
        while one is not None:
            yield one
            one = one.parent.entry if one.parent is not None else None


class Part:
    """A value: a scalar, an alias, a mapping or a list."""

    def __init__(self, event: Any, entry: Entry | None) -> None:
        self.event = event
        self.entry = entry
        self.entries: list[Entry] = []
        self.end: Any = event.end_mark
        """Where it ends; for a mapping or list in lines of its own that is where its last value ends."""

    @property
    def is_collection(self) -> bool:
        """True for a mapping or list."""
        return type(self.event).__name__ in ("MappingStartEvent", "SequenceStartEvent")

    @property
    def is_block(self) -> bool:
        """True for a mapping or list in block style, without braces or brackets."""
        return self.is_collection and not self.event.flow_style

    @property
    def has_comments(self) -> bool:
        """True if the value contains a comment."""
        return any(one.behind or one.after or any(one.before) or one.value.has_comments for one in self.entries)


def comments_of(text: str, tokens: Iterable[Any]) -> Iterator[Comment]:
    """Yield the comments of a document: those between its tokens, and those behind the `|` or `>` of a block text."""
    end = 0
    for token in tokens:
        yield from _between(text, end, token.start_mark.index)
        if getattr(token, "style", None) in _BLOCK:
            found = _HEADER.match(text, token.start_mark.index)
            if found is not None:
                yield _comment(text, found.start(1), found[1])
        end = max(end, token.end_mark.index)
    yield from _between(text, end, len(text))


def _between(text: str, begin: int, end: int) -> Iterator[Comment]:
    while (at := text.find("#", begin, end)) >= 0:
        stop = text.find("\n", at)
        begin = len(text) if stop < 0 else stop
        yield _comment(text, at, text[at:begin])


def _comment(text: str, at: int, written: str) -> Comment:
    line_begin = text.rfind("\n", 0, at) + 1
    is_alone = not text[line_begin:at].strip(" \t\ufeff")
    return Comment(at, text.count("\n", 0, at), at - line_begin, written.rstrip(), is_alone)


def attach(text: str, comments: Iterable[Comment], root: Part) -> list[str]:
    """Assign each comment, with the blank line before it, to the entry in the value `root` that the comment belongs to;
    return the texts of those that belong to none.
    """
    source = text.split("\n")
    entries = list(_entries(root))
    begins = [one.mark.index for one in entries]
    rest: list[str] = []
    for comment in comments:
        at = bisect_right(begins, comment.at)
        last, following = entries[at - 1] if at else None, entries[at] if at < len(entries) else None
        owner = None if comment.is_alone or last is None else _in_line(comment, last)
        lines = [*([""] if comment.is_alone and _is_after_blank(source, comment.line) else []), comment.text]
        if owner is not None and not owner.behind:
            owner.behind = comment.text
        elif comment.is_alone and (owner := _above(comment, last, following)) is not None:
            owner.after += lines
        elif following is not None:
            following.before += lines
        else:
            rest += lines
    for one in entries:
        line, column = int(one.mark.line), int(one.mark.column)
        if _is_after_blank(source, line) and not source[line][:column].strip(" -"):
            one.before.append("")
        is_first = one.parent is not None and one.parent.entries[0] is one
        if is_first and one.before[:1] == [""]:
            del one.before[0]
    return rest


def _is_after_blank(source: list[str], line: int) -> bool:
    return line > 0 and not source[line - 1].strip()


def _entries(part: Part) -> Iterator[Entry]:
    """Yield all entries in the order of the document."""
    for one in part.entries:
        yield one
        yield from _entries(one.value)


def _in_line(comment: Comment, last: Entry) -> Entry | None:
    """Return the entry behind which a comment stands: the outermost that ends in its line, else what begins there."""
    found: Entry | None = None
    for one in last.around():
        end = one.value.end
        is_header = getattr(one.value.event, "style", None) in _BLOCK and one.mark.line == comment.line
        ends_here = not one.value.is_block and end.line == comment.line and end.index <= comment.at
        found = one if ends_here or is_header else found
    return found or (last if last.mark.line == comment.line else None)


def _above(comment: Comment, last: Entry | None, following: Entry | None) -> Entry | None:
    """Return the entry after which a comment stands, rather than before the following one: that is so at the end of
    braces, and where it is indented deeper than what follows.
    """
    if last is None:
        return None
    for one in last.around():
        holder = one.parent
        if holder is not None and not holder.is_block and holder.entry is not None and holder.end.index > comment.at:
            is_inside = following is not None and following.mark.index < holder.end.index
            return None if is_inside else one
    if following is not None and comment.column <= following.column:
        return None
    return next((one for one in last.around() if one.column <= comment.column), None)
