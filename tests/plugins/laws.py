"""Only the tests of one law, on another copy of the sources: `-p plugins.laws --law 2.4 --sources PATH`.

Used by `mutants/run.py`. What is imported is checked to come from that copy; a module of it that cannot be
imported is a usage error, so that it is told from a test that fails.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

MARKER = "law"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this plugin."""
    parser.addoption("--law", action="append", required=True, help="a number such as 2.4; may be given again")
    parser.addoption("--sources", type=Path, required=True, help="the folder that holds the package")
    parser.addoption("--patched", default="turnwise", help="the module to import first")


def pytest_configure(config: pytest.Config) -> None:
    """Import what was patched, before any test is read."""
    name, sources = config.getoption("patched"), config.getoption("sources")
    try:
        found = import_module(name).__file__
    except Exception as error:
        raise pytest.UsageError(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    if found is None or sources.resolve() not in Path(found).resolve().parents:
        raise pytest.UsageError(f"{name} was imported from {found} and not from {sources}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the law."""
    laws = set(config.getoption("law"))
    kept = [item for item in items if any(laws & {*mark.args} for mark in item.iter_markers(MARKER))]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
