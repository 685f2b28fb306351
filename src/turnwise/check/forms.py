"""Reports questions that are never asked, and answers that stop a form without a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwise.check.fields import filled_beside, set_by
from turnwise.check.subject import Subject
from turnwise.core.machine import Candidate, Guard, LinkedForm, Question
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import Expression, parse, text_of
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


def check_statuses(subject: Subject) -> Iterator[Diagnostic]:
    """TW049 and TW074: transitions that wait for a status which the node's form never has, or has only where the user
    asks for a person.
    """
    for node in subject.reached:
        if node.form is None:
            continue
        guards = [candidate.guard for candidate in node.candidates if candidate.guard is not None]
        for guard in guards:
            yield from _never_so(subject, node.form, guard)
        after = [candidate for candidate in node.candidates if candidate.moment == "after"]
        if not node.form.form.handoff and not any(_is_open_to(subject, one, "confirmed") for one in after):
            yield from _never_handed_over(after)


def _never_so(subject: Subject, form: LinkedForm, guard: Guard) -> Iterator[Diagnostic]:
    """TW049: a comparison with a status for which the form has no cause."""
    causes = {
        "awaiting_confirmation": ("has no 'confirm'", form.form.confirm is not None),
        "stopped": (
            "has no question with 'stop'",
            bool(form.form.questions) or any(q.stop_values for q in form.questions),
        ),
    }
    if not subject.is_sound(guard):
        return
    for at, status in _compared_statuses(guard.expression):
        why, is_possible = causes.get(status, ("", True))
        if not is_possible:
            yield problem("TW049", f"'form.status' is never '{status}' here: the form {why}", guard.span.shifted(at))


def _is_open_to(subject: Subject, candidate: Candidate, status: str) -> bool:
    """True if a transition may be taken while the form has a status."""
    if candidate.guard is None:
        return not candidate.is_mirror
    return not subject.solver.is_impossible([candidate.guard.expression, _status_is(status)])


def _never_handed_over(candidates: Sequence[Candidate]) -> Iterator[Diagnostic]:
    """TW074: where no transition takes a form that was confirmed, one that waits for its hand-over."""
    for candidate in candidates:
        for at, status in _compared_statuses(candidate.guard.expression) if candidate.guard is not None else ():
            if status == "handed_off" and candidate.guard is not None:
                message = "the form has no 'handoff': it is handed over only where the user asks for a person"
                hint = "one that is complete has the status 'confirmed'"
                yield problem("TW074", message, candidate.guard.span.shifted(at), hint)


def _compared_statuses(expression: Expression) -> Iterator[tuple[int, str]]:
    """The constants with which an expression compares `form.status`, each with its place."""
    for part in s.walk(expression):
        match part:
            case s.Binary("==", s.Select(s.Name("form"), "status"), s.Literal(str() as value) as literal):
                yield literal.at, value
            case s.Binary("==", s.Literal(str() as value) as literal, s.Select(s.Name("form"), "status")):
                yield literal.at, value
            case s.Binary("in", s.Select(s.Name("form"), "status"), s.Sequence(values)):
                yield from (
                    (one.at, one.value) for one in values if isinstance(one, s.Literal) and isinstance(one.value, str)
                )
            case _:
                pass


def _status_is(status: str) -> Expression:
    """`form.status == "…"`."""
    return parse(f'form.status == "{status}"')
