"""Where a name is declared and written, over all documents of a project; what an editor shows about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnwise.editor.index import Symbol
from turnwise.editor.project import Project, Target
from turnwise.editor.text import Span
from turnwise.flow.shapes import SHAPES

_MOST_SYMBOLS = 500


class Place(NamedTuple):
    """A part of a file."""

    file: str
    """The real path of the file."""
    span: Span
    """The part of its text."""


class HoverText(NamedTuple):
    """The text that an editor shows about a name or key under the pointer."""

    title: str
    """The first line: what the name or key is."""
    lines: tuple[str, ...]
    """Further lines about the name or key."""
    span: Span
    """The part of the document that the text is about."""
    is_code: bool = True
    """False if the title is Markdown, not code."""

    @property
    def text(self) -> str:
        """The title and the lines as Markdown."""
        if not self.is_code:
            return "\n\n".join((self.title, *self.lines))
        return "\n".join((f"```\n{self.title}\n```", *self.lines))


def definition(project: Project, file: str, offset: int) -> Place | None:
    """Return where the name at an offset is declared; for a path the start of that file; `None` if unknown."""
    index = project.index_of(file)
    for one in index.files:
        if one.place.begin <= offset <= one.place.end:
            other = project.resolved(file, one.source)
            return Place(other, Span(0, 0)) if other else None
    found = index.at(offset)
    if found is None:
        return None
    target = project.target(file, found.key)
    symbol = project.symbol(target)
    if symbol is not None:
        return Place(target.file, symbol.place)
    declared = next((one for one in project.index_of(target.file).of(target.key) if one.is_declaration), None)
    return Place(target.file, declared.place) if declared is not None else None


def references(project: Project, file: str, offset: int, *, with_declaration: bool) -> list[Place]:
    """Return all places in all documents where the name at an offset is written (or declared, `with_declaration`)."""
    found = project.index_of(file).at(offset)
    if found is None:
        return []
    target = project.target(file, found.key)
    return [
        Place(other, one)
        for other, one, is_declaration in occurrences(project, target)
        if with_declaration or not is_declaration
    ]


def occurrences(project: Project, target: Target) -> Iterator[tuple[str, Span, bool]]:
    """Yield all places where the name `target` is written: the file, the part of it, and whether this place declares
    the name.
    """
    for one in project.index_of(target.file).of(target.key):
        yield target.file, one.place, one.is_declaration
    for file in project.files():
        if file == target.file:
            continue
        index = project.index_of(file)
        if index.imports:
            keys = dict.fromkeys(one.key for one in index.occurrences if one.key.startswith(("import:", "from:")))
            for key in keys:
                if project.target(file, key) == target:
                    yield from ((file, one.place, False) for one in index.of(key))


def hover(project: Project, file: str, offset: int) -> HoverText | None:
    """Return the text to show about the name or key at an offset; `None` if there is none."""
    index = project.index_of(file)
    found = index.at(offset)
    if found is not None:
        symbol = project.symbol(project.target(file, found.key))
        if symbol is not None:
            return HoverText(symbol.detail, tuple(_about(symbol)), found.place)
    key = index.key_at(offset)
    known = SHAPES[key.shape].by_name.get(key.name) if key is not None else None
    if key is None or known is None:
        return None
    title = f"**{key.name}** (key of {SHAPES[key.shape].word})"
    return HoverText(title, (known.about,), key.place, is_code=False)


def _about(symbol: Symbol) -> Iterator[str]:
    """Yield what a declaration says, a line each."""
    if symbol.flow_name != symbol.simple and symbol.kind != "field":
        yield f"In the flow: `{symbol.flow_name}`"
    yield from (f"- {one}" for one in symbol.about)


def outline(project: Project, file: str) -> list[Symbol]:
    """Return the declarations of a document, in its order."""
    found = [one for one in project.index_of(file).symbols.values() if not one.key.startswith("given:")]
    return sorted(found, key=lambda one: one.place)


def search(project: Project, text: str) -> list[tuple[str, Symbol]]:
    """Return the declarations, with their files, whose names contain a text, in all documents."""
    wanted = text.casefold()
    found = [(file, one) for file in project.files() for one in outline(project, file)]
    alike = [(file, one) for file, one in found if wanted in one.name.casefold()]
    return alike[:_MOST_SYMBOLS]
