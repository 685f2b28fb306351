"""The language server: takes the messages of an editor and answers them.

Edits are applied in their order on the event loop. Answers that need an index are made by a thread, and completion at
once from the last index. Nothing but messages is written to the standard output.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method
from pygls.uris import to_fs_path

from turnwise.api.documents import check_text
from turnwise.authoring.source import SUFFIXES
from turnwise.editor.answers import FileAddresses, change_of, diagnostic_of
from turnwise.editor.checking import Checking
from turnwise.editor.counts import StoreCounts
from turnwise.editor.problems import Problem
from turnwise.editor.project import Project
from turnwise.editor.text import UTF16, Change, EditedText
from turnwise.flow.diagnostic import Diagnostic

_log = logging.getLogger(__name__)
_SWITCH_S = 0.0005
"""So long a check may compute before an answer goes on; the default is ten times as long, several times per answer."""
Answer = TypeVar("Answer")
"""The type of the answer to a question about documents."""


class _Protocol(LanguageServerProtocol):
    """Keeps the texts of documents by the rules of the protocol: pygls has other line breaks, and no halves of
    characters.
    """

    _server: FlowServer  # pyright: ignore[reportIncompatibleVariableOverride]

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:  # type: ignore[override]
        """Take the text of a document."""
        self._server.open_document(params.text_document)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:  # type: ignore[override]
        """Apply edits."""
        self._server.change_document(params.text_document, [change_of(one) for one in params.content_changes])

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:  # type: ignore[override]
        """Forget the text of a document."""
        self._server.close_document(params.text_document.uri)


class FlowServer(LanguageServer):
    """A language server for one editor, with its documents and their checks."""

    def __init__(self, version: str, guards: Any = (), tools: Any = (), store: str = "") -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            "turnwise",
            version,
            protocol_cls=_Protocol,
            converter_factory=default_converter,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
        )
        self.guards, self.tools = guards, tools
        self.counts = StoreCounts(store) if store else None
        self.files = FileAddresses()
        self.project = Project()
        self.checking = Checking(self.project, self.check, self.publish)
        self.answers = ThreadPoolExecutor(2, "answer")
        self.versions: dict[str, int] = {}
        self._names: dict[str, str] = {}
        """The files of addresses. A document that is no file has a name with the ending of its language."""

    def begin(self, folders: list[str], encoding: str) -> None:
        """Open the project with its folders, and set the unit (`encoding`) in which the characters of a line are
        counted.
        """
        self.project = Project(folders, encoding)
        self.checking.project = self.project

    def check(self, content: bytes, file: str, load: Callable[[str], str | Diagnostic]) -> list[Diagnostic]:
        """Return the problems of a document; `load` reads the files that it imports."""
        return check_text(content, file, self.guards, self.tools, load)

    async def ask(self, question: Callable[[], Answer]) -> Answer:
        """Run a function in the server's thread, and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self.answers, question)

    # documents ---------------------------------------------------------------------------------

    def file_of(self, address: str) -> str:
        """Return the real path of a document; for an unsaved document a name with the suffix of its language."""
        if address not in self._names:
            path = to_fs_path(address) if address.startswith("file:") else None
            self._names[address] = os.path.realpath(path.replace("\0", "")) if path else unquote(address)
        return self._names[address]

    def open_document(self, document: types.TextDocumentItem) -> None:
        """Store the text of an opened document, and check it."""
        file = self.file_of(document.uri)
        if not file.endswith(SUFFIXES):
            file += ".dy" if document.language_id == "dygram" else ".yaml"
            self._names[document.uri] = file
        self.files.remember(file, document.uri)
        self.versions[file] = document.version
        self.project.put(file, EditedText(document.text, self.project.encoding))
        self.checking.changed(file)

    def change_document(self, document: types.VersionedTextDocumentIdentifier, changes: list[Change]) -> None:
        """Apply edits to an open document, and check it."""
        file = self.file_of(document.uri)
        text = self.project.opened.get(file)
        if text is None:
            return
        for change in changes:
            text = text.changed(change)
        self.versions[file] = document.version
        self.project.put(file, text)
        self.checking.changed(file)

    def close_document(self, address: str) -> None:
        """Remove the text of a closed document, and check those that import it with the file's text."""
        file = self.file_of(address)
        self.project.close(file)
        self.versions.pop(file, None)
        self.checking.closed(file)
        for other in list(self.project.opened):
            self.checking.changed(other, with_importers=False)

    def files_changed(self) -> None:
        """Check all open documents again after files were written, made or deleted."""
        self.project.forget_files()
        for file in list(self.project.opened):
            self.checking.changed(file, with_importers=False)

    def publish(self, file: str, problems: list[Problem]) -> None:
        """Send the problems of a file to the editor."""
        text = self.project.text_of(file)
        found = [diagnostic_of(one, text) for one in problems] if text is not None else []
        params = types.PublishDiagnosticsParams(self.files.address(file), found, self.versions.get(file))
        self.text_document_publish_diagnostics(params)

    # failures ----------------------------------------------------------------------------------

    def report_server_error(self, error: Exception, source: type[JsonRpcException]) -> None:  # type: ignore[override]
        """Log the error of a request, without showing a message in the editor."""
        if not issubclass(source, FeatureRequestError):
            _log.error("%s: %s", source.__name__, error)

    def stop(self) -> None:
        """Stop all checks and threads."""
        self.checking.stop()
        self.answers.shutdown(wait=False, cancel_futures=True)


def _is_failure(record: logging.LogRecord) -> bool:
    """Return whether a record of pygls is more than a request that was refused with a reason."""
    return not (record.exc_info and type(record.exc_info[1]) is JsonRpcException)


def encoding_of(server: FlowServer) -> str:
    """Return the unit in which client and server count the characters of a line, such as UTF-16."""
    found = server.workspace.position_encoding
    return str(getattr(found, "value", found) or UTF16)


def run_server(make: Callable[[], FlowServer]) -> None:
    """Answer the requests of an editor on standard input until it ends; `make` makes the server. What code prints goes
    to standard error, also what the flow's own code prints while the server is made.
    """
    sys.setswitchinterval(_SWITCH_S)
    with _own_streams() as (reader, writer):
        server = make()
        logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_failure)
        try:
            server.start_io(reader, writer)
        finally:
            server.stop()


@contextmanager
def _own_streams() -> Generator[tuple[BinaryIO, BinaryIO]]:
    """Take standard input and output for messages alone."""
    sys.stdout.flush()
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    try:
        yield reader, writer
    finally:
        for one in (reader, writer):
            with suppress(OSError):
                one.close()
