"""Sentences about fields, the questions of a form, and what was understood of a message."""

from __future__ import annotations

from turnwise.core.state import SAID_BY_USER, Ended
from turnwise.core.state.kinds import ValueRefusal
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.plain.moves import person
from turnwise.why.plain.values import former, read_value, source, with_value
from turnwise.why.plain.voice import Sentence, Voice, fixed, of_field

_REFUSED: tuple[FactKind, ...] = ("command_refused", "value_refused")


def _set(voice: Voice, fact: Fact) -> str:
    """Say where the value of a field comes from, and what became of other values for it."""
    said = [one for one in voice.facts if one.kind == "field_set" and one.values.get("origin") in SAID_BY_USER]
    taken = {one.values["field"]: one.values["value"] for one in said if one.turn == fact.turn}
    if voice.subject.kind == "message" and len(taken) > 1:
        return voice.text("why_taken", fields=voice.answers(taken.items()))
    return " ".join(filter(None, (source(voice, fact), former(voice, fact), _turned_down(voice, fact))))


def _turned_down(voice: Voice, fact: Fact) -> str:
    """Say which later answer was not taken."""
    later = [one for one in voice.facts if one.kind in _REFUSED and one.seq > fact.seq and one.about]
    own = [one for one in reversed(later) if one.values.get("field") == fact.values["field"] and voice.of(one)]
    said = next((one.values.get("said") for one in own), "")
    return voice.text("why_refused_later", reason=said) if said else next((voice.of(one) for one in own), "")


def _empty(voice: Voice, fact: Fact) -> str:
    """Say that a value is not known, and why it was not taken where it was given."""
    title = voice.title(fact.values["field"])
    own = [one for one in fact.walk() if Subject("field", str(fact.values["field"])) in one.about]
    removed = next((one for one in own if _is_removed(one)), None)
    if title and removed is not None:
        return _removed(voice, removed)
    if [one.kind for one in fact.causes[:-1]] == ["question_skipped"]:  # after an answer that came to nothing
        return voice.of(fact.causes[0])
    for some in _SETBACKS:
        found = next((text for one in (*own, *fact.causes) if one.kind in some and (text := voice.of(one))), "")
        if found:
            return found
    return _unknown(voice, fact)


_SETBACKS: tuple[tuple[FactKind, ...], ...] = (
    _REFUSED,
    ("value_not_computed",),
    ("not_understood",),
    ("understanding_failed",),
    ("words_not_taken",),
    ("value_undone", "value_lost"),
    ("field_cleared",),
    ("nothing_set", "nothing_returned"),
    ("write_refused", "call_answered", "result_not_stored"),
)
"""Why a field has no value, the reason that says most first."""


def _cleared(voice: Voice, fact: Fact) -> str:
    """Say that a value was removed, and by whom; where there was none, that it is not known."""
    title = voice.title(fact.values["field"])
    if _is_removed(fact):
        return _removed(voice, fact)
    if not title or fact.values["before"] is None:
        return _unknown(voice, fact)
    return f"{voice.text('why_no_longer', field=title)} {_by_whom(voice, fact)}".strip()


def _by_whom(voice: Voice, fact: Fact) -> str:
    """Say who set or cleared a field, where that was no rule."""
    origin = str(fact.values.get("origin"))
    if origin in SAID_BY_USER:
        return voice.text("why_by_you")
    if origin == "tool" and any(one.kind == "model_replied" for one in fact.causes):
        return voice.text("why_by_me")
    return voice.text(_OTHERS[origin]) if origin in _OTHERS else ""


_OTHERS = {"operator": "why_by_person", "command": "why_done_outside", "restart": "why_restarted"}
"""The text for who else set or cleared a field, by the origin of the value."""


def _items(key: str) -> Sentence:
    """Return the sentence for items that were added to a list, or removed from it."""

    def say(voice: Voice, fact: Fact) -> str:
        said = with_value(voice, fact, key)
        return " ".join(filter(None, (said, *(_by_whom(voice, one) for one in fact.causes[:1])))) if said else ""

    return say


