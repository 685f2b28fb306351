"""An answer in one sentence for the person in the conversation, from the same facts as the auditor's.

It uses the flow's own words: titles of fields and the `because` of transitions. Its texts are fixed texts of the
language (`why_…`), which a flow may replace or translate. No name of a node, tool or transition is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.plain import acts, answers, failures, moves, timers
from turnwise.why.plain.voice import Sentence, Voice

SENTENCES: dict[FactKind, Sentence] = {
    **moves.SENTENCES,
    **timers.SENTENCES,
    **failures.SENTENCES,
    **acts.SENTENCES,
    **answers.SENTENCES,
}
"""Which facts become a sentence for the person in the conversation; `UNSAID` has the reason for each other kind."""

_FAILED: tuple[FactKind, ...] = ("turn_failed", "conversation_failed")
_INFORMATIVE: tuple[FactKind, ...] = (
    "turn_undone",
    "undo_refused",
    "conversation_ended",
    "node_left",
    "person_awaited",
    "person_took_over",
    "person_gave_back",
    "nobody_came",
    "message_not_interpreted",
    "value_refused",
    "command_refused",
    "not_understood",
    "button_stale",
    "command_applied",
    "call_refused",
    "tool_failed",
    "call_awaits_approval",
    "tool_used_by_host",
    "no_model_connected",
    "aside_not_answered",
    "question_edited",
    "question_walked",
    "chooser_due",
    "correction_unclear",
    "confirmation_due",
    "form_stopped",
    "question_next",
    "question_asked",
    "field_cleared",
    "field_set",
    "model_failed",
    "model_replied",
    "understood_nothing",
    "forked",
    "erased",
)
"""Where the first fact has no sentence: which other fact of a turn tells the person most, that one first."""
_WIDE = ("turn", "node", "message")
"""Kinds of subjects about which there are many facts: after the first one, the most informative one is said."""


def plain(
    machine: Machine,
    state: State,
    subject: Subject,
    facts: Sequence[Fact],
    during: Sequence[Fact] = (),
    now: State | None = None,
) -> str:
    """Return an answer in one sentence for the person in the conversation; the state is that of the end of the turn,
    `during` are the facts of the turn, and `now` is the state of the last one.

    It is empty where nothing can be said without names of the flow.
    """
    voice = Voice(machine, state, subject, facts, SENTENCES, during, now)
    first = facts[0]
    silent = next((fact for fact in facts if fact.kind == "warned" and fact.values["code"] == "silent turn"), None)
    if (
        silent is not None
        and subject.kind in ("turn", "message")
        and first.kind not in ("timer_armed", "rules_disagree")
    ):
        return voice.of(silent)
    said = (text for one in _to_say(subject, facts) if (text := voice.of(one)))
    return next(said, "")


_BESIDE: tuple[FactKind, ...] = ("came_closest",)
"""Facts without a sentence that may stand before the one that has it."""


def _to_say(subject: Subject, facts: Sequence[Fact]) -> Iterable[Fact]:
    """Yield the facts of which the first one with a sentence is said."""
    first = next(one for one in facts if one.kind not in _BESIDE)
    if subject.kind in _WIDE:
        yield from (one for one in facts if one.kind in _FAILED and subject.kind == "turn")
        yield first
        of_turn = [one for fact in facts for one in fact.walk() if one.turn == first.turn and one.kind in _INFORMATIVE]
        of_turn = [one for one in of_turn if not acts.is_made_good(one, facts)]
        yield from sorted(of_turn, key=lambda one: _INFORMATIVE.index(one.kind))
        return
    now = (fact for fact in facts if fact is first or fact.kind != "question_was_asked")  # not why it is so now
    found = (one for fact in now for one in fact.walk())
    if subject.kind != "end":  # what caused it is about other names
        found = (one for one in found if one is first or subject in one.about)
    if subject.kind == "transition":  # the reason for another one is none for this one
        found = (one for one in found if one.values.get("transition", subject.name) == subject.name)
    yield from found
