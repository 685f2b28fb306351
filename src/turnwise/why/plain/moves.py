"""Sentences about moves and decisions: who or what made a move, and what a transition lacks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from turnwise.core.state import Ended
from turnwise.core.zones import local_time
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.plain.failures import first_failure
from turnwise.why.plain.voice import LONGEST_QUOTE, Voice
from turnwise.why.plain.waiting import WAITS, armed, awaited_text, waits

MOVES: tuple[FactKind, ...] = ("node_left", "conversation_ended")
"""The kinds of facts by which a conversation left a node, or ended."""

# the reason for a move ----------------------------------------------------------------------------


class Reason(NamedTuple):
    """The reason for a move."""

    text: str = ""
    """The reason as a sentence; empty if no reason is known."""
    is_of_step: bool = False
    """True if the text only gives the reason of a step from one node to the next, and not of the whole move."""


def because(voice: Voice, fact: Fact) -> Reason:
    """Return the reason for a move: the choice of a person, an act of the user in a form, or the author's reason."""
    if fact.values.get("operator"):
        return Reason(voice.text("why_person_chose"))
    decided = decision(fact)
    act = _act(decided)
    if act:
        return Reason(voice.text(_ACTS[act]), is_of_step=act == "affirm")
    known = _reasons(decided, *fact.values.get("also_because", ()))
    if known:
        more = _by_code(voice, decided) or went_by(voice, decided, decided.turn)
        return Reason(_joined(voice.text("why_because", reason="; ".join(known)), more, _vain_uses(voice, decided)))
    if decided.values.get("moment") == "error":
        return Reason(first_failure(voice, decided.causes) or voice.text("why_error"))
    nobody = next((one for one in decided.walk() if one.kind == "nobody_came" and one.turn == decided.turn), None)
    if nobody is not None:
        return Reason(voice.of(nobody))
    left = next((one for one in fact.walk() if one.kind == "node_left" and one.turn == fact.turn), None)
    is_end = fact.kind == "conversation_ended"
    if left is not None and left.values["is_planned"]:
        return Reason(voice.text("why_end_planned" if is_end else "why_planned"), is_of_step=not is_end)
    read = voice.read_by(decided) if decided.values.get("transition") else ""
    if read:
        return Reason(voice.text("why_decided", fields=read))
    return Reason(voice.text("why_unconditional"), is_of_step=True) if decided.values.get("unguarded") else Reason()


def decision(fact: Fact) -> Fact:
    """Return the decision that made a move; the move itself if another turn or a person decided it."""
    names = (fact.values.get("transition"), fact.values.get("entered"))
    own = (one for one in fact.walk() if one.kind == "decided" and one.turn == fact.turn)
    return next((one for one in own if one.values["transition"] and one.values["transition"] in names), fact)


def _reasons(decided: Fact, *others: str) -> list[str]:
    """Return the reasons that the author gave. A move without a transition has a reason of the machine instead."""
    is_own = decided.kind != "node_left" or decided.values["transition"]
    reasons = [decided.values.get("because") if is_own else "", *others]
    return list(dict.fromkeys(str(one).strip().rstrip(".") for one in reasons if one))


def _act(decided: Fact) -> str:
    """Return the command of the user on a form, where the state of the form alone decided; empty where it did not."""
    reads = decided.causes if decided.kind == "decided" else ()
    if not reads or not all(one.kind == "root_read" and one.values["name"] == "form.status" for one in reads):
        return ""
    done = (one for one in decided.walk() if one.kind == "command_applied" and one.turn == decided.turn)
    return next((command for one in done if (command := str(one.values["command"])) in _ACTS), "")


_ACTS = {"affirm": "why_confirmed", "cancel": "why_stopped_for_you", "hand_over": "why_asked_for_person"}
"""The text for a command that changed the state of a form."""


