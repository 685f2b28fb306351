"""Converts the guards and texts of a DyGram document for the flow document: names of contexts and nodes to those of
their records, and spellings of JavaScript to those of the guard language.
"""

from __future__ import annotations

import re

from turnwise.authoring.dygram.compile.names import Declared, World
from turnwise.flow.late_pattern import late_pattern

_PIECE = late_pattern(
    r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|===|!==|(?<![\w.])[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*""", re.DOTALL
)
_HOLE = late_pattern(r"\{\{(.*?)\}\}", re.DOTALL)
OTHER_SPELLINGS = {"===": "==", "!==": "!=", "errorCount": "errors"}
"""Operators and names of guards that DyGram spells in another way."""


def guard_text(world: World, text: str, scope: Declared | None) -> str:
    """Return a condition of DyGram in the guard language, without the hole (`{{ }}`) around it. `world` has the names
    that the document declares, `scope` is the node in whose braces the text is; `None` outside of all.
    """
    return expression(world, _HOLE.sub(lambda found: found[1].strip(), text), scope)


def template_text(world: World, text: str, scope: Declared | None) -> str:
    """Return a text with the expressions in its holes (`{{ }}`) converted, so that they read the records of the flow.
    `world` has the names that the document declares, `scope` is the node in whose braces the text is; `None` outside of
    all.
    """
    return _HOLE.sub(lambda found: "{{" + expression(world, found[1], scope) + "}}", text) if "{{" in text else text


def expression(world: World, text: str, scope: Declared | None) -> str:
    """Return an expression of DyGram in the guard language. `world` has the names that the document declares, `scope`
    is the node in whose braces the expression is; `None` outside of all.
    """
    return _PIECE.sub(lambda found: _piece(world, found[0], scope), text)


def _piece(world: World, written: str, scope: Declared | None) -> str:
    if written[0] in "\"'":
        return written
    if written in OTHER_SPELLINGS:
        return OTHER_SPELLINGS[written]
    parts = [part.strip() for part in written.split(".")]
    for count in range(len(parts) - 1, 0, -1):
        for one in world.find(".".join(parts[:count]), scope):
            if one.is_executable and parts[count] in one.attributes:
                world.read.add((one.path, parts[count]))
            elif one.kind != "context":
                continue
            is_same = one.name == ".".join(parts[:count])
            return written if is_same else ".".join([one.name, *parts[count:]])
    return written
