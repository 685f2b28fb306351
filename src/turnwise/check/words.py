"""Phrases that mean two things, and rules that describe code which is not there."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.subject import Subject
from turnwise.core.language import normal
from turnwise.flow.diagnostic import Diagnostic, problem

_CLOSED = ("affirm", "edit")
"""What ends a confirmation, and what opens it again (law 5.5)."""


def check_phrases(subject: Subject) -> Iterator[Diagnostic]:
    """TW077: phrases of the flow that both confirm and edit."""
    language, span = subject.machine.language, subject.machine.flow.span
    for kind, other in (_CLOSED, _CLOSED[::-1]):
        for number, phrase in enumerate(language.own.get(kind, ())):
            is_own = any(normal(phrase) == normal(known) for known in language.own.get(other, ()))
            if normal(phrase) in language.phrases[other] and (kind == _CLOSED[0] or not is_own):
                message = f"'{phrase}' both confirms and edits: it stands under '{kind}' and '{other}'"
                yield problem("TW077", message, span.of(f"texts.{kind}.{number}"))


def check_mirrors(subject: Subject) -> Iterator[Diagnostic]:
    """TW078: mirrors at a node and moment without a Python guard (law 2.16)."""
    flow = subject.machine.flow_candidates
    for node in subject.machine.nodes.values():
        coded = {one.moment for one in (*node.candidates, *flow) if one.code is not None}
        for candidate in node.candidates:
            if candidate.is_mirror and candidate.moment not in coded:
                message = f"'{candidate.id}' mirrors a Python guard, and there is none at '{candidate.moment}' here"
                yield problem("TW078", message, candidate.span.of("mirror"), "name it under 'guard' in a transition")
