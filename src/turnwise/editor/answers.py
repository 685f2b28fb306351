"""Converts answers to the types of the protocol: places to ranges, declarations to symbols, problems to diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types

from turnwise.editor.completion import Completion, Offer, OfferKind
from turnwise.editor.index import Symbol, SymbolKind
from turnwise.editor.navigation import Place
from turnwise.editor.problems import Problem, page_of
from turnwise.editor.project import Project
from turnwise.editor.text import Change, EditedText, Position, Span
from turnwise.errors import TurnwiseError

_KINDS: dict[SymbolKind, types.SymbolKind] = {
    "flow": types.SymbolKind.Module,
    "node": types.SymbolKind.Class,
    "record": types.SymbolKind.Struct,
    "field": types.SymbolKind.Field,
    "type": types.SymbolKind.Interface,
    "tool": types.SymbolKind.Function,
    "event": types.SymbolKind.Event,
    "overlay": types.SymbolKind.Object,
    "schedule": types.SymbolKind.Event,
    "server": types.SymbolKind.Package,
    "import": types.SymbolKind.Module,
    "price": types.SymbolKind.Number,
}
_OFFERED: dict[OfferKind, types.CompletionItemKind] = {
    "key": types.CompletionItemKind.Property,
    "name": types.CompletionItemKind.Reference,
    "field": types.CompletionItemKind.Field,
    "value": types.CompletionItemKind.EnumMember,
    "function": types.CompletionItemKind.Function,
    "word": types.CompletionItemKind.Keyword,
}


def position_of(position: types.Position) -> Position:
    """Convert a position of the language server protocol (line and character from 0)."""
    return Position(position.line, position.character)


def change_of(change: types.TextDocumentContentChangeEvent) -> Change:
    """Convert an edit of the language server protocol."""
    if isinstance(change, types.TextDocumentContentChangePartial):
        return Change(change.text, position_of(change.range.start), position_of(change.range.end))
    return Change(change.text)


def range_of(text: EditedText, span: Span) -> types.Range:
    """Convert a part of a text to a range of the language server protocol."""
    begin, end = text.position(span.begin), text.position(span.end)
    return types.Range(types.Position(*begin), types.Position(*end))


class FileAddresses:
    """The addresses of files in the protocol; an open document keeps the address that the editor sent."""

    def __init__(self) -> None:
        self._addresses: dict[str, str] = {}

    def remember(self, file: str, address: str) -> None:
        """Store the address by which the editor names a file."""
        self._addresses[file] = address

    def address(self, file: str) -> str:
        """Return the protocol address of a file."""
        return self._addresses.get(file) or (Path(file).as_uri() if Path(file).is_absolute() else file)


def location(project: Project, files: FileAddresses, place: Place) -> types.Location | None:
    """Convert a place in a file to a location of the protocol; `None` for a file that cannot be read."""
    text = project.text_of(place.file)
    return types.Location(files.address(place.file), range_of(text, place.span)) if text is not None else None


def diagnostic_of(problem: Problem, text: EditedText) -> types.Diagnostic:
    """Convert a problem to a diagnostic of the protocol, with its code, the page about it and its hint."""
    found = problem.diagnostic
    page = page_of(found.code)
    is_error = found.severity == "error"
    return types.Diagnostic(
        range_of(text, problem.span),
        found.message + (f"; {found.hint}" if found.hint else ""),
        types.DiagnosticSeverity.Error if is_error else types.DiagnosticSeverity.Warning,
        found.code,
        types.CodeDescription(page) if page else None,
        "turnwise",
    )


def completions(found: Completion, text: EditedText) -> types.CompletionList:
    """Convert completions to a list of the protocol."""
    place = range_of(text, found.span)
    items = [_item(one, place, number) for number, one in enumerate(found.offers)]
    return types.CompletionList(found.is_incomplete, items)


def _item(offer: Offer, place: types.Range, number: int) -> types.CompletionItem:
    return types.CompletionItem(
        offer.label,
        kind=_OFFERED[offer.kind],
        detail=offer.detail or None,
        sort_text=f"{number:04}",
        filter_text=offer.label,
        text_edit=types.TextEdit(place, offer.label),
    )


def outline_of(symbols: Iterable[Symbol], text: EditedText) -> list[types.DocumentSymbol]:
    """Convert the declarations of a document to a tree of symbols of the protocol."""
    made: dict[str, types.DocumentSymbol] = {}
    roots: list[types.DocumentSymbol] = []
    for one in symbols:
        whole = Span(min(one.whole.begin, one.place.begin), max(one.whole.end, one.place.end))
        name = one.simple or one.name or "?"
        found = types.DocumentSymbol(
            name, _KINDS[one.kind], range_of(text, whole), range_of(text, one.place), one.detail or None, children=[]
        )
        made[one.key] = found
        parent = made.get(one.parent)
        (parent.children if parent is not None and parent.children is not None else roots).append(found)  # type: ignore[union-attr]
    return roots


def workspace_symbol(project: Project, files: FileAddresses, file: str, one: Symbol) -> types.WorkspaceSymbol | None:
    """Convert a declaration in a file to a symbol of the protocol; `None` for a file that cannot be read."""
    at = location(project, files, Place(file, one.place))
    if at is None:
        return None
    return types.WorkspaceSymbol(at, one.name or "?", _KINDS[one.kind], container_name=Path(file).name)


def refusal(error: TurnwiseError) -> str:
    """Return the reason of a refused request in one line, as an editor shows it."""
    return " ".join(str(error).split())
