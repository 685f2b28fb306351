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
"""What a name can be of."""
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
    """Its identity in the document; of a DyGram document its path."""
    kind: SymbolKind
    """What it names."""
    name: str
    """As authors write it: `a.b` for a node in a node."""
    flow_name: str
    """Its name in the flow, by which other documents import it."""
    place: Span
    """Where its name stands."""
    whole: Span
    """The declaration, with its name."""
    parent: str = ""
    """The key of the symbol in which it is declared."""
    detail: str = ""
    """What it is, in one line: `task "Weigh the parcel"`, `field user.age: integer, from 0`."""
    about: tuple[str, ...] = ()
    """What else its declaration says, a line each."""
    is_fixed: bool = False
    """True if another part of the document gives it its name, so that it cannot be renamed here."""

    @property
    def simple(self) -> str:
        """The last part of its name, or the whole name if it has only one."""
        return self.name if self.is_whole else self.name.rpartition(".")[2]

    @property
    def is_whole(self) -> bool:
        """True for a node or record of YAML: its whole name stands at one place, also one with dots."""
        return self.kind != "field" and self.key.startswith(("nodes:", "records:"))


class Occurrence(Struct, frozen=True):
    """A place at which a name is written; of a qualified name one part."""

    key: str
    """The identity of the name."""
    place: Span
    """Where it stands."""
    is_declaration: bool = False
    """True where the name is declared there."""


class ImportedName(Struct, frozen=True):
    """A name that a document takes from another one, and the name that it has here."""

    source: str
    """The other document, as it is written."""
    name: str
    """Its name in the flow of the other document, without a section."""
    key: str
    """The identity of the name here."""
    place: Span
    """Where it stands."""
    alias: Span | None = None
    """Where the name that it has here is written; `None` where it has no other."""


class ImportedFile(Struct, frozen=True):
    """A document that another one names, and where."""

    source: str
    """The document that is named, as it is written."""
    place: Span
    """Where it is named."""


class KeyPlace(Struct, frozen=True):
    """A key of a document."""

    place: Span
    """Where it stands."""
    shape: str
    """The class of the flow model that has the key."""
    name: str
    """The key, as it is written."""


class Unread(NamedTuple):
    """A text of a document in which no names are found."""

    place: Span
    """Where it stands."""
    why: str
    """Why no names are found in it."""
    words: str
    """The text itself."""


class Index(Struct, dict=True):
    """All names of one document, and what else of it the answers need."""

    symbols: dict[str, Symbol] = {}
    """The names that it declares, by identity."""
    occurrences: list[Occurrence] = []
    """Where names are written."""
    imports: list[ImportedName] = []
    """The names that it takes from others."""
    files: list[ImportedFile] = []
    """The documents that it names."""
    keys: list[KeyPlace] = []
    """Its keys."""
    unread: list[Unread] = []
    """Where names may stand that are not among the occurrences; what stands there cannot be renamed."""
    is_whole: bool = True
    """False for a document that holds only parts for others: it has no start and no name of a flow."""
    is_broken: bool = False
    """True for a document of which a part cannot be read."""
    guards: list[str] = []
    """The names of Python functions that transitions name."""

    def at(self, offset: int) -> Occurrence | None:
        """Return the name at a character, also directly behind its last one."""
        found = self._sorted
        number = bisect_right(found, offset, key=lambda one: one.place.begin)
        for one in reversed(found[max(number - 2, 0) : number]):
            if one.place.begin <= offset <= one.place.end:
                return one
        return None

    def key_at(self, offset: int) -> KeyPlace | None:
        """Return the key of the document at a character."""
        return next((one for one in self.keys if one.place.begin <= offset <= one.place.end), None)

    def of(self, key: str) -> list[Occurrence]:
        """Return where a name is written."""
        return self._by_key.get(key, [])

    def named(self, name: str) -> list[Symbol]:
        """Return what another document means by a name, which may begin with its section."""
        found = [one for one in self.importable if name in (one.flow_name, one.name)]
        section, _, rest = name.partition(".")
        return found or [one for one in self.importable if one.flow_name == rest and SECTIONS.get(one.kind) == section]

    @property
    def importable(self) -> Iterator[Symbol]:
        """What other documents can import."""
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
    """Return occurrences without those that stand where another one does: an alias of YAML is read several times."""
    found: dict[Span, Occurrence] = {}
    for one in occurrences:
        known = found.get(one.place)
        if known is None or (one.is_declaration and not known.is_declaration):
            found[one.place] = one
    return list(found.values())
