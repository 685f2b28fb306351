"""Sentences about what was done: by people, tools and models, by timers, and for the user."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.candidates import PERSON_TIMEOUT
from turnwise.core.state import Ended
from turnwise.flow.addresses import field_of
from turnwise.why.answer import Fact
from turnwise.why.facts.reminders import in_words
from turnwise.why.facts.scopes import OPENER_WORDS
from turnwise.why.facts.values import is_use
from turnwise.why.plain.failures import FAILURES, first_failure
from turnwise.why.plain.moves import authored
from turnwise.why.plain.voice import Voice

# people -------------------------------------------------------------------------------------------


def person(voice: Voice, _fact: Fact) -> str:
    """Return in words that a person answers, is awaited, or answered at the time of the turn."""
    found = voice.state.frame.person
    if found is None or (voice.is_past and found.operator):
        return voice.text("why_person_answered")
    if voice.is_past:
        return voice.text("why_person_asked")
    return voice.text("why_person_in_charge" if found.operator else "why_person_awaited")


def person_now(voice: Voice, fact: Fact) -> str:
    """Return in words that a person answers or is awaited now; empty if neither is so."""
    return person(voice, fact) if voice.state.frame.person is not None else ""


def awaited(voice: Voice, fact: Fact) -> str:
    """Return in words that a person is awaited, since when and until when, or that a person answers."""
    found = voice.state.frame.person
    if found is None or (voice.is_past and not found.operator):
        return voice.text("why_person_asked")
    return ("" if found.operator else voice.fill("why_person_awaited_until", fact)) or person(voice, fact)


def gave_back(voice: Voice, fact: Fact) -> str:
    """Return in words what a person decided or noted before the machine continued."""
    if fact.values.get("transition") or fact.values.get("end"):
        return voice.text("why_person_chose")
    return voice.fill("why_person_noted", fact, fields=_fields(voice, fact)) or voice.text("why_person_done")


def person_acted(voice: Voice, fact: Fact) -> str:
    """Return in words what a person did last, apart from the messages that the person wrote."""
    return voice.first_of(reversed([one for one in fact.causes if one.kind != "person_said"] or fact.causes))


def handed_on(voice: Voice, fact: Fact) -> str:
    """Return in words that the user's message was passed on if the program was asked to fetch a person; else empty."""
    return voice.text("why_handed_on") if any(one.kind == "artefact_made" for one in fact.causes) else ""


def said(_voice: Voice, fact: Fact) -> str:
    """Return the text with which the machine replied to the user; empty if there was none."""
    return str(fact.values.get("said") or "")


def _fields(voice: Voice, fact: Fact) -> str:
    return voice.titles(one.name for one in fact.about if one.kind == "field")


def over(voice: Voice, _fact: Fact) -> str:
    """Return in words that the conversation has ended; empty if it has not."""
    return voice.text("conversation_ended") if isinstance(voice.state.status, Ended) else ""


# calls --------------------------------------------------------------------------------------------


def consent(voice: Voice, _fact: Fact) -> str:
    """Return in words that a yes or no is awaited, or that it was asked for earlier."""
    frame = voice.state.frame
    if frame.awaiting_approval is not None:
        return voice.text("why_consent")
    return voice.text("why_consent_operator" if frame.approvals else "why_consent_asked")


def dropped(voice: Voice, fact: Fact) -> str:
    """Return in words why a pending call was dropped: the user did not agree, or something came first; else empty."""
    if fact.values["code"] != "dropped":
        return ""
    is_answered = any(one.kind in ("command_applied", "message_received", "button_pressed") for one in fact.causes)
    return voice.text("why_declined" if is_answered else "why_other_first")


NOT_CALLED = {
    "fork": "why_not_in_copy",
    "declined": "why_declined",
    "expired": "why_not_approved",
    "replaced": "why_other_first",
    **dict.fromkeys(("arguments", "not_json", "unknown_tool"), "why_call_wrong"),
    **dict.fromkeys(("waiting", "not_allowed", "not_open", "out_of_sequence"), "why_tried_in_vain"),
}
"""The key of the text about a call that was refused, by the code of the refusal."""


def returned(voice: Voice, fact: Fact) -> str:
    """Return in words that a tool was carried out, and that the user agreed to it if that was asked."""
    called = next((one for one in fact.causes if one.kind == "tool_called"), None)
    is_agreed = called is not None and any(one.kind == "command_applied" for one in called.causes)
    return voice.text("why_you_agreed" if is_agreed else "why_done")


