"""What the server answers: one function for each request of the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from turnwise.authoring.canonical import canonical_text
from turnwise.editor import answers, navigation
from turnwise.editor.counts import counts_in_words
from turnwise.editor.document_completion import TRIGGERS
from turnwise.editor.document_completion import complete as completed
from turnwise.editor.navigation import HoverText
from turnwise.editor.rename import RenameRefused, rename, renamed_at
from turnwise.editor.repairs import Repair, repairs_of
from turnwise.editor.server import FlowServer, encoding_of
from turnwise.editor.text import EditedText, Span

_REFUSED = -32803
"""The code of the protocol for a request that is right, and that cannot be done."""
_MODIFIED = -32801
_COUNTS_WAIT_S = 2.0
"""So long a hover waits for the counts of a store."""


class AtPosition(Protocol):
    """Parameters of a request about a position in a document."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier:
        """The document of the request."""
        ...

    @property
    def position(self) -> types.Position:
        """The position in the document."""
        ...


def initialize(ls: FlowServer, params: types.InitializeParams) -> None:
    """Open the project with the folders of the client."""
    folders = [one.uri for one in params.workspace_folders or ()] or [params.root_uri or ""]
    ls.begin([ls.file_of(one) for one in folders if one.startswith("file:")], encoding_of(ls))


def initialized(ls: FlowServer, params: types.InitializedParams) -> None:
    """Ask the client to report changed files, if it can."""
    del params
    workspace = ls.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace is not None else None
    if watched is not None and watched.dynamic_registration:
        pattern = "**/*.{dy,dygram,mach,yaml,yml,json}"
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(pattern)])
        one = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        ls.client_register_capability(types.RegistrationParams([one]))


