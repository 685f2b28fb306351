"""What DyGram means is pinned by its documents: a compiler without a row of one of its tables reads one of them otherwise.

The mutants are generated from the tables of `authoring/dygram/compile/`, and run in this process.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import turnwise.authoring.dygram.compile as compiler
from turnwise.api.documents import check, load
from turnwise.authoring.yaml_text import write_yaml
from turnwise.flow.diagnostic import FlowError

FOLDER = Path(__file__).parent.parent / "flows" / "dsl"
DOCUMENTS = sorted(FOLDER.glob("*/*.dy"))
MODULES = [
    importlib.import_module(f"{compiler.__name__}.{path.stem}")
    for path in sorted(Path(compiler.__file__ or "").parent.glob("*.py"))
    if path.stem != "__init__"
]


SAME = frozenset({"nodes.DESCRIPTIONS.description"})
"""Rows that change nothing: a `description` that is none of DyGram's is the key of the flow that has this name."""


def outcome(path: Path) -> str:
    """The diagnostics of a document, and the flow of a valid one."""
    os.chdir(path.parent)
    found = "".join(f"{one}\n" for one in check(path.name))
    if path.parent.name == "invalid":
        return found
    try:
        return found + write_yaml(load(path.name))
    except FlowError as error:
        return str(error)


@cache
def expected() -> dict[Path, str]:
    here = Path.cwd()
    try:
        return {path: outcome(path) for path in DOCUMENTS}
    finally:
        os.chdir(here)


@cache
def text_of(path: Path) -> str:
    return path.read_text("utf-8").casefold()


def is_noticed(word: str) -> bool:
    """Whether some document comes out otherwise; those that have a word are tried first."""
    here, wanted = Path.cwd(), word.casefold()
    known = expected()
    try:
        for path in sorted(DOCUMENTS, key=lambda path: wanted not in text_of(path)):
            try:
                if outcome(path) != known[path]:
                    return True
            except Exception:  # noqa: BLE001  a compiler that fails is noticed too
                return True
    finally:
        os.chdir(here)
    return False


class Row(NamedTuple):
    """A row of a table of the compiler."""

    module: ModuleType
    table: str
    row: str

    @property
    def name(self) -> str:
        return f"{self.module.__name__.rpartition('.')[2]}.{self.table}.{self.row}"


def rows() -> Iterator[Row]:
    for module in MODULES:
        for name, table in vars(module).items():
            is_own = f"\n{name}" in f"\n{inspect.getsource(module)}"
            if name.isupper() and name[0] != "_" and is_own and isinstance(table, (dict, tuple, frozenset)):
                yield from (
                    Row(module, name, one)
                    for one in sorted(table)
                    if isinstance(one, str) and f"{module.__name__.rpartition('.')[2]}.{name}.{one}" not in SAME
                )


@contextmanager
def without(row: Row) -> Iterator[None]:
    """Take a row out of its table, in every module that has it."""
    table: Any = getattr(row.module, row.table)
    if isinstance(table, dict):
        kept = dict(table)
        del table[row.row]
        try:
            yield
        finally:
            table.clear()
            table.update(kept)
        return
    less = type(table)(one for one in table if one != row.row)
    places = [
        (module, name)
        for module in list(sys.modules.values())
        if getattr(module, "__name__", "").startswith("turnwise.")
        for name, value in list(vars(module).items())
        if value is table
    ]
    for module, name in places:
        setattr(module, name, less)
    try:
        yield
    finally:
        for module, name in places:
            setattr(module, name, table)


@pytest.mark.parametrize("row", [*rows()], ids=lambda row: row.name)
def test_a_table_without_a_row_is_noticed(row: Row) -> None:
    expected()  # before a row is missing
    with without(row):
        assert is_noticed(row.row), "no document needs this row"
