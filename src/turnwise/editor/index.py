"""The names of one document: where each is declared, and where each is written.

Documents of all formats have the same index, so that what an editor asks about names is answered once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct

from turnwise.editor.text import Span

SymbolKind = Literal[
    "flow", "node", "record", "field", "type", "tool", "event", "overlay", "schedule", "server", "import", "price"
]
"""The kinds of things that a name in a flow can stand for."""
SECTIONS: dict[SymbolKind, str] = {
    "node": "nodes",
    "record": "records",
    "tool": "tools",
    "event": "events",
    "overlay": "overlays",
    "schedule": "schedules",
    "server": "mcp",
    "price": "prices",
}
"""The sections of a flow by the kinds of what they hold."""


class Symbol(Struct, frozen=True):
    """A name that a document declares."""

    key: str
    """The identity of the name in the document; in a DyGram document its path."""
    kind: SymbolKind
    """The kind of thing that is named."""
    name: str
    """The name as authors write it: `a.b` for a node in a node."""
    flow_name: str
    """The name in the flow, by which other documents import it."""
    place: Span
    """Where the name is written."""
    whole: Span
    """The whole declaration, including its name."""
    parent: str = ""
    """The key of the symbol that contains the declaration; empty at the top level."""
    detail: str = ""
    """A description in one line: `task "Weigh the parcel"`, `field user.age: integer, from 0`."""
    about: tuple[str, ...] = ()
    """Further lines of description, such as the prompt."""
    is_fixed: bool = False
    """True if another part of the document gives it its name, so that it cannot be renamed here."""

    @property
    def simple(self) -> str:
        """The last part of the name, or the whole name if it has only one."""
        return self.name if self.is_whole else self.name.rpartition(".")[2]

    @property
    def is_whole(self) -> bool:
        """True for a node or record of YAML, whose name is written in one piece even if it has dots."""
        return self.kind != "field" and self.key.startswith(("nodes:", "records:"))


class Occurrence(Struct, frozen=True):
    """A place at which a name, or a part of a qualified name, is written."""

    key: str
    """The key of the symbol that is named."""
    place: Span
    """Where the name is written."""
    is_declaration: bool = False
    """True if the name is declared here."""


class ImportedName(Struct, frozen=True):
    """A name that a document takes from another one, and the name that it has here."""

    source: str
    """The path of the other document, as it is written."""
    name: str
    """The name in the other document's flow, without a section."""
    key: str
    """The key of the name in this document."""
    place: Span
    """Where the imported name is written."""
    alias: Span | None = None
    """Where the alias that it has in this document is written; `None` without an alias."""


class ImportedFile(Struct, frozen=True):
    """The path of another document in a document, and where it is written."""

    source: str
    """The path of the other document, as it is written."""
    place: Span
    """Where the path is written."""


class KeyPlace(Struct, frozen=True):
    """A key of the flow format in a document."""

    place: Span
    """Where the key is written."""
    shape: str
    """The class of the flow model that has the key."""
    name: str
    """The key, as it is written."""


class Unread(NamedTuple):
    """A text of a document in which no names are found."""

    place: Span
    """Where the text is written."""
    why: str
    """Why no names are found in the text, in words."""
    words: str
    """The unread text."""


class Index(Struct, dict=True):
    """All names of one document, and what the answers about them need."""

    symbols: dict[str, Symbol] = {}
    """The symbols that the document declares, by their key."""
    occurrences: list[Occurrence] = []
    """The places where names are written."""
    imports: list[ImportedName] = []
    """The names that the document imports."""
    files: list[ImportedFile] = []
    """The documents that the document imports or names."""
    keys: list[KeyPlace] = []
    """The keys of the flow format in the document."""
    unread: list[Unread] = []
    """Texts that may contain names which are not among the occurrences; a name in them cannot be renamed."""
    is_whole: bool = True
    """False for a document that holds only parts for others: it has no start and no name of a flow."""
    is_broken: bool = False
    """True if a part of the document cannot be read."""
    guards: list[str] = []
    """The names of the Python functions that transitions use as guards."""

    def at(self, offset: int) -> Occurrence | None:
        """Return the occurrence at an offset, or directly before it; `None` if there is none."""
        found = self._sorted
        number = bisect_right(found, offset, key=lambda one: one.place.begin)
        for one in reversed(found[max(number - 2, 0) : number]):
            if one.place.begin <= offset <= one.place.end:
                return one
        return None

    def key_at(self, offset: int) -> KeyPlace | None:
        """Return the key of the flow format at an offset; `None` if there is none."""
        return next((one for one in self.keys if one.place.begin <= offset <= one.place.end), None)

    def of(self, key: str) -> list[Occurrence]:
        """Return the places where the name of a symbol is written, by the symbol's key."""
        return self._by_key.get(key, [])

    def named(self, name: str) -> list[Symbol]:
        """Return the symbols that another document means by a name, which may begin with its section."""
        found = [one for one in self.importable if name in (one.flow_name, one.name)]
        section, _, rest = name.partition(".")
        return found or [one for one in self.importable if one.flow_name == rest and SECTIONS.get(one.kind) == section]

    @property
    def importable(self) -> Iterator[Symbol]:
        """The symbols that other documents can import."""
        return (one for one in self.symbols.values() if one.kind in (*SECTIONS, "type") and "/" not in one.key)

    @cached_property
    def _sorted(self) -> list[Occurrence]:
        return sorted(self.occurrences, key=lambda one: one.place)

    @cached_property
    def _by_key(self) -> dict[str, list[Occurrence]]:
        found: dict[str, list[Occurrence]] = {}
        for one in self._sorted:
            found.setdefault(one.key, []).append(one)
        return found


def unique(occurrences: Iterable[Occurrence]) -> list[Occurrence]:
    """Return occurrences without duplicates at the same place, which YAML aliases cause."""
    found: dict[Span, Occurrence] = {}
    for one in occurrences:
        known = found.get(one.place)
        if known is None or (one.is_declaration and not known.is_declaration):
            found[one.place] = one
    return list(found.values())
