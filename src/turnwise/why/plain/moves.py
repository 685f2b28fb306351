"""Sentences about moves, decisions, and the end of a conversation."""

from __future__ import annotations

from turnwise.core.commands.reasons import known_reason
from turnwise.core.state import Ended, Failed
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.plain.because import MOVES, Reason, authored, because, decision, instead, moved, went_by
from turnwise.why.plain.failures import failed, first_of
from turnwise.why.plain.timers import armed
from turnwise.why.plain.voice import LONGEST_QUOTE, Sentence, Voice, fixed


def ended(voice: Voice, fact: Fact) -> str:
    """Say the reason for the end; of one that only says why it went on, that the conversation has ended too."""
    over, reason = voice.text("conversation_ended"), _of_end(voice, fact)
    return f"{over} {reason.text}" if reason.is_of_step else reason.text or over


def _of_end(voice: Voice, fact: Fact) -> Reason:
    """Return the reason for the end, with the values of the move before it that decided it, where the fact has these;
    else the reason for the last move.
    """
    moves = [one for own in voice.facts for one in own.walk() if one.kind in MOVES]
    own = next((found for one in fact.walk() if (found := _given(voice, one)).text), None)
    if own is not None:
        decisive = next((went_by(voice, decision(one)) for one in moves if one.seq == fact.values.get("decisive")), "")
        return Reason(f"{own.text} {decisive}") if decisive else own
    moves = sorted(moves, key=lambda one: one.seq, reverse=True)  # the last one before the end
    others = (found for one in moves if one.turn < fact.turn and (found := because(voice, one)).text)
    return next(others, None) or because(voice, fact)


def _given(voice: Voice, fact: Fact) -> Reason:
    """Return who or what made a move, where the fact itself has it."""
    if fact.kind == "person_gave_back" and fact.values["end"]:
        return Reason(voice.text("why_person_chose"))
    if fact.kind == "nobody_came":
        return Reason(voice.of(fact))
    is_reasoned = fact.values.get("operator") or fact.values.get("because") or fact.values.get("also_because")
    return because(voice, fact) if is_reasoned and fact.kind in ("decided", *MOVES) else Reason()


_BROKEN_OFF: tuple[FactKind, ...] = ("form_stopped", "form_cancelled")
"""Facts about a form after which its unguarded transitions are not judged."""


def judged(voice: Voice, fact: Fact) -> str:
    """Say why a transition was taken, what it needs, or what went before it."""
    match fact.values["outcome"]:
        case "taken":
            return moved(voice, fact)
        case "false" | "unknown":
            return needed(voice, fact) or _unmet(voice, fact)
        case "error":
            return voice.text("why_error_in_rules")
        case "blocked":
            return voice.text("why_same_step")
        case "not_reached" if (form := next((one for one in fact.causes if one.kind in _BROKEN_OFF), None)) is not None:
            return voice.of(form)
        case "not_reached" if "waits_for" in fact.values:  # it was judged before, and nothing that it reads changed
            return needed(voice, fact) or _unmet(voice, fact)
        case _:
            return instead(voice, fact)


def _decided(voice: Voice, fact: Fact) -> str:
    """Say why a transition was taken; where none was, what is awaited, or what one lacks."""
    if fact.values["transition"]:
        return moved(voice, fact)
    awaited = _awaited(voice) if fact.turn == voice.state.turn else ""
    if awaited:
        return awaited
    judged = (text for one in voice.facts if one.kind == "transition_judged" and (text := needed(voice, one)))
    return next(judged, "") or went_by(voice, fact)


def needed(voice: Voice, fact: Fact) -> str:
    """Say what a transition lacks, and which values are in its way; empty where no field is known to be."""
    lacking = voice.titles(fact.values.get("lacking", ()))
    values = {one.values["name"]: one.values["value"] for one in fact.causes if one.kind == "value_read"}
    in_the_way = voice.answers(
        (name, values.get(name, voice.value(name))) for name in fact.values.get("in_the_way", ())
    )
    lacks = voice.text_of(fact, "why_lacks", field=lacking) if lacking else ""
    return f"{lacks} {voice.text_of(fact, 'why_in_the_way', field=in_the_way) if in_the_way else ''}".strip()


