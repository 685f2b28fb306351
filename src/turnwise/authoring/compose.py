"""Parses YAML 1.2 into a tree with positions, within limits of depth and size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple, cast

from turnwise.authoring.source import MAX_DEPTH, DocumentRefused, SizeCount, number_of, shown_text, whole_characters
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.located import Items, Lines, Located, Pairs, Scalar, Style, source_lines_of

Explanation = tuple[str, str]
"""A message, and a hint."""

_KEY = re.compile(r"\s*(?:- +)*(?P<key>[\w.-]+): +(?P<value>\S.*)")
_SHOWN = 40


def explain_syntax_error(error: str, text: str, line: int, column: int) -> Explanation | None:
    """Return the cause of a parser's error at a line and column, counted from 0; `None` if it is unknown."""
    lines = text.split("\n")
    here = lines[line] if line < len(lines) else ""
    if "mapping values are not allowed" in error:
        return _colon(lines, line, column)
    if "expected ',' or '}', but got ':'" in error or "expected ',' or '}', but got '['" in error:
        return _between_braces(error, here, column)
    if "'\\t'" in error:
        return "a tab indents this line", "indent with spaces"
    if "but found '<block mapping start>'" in error or "but found '<block sequence start>'" in error:
        return _indented(lines, line)
    if "but found '-'" in error:
        return "a list begins here where a key is expected", "indent the '-' under the key that the list belongs to"
    if "<block end>" in error and "<scalar>" in error:
        return "more follows behind the quotes of a text", "quotes inside of a text need other quotes around it"
    if "cannot start any token" in error:
        return f"a text cannot begin with '{here[column : column + 1]}'", "put the text into quotes"
    if "could not find expected ':'" in error:
        return (
            "a key without its ':' stands before this",
            "write 'key: value', or put a text of several lines after '|'",
        )
    return None


def _colon(lines: list[str], line: int, column: int) -> Explanation:
    """Explain a colon inside of a value, in the same line or in a line above that is indented less."""
    found = _KEY.fullmatch(lines[line][:column])
    if found is not None:
        whole = _KEY.fullmatch(lines[line].rstrip())
        value = whole["value"] if whole is not None else found["value"]
        shown = (
            f'write {found["key"]}: "{value}"' if len(value) <= _SHOWN and '"' not in value else "put it into quotes"
        )
        return (
            f"the text of '{found['key']}' has a colon and a blank in it",
            f"a text with ': ' in it needs quotes: {shown}",
        )
    above = next((at for at in range(line - 1, -1, -1) if _counts(lines[at])), None)
    if above is not None and _depth(lines[above]) < _depth(lines[line]) and _KEY.fullmatch(lines[above].rstrip()):
        message = f"this line is indented deeper than line {above + 1}, whose key has a value already"
        return message, f"indent it as line {above + 1}: {_blanks(_depth(lines[above]))}"
    return "a ':' stands where no key can be", "a text with ': ' in it needs quotes"


def _between_braces(error: str, here: str, column: int) -> Explanation:
    """Explain a colon or a bracket inside of a text between braces, as in an expression over the items of a list."""
    if "but got ':'" in error:
        return "a ':' stands inside of a text between '{' and '}'", "a text with ': ' in it needs quotes"
    found = _IN_BRACES.search(here[:column])
    key = found["key"] if found is not None else "text"
    message = f"the text of '{key}' has a '[' in it, which begins a list between '{{' and '}}'"
    quote = "'" if '"' in here[column:] else '"'
    return message, f"an expression with '[' needs quotes there: {key}: {quote}…{quote}"


def _indented(lines: list[str], line: int) -> Explanation:
    """Explain a line with an indentation that no key above it has."""
    open_: list[int] = []
    limit = _depth(lines[line]) + 1_000_000
    for at in range(line - 1, -1, -1):
        if _counts(lines[at]) and _depth(lines[at]) < limit:
            limit = _depth(lines[at])
            open_.insert(0, limit)
    places = " or ".join([", ".join(map(str, open_[-_MOST:-1])), str(open_[-1])] if open_[1:] else map(str, open_))
    message = f"this line is indented by {_blanks(_depth(lines[line]))}, and no key above it is"
    return message, f"indent it by {places}, as the keys above" if places else "begin it where the keys above begin"


_IN_BRACES = late_pattern(r"[{,]\s*(?P<key>[\w.-]+):\s+[^,:{}\[\]]*$")
"""A key between braces, with the beginning of its value."""
_MOST = 4


