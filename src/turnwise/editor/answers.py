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
    """Return a position of the protocol."""
    return Position(position.line, position.character)


def change_of(change: types.TextDocumentContentChangeEvent) -> Change:
    """Return an edit of the protocol."""
    if isinstance(change, types.TextDocumentContentChangePartial):
        return Change(change.text, position_of(change.range.start), position_of(change.range.end))
    return Change(change.text)


def range_of(text: EditedText, span: Span) -> types.Range:
    """Return a part of a text as a range."""
    begin, end = text.position(span.begin), text.position(span.end)
    return types.Range(types.Position(*begin), types.Position(*end))


class FileAddresses:
    """The names of files in the protocol: open documents have the one that the editor gave."""

    def __init__(self) -> None:
        self._addresses: dict[str, str] = {}

    def remember(self, file: str, address: str) -> None:
        """Remember how the editor calls a document."""
        self._addresses[file] = address

    def address(self, file: str) -> str:
        """Return the address of a file."""
        return self._addresses.get(file) or (Path(file).as_uri() if Path(file).is_absolute() else file)


def location(project: Project, files: FileAddresses, place: Place) -> types.Location | None:
    """Return a place in a file; `None` for a file that cannot be read."""
    text = project.text_of(place.file)
    return types.Location(files.address(place.file), range_of(text, place.span)) if text is not None else None


def diagnostic_of(problem: Problem, text: EditedText) -> types.Diagnostic:
    """Return a problem with its code, the page about it and its hint."""
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
    """Return what may be written at the cursor."""
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
    """Return the declarations of a document as a tree."""
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
    """Return a declaration of some document."""
    at = location(project, files, Place(file, one.place))
    if at is None:
        return None
    return types.WorkspaceSymbol(at, one.name or "?", _KINDS[one.kind], container_name=Path(file).name)


def refusal(error: TurnwiseError) -> str:
    """Return why something was refused, as an editor shows it: in one line."""
    return " ".join(str(error).split())