def _not_set(voice: Voice, fact: Fact) -> str:
    """Say what was missing from which a value was to be made."""
    return _not_made(voice, fact) or _unknown(voice, fact)


def _computed(voice: Voice, fact: Fact) -> str:
    """Say that a value is computed; where the answer is that it is missing, what that lacks."""
    failed = voice.of_causes(fact, "value_not_computed")
    if failed:
        return failed
    lacks = _not_made(voice, fact) if fact != voice.facts[0] else ""
    return lacks or voice.about_field("why_computed", fact)


def _not_made(voice: Voice, fact: Fact) -> str:
    names = [one.values["name"] for one in fact.causes if one.kind == "value_missing"]
    missing = voice.titles(one for one in names if not voice.is_secret(one))
    title = voice.title(fact.values["field"])
    return voice.text("why_not_made", field=title, fields=missing) if title and missing else ""


def _lost(voice: Voice, fact: Fact) -> str:
    title = voice.title(fact.values["field"])
    return f"{voice.text('why_no_longer', field=title)} {voice.text('why_new_version')}" if title else ""


def _unknown(voice: Voice, fact: Fact) -> str:
    """Say that a value is not known, and that it is asked, will be, or was not asked before the end."""
    address, title = str(fact.values["field"]), voice.title(fact.values["field"])
    question, node = voice.state.question, voice.machine.nodes[voice.state.node]
    if isinstance(voice.state.status, Ended):
        needless = voice.of_causes(fact, "question_condition_failed")
        return needless or voice.text("why_ended_without", field=title)
    if any(one.kind == "field_collected" for one in fact.causes) and address not in node.collects:
        return voice.text("why_not_needed", field=title)
    cause = next((one for one in fact.causes if one.kind in _NOT_ASKED and voice.of(one)), None)
    then = voice.of(cause) if cause is not None else ""
    is_whole = cause is not None and cause.kind in ("field_without_form", "form_left")
    if is_whole or (then and any(one.kind in ("form_stopped", "question_condition_failed") for one in fact.walk())):
        return then
    if not then and question is not None and question.field == address:
        return voice.text("why_asked", field=title)
    return f"{voice.text('why_not_known', field=title)} {then}".strip()


_NOT_ASKED: tuple[FactKind, ...] = (
    *("question_later", "question_not_due", "question_condition_failed", "question_never_put", "question_skipped"),
    *("field_collected", "field_computed", "field_without_form", "form_left", "form_not_reached", "form_not_open"),
    *("form_cancelled", "form_stopped", "form_handed_over", "form_waits_for_person", "write_not_called"),
    "field_written_by",
)
"""Why a field without a value is not asked for now."""


def _removed(voice: Voice, fact: Fact) -> str:
    """Say that a value was removed outside the chat, also where another one came later, or of a turn before."""
    if voice.is_past or fact.values["field"] in voice.state.values:
        return with_value(voice, fact, "why_removed_then")
    return voice.about_field("why_removed", fact)


def _is_removed(fact: Fact) -> bool:
    """Return whether a value was cleared from outside the chat."""
    return fact.kind == "field_cleared" and any(one.kind == "commands_received" for one in fact.causes)


def _refused(voice: Voice, fact: Fact) -> str:
    """Say why a value was not taken; that of a person who answers the user only where the question is about it."""
    title, said = voice.title(fact.values.get("field")), fact.values.get("said")
    if any(cause.kind == "give_back_refused" for cause in fact.causes):
        is_asked = fact is voice.facts[0] or voice.facts[0].kind == "field_empty"
        return _of_person(voice, fact) if is_asked else ""
    if fact.kind == "command_refused" and fact.values["command"] not in ("set", "add", "remove", "clear"):
        is_skip = title and said and fact.values["command"] == "skip"
        return voice.text("why_not_skipped", field=title, reason=said) if is_skip else str(said or "")
    if title and said:
        return voice.text("why_refused", field=title, reason=said)
    return _refused_there(voice, fact) if title and not said else ""