def _unmet(voice: Voice, fact: Fact) -> str:
    """Say what a transition waits for that is no field: words of a message, uses of tools, or the state of a form."""
    reads = [one for one in fact.causes if one.kind == "root_read"]
    names = fact.values.get("waits_for") or [one.values["name"] for one in reads]
    roots = {name.partition(".")[0] for name in names}
    if "form" in roots:
        done = (one for one in fact.walk() if one.kind == "command_applied" and one.values["command"] == "cancel")
        return voice.text("why_stopped_for_you") if any(done) else waits(voice)
    used = (one for one in reads if one.values["name"] in names and one.values["value"] == "true")
    if "tools" in roots and (use := next(used, None)) is not None:
        return _acts_against(voice, use)
    text = next((text for root, text in _ROOTS.items() if root in roots), "")
    missing = [one for one in fact.causes if one.kind == "value_missing"]
    if missing and not text and all(one.kind == "value_missing" for one in fact.causes if "name" in one.values):
        return _unknown(voice, fact, missing)
    read = voice.titles(name for one in fact.causes if (name := one.values.get("name")) and not voice.is_secret(name))
    if read and not text:
        return voice.text("why_decided", fields=read)
    if text in ("", "why_not_by_acts"):
        return voice.text_of(fact, text or "why_not_given")
    return voice.text(text)


def _unknown(voice: Voice, fact: Fact, missing: list[Fact]) -> str:
    """Say that a transition waits for values that are not there: a formula failed, or nobody gave them."""
    failed = next((text for one in missing if (text := voice.of_causes(one, "value_not_computed"))), "")
    names = voice.titles(name for one in missing if not voice.is_secret(name := str(one.values["name"])))
    return failed or (voice.text_of(fact, "why_lacks", field=names) if names else voice.text_of(fact, "why_not_given"))


def _acts_against(voice: Voice, use: Fact) -> str:
    """Say that something stands against a transition that was done, and after which message of the user."""
    said = next((str(one.values["said"]) for one in use.walk() if one.kind == "message_received"), "")
    if 0 < len(said) <= LONGEST_QUOTE:
        return voice.text("why_against_acts_after", word=said)
    return voice.text("why_against_acts")


_ROOTS = {"tools": "why_not_by_acts", "message": "why_not_in_message", "person": "why_person_decides"}
"""What the sentence says of a condition on what is no field."""


def never(voice: Voice, fact: Fact) -> str:
    """Say why something never happened: what it needs, what is awaited, or what happened instead."""
    facts = [*fact.walk()]
    status = (needed(voice, one) for one in facts)
    judgements = (judged(voice, one) for one in facts if one.kind == "transition_judged")
    found = next(filter(None, status), "") or next(filter(None, judgements), "")
    return found or _not_judged(voice, facts)


def _not_judged(voice: Voice, facts: list[Fact]) -> str:
    """Say why a transition was not judged: its time has not come, another was taken, it ended, or what is awaited."""
    names = {one.values["transition"] for one in facts if one.kind == "transition_not_judged"}
    due = next((one for one in voice.state.timers if one.transition in names), None)
    if due is not None:
        return armed(voice, due.transition, voice.time(due.due_ms))
    left = next((one for one in facts if one.kind in MOVES and names & voice.ways_out(one.values["node"])), None)
    if left is not None:
        own = authored(left) or left.kind == "node_left"
        return instead(voice, left) if own and not left.values.get("operator") else voice.of(left)
    if isinstance(voice.state.status, Ended):
        return voice.text("why_ended_first")
    awaited = next((text for one in facts if one.kind in _WAITS and (text := voice.of(one))), "") or _awaited(voice)
    if names & voice.ways_out(voice.state.node):
        return awaited or voice.text("why_waiting")
    last = next((one for one in reversed(voice.during) if one.kind == "node_left"), None)
    then = moved(voice, last) if last is not None and not awaited else ""
    return f"{voice.text('why_not_yet')} {awaited or then or voice.text('why_waiting')}"


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
    "form_cancelled",
    "person_is_awaited",
    "person_in_charge",
)
"""What a conversation waits for."""


