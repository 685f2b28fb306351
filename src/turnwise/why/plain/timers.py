"""Sentences about times that pass: what happens when they have, and what became of them."""

from __future__ import annotations

from turnwise.core.machine import PERSON_TIMEOUT, Candidate, End, Go
from turnwise.core.step.receive import CONTINUATION
from turnwise.why.answer import Fact
from turnwise.why.facts.reminders import in_words
from turnwise.why.kinds import FactKind
from turnwise.why.plain.because import authored
from turnwise.why.plain.voice import Sentence, Voice, fixed


def armed(voice: Voice, timer: str, due: str) -> str:
    """Say what happens by itself at a time: the conversation ends or goes on, or no person is awaited any more."""
    if timer in _OWN:
        return voice.text(_OWN[timer], due=due)
    found = next((one for one in voice.machine.candidates(voice.state.node, "timer").all if one.id == timer), None)
    if found is None:
        return voice.text("why_timer", due=due)
    if found.is_guarded:
        return voice.text("why_timer_asks", due=due)
    return voice.text("why_timer_ends" if _ends(voice, found) else "why_timer", due=due)


_OWN = {PERSON_TIMEOUT: "why_timer_person", CONTINUATION: "why_timer_goes_on"}
"""The text for a timer that is no transition."""


def _ends(voice: Voice, transition: Candidate) -> bool:
    """Return whether a transition ends the conversation, itself or by the node to which it leads."""
    if isinstance(transition.action, Go):
        return bool(voice.machine.nodes[transition.target].node.end)
    return isinstance(transition.action, End)


def _due(voice: Voice, fact: Fact) -> str:
    return armed(voice, str(fact.values["timer"]), str(fact.values["due"]))


def _fired(voice: Voice, fact: Fact) -> str:
    """Say what the time that passed led to, and when that was, where it is known."""
    passed = voice.text("why_nobody_came" if fact.values["timer"] == PERSON_TIMEOUT else "why_time_passed")
    text = voice.of_causes(fact, "transition_judged") or passed
    return f"{text} {voice.text('why_happened_at', at=fact.values['at'])}"


def _reminded(voice: Voice, fact: Fact) -> str:
    """Say after which time without a message the user was reminded."""
    passed = in_words(int(fact.values["seconds"]), voice.machine.language.code)
    return voice.text("why_reminded", duration=passed)


def _dropped(voice: Voice, fact: Fact) -> str:
    """Say that a time no longer counts, and why the conversation went on before."""
    found = next((text for one in fact.causes if one.kind == "node_left" and (text := authored(one))), "")
    return voice.text("why_timer_dropped", reason=found) if found else voice.text("why_gone_on")


def _not_armed(voice: Voice, fact: Fact) -> str:
    own = voice.of_causes(fact, "timer_fired", "timer_dropped", "timer_late", "person_took_over", "person_awaited")
    return own or voice.text("why_no_timer")


SENTENCES: dict[FactKind, Sentence] = {
    "timer_late": fixed("why_timer_late"),
    "timer_fired": _fired,
    "reminder_said": _reminded,
    "timer_dropped": _dropped,
    "timer_not_armed": _not_armed,
    "timer_armed": _due,
    "timer_is_armed": _due,
}
