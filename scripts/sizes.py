"""Checks the sizes of modules and functions, and that no name has a word that says too little.

The lists below have the exemptions, each with its reason.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MODULE_LINES = 400
FEWEST_MODULE_LINES = 30
FUNCTION_LINES = 40
BANNED = {"manager", "helper", "util", "utils", "common", "misc", "session", "thread", "context"}

MODULES: dict[str, str] = {}
SMALL_MODULES: dict[str, str] = {
    "src/turnwise/__main__.py": "Python's name for what `python -m turnwise` runs",
    "src/turnwise/api/listeners.py": "imported only by programs with listeners",
    "src/turnwise/archive/titles.py": "one name for steps in all that people read, without the words of a room",
    "src/turnwise/core/zones.py": "the only function that reads the database of time zones, shared by several rooms",
    "src/turnwise/flow/late_pattern.py": "shared by all rooms, and above none of them",
}
FUNCTIONS: dict[str, str] = {}
NAMES: dict[str, str] = {
    "context_settings": "typer's word",
    "context_snapshot": "a key of the wire format of seed 000",
    "_button_context": "a key of the wire format of seed 004",
}


def main() -> int:
    """Print every breach; return the exit code."""
    breaches = [breach for path in sorted(Path("src").rglob("*.py")) for breach in breaches_of(path)]
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


def breaches_of(path: Path) -> Iterator[str]:
    """Find the breaches of one module."""
    text = path.read_text("utf-8")
    lines = text.count("\n")
    if lines > MODULE_LINES and str(path) not in MODULES:
        yield f"{path}: {lines} lines, {MODULE_LINES} are allowed"
    if lines < FEWEST_MODULE_LINES and path.name != "__init__.py" and str(path) not in SMALL_MODULES:
        yield f"{path}: {lines} lines, a module of its own has at least {FEWEST_MODULE_LINES}"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _function(path, node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _name(path, node.lineno, node.name)
    yield from _name(path, 1, path.stem)


def _function(path: Path, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    if length > FUNCTION_LINES and f"{path}:{node.name}" not in FUNCTIONS:
        yield f"{path}:{node.lineno}: {node.name} has {length} lines, {FUNCTION_LINES} are allowed"


def _name(path: Path, line: int, name: str) -> Iterator[str]:
    if name in NAMES:
        return
    for word in name.lower().strip("_").split("_"):
        if word in BANNED:
            yield f"{path}:{line}: '{name}' has the word '{word}', which says too little"


if __name__ == "__main__":
    sys.exit(main())