def _by_code(voice: Voice, decided: Fact) -> str:
    """Say which values a Python function read that decided; its reason is the same whatever it returns."""
    node, moment = str(decided.values.get("node")), decided.values.get("moment")
    if decided.kind != "decided" or node not in voice.machine.nodes:
        return ""
    ways = voice.machine.candidates(node, cast("Moment", moment)).all
    is_code = any(one.code is not None for one in ways if one.id == decided.values["transition"])
    return went_by(voice, decided) if is_code else ""


def went_by(voice: Voice, decided: Fact, turn: int = 0) -> str:
    """Return in words which values a decision (`decided`) read; with a turn other than 0, only those that changed in
    that turn.
    """
    read = [one for one in decided.causes if one.kind == "value_read" and (not turn or _changed_in(one, turn))]
    values = {one.values["name"]: one.values["value"] for one in read}
    known = voice.answers((name, value) for name, value in values.items() if not voice.is_secret(name))
    return voice.text("why_went_by", fields=known) if known else ""


def _changed_in(read: Fact, turn: int) -> bool:
    """Return whether a value that was read replaced another one in a turn."""
    sets = (one for one in read.causes if one.kind == "field_set" and one.turn == turn)
    return any(one.values.get("before") is not None for one in sets)


def _vain_uses(voice: Voice, decided: Fact) -> str:
    """Say that uses of tools which failed count for a decision."""
    read = (one for one in decided.causes if one.kind == "root_read" and str(one.values["name"]).startswith("tools."))
    has_failed = any(cause.kind == "tool_failed" for one in read for cause in one.causes)
    return voice.text("why_trying_counts") if has_failed else ""


def moved(voice: Voice, fact: Fact) -> str:
    """Return in words why a node was entered: the user asked for a person, the author's reason, or what decided it."""
    done = [one for one in fact.walk() if one.kind == "command_applied" and one.turn == fact.turn]
    if any(one.values["command"] == "hand_over" for one in done):
        return voice.text("why_asked_for_person")
    roots = {str(one.values["name"]).partition(".")[0] for one in decision(fact).causes if one.kind == "root_read"}
    return because(voice, fact).text or voice.text(_by_root(_DECIDED_BY, roots) or "why_by_rule")


_DECIDED_BY = {"message": "why_by_message", "tools": "why_by_acts", "person": "why_by_what_a_person_did"}
"""The text for a move that a message, tool uses or a person decided, by the first part of the name that was read."""


def _by_root(texts: dict[str, str], roots: Iterable[str]) -> str:
    return next((text for root, text in texts.items() if root in roots), "")


def instead(voice: Voice, fact: Fact) -> str:
    """Return in words why another transition was taken instead."""
    if any(one.kind == "decided" and one.values["operator"] for one in fact.causes):
        return voice.text("why_person_chose")
    found = authored(fact)
    return voice.text("why_instead", reason=found) if found else voice.text("why_other_first")


def authored(fact: Fact) -> str:
    """Return the author's reason for the last move among the causes of a fact; empty if there is none."""
    last = next((one for one in fact.walk() if one.kind in ("decided", *MOVES)), None)
    return next(iter(_reasons(decision(last))), "") if last is not None else ""


def ended(voice: Voice, fact: Fact) -> str:
    """Return in words why the conversation ended."""
    moves = [one for own in voice.facts for one in own.walk() if one.kind in MOVES]
    reason = _known(voice, fact, moves) or _last(voice, fact, moves)
    over = voice.text("conversation_ended")
    return f"{over} {reason.text}" if reason.is_of_step else reason.text or over


