"""Parses imports: the names that a document takes from another."""

from __future__ import annotations

from turnwise.authoring.dygram.cursor import Cursor, SyntaxFault, found
from turnwise.authoring.dygram.syntax import Import, ImportedName, Name
from turnwise.authoring.dygram.values import end_statement, qualified_name, scalar_at
from turnwise.authoring.source import shown_text


def import_at(cursor: Cursor) -> Import:
    """Return the import statement that begins at the present token."""
    cursor.count_part()
    layout = cursor.begin_layout()
    cursor.next()
    if not cursor.skip("{"):
        message = f"{found(cursor.token)}, where '{{' before the imported names is expected"
        cursor.report("TW130", message, cursor.token.at, 'write import { name } from "./file.dy"')
        raise SyntaxFault
    names = [_imported(cursor)]
    while cursor.skip(","):
        names.append(_imported(cursor))
    cursor.expect("}", "after the imported names")
    if cursor.token.text != "from":
        raise cursor.fault("'from' and the file in quotes")
    cursor.next()
    source = scalar_at(cursor) if cursor.token.kind == "string" else None
    if source is None:
        raise cursor.fault("the file in quotes")
    end_statement(cursor)
    return Import(tuple(names), source, cursor.end_layout(layout))


def _imported(cursor: Cursor) -> ImportedName:
    cursor.count_part()
    name = qualified_name(cursor, "a name to import")
    if cursor.token.text != "as":
        return ImportedName(name)
    cursor.next()
    token = cursor.token
    if token.kind != "name":
        raise cursor.fault(f"the name that '{shown_text(name.text)}' has here")
    cursor.next()
    return ImportedName(name, Name(token.text, token.at, token.end))
