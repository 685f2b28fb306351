"""Sentences about what failed: a model, a tool, a write, a rule, a limit, or a node without a way out."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.machine import Candidate
from turnwise.core.state import Failed
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.plain.voice import Sentence, Voice, fixed

FAILURES: tuple[FactKind, ...] = (
    *("model_failed", "understanding_failed", "tool_failed", "tool_given_up", "write_refused", "limit_reached"),
    *("guard_failed", "code_failed", "call_refused", "text_refused"),
)
"""What makes a turn fail, or move to a node that catches it."""


def failed(voice: Voice, fact: Fact | None = None) -> str:
    """Say what made a turn fail, by default the last; without a cause that a user can know, that something did."""
    status = voice.state.status
    if isinstance(status, Failed) and status.reason == "stuck":
        return _stuck(voice)
    facts = [fact] if fact is not None else voice.all()
    return first_of(voice, (one for own in facts for one in own.walk())) or voice.text("why_error")


def first_of(voice: Voice, facts: Iterable[Fact]) -> str:
    """Say the first failure among some facts; of a call that was refused, that what it tried was not possible."""
    failures = (one for one in facts if one.kind in FAILURES)
    found = (voice.text("why_call_wrong") if one.kind == "call_refused" else voice.of(one) for one in failures)
    return next(filter(None, found), "")


def _stuck(voice: Voice) -> str:
    """Say that no way leads on from a node whose work is done, and which fields the ways out of it lack."""
    ways = voice.machine.candidates(voice.state.node, "after").all
    lacking = voice.titles(name for one in ways for name in _reads(one) if name not in voice.state.values)
    return voice.text("why_stuck_without", field=lacking) if lacking else voice.text("why_stuck")


def _reads(way: Candidate) -> list[str]:
    return [one.key for one in way.guard.refs] if way.guard is not None else []


def _tool(voice: Voice, fact: Fact) -> str:
    return voice.text("why_tool_in_doubt" if fact.values["doubt"] else "why_tool_failed")


def write_refused(voice: Voice, fact: Fact) -> str:
    """Say which value could not be stored, and why, where the reason is about a field and not about names inside."""
    address, title = str(fact.values["limit"]), voice.title(fact.values["limit"])
    if title and fact.values["value"] is not None and not voice.is_secret(address):
        reason = str(fact.values["reason"]).removeprefix(f"{address}: ").removeprefix(f"{address.partition('.')[2]}: ")
        return voice.text("why_not_noted", field=title, reason=f"{reason.rstrip('.')}.")
    return voice.text("why_not_noted_here")


def _limit(voice: Voice, fact: Fact) -> str:
    return voice.text("why_too_many_steps" if fact.values["limit"] in _STEPS else "why_limit")


_STEPS = ("model_calls", "tool_calls", "moves")
"""The limits of what one turn may do."""


def _warned(voice: Voice, fact: Fact) -> str:
    key = _WARNINGS.get(str(fact.values["code"]).replace(" ", "_"))
    return voice.text(key) if key is not None else ""


_WARNINGS = {
    "guard_error": "why_error_in_rules",
    "silent_turn": "why_silent",
    "transition_cascade_limit": "why_same_step",
    "understanding_failed": "why_not_read",
}
"""What the person noticed of a warning, by its code."""

SENTENCES: dict[FactKind, Sentence] = {
    "turn_failed": failed,
    "conversation_failed": failed,
    "limit_reached": _limit,
    "limit_used": fixed("why_limit_kept"),
    "limit_stands": fixed("why_limit_kept"),
    "guard_failed": fixed("why_error_in_rules"),
    "text_refused": fixed("why_error_in_rules"),
    "code_failed": fixed("why_error_in_rules"),
    "write_refused": write_refused,
    "result_not_stored": fixed("why_not_noted_here"),
    "model_failed": fixed("why_model_failed"),
    "understanding_failed": fixed("why_not_read"),
    "tool_failed": _tool,
    "tool_given_up": fixed("why_tool_failed"),
    "warned": _warned,
}
