"""Editing documents of flows: what the checker finds while an author types, and saving. `serve --edit` allows it."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.flow.diagnostic import has_errors
from turnwise.server.document_editing import Editing, Opened, formatted, open_documents, source_of
from turnwise.server.documents import Document
from turnwise.server.operation import OperationCall, operation
from turnwise.server.problems import RequestFailed
from turnwise.server.views.editing import checked_texts, completion_view, hover_view
from turnwise.server.views.flow_page import diagnostic_view, source_file
from turnwise.server.wire.editing import (
    CheckedTexts,
    CompletionView,
    EditedDocument,
    EditedDocuments,
    FormattedText,
    HoverView,
    NewContent,
    PlaceInText,
    SavedDocument,
)

_ERRORS = (404, 409, 413)
_TEXT = {"file": "claims.dy", "text": "state begin;\n"}


def _document(call: OperationCall) -> tuple[Editing, Document]:
    """Return what edits the documents of the flow in the path. Raises `RequestFailed` where nothing does."""
    editing = call.service.editing
    if editing is None:
        why = "this server shows documents and does not change them; start it with 'turnwise serve --edit'"
        raise RequestFailed("editing_off", why)
    document = call.service.document(call.service.app(call.identity, call.part("flow")))
    if document is None:
        raise RequestFailed("unknown_document", "a program made this flow: it has no document")
    return editing, document


def _opened(call: OperationCall, document: Document, file: str, text: str, others: Iterable[EditedDocument]) -> Opened:
    guards = tuple(call.service.app(call.identity, call.part("flow")).machine.code.values())
    return open_documents(document, file, {**{one.file: one.text for one in others}, file: text}, guards)


async def _place(call: OperationCall) -> tuple[Editing, Opened, int]:
    """Read a request about a place in a text; return what edits it, its documents, and the character at the place."""
    body = await call.body(PlaceInText)
    editing, document = _document(call)
    at = _opened(call, document, body.file, body.text, body.others)
    return editing, at, at.offset(body.line, body.character)


@operation(
    "POST",
    "/flows/{flow}/source/check",
    "edit",
    answer=CheckedTexts,
    body=EditedDocuments,
    errors=_ERRORS,
    examples={"a short text": _TEXT},
)
async def check_source(call: OperationCall) -> CheckedTexts:
    """Return the problems of a document as an author has it, each with the edits that repair it. Nothing is written."""
    body = await call.body(EditedDocuments)
    editing, document = _document(call)
    at = _opened(call, document, body.file, body.text, body.others)

    def answer() -> CheckedTexts:
        editing.remember(call.identity.owner, at)
        return checked_texts(at.project, at.names, at.problems())

    return await editing.ask(answer)


@operation(
    "POST",
    "/flows/{flow}/source/complete",
    "edit",
    answer=CompletionView,
    body=PlaceInText,
    errors=_ERRORS,
    examples={"a short text": {**_TEXT, "line": 0, "character": 6}},
)
async def complete_source(call: OperationCall) -> CompletionView:
    """Return what may be written at a place of a document, as completions."""
    editing, at, offset = await _place(call)
    index = await editing.ask(lambda: editing.last_index(call.identity.owner, at))
    return completion_view(at.completion(index, offset), at.text)


@operation(
    "POST",
    "/flows/{flow}/source/hover",
    "edit",
    answer=HoverView,
    body=PlaceInText,
    errors=_ERRORS,
    examples={"a short text": {**_TEXT, "line": 0, "character": 6}},
)
async def hover_source(call: OperationCall) -> HoverView:
    """Return what a name, key or transition of a document is, and what stored conversations did there."""
    editing, at, offset = await _place(call)
    counts = await call.service.caches.counts(call.part("flow"))
    shown, lines = await editing.ask(lambda: at.hover(offset, counts))
    return hover_view(shown, lines, at.text, offset)


@operation(
    "POST",
    "/flows/{flow}/source/format",
    "edit",
    answer=FormattedText,
    body=EditedDocument,
    errors=_ERRORS,
    examples={"a short text": _TEXT},
)
async def format_source(call: OperationCall) -> FormattedText:
    """Return a document in the canonical layout of its format, as `turnwise format` writes it. Nothing is written."""
    body = await call.body(EditedDocument)
    editing, document = _document(call)
    source_of(document, body.file)
    return FormattedText(await editing.ask(lambda: formatted(body.text, body.file)))


@operation(
    "PUT",
    "/flows/{flow}/source",
    "edit",
    answer=SavedDocument,
    body=NewContent,
    errors=_ERRORS,
    examples={"a short text": {**_TEXT, "sha256": "0" * 64}},
)
async def save_source(call: OperationCall) -> SavedDocument:
    """Write a document of a flow, and load the flow again.

    The file must still have the content that the author saw (`sha256`), and be in the folder of the flow's own
    document. It is written also where the document has errors: then new conversations begin with the version before.
    Conversations that have begun keep their version.
    """
    body = await call.body(NewContent)
    editing, document = _document(call)
    written = await editing.save(document, source_of(document, body.file), body.text, body.sha256)
    app = call.service.app(call.identity, call.part("flow"))
    after = call.service.document(app)
    saved = next((one for one in after.texts if one.file == body.file), None) if after is not None else None
    if after is None or saved is None:
        raise RequestFailed("document_unavailable", "the file was written, and is gone or no part of the flow by now")
    problems = after.diagnostics
    shown = source_file(saved, after.file)
    return SavedDocument(
        shown, written, app.machine.fingerprint, not has_errors(problems), tuple(map(diagnostic_view, problems))
    )


OPERATIONS = (check_source, complete_source, hover_source, format_source, save_source)
"""The operations of this module, which the server serves."""
