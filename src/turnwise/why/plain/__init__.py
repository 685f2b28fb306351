"""An answer in one sentence for the person in the conversation, from the same facts as the auditor's.

One rule: walk the first fact and its causes, and say the first one whose kind has a sentence. `texts` has the sentences
by kind; they use the flow's own words, which are titles of fields and the `because` of transitions, and fixed texts of
the language (`why_…`), which a flow may replace or translate. No name of a node, tool or transition is in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.plain.acts import is_made_good
from turnwise.why.plain.texts import SENTENCES
from turnwise.why.plain.voice import Voice

_INFORMATIVE: tuple[FactKind, ...] = (
    *("turn_undone", "undo_refused", "conversation_ended", "node_left", "person_awaited", "person_took_over"),
    *("person_gave_back", "nobody_came", "message_not_interpreted", "value_refused", "command_refused"),
    *("not_understood", "button_stale", "command_applied", "call_refused", "tool_failed", "call_awaits_approval"),
    *(
        "tool_used_by_host",
        "event_received",
        "no_model_connected",
        "aside_not_answered",
        "question_edited",
        "question_walked",
    ),
    *(
        "chooser_due",
        "correction_unclear",
        "item_unclear",
        "confirmation_due",
        "form_stopped",
        "question_next",
        "question_asked",
    ),
    *("field_cleared", "field_set", "model_failed", "model_replied", "understood_nothing", "forked", "erased"),
)
"""Which other facts of a turn tell the person most where the first one has no sentence, the most informative first."""
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
    """Return an answer in one sentence for the user of the conversation; empty where nothing can be said without names
    of the flow. `state` is that of the end of the turn that is asked about, `during` are the facts of that turn, and
    `now` is the state at the end of the last turn.
    """
    voice = Voice(machine, state, subject, facts, SENTENCES, during, now)
    return voice.first_of(_of_many(subject, facts) if subject.kind in _WIDE else _walked(subject, facts))


def _walked(subject: Subject, facts: Sequence[Fact]) -> Iterable[Fact]:
    """Yield the facts and their causes, without causes that are about other subjects."""
    first = _first(facts)
    for fact in facts:
        if fact is not first and fact.kind == "question_was_asked":  # not why it is so now
            continue
        for one in fact.walk():
            is_own = one is first or subject.kind == "end" or subject in one.about
            if is_own and (subject.kind != "transition" or one.values.get("transition", subject.name) == subject.name):
                yield one


def _of_many(subject: Subject, facts: Sequence[Fact]) -> Iterable[Fact]:
    """Yield the facts about a turn, message or node: what failed, the first one, then the most informative ones."""
    first = _first(facts)
    if subject.kind in ("turn", "message") and first.kind not in ("timer_armed", "rules_disagree"):
        yield from (one for one in facts if one.kind == "warned" and one.values["code"] == "silent turn")
    if subject.kind == "turn":
        yield from (one for one in facts if one.kind in ("turn_failed", "conversation_failed"))
    yield first
    of_turn = [one for fact in facts for one in fact.walk() if one.turn == first.turn and one.kind in _INFORMATIVE]
    of_turn = [one for one in of_turn if not is_made_good(one, facts)]
    yield from sorted(of_turn, key=lambda one: _INFORMATIVE.index(one.kind))


def _first(facts: Sequence[Fact]) -> Fact:
    """Return the first fact that can have a sentence: which transition came closest stands before that."""
    return next(one for one in facts if one.kind != "came_closest")
