"""Finds the node, transition and field that a diagnostic is about, by its position.

Where a place belongs to several parts, the subject is what they share. It finds no problems itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from turnwise.flow import model
from turnwise.flow.diagnostic import Diagnostic, Span, Subject
from turnwise.flow.kinds import Many, Named, Part
from turnwise.flow.located import Items, Located, Pairs, plain
from turnwise.flow.shapes import SHAPE_OF, SHAPES, Key, inside

Place = tuple[int, int]
_ABOUT_COMMENTS = ("TW080", "TW081")
_FIELD_TABLES = ("set", "set_on_leave")
_FIELD_LISTS = (("Node", "reads"), ("Node", "writes"), ("Collect", "fields"))


def with_subjects(found: Iterable[Diagnostic], flow: model.Flow, tree: Located | None = None) -> list[Diagnostic]:
    """Return the diagnostics of a flow, each with its subject; `tree` is the document that the flow was read from."""
    diagnostics = list(found)
    if not diagnostics:
        return diagnostics
    parts = _Parts(flow)
    document = _Document(tree, parts.transitions) if tree is not None else None
    return [_with_subject(one, flow, parts, document) for one in diagnostics]


def _with_subject(one: Diagnostic, flow: model.Flow, parts: _Parts, document: _Document | None) -> Diagnostic:
    if one.code in _ABOUT_COMMENTS or not one.span.line:
        return one
    if document is None:
        return replace(one, subject=one.subject.or_else(parts.at(one.span)))
    if one.span.file != flow.span.file:
        return one
    return replace(one, subject=one.subject.or_else(document.at(one.span)))


class _Document:
    """The subject of each place in a document, by the keys and values around it."""

    def __init__(self, tree: Located, transitions: Mapping[Place, str | None]) -> None:
        self.transitions = transitions
        self.subjects: dict[Place, Subject] = {}
        self.visited: dict[int, Located] = {}
        self.object("Flow", tree, Subject(), "", is_alias=False)
        self.places = sorted(self.subjects)

    def at(self, span: Span) -> Subject:
        """Return the subject of what begins at a place, or last began before it."""
        number = bisect_right(self.places, (span.line, span.column))
        return self.subjects[self.places[number - 1]] if number else Subject()

    def note(self, tree: Located, subject: Subject, *, is_alias: bool) -> None:
        """Remember what a place is about; an alias stands for several parts at one place."""
        place = (tree.line, tree.column)
        known = self.subjects.get(place)
        self.subjects[place] = known.shared(subject) if is_alias and known is not None else subject

    def object(self, shape: str, tree: Located, subject: Subject, name: str, *, is_alias: bool) -> None:
        """Go through an object of a shape."""
        is_alias = is_alias or id(tree) in self.visited
        self.visited[id(tree)] = tree
        subject = self.about(shape, tree, subject)
        self.note(tree, subject, is_alias=is_alias)
        long = _widened(shape, tree)
        if not isinstance(long, Pairs):
            self.rest(tree, subject, is_alias=is_alias)
            return
        for key, value in long.pairs:
            self.note(key, subject, is_alias=is_alias)
            self.value(shape, SHAPES[shape].by_name.get(key.text), value, subject, name, is_alias=is_alias)

    def about(self, shape: str, tree: Located, subject: Subject) -> Subject:
        """Return the subject of an object: that around it, with its own transition or field."""
        if shape == "Transition":
            return subject._replace(transition=self.transitions.get((tree.line, tree.column)))
        if shape == "FormField" and isinstance(tree, Pairs):
            return subject._replace(
                field=_address(next((plain(v) for key, v in tree.pairs if key.text == "field"), None))
            )
        return subject

    def value(self, shape: str, key: Key | None, tree: Located, subject: Subject, name: str, *, is_alias: bool) -> None:
        """Go through what stands under a key."""
        self.note(tree, subject, is_alias=is_alias)
        match key.kind if key is not None else None:
            case Named(of) if isinstance(tree, Pairs):
                for inner, part in tree.pairs:
                    about = _of_name(shape, of, inner.text, name, subject)
                    self.note(inner, about, is_alias=is_alias)
                    self.object(of, part, about, inner.text, is_alias=is_alias)
            case Part(of):
                self.object(of, tree, subject, "", is_alias=is_alias)
            case Many(Part(of)) if isinstance(tree, Items):
                for item in tree.items:
                    self.object(of, item, subject, "", is_alias=is_alias)
            case _ if key is not None and key.name in _FIELD_TABLES and isinstance(tree, Pairs):
                for inner, part in tree.pairs:
                    self.rest(inner, subject._replace(field=_address(inner.text)), is_alias=is_alias)
                    self.rest(part, subject._replace(field=_address(inner.text)), is_alias=is_alias)
            case _ if key is not None and (shape, key.name) in _FIELD_LISTS:
                for item in tree.items if isinstance(tree, Items) else [tree]:
                    self.rest(item, subject._replace(field=_address(plain(item))), is_alias=is_alias)
            case _:
                self.rest(tree, subject, is_alias=is_alias)

    def rest(self, tree: Located, subject: Subject, *, is_alias: bool) -> None:
        """Everything inside is about the same."""
        is_alias = is_alias or id(tree) in self.visited
        self.visited[id(tree)] = tree
        self.note(tree, subject, is_alias=is_alias)
        inner = [part for pair in tree.pairs for part in pair] if isinstance(tree, Pairs) else []
        for part in tree.items if isinstance(tree, Items) else inner:
            self.rest(part, subject, is_alias=is_alias)


class _Parts:
    """The subject of each place at which a part of a flow, or the value of one of its keys, stands."""

    def __init__(self, flow: model.Flow) -> None:
        self.subjects: dict[tuple[str, int, int], Subject] = {}
        self.transitions: dict[Place, str | None] = {}
        self.texts: dict[tuple[str, int, int], tuple[Span, int, Subject]] = {}
        self.names = _names_of(flow)
        self.part(flow, Subject(), "")
        self.starts = sorted(self.texts)

    def at(self, span: Span) -> Subject:
        """Return the subject of a place, if it is that of a part or lies in a text; otherwise none."""
        found = self.subjects.get((span.file, span.line, span.column))
        if found is not None:
            return found
        number = bisect_right(self.starts, (span.file, span.line, span.column))
        if not number:
            return Subject()
        of, size, subject = self.texts[self.starts[number - 1]]
        if of.file != span.file:
            return Subject()
        if of.lines:
            return subject if span.line <= of.last_line else Subject()
        return subject if span.line == of.line and span.column <= of.column + size else Subject()

    def note(self, span: Span, subject: Subject) -> None:
        place = (span.file, span.line, span.column)
        known = self.subjects.get(place)
        self.subjects[place] = subject if known is None else known.shared(subject)

    def part(self, part: Any, subject: Subject, record: str) -> None:
        """Go through a part of the flow and what is inside of it."""
        shape = SHAPE_OF.get(cast("type[Any]", type(part)))
        if shape is None:
            return
        subject = self.about(part, subject, record)
        span: Span = getattr(part, "span", Span())
        for place in (span, span.of("")) if span.line else ():
            self.note(place, subject)
        for key in shape.keys:
            value = getattr(part, key.attribute)
            if value and span.line:
                self.written(type(part).__name__, span, key.name, value, subject)
            name = part.name if isinstance(part, model.Record) else ""
            for one in inside(key.kind, value) if value else ():
                self.part(one, subject, name)

    def written(self, shape: str, span: Span, key: str, value: Any, subject: Subject) -> None:
        """Note the values under a key: texts, lists, tables and conditions."""
        place = span.of(key)
        if place is not span:
            self.note(place, subject)
        if isinstance(value, str) and place is not span:
            self.text(place, len(value) + 1, subject)
        if isinstance(value, Mapping):
            for name, one in cast("Mapping[str, Any]", value).items():
                about = subject._replace(field=_address(name)) if key in _FIELD_TABLES else subject
                self.written(shape, span, f"{key}.{name}", one, about)
        items = cast("tuple[Any, ...]", value if isinstance(value, tuple) else ())
        for number, one in enumerate(items):
            if isinstance(one, model.Condition):
                for of in (one.span, *(one.span.of(inner) for inner in ("type", "value", "window"))):
                    self.note(of, subject)
            elif isinstance(one, str):
                is_field = (shape, key) in _FIELD_LISTS
                about = subject._replace(field=_address(one)) if is_field else subject
                self.written(shape, span, f"{key}.{number}", one, about)

    def text(self, span: Span, size: int, subject: Subject) -> None:
        """Remember where a text stands: what is wrong inside of it is found by the text around it."""
        start = (span.file, span.line, span.column)
        known = self.texts.get(start)
        self.texts[start] = (
            (span, size, subject) if known is None else (span, max(size, known[1]), known[2].shared(subject))
        )

    def about(self, part: Any, subject: Subject, record: str) -> Subject:
        """Return the subject of a part: that around it, with its own node, transition or field."""
        match part:
            case model.Node():
                return Subject(node=_known(part.name))
            case model.Transition():
                name = self.names.get(id(part))
                place = (part.span.line, part.span.column)
                self.transitions[place] = name if self.transitions.get(place, name) == name else None
                return subject._replace(transition=name)
            case model.FormField():
                return subject._replace(field=_address(part.field))
            case model.Field() if _known(record) and _known(part.name):
                return subject._replace(field=f"{record}.{part.name}")
            case _:
                return subject


def _known(name: str) -> str | None:
    """Return the name of a part, `None` if the name is not a text."""
    return None if name in ("", "_") else name


def _address(written: object) -> str | None:
    """Return the address of a field, `None` for a whole record and for what is no text."""
    return written if isinstance(written, str) and "." in written else None


def _widened(shape: str, tree: Located) -> Located:
    short = SHAPES[shape].short
    return tree if short is None else short.widen(tree)


def _of_name(shape: str, of: str, name: str, record: str, subject: Subject) -> Subject:
    """Return the subject of what stands under a name: a node, or a field of a record."""
    if of == "Node":
        return Subject(node=name)
    return subject._replace(field=f"{record}.{name}") if shape == "Record" else subject


def _names_of(flow: model.Flow) -> dict[int, str | None]:
    """Return the names of transitions in decisions, by identity; `None` for an unknown name."""
    found, is_sure = _named(flow.transitions, {one.id for node in flow.nodes for one in node.transitions})
    taken = {name for name in found.values() if name}
    for node in flow.nodes:
        found |= _named(node.transitions, taken, is_sure=is_sure)[0]
    return found


def _named(
    transitions: Iterable[model.Transition], elsewhere: set[str], *, is_sure: bool = True
) -> tuple[dict[int, str | None], bool]:
    """Return the names of some transitions, and whether all are known: a guard function may add targets."""
    listed = list(transitions)
    taken = {one.id for one in listed if one.id} | elsewhere
    found: dict[int, str | None] = {}
    for one in listed:
        ways = [f"to_{one.to}"] * bool(one.to) + ["stay"] * one.stay + ["block"] * bool(one.block)
        ways += [f"end_{one.end}"] * bool(one.end) + ["", ""] * bool(one.call or one.return_)
        is_sure = is_sure and bool(ways or not one.guard)
        found[id(one)] = one.id or (fresh(ways[0], taken) if is_sure and len(ways) == 1 else None)
        taken.add(found[id(one)] or "")
    return found, is_sure


def fresh(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken; a number makes it unique."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
