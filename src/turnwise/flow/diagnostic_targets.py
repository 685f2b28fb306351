"""Finds the node, transition and field that a diagnostic is about, by its position.

Where a place belongs to several parts, the subject is what they share. It finds no problems itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from turnwise.flow import model
from turnwise.flow.diagnostic import FAULT_MARK, Diagnostic, DiagnosticTarget, Span
from turnwise.flow.kinds import Named
from turnwise.flow.shapes import SHAPE_OF, inside

Place = tuple[str, int, int]
"""A file, a line and a column, both from 1."""
_ABOUT_COMMENTS = ("TW080", "TW081")
_FIELD_TABLES = ("set", "set_on_leave")
_FIELD_LISTS = (("Node", "reads"), ("Node", "writes"), ("Collect", "fields"))


def with_subjects(found: Iterable[Diagnostic], flow: model.Flow) -> list[Diagnostic]:
    """Return the diagnostics of a flow, each with the part that it concerns."""
    diagnostics = list(found)
    if not diagnostics:
        return diagnostics
    targets = _Targets(flow)
    for number, one in enumerate(diagnostics):
        if one.code not in _ABOUT_COMMENTS and one.span.line:
            pairs = zip(one.subject, targets.at(one.span), strict=True)
            diagnostics[number] = replace(one, subject=DiagnosticTarget(*(known or other for known, other in pairs)))
    return diagnostics


class _Targets:
    """The subject of each place at which a part of a flow, the value of one of its keys, or a fault of it stands."""

    def __init__(self, flow: model.Flow) -> None:
        self.subjects: dict[Place, DiagnosticTarget] = {}
        self.faults: dict[Place, DiagnosticTarget] = {}
        self.texts: dict[Place, tuple[Span, int, DiagnosticTarget]] = {}
        self.names = _names_of(flow)
        self.part(flow, DiagnosticTarget(), "")
        self.starts = sorted(self.texts)

    def at(self, span: Span) -> DiagnosticTarget:
        """Return the subject of a place, if it is that of a part or lies in a text; otherwise none."""
        place = (span.file, span.line, span.column)
        found = self.subjects.get(place) or self.faults.get(place)
        if found is not None:
            return found
        number = bisect_right(self.starts, place)
        if not number:
            return DiagnosticTarget()
        of, size, subject = self.texts[self.starts[number - 1]]
        if of.file != span.file:
            return DiagnosticTarget()
        if of.lines:
            return subject if span.line <= of.last_line else DiagnosticTarget()
        return subject if span.line == of.line and span.column <= of.column + size else DiagnosticTarget()

    def note(self, span: Span, subject: DiagnosticTarget) -> None:
        _share(self.subjects, (span.file, span.line, span.column), subject)

    def part(self, part: Any, subject: DiagnosticTarget, record: str) -> None:
        """Go through a part of the flow and what is inside of it."""
        shape = SHAPE_OF.get(cast("type[Any]", type(part)))
        if shape is None:
            return
        subject = self.about(part, subject, record)
        span: Span = getattr(part, "span", Span())
        for place in (span, span.of("")) if span.line else ():
            self.note(place, subject)
        for name, fault in (span.parts or {}).items() if span.is_read else ():
            if name.startswith(FAULT_MARK):  # reading the part found problems here
                _share(self.faults, (span.file, *fault[:2]), subject)
        for key in shape.keys:
            value = getattr(part, key.attribute)
            if span.line:
                self.written(type(part).__name__, span, key.name, value, subject)
            name = part.name if isinstance(part, model.Record) else ""
            for one in inside(key.kind, value) if value else ():
                self.part(one, subject, name)
                if isinstance(key.kind, Named) and span.is_read:
                    about = self.about(one, subject, name)
                    self.note(span.of(f"{key.name}.{one.name}"), about)
                    self.note(span.of(f"{key.name}.{one.name}{FAULT_MARK}"), about)

    def written(self, shape: str, span: Span, key: str, value: Any, subject: DiagnosticTarget) -> None:
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
                self.note(span.of(f"{key}.{name}{FAULT_MARK}"), about)
        items = cast("tuple[Any, ...]", value if isinstance(value, tuple) else ())
        for number, one in enumerate(items):
            if isinstance(one, model.Condition):
                for of in (one.span, *(one.span.of(inner) for inner in ("type", "value", "window"))):
                    self.note(of, subject)
            elif not hasattr(one, "span"):
                is_field = (shape, key) in _FIELD_LISTS
                about = subject._replace(field=_address(one)) if is_field else subject
                self.written(shape, span, f"{key}.{number}", one, about)

    def text(self, span: Span, size: int, subject: DiagnosticTarget) -> None:
        """Remember where a text stands: what is wrong inside of it is found by the text around it."""
        start = (span.file, span.line, span.column)
        known = self.texts.get(start)
        self.texts[start] = (
            (span, size, subject) if known is None else (span, max(size, known[1]), known[2].shared_target(subject))
        )

    def about(self, part: Any, subject: DiagnosticTarget, record: str) -> DiagnosticTarget:
        """Return the subject of a part: that around it, with its own node, transition or field."""
        match part:
            case model.Node():
                return DiagnosticTarget(node=_known(part.name))
            case model.Transition():
                return subject._replace(transition=self.names.get(id(part)))
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


def _share(subjects: dict[Place, DiagnosticTarget], place: Place, subject: DiagnosticTarget) -> None:
    """Note what a place is about; an alias stands for several parts at one place."""
    known = subjects.get(place)
    subjects[place] = subject if known is None else known.shared_target(subject)


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
        found[id(one)] = one.id or (unique_name(ways[0], taken) if is_sure and len(ways) == 1 else None)
        taken.add(found[id(one)] or "")
    return found, is_sure


def unique_name(name: str, taken: Container[str]) -> str:
    """Return `name`, with a number at its end if it is in `taken`, the names in use."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
