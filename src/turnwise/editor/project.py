"""The documents of a project: those that are open in the editor, with the text in it, and those of its folders.

An index is made once per text. What is read here may be read by several threads: a change replaces a table, and never
changes one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from turnwise.authoring.source import DYGRAM, JSON, MAX_BYTES, YAML, read_source
from turnwise.editor.dygram_index import dygram_index
from turnwise.editor.index import Index, Symbol
from turnwise.editor.readable import readable_tree
from turnwise.editor.text import UTF16, EditedText
from turnwise.editor.tree_index import TreeIndexer
from turnwise.flow.diagnostic import Diagnostic

FLOWS = (*DYGRAM, *(f".flow{one}" for one in (*YAML, *JSON)))
"""The endings of the files that are looked for in folders; others are known where a flow imports them."""
MOST_FILES = 2000
"""How many documents of a project are read at most."""
_MOST_FOLDERS = 20_000
_MOST_STEPS = 10
_OWN_KEY = re.compile(r"^[\s{,]*[\"']?(?:flow|orchestration|gates)[\"']?\s*:", re.MULTILINE)
"""A key by which a document is known as a flow."""
_LOOKED_AT = 20_000
_SKIPPED = ("node_modules", "__pycache__", "venv", "dist", "build", "target")


class Target(NamedTuple):
    """A name, identified by its document and its key there."""

    file: str
    """The path of the document."""
    key: str
    """The key of the name in the document's index."""


class _Kept(NamedTuple):
    """An index, and the text or the state of the file that it was made of."""

    of: object
    made: Index


