"""Completes DyGram documents: statements, ends of edges, labels, annotations, attributes and their values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.authoring.dygram.compile.names import CONTEXTS
from turnwise.authoring.dygram.scanner import KEYWORDS
from turnwise.editor.completion import (
    Completion,
    Offer,
    completion,
    guard_completion,
    is_in_hole,
    names_of,
)
from turnwise.editor.index import Index, SymbolKind
from turnwise.editor.keyed_completion import Spot, complete_value, keys_of, spot_at

_TYPES = ("task", "state", "init", "tool", "type", "note", *sorted(CONTEXTS))
_FIELD_TYPES = (
    *("string", "number", "Integer", "Float", "boolean", "Date", "day", "time", "Duration", "email", "phone"),
    *("UUID", "URL", "List", "Array", "Optional"),
)
_LABELS = ("when:", "if:", "unless:", "catch", "error", "reads", "writes", "stores", "read:", "write:", "@auto")
_ON_NODES = ("start", "name", "retry", "timeout")
_ON_EDGES = ("auto", "priority", "timeout")
_ON_MACHINE = ("StrictMode",)
_NODES: tuple[SymbolKind, ...] = ("node", "record", "tool", "type")
_LOOKED_BACK = 20_000
_LONGEST = 1000
"""So much of a statement is looked at."""
_SIGN = re.compile(r'"(?:[^"\\\n]|\\.)*+"|//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|(?P<open>\{)|(?P<close>\})|(?P<end>;)')
_ATTRIBUTE = re.compile(r"([A-Za-z_]\w*)\s*(?:<[^>\n]*>)?\s*:\s*([^;{}]*)\Z")
_GUARD = re.compile(r"\b(?:when|if|unless)\s*:\s*[\"']?([^\"'\n]*)\Z")
_LABEL = re.compile(r"(?:^|[\w\s])(?:--?|=)\s*([\w@:]*)\Z")
_ARROW = re.compile(r"(?:->|-->|=>|<-->|<\|--|\*-->|o-->)\s*(?:[\w.]+\s*,\s*)*([\w.]*)\Z")
_ANNOTATION = re.compile(r"@(\w*)\Z")
_FIELD_TYPE = re.compile(r"[A-Za-z_]\w*\s*<(?:[\w<>\s|?'\"]*[<|\s])?(\w*)\Z")
_BRACES = re.compile(r"(?P<type>[A-Za-z_]\w*)?\s*(?P<name>[\w.]+)?\s*(?:\"[^\"]*\")?\s*(?:@\w+(?:\([^)]*\))?\s*)*\Z")


def complete_dygram(index: Index, text: str, offset: int) -> Completion:
    """Return the completions at a character of a DyGram document."""
    begin = max(offset - _LOOKED_BACK, 0)
    before = text[begin:offset]
    statement, around = _statement(before)
    line = before[before.rfind("\n") + 1 :]
    if is_in_hole(line):
        return guard_completion(index, line, offset)
    guard = _GUARD.search(statement)
    if guard is not None:
        return guard_completion(index, guard[1], offset)
    for pattern, offers in (
        (_ANNOTATION, _annotations(statement)),
        (_ARROW, names_of(index, _NODES)),
        (_LABEL, _labels()),
    ):
        found = pattern.search(statement)
        if found is not None:
            return completion(found[1], offset, offers, re.compile(r"[\w.@:]*\Z"))
    return _inside(index, statement, around, offset)


def _inside(index: Index, statement: str, around: list[str], offset: int) -> Completion:
    """Complete a statement by what the braces around it belong to."""
    shapes = _shapes(index, around)
    attribute = _ATTRIBUTE.search(statement)
    spot = spot_at(shapes[1:], shapes[0]) if shapes else Spot("Flow")
    type_ = _FIELD_TYPE.search(statement)
    if type_ is not None and around:
        types = [Offer(word, "word", "a type of fields") for word in _FIELD_TYPES]
        return completion(type_[1], offset, [*types, *names_of(index, ("type", "record"))])
    if attribute is not None:
        value = spot_at([attribute[1]], spot.shape) if spot is not None and spot.shape else None
        typed = attribute[2].rpartition("[")[2].rpartition(",")[2].strip().lstrip("\"'")
        return complete_value(index, value, typed, offset) if value is not None else completion("", offset, ())
    word = re.compile(r"[\w.]*\Z")
    if shapes and spot is not None and spot.shape:
        offers = [*keys_of(spot.shape, set())]
        if len(shapes) == 1 and shapes[0] == "Node":
            offers += [*_statements(index)]
        return completion(statement, offset, offers, word)
    return completion(statement, offset, () if around and not shapes else _statements(index), word)


def _statements(index: Index) -> Iterator[Offer]:
    """Yield what a statement may begin with."""
    for word in _TYPES:
        yield Offer(word, "word", "a type of nodes")
    for word in sorted(KEYWORDS - {"from", "as"}):
        yield Offer(word, "word", "a word of the language")
    yield from names_of(index, _NODES)


def _labels() -> Iterator[Offer]:
    return (Offer(word, "word", "a label of edges") for word in _LABELS)


def _annotations(statement: str) -> Iterator[Offer]:
    """Yield the annotations: of an edge inside of its label, else of the machine or a node."""
    if re.search(r"[\w\s](?:--?|=)\s*[^>]*@\w*\Z", statement):
        names = _ON_EDGES
    else:
        names = _ON_MACHINE if statement.lstrip().startswith("machine") else _ON_NODES
    return (Offer(name, "word", "an annotation") for name in names)


def _statement(before: str) -> tuple[str, list[str]]:
    """Return what stands before the cursor in its statement, and what stands before each open brace around it."""
    around: list[str] = []
    last = 0
    for found in _SIGN.finditer(before):
        if found["open"]:
            around.append(before[last : found.start()][-_LONGEST:])
        elif found["close"] and around:
            around.pop()
        elif not (found["end"] or found["close"]):
            continue
        last = found.end()
    return before[last:][-_LONGEST:], around


def _shapes(index: Index, around: list[str]) -> list[str]:
    """Return the class of what the outermost braces belong to, and the keys in which inner braces stand; nothing for
    braces in which names stand that are no keys, as in a context.
    """
    found: list[str] = []
    for head in around:
        attribute = _ATTRIBUTE.search(f"{head} ")
        if attribute is not None and found:
            found.append(attribute[1])
            continue
        if "->" in head or "=>" in head:
            found = ["Transition"]
            continue
        braces = _BRACES.search(head)
        word = (braces["type"] or "").lower() if braces is not None else ""
        name = (braces["name"] or word) if braces is not None else ""
        found = _of_type(index, word, name)
    return found


def _of_type(index: Index, word: str, name: str) -> list[str]:
    if word == "machine":
        return ["Flow"]
    if word in CONTEXTS or word in ("type", "import"):
        return []
    if word == "tool":
        return ["Tool"]
    symbol = index.symbols.get(f"name:{name}")
    if symbol is not None and symbol.kind in ("record", "type"):
        return []
    return ["Tool"] if symbol is not None and symbol.kind == "tool" else ["Node"]
