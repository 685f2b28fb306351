"""Sentences about fields: where a value comes from, why there is none, and what was understood of a message."""

from __future__ import annotations

from turnwise.core.state import SAID_BY_USER, Ended
from turnwise.core.state.kinds import ValueRefusal
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.plain.moves import authored
from turnwise.why.plain.voice import LONGEST_QUOTE, Say, Voice

REFUSED: tuple[FactKind, ...] = ("command_refused", "value_refused")
"""The kinds of facts about refused commands and values."""

# where a value comes from -------------------------------------------------------------------------


def field_set(voice: Voice, fact: Fact) -> str:
    """Return in words where the value of a field comes from, its former value, and which later answer was not taken."""
    said = [one for one in voice.facts if one.kind == "field_set" and one.values.get("origin") in SAID_BY_USER]
    taken = {one.values["field"]: one.values["value"] for one in said if one.turn == fact.turn}
    if voice.subject.kind == "message" and len(taken) > 1:
        return voice.text("why_taken", fields=voice.answers(taken.items()))
    return " ".join(filter(None, (_source(voice, fact), _former(voice, fact), _turned_down(voice, fact))))


_FROM_OUTSIDE = {"operator": "why_person_set", "command": "why_entered"}
"""The text for a value that neither the user nor the flow gave, by its origin."""


def _source(voice: Voice, fact: Fact) -> str:
    """Say who gave a value, or from which others it was computed."""
    origin = str(fact.values.get("origin"))
    if origin in SAID_BY_USER:
        return _told(voice, fact)
    if origin == "tool" and any(one.kind == "model_replied" for one in fact.causes):
        return voice.fill("why_noted", fact)
    if origin == "scope":
        own = {"field": fact.values["field"], "value": fact.values["value"]}
        passed = (one.with_values(**own) for one in fact.walk() if one.kind == "field_set" and one is not fact)
        return next((text for one in passed if (text := _source(voice, one))), "") or voice.fill("why_found", fact)
    if origin not in ("set", "derived"):
        return voice.fill(_FROM_OUTSIDE.get(origin, "why_found"), fact)
    own = fact.values.get("field", fact.values.get("name"))
    read = voice.read_by(fact, but=own)
    reason = next((text for one in fact.causes if (text := authored(one))), "")
    is_kept = any(one.kind == "value_read" and one.values["name"] == own for one in fact.causes)
    if read:
        return voice.fill("why_made", fact, fields=read)
    return voice.fill("why_set" if reason else "why_held" if is_kept else "why_found", fact, reason=reason)


def _told(voice: Voice, fact: Fact) -> str:
    """Say that the user gave a value, with their own word for it, or that others gave a part of it."""
    address, value = str(fact.values["field"]), fact.values.get("value")
    field = voice.machine.fields.get(address)
    if field is not None and field.type == "list":
        sets = (one for one in fact.walk() if one.kind == "field_set" and one.values["field"] == address)
        is_partly = any(one.values["origin"] not in SAID_BY_USER for one in sets)
        return voice.fill("why_told_partly" if is_partly else "why_told", fact)
    if not fact.values.get("synonym") or voice.is_hidden(address, value):
        return voice.fill("why_told", fact)
    messages = (one.values["said"] for one in fact.walk() if one.kind == "message_received")
    word = str(fact.values.get("part") or next(messages, ""))
    return voice.fill("why_told_as" if 0 < len(word) <= LONGEST_QUOTE else "why_told", fact, word=word)


def _former(voice: Voice, fact: Fact) -> str:
    """Say which value a field had before, or which one was taken back; nothing of lists, which grow item by item."""
    address, before = str(fact.values["field"]), fact.values.get("before")
    if address not in voice.machine.fields or voice.machine.fields[address].type == "list":
        return ""
    undone = (one for one in voice.facts if one.kind == "value_undone" and one.values["field"] == address)
    back = next((one.values["before"] for one in undone if one.values["before"] != fact.values["value"]), None)
    if any(voice.is_hidden(address, one) for one in (before, back) if one is not None):
        return ""
    if back is not None:
        return voice.text("why_undone_since", value=voice.readable(address, back))
    is_other = before is not None and before != fact.values["value"]
    return voice.text("why_before", value=voice.readable(address, before)) if is_other else ""


def _turned_down(voice: Voice, fact: Fact) -> str:
    """Say which later answer was not taken."""
    later = [one for one in reversed(voice.facts) if one.kind in REFUSED and one.seq > fact.seq and one.about]
    own = [one for one in later if one.values.get("field") == fact.values["field"] and voice.of(one)]
    said = own[0].values.get("said") if own else ""
    return voice.text("why_refused_later", reason=said) if said else voice.first_of(own)


