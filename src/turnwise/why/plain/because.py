"""Sentences with the reason for a move: who or what made it, or what its author gave."""

from __future__ import annotations

from typing import NamedTuple, cast

from turnwise.flow.model import Moment
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.plain.failures import first_of
from turnwise.why.plain.voice import Voice

MOVES: tuple[FactKind, ...] = ("node_left", "conversation_ended")


class Reason(NamedTuple):
    """The reason for a move, as a sentence; empty where none is known. One `is_of_step` that only says why it went on
    from one node to the next, and not why there.
    """

    text: str = ""
    is_of_step: bool = False


def because(voice: Voice, fact: Fact) -> Reason:
    """Return the reason for a move: a person chose it, the user did something to a form, or what the author gave."""
    if fact.values.get("operator"):
        return Reason(voice.text("why_person_chose"))
    decided = decision(fact)
    own = _act(decided)
    if own:
        return Reason(voice.text(own), is_of_step=own == "why_confirmed")
    known = _reasons(decided, *fact.values.get("also_because", ()))
    if known:
        read = _by_code(voice, decided) or went_by(voice, decided, decided.turn)
        more = [read, voice.text("why_trying_counts") if _has_failed(decided) else ""]
        return Reason(" ".join(filter(None, (voice.text("why_because", reason="; ".join(known)), *more))))
    if decided.values.get("moment") == "error":
        return Reason(first_of(voice, decided.causes) or voice.text("why_error"))
    nobody = next((one for one in decided.walk() if one.kind == "nobody_came" and one.turn == decided.turn), None)
    if nobody is not None:
        return Reason(voice.of(nobody))
    planned, read = _planned(voice, fact), _read(voice, decided)
    if planned or read:
        return Reason(planned or read, is_of_step=bool(planned) and fact.kind != "conversation_ended")
    return Reason(voice.text("why_unconditional"), is_of_step=True) if decided.values.get("unguarded") else Reason()


def decision(fact: Fact) -> Fact:
    """Return the decision that made a move; the move itself where another turn or a person decided it."""
    names = (fact.values.get("transition"), fact.values.get("entered"))
    own = (one for one in fact.walk() if one.kind == "decided" and one.turn == fact.turn)
    return next((one for one in own if one.values["transition"] and one.values["transition"] in names), fact)


def _reasons(decided: Fact, *others: str) -> list[str]:
    """Return the reasons that the author gave; that of a move without a transition is the machine's."""
    is_own = decided.kind != "node_left" or decided.values["transition"]
    reasons = [decided.values.get("because") if is_own else "", *others]
    return list(dict.fromkeys(str(one).strip().rstrip(".") for one in reasons if one))


def _act(decided: Fact) -> str:
    """Return the text for what the user did to a form, where its state alone decided; empty where it did not."""
    reads = decided.causes if decided.kind == "decided" else ()
    if not reads or not all(one.kind == "root_read" and one.values["name"] == "form.status" for one in reads):
        return ""
    done = (one for one in decided.walk() if one.kind == "command_applied" and one.turn == decided.turn)
    return next((_ACTS[one.values["command"]] for one in done if one.values["command"] in _ACTS), "")


_ACTS = {"affirm": "why_confirmed", "cancel": "why_stopped_for_you", "hand_over": "why_asked_for_person"}
"""What the sentence says of a command that changed the state of a form."""


def _by_code(voice: Voice, decided: Fact) -> str:
    """Say which values a Python function read that decided; its reason is the same whatever it returns."""
    node, moment = str(decided.values.get("node")), decided.values.get("moment")
    if decided.kind != "decided" or node not in voice.machine.nodes:
        return ""
    ways = voice.machine.candidates(node, cast("Moment", moment)).all
    if all(one.code is None for one in ways if one.id == decided.values["transition"]):
        return ""
    return went_by(voice, decided)


def went_by(voice: Voice, decided: Fact, turn: int = 0) -> str:
    """Say which values a decision read; with a turn, only those that changed in it."""
    read = [one for one in decided.causes if one.kind == "value_read"]
    if turn:
        read = [one for one in read if any(_is_change(cause, turn) for cause in one.causes)]
    values = {one.values["name"]: one.values["value"] for one in read}
    known = voice.answers((name, value) for name, value in values.items() if not voice.is_secret(name))
    return voice.text("why_went_by", fields=known) if known else ""


def _is_change(fact: Fact, turn: int) -> bool:
    return fact.kind == "field_set" and fact.turn == turn and fact.values.get("before") is not None


def _has_failed(decided: Fact) -> bool:
    """Return whether a use of a tool that decided is one that failed."""
    read = (one for one in decided.causes if one.kind == "root_read" and str(one.values["name"]).startswith("tools."))
    return any(cause.kind == "tool_failed" for one in read for cause in one.causes)


def _planned(voice: Voice, fact: Fact) -> str:
    """Say that a move was to be made with the next message."""
    found = next((one for one in fact.walk() if one.kind == "node_left" and one.turn == fact.turn), None)
    if found is None or not found.values["is_planned"]:
        return ""
    return voice.text("why_end_planned" if fact.kind == "conversation_ended" else "why_planned")


def moved(voice: Voice, fact: Fact) -> str:
    """Say that the user asked for a person where that caused a move, else its reason, or what decided it."""
    is_asked = any(_is_wish(one) and one.turn == fact.turn for one in fact.walk())
    return voice.text("why_asked_for_person") if is_asked else because(voice, fact).text or _by_rule(voice, fact)


def _by_rule(voice: Voice, fact: Fact) -> str:
    """Say that a message, what was done, or else a rule decided, where nothing more can be said of a move."""
    read = {str(one.values["name"]).partition(".")[0] for one in decision(fact).causes if one.kind == "root_read"}
    return voice.text(next((text for root, text in _BY_ROOT.items() if root in read), "why_by_rule"))


_BY_ROOT = {"message": "why_by_message", "tools": "why_by_acts", "person": "why_by_what_a_person_did"}
"""What the sentence says of a move that only what is no field decided."""


def _is_wish(fact: Fact) -> bool:
    return fact.kind == "command_applied" and fact.values["command"] == "hand_over"


def _read(voice: Voice, decided: Fact) -> str:
    """Say which answers decided, where the author gave no reason."""
    if not decided.values.get("transition"):
        return ""
    names = [one.values["name"] for one in decided.causes if one.kind == "value_read"]
    titles = voice.titles(one for one in names if not voice.is_secret(one))
    return voice.text("why_decided", fields=titles) if titles else ""


def instead(voice: Voice, fact: Fact) -> str:
    """Say why another transition was taken."""
    if any(one.kind == "decided" and one.values["operator"] for one in fact.causes):
        return voice.text("why_person_chose")
    found = authored(fact)
    return voice.text("why_instead", reason=found) if found else voice.text("why_other_first")


def authored(fact: Fact) -> str:
    """Return the reason that the author gave for the last move among what caused a fact; empty where there is none."""
    last = next((one for one in fact.walk() if one.kind in ("decided", *MOVES)), None)
    return next(iter(_reasons(decision(last))), "") if last is not None else ""
