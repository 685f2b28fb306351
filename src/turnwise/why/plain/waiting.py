"""Sentences about what the conversation waits for: an answer, a person, or the time of a timer."""

from __future__ import annotations

from datetime import datetime

from turnwise.core.candidates import PERSON_TIMEOUT, End, GoTo
from turnwise.core.commands.reasons import reason_for_node
from turnwise.core.state import Failed
from turnwise.core.step.receive import CONTINUATION_TIMER
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.plain.failures import failed
from turnwise.why.plain.voice import Voice

WAITS: tuple[FactKind, ...] = (
    *(
        "question_next",
        "question_more",
        "question_kept",
        "question_edited",
        "question_walked",
        "question_repeated",
        "chooser_due",
    ),
    *("correction_unclear", "item_unclear", "confirmation_due", "form_stopped", "form_cancelled", "person_is_awaited"),
    "person_in_charge",
)
"""The kinds of facts about what a conversation waits for."""


def waits(voice: Voice, _fact: Fact) -> str:
    """Return in words what the conversation waits for, or that its last turn failed."""
    return awaited_text(voice) or voice.text("why_waiting")


def awaited_text(voice: Voice) -> str:
    """Return in words what the conversation waits for, or that its last turn failed; empty where it waits for any
    message.
    """
    if isinstance(voice.state.status, Failed):
        return failed(voice, *voice.facts, *voice.during)
    return reason_for_node(voice.machine, voice.state, voice.text, voice.state.turn)


def goes_on(voice: Voice, fact: Fact) -> str:
    """Return in words why the conversation goes on, or why its last turn failed."""
    if isinstance(voice.state.status, Failed):
        return waits(voice, fact)
    return voice.first_of(one for own in voice.facts for one in own.walk() if one.kind in WAITS) or waits(voice, fact)


def armed(voice: Voice, timer: str, due: datetime) -> str:
    """Return in words what a timer does when it comes due: end or continue the conversation, or stop waiting."""
    ways = voice.machine.candidates(voice.state.frame.node, "timer").all
    found = next((one for one in ways if one.id == timer), None)
    if found is None:
        return voice.text(_TIMERS.get(timer, "why_timer"), due=due)
    if found.is_guarded:
        return voice.text("why_timer_asks", due=due)
    is_move = isinstance(found.action, GoTo)
    is_end = bool(voice.machine.nodes[found.target].node.end) if is_move else isinstance(found.action, End)
    return voice.text("why_timer_ends" if is_end else "why_timer", due=due)


def timer_armed(voice: Voice, fact: Fact) -> str:
    """Return in words what happens when a timer comes due, and when."""
    return armed(voice, str(fact.values["timer"]), fact.values["due"])


_TIMERS = {PERSON_TIMEOUT: "why_timer_person", CONTINUATION_TIMER: "why_timer_goes_on"}
"""The texts for timers that belong to no transition."""
