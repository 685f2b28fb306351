"""Sentences about what was done: by people, tools, models, undo, and the user's own requests."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.state import Ended
from turnwise.why.answer import Fact
from turnwise.why.facts.values import is_use
from turnwise.why.kinds import FactKind
from turnwise.why.plain.failures import FAILURES, first_of
from turnwise.why.plain.moves import person, waits
from turnwise.why.plain.voice import Sentence, Voice, fixed


def _awaited(voice: Voice, fact: Fact) -> str:
    """Say that a person is awaited, since when and until when at most; that one answers; or that one was asked for."""
    found = voice.state.person
    if found is None or (voice.is_past and not found.operator):
        return voice.text("why_person_asked")
    since, until = fact.values.get("since"), fact.values.get("until")
    if found.operator or not since or not until:
        return person(voice, fact)
    return voice.text("why_person_awaited_until", since=since, until=until)


def _gave_back(voice: Voice, fact: Fact) -> str:
    """Say what a person decided or noted down before the machine went on."""
    if fact.values.get("transition") or fact.values.get("end"):
        return voice.text("why_person_chose")
    noted = voice.titles(one.name for one in fact.about if one.kind == "field")
    return voice.text("why_person_noted", fields=noted) if noted else voice.text("why_person_done")


def _acted(voice: Voice, fact: Fact) -> str:
    """Say what a person did last, apart from what they wrote."""
    acts = [one for one in fact.causes if one.kind != "person_said"] or fact.causes
    return next((text for one in reversed(acts) if (text := voice.of(one))), "")


def _no_person(voice: Voice, fact: Fact) -> str:
    """Say what the last person did; else that the program was asked to fetch one, or that the conversation is over."""
    said = voice.of_causes(fact, "nobody_came", "person_gave_back")
    if said:
        return said
    if any(one.kind == "artefact_made" for one in fact.causes):
        return voice.text("why_handed_on")
    return voice.text("conversation_ended" if isinstance(voice.state.status, Ended) else "why_no_person")


def _waits(voice: Voice, fact: Fact) -> str:
    """Say for whom or for what the conversation waits."""
    if fact.values.get("person"):
        return person(voice, fact)
    return voice.of_causes(fact, "form_stopped", "form_cancelled") or waits(voice)


def _consent(voice: Voice, _fact: Fact) -> str:
    """Say that a yes or no is awaited; where none is any more, that it was asked for."""
    if voice.state.awaiting_approval is None and voice.state.approvals:
        return voice.text("why_consent_operator")
    return voice.text("why_consent" if voice.state.awaiting_approval is not None else "why_consent_asked")


def _call_refused(voice: Voice, fact: Fact) -> str:
    """Say why a call was not carried out, without the name of the tool."""
    return voice.text(_NOT_CALLED[fact.values["code"]] if fact.values["code"] != "dropped" else _dropped(fact))


def _dropped(fact: Fact) -> str:
    """Return the text for a call that was given up: no yes was said, or something came before it."""
    is_answered = any(one.kind in ("command_applied", "message_received", "button_pressed") for one in fact.causes)
    return "why_declined" if is_answered else "why_other_first"


_NOT_CALLED = {
    "fork": "why_not_in_copy",
    "declined": "why_declined",
    "expired": "why_not_approved",
    "waiting": "why_tried_in_vain",
    "replaced": "why_other_first",
    "arguments": "why_call_wrong",
    "not_json": "why_call_wrong",
    "unknown_tool": "why_call_wrong",
    "not_allowed": "why_tried_in_vain",
    "not_open": "why_tried_in_vain",
    "out_of_sequence": "why_tried_in_vain",
}
"""The text for a call that was refused, by the code of the refusal."""


def _returned(voice: Voice, fact: Fact) -> str:
    """Say that something was done, and that the user agreed to it where it was asked for."""
    called = next((one for one in fact.causes if one.kind == "tool_called"), None)
    is_agreed = called is not None and any(one.kind == "command_applied" for one in called.causes)
    return voice.text("why_you_agreed" if is_agreed else "why_done")


def _answered(voice: Voice, fact: Fact) -> str:
    """Say what a call of a model stored, or why it stored nothing."""
    by = {cause.seq for cause in fact.causes}
    own = [one for one in voice.during if not by.isdisjoint(cause.seq for cause in one.causes)]
    if not _has_worked(fact):
        refused = (voice.of(one) for one in own if one.kind == "write_refused")
        return next(refused, voice.text("why_call_wrong"))
    return _stored(voice, own) or voice.text("why_done")


def _stored(voice: Voice, facts: Iterable[Fact], key: str = "why_noted_down") -> str:
    """Say what a model stored, by the titles of the fields; empty where it stored nothing."""
    fields = voice.titles(one.values["field"] for one in facts if one.kind == "field_set" and _is_by_model(one))
    return voice.text(key, fields=fields) if fields else ""


def _with_stored(voice: Voice, vain: Fact, why: str) -> str:
    """Say why something came to nothing, and what a model stored before or after it."""
    before = _stored(voice, [one for one in voice.during if one.seq < vain.seq])
    after = _stored(voice, [one for one in voice.during if one.seq > vain.seq], "why_noted_then")
    return " ".join(filter(None, (before, why, after)))


def _is_by_model(fact: Fact) -> bool:
    return any(cause.kind == "model_replied" for cause in fact.causes)


def is_made_good(vain: Fact, facts: Iterable[Fact]) -> bool:
    """Return whether a later call of the same tool worked, after one that failed or was refused."""
    tool = vain.values.get("tool") if vain.kind in ("call_refused", "tool_failed") else None
    return tool is not None and any(
        one.kind == "tool_returned" and one.values["tool"] == tool and one.seq > vain.seq for one in facts
    )


def _called(voice: Voice, fact: Fact) -> str:
    """Say what became of the calls of a model in the turn: what failed last, what they stored, or that they worked."""
    if any(one.kind == "call_awaits_approval" for one in voice.during):
        return _consent(voice, fact)
    wrong = next((one for one in reversed(voice.during) if one.kind in FAILURES), None)
    if wrong is not None and is_made_good(wrong, voice.during):
        return voice.text("why_done_at_last")
    if wrong is not None:
        return _with_stored(voice, wrong, first_of(voice, [wrong]))
    return _stored(voice, voice.during) or voice.text("why_several_steps")


def _calls(voice: Voice, fact: Fact) -> str:
    """Say what became of the calls of a tool, of which some came to nothing: why the last that did, and what worked."""
    vain = [one for one in fact.causes if not _has_worked(one)]
    if len(vain) == len(fact.causes):
        return voice.of(vain[-1])
    if vain[-1].kind == "call_answered":
        return _with_stored(voice, vain[-1], voice.of(vain[-1]))
    return voice.text("why_done_at_last" if fact.causes[-1] not in vain else "why_done_at_first")


def _has_worked(call: Fact) -> bool:
    return call.kind in ("tool_returned", "tool_used_by_host", "call_answered") and is_use(call)


def _not_asked(voice: Voice, fact: Fact) -> str:
    """Say why no language model answered: something else did, or fixed rules do."""
    own = voice.of_causes(fact, "conversation_ended", "turn_failed", "turn_undone", "call_awaits_approval")
    return own or (person(voice, fact) if voice.state.person is not None else voice.text("why_by_rules"))


def _not_offered(voice: Voice, fact: Fact) -> str:
    return voice.text("conversation_ended") if isinstance(voice.state.status, Ended) else _offer(voice, fact)


def _offer(voice: Voice, fact: Fact) -> str:
    """Say that something can be done or not, here or in another node."""
    name = "why_possible" if fact.kind == "tool_offered" else "why_not_here"
    return voice.text(name if fact.values["node"] == voice.state.node else f"{name}_then")


def _used(voice: Voice, fact: Fact) -> str:
    """Say that something was done, or what an undo made of it."""
    if fact.values.get("undone"):
        return voice.text("why_kept" if fact.values["count"] else "undone")
    return voice.of_causes(fact) or voice.text("why_done")


def _replied(voice: Voice, fact: Fact) -> str:
    return _called(voice, fact) if fact.values["calls"] else voice.text("why_replied")


def _work_done(voice: Voice, fact: Fact) -> str:
    return voice.of_causes(fact, "model_replied", "call_answered", "tool_returned", "person_gave_back", "nobody_came")


def _undone(voice: Voice, fact: Fact) -> str:
    """Say that an undo was made, which answers it took back, and where something was carried out, that it stays."""
    fields = voice.titles(one.name for one in fact.about if one.kind == "field")
    if fact.values["kept"]:
        return voice.text("why_kept")
    return voice.text("why_undone", fields=fields) if fields else voice.text("undone")


def _not_undone(voice: Voice, fact: Fact) -> str:
    """Say why an undo changed nothing."""
    return voice.text("nothing_to_undo" if fact.values["to"] else "why_nothing_before")


def _asked_for(voice: Voice, fact: Fact) -> str:
    """Say that the user asked for what the machine did, apart from answers; of a yes or no, what became of the call."""
    key = _COMMANDS.get(fact.values["command"])
    if key is not None:
        return voice.text(key)
    ends = (one for one in voice.during if one.kind in ("tool_returned", "tool_failed", "call_refused"))
    return next((voice.of(one) for one in ends if any(cause.seq == fact.seq for cause in one.walk())), "")


_COMMANDS = {
    **dict.fromkeys(("skip", "repeat", "wait", "help"), "why_you_asked"),
    "restart": "why_restarted",
    "cancel": "why_stopped_for_you",
    "courtesy": "why_courtesy",
    "hand_over": "why_asked_for_person",
}
"""What the sentence says of a command that is no answer."""


def _stopped(voice: Voice, fact: Fact) -> str:
    """Say that the form does not go on with an answer, and with which it would."""
    others = ", ".join(voice.readable(str(fact.values["field"]), one) for one in fact.values["others"])
    goes_on = voice.text("why_stopped_but", value=others) if others else ""
    return f"{voice.about_field('why_stopped', fact)} {goes_on}".strip()


SENTENCES: dict[FactKind, Sentence] = {
    "form_stopped": _stopped,
    "turn_undone": _undone,
    "undo_refused": _not_undone,
    "undo_asked": fixed("why_you_asked"),
    "person_awaited": _awaited,
    "person_is_awaited": _awaited,
    "person_in_charge": person,
    "person_took_over": person,
    "person_said": fixed("why_person_wrote"),
    "person_gave_back": _gave_back,
    "person_acted": _acted,
    "nobody_came": fixed("why_nobody_came"),
    "no_person": _no_person,
    "message_not_interpreted": person,
    "command_applied": _asked_for,
    "commands_received": fixed("why_done_outside"),
    "tool_used_by_host": fixed("why_done_outside"),
    "call_refused": _call_refused,
    "call_awaits_approval": _consent,
    "call_still_awaits": _consent,
    "tool_returned": _returned,
    "call_answered": _answered,
    "tool_used": _used,
    "tool_not_called": fixed("why_not_done"),
    "tool_never_used": fixed("why_never_done"),
    "tool_not_offered": _not_offered,
    "tool_offered": _offer,
    "button_stale": fixed("stale_button"),
    "no_model_connected": lambda _voice, fact: str(fact.values["said"]),
    "yes_to_nothing": fixed("why_yes_to_nothing"),
    "write_not_called": fixed("why_not_noted_by_me"),
    "tool_called_often": _calls,
    "aside_not_answered": fixed("why_only_answers"),
    "model_called_often": _called,
    "model_not_called": _not_asked,
    "model_replied": _replied,
    "work_done": _work_done,
    "conversation_waits": _waits,
}
