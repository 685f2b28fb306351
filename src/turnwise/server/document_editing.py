"""Edits the documents of the served flows: what the checker finds in a text that is typed, and saving it.

The answers are those of the language server, by the same functions.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from turnwise.api.documents import check_text
from turnwise.archive.edge_counts import FlowCounts
from turnwise.authoring.canonical import canonical_text
from turnwise.editor.completion import Completion
from turnwise.editor.counts import counts_in_words
from turnwise.editor.document_completion import complete
from turnwise.editor.index import Index
from turnwise.editor.navigation import HoverText, hover
from turnwise.editor.problems import Problem, check_document
from turnwise.editor.project import Project
from turnwise.editor.text import UTF16, EditedText, Position
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Diagnostic
from turnwise.server.document_writing import write_document
from turnwise.server.documents import Document
from turnwise.server.problems import RequestFailed

MOST_CONCURRENT = 2
"""How many answers about edited documents are computed at once; others wait."""
_MOST_INDEXES = 200
Answer = TypeVar("Answer")
"""The type of the answer to a question about documents."""


class Editing:
    """The editing of documents by authors; `reload` loads the flows whose files have changed."""

    def __init__(self, reload: Callable[[], Awaitable[None]]) -> None:
        self.reload = reload
        self._at_once = asyncio.Semaphore(MOST_CONCURRENT)
        self._writing = asyncio.Lock()
        self._indexes: dict[tuple[str, str], Index] = {}
        """The names of the last text of a document, by the owner who typed it and the file."""

    async def ask(self, question: Callable[[], Answer]) -> Answer:
        """Return the answer of a function that runs in another thread."""
        async with self._at_once:
            return await asyncio.to_thread(question)

    async def save(self, document: Document, file: str, text: str, expected: str) -> str:
        """Write the new `text` of a `file` of a flow if its SHA-256 is `expected`, reload the flows that have it, and
        return the SHA-256 of the new content. Raises `RequestFailed`.
        """
        root = str(Path(document.file).parent)
        async with self._writing:  # so that of two that save at once the second one is compared with the first
            written = await asyncio.to_thread(write_document, root, file, text, expected)
        await self.reload()
        return written

    def last_index(self, owner: str, opened: Opened) -> Index:
        """Return the names in the last readable text that this owner of a key has typed; without one, those in the
        present text.
        """
        found = self._indexes.get((owner, opened.file))
        return found if found is not None else self.remember(owner, opened)

    def remember(self, owner: str, opened: Opened) -> Index:
        """Store the names in the text that an owner of a key has typed, and return them, for the completions that
        follow.
        """
        index = opened.project.index_of(opened.file)
        self._indexes = {**self._indexes, (owner, opened.file): index}
        if len(self._indexes) > _MOST_INDEXES:
            del self._indexes[next(iter(self._indexes))]
        return index


class Opened(Struct, frozen=True):
    """The documents of a flow with the unsaved texts of an author."""

    project: Project
    """The documents in the form that the language server uses."""
    file: str
    """The real path of the edited document."""
    text: EditedText
    """The text in the editor."""
    names: Mapping[str, str]
    """The paths by which the server names the documents, by their real paths."""
    guards: tuple[PythonGuard, ...]
    """The Python guards of the flow, whose names may be used."""

    def offset(self, line: int, character: int) -> int:
        """Return the offset in the edited text of a place: line and UTF-16 code unit in the line, both from 0."""
        return self.text.offset(Position(line, character))

    def problems(self) -> dict[str, list[Problem]]:
        """Return the problems of each document of the flow that the edited one belongs to, by path."""
        found: dict[str, list[Problem]] = {self.file: []}
        for of_root in check_document(self.project, self.file, self._check).found.values():
            for file, problems in of_root.items():
                found[file] = list(dict.fromkeys([*found.get(file, []), *problems]))
        return {file: sorted(problems, key=lambda one: one.span) for file, problems in found.items()}

    def completion(self, index: Index, offset: int) -> Completion:
        """Return what may be written at an offset of the edited text; `index` has the names that can be offered."""
        return complete(index, self.text.text, self.file, offset)

    def hover(self, offset: int, counts: FlowCounts) -> tuple[HoverText | None, list[str]]:
        """Return what is known about the name at an offset, and by `counts`, as lines, how often stored conversations
        came to what it names.
        """
        shown = hover(self.project, self.file, offset)
        return shown, counts_in_words(self.project, _OneFlow(counts), self.file, offset)

    def _check(self, content: bytes, file: str, load: Callable[[str], str | Diagnostic]) -> list[Diagnostic]:
        return check_text(content, file, self.guards, load=load)


class _OneFlow(Struct, frozen=True):
    """The counts of the one flow that is asked about."""

    counts: FlowCounts

    def of(self, flow: str) -> FlowCounts:  # noqa: ARG002  an imported document does not have its name
        """Return the counts."""
        return self.counts


def open_documents(
    document: Document, file: str, texts: Mapping[str, str], guards: tuple[PythonGuard, ...] = ()
) -> Opened:
    """Return a flow's documents, with an author's unsaved texts of some of them, by path. `guards` are the Python
    guards that it may name. Raises `RequestFailed` for a `file` that is no document of the flow.
    """
    for one in (file, *texts):
        source_of(document, one)
    names = {os.path.realpath(one.file): one.file for one in document.texts}
    project = Project([str(Path(document.file).parent)], UTF16, listed=names)
    for one in document.texts:
        if one.file in texts or one.saved_ms:
            project.put(os.path.realpath(one.file), EditedText(texts.get(one.file, one.text)))
    real = os.path.realpath(file)
    return Opened(project, real, project.opened[real], names, guards)


def source_of(document: Document, file: str) -> str:
    """Return the real path of the document `file` of a flow.
    Raises `RequestFailed` if the flow has no document of this path.
    """
    if file not in [one.file for one in document.texts]:
        why = "this flow has no document of that path; GET …/source lists its documents"
        raise RequestFailed("unknown_document", why)
    return file


def formatted(text: str, file: str) -> str:
    """Return the text of a document in the canonical layout of its format, which the ending of `file` says.
    Raises `RequestFailed` where it has none.
    """
    found = canonical_text(text.removeprefix("\ufeff"), file)
    if isinstance(found, str):
        return found
    first = found[0]
    where = f" (line {first.span.line})" if first.span.line else ""
    raise RequestFailed("not_formatted", f"{first.message}{where}", hint=first.hint or None)