def answered(voice: Voice, fact: Fact) -> str:
    """Return in words what a model call stored, or why it stored nothing."""
    by = {cause.seq for cause in fact.causes}
    own = [one for one in voice.during if not by.isdisjoint(cause.seq for cause in one.causes)]
    if _has_worked(fact):
        return _stored(voice, own) or voice.text("why_done")
    return voice.first_of(one for one in own if one.kind == "write_refused") or voice.text("why_call_wrong")


def _stored(voice: Voice, facts: Iterable[Fact], key: str = "why_noted_down") -> str:
    """Say what a model stored, by the titles of the fields; empty where it stored nothing."""
    sets = [one for one in facts if one.kind == "field_set" and any(own.kind == "model_replied" for own in one.causes)]
    fields = voice.titles(one.values["field"] for one in sets)
    return voice.text(key, fields=fields) if fields else ""


def _with_stored(voice: Voice, vain: Fact, why: str) -> str:
    """Say why something came to nothing, and what a model stored before or after it."""
    before = _stored(voice, [one for one in voice.during if one.seq < vain.seq])
    after = _stored(voice, [one for one in voice.during if one.seq > vain.seq], "why_noted_then")
    return " ".join(filter(None, (before, why, after)))


def is_made_good(vain: Fact, facts: Iterable[Fact]) -> bool:
    """Return whether a tool call that failed or was refused was followed, among some facts, by a successful call of the
    same tool.
    """
    tool = vain.values.get("tool") if vain.kind in ("call_refused", "tool_failed") else None
    return tool is not None and any(
        one.kind == "tool_returned" and one.values["tool"] == tool and one.seq > vain.seq for one in facts
    )


def model_called(voice: Voice, fact: Fact) -> str:
    """Return in words how the model calls in the turn ended: the last failure, what they stored, or success."""
    if any(one.kind == "call_awaits_approval" for one in voice.during):
        return consent(voice, fact)
    wrong = next((one for one in reversed(voice.during) if one.kind in FAILURES), None)
    if wrong is None:
        return _stored(voice, voice.during) or voice.text("why_several_steps")
    if is_made_good(wrong, voice.during):
        return voice.text("why_done_at_last")
    return _with_stored(voice, wrong, first_failure(voice, [wrong]))


def model_replied(voice: Voice, fact: Fact) -> str:
    """Return in words how the calls in a model's reply ended; if it had no calls, that it was the answer."""
    return model_called(voice, fact) if fact.values["calls"] else voice.text("why_replied")


def tool_called(voice: Voice, fact: Fact) -> str:
    """Return in words why the last failed call of a tool failed, and whether other calls of it worked."""
    vain = [one for one in fact.causes if not _has_worked(one)]
    if len(vain) == len(fact.causes):
        return voice.of(vain[-1])
    if vain[-1].kind == "call_answered":
        return _with_stored(voice, vain[-1], voice.of(vain[-1]))
    return voice.text("why_done_at_last" if fact.causes[-1] not in vain else "why_done_at_first")


def _has_worked(call: Fact) -> bool:
    return call.kind in ("tool_returned", "tool_used_by_host", "call_answered") and is_use(call)


def offer(voice: Voice, fact: Fact) -> str:
    """Return in words that an act is possible or not, in the node in charge or in another node."""
    name = "why_possible" if fact.kind == "tool_offered" else "why_not_here"
    return voice.text(name if fact.values["node"] == voice.state.frame.node else f"{name}_then")


def used(voice: Voice, fact: Fact) -> str:
    """Return in words whether the uses of a tool that were undone remain carried out; empty if none were undone."""
    return voice.text("why_kept" if fact.values["count"] else "undone") if fact.values.get("undone") else ""


# undo, requests of the user, and timers -----------------------------------------------------------


def undone(voice: Voice, fact: Fact) -> str:
    """Return in words that an undo was made, which answers it took back, and that carried-out actions remain."""
    if fact.values["kept"]:
        return voice.text("why_kept")
    return voice.fill("why_undone", fact, fields=_fields(voice, fact)) or voice.text("undone")