def _counts(line: str) -> bool:
    """Return true unless a line is empty or a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _blanks(count: int) -> str:
    return f"{count} blank{'' if count == 1 else 's'}" if count else "no blanks"


_WORDS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_TAGS = ("!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
_READ_OTHERWISE = late_pattern(
    r"(?m)[\t\x85\u2028\u2029]|^%|^\.\.\.|[&*][\w-]{1,100}(?: *:|\?)|[\[{,] *:"
    r"|[|>][+\d-]{0,2}#|(?<![^\s\[{,:])[!?]\s{0,9}[,\]}]"
)
"""What LibYAML reads otherwise than the parser of YAML 1.2: tabs, three more ends of lines, directives, ends of
documents, some colons and question marks; and what only LibYAML lets pass: a comment right behind the `|` or `>` of a
text, a tag or a `?` without a value between brackets.
"""
_LONG_TAG = late_pattern(r"(?:^|(?<=[\s,\[{:?-]))![\w;/?:@&=+$,.~*'()\[\]%#!-]{1000}", re.ASCII)
"""The parser takes a time that grows with the square of the length of a tag."""


def compose_yaml(text: str, file: str = "") -> Located | Diagnostic:
    """Return the tree of a YAML document, or a diagnostic of the first error.

    JSON is YAML, and is read by a faster parser.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("{", "["):
        from turnwise.authoring.compose_json import compose_json

        found = compose_json(text, file)
        if not isinstance(found, Diagnostic) or found.code != "TW003":
            return found
    return _composed_quickly(text) or compose_fully(text, file)


def compose_fully(text: str, file: str = "") -> Located | Diagnostic:
    """Return the tree of a YAML document as the parser of all of YAML 1.2 reads it, or a diagnostic of an error."""
    try:
        return _Composer(text, file).compose(_events(text, file))
    except DocumentRefused as refused:
        return refused.diagnostic


def _composed_quickly(text: str) -> Located | None:
    """Return the tree of a document as LibYAML reads it, more than ten times as fast; `None` where PyYAML is installed
    without it, where YAML 1.2 says otherwise, and for an error, which the other parser explains.
    """
    import yaml

    if not yaml.__with_libyaml__ or _READ_OTHERWISE.search(text):
        return None
    try:
        tree = _Composer(text, "").compose(cast("Any", yaml).parse(text, yaml.CSafeLoader))
    except (yaml.YAMLError, DocumentRefused, ValueError):
        return None
    return tree if not isinstance(tree, Scalar) else None


def _events(text: str, file: str) -> Iterator[Any]:
    """Yield the parser's events; convert its errors to diagnostics."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    tag = _LONG_TAG.search(text)
    if tag is not None:
        raise DocumentRefused(problem("TW003", "tags are not used in flows", _span_at(text, tag.start(), file)))
    try:
        yield from YAML(typ="safe", pure=True).parse(text)  # pyright: ignore[reportUnknownMemberType]
    except ReaderError as error:
        raise DocumentRefused(_strange(error, text, file)) from None
    except MarkedYAMLError as error:
        raise DocumentRefused(_wrong(error, text, file)) from None
    except (YAMLError, ValueError) as error:
        raise DocumentRefused(problem("TW003", f"this is not YAML: {shown_text(str(error))}", Span(file))) from None


def _span_at(text: str, at: int, file: str) -> Span:
    before = text[:at]
    return Span(file, before.count("\n") + 1, len(before) - before.rfind("\n"))


def _strange(error: Any, text: str, file: str) -> Diagnostic:
    """Report a character that no YAML document may hold."""
    character = f"U+{error.character:04X}" if isinstance(error.character, int) else repr(error.character)
    message = f"the character {character} is not allowed here"
    return problem("TW003", message, _span_at(text, error.position, file), "write it as an escape, in double quotes")


def _wrong(error: Any, text: str, file: str) -> Diagnostic:
    """Report the parser's error at its place, with the hint that most authors need."""
    mark = error.problem_mark or error.context_mark
    span = Span(file, mark.line + 1, mark.column + 1) if mark else Span(file)
    known = explain_syntax_error(str(error.problem), text, mark.line, mark.column) if mark else None
    if known is not None:
        return problem("TW003", known[0], span, known[1])
    message = "; ".join(shown_text(part, 200) for part in (error.problem, error.context) if part)
    return problem("TW003", message or "this is not YAML", span, _hint(str(error.problem)))


def _hint(error: str) -> str:
    if "but got '<scalar>'" in error:
        return "quotes inside of a text need other quotes around it"
    if "alias" in error or "undefined tag" in error:
        return "a text that begins like this needs quotes"
    return ""


class _Size(NamedTuple):
    """The parts and characters that a value adds to the size of a document, also by each alias."""

    parts: int
    chars: int


