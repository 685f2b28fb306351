"""Finds the scope that a question is about whether, why or when it is open (`why is the quiz not open?`)."""

from __future__ import annotations

from collections.abc import Collection

from turnwise.core.addresses import ROOT, local_name
from turnwise.core.machine import Machine
from turnwise.why.answer import Subject
from turnwise.why.kind_words import IGNORED, OPENING_WORDS
from turnwise.why.names import words_in


def scope_asked(machine: Machine, words: Collection[str]) -> Subject | None:
    """Return the scope that a question asks about by its whole name or title, as open or closed; else `None`.
    Beside the name it has only words for opening or closing. Of several nested scopes the outermost. `words` are the
    candidates for names.
    """
    rest = frozenset(words) - OPENING_WORDS
    if not rest:  # the name of a scope may be one of these words: a question that says no more names none
        return None
    named = [name for name in machine.scopes if name != ROOT and _is_called(machine, name, rest)]
    return Subject("node", min(named, key=_depth)) if named else None


def _is_called(machine: Machine, scope: str, words: frozenset[str]) -> bool:
    """Return whether some words are all of a scope's qualified name, of its own name or of its title."""
    names = (scope, local_name(scope), machine.nodes[scope].node.title)
    return any(words == frozenset(words_in(name)) - IGNORED for name in names)


def _depth(scope: str) -> int:
    return scope.count("/")
