"""Reports placeholders that read nothing, and phrases with two meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from turnwise.check.subject import WRITTEN, Subject
from turnwise.core.language import normal
from turnwise.core.machine import Candidate
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import Expression, text_of
from turnwise.flow.guard import syntax as s

_SINGLE = re.compile(r"(?<!\{)\{\s*([A-Za-z_]\w*\.[A-Za-z_]\w*)\s*\}(?!\})")


def check(subject: Subject) -> Iterator[Diagnostic]:
    """TW059: `{{ "Ada" }}`, which always says the same, and `{user.name}`, which is said as it stands."""
    for texts in subject.texts:
        for expression, span, key in texts.expressions:
            if key not in WRITTEN and not _reads(expression):
                yield problem("TW059", f"'{{{{ {text_of(expression)} }}}}' reads nothing", span, "write it as text")
        for text, span, key in texts.all:
            for found in _SINGLE.finditer(text if key not in WRITTEN else ""):
                if found[1] in subject.machine.fields:
                    message = f"'{found[0]}' is said as it stands"
                    yield problem("TW059", message, span.shifted(found.start()), f"write {{{{ {found[1]} }}}}")


def _reads(expression: Expression) -> bool:
    """True if anything of a conversation is read."""
    return any(isinstance(part, s.Select | s.Name) or _is_visits(part) for part in s.walk(expression))


def _is_visits(part: Expression) -> bool:
    return isinstance(part, s.Call) and part.name == "visits"


_CLOSED = ("affirm", "edit")
"""What ends a confirmation, and what opens it again (law 5.5)."""


def check_phrases(subject: Subject) -> Iterator[Diagnostic]:
    """TW077: phrases of the flow that both confirm and edit."""
    language, span = subject.machine.language, subject.machine.flow.span
    for kind, other in (_CLOSED, _CLOSED[::-1]):
        for phrase in language.own.get(kind, ()):
            is_own = any(normal(phrase) == normal(known) for known in language.own.get(other, ()))
            if normal(phrase) in language.phrases[other] and (kind == _CLOSED[0] or not is_own):
                message = f"'{phrase}' both confirms and edits: it stands under '{kind}' and '{other}'"
                yield problem("TW077", message, span.of(f"texts.{kind}"))


def check_mirrors(subject: Subject) -> Iterator[Diagnostic]:
    """TW078: mirrors at a node and moment without a Python guard (law 2.16)."""
    flow = subject.machine.flow_candidates
    nodes = subject.machine.nodes.values()
    for node in nodes:
        yield from _alone(node.candidates, (*node.candidates, *flow))
    yield from _alone(flow, (*flow, *(one for node in nodes for one in node.candidates)))


def _alone(candidates: Iterable[Candidate], judged: Iterable[Candidate]) -> Iterator[Diagnostic]:
    """The mirrors among some transitions at whose moment no code is judged."""
    coded = {one.moment for one in judged if one.code is not None}
    for candidate in candidates:
        if candidate.is_mirror and candidate.moment not in coded:
            message = f"'{candidate.id}' mirrors a Python guard, and there is none at '{candidate.moment}' here"
            yield problem("TW078", message, candidate.span.of("mirror"), "name it under 'guard' in a transition")
