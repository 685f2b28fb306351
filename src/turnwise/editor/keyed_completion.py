"""Completes YAML and JSON documents, and the values of attributes of DyGram, along the declared keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from turnwise.editor.completion import (
    Completion,
    Offer,
    completion,
    guard_completion,
    is_in_hole,
    names_of,
    simple_names,
)
from turnwise.editor.index import Index
from turnwise.editor.references import EXPRESSION_KEYS, NAME_TABLES, REFERENCES, ReferenceKind
from turnwise.flow.kinds import Flag, Kind, Many, Named, Object, OneOf, Table, When
from turnwise.flow.located import Items, Located, Pairs, Scalar
from turnwise.flow.shapes import SHAPES

LIST_STEP = "[]"
"""A step of a path: into a list."""
_LINE = re.compile(r"(?P<indent> *)(?P<dashes>(?:- +)*)(?P<content>.*)", re.DOTALL)
_KEY = re.compile(r"(?P<quote>[\"']?)(?P<key>[\w./*-]+)(?P=quote)\s*:(?:\s|\Z)")
_PARTIAL = re.compile(r"[\"']?[\w./-]*\Z")
_MOST_LINES = 5000
_NEAR = 200
_LONGEST_LINE = 4000
"""In a longer line only holes are completed."""
_INLINE = re.compile(r"""(?P<open>[{\[])|(?P<close>[}\]])|(?P<comma>,)|(?P<key>[\w./-]+)\s*:\s|"[^"]*"|'[^']*'|[^\s]""")


class Spot(NamedTuple):
    """Where the cursor is in a document: among the keys of an object, or in the value of a key."""

    shape: str = ""
    """The class of the flow model that has the keys; empty if the cursor is in no object of the model."""
    key: str = ""
    """The key whose value the cursor is in; empty among the keys of an object."""
    is_list: bool = False
    """True if the value is a list."""
    is_named: bool = False
    """True among the names of a section, which cannot be completed."""


def complete_yaml(index: Index, text: str, offset: int) -> Completion:
    """Return the completions at a character of a YAML or JSON document."""
    begin = max(text.rfind("\n", 0, offset) + 1, 0)
    line = text[begin:offset]
    if len(line) > _LONGEST_LINE:
        return guard_completion(index, line, offset) if is_in_hole(line) else completion("", offset, ())
    if is_in_hole(line):
        return guard_completion(index, line, offset)
    found = _LINE.match(line)
    assert found is not None
    path, content = _path(text, begin, found)
    inner, content, is_inline = _inline(content)
    path += inner
    spot = spot_at([*path])
    if spot is None:
        return completion("", offset, ())
    is_value = not is_inline and _KEY.match(found["content"]) is not None
    if spot.key or spot.is_named or is_value:
        return complete_value(index, spot, content, offset, frame_of(path))
    taken = set[str]() if is_inline else _siblings(text, begin, len(found["indent"]) + len(found["dashes"]))
    return completion(content, offset, keys_of(spot.shape, taken))


def keys_of(shape: str, taken: set[str]) -> Iterator[Offer]:
    """Yield the keys of an object of the class `shape` that are not in `taken`."""
    for key in SHAPES[shape].keys if shape else ():
        if key.name not in taken:
            yield Offer(key.name, "key", key.about)


def complete_value(index: Index, spot: Spot, typed: str, offset: int, frame: str = "") -> Completion:
    """Return the completions of the value of a key, at the offset `offset`; `typed` is what is written of it already,
    `frame` are the scopes around it, as of `frame_of`.
    """
    if not spot.key and spot.shape:
        spot = _short(spot.shape, Scalar("x")) or spot
    known = SHAPES[spot.shape].by_name.get(spot.key) if spot.shape else None
    if known is None:
        return completion("", offset, ())
    at = (spot.shape, spot.key)
    if isinstance(known.kind, When) or at in EXPRESSION_KEYS:
        return guard_completion(index, typed, offset)
    offers = [*_words(known.kind)]
    kind = REFERENCES.get(at) or (NAME_TABLES[at][1] if at in NAME_TABLES else None)
    if kind is not None:
        offers += references(index, kind, frame)
    if at in (("Transition", "guard"), ("ReplyGuard", "guard")):
        offers += [Offer(name, "function", "a Python function") for name in index.guards]
    if isinstance(known.kind, Object):
        offers += keys_of(known.kind.shape, set())
    return completion(typed, offset, offers, re.compile(r"[\w./-]*\Z"))


def references(index: Index, kind: ReferenceKind, frame: str = "") -> Iterator[Offer]:
    """Yield the names that a reference of a kind may have; nodes only of the scopes `frame` (as of `frame_of`)."""
    symbols = [one for one in index.symbols.values() if not one.key.startswith("given:")]
    if kind == "address":
        yield from (Offer(one.name, "name", one.detail) for one in symbols if one.kind in ("record", "field"))
    elif kind == "node":
        here = [one for one in symbols if one.kind == "node" and one.key.startswith("name:")]
        here += [one for one in symbols if one.kind == "node" and one.key == f"nodes:{frame}{one.name}"]
        yield from (Offer(one.flow_name, "name", one.detail) for one in here)
    else:
        yield from simple_names(one for one in symbols if one.kind == kind)
    yield from names_of(index, ())


def _words(kind: Kind) -> Iterator[Offer]:
    match kind:
        case OneOf(words):
            yield from (Offer(word, "value") for word in words if word)
        case Flag():
            yield from (Offer(word, "value") for word in ("true", "false"))
        case Many(of):
            yield from _words(of)
        case _:
            return