def files_changed(ls: FlowServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Check the open documents again after files changed."""
    del params
    ls.files_changed()


def check_after_save(ls: FlowServer, params: types.DidSaveTextDocumentParams) -> None:
    """Check the open documents again after a save: others may import the saved file."""
    del params
    ls.files_changed()


class _Asked:
    """A document as it is when a request comes, and the character that the request is about."""

    def __init__(self, ls: FlowServer, params: AtPosition) -> None:
        self.ls = ls
        self.file = ls.file_of(params.text_document.uri)
        text = ls.project.text_of(self.file)
        self.text = text if text is not None else EditedText("", ls.project.encoding)
        self.offset = self.text.offset(answers.position_of(params.position))

    def check_unchanged(self) -> None:
        """Raise if the document was edited since."""
        if self.ls.project.opened.get(self.file, self.text) is not self.text:
            raise JsonRpcException("the document was edited meanwhile", _MODIFIED)


async def offer_completions(ls: FlowServer, params: types.CompletionParams) -> types.CompletionList:
    """Return the completions at the cursor, with the names of the last index."""
    at = _Asked(ls, params)
    index = ls.project.last_index_of(at.file)
    if index is None:
        index = await ls.ask(lambda: ls.project.index_of(at.file))
    return answers.completions(completed(index, at.text.text, at.file, at.offset), at.text)


async def find_definition(ls: FlowServer, params: types.DefinitionParams) -> types.Location | None:
    """Return where the name at a position is declared; `None` if that is unknown."""
    at = _Asked(ls, params)

    def answer() -> types.Location | None:
        place = navigation.definition(ls.project, at.file, at.offset)
        return answers.location(ls.project, ls.files, place) if place is not None else None

    return await ls.ask(answer)


async def find_references(ls: FlowServer, params: types.ReferenceParams) -> list[types.Location]:
    """Return all places where the name at a position is written."""
    at = _Asked(ls, params)
    with_declaration = params.context.include_declaration

    def answer() -> list[types.Location]:
        found = navigation.references(ls.project, at.file, at.offset, with_declaration=with_declaration)
        places = [answers.location(ls.project, ls.files, one) for one in found]
        return [one for one in places if one is not None]

    return await ls.ask(answer)


async def prepare_rename(ls: FlowServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
    """Return the name at a position if it can be renamed; an error with the reason if not."""
    at = _Asked(ls, params)
    found = await _or_refuse(ls, lambda: renamed_at(ls.project, at.file, at.offset))
    name = at.text.text[found.place.begin : found.place.end]
    return types.PrepareRenamePlaceholder(answers.range_of(at.text, found.place), name)


async def rename_all(ls: FlowServer, params: types.RenameParams) -> types.WorkspaceEdit:
    """Return the edits that rename the name at a position in all documents; an error with the reason if refused."""
    at = _Asked(ls, params)
    edits = await _or_refuse(ls, lambda: rename(ls.project, at.file, at.offset, params.new_name, ls.check))
    at.check_unchanged()
    made: list[types.TextDocumentEdit] = []
    for file, spans in edits.items():
        text = ls.project.text_of(file)
        if text is not None:
            document = types.OptionalVersionedTextDocumentIdentifier(ls.files.address(file), ls.versions.get(file))
            made.append(types.TextDocumentEdit(document, [_edit(text, one, params.new_name) for one in spans]))
    return _workspace_edit(ls, made)


def _edit(text: EditedText, span: Span, new: str) -> types.TextEdit:
    return types.TextEdit(answers.range_of(text, span), new)


def _workspace_edit(ls: FlowServer, edits: list[types.TextDocumentEdit]) -> types.WorkspaceEdit:
    """Return edits as the client takes them: with the versions of documents where it knows these."""
    workspace = ls.client_capabilities.workspace
    known = workspace.workspace_edit if workspace is not None else None
    if known is not None and known.document_changes:
        return types.WorkspaceEdit(document_changes=[*edits])
    changes: dict[str, list[types.TextEdit]] = {}
    for one in edits:
        changes[one.text_document.uri] = [edit for edit in one.edits if isinstance(edit, types.TextEdit)]
    return types.WorkspaceEdit(changes=changes)


async def _or_refuse(ls: FlowServer, question: Callable[[], Any]) -> Any:
    try:
        return await ls.ask(question)
    except RenameRefused as refused:
        raise JsonRpcException(answers.refusal(refused), _REFUSED) from None


async def show_hover(ls: FlowServer, params: types.HoverParams) -> types.Hover | None:
    """Return what is shown about the name or key at a position, with the counts of the store; `None` if nothing."""
    at = _Asked(ls, params)
    found: HoverText | None = await ls.ask(lambda: navigation.hover(ls.project, at.file, at.offset))
    lines: list[str] = []
    if ls.counts is not None:
        counts = ls.counts
        work = asyncio.ensure_future(ls.ask(lambda: counts_in_words(ls.project, counts, at.file, at.offset)))
        done, _ = await asyncio.wait([work], timeout=_COUNTS_WAIT_S)
        lines = work.result() if done else ["the store is being read: ask again"]
    if found is None and not lines:
        return None
    text = "\n\n".join([*([found.text] if found is not None else []), *lines])
    span = found.span if found is not None else Span(at.offset, at.offset)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), answers.range_of(at.text, span))


async def outline(ls: FlowServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """Return the declarations of a document, as a tree."""
    file = ls.file_of(params.text_document.uri)

    def answer() -> list[types.DocumentSymbol]:
        text = ls.project.text_of(file)
        return answers.outline_of(navigation.outline(ls.project, file), text) if text is not None else []

    return await ls.ask(answer)


async def search_symbols(ls: FlowServer, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """Return the declarations of all documents whose names contain a text."""

    def answer() -> list[types.WorkspaceSymbol]:
        found = navigation.search(ls.project, params.query)
        made = [answers.workspace_symbol(ls.project, ls.files, file, one) for file, one in found]
        return [one for one in made if one is not None]

    return await ls.ask(answer)


async def format_document(ls: FlowServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """Return the edit that puts a document into its canonical layout; an error with the reason if it is refused."""
    file = ls.file_of(params.text_document.uri)
    text = ls.project.text_of(file)
    if text is None or not await ls.ask(lambda: ls.project.is_flow(file)):
        return []
    found = await ls.ask(lambda: canonical_text(text.text.removeprefix("\ufeff"), file))
    if not isinstance(found, str):
        first = found[0]
        where = f" (line {first.span.line})" if first.span.line else ""
        raise JsonRpcException(f"not formatted: {first.message}{where}", _REFUSED)
    if "\r\n" in text.text:
        found = found.replace("\n", "\r\n")
    mark = text.text.startswith("\ufeff")
    return [] if found == text.text[mark:] else [_edit(text, Span(int(mark), len(text.text)), found)]


async def find_repairs(ls: FlowServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the repairs of the problems in a part of a document."""
    file = ls.file_of(params.text_document.uri)
    text = ls.project.text_of(file)
    if text is None:
        return []
    begin = text.offset(answers.position_of(params.range.start))
    end = text.offset(answers.position_of(params.range.end))
    made: list[types.CodeAction] = []
    for one in ls.checking.problems_of(file):
        if one.span.begin <= end and begin <= max(one.span.end, one.span.begin):
            reported = answers.diagnostic_of(one, text)
            repairs = repairs_of(one.diagnostic, text.text, one.span.begin)
            made += [_action(ls, file, text, repair, reported) for repair in repairs]
    return made


def _action(
    ls: FlowServer, file: str, text: EditedText, repair: Repair, reported: types.Diagnostic
) -> types.CodeAction:
    document = types.OptionalVersionedTextDocumentIdentifier(ls.files.address(file), ls.versions.get(file))
    edit = types.TextDocumentEdit(document, [_edit(text, repair.span, repair.text)])
    return types.CodeAction(
        repair.title,
        types.CodeActionKind.QuickFix,
        [reported],
        is_preferred=True,
        edit=_workspace_edit(ls, [edit]),
    )


def language_server(version: str, guards: Any = (), tools: Any = (), store: str = "") -> FlowServer:
    """Return a language server that answers all requests, not yet started. `version` is that of turnwise, `guards` and
    `tools` are those of the program, `store` is the address of a store whose counts a hover shows; empty for none.
    """
    server = FlowServer(version, guards, tools, store)
    for method, handler, options in (
        (types.INITIALIZE, initialize, None),
        (types.INITIALIZED, initialized, None),
        (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files_changed, None),
        (types.TEXT_DOCUMENT_DID_SAVE, check_after_save, None),
        (types.TEXT_DOCUMENT_COMPLETION, offer_completions, types.CompletionOptions(trigger_characters=list(TRIGGERS))),
        (types.TEXT_DOCUMENT_DEFINITION, find_definition, None),
        (types.TEXT_DOCUMENT_REFERENCES, find_references, None),
        (types.TEXT_DOCUMENT_PREPARE_RENAME, prepare_rename, None),
        (types.TEXT_DOCUMENT_RENAME, rename_all, types.RenameOptions(prepare_provider=True)),
        (types.TEXT_DOCUMENT_HOVER, show_hover, None),
        (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline, None),
        (types.WORKSPACE_SYMBOL, search_symbols, None),
        (types.TEXT_DOCUMENT_FORMATTING, format_document, None),
        (
            types.TEXT_DOCUMENT_CODE_ACTION,
            find_repairs,
            types.CodeActionOptions([types.CodeActionKind.QuickFix]),
        ),
    ):
        server.feature(method, options)(handler)
    return server
