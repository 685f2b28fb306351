"""The templates of sentences in the code: those that `phrase` and `Phrase` get, and those that stand in tables for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from turnwise.core.explain.text import BY_WORDS
from turnwise.core.explain.warning_words import WARNINGS
from turnwise.core.schedules.firing import REASONS_TO_WAIT
from turnwise.core.state.events.schedules import ScheduleDeed
from turnwise.core.state.kinds import ReplyKind, TurnKind
from turnwise.why.kinds import WORDS

ROOT = Path(__file__).parents[2] / "src" / "turnwise"
_PLACES = ("why/**/*.py", "core/explain/*.py", "archive/usual.py", "server/views/event_rows.py")
_APART = ("model_reader.py", "prompts.py")
"""Modules whose texts are for models, in English only."""
_BY_NAME = (*get_args(ReplyKind), *get_args(TurnKind), *get_args(ScheduleDeed), "rules", "model", "function")
"""Codes that stand as phrases, with spaces."""
_JOINTS = (" and ", ", then ", " or ", ", or ")
SLOT = re.compile(r"\{(\w+)\}")


def modules() -> Iterator[Path]:
    """Yield the modules that make sentences about conversations."""
    for place in _PLACES:
        for path in sorted(ROOT.glob(place)):
            if path.name not in _APART and "plain" not in path.parts:
                yield path


def templates() -> set[str]:
    """Return every template with words, also what stands between texts in a row."""
    found = {
        *WORDS.values(),
        *BY_WORDS,
        *WARNINGS,
        *REASONS_TO_WAIT.values(),
        *(one.replace("_", " ") for one in _BY_NAME),
        *_JOINTS,
    }
    for path in modules():
        found.update(_of(ast.parse(path.read_text(encoding="utf-8"))))
    return {one for one in found if "“" in one or "{command}" in one or re.search("[A-Za-z]{2}", SLOT.sub("", one))} - {
        _ADDRESS
    }


_ADDRESS = "{scope}/input.{name}"
"""Looks like a template, and is an address."""


def _of(tree: ast.Module) -> Iterator[str]:
    kept = {id(part) for part in _no_templates(tree)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="phrase" | "Phrase"), args=[first, *_]):
                yield from _texts(first)
            case ast.Constant(value=str(text)) if id(node) not in kept and SLOT.search(text):
                yield text
            case _:
                pass


def _texts(of: ast.expr) -> Iterator[str]:
    match of:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from (*_texts(body), *_texts(other))
        case _:
            pass


def _no_templates(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield docstrings, and the parts of formatted texts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            yield node.value
        if isinstance(node, ast.JoinedStr):
            yield from ast.walk(node)


def bare_texts() -> Iterator[tuple[str, str]]:
    """Yield the formatted texts with words in the modules of facts and answers, which no other language has."""
    for folder in ("facts", "subjects", "ways"):
        for path in sorted((ROOT / "why" / folder).glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.JoinedStr) and (words := _fixed(node)):
                    yield f"{folder}/{path.name}", words


def _fixed(node: ast.JoinedStr) -> str:
    fixed = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    return fixed if re.search(r"[a-z]{2,} |^ ?[a-z]{2,}$", fixed) else ""
