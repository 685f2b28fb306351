"""Sentences about failures: what made a turn fail."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.state import Failed
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.plain.voice import Voice

FAILURES: tuple[FactKind, ...] = (
    *("model_failed", "understanding_failed", "tool_failed", "tool_given_up", "write_refused", "limit_reached"),
    *("guard_failed", "code_failed", "call_refused", "text_refused"),
)
"""The kinds of facts by which a turn fails, or moves to a node that catches the failure."""


def failed(voice: Voice, *facts: Fact) -> str:
    """Return in words what made a turn fail; without a cause that a user can know, that something failed.
    If no transition led on from a node, which fields its transitions lack.
    """
    status = voice.state.status
    if isinstance(status, Failed) and status.reason == "stuck":
        ways = [one.guard for one in voice.machine.candidates(voice.state.frame.node, "after").all if one.guard]
        names = [ref.key for guard in ways for ref in guard.refs if ref.key not in voice.state.values]
        lacking = voice.titles(names)
        return voice.text("why_stuck_without", field=lacking) if lacking else voice.text("why_stuck")
    return first_failure(voice, (one for own in facts for one in own.walk())) or voice.text("why_error")


def first_failure(voice: Voice, facts: Iterable[Fact]) -> str:
    """Return in words which failure came first among some facts; for a refused call, that the call was not possible."""
    failures = (one for one in facts if one.kind in FAILURES)
    found = (voice.text("why_call_wrong") if one.kind == "call_refused" else voice.of(one) for one in failures)
    return next(filter(None, found), "")
