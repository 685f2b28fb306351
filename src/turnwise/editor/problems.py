"""Checks documents as an editor has them, and finds what each problem underlines."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from turnwise.authoring.source import DYGRAM, whole_characters
from turnwise.editor.project import Project
from turnwise.editor.text import EditedText, Span
from turnwise.flow.diagnostic import Diagnostic

Check = Callable[[bytes, str, Callable[[str], "str | Diagnostic"]], list[Diagnostic]]
"""A function that returns all problems of a document, from its bytes, its name, and a function that reads its imports.
"""
MOST_SHOWN = 500
"""How many problems of a file are shown at most."""
_MOST_ROOTS = 3
"""A document of parts is checked with so many of the flows that import it."""
_UNDERLINED = re.compile(r"[\w./-]+|\"[^\"\n]*\"|'[^'\n]*'|\S")


class Problem(NamedTuple):
    """A problem, and the part of the text that is underlined."""

    diagnostic: Diagnostic
    """The code, message and hint of the problem."""
    span: Span
    """The part of the text that is underlined."""


class Checked(NamedTuple):
    """The result of checking documents."""

    found: dict[str, dict[str, list[Problem]]]
    """The problems, keyed by the document that was checked and by the file in which they are."""
    importers: list[str]
    """The documents that import the checked one, whose problems may have changed."""


def check_document(project: Project, file: str, check: Check) -> Checked:
    """Return the problems, as `check` finds them, of a document and of what it imports. One that holds only parts for
    other documents is checked as a part of these.
    """
    if not project.is_flow(file):
        return Checked({file: {}}, [])
    importers = project.importers(file)
    is_part = not project.index_of(file).is_whole
    found: dict[str, dict[str, list[Problem]]] = {}
    for root in importers[:_MOST_ROOTS] if is_part and importers else [file]:
        problems = _problems(project, root, check)
        if is_part and root == file:
            problems[file] = [one for one in problems.get(file, []) if not _is_of_whole_flow(one.diagnostic)]
        found[root] = problems
    if file not in found:
        found[file] = {}  # what was reported of it as a flow by itself does not hold
    return Checked(found, importers)


def _problems(project: Project, root: str, check: Check) -> dict[str, list[Problem]]:
    text = project.text_of(root)
    if text is None:
        return {}
    found: dict[str, list[Problem]] = {}
    texts: dict[str, EditedText | None] = {root: text}
    for one in check(whole_characters(text.text).encode(), root, project.load):
        file = root if one.span.file in ("", root) else os.path.realpath(one.span.file)
        if file not in texts:
            texts[file] = project.text_of(file)
        of = texts[file]
        listed = found.setdefault(file, [])
        if of is not None and len(listed) < MOST_SHOWN:
            listed.append(Problem(one, underlined_part(of, one, file)))
    return found


def underlined_part(text: EditedText, diagnostic: Diagnostic, file: str) -> Span:
    """Return the part of a text to underline for a problem: the word, text or sign that begins at its place."""
    span = diagnostic.span
    begin = text.place(span.line, span.column, is_yaml=not file.endswith(DYGRAM)) if span.line else 0
    found = _UNDERLINED.match(text.text, begin, begin + 200)
    return Span(begin, found.end() if found is not None else begin)


def _is_of_whole_flow(diagnostic: Diagnostic) -> bool:
    """Return whether a document of parts only lacks what a whole flow has."""
    return diagnostic.code == "TW013" and diagnostic.span.line <= 1 and diagnostic.span.column <= 1


def page_of(code: str) -> str:
    """Return the address of the page about a code; empty if the page is not installed."""
    package = Path(__file__).parent.parent
    for folder in (package.parent.parent / "docs" / "checks", package / "server" / "static" / "checks"):
        page = folder / f"{code}.md"
        if page.is_file():
            return page.as_uri()
    return ""