# where the cursor is -----------------------------------------------------------------------------


def spot_at(path: list[str], shape: str = "Flow") -> Spot | None:
    """Return where in the flow model a path of keys leads; `None` if the model does not have it."""
    spot: Spot | None = Spot(shape)
    for step in path:
        spot = _step(spot, step) if spot is not None else None
    return spot


def _step(spot: Spot, step: str) -> Spot | None:
    if spot.is_named:
        return Spot(spot.shape)
    if spot.key:
        return spot if step == LIST_STEP else _into_table(spot)
    if step == LIST_STEP:
        return Spot(spot.shape) if spot.is_list else _short(spot.shape, Items([Scalar("x")]))
    known = SHAPES[spot.shape].by_name.get(step)
    if known is None:
        wide = _short(spot.shape, Pairs([(Scalar(step), Scalar("x"))]))
        inner = _step(Spot(spot.shape), wide.key) if wide is not None and wide.key != step else None
        return _step(inner, step) if inner is not None else None
    match known.kind:
        case Named(shape):
            return Spot(shape, is_named=True)
        case Object(shape):
            return Spot(shape)
        case Many(Object(shape)):
            return Spot(shape, is_list=True)
        case _:
            return Spot(spot.shape, step)


def _into_table(spot: Spot) -> Spot | None:
    kind = SHAPES[spot.shape].by_name[spot.key].kind
    return spot if isinstance(kind, Table) else None


def _short(shape: str, given: Located) -> Spot | None:
    """Return the key that a value, a list or a mapping stands for as the short form of an object."""
    short = SHAPES[shape].short
    wide = short.widen(given) if short is not None else None
    return Spot(shape, wide.pairs[0][0].text) if isinstance(wide, Pairs) and wide.pairs else None


def frame_of(path: list[str]) -> str:
    """Return the scopes around a path of keys, each with `/` behind it; empty outside of all scopes."""
    found = ""
    for number in range(len(path) - 2):
        if path[number] == "nodes" and path[number + 2] == "scope":
            found += f"{path[number + 1]}/"
    return found


def _path(text: str, begin: int, line: re.Match[str]) -> tuple[list[str], str]:
    """Return the keys around a line, the outermost first, and what stands in it before the cursor."""
    path: list[str] = []
    column, content = len(line["indent"]) + len(line["dashes"]), line["content"]
    key = _KEY.match(content)
    if key is not None:
        path.append(key["key"])
        content = content[key.end() :]
    if line["dashes"]:
        path.append(LIST_STEP)
        column = len(line["indent"]) + 1
    is_item = bool(line["dashes"])
    end = begin
    for _ in range(_MOST_LINES):
        if end <= 0 or column <= 0:
            break
        start = text.rfind("\n", 0, end - 1) + 1
        above = _LINE.match(text[start : end - 1])
        end = start
        if above is None or not above["content"].strip() or above["content"].startswith("#"):
            continue
        column, is_item = _climb(path, above, column, is_item=is_item)
    path.reverse()
    return path, content


def _climb(path: list[str], above: re.Match[str], column: int, *, is_item: bool) -> tuple[int, bool]:
    """Add what a line above says about where the cursor is; return the column left of which keys are around it."""
    at = len(above["indent"]) + len(above["dashes"])
    if at == column and above["dashes"] and not is_item:
        path.append(LIST_STEP)
        return len(above["indent"]) + 1, True
    key = _KEY.match(above["content"])
    if at >= column or key is None:
        return column, is_item
    path.append(key["key"])
    if above["dashes"]:
        path.append(LIST_STEP)
        return len(above["indent"]) + 1, True
    return at, False


def _inline(content: str) -> tuple[list[str], str, bool]:
    """Return the keys within `{…}` and `[…]` that are open in a line, what stands behind the last sign, and whether
    some are open.
    """
    steps: list[list[str]] = []
    last = 0
    for found in _INLINE.finditer(content):
        if found["open"]:
            steps.append([LIST_STEP] if found["open"] == "[" else [])
        elif found["close"] and steps:
            steps.pop()
        elif found["comma"] and steps and steps[-1] != [LIST_STEP]:
            steps[-1] = []
        elif found["key"] and steps:
            steps[-1] = [found["key"]]
        elif not (found["open"] or found["close"] or found["comma"] or found["key"]):
            continue
        last = found.end()
    inner = [step for one in steps for step in one]
    return inner, content[last:].lstrip() if steps else content, bool(steps)


def _siblings(text: str, begin: int, column: int) -> set[str]:
    """Return the keys beside the cursor: those in lines around it with the same indentation."""
    above, below = text[:begin].split("\n")[:-1][-_NEAR:], text[begin:].split("\n", _NEAR)[1:_NEAR]
    return {*_keys_at(reversed(above), column), *_keys_at(below, column, is_below=True)}


def _keys_at(lines: Iterable[str], column: int, *, is_below: bool = False) -> Iterator[str]:
    """Yield the keys at a column, up to the line where its object begins or ends."""
    for line in lines:
        one = _LINE.match(line)
        if one is None or not one["content"].strip():
            continue
        at, is_item = len(one["indent"]) + len(one["dashes"]), bool(one["dashes"])
        if at < column or (is_item and is_below):
            return
        key = _KEY.match(one["content"]) if at == column else None
        if key is not None:
            yield key["key"]
        if is_item and at == column:
            return