def _known(voice: Voice, fact: Fact, moves: list[Fact]) -> Reason | None:
    """Return who or what ended the conversation as the fact has it, with the values of the move that decided it."""
    for one in fact.walk():
        is_reasoned = one.values.get("operator") or one.values.get("because") or one.values.get("also_because")
        found = Reason()
        if one.kind == "person_gave_back" and one.values["end"]:
            found = Reason(voice.text("why_person_chose"))
        elif one.kind == "nobody_came":
            found = Reason(voice.of(one))
        elif is_reasoned and one.kind in ("decided", *MOVES):
            found = because(voice, one)
        if found.text:
            decisive = next((own for own in moves if own.seq == fact.values.get("decisive")), None)
            read = went_by(voice, decision(decisive)) if decisive is not None else ""
            return Reason(f"{found.text} {read}") if read else found
    return None


def _last(voice: Voice, fact: Fact, moves: list[Fact]) -> Reason:
    """Return the reason for the last move before the turn of the end that has a reason, else the reason for the end."""
    earlier = sorted((one for one in moves if one.turn < fact.turn), key=lambda one: one.seq, reverse=True)
    reasons = (because(voice, one) for one in (*earlier, fact))
    return next((one for one in reasons if one.text), Reason())


# transitions and nodes ----------------------------------------------------------------------------


def judged(voice: Voice, fact: Fact) -> str:
    """Return in words why a transition was taken, which values it needs, or which other transition came before it."""
    form = next((one for one in fact.causes if one.kind in ("form_stopped", "form_cancelled")), None)
    match fact.values["outcome"]:
        case "taken":
            return moved(voice, fact)
        case "false" | "unknown":
            return needed(voice, fact) or _unmet(voice, fact)
        case "error":
            return voice.text("why_error_in_rules")
        case "blocked":
            return voice.text("why_same_step")
        case "not_reached" if form is not None:  # unguarded transitions are not judged after that
            return voice.of(form)
        case "not_reached" if "waits_for" in fact.values:  # it was judged before, and nothing that it reads changed
            return needed(voice, fact) or _unmet(voice, fact)
        case _:
            return instead(voice, fact)


def decided(voice: Voice, fact: Fact) -> str:
    """Return in words why a transition was taken; if none was, what is awaited or which values are missing."""
    if fact.values["transition"]:
        return moved(voice, fact)
    awaited = awaited_text(voice) if fact.turn == voice.state.turn else ""
    lacking = (needed(voice, one) for one in voice.facts if one.kind == "transition_judged")
    return awaited or next(filter(None, lacking), "") or went_by(voice, fact)


def needed(voice: Voice, fact: Fact) -> str:
    """Return in words which values a transition lacks, and which prevent it; empty if no field is known to."""
    lacking = voice.titles(fact.values.get("lacking", ()))
    read = {one.values["name"]: one.values["value"] for one in fact.causes if one.kind == "value_read"}
    in_the_way = voice.answers((name, read.get(name, voice.value(name))) for name in fact.values.get("in_the_way", ()))
    return _joined(
        voice.text_of(fact, "why_lacks", field=lacking) if lacking else "",
        voice.text_of(fact, "why_in_the_way", field=in_the_way) if in_the_way else "",
    )


def _unmet(voice: Voice, fact: Fact) -> str:
    """Say what a transition waits for beside fields: words of a message, uses of tools, or the state of a form."""
    reads = [one for one in fact.causes if one.kind == "root_read"]
    names = fact.values.get("waits_for") or [one.values["name"] for one in reads]
    roots = {name.partition(".")[0] for name in names}
    if "form" in roots:
        commands = (one.values["command"] for one in fact.walk() if one.kind == "command_applied")
        return voice.text("why_stopped_for_you") if "cancel" in commands else waits(voice, fact)
    used = next((one for one in reads if one.values["name"] in names and one.values["value"] == "true"), None)
    if "tools" in roots and used is not None:
        return _used(voice, used)
    key = _by_root(_UNMET, roots)
    if not key and (text := _unmet_fields(voice, fact)):
        return text
    return voice.text_of(fact, key or "why_not_given") if key in ("", "why_not_by_acts") else voice.text(key)