def _refused_there(voice: Voice, fact: Fact) -> str:
    """Say why a value was not taken to which the machine replied nothing."""
    key = {"derived": "why_computed", "nothing_to_clear": "why_not_known"}.get(fact.values["code"])
    return voice.about_field(key, fact) if key is not None else voice.text("why_not_taken_there")


def _tried(voice: Voice, fact: Fact) -> str:
    """Say which values of a person were not taken."""
    own = (one for one in voice.all() if one.kind in _REFUSED and any(cause.kind == fact.kind for cause in one.causes))
    return next((_of_person(voice, one) for one in own), "")


def _event_refused(voice: Voice, fact: Fact) -> str:
    """Say what the user got in reply to an event that was refused; of the acts of others, that nothing came of them."""
    return str(fact.values.get("said") or "") or voice.text("why_nothing_changed")


def _of_person(voice: Voice, fact: Fact) -> str:
    title, said = voice.title(fact.values.get("field")), fact.values.get("said")
    return voice.text("why_refused_person", field=title, reason=said) if title and said else ""


def _missed(voice: Voice, fact: Fact) -> str:
    """Say that an answer was not understood: it names several options, or none of them."""
    failed = next((one for one in fact.walk() if one.kind == "understanding_failed"), None)
    if failed is not None:
        return voice.of(failed)
    address, named = fact.values.get("field"), fact.values.get("named")
    title = voice.title(address)
    if title and named:
        return voice.text("why_several", field=title, named=named)
    if not title:
        return voice.text("why_nothing_taken")
    options = ", ".join(option.value for option in voice.machine.fields[str(address)].options)
    codes = {one.values.get("code") for one in fact.walk() if one.kind == "not_understood"}
    is_none = not codes.isdisjoint(_NO_OPTION) and not voice.is_secret(str(address))
    which = voice.text("refused_option", options=options) if options and is_none else ""
    return f"{voice.text('why_not_understood', field=title)} {which}".strip()


_NO_OPTION: tuple[ValueRefusal, ...] = ("option", "choice")
"""Why a message is none of the options of a field."""


def _nothing_taken(voice: Voice, fact: Fact) -> str:
    """Say in vain for what a message was searched, where its node takes answers from what is said."""
    node = str(fact.values.get("node"))
    sought = voice.machine.nodes[node].collects if node in voice.machine.nodes else ()
    fields = voice.titles(name for name in sought if not voice.is_secret(name))
    return voice.text("why_nothing_found", fields=fields) if fields else voice.text("why_nothing_taken")


def _not_taken(voice: Voice, fact: Fact) -> str:
    """Say which words were not taken, and what stood against it: a person, the place, or the rest of the message."""
    title = voice.title(fact.values.get("field"))
    if not title:
        return ""
    obstacle = _OBSTACLES.get(fact.values["obstacle"])
    why = voice.text(obstacle) if obstacle is not None else person(voice, fact)
    return f"{voice.text('why_not_taken', field=title, word=fact.values['word'])} {why}"


_OBSTACLES = {"node": "why_not_taken_there", "message": "why_not_so", "question": "why_elsewhere"}
"""The text for what stood against words, apart from a person who answered."""


def _was_asked(voice: Voice, fact: Fact) -> str:
    """Say why a question was asked: because of another answer where its condition read one."""
    again = voice.of_causes(fact, "question_edited", "question_walked", "question_repeated")
    if again:
        return again
    applies = next((one for one in fact.walk() if one.kind == "question_applies"), None)
    others = [one.name for one in applies.walk() for one in one.about] if applies is not None else []
    read = voice.titles(one for one in others if one != fact.values["field"] and not voice.is_secret(one))
    title = voice.title(fact.values["field"])
    if title and read:
        return voice.text("why_asked_after", field=title, fields=read)
    return voice.about_field("why_was_asked", fact)


def _again(voice: Voice, fact: Fact) -> str:
    return voice.of_causes(fact, *_REFUSED, "not_understood") or voice.about_field("why_asked", fact)


