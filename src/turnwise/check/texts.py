"""Texts with holes that read nothing, or with a field that no hole holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.check.subject import WRITTEN, Subject
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