class Project:
    """The documents that answers may be about, by their real paths."""

    def __init__(self, folders: Iterable[str] = (), encoding: str = UTF16, listed: Iterable[str] | None = None) -> None:
        """`listed` are the documents of the folders where they are known, as real paths; else they are looked for."""
        self.folders = tuple(os.path.realpath(one) for one in folders)
        self.encoding = encoding
        self.opened: dict[str, EditedText] = {}
        self._kept: dict[str, _Kept] = {}
        self._listed: tuple[str, ...] | None = None if listed is None else tuple(listed)

    # texts -------------------------------------------------------------------------------------

    def put(self, file: str, text: EditedText) -> None:
        """Set the text of a document that is open in the editor."""
        self.opened = {**self.opened, file: text}

    def close(self, file: str) -> None:
        """Remove the text of a document that is no longer open, so that its file is read again."""
        self.opened = {name: text for name, text in self.opened.items() if name != file}

    def forget_files(self) -> None:
        """List the files of the folders again at the next question, since some were made or deleted."""
        self._listed = None

    def text_of(self, file: str) -> EditedText | None:
        """Return the text of a document; `None` for a file that cannot be read."""
        opened = self.opened.get(file)
        if opened is not None:
            return opened
        found = read_source(file)
        return None if isinstance(found, Diagnostic) else EditedText(found, self.encoding)

    def load(self, path: str) -> str | Diagnostic:
        """Return the text of a file from the editor if open, else from the disk; a diagnostic if it cannot be read."""
        opened = self.opened.get(os.path.realpath(path.replace("\0", "")))
        return read_source(path) if opened is None else opened.text.removeprefix("\ufeff")

    # indexes -----------------------------------------------------------------------------------

    def index_of(self, file: str) -> Index:
        """Return the index of a document; empty if the document cannot be read."""
        opened = self.opened.get(file)
        state: object = opened if opened is not None else _state_of(file)
        kept = self._kept.get(file)
        if kept is not None and (kept.of is state or (opened is None and kept.of == state)):
            return kept.made
        text = opened or self.text_of(file)
        index = Index() if text is None else index_of_text(text, file)
        self._kept[file] = _Kept(state, index)
        return index

    def last_index_of(self, file: str) -> Index | None:
        """Return the last index that was made for a document, without making one; `None` if there is none."""
        kept = self._kept.get(file)
        return kept.made if kept is not None else None

    # files -------------------------------------------------------------------------------------

    def files(self) -> list[str]:
        """Return the files of the project: open ones, those in its folders, and those that they import."""
        if self._listed is None:
            self._listed = tuple(_listed(self.folders))
        found = dict.fromkeys([*self.opened, *self._listed])
        waiting = list(found)
        while waiting and len(found) < MOST_FILES:
            file = waiting.pop()
            for one in self.index_of(file).files:
                other = self.resolved(file, one.source)
                if other and other not in found:
                    found[other] = None
                    waiting.append(other)
        return list(found)

    def resolved(self, file: str, source: str) -> str:
        """Return the real path of the file that the document `file` names as `source`; empty if that file is not in the
        project.
        """
        other = os.path.realpath(os.path.join(os.path.dirname(file), source.replace("\0", "")))  # noqa: PTH118, PTH120
        roots = self.folders or (os.path.dirname(file),)  # noqa: PTH120
        is_inside = any(Path(other).is_relative_to(root) for root in roots)
        return other if is_inside and Path(other).is_file() else ""

    def importers(self, file: str) -> list[str]:
        """Return the documents that import a document, directly or through others."""
        found: dict[str, None] = {}
        waiting = [file]
        names = self.files()
        while waiting:
            wanted = waiting.pop()
            for one in names:
                if one != file and one not in found and self._imports(one, wanted):
                    found[one] = None
                    waiting.append(one)
        return list(found)

    def _imports(self, file: str, other: str) -> bool:
        return any(self.resolved(file, one.source) == other for one in self.index_of(file).files)

    def is_flow(self, file: str) -> bool:
        """Return whether a document is a flow or a part of one; other YAML and JSON files are not served."""
        if file.endswith(FLOWS):
            return True
        text = self.text_of(file)
        return (text is not None and _OWN_KEY.search(text.text[:_LOOKED_AT]) is not None) or bool(self.importers(file))

    # names -------------------------------------------------------------------------------------

    def target(self, file: str, key: str, steps: int = _MOST_STEPS) -> Target:
        """Return the declaration that a name, by its key in the index of a file, means, in the document from which it
        is imported. At most `steps` imports are followed.
        """
        kind, _, rest = key.partition(":")
        if kind not in ("import", "from") or not steps:
            return Target(file, key)
        if kind == "from":
            source, _, name = rest.rpartition(":")
            return self._declared(file, key, source, name, steps)
        field, imports = "", self.index_of(file).imports
        one = next((one for one in imports if one.key == key), None)
        if one is None:
            local, _, field = rest.rpartition(".")
            one = next((one for one in imports if one.key == f"import:{local}"), None)
        if one is None:
            return Target(file, key)
        found = self._declared(file, key, one.source, one.name, steps)
        return self._field_of(found, field) if field and found.key != key else found

    def _declared(self, file: str, key: str, source: str, name: str, steps: int) -> Target:
        """Return the declaration of a name in another document, or the name itself where there is none."""
        other = self.resolved(file, source)
        if not other:
            return Target(file, key)
        index = self.index_of(other)
        found = index.named(name)
        if len(found) == 1:
            return Target(other, found[0].key)
        passed_on = f"import:{name}"
        if any(one.key == passed_on for one in index.imports):
            return self.target(other, passed_on, steps - 1)
        return Target(file, key)

    def _field_of(self, record: Target, field: str) -> Target:
        symbols = self.index_of(record.file).symbols.values()
        found = next((one for one in symbols if one.parent == record.key and one.simple == field), None)
        return Target(record.file, found.key) if found is not None else record

    def symbol(self, target: Target) -> Symbol | None:
        """Return the symbol of the name `target`; `None` if no document declares it."""
        return self.index_of(target.file).symbols.get(target.key)


def index_of_text(text: EditedText, file: str) -> Index:
    """Return the index of a text; empty if the text is longer than a document may be."""
    if len(text.text) > MAX_BYTES:
        return Index(is_broken=True)
    if file.endswith(DYGRAM):
        return dygram_index(text, file)
    found = readable_tree(text.text, file)
    index = TreeIndexer(text, is_yaml=True).whole(found.tree)
    index.is_broken = bool(found.left_out)
    return index


def _state_of(file: str) -> tuple[int, int] | None:
    """Return what changes when a file is written; `None` for a file that is not there."""
    try:
        found = os.stat(file)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def _listed(folders: Iterable[str]) -> Iterator[str]:
    """Yield the flows in folders; a link that leads out of them is no part of the project."""
    count = visited = 0
    for folder in folders:
        for base, inner, names in os.walk(folder):
            visited += 1
            inner[:] = [one for one in inner if not one.startswith(".") and one not in _SKIPPED]
            for name in names:
                real = os.path.realpath(os.path.join(base, name)) if name.endswith(FLOWS) else ""  # noqa: PTH118
                if real and any(Path(real).is_relative_to(one) for one in folders):
                    count += 1
                    yield real
            if count >= MOST_FILES or visited >= _MOST_FOLDERS:
                return
