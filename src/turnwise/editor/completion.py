"""Completes what is being typed, from the text around the cursor and the names of the last index.

Nothing is parsed: a document is broken while it is typed, and the answer comes before the next key is pressed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from turnwise.core.guards.functions import FUNCTIONS
from turnwise.core.guards.scope import FUNCTION_ROOTS, ROOTS
from turnwise.editor.index import Index, Symbol, SymbolKind
from turnwise.editor.text import Span

OfferKind = Literal["key", "name", "field", "value", "function", "word"]
"""The kinds of texts that a completion can offer."""
MOST_OFFERED = 200
"""How many completions are offered at most; the editor asks again when more is typed."""
_WORD = re.compile(r"[\w-]*\Z")
_CHAIN = re.compile(r"((?:[A-Za-z_]\w*\.)*)(\w*)\Z")
_HOLE = re.compile(r"\{\{(?:(?!\}\}).)*\Z", re.DOTALL)
_LOOKED_BACK = 4000
_LONGEST_WORD = 200
_LONGEST_CHAIN = 500


class Offer(NamedTuple):
    """A completion that the editor offers."""

    label: str
    """The text that the editor shows and inserts."""
    kind: OfferKind
    """What the completion is: a key, a node, a field and so on."""
    detail: str = ""
    """A line about the completion; empty if there is none."""


class Completion(NamedTuple):
    """The completions at the cursor, and the part of the text that they replace."""

    span: Span
    """The part of the text that a completion replaces."""
    offers: list[Offer]
    """The completions, the best first."""
    is_incomplete: bool
    """True if more completions would fit than are listed."""


def completion(before: str, offset: int, offers: Iterable[Offer], word: re.Pattern[str] = _WORD) -> Completion:
    """Return the offers that begin with or contain the word before the cursor, the best first. `before` is the text
    before the cursor, `offset` the cursor's offset in the document, and `word` matches the word at the end of `before`.
    """
    found = word.search(before[-_LONGEST_WORD:])
    typed = found[0] if found is not None else ""
    wanted = typed.casefold()
    known = dict.fromkeys(offers)
    first = [one for one in known if one.label.casefold().startswith(wanted)]
    if wanted:
        first += [one for one in known if wanted in one.label.casefold()[1:] and one not in first[:MOST_OFFERED]]
    return Completion(Span(offset - len(typed), offset), first[:MOST_OFFERED], len(first) > MOST_OFFERED)


def is_in_hole(before: str) -> bool:
    """Return whether the cursor is in an open hole (`{{ …`) of a template; `before` is the text before it."""
    return _HOLE.search(before[-_LOOKED_BACK:]) is not None


def names_of(index: Index, kinds: tuple[SymbolKind, ...], *, by_flow_name: bool = False) -> Iterator[Offer]:
    """Yield the names of some kinds in a document, and all imported ones; with `by_flow_name` as the flow has them, not
    as the document writes them.
    """
    for one in index.symbols.values():
        if one.kind in kinds and not one.key.startswith("given:"):
            yield Offer(one.flow_name if by_flow_name else one.name, "name", one.detail)
    for one in index.imports:
        yield Offer(one.key.partition(":")[2], "name", f"imported from {one.source}")


def guard_completion(index: Index, before: str, offset: int) -> Completion:
    """Return the completions of a name in a guard or a hole: behind a dot fields, else records, roots and functions.
    `before` is the text before the cursor, whose offset in the document is `offset`.
    """
    before = before[-_LONGEST_CHAIN:]
    found = _CHAIN.search(before)
    chain = found[1].rstrip(".") if found is not None else ""
    return completion(before, offset, _fields(index, chain) if chain else _roots(index), re.compile(r"\w*\Z"))


def _fields(index: Index, chain: str) -> Iterator[Offer]:
    owners = {one.key for one in index.symbols.values() if one.simple == chain or f".{one.name}".endswith(f".{chain}")}
    for one in index.symbols.values():
        if one.parent in owners and not one.key.startswith("given:"):
            yield Offer(one.simple, "field" if one.kind == "field" else "name", one.detail)
    for root in (*ROOTS, *FUNCTION_ROOTS):
        if root.startswith(f"{chain}."):
            yield Offer(root.removeprefix(f"{chain}.").partition(".")[0], "function", "a root of guards")


def _roots(index: Index) -> Iterator[Offer]:
    data: tuple[SymbolKind, ...] = ("record",)
    yield from names_of(index, data)
    owners = {one.parent for one in index.symbols.values() if one.kind == "field"}
    yield from (Offer(one.name, "name", one.detail) for one in index.symbols.values() if one.key in owners)
    for root in (*ROOTS, *FUNCTION_ROOTS):
        yield Offer(root.partition(".")[0], "function", "a root of guards")
    for name in FUNCTIONS:
        yield Offer(name, "function", "a function of guards")


def simple_names(symbols: Iterable[Symbol]) -> Iterator[Offer]:
    """Yield the names of symbols without the path around them: `ask` for `survey.ask`."""
    return (Offer(one.simple, "name", one.detail) for one in symbols)