class _Composer:
    """The state of composing one document: the open collections, the anchors, and the size so far."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Located, _Size] | None] = {}
        self.count = SizeCount()
        self.root: Located | None = None

    def compose(self, events: Iterator[Any]) -> Located:
        """Return the tree that the events describe."""
        for event in events:
            self.handle(event)
        if self.root is None or (isinstance(self.root, Scalar) and self.root.value is None):
            raise DocumentRefused(problem("TW007", "there is nothing in it", Span(self.file, 1, 1)))
        return self.root

    def handle(self, event: Any) -> None:
        """Take in one event."""
        match type(event).__name__:
            case "ScalarEvent":
                self.scalar(event)
            case "MappingStartEvent" | "SequenceStartEvent":
                self.start(event, is_mapping=type(event).__name__ == "MappingStartEvent")
            case "MappingEndEvent" | "SequenceEndEvent":
                self.end()
            case "AliasEvent":
                self.alias(event)
            case "DocumentStartEvent" if self.root is not None:
                raise self.refused("TW003", "a second document begins here; one file holds one", event)
            case _:
                pass

    # events ----------------------------------------------------------------------------------

    def scalar(self, event: Any) -> None:
        """A single value."""
        self.check_tag(event)
        mark, text = event.start_mark, event.value
        self.count.add(1, len(text), self.span(event))
        is_plain = not event.style and event.tag is None
        if is_plain:
            tree = Scalar(_plain(text), mark.line + 1, mark.column + 1, text, "plain", self.lines(event))
        else:
            style: Style = "block" if event.style in ("|", ">") else "quoted"
            text = whole_characters(text)
            tree = Scalar(text, mark.line + 1, mark.column + 1, text, style, self.lines(event))
        if event.anchor:
            self.anchors[event.anchor] = (tree, _Size(1, len(text)))
        self.put(tree, event)

    def lines(self, event: Any) -> Lines:
        """Return the places of the lines of a text that takes several."""
        first, last = event.start_mark, event.end_mark
        if first.line == last.line:
            return ()
        if event.style in ("|", ">"):
            return source_lines_of(event.value, self.source, (first.line + 1, 0), (last.line, 0))
        quote = 1 if event.style else 0
        return source_lines_of(
            event.value, self.source, (first.line, first.column + quote), (last.line, last.column - quote)
        )

    @cached_property
    def source(self) -> list[str]:
        """The lines of the document."""
        return self.text.split("\n")

    def start(self, event: Any, *, is_mapping: bool) -> None:
        """A collection begins."""
        self.check_tag(event)
        if len(self.open) >= MAX_DEPTH:
            raise self.refused("TW004", f"nested more than {MAX_DEPTH} deep", event)
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        tree = Pairs([], line, column, inline=bool(event.flow_style)) if is_mapping else Items([], line, column)
        self.open.append(_Open(tree, event, _Size(self.count.parts, self.count.chars)))
        self.count.add(1, 0, self.span(event))
        if event.anchor:
            self.anchors[event.anchor] = None

    def end(self) -> None:
        """A collection ends."""
        opened = self.open.pop()
        if opened.event.anchor:
            size = _Size(self.count.parts - opened.before.parts, self.count.chars - opened.before.chars)
            self.anchors[opened.event.anchor] = (opened.tree, size)
        self.put(opened.tree, opened.event)

    def alias(self, event: Any) -> None:
        """A part that stands elsewhere comes again: it counts in full."""
        if event.anchor not in self.anchors:
            raise self.refused("TW003", f"no part is anchored as &{shown_text(event.anchor)}", event)
        anchored = self.anchors[event.anchor]
        if anchored is None:
            raise self.refused("TW005", f"*{shown_text(event.anchor)} stands inside the part that it names", event)
        tree, size = anchored
        self.count.add(*size, self.span(event))
        self.put(tree, event)

    # what they do ----------------------------------------------------------------------------

    def put(self, tree: Located, event: Any) -> None:
        """Put a finished part into the collection that is open."""
        if not self.open:
            self.root = tree
            return
        opened = self.open[-1]
        if isinstance(opened.tree, Items):
            opened.tree.items.append(tree)
        elif opened.key is not None:
            opened.tree.pairs.append((opened.key, tree))
            opened.key = None
        elif isinstance(tree, Scalar):
            opened.key = tree
        else:
            raise self.refused("TW003", "a key must be a single text", event)

    def check_tag(self, event: Any) -> None:
        """Tags would make other things of texts; only those are let through that say what is so anyway."""
        if event.tag is not None and event.tag not in _TAGS:
            raise self.refused("TW003", f"tags such as {shown_text(event.tag)} are not used in flows", event)

    def span(self, event: Any) -> Span:
        """Return where an event stands."""
        return Span(self.file, event.start_mark.line + 1, event.start_mark.column + 1)

    def refused(self, code: str, message: str, event: Any) -> DocumentRefused:
        """Return an error at the place of an event."""
        return DocumentRefused(problem(code, message, self.span(event)))


class _Open:
    """A collection that is not finished."""

    __slots__ = ("before", "event", "key", "tree")

    def __init__(self, tree: Items | Pairs, event: Any, before: _Size) -> None:
        self.tree = tree
        self.event = event
        self.before = before
        self.key: Scalar | None = None


def _plain(text: str) -> object:
    """Return the value of a bare word in YAML 1.2: null, a boolean, a number, or the text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0].isalpha():
        return text
    number = number_of(text)
    return text if number is None else number
