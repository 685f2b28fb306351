"""Holds the size limits of the style: modules, functions, and words that names must not have.

An exemption stands in one of the lists below, with its reason.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MODULE_LINES = 400
FUNCTION_LINES = 40
BANNED = {"manager", "helper", "util", "utils", "common", "misc", "session", "thread", "context"}

MODULES: dict[str, str] = {}
FUNCTIONS: dict[str, str] = {}
NAMES: dict[str, str] = {
    "context_settings": "typer's word",
    "context_snapshot": "a key of the wire format of seed 000",
    "_button_context": "a key of the wire format of seed 004",
}


def main() -> int:
    """Print every breach; gives the exit code."""
    breaches = [breach for path in sorted(Path("src").rglob("*.py")) for breach in breaches_of(path)]
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


def breaches_of(path: Path) -> Iterator[str]:
    """What one module breaks."""
    text = path.read_text("utf-8")
    lines = text.count("\n")
    if lines > MODULE_LINES and str(path) not in MODULES:
        yield f"{path}: {lines} lines, {MODULE_LINES} are allowed"
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
