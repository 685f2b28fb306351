"""Sentences about moves, decisions, timers, and the end of a conversation."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.machine import PERSON_TIMEOUT
from turnwise.core.state import Ended
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.plain.voice import Sentence, Voice, fixed

_MOVES: tuple[FactKind, ...] = ("node_left", "conversation_ended")


def because(voice: Voice, fact: Fact) -> str:
    """Say the reason that the author gave for a transition, or that a person chose it."""
    if fact.values.get("operator"):
        return voice.text("why_person_chose")
    decided = next((one for one in fact.causes if fact.kind == "node_left" and one.kind == "decided"), fact)
    is_own = fact.kind != "node_left" or fact.values["transition"]  # another reason is the machine's
    reasons = [decided.values.get("because"), *fact.values.get("also_because", ())] if is_own else []
    known = dict.fromkeys(str(reason).strip().rstrip(".") for reason in reasons if reason)
    if known:
        return voice.text("why_because", reason="; ".join(known))
    return _read(voice, decided) if is_own else ""


def moved(voice: Voice, fact: Fact) -> str:
    """Say that the user asked for a person where that caused a move, else its reason."""
    is_asked = any(_is_wish(one) and one.turn == fact.turn for one in fact.walk())
    return voice.text("why_asked_for_person") if is_asked else because(voice, fact)


def _is_wish(fact: Fact) -> bool:
    return fact.kind == "command_applied" and fact.values["command"] == "hand_over"


def _read(voice: Voice, decided: Fact) -> str:
    """Say which answers decided, where the author gave no reason."""
    if not decided.values.get("transition"):
        return ""
    names = [one.values["name"] for one in decided.causes if one.kind == "value_read"]
    titles = voice.titles(one for one in names if not voice.is_secret(one))
    return voice.text("why_decided", fields=titles) if titles else ""


def ended(voice: Voice, fact: Fact) -> str:
    """Say the reason for the end, or for the last move before it; without one, that the conversation has ended."""
    own = next((text for one in fact.walk() if (text := _given(voice, one))), "")
    if own:
        return own
    moves = sorted(_moves(voice.facts), key=lambda one: one.seq, reverse=True)  # the last one before the end
    others = (text for one in (*fact.walk(), *moves) if (text := because(voice, one)))
    return next(others, voice.text("conversation_ended"))


def _moves(facts: Iterable[Fact]) -> list[Fact]:
    return [one for one in facts if one.kind in _MOVES]


def _given(voice: Voice, fact: Fact) -> str:
    """Say the reason that a fact has itself."""
    is_reasoned = fact.values.get("operator") or fact.values.get("because") or fact.values.get("also_because")
    return because(voice, fact) if is_reasoned else ""


def judged(voice: Voice, fact: Fact) -> str:
    """Say why a transition was taken, what it needs, or what went before it."""
    match fact.values["outcome"]:
        case "taken":
            return because(voice, fact)
        case "false" | "unknown":
            return needed(voice, fact) or voice.text("why_not_given")
        case "error":
            return voice.text("why_error")
        case "blocked":
            return voice.text("why_same_step")
        case _:
            return _instead(voice, fact)


def needed(voice: Voice, fact: Fact) -> str:
    """Say what a transition lacks, or which value is in its way; empty where no single field is known to be."""
    lacking, in_the_way = (voice.title(fact.values.get(name)) for name in ("lacking", "in_the_way"))
    if lacking:
        return voice.text("why_lacks", field=lacking)
    return voice.text("why_in_the_way", field=in_the_way) if in_the_way else ""


def _instead(voice: Voice, fact: Fact) -> str:
    """Say why another transition was taken."""
    found = _reason(fact)
    return voice.text("why_instead", reason=found) if found else voice.text("why_other_first")


def _reason(fact: Fact) -> str:
    """Return the newest reason that an author gave among what caused a fact."""
    reasons = (one.values.get("because") for one in fact.walk() if one.kind in ("decided", *_MOVES))
    return next((str(one).strip().rstrip(".") for one in reasons if one), "")


def never(voice: Voice, fact: Fact) -> str:
    """Say why something never happened: what it needs, what is awaited, or what happened instead."""
    facts = [*fact.walk()]
    found = next((text for one in facts if (text := needed(voice, one))), "")
    if found:
        return found
    status = next((text for one in facts if one.kind == "transition_judged" and (text := judged(voice, one))), "")
    if status:
        return status
    waits = next((text for one in facts if one.kind in _WAITS and (text := voice.of(one))), "")
    if waits:
        return waits
    found = next((one for one in facts if one.kind in _MOVES), None)
    if found is not None:
        return voice.text("why_person_chose") if found.values.get("operator") else _instead(voice, found)
    names = {one.values["transition"] for one in facts if one.kind == "transition_not_judged"}
    if isinstance(voice.state.status, Ended):
        return voice.text("conversation_ended")
    if not names & _here(voice):
        return voice.text("why_no_part")
    return voice.text("why_waiting")


_WAITS: tuple[FactKind, ...] = (
    "question_next",
    "question_kept",
    "question_edited",
    "question_walked",
    "question_repeated",
    "chooser_due",
    "correction_unclear",
    "confirmation_due",
    "form_stopped",
    "person_is_awaited",
    "person_in_charge",
)
"""What a conversation waits for."""


def _here(voice: Voice) -> set[str]:
    """Return the transitions that lead out of the node in charge."""
    moments = ("before", "after", "timer", "error", "choice")
    return {one.id for moment in moments for one in voice.machine.candidates(voice.state.node, moment).all}


def person(voice: Voice, _fact: Fact) -> str:
    """Say that a person answers, is awaited, or answered at that time."""
    found = voice.state.person
    if found is None:
        return voice.text("why_person_answered")
    return voice.text("why_person_in_charge" if found.operator else "why_person_awaited")


def _stays(voice: Voice, fact: Fact) -> str:
    """Say why the conversation goes on, or why its last turn failed."""
    if any(one.kind in ("conversation_failed", "turn_failed") for one in fact.walk()):
        return voice.text("failed")
    found = (voice.of(one) for fact in voice.facts for one in fact.walk() if one.kind in _WAITS)
    return next((text for text in found if text), voice.text("why_waiting"))


def _due(voice: Voice, fact: Fact) -> str:
    """Say when something happens by itself."""
    return voice.text("why_timer", due=fact.values["due"])


def _fired(voice: Voice, fact: Fact) -> str:
    return voice.text("why_nobody_came" if fact.values["timer"] == PERSON_TIMEOUT else "why_time_passed")


def _timer_judged(voice: Voice, fact: Fact) -> str:
    return voice.of_causes(fact, "transition_judged") or voice.text("why_time_passed")


def _dropped(voice: Voice, fact: Fact) -> str:
    """Say that a time no longer counts, and why the conversation went on before."""
    found = next((_reason(one) for one in fact.causes if one.kind == "node_left"), "")
    return voice.text("why_timer_dropped", reason=found) if found else voice.text("why_gone_on")


def _not_armed(voice: Voice, fact: Fact) -> str:
    own = voice.of_causes(fact, "timer_fired", "timer_dropped", "timer_late", "person_took_over", "person_awaited")
    return own or voice.text("why_no_timer")


def _warned(voice: Voice, fact: Fact) -> str:
    key = _WARNINGS.get(str(fact.values["code"]).replace(" ", "_"))
    return voice.text(key) if key is not None else ""


_WARNINGS = {
    "guard_error": "why_error",
    "silent_turn": "why_silent",
    "transition_cascade_limit": "why_same_step",
    "understanding_failed": "why_error",
}
"""What the person noticed of a warning, by its code."""

SENTENCES: dict[FactKind, Sentence] = {
    "turn_failed": fixed("failed"),
    "conversation_failed": fixed("failed"),
    "conversation_ended": ended,
    "conversation_goes_on": _stays,
    "node_never_entered": never,
    "transition_not_judged": never,
    "node_left": moved,
    "transition_judged": judged,
    "transition_was_taken": lambda voice, fact: voice.of_causes(fact, "node_left", "conversation_ended", "decided"),
    "decided": because,
    "outranked": fixed("why_other_first"),
    "move_planned": fixed("why_next"),
    "move_waits": fixed("why_next"),
    "move_blocked": fixed("why_same_step"),
    "move_undone": fixed("why_error"),
    "limit_reached": fixed("why_limit"),
    "guard_failed": fixed("why_error"),
    "code_failed": fixed("why_error"),
    "write_refused": fixed("why_error"),
    "understanding_failed": fixed("why_error"),
    "warned": _warned,
    "node_not_in_charge": lambda voice, fact: voice.of_causes(fact, "node_left") or voice.text("why_no_part"),
    "conversation_started": fixed("why_began"),
    "run_went_on": fixed("why_goes_on"),
    "run_stopped": lambda voice, fact: voice.of_causes(fact) or voice.text("why_waiting"),
    "turn_under_way": fixed("why_under_way"),
    "timer_late": fixed("why_timer_late"),
    "timer_judged": _timer_judged,
    "timer_fired": _fired,
    "timer_dropped": _dropped,
    "timer_not_armed": _not_armed,
    "timer_armed": _due,
    "timer_is_armed": _due,
    "forked": fixed("why_copied"),
    "began_here": fixed("why_no_copy"),
    "migrated": fixed("why_new_version"),
    "erased": fixed("why_erased"),
    "happened_at": lambda voice, fact: voice.text("why_happened_at", at=fact.values["at"]),
}
