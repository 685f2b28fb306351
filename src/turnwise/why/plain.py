"""An answer in one sentence for the person in the conversation, from the same facts as the auditor's.

It uses the flow's own words: titles of fields and the `because` of transitions. Its texts are fixed texts of the
language (`why_…`), which a flow may replace or translate. No name of a node, tool or transition is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from turnwise.core.commands.reasons import reason
from turnwise.core.machine import Machine
from turnwise.core.state import SAID_BY_USER, State
from turnwise.core.values import REDACTED
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind


class Plain:
    """Makes the sentence of one answer."""

    def __init__(self, machine: Machine, state: State, subject: Subject, facts: Sequence[Fact]) -> None:
        self.machine = machine
        self.state = state
        self.subject = subject
        self.facts = facts

    def sentence(self) -> str:
        """Return the sentence; where nothing can be said without names of the flow, one that says so."""
        now = [fact for fact in self.facts if fact.kind != "question_was_asked"]  # why it was asked is not why it is
        facts = (one for fact in now for one in fact.walk() if one.kind in _SENTENCES)
        if self.subject.kind in _WIDE:
            facts = iter(sorted(facts, key=lambda one: _ORDER.index(one.kind)))
        elif self.subject.kind != "end":  # what caused it is about other names
            facts = (one for one in facts if one is self.facts[0] or self.subject in one.about)
        if self.subject.kind == "transition":  # the reason for another one is none for this one
            facts = (one for one in facts if one.values.get("transition", self.subject.name) == self.subject.name)
        if self.facts[0].kind in _NEVER:
            return next((text for one in self.facts[0].walk() if (text := self.needed(one))), self.text("why_unknown"))
        if self.subject.kind == "turn" and self.facts[0].kind == "decided" and not self.facts[0].values["transition"]:
            return reason(self.machine, self.state)
        sentences = (_SENTENCES[one.kind](self, one) for one in facts)
        return next((text for text in sentences if text), self.text("why_unknown"))

    def text(self, key: str, **values: Any) -> str:
        """Return a fixed text in the language of the flow."""
        return self.machine.language.text(key, **values)

    def title(self, address: Any) -> str:
        """Return what a field is called towards people."""
        return self.machine.title(str(address)) if address in self.machine.fields else ""

    def ended(self, fact: Fact) -> str:
        """Say the reason for the end; without one, that the conversation has ended."""
        reasons = (self.because(one) for one in fact.walk())
        return next((reason for reason in reasons if reason), self.text("conversation_ended"))

    def because(self, fact: Fact) -> str:
        """Say the reason that the author gave for a transition, or that a person chose it."""
        if fact.values.get("operator"):
            return self.text("why_person_chose")
        decided = next((one for one in fact.causes if fact.kind == "node_left" and one.kind == "decided"), fact)
        is_own = fact.kind != "node_left" or fact.values["transition"]  # another reason is the machine's
        reasons = [decided.values.get("because"), *fact.values.get("also_because", ())] if is_own else []
        known = dict.fromkeys(str(reason).strip().rstrip(".") for reason in reasons if reason)
        return self.text("why_because", reason="; ".join(known)) if known else ""

    def field(self, fact: Fact) -> str:
        """Say where the value of a field comes from."""
        address, value, origin = fact.values["field"], fact.values.get("value"), fact.values.get("origin")
        title = self.title(address)
        if not title:
            return ""
        key = "why_told" if origin in SAID_BY_USER else _FROM_OUTSIDE.get(str(origin), "why_found")
        if value in (None, REDACTED) or self.machine.fields[address].secret:
            return self.text(f"{key}_secret", field=title)
        return self.text(key, field=title, value=value)

    def empty(self, fact: Fact) -> str:
        """Say that a value is not known, and why it was not taken where it was given."""
        title = self.title(fact.values["field"])
        own = [one for one in fact.walk() if Subject("field", str(fact.values["field"])) in one.about]
        refused = next((text for one in own if one.kind in _REFUSED and (text := _refused(self, one))), "")
        if refused:
            return refused
        missed = next((one for one in own if one.kind == "not_understood"), None)
        if missed is not None:
            return _missed(self, missed)
        unused = next((one for one in own if one.kind == "words_not_taken"), None)
        if unused is not None:
            return _not_taken(self, unused)
        return self.text("why_not_known", field=title)

    def stopped(self, fact: Fact) -> str:
        """Say that an answer is one with which a form does not go on."""
        title = self.title(fact.values["field"])
        return self.text("why_stopped", field=title) if title else ""

    def asked_for(self, fact: Fact) -> str:
        """Say that the user asked for what the machine did, apart from answers."""
        return self.text("why_you_asked") if fact.values["command"] in _ASKED_FOR else ""

    def not_undone(self, fact: Fact) -> str:
        """Say why an undo changed nothing."""
        return self.text("nothing_to_undo" if fact.values["to"] else "why_nothing_before")

    def call_refused(self, fact: Fact) -> str:
        """Say that a copy does not do what the original would."""
        return self.text("why_not_in_copy") if fact.values["code"] == "fork" else ""

    def timer(self, fact: Fact) -> str:
        """Say when something happens by itself."""
        return self.text("why_timer", due=fact.values["due"])

    def timer_judged(self, fact: Fact) -> str:
        """Say the reason for what a timer did."""
        judged = next((one for one in fact.causes if one.kind == "transition_judged"), None)
        return self.judged(judged) if judged is not None else ""

    def by_person(self, fact: Fact) -> str:
        """Say that a person answers, or is awaited."""
        operator = fact.values.get("operator") or (self.state.person is not None and self.state.person.operator)
        return self.text("why_person_in_charge" if operator else "why_person_awaited")

    def waits(self, fact: Fact) -> str:
        """Say for whom or for what the conversation waits."""
        if fact.values.get("person"):
            return self.by_person(fact)
        stopped = next((self.stopped(one) for one in fact.causes if one.kind == "form_stopped"), "")
        return stopped or self.text("why_waiting")

    def judged(self, fact: Fact) -> str:
        """Say why a transition was taken, or what it needs."""
        return self.because(fact) if fact.values["outcome"] == "taken" else self.needed(fact)

    def needed(self, fact: Fact) -> str:
        """Say what a transition lacks, or which value is in its way; empty where no single field is known to be."""
        lacking, in_the_way = (self.title(fact.values.get(name)) for name in ("lacking", "in_the_way"))
        if lacking:
            return self.text("why_lacks", field=lacking)
        return self.text("why_in_the_way", field=in_the_way) if in_the_way else ""

    def not_needed(self, fact: Fact) -> str:
        """Say that an answer is not needed."""
        title = self.title(fact.values.get("field"))
        return self.text("why_not_needed", field=title) if title else ""

    def asked(self, fact: Fact) -> str:
        """Say that an answer is needed."""
        title = self.title(fact.values.get("field"))
        return self.text("why_asked", field=title) if title else ""


_FROM_OUTSIDE = {"operator": "why_person_set", "command": "why_entered"}
"""The text for a value that neither the user nor the flow gave, by its origin."""
_ASKED_FOR = ("restart", "cancel", "hand_over", "skip", "repeat", "wait")
_REFUSED: tuple[FactKind, ...] = ("command_refused", "value_refused")


def _said(key: str) -> Callable[[Plain, Fact], str]:
    return lambda plain, _fact: plain.text(key)


def _refused(plain: Plain, fact: Fact) -> str:
    title = plain.title(fact.values.get("field"))
    is_of_user = all(cause.kind != "give_back_refused" for cause in fact.causes)
    said = fact.values.get("said") if is_of_user else ""
    return plain.text("why_refused", field=title, reason=said) if title and said else ""


def _of_field(key: str) -> Callable[[Plain, Fact], str]:
    def say(plain: Plain, fact: Fact) -> str:
        title = plain.title(fact.values.get("field"))
        return plain.text(key, field=title) if title else ""

    return say


def _missed(plain: Plain, fact: Fact) -> str:
    title, named = plain.title(fact.values.get("field")), fact.values.get("named")
    if title and named:
        return plain.text("why_several", field=title, named=named)
    return plain.text("why_not_understood", field=title) if title else ""


def _not_taken(plain: Plain, fact: Fact) -> str:
    title = plain.title(fact.values.get("field"))
    return plain.text("why_not_taken", field=title, word=fact.values["word"]) if title else ""


def _silent(plain: Plain, fact: Fact) -> str:
    return plain.text("why_silent") if fact.values["code"] == "silent turn" else ""


_SENTENCES: dict[FactKind, Callable[[Plain, Fact], str]] = {
    "turn_failed": _said("failed"),
    "conversation_failed": _said("failed"),
    "turn_undone": _said("undone"),
    "undo_refused": Plain.not_undone,
    "conversation_ended": Plain.ended,
    "warned": _silent,
    "node_left": Plain.because,
    "transition_judged": Plain.judged,
    "decided": Plain.because,
    "person_awaited": _said("why_person_awaited"),
    "person_is_awaited": _said("why_person_awaited"),
    "person_in_charge": _said("why_person_in_charge"),
    "person_took_over": _said("why_person_in_charge"),
    "message_not_interpreted": Plain.by_person,
    "command_applied": Plain.asked_for,
    "call_refused": Plain.call_refused,
    "tool_failed": _said("why_tool_failed"),
    "timer_judged": Plain.timer_judged,
    "timer_armed": Plain.timer,
    "timer_is_armed": Plain.timer,
    "call_awaits_approval": _said("why_consent"),
    "call_still_awaits": _said("why_consent"),
    "button_stale": _said("stale_button"),
    "no_model_connected": lambda _plain, fact: str(fact.values["said"]),
    "value_refused": _refused,
    "command_refused": _refused,
    "not_understood": _missed,
    "question_repeated": _missed,
    "words_not_taken": _not_taken,
    "question_edited": _said("why_edited"),
    "question_walked": _said("why_edited"),
    "confirmation_due": _said("why_confirm"),
    "form_stopped": Plain.stopped,
    "question_next": Plain.asked,
    "question_asked": Plain.asked,
    "form_waits_for_person": Plain.by_person,
    "question_condition_failed": Plain.not_needed,
    "question_never_put": Plain.not_needed,
    "field_computed": Plain.not_needed,
    "form_left": Plain.not_needed,
    "question_later": _of_field("why_later"),
    "question_answered": _of_field("why_known"),
    "field_empty": Plain.empty,
    "field_inactive": Plain.empty,
    "field_cleared": Plain.empty,
    "field_set": Plain.field,
    "conversation_waits": Plain.waits,
    "forked": _said("why_copied"),
    "erased": _said("why_erased"),
}
"""Which facts become a sentence for the person in the conversation, the most informative first."""

_ORDER = tuple(_SENTENCES)
_NEVER: tuple[FactKind, ...] = ("node_never_entered", "transition_not_judged", "question_none")
"""What never happened has no reason that the author gave: those among its causes are for something else."""
_WIDE = ("turn", "node", "message")
"""Kinds of subjects about which there are many facts: the most informative one is said, not the first."""


def plain(machine: Machine, state: State, subject: Subject, facts: Sequence[Fact]) -> str:
    """Return an answer in one sentence for the person in the conversation; the state is that of the end of the turn."""
    return Plain(machine, state, subject, facts).sentence()