def _left(voice: Voice, fact: Fact) -> str:
    """Say why a form that was left asks nothing more."""
    unneeded = voice.about_field("why_not_needed", fact)
    return f"{unneeded} {voice.of_causes(fact, 'node_left')}".strip() or voice.text("why_no_question")


def _not_reached(voice: Voice, fact: Fact) -> str:
    """Say that a form was not reached yet, or did not open."""
    return voice.about_field("why_not_reached", fact) or voice.text("why_not_yet")


def _not_needed(voice: Voice, fact: Fact) -> str:
    """Say which answers make a question needless."""
    address = str(fact.values["field"])
    read = {one.values["name"]: one.values["value"] for one in fact.causes if one.kind == "value_read"}
    others = voice.answers((name, value) for name, value in read.items() if name != address)
    if not others:
        return voice.about_field("why_not_needed", fact)
    return voice.text("why_needless", field=voice.title(address), fields=others)


def _none_asked(voice: Voice, _fact: Fact) -> str:
    return voice.text("conversation_ended" if isinstance(voice.state.status, Ended) else "why_no_question")


SENTENCES: dict[FactKind, Sentence] = {
    "value_refused": _refused,
    "command_refused": _refused,
    "not_understood": _missed,
    "question_repeated": _missed,
    "give_back_refused": _tried,
    "event_refused": _event_refused,
    "question_again": _again,
    "words_not_taken": _not_taken,
    "question_edited": fixed("why_edited"),
    "question_walked": fixed("why_edited"),
    "chooser_due": fixed("why_which_answer"),
    "correction_unclear": fixed("why_which_of_several"),
    "confirmation_due": fixed("why_confirm"),
    "confirmation_later": fixed("why_confirm_later"),
    "question_next": of_field("why_asked"),
    "question_kept": of_field("why_asked"),
    "question_asked": of_field("why_asked"),
    "question_not_put": of_field("why_asked"),
    "question_was_asked": _was_asked,
    "form_waits_for_person": person,
    "question_condition_failed": _not_needed,
    "question_never_put": of_field("why_taken_if_said"),
    "field_without_form": of_field("why_not_needed"),
    "field_computed": _computed,
    "value_not_computed": of_field("why_not_worked_out"),
    "form_left": _left,
    "form_not_reached": _not_reached,
    "form_not_open": _not_reached,
    "question_later": of_field("why_later"),
    "question_not_due": lambda voice, fact: voice.of_causes(fact),
    "question_answered": of_field("why_known"),
    "question_skipped": of_field("why_skipped"),
    "form_cancelled": fixed("why_stopped_for_you"),
    "form_confirmed": fixed("why_complete"),
    "form_handed_over": fixed("why_handed_over"),
    "form_ended": fixed("conversation_ended"),
    "form_unconfirmed": fixed("why_no_confirm"),
    "form_none": fixed("why_no_question"),
    "question_none": _none_asked,
    "message_none": fixed("why_no_message"),
    "answer_elsewhere": fixed("why_elsewhere"),
    "understood_nothing": _nothing_taken,
    "message_not_read": fixed("why_nothing_taken"),
    "field_empty": _empty,
    "field_inactive": of_field("why_set_aside"),
    "field_shelved": of_field("why_set_aside"),
    "field_revived": of_field("why_counts_again"),
    "field_cleared": _cleared,
    "items_added": _items("why_added"),
    "items_removed": _items("why_taken_out"),
    "nothing_set": _not_set,
    "nothing_returned": of_field("why_nothing_returned"),
    "value_read": read_value,
    "field_default": lambda voice, fact: with_value(voice, fact, "why_default"),
    "value_suggested": lambda voice, fact: with_value(voice, fact, "why_suggested"),
    "value_undone": lambda voice, fact: with_value(voice, fact, "why_taken_back"),
    "value_lost": _lost,
    "value_copied": fixed("why_copied"),
    "field_written_by": fixed("why_noted_later"),
    "field_collected": of_field("why_collected"),
    "field_set": _set,
}
