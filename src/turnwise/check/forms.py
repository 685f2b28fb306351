"""Questions that are never asked, and answers that stop a form without a word."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.fields import filled_beside, set_by
from turnwise.check.subject import Subject
from turnwise.core.machine import Question
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import Expression, text_of
from turnwise.flow.guard import syntax as s


def check(subject: Subject) -> Iterator[Diagnostic]:
    """TW075 and TW076."""
    for question in subject.questions:
        stop = question.form_field.stop
        if stop is not None and not stop.say:
            hint = "write it under 'say'"
            yield problem("TW075", f"an answer to '{question.address}' stops the form without a word", stop.span, hint)
        yield from _never_asked(subject, question)


def _never_asked(subject: Subject, question: Question) -> Iterator[Diagnostic]:
    if question.ask_when is None or not subject.is_sound(question.ask_when):
        return
    guard, solver = question.ask_when.expression, subject.solver
    if not solver.is_impossible([guard]) and solver.is_impossible([guard, s.Not(_has(question.address))]):
        message = f"'{question.address}' is never asked: where '{text_of(guard)}' holds, it is answered"
        yield problem("TW076", message, question.ask_when.span)


def _has(address: str) -> Expression:
    """`has(record.field)`."""
    record, _, name = address.partition(".")
    return s.Call("has", (s.Select(s.Name(record), name),))


def check_required(subject: Subject) -> Iterator[Diagnostic]:
    """TW076: what a form needs, never asks for, and nothing else fills."""
    others = {address for node in subject.reached for address in filled_beside(subject.machine, node)}
    others |= {address for candidate in subject.candidates for address in set_by(candidate)}
    asked = {question.address for question in subject.questions if question.form_field.asked}
    for question in subject.questions:
        asks = question.form_field
        if asks.required and not asks.asked and question.address not in others | asked:
            message = f"the form needs '{question.address}', never asks for it, and nothing else fills it"
            yield problem("TW076", message, asks.span, "leave 'asked: false' out, or add 'required: false'")
