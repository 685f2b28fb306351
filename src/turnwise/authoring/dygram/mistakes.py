"""Recognises typical mistakes of authors, and says what to write instead."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.authoring.dygram.scanner import Token
from turnwise.authoring.source import shown_text
from turnwise.flow.late_pattern import late_pattern


class Mistake(NamedTuple):
    """A typical mistake of an author, with the message about it."""

    code: str
    """The code of the diagnostic."""
    message: str
    """What is wrong, in words."""
    hint: str = ""
    """What to write instead; empty if there is no suggestion."""


_ARROWS = dict.fromkeys("→⟶⇢➔➜", "->") | dict.fromkeys("⇒⟹", "=>") | {"←": "", "⟵": "", "⇐": ""}
_QUOTES = "“”„«»‟‘’‚`"
NO_LEFT = "no arrow leads to the left"
"""The error for an arrow that points to the left."""


_DRAWN = 'here an edge is written a -"label"-> b, and a title behind its name: state a "Title"'
_FOREIGN = (
    (
        late_pattern(r"\s*(?:(?:graph|flowchart)\s+(?:TB|TD|BT|RL|LR)\b|stateDiagram|sequenceDiagram)"),
        "Mermaid",
        _DRAWN,
    ),
    (late_pattern(r"\s*(?:strict\s+)?(?:di)?graph\b[^{;\n]*\{"), "DOT", _DRAWN),
    (late_pattern(r"\s*[{\[]"), "JSON", "name the file ….flow.json"),
    (
        late_pattern(r"\s*(?:---\s|(?:[A-Za-z_][\w-]*:[^\n;{]*\n)*[A-Za-z_][\w-]*:[ \t]*\n[ \t]+(?:-\s|[\w.-]+:))"),
        "YAML",
        "name the file ….flow.yaml",
    ),
)
"""Other notations, by how their documents begin, each with a way out."""


def foreign_notation(text: str) -> Mistake | None:
    """Return the mistake of a document in another notation than DyGram; `None` if it does not begin like one."""
    for pattern, name, hint in _FOREIGN:
        if pattern.match(text):
            return Mistake("TW130", f"this is {name}, where a document in DyGram is expected", hint)
    return None


def unreadable(token: Token) -> Mistake | None:
    """Return the mistake in a token that cannot be read; `None` for any other token."""
    if token.kind == "unclosed":
        if token.text.startswith("/*"):
            return Mistake("TW132", "the comment that begins here does not end", "end it with '*/'")
        return Mistake("TW132", "the text that begins here does not end", f"end it with {token.text[0]}")
    if token.kind != "unknown":
        return None
    character = token.text[0]
    if character in _ARROWS:
        arrow = _ARROWS[character]
        hint = f"write '{arrow}'" if arrow else f"{NO_LEFT}: write the node from which it comes first, and '->'"
        return Mistake("TW131", f"'{character}' is no arrow", hint)
    if character in _QUOTES:
        return Mistake("TW130", f"a text cannot begin with {character}", 'put it into straight quotes: "…"')
    if character.isalpha():
        return Mistake(
            "TW130",
            f"'{shown_text(token.text)}' is no name",
            "names have the letters a to z, digits and _; other texts need quotes",
        )
    if character in "&+!%^~$\\*/":
        return Mistake("TW130", f"'{character}' means nothing here", "an expression needs quotes")
    return Mistake("TW130", f"the character U+{ord(character):04X} is not allowed here", "write it inside of a text")


def no_name(token: Token, after: Token) -> str:
    """Return what to write in place of a token that is no name, by it and the token `after` it; empty if there is no
    suggestion.
    """
    if token.kind == "keyword":
        return f"'{token.text}' is a word of the language: take another name"
    if (token.text, after.text) == ("[", "*"):
        return "a run begins at the node with @start, and ends at a node without ways out"
    return ""


def no_arrow(written: str) -> Mistake:
    """Return the mistake of signs that are no arrow, with the arrow that was probably meant."""
    if written.startswith("<"):
        return Mistake(
            "TW131", f"'{written}' is no arrow: {NO_LEFT}", "write the node from which it comes first, then '->'"
        )
    meant = "=>" if "=" in written else "-->" if len(written) > len("->") else "->"
    return Mistake("TW131", f"'{written}' is no arrow", f"write '{meant}'")
