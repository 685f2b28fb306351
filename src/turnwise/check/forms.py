"""Rules about forms and texts: questions, the statuses of forms, holes in texts, phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.check.checked_flow import CONFIRMED_GUARD, EXPRESSION_TABLES, CheckedFlow
from turnwise.check.fields import fields_set_by, filled_beside_form
from turnwise.core.candidates import Candidate, Guard
from turnwise.core.guards.hints import compared_constants
from turnwise.core.language import normalized
from turnwise.core.linked_form import LinkedForm
from turnwise.flow.addresses import field_of, record_of
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import parse, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import FormField

_SINGLE = re.compile(r"(?<!\{)\{\s*([A-Za-z_]\w*\.[A-Za-z_]\w*)\s*\}(?!\})")
_CLOSED = ("affirm", "edit")
"""The kinds of phrases that end a confirmation, and that open it again (law 5.5)."""


def check_questions(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW075 and TW076: report answers that stop a form without a reply, and questions that are never asked."""
    solver = checked.solver
    for question in checked.questions:
        address, ask_when, stop = question.address, question.ask_when, question.form_field.stop
        if stop is not None and not stop.say:
            hint = "write it under 'say'"
            yield problem("TW075", f"an answer to '{address}' stops the form without a word", stop.span, hint)
        if ask_when is None or not checked.is_sound(ask_when):
            continue
        is_missing = s.Not(s.Call("has", (s.Select(s.Name(record_of(address)), field_of(address)),)))
        guard = ask_when.expression
        if not solver.is_impossible([guard]) and solver.is_impossible([guard, is_missing]):
            message = f"'{address}' is never asked: where '{text_of(guard)}' holds, it is answered"
            yield problem("TW076", message, ask_when.span)


def check_required(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW076: report fields that a form needs and never asks for, and that nothing else fills."""
    filled = {address for node in checked.reachable_nodes for address in filled_beside_form(checked.machine, node)}
    filled |= {address for candidate in checked.candidates for address in fields_set_by(candidate)}
    filled |= {question.address for question in checked.questions if question.form_field.asked}
    for question in checked.questions:
        asks = question.form_field
        if asks.required and not asks.asked and question.address not in filled:
            message = f"the form needs '{question.address}', never asks for it, and nothing else fills it"
            yield problem("TW076", message, asks.span, "leave 'asked: false' out, or add 'required: false'")


def check_statuses(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW049 and TW074: report transitions that wait for a form status that cannot occur, or hardly.

    The node's form never has it, or has it only where the user asks for a person.
    """
    for node in checked.reachable_nodes:
        if node.form is None:
            continue
        for candidate in node.candidates:
            if candidate.guard is not None and checked.is_sound(candidate.guard):
                yield from _impossible_status(node.form, candidate.guard)
        after = [candidate for candidate in node.candidates if candidate.moment == "after"]
        if not node.form.form.handoff and not any(_accepts_confirmed(checked, one) for one in after):
            yield from (found for one in after if one.guard is not None for found in _handed_off(one.guard))


def _impossible_status(form: LinkedForm, guard: Guard) -> Iterator[Diagnostic]:
    missing: dict[str, str] = {}
    if form.form.confirm is None:
        missing["awaiting_confirmation"] = "'confirm'"
    if not form.form.questions and not any(question.stop_values for question in form.questions):
        missing["stopped"] = "question with 'stop'"
    for at, status in _compared_statuses(guard):
        if status in missing:
            message = f"'form.status' is never '{status}' here: the form has no {missing[status]}"
            yield problem("TW049", message, guard.span.at_character(at))


def _accepts_confirmed(checked: CheckedFlow, candidate: Candidate) -> bool:
    """True if a transition may be taken while the form is confirmed."""
    if candidate.guard is None:
        return not candidate.is_mirror
    return not checked.solver.is_impossible([candidate.guard.expression, parse(CONFIRMED_GUARD)])


def _handed_off(guard: Guard) -> Iterator[Diagnostic]:
    """TW074: a guard that waits for the hand-over of a form, where no transition accepts a confirmed one."""
    for at, status in _compared_statuses(guard):
        if status == "handed_off":
            message = "the form has no 'handoff': it is handed over only where the user asks for a person"
            hint = "one that is complete has the status 'confirmed'"
            yield problem("TW074", message, guard.span.at_character(at), hint)


def _compared_statuses(guard: Guard) -> Iterator[tuple[int, str]]:
    """Yield the constants that `form.status` is compared with for equality, each with its place."""
    for part in s.walk(guard.expression):
        if isinstance(part, s.Binary) and part.op in ("==", "in"):
            for key, constant in compared_constants(part):
                if key == "form.status" and isinstance(constant.value, str):
                    yield constant.at, constant.value


def check_texts(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW059: report `{{ "Ada" }}`, whose text is constant, and `{user.name}`, which is no hole."""
    for texts in checked.texts:
        for expression, span, key, _ in texts.expressions:
            reads = any(
                isinstance(part, s.Select | s.Name) or (isinstance(part, s.Call) and part.name == "visits")
                for part in s.walk(expression)
            )
            if key not in EXPRESSION_TABLES and not reads:
                yield problem("TW059", f"'{{{{ {text_of(expression)} }}}}' reads nothing", span, "write it as text")
        for text, span, key in texts.all:
            for found in _SINGLE.finditer(text if key not in EXPRESSION_TABLES else ""):
                if found[1] in checked.machine.fields:
                    message = f"'{found[0]}' is said as it stands"
                    yield problem("TW059", message, span.at_character(found.start()), f"write {{{{ {found[1]} }}}}")


def check_phrases(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW077: report phrases of the flow that both confirm and edit."""
    language, span = checked.machine.language, checked.machine.flow.span
    for kind, other in (_CLOSED, _CLOSED[::-1]):
        for phrase in language.own.get(kind, ()):
            is_own = any(normalized(phrase) == normalized(known) for known in language.own.get(other, ()))
            if normalized(phrase) in language.phrases[other] and (kind == _CLOSED[0] or not is_own):
                message = f"'{phrase}' both confirms and edits: it stands under '{kind}' and '{other}'"
                yield problem("TW077", message, span.of(f"texts.{kind}"))


_TEXTS = ("ask", "help", "refuse", "more", "label")
"""The keys of a question that are texts."""


def check_empty(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW141: report a text of a question that is written, and has no words."""
    for node in checked.reachable_nodes:
        form = node.form.form if node.form is not None else None
        for question in form.fields if form is not None else ():
            for one in (question, *question.items):
                yield from _empty_texts(one)


def _empty_texts(question: FormField) -> Iterator[Diagnostic]:
    written = question.span.parts if isinstance(question.span.parts, dict) else {}
    for name in _TEXTS:
        text = getattr(question, name)
        if not text.strip() and (text or name in written):
            reads = "has no words" if text else "is empty, and counts as left out"
            message = f"'{name}' of '{question.field}' {reads}"
            yield problem("TW141", message, question.span.of(name), "write the text, or leave the key out")
    for number, text in enumerate(question.rephrase):
        if not text.strip():
            message = f"wording {number + 1} of '{question.field}' is empty: the user would read nothing"
            yield problem("TW141", message, question.span.of(f"rephrase.{number}"), "write the text, or leave it out")