def person(voice: Voice, _fact: Fact) -> str:
    """Say that a person answers, is awaited, or answered at that time."""
    found = voice.state.person
    if found is None or (voice.is_past and found.operator):
        return voice.text("why_person_answered")
    if voice.is_past:
        return voice.text("why_person_asked")
    return voice.text("why_person_in_charge" if found.operator else "why_person_awaited")


def waits(voice: Voice) -> str:
    """Say for what the conversation waits, or that its last turn failed."""
    return _awaited(voice) or voice.text("why_waiting")


def _awaited(voice: Voice) -> str:
    """Say for what the conversation waits, or that its last turn failed; empty where that is any message."""
    if isinstance(voice.state.status, Failed):
        return failed(voice)
    return known_reason(voice.machine, voice.state, voice.text, voice.state.turn)


def _stays(voice: Voice, _fact: Fact) -> str:
    """Say why the conversation goes on, or why its last turn failed."""
    found = (voice.of(one) for fact in voice.facts for one in fact.walk() if one.kind in _WAITS)
    is_failed = isinstance(voice.state.status, Failed)
    return waits(voice) if is_failed else next((text for text in found if text), "") or waits(voice)


def _taken(voice: Voice, fact: Fact) -> str:
    """Say that an undo took a move back, else why the move was made."""
    return voice.of_causes(fact, "turn_undone") or voice.of_causes(fact, "node_left", "conversation_ended", "decided")


def _visited(voice: Voice, fact: Fact) -> str:
    """Say why a node was left; where the answer has it, also why it was entered before. An undo goes before both."""
    undone = voice.of_causes(fact, "turn_undone")
    if undone:
        return undone
    node, moves = fact.values["node"], [one for one in (*fact.causes, *voice.facts) if one.kind == "node_left"]
    left = next((one for one in moves if one.values["node"] == node), None)
    entered = next((one for one in moves if one.values["target"] == node), None)
    if left is None:
        return moved(voice, entered) if entered is not None else voice.text("why_no_part")
    both = [one for one in (entered, left) if one is not None and not one.values["operator"]]
    reasons = [authored(one) for one in both]
    if len(reasons) == 2 and all(reasons):
        return voice.text("why_came_and_went", reason=reasons[0], then=reasons[1])
    came = moved(voice, entered) if entered is not None and left.values["is_planned"] else ""
    return f"{came} {moved(voice, left)}".strip()


SENTENCES: dict[FactKind, Sentence] = {
    "conversation_ended": ended,
    "conversation_goes_on": _stays,
    "node_never_entered": never,
    "transition_not_judged": never,
    "node_left": moved,
    "transition_judged": judged,
    "transition_was_taken": _taken,
    "decided": _decided,
    "rules_disagree": lambda voice, fact: voice.of_causes(fact, "decided"),
    "outranked": fixed("why_other_first"),
    "outranked_else": fixed("why_other_first"),
    "move_planned": fixed("why_next"),
    "move_waits": fixed("why_next"),
    "move_blocked": fixed("why_same_step"),
    "move_undone": lambda voice, fact: first_of(voice, fact.causes) or voice.text("why_error"),
    "node_not_in_charge": _visited,
    "node_in_charge": fixed("why_here"),
    "conversation_started": fixed("why_began"),
    "run_went_on": fixed("why_goes_on"),
    "run_stopped": lambda voice, fact: voice.of_causes(fact) or waits(voice),
    "turn_under_way": fixed("why_under_way"),
    "forked": fixed("why_copied"),
    "began_here": fixed("why_no_copy"),
    "migrated": fixed("why_new_version"),
    "erased": fixed("why_erased"),
}
