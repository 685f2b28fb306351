"""Parses the statements of a document: imports, the header, nodes with what stands in their braces, edges."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.authoring.dygram.cursor import Cursor, LayoutSoFar, ReadAgain, SyntaxFault
from turnwise.authoring.dygram.edges import is_arrow, is_hyphen, names_at, segments_at, skip_label_behind
from turnwise.authoring.dygram.imported import import_at
from turnwise.authoring.dygram.mistakes import foreign_notation
from turnwise.authoring.dygram.scanner import MOST_TOKENS, Source, Token, Tokens, scan
from turnwise.authoring.dygram.syntax import (
    TYPES,
    Attribute,
    Attributes,
    Block,
    Document,
    Edge,
    Import,
    Item,
    Machine,
    Name,
    Node,
    Scalar,
)
from turnwise.authoring.dygram.values import (
    annotations_at,
    attribute_at,
    attributes_at,
    end_statement,
    qualified_name,
    scalar_at,
    unclosed,
)
from turnwise.authoring.source import MAX_BYTES, DocumentRefused, shown_text, whole_characters
from turnwise.flow.diagnostic import Diagnostic, Span, has_errors, in_order, problem

_STATEMENT = "a statement: a node, an edge or an attribute"
_COMMENT = "a comment begins with '//'"


class Parsed(NamedTuple):
    """A parsed document: its tree as far as it can be read, and its problems."""

    document: Document
    """The syntax tree; without the statements that cannot be read."""
    source: Source
    """The text of the document."""
    diagnostics: list[Diagnostic]
    """All problems in the document."""


def parse(text: str, file: str = "") -> Parsed:
    """Return the tree of a document and its problems; a mistake of the author raises no exception."""
    text = whole_characters(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    source = Source(text, file)
    if len(text) > MAX_BYTES:
        message = f"the document has more than {MAX_BYTES:,} characters, which is the limit"
        return Parsed(Document(), source, [problem("TW002", message, Span(file), "split it into files")])
    nul = text.find("\0")
    if nul >= 0:
        span = Span(file, *source.place(nul))
        return Parsed(Document(), source, [problem("TW130", "the character U+0000 is not allowed here", span)])
    parsed = _read(source)
    mistake = foreign_notation(text) if has_errors(parsed.diagnostics) else None
    if mistake is None:
        return parsed
    begin = len(text) - len(text.lstrip())
    return Parsed(
        Document(), source, [problem(mistake.code, mistake.message, Span(file, *source.place(begin)), mistake.hint)]
    )


def _read(source: Source) -> Parsed:
    """Return the tree of a document; each missing quote of a text is put in, and the document read again."""
    tokens, found = scan(source), list[Diagnostic]()
    while True:
        try:
            return _parsed(source, tokens, found)
        except ReadAgain as repaired:
            tokens = repaired.tokens
            found.append(repaired.diagnostic)


def _parsed(source: Source, tokens: Tokens, found: list[Diagnostic]) -> Parsed:
    """Return the tree of some tokens; `found` is wrong with what they were made of."""
    cursor = Cursor(source, tokens)
    parts = _Parts()
    try:
        if len(found) > _MOST_REPAIRS:
            raise DocumentRefused(problem("TW130", "the document is not read further", found[-1].span))
        if len(tokens.tokens) > MOST_TOKENS:
            message = f"the document has more than {MOST_TOKENS:,} words and signs, which is the limit"
            raise DocumentRefused(problem("TW005", message, cursor.span(tokens.tokens[-2].at), "split it into files"))
        _document(cursor, parts)
    except DocumentRefused as refused:
        cursor.diagnostics.append(refused.diagnostic)
    document = Document(
        tuple(parts.imports), parts.machine, tuple(parts.items), cursor.comments_before(len(source.text))
    )
    return Parsed(document, source, in_order([*found, *cursor.diagnostics]))


_MOST_REPAIRS = 20
"""After so many texts without their end the document is not read: each time it is read from the beginning."""


class _Parts:
    """The statements of a document so far."""

    def __init__(self) -> None:
        self.imports: list[Import] = []
        self.machine: Machine | None = None
        self.items: list[Item] = []


def _document(cursor: Cursor, parts: _Parts) -> None:
    while cursor.token.kind != "end":
        begin = cursor.at
        try:
            if cursor.token.kind == "keyword":
                _header(cursor, parts)
            elif cursor.is_mark("}"):
                cursor.report("TW130", "'}' closes nothing here", cursor.token.at, "leave it out")
                cursor.next()
            else:
                statement_into(cursor, parts.items)
        except SyntaxFault:
            cursor.recover(begin)


# imports and the header ------------------------------------------------------------------------


def _header(cursor: Cursor, parts: _Parts) -> None:
    """Read an import or the header; both stand before all other statements."""
    token = cursor.token
    if token.text == "import":
        if parts.items or parts.machine is not None:
            cursor.report("TW135", "an import stands behind other statements", token.at, "move it to the beginning")
        parts.imports.append(import_at(cursor))
    elif token.text == "machine":
        if parts.machine is not None:
            cursor.report("TW135", "a second machine begins here", token.at, "a document holds one")
        elif parts.items:
            cursor.report("TW135", "'machine' stands behind other statements", token.at, "move it before them")
        found, strays = _machine(cursor)
        parts.machine = parts.machine or found
        parts.items += strays
    else:
        raise _no_statement(cursor)


def _machine(cursor: Cursor) -> tuple[Machine, list[Item]]:
    """Return the header, and statements that stand in its braces by mistake."""
    cursor.count_part()
    layout = cursor.begin_layout()
    token = cursor.next()
    title = _title_of_machine(cursor, token)
    annotations = annotations_at(cursor)
    strays: list[Item] = []
    attributes = None
    if cursor.is_mark("{"):
        layout.before += cursor.comments_before(cursor.token.at)
        opening = cursor.token
        body = _block(cursor)
        own = [one for item in body.items if (one := _as_attribute(item)) is not None]
        strays = [item for item in body.items if _as_attribute(item) is None]
        attributes = Attributes(tuple(own), opening.at, cursor.previous.end, body.comments, body.is_inline)
    if strays:
        hint = "end the braces before this, or leave them out"
        cursor.report("TW135", "nodes and edges do not stand in the braces of the machine", _place(strays[0]), hint)
    end_statement(cursor)
    return Machine(title, annotations, attributes, cursor.end_layout(layout)), strays


def _title_of_machine(cursor: Cursor, token: Token) -> Scalar:
    """Return the title; a name without quotes is reported."""
    found = scalar_at(cursor) if cursor.token.kind == "string" else None
    if found is not None:
        return found
    if cursor.token.kind != "name":
        raise cursor.fault("the title of the machine in quotes")
    name = cursor.next()
    cursor.report(
        "TW130", "the title of the machine has no quotes", name.at, f'write {token.text} "{shown_text(name.text)}"'
    )
    return Scalar("string", name.text, name.at, name.end)


def _as_attribute(item: Item) -> Attribute | None:
    """Return an attribute of the header. One without type and value looks like a node."""
    if isinstance(item, Attribute):
        return item
    if isinstance(item, Edge) or item.type or item.title or item.annotations or item.body or "." in item.name.text:
        return None
    return Attribute(item.name, layout=item.layout)


def _place(item: Item) -> int:
    """Return where a statement begins."""
    if isinstance(item, Edge):
        return item.sources[0].at
    return item.type.at if isinstance(item, Node) and item.type is not None else item.name.at


# statements ------------------------------------------------------------------------------------


def statement_into(cursor: Cursor, items: list[Item]) -> None:
    """Append the statement that begins at the present token to `items`. Raises `SyntaxFault` if it cannot be read."""
    token = cursor.token
    if token.kind in ("name", "string") and _is_attribute(cursor):
        items.append(attribute_at(cursor))
        return
    cursor.count_part()
    layout = cursor.begin_layout()
    if cursor.is_mark("#"):
        _node(cursor, None, layout, items)
        return
    if token.kind != "name":
        raise _no_statement(cursor)
    name = qualified_name(cursor, _STATEMENT)
    if cursor.is_mark(",") or _is_edge(cursor):
        items.append(_edge(cursor, name, layout))
    else:
        _node(cursor, name, layout, items)


def _is_attribute(cursor: Cursor) -> bool:
    """Return whether what stands here is the name of an attribute: its type or value follows."""
    after = cursor.peek()
    return after.kind == "mark" and (after.text == ":" or (after.text == "<" and not is_arrow(cursor, 1)))


def _is_text(cursor: Cursor) -> bool:
    """Return whether a text stands here that is not the name of an attribute."""
    return cursor.token.kind == "string" and not _is_attribute(cursor)


def _no_statement(cursor: Cursor) -> SyntaxFault:
    token = cursor.token
    if token.kind in ("arrow", "label"):
        return cursor.fault(_STATEMENT, "an edge begins with the node from which it comes")
    if token.kind == "external":
        return cursor.fault(_STATEMENT, _COMMENT)
    if token.text == "as" and cursor.previous.kind == "string":
        name = cursor.peek().text
        return cursor.fault(
            _STATEMENT, f"a title stands behind the name: {shown_text(name)} {shown_text(cursor.previous.text)}"
        )
    if token.kind == "keyword":
        is_key = cursor.peek().text in (":", "<")
        way_out = f'take another name, or put it into quotes: "{token.text}"' if is_key else "take another name"
        return cursor.fault(_STATEMENT, f"'{token.text}' is a word of the language: {way_out}")
    if token.kind == "string":
        return cursor.fault(_STATEMENT, "a title stands behind the name of its node")
    return cursor.fault(_STATEMENT, _MARKS.get(token.text, ""))


_MARKS = {
    ";": "two ';' stand here: leave one out",
    "[": 'a title stands in quotes behind the name, a "Title", and keys of an edge in braces',
    ":": "one word stands before the ':' of an attribute; a label stands inside of the arrow: -label->",
}
"""Ways out, by the mark that stands where a statement should."""


def _is_edge(cursor: Cursor) -> bool:
    """Return whether an arrow stands here, with a multiplicity before it or without."""
    return is_arrow(cursor) or (cursor.token.kind == "string" and is_arrow(cursor, 1))


def _edge(cursor: Cursor, first: Name, layout: LayoutSoFar) -> Edge:
    """Return the edges that begin behind the name of their first source."""
    sources = (first, *names_at(cursor, "the name of another node after ','")) if cursor.skip(",") else (first,)
    if not _is_edge(cursor):
        raise cursor.fault(f"an arrow behind '{shown_text(sources[-1].text)}'")
    segments = segments_at(cursor)
    if _is_text(cursor):
        hint = f"a label stands inside of the arrow: -{shown_text(cursor.token.text)}->"
        cursor.report("TW130", "a text stands behind the end of an edge", cursor.token.at, hint)
        cursor.next()
    skip_label_behind(cursor)
    if cursor.is_mark("@"):
        at = cursor.token.at
        cursor.report(
            "TW130", "an annotation stands behind the end of an edge", at, "it stands inside of the arrow: -@name->"
        )
        annotations_at(cursor)
    attributes = None
    if cursor.is_mark("{"):
        layout.before += cursor.comments_before(cursor.token.at)
        attributes = attributes_at(cursor)
    end_statement(cursor)
    return Edge(sources, segments, attributes, cursor.end_layout(layout))


def _node(cursor: Cursor, first: Name | None, layout: LayoutSoFar, items: list[Item]) -> None:
    """Add the node that begins behind its first name, and an edge that stands in its statement by mistake."""
    is_typed = first is not None and "." not in first.text and _has_name(cursor, first)
    type_ = first if is_typed else None
    name = first if first is not None and not is_typed else _name_of_node(cursor, first)
    title = scalar_at(cursor) if _is_text(cursor) else None
    if type_ is not None and is_hyphen(cursor):
        name = _without_hyphens(cursor, name)
        title = scalar_at(cursor) if _is_text(cursor) else None
    if type_ is not None and _is_edge(cursor):
        hint = f"end the declaration with ';', and begin the edge with '{shown_text(name.text)}'"
        cursor.report("TW135", "a node is declared in the statement of an edge", name.at, hint)
        items += [Node(name, type_, title), _edge(cursor, name, layout)]
        return
    annotations = annotations_at(cursor)
    if annotations and title is None and _is_text(cursor):
        title = scalar_at(cursor)
        annotations += annotations_at(cursor)
    body = None
    if cursor.is_mark("{"):
        layout.before += cursor.comments_before(cursor.token.at)
        body = _block(cursor)
    end_statement(cursor)
    items.append(Node(name, type_, title, annotations, body, cursor.end_layout(layout)))


def _without_hyphens(cursor: Cursor, name: Name) -> Name:
    """Report a name with hyphens, and go past it; return the name as it could be."""
    text = name.text
    while is_hyphen(cursor):
        cursor.next()
        text += f"_{cursor.next().text}"
    cursor.report("TW130", "a name has no '-' in it", name.at, f"write '{shown_text(text)}'")
    return Name(text, name.at, cursor.previous.end)


def _has_name(cursor: Cursor, first: Name) -> bool:
    """Return whether a name follows a first one, which is then the type of the node. Of two lines each is a statement
    where the second cannot be the rest of the first.
    """
    token = cursor.token
    if cursor.is_mark("#"):
        return not cursor.is_on_new_line(token, cursor.previous)
    if token.kind == "keyword" and not cursor.is_on_new_line(token, cursor.previous):
        raise cursor.fault("the name of a node", f"'{token.text}' is a word of the language: take another name")
    if token.kind != "name":
        return False
    if not cursor.is_on_new_line(token, cursor.previous):
        return True
    is_type = first.text.lower() in TYPES
    behind = cursor.length_of_path()
    after = cursor.peek(behind)
    begins = after.kind in ("arrow", "label") or (after.kind == "mark" and after.text in (":", "<", ","))
    begins = (
        begins or (after.kind == "name" and not is_type) or (after.kind == "string" and is_arrow(cursor, behind + 1))
    )
    if begins or is_type:
        return not begins
    type_ = shown_text(first.text)
    message = f"'{type_}' and '{shown_text(token.text)}' in the next line are read as one node of the type '{type_}'"
    cursor.report("TW133", message, first.at, f"write a ';' after '{type_}', or both in one line")
    return True


def _name_of_node(cursor: Cursor, first: Name | None) -> Name:
    """Return the name that follows a type or a `#`."""
    at = cursor.token.at
    is_marked = cursor.skip("#")
    name = qualified_name(cursor, "the name of a node")
    if is_marked and first is None:
        cursor.report("TW133", f"'#' begins no comment: a node '{shown_text(name.text)}' is read", at, _COMMENT)
    return name


def _block(cursor: Cursor) -> Block:
    """Return the statements in the braces that begin here."""
    opening = cursor.next()
    cursor.enter()
    is_inline = not cursor.is_on_new_line(cursor.token, opening)
    items: list[Item] = []
    while not cursor.is_mark("}"):
        if cursor.token.kind == "end":
            raise unclosed(cursor, opening)
        begin = cursor.at
        try:
            statement_into(cursor, items)
            if cursor.is_mark(","):
                cursor.report("TW130", "a ',' stands between statements", cursor.token.at, "write ';' instead")
                cursor.next()
        except SyntaxFault:
            cursor.recover(begin)
    comments = cursor.comments_before(cursor.token.at)
    cursor.next()
    cursor.leave()
    return Block(tuple(items), comments, is_inline and bool(items))