def value_read(voice: Voice, fact: Fact) -> str:
    """Return in words which value a field has, and who set it if the state has that."""
    found = voice.state.values.get(str(fact.values["name"]))
    if found is None or fact.values.get("since") != found.turn:
        return voice.fill("why_held", fact)
    return voice.fill("why_told" if found.how in SAID_BY_USER else _FROM_OUTSIDE.get(found.how, "why_held"), fact)


# why there is no value ----------------------------------------------------------------------------


def field_empty(voice: Voice, fact: Fact) -> str:
    """Return in words that a field has no value, and why an answer for it was not taken if there was one."""
    own = [one for one in fact.walk() if Subject("field", str(fact.values["field"])) in one.about]
    removed = next((one for one in own if _is_removed(one)), None)
    if removed is not None and voice.title(fact.values["field"]):
        return _removed(voice, removed)
    if [one.kind for one in fact.causes[:-1]] == ["question_skipped"]:  # after an answer that came to nothing
        return voice.of(fact.causes[0])
    setbacks = (one for kinds in _SETBACKS for one in (*own, *fact.causes) if one.kind in kinds)
    return voice.first_of(setbacks) or unknown(voice, fact)


_SETBACKS: tuple[tuple[FactKind, ...], ...] = (
    REFUSED,
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


def field_cleared(voice: Voice, fact: Fact) -> str:
    """Return in words that a value was removed, and by whom; if there was none, that it is not known."""
    if _is_removed(fact):
        return _removed(voice, fact)
    if not voice.title(fact.values["field"]) or fact.values["before"] is None:
        return unknown(voice, fact)
    return f"{voice.fill('why_no_longer', fact)} {by_whom(voice, fact)}".strip()


def _is_removed(fact: Fact) -> bool:
    """Return whether a value was cleared from outside the chat."""
    return fact.kind == "field_cleared" and any(one.kind == "commands_received" for one in fact.causes)


def _removed(voice: Voice, fact: Fact) -> str:
    """Say that a value was removed outside the chat, also where another one came later, or of a turn before."""
    is_over = voice.is_past or fact.values["field"] in voice.state.values
    return voice.fill("why_removed_then" if is_over else "why_removed", fact)


def by_whom(voice: Voice, fact: Fact) -> str:
    """Return in words who set or cleared a field; empty if a rule did."""
    origin = str(fact.values.get("origin"))
    is_by_model = origin == "tool" and any(one.kind == "model_replied" for one in fact.causes)
    key = "why_by_you" if origin in SAID_BY_USER else "why_by_me" if is_by_model else _OTHERS.get(origin, "")
    return voice.text(key) if key else ""


_OTHERS = {"operator": "why_by_person", "command": "why_done_outside", "restart": "why_restarted"}
"""The text for who else set or cleared a field, by the origin of the value."""


def items(key: str) -> Say:
    """Return the function that says, with the fixed text of this key, which items were added to a list or removed from
    it, and by whom.
    """

    def say(voice: Voice, fact: Fact) -> str:
        said = voice.fill(key, fact)
        return " ".join(filter(None, (said, *(by_whom(voice, one) for one in fact.causes[:1])))) if said else ""

    return say


def not_made(voice: Voice, fact: Fact) -> str:
    """Return in words which values were missing for a value that was to be computed."""
    return voice.fill("why_not_made", fact, fields=voice.read_by(fact, "value_missing"))


def computed(voice: Voice, fact: Fact) -> str:
    """Return in words which values a computed field lacks; empty if the fact is the answer itself."""
    return not_made(voice, fact) if fact != voice.facts[0] else ""


def value_lost(voice: Voice, fact: Fact) -> str:
    """Return in words that a newer version of the flow no longer has the field of a value."""
    gone = voice.fill("why_no_longer", fact)
    return f"{gone} {voice.text('why_new_version')}" if gone else ""


def unknown(voice: Voice, fact: Fact) -> str:
    """Return in words that a value is not known, and that it is asked now, will be asked, or was not before the end."""
    address, kinds = fact.values["field"], {one.kind for one in fact.walk()}
    question, node = voice.state.frame.question, voice.machine.nodes[voice.state.frame.node]
    if isinstance(voice.state.status, Ended):
        return voice.of_causes(fact, "question_condition_failed") or voice.fill("why_ended_without", fact)
    if any(one.kind == "field_collected" for one in fact.causes) and address not in node.collects:
        return voice.fill("why_not_needed", fact)
    cause = next((one for one in fact.causes if one.kind in _NOT_ASKED and voice.of(one)), None)
    if cause is None:
        is_asked = question is not None and question.field == address
        return voice.fill("why_asked" if is_asked else "why_not_known", fact)
    is_whole = cause.kind in ("field_without_form", "form_left") or kinds & {
        "form_stopped",
        "question_condition_failed",
    }
    return voice.of(cause) if is_whole else f"{voice.fill('why_not_known', fact)} {voice.of(cause)}".strip()


_NOT_ASKED: tuple[FactKind, ...] = (
    *("question_later", "question_not_due", "question_condition_failed", "question_never_put", "question_skipped"),
    *("field_collected", "field_computed", "field_without_form", "form_left", "form_not_reached", "form_not_open"),
    *("form_cancelled", "form_stopped", "form_handed_over", "form_waits_for_person", "write_not_called"),
    "field_written_by",
)
"""Why a field without a value is not asked for now."""

# what was understood ------------------------------------------------------------------------------


def refused(voice: Voice, fact: Fact) -> str:
    """Return in words why a value was not taken; a person's value only if the question is about it."""
    said, command = fact.values.get("said"), fact.values.get("command")
    if any(cause.kind == "give_back_refused" for cause in fact.causes):
        is_asked = fact is voice.facts[0] or voice.facts[0].kind == "field_empty"
        return voice.fill("why_refused_person", fact) if is_asked else ""
    if fact.kind == "command_refused" and command not in ("set", "add", "remove", "clear"):
        return (voice.fill("why_not_skipped", fact) if command == "skip" else "") or str(said or "")
    if said or not voice.title(fact.values.get("field")):
        return voice.fill("why_refused", fact)
    return voice.fill(_UNSAID.get(fact.values["code"], "why_not_taken_there"), fact)


_UNSAID = {"derived": "why_computed", "nothing_to_clear": "why_not_known"}
"""Why a value was not taken to which the machine replied nothing, by the code of the refusal."""


def give_back_refused(voice: Voice, fact: Fact) -> str:
    """Return in words which values of a person were not taken."""
    every = (one for one in (*voice.facts, *voice.during) if one.kind in REFUSED)
    own = (one for one in every if any(cause.kind == fact.kind for cause in one.causes))
    return next((voice.fill("why_refused_person", one) for one in own), "")


def missed(voice: Voice, fact: Fact) -> str:
    """Return in words that an answer was not understood: it names several options, or none of them."""
    failed = next((one for one in fact.walk() if one.kind == "understanding_failed"), None)
    if failed is not None:
        return voice.of(failed)
    address = str(fact.values.get("field"))
    text = voice.fill("why_several", fact) or voice.fill("why_not_understood", fact)
    if not text or fact.values.get("named"):
        return text or voice.text("why_nothing_taken")
    options = ", ".join(option.shown for option in voice.machine.fields[address].options)
    codes = {one.values.get("code") for one in fact.walk() if one.kind == "not_understood"}
    is_none = not codes.isdisjoint(_NO_OPTION) and not voice.is_secret(address)
    return f"{text} {voice.text('refused_option', options=options) if options and is_none else ''}".strip()


_NO_OPTION: tuple[ValueRefusal, ...] = ("option", "choice")
"""Why a message is none of the options of a field."""


def understood_nothing(voice: Voice, fact: Fact) -> str:
    """Return in words which values were looked for in a message and not found, in a node that reads messages."""
    node = voice.machine.nodes.get(str(fact.values.get("node")))
    sought = node.collects if node is not None else ()
    return voice.fill("why_nothing_found", fact, fields=voice.titles(one for one in sought if not voice.is_secret(one)))


_LEFT_OUT = {"elsewhere": "why_not_taken_there", "beside_question": "why_beside_question"}
"""The texts for why words were left out, by the code of the reason; the others have one text."""


def words_not_taken(voice: Voice, fact: Fact) -> str:
    """Return in words which words of a message were not taken, and what prevented it: the place, a question beside
    them, or the rest.
    """
    why = voice.text(_LEFT_OUT.get(fact.values["code"], "why_not_so"))
    return f"{text} {why}" if (text := voice.fill("why_not_taken", fact)) else ""


def was_asked(voice: Voice, fact: Fact) -> str:
    """Return in words why a question was asked: because of another answer, if its condition read one."""
    applies = next((one for one in fact.walk() if one.kind == "question_applies"), None)
    others = [one.name for one in applies.walk() for one in one.about] if applies is not None else []
    own = fact.values["field"]
    read = voice.titles(one for one in others if one != own and not voice.is_secret(one))
    return voice.fill("why_asked_after", fact, fields=read)


def not_needed(voice: Voice, fact: Fact) -> str:
    """Return in words which answers make a question unnecessary."""
    read = {one.values["name"]: one.values["value"] for one in fact.causes if one.kind == "value_read"}
    others = voice.answers((name, value) for name, value in read.items() if name != fact.values["field"])
    return voice.fill("why_needless", fact, fields=others)


def form_left(voice: Voice, fact: Fact) -> str:
    """Return in words why a form that the conversation left asks nothing more."""
    return f"{voice.fill('why_not_needed', fact)} {voice.of_causes(fact, 'node_left')}".strip()
