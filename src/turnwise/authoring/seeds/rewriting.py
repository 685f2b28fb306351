"""Shared by the readers of the seeds whose steps and gates become nodes and transitions: builds trees that keep
positions, makes names, and collects diagnostics.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from turnwise.flow.diagnostic import Diagnostic, Span, nearest, problem
from turnwise.flow.kinds import IDENTIFIER
from turnwise.flow.located import Items, Located, Pairs, Scalar
from turnwise.flow.read import described

Place = Located
"""Any part of the configuration, of which only its position in the document is used."""


class Rewriting:
    """A flow document that is being built from a configuration, and the problems of that configuration."""

    def __init__(self, file: str, place: Place) -> None:
        self.file = file
        self.document = Pairs([], place.line, place.column)
        self.diagnostics: list[Diagnostic] = []

    def report(self, code: str, message: str, place: Place, hint: str = "") -> None:
        """Record a problem at the place of a part of the configuration."""
        self.diagnostics.append(problem(code, message, Span(self.file, place.line, place.column), hint))

    def report_ignored(self, key: Scalar, why: str) -> None:
        """Record a key of the configuration that has no effect; `why` gives the reason."""
        self.report("TW060", f"'{key.text}' has no effect: {why}", key)

    def report_unknown(self, key: Scalar, what: str, known: Iterable[str]) -> None:
        """Record a key that a part of the configuration, `what` in words, does not have; `known` are those that it may
        have.
        """
        self.report("TW010", f"{what} has no key '{key.text}'", key, nearest(key.text, known))

    def report_wrong(self, place: Place, expected: str) -> None:
        """Record a value of the wrong kind, `place`; `expected` is in words what should be there."""
        self.report("TW011", f"found {described(place)}, expected {expected}", place)

    def pairs(self, tree: Located, expected: str) -> Iterator[tuple[str, Scalar, Located]]:
        """Yield the pairs of a mapping as key in lower case, key and value; a repeated key is reported as a problem,
        and so is anything but a mapping, with `expected` in words.
        """
        if not isinstance(tree, Pairs):
            self.report_wrong(tree, expected)
            return
        seen: dict[str, Scalar] = {}
        for key, value in tree.pairs:
            folded = key.text.casefold()
            if folded in seen:
                self.report("TW006", f"'{key.text}' stands twice", key, place_of_first(seen[folded]))
                continue
            seen[folded] = key
            yield folded, key, value

    def items(self, tree: Located, expected: str) -> list[Located]:
        """Return the items of a list; anything else is reported as a problem, with `expected` in words."""
        if isinstance(tree, Items):
            return tree.items
        self.report_wrong(tree, expected)
        return []

    def text(self, tree: Located) -> str | None:
        """Return a text, or a number as it was written; `None` and a problem for anything else."""
        if isinstance(tree, Scalar) and isinstance(tree.value, str | int | float) and not isinstance(tree.value, bool):
            return tree.value if isinstance(tree.value, str) else tree.text
        self.report_wrong(tree, "a text")
        return None


def place_of_first(first: Place) -> str:
    """Return a hint that gives the place of the first of two parts with the same name."""
    return f"the first is in line {first.line}" if first.line else ""


# trees -------------------------------------------------------------------------------------------


def scalar(value: object, place: Place) -> Scalar:
    """Return a single value at the source position of the part `place`."""
    return Scalar(value, place.line, place.column)


def mapping(place: Place, **values: Located | None) -> Pairs:
    """Return a mapping, at the source position of the part `place`, of the keys whose value is not `None`; a trailing
    `_` of a keyword is removed.
    """
    pairs = [(scalar(key.rstrip("_"), value), value) for key, value in values.items() if value is not None]
    return Pairs([(key, value) for key, value in pairs], place.line, place.column)


def mapping_of_pairs(place: Place, pairs: Iterable[tuple[Scalar, Located]]) -> Pairs:
    """Return a mapping at the source position of the part `place`."""
    return Pairs(list(pairs), place.line, place.column)


def list_of(place: Place, items: Iterable[Located]) -> Items:
    """Return a list at the source position of the part `place`."""
    return Items(list(items), place.line, place.column)


def is_nothing(tree: Located | None) -> bool:
    """Return whether a tree is missing, `null`, or a list or mapping without members."""
    match tree:
        case None | Scalar(value=None):
            return True
        case Items():
            return not tree.items
        case Pairs():
            return not tree.pairs
        case Scalar():
            return False


def without_templates(tree: Located) -> Located:
    """Return a tree whose text, if it is a text, has each `{{` escaped, so that it is not read as a template."""
    if isinstance(tree, Scalar) and isinstance(tree.value, str) and "{{" in tree.value:
        return Scalar(escaped(tree.value), tree.line, tree.column, style=tree.style)
    return tree


def escaped(text: str) -> str:
    """Return a text with each `{{` escaped, so that it is not read as a template."""
    return text.replace("{{", '{{ "{{" }}')


# names -------------------------------------------------------------------------------------------


def name_from(text: str, otherwise: str) -> str:
    """Return an identifier made from a text: its letters, digits and underscores; `otherwise` if none is left."""
    if IDENTIFIER.allows(text):
        return text
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_").lstrip("0123456789_") or otherwise


def unique_name(name: str, taken: dict[str, int]) -> str:
    """Return the name, or the name with the first unused number; `taken` counts how often each name was requested."""
    found, number = name, taken.get(name, 0)
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken[name] = number
    taken[found] = 1
    return found


def name_of_file(file: str, otherwise: str) -> str:
    """Return the name of a file as the name of a flow; `otherwise` if it is no identifier."""
    return name_from(PurePath(file).name.partition(".")[0], otherwise)