def asked_for(voice: Voice, fact: Fact) -> str:
    """Return in words that the user asked for what the machine did, or how a call that needed a yes ended."""
    key = _COMMANDS.get(fact.values["command"])
    if key is not None:
        return voice.text(key)
    ends = (one for one in voice.during if one.kind in ("tool_returned", "tool_failed", "call_refused"))
    return next((voice.of(one) for one in ends if any(cause.seq == fact.seq for cause in one.walk())), "")


_COMMANDS = {
    **dict.fromkeys(("skip", "repeat", "wait", "help", "start"), "why_you_asked"),
    "restart": "why_restarted",
    "cancel": "why_stopped_for_you",
    "courtesy": "why_courtesy",
    "hand_over": "why_asked_for_person",
}
"""The text for a command that is not an answer."""


def scope_opened(voice: Voice, fact: Fact) -> str:
    """Return in words who began an inner conversation: the user, the flow with its reason, or the machine itself."""
    if fact.values["who"] == OPENER_WORDS["program"]:
        return voice.text("why_done_outside")
    found = voice.of_causes(fact, "command_applied", "offer_closed", "node_left", "decided", "schedule_fired")
    return found or voice.text("why_by_me")


def scope_closed(voice: Voice, fact: Fact) -> str:
    """Return in words why an inner conversation has ended."""
    key = _CLOSED.get(str(fact.values["outcome"]))
    return voice.text(key) if key is not None else voice.of_causes(fact, "decided", "command_applied", "call_answered")


_CLOSED = {
    "cancelled": "why_stopped_for_you",
    "limit": "why_limit_kept",
    "timeout": "why_time_passed",
    "failed": "why_error",
    "completed": "why_complete",
}
"""The text for an outcome that no author named."""


def stopped(voice: Voice, fact: Fact) -> str:
    """Return in words that the form does not continue with the present answer, and with which answers it would."""
    others = ", ".join(voice.readable(str(fact.values["field"]), one) for one in fact.values["others"])
    goes_on = voice.text("why_stopped_but", value=others) if others else ""
    return f"{voice.fill('why_stopped', fact)} {goes_on}".strip()


def timer_fired(voice: Voice, fact: Fact) -> str:
    """Return in words what a timer that came due led to, and when that was if it is known."""
    passed = voice.text("why_nobody_came" if fact.values["timer"] == PERSON_TIMEOUT else "why_time_passed")
    text = voice.of_causes(fact, "transition_judged") or passed
    return f"{text} {voice.text('why_happened_at', at=fact.values['at'])}"


def schedule_fired(voice: Voice, fact: Fact) -> str:
    """Return in words that a schedule came due, and when; or that it had no effect."""
    if fact.values["did_nothing"]:
        return voice.text("why_schedule_silent")
    return f"{voice.text('why_schedule')} {voice.text('why_happened_at', at=fact.values['at'])}"


def schedule_waits(voice: Voice, fact: Fact) -> str:
    """Return in words when a schedule will come due."""
    return voice.text("why_schedule_later", at=fact.values["at"] or fact.values["due"])


def reminded(voice: Voice, fact: Fact) -> str:
    """Return in words after how long without a message the user was reminded."""
    return voice.text("why_reminded", duration=in_words(int(fact.values["seconds"]), voice.machine.language.code))


def timer_dropped(voice: Voice, fact: Fact) -> str:
    """Return in words that a timer no longer counts, and why the conversation went on before it came due."""
    reasons = (authored(one) for one in fact.causes if one.kind == "node_left")
    found = next(filter(None, reasons), "")
    return voice.text("why_timer_dropped", reason=found) if found else voice.text("why_gone_on")


# failures -----------------------------------------------------------------------------------------


def write_refused(voice: Voice, fact: Fact) -> str:
    """Return in words which value could not be stored, and why; empty if the reason is not about a field."""
    address = str(fact.values["limit"])
    if fact.values["value"] is None or voice.is_secret(address):
        return ""
    reason = str(fact.values["reason"]).removeprefix(f"{address}: ").removeprefix(f"{field_of(address)}: ")
    return voice.fill("why_not_noted", fact, field=voice.title(address), reason=f"{reason.rstrip('.')}.")


WARNINGS = {
    "guard error": "why_error_in_rules",
    "silent turn": "why_silent",
    "transition cascade limit": "why_same_step",
    "understanding failed": "why_not_read",
}
"""The key of the text about a warning whose effect the user noticed, by the code of the warning."""