def _unmet_fields(voice: Voice, fact: Fact) -> str:
    """Say which values a transition waits for: a formula failed, they were not given, or they decided against it."""
    fields = [one for one in fact.causes if "name" in one.values]
    missing = [one for one in fields if one.kind == "value_missing"]
    names = voice.titles(name for one in fields if not voice.is_secret(name := str(one.values["name"])))
    if not missing or len(missing) < len(fields):
        return voice.text("why_decided", fields=names) if names else ""
    failed = (text for one in missing if (text := voice.of_causes(one, "value_not_computed")))
    return next(failed, "") or (voice.text_of(fact, "why_lacks", field=names) if names else "")


def _used(voice: Voice, use: Fact) -> str:
    """Say that something stands against a transition that was done, and after which message of the user."""
    said = next((str(one.values["said"]) for one in use.walk() if one.kind == "message_received"), "")
    if 0 < len(said) <= LONGEST_QUOTE:
        return voice.text("why_against_acts_after", word=said)
    return voice.text("why_against_acts")


_UNMET = {"tools": "why_not_by_acts", "message": "why_not_in_message", "person": "why_person_decides"}
"""The text for an unmet condition on tool uses, a message or a person, by the first part of the name that it reads."""


def never(voice: Voice, fact: Fact) -> str:
    """Return in words why something never happened: what it needs, what is awaited, or what happened instead."""
    facts = [*fact.walk()]
    lacking = (needed(voice, one) for one in facts)
    judgements = (judged(voice, one) for one in facts if one.kind == "transition_judged")
    return next(filter(None, lacking), "") or next(filter(None, judgements), "") or _not_judged(voice, facts)


def _not_judged(voice: Voice, facts: list[Fact]) -> str:
    """Say why a transition was not judged: its time has not come, another was taken, it ended, or what is awaited."""
    names = {one.values["transition"] for one in facts if one.kind == "transition_not_judged"}
    due = next((one for one in voice.state.timers if one.transition in names), None)
    if due is not None:
        return armed(voice, due.transition, local_time(due.due_ms, voice.state.time_zone))
    left = next((one for one in facts if one.kind in MOVES and names & _ways_out(voice, one.values["node"])), None)
    if left is not None:
        own = authored(left) or left.kind == "node_left"
        return instead(voice, left) if own and not left.values.get("operator") else voice.of(left)
    if isinstance(voice.state.status, Ended):
        return voice.text("why_ended_first")
    awaited = voice.first_of(one for one in facts if one.kind in WAITS) or awaited_text(voice)
    if names & _ways_out(voice, voice.state.frame.node):
        return awaited or voice.text("why_waiting")
    last = next((one for one in reversed(voice.during) if one.kind == "node_left"), None)
    then = awaited or (moved(voice, last) if last is not None else "") or voice.text("why_waiting")
    return f"{voice.text('why_not_yet')} {then}"


def _ways_out(voice: Voice, node: str) -> set[str]:
    moments: tuple[Moment, ...] = ("before", "tool", "calls", "after", "timer", "event", "error", "choice")
    return {one.id for moment in moments for one in voice.machine.candidates(node, moment).all}


def visited(voice: Voice, fact: Fact) -> str:
    """Return in words why a node was left and, if the answer has it, why it was entered before."""
    node, moves = fact.values["node"], [one for one in (*fact.causes, *voice.facts) if one.kind == "node_left"]
    left = next((one for one in moves if one.values["node"] == node), None)
    entered = next((one for one in moves if one.values["target"] == node), None)
    if left is None:
        return moved(voice, entered) if entered is not None else voice.text("why_no_part")
    reasons = [authored(one) for one in (entered, left) if one is not None and not one.values["operator"]]
    if len(reasons) == 2 and all(reasons):
        return voice.text("why_came_and_went", reason=reasons[0], then=reasons[1])
    came = moved(voice, entered) if entered is not None and left.values["is_planned"] else ""
    return _joined(came, moved(voice, left))


def _joined(*texts: str) -> str:
    return " ".join(filter(None, texts))
