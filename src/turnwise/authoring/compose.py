"""YAML 1.2 or JSON text as a located tree: bounded in depth and in parts, aliases resolved.

It is built from the parser's events without recursion, so that no document can exhaust the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.located import Items, Located, Pairs, Scalar, Style

MAX_DEPTH = 64
MAX_PARTS = 100_000

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_LONGEST_NUMBER = 40
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Refused(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


def compose(text: str, file: str = "") -> Located | Diagnostic:
    """The tree of a document, or the first thing that keeps it from being one."""
    if file.endswith(".json"):
        text = text.replace("\t", " ")  # YAML has no tabs between tokens; inside JSON strings they are escaped
    try:
        return _Composer(file).compose(_events(text, file))
    except _Refused as refused:
        return refused.diagnostic


def _events(text: str, file: str) -> Iterator[Any]:
    """The parser's events; what the parser raises becomes a diagnostic."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    try:
        yield from YAML(typ="safe", pure=True).parse(text)  # pyright: ignore[reportUnknownMemberType]
    except ReaderError as error:
        before = text[: error.position]
        span = Span(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise _Refused(problem("TW003", f"the character {_shown(error.character)} is not allowed here", span)) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        span = Span(file, mark.line + 1, mark.column + 1) if mark else Span(file)
        parts = [part for part in (error.problem, error.context) if part]
        raise _Refused(problem("TW003", "; ".join(parts) or "this is not YAML", span)) from None
    except (YAMLError, ValueError) as error:
        raise _Refused(problem("TW003", f"this is not YAML: {error}", Span(file))) from None


class _Composer:
    """One document in the making: the open collections, the anchors, and how many parts there are."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Located, int] | None] = {}
        self.parts = 0
        self.root: Located | None = None

    def compose(self, events: Iterator[Any]) -> Located:
        from ruamel.yaml import events as e

        documents = 0
        for event in events:
            kind = type(event)
            if kind is e.ScalarEvent:
                self.add(self.scalar(event), event, 1)
            elif kind is e.MappingStartEvent or kind is e.SequenceStartEvent:
                self.start(event, is_mapping=kind is e.MappingStartEvent)
            elif kind is e.MappingEndEvent or kind is e.SequenceEndEvent:
                self.end()
            elif kind is e.AliasEvent:
                self.alias(event)
            elif kind is e.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self.refuse("TW003", "a second document begins here; one file holds one", event)
        if self.root is None or (isinstance(self.root, Scalar) and self.root.value is None):
            raise _Refused(problem("TW007", "there is nothing in it", Span(self.file, 1, 1)))
        return self.root

    def start(self, event: Any, *, is_mapping: bool) -> None:
        if len(self.open) >= MAX_DEPTH:
            self.refuse("TW004", f"nested more than {MAX_DEPTH} deep", event)
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        tree = Pairs([], line, column, bool(event.flow_style)) if is_mapping else Items([], line, column)
        self.open.append(_Open(tree, event, self.parts))
        if event.anchor:
            self.anchors[event.anchor] = None

    def end(self) -> None:
        opened = self.open.pop()
        self.add(opened.tree, opened.event, self.parts - opened.parts_before + 1, counted=True)

    def alias(self, event: Any) -> None:
        anchored = self.anchors.get(event.anchor, ())
        if anchored == ():
            self.refuse("TW003", f"no part is anchored as &{event.anchor}", event)
        if anchored is None:
            self.refuse("TW005", f"*{event.anchor} stands inside the part that it names", event)
        assert anchored
        tree, size = anchored
        self.parts += size - 1
        self.add(tree, event, 1)

    def add(self, tree: Located, event: Any, size: int, *, counted: bool = False) -> None:
        """Put a finished part into the collection that is open."""
        self.parts += 1
        if self.parts > MAX_PARTS:
            self.refuse("TW005", f"more than {MAX_PARTS:,} parts, aliases counted in full", event)
        anchor = getattr(event, "anchor", None)
        if anchor and not _is_alias(event):
            self.anchors[anchor] = (tree, size if counted else 1)
        if not self.open:
            self.root = tree
        else:
            self.put(self.open[-1], tree, event)

    def put(self, opened: _Open, tree: Located, event: Any) -> None:
        if isinstance(opened.tree, Items):
            opened.tree.items.append(tree)
        elif opened.key is None:
            if not isinstance(tree, Scalar):
                self.refuse("TW003", "a key must be a single text", event)
            assert isinstance(tree, Scalar)
            opened.key = tree
        else:
            opened.tree.pairs.append((opened.key, tree))
            opened.key = None

    def scalar(self, event: Any) -> Scalar:
        mark = event.start_mark
        text: str = event.value
        if event.tag is not None and not (event.implicit and event.implicit[0]) and event.tag != _STR:
            self.refuse("TW003", f"tags such as {event.tag} are not used in flows", event)
        if event.style is None and event.tag is None:
            return Scalar(_plain(text), mark.line + 1, mark.column + 1, text)
        style: Style = "block" if event.style in ("|", ">") else "quoted"
        if _SURROGATE.search(text):
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return Scalar(text, mark.line + 1, mark.column + 1, text, style)

    def refuse(self, code: str, message: str, event: Any) -> None:
        mark = event.start_mark
        raise _Refused(problem(code, message, Span(self.file, mark.line + 1, mark.column + 1)))


class _Open:
    """A collection that is not finished."""

    __slots__ = ("event", "key", "parts_before", "tree")

    def __init__(self, tree: Items | Pairs, event: Any, parts_before: int) -> None:
        self.tree = tree
        self.event = event
        self.parts_before = parts_before
        self.key: Scalar | None = None


_STR = "tag:yaml.org,2002:str"


def _shown(character: object) -> str:
    return f"U+{character:04X}" if isinstance(character, int) else repr(character)


def _is_alias(event: Any) -> bool:
    return type(event).__name__ == "AliasEvent"


def _plain(text: str) -> object:
    """What a bare word means in YAML 1.2: nothing, true or false, a number, or itself."""
    if text in _WORDS:
        return _WORDS[text]
    if not text[0].isalpha() and len(text) <= _LONGEST_NUMBER:
        if _INT.fullmatch(text):
            return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
    return text
