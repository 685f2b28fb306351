"""Why a form asks a question at a moment, why it does not ask another one, and what it still lacks.

What is asked next is decided by `core.forms`; these functions ask it, and say which of its rules decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.addresses import scope_of
from turnwise.core.explain.now import why_waiting
from turnwise.core.forms import AT_REST, allowed, answered, counted, done, in_order, is_answered, missing, progress
from turnwise.core.forms.buttons import accepts
from turnwise.core.guards import live
from turnwise.core.guards.types import shown
from turnwise.core.machine import LinkedForm, Question
from turnwise.core.state import Ended, FormRun, State
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder, listed, of
from turnwise.why.facts.question_lists import origin, position
from turnwise.why.facts.values import (
    STAND_IN,
    failed_formula,
    missing_bases,
    not_computed,
    rule_needs,
    rule_reads,
    rule_values,
    value_read,
)
from turnwise.why.facts.writers import writers_of
from turnwise.why.kinds import FactKind

NOT_GOING_ON: tuple[FactKind, ...] = ("form_stopped", "form_cancelled")
"""Why a form asks nothing although it is not complete."""


def why_form_asks(builder: FactBuilder) -> Fact | None:
    """Return why the form of the node in charge asks what it asks, or why it asks nothing; `None` without a form."""
    found = _open_form(builder)
    if found is None:
        return None
    state, form, run = found
    if isinstance(state.status, Ended) or state.person is not None:
        return _resting(builder, form, run)
    if run.status in AT_REST or run.status == "stopped":
        return _resting(builder, form, run)
    if run.editing == "chooser":
        return _chooser(builder, form, run, state)
    if run.status == "awaiting_confirmation":
        return _fact(builder, "confirmation_due", node=state.node, answered=_names(answered(form, run, state)))
    return _asking(builder, form, run, form.by_address[run.asked]) if run.asked else None


def why_not_asked(builder: FactBuilder, address: str) -> Fact:
    """Return why the question of a field is not the one that is open."""
    forms = builder.machine.forms_of.get(address, ())
    if not forms:
        return _without_form(builder, address)
    state, found = builder.state, _open_form(builder)
    assert state is not None
    if found is None or state.node not in forms:
        return _elsewhere(builder, address, forms)
    _, form, run = found
    question = form.by_address[address]
    own = _own_reason(builder, run, question)
    if own is not None:
        return own
    instead = why_form_asks(builder)
    if not run.asked or run.status != "collecting" or state.person is not None or isinstance(state.status, Ended):
        reason = instead.text if instead is not None else f"the form of {state.node} asks nothing now"
        return _fact(builder, "question_not_due", address, causes=(instead,), field=address, reason=reason)
    reason = _later(run, question)
    return _fact(builder, "question_later", address, causes=(instead,), field=address, first=run.asked, reason=reason)


def _own_reason(builder: FactBuilder, run: FormRun, question: Question) -> Fact | None:
    """Return the reason that lies in the question itself: its condition, its answer, that it is never asked, or was
    skipped.
    """
    state, address = builder.state, question.address
    assert state is not None
    form = builder.machine.nodes[state.node].form
    assert form is not None
    if question.ask_when is not None and question not in allowed(form, live(state)):
        return condition_failed(builder, address, question)
    if is_answered(run, state, address):
        return _fact(builder, "question_answered", address, causes=tuple(value_read(builder, address)), field=address)
    if not question.form_field.asked:
        return _fact(builder, "question_never_put", address, field=address, node=state.node)
    if address in run.skipped and not question.form_field.required:
        return _fact(builder, "question_skipped", address, field=address)
    return None


def condition_failed(builder: FactBuilder, address: str, question: Question) -> Fact:
    """Return the fact that the `ask_when` of a question does not hold, with its tree and the values that it read."""
    state, guard = builder.state, question.ask_when
    assert state is not None
    assert guard is not None
    return _fact(
        builder,
        "question_condition_failed",
        address,
        causes=rule_reads(builder, guard),
        source=str(guard.span) if guard.span.line else "",
        field=address,
        needs=rule_needs(builder.machine, state, guard, state.node),
        **rule_values(builder, guard),
    )


def form_facts(builder: FactBuilder) -> Iterator[Fact]:
    """Yield what the form of the node in charge still lacks, how far it is, and whether it asks to confirm."""
    found = _open_form(builder)
    if found is None:
        return
    state, form, run = found
    lacking, total = missing(form, run, state), counted(form, state)
    yield _fact(
        builder,
        "form_progress",
        node=state.node,
        percent=progress(form, run, state),
        done=done(run, state, total),
        total=len(total),
        missing=_names(lacking),
    )
    if form.form.confirm is None:
        yield _fact(builder, "form_unconfirmed", node=state.node)
    elif run.status == "collecting" and run.editing != "chooser":
        yield _fact(
            builder, "confirmation_later", node=state.node, missing=_names(_open(form, run, state)) or run.asked
        )
    for address in run.suggested:
        yield suggested(builder, run, address)
    for question in form.questions:
        if question.address in state.shelved:
            yield inactive(builder, question.address)


def suggested(builder: FactBuilder, run: FormRun, address: str, cause: Fact | None = None) -> Fact:
    """Return that a value is suggested to the user, and whence it is known."""
    state = builder.state
    assert state is not None
    is_known = address in state.values
    known = tuple(value_read(builder, address)) if is_known else ()
    values = {"value": builder.value(address, run.suggested[address]), "field": address}
    values["origin"] = f"known since turn {state.values[address].turn}" if is_known else "its default"
    return _fact(builder, "value_suggested", address, causes=(cause, *known), **values)


def inactive(builder: FactBuilder, address: str) -> Fact:
    """Return that an answer is inactive, with what makes it so."""
    state = builder.state
    assert state is not None
    cause = None
    form = builder.machine.nodes[state.node].form
    question = form.by_address.get(address) if form is not None else None
    is_asked = form is not None and question in allowed(form, live(state))
    if question is not None and question.ask_when is not None and not is_asked:
        cause = condition_failed(builder, address, question)
    value = state.shelved[address].value if address in state.shelved else None
    value = builder.value(address, value)
    return _fact(builder, "field_inactive", address, causes=(cause,), field=address, value=value)


# why the form asks what it asks ------------------------------------------------------------------


def _asking(builder: FactBuilder, form: LinkedForm, run: FormRun, question: Question) -> Fact:
    """Return why this question is asked: an answer is being changed, was not understood, or it is the next in order."""
    state, address = builder.state, question.address
    assert state is not None
    if run.editing == "one":
        first = _fact(builder, "question_edited", address, field=address)
    elif run.editing == "walk":
        after = listed([name for name in run.walk if name != address])
        first = _fact(builder, "question_walked", address, field=address, after=after)
    elif (following := _open(form, run, state)) and following[0] is not question:
        first = _fact(builder, "question_kept", address, field=address, next=following[0].address)
    else:
        values = {"before": _before(form, run, state, question), **position(builder, address)}
        values["optional"] = "" if question.form_field.required else "optional"
        known = value_read(builder, address) if address in state.values else ()
        causes = (_applies(builder, question), *known, *origin(builder, address))
        values["applies"] = causes[0].text if causes[0] is not None else ""
        first = _fact(builder, "question_next", address, causes=causes, field=address, node=state.node, **values)
    if address in run.suggested:
        first = suggested(builder, run, address, first)
    return _repeated(builder, run, question, first) if run.misses.get(address) else first


def _applies(builder: FactBuilder, question: Question) -> Fact | None:
    """Return that the `ask_when` of a question holds, with the values that it read; `None` for one without."""
    if question.ask_when is None:
        return None
    reads, rule = rule_reads(builder, question.ask_when), rule_values(builder, question.ask_when)
    return _fact(builder, "question_applies", question.address, causes=reads, field=question.address, **rule)


def _repeated(builder: FactBuilder, run: FormRun, question: Question, first: Fact) -> Fact:
    """Return how often the answer to a question was not understood, and what follows the next miss."""
    address, most, then = question.address, len(question.rephrase), question.form_field.then
    misses = run.misses[address]
    after = f"the next one that is not understood is followed by `{then}`" if then and misses >= most else ""
    failed = builder.latest.get("understanding_failed")
    values: dict[str, Any] = {"misses": _times(misses), "most": most, "then": after}
    values["failed"] = failed.text if failed is not None else ""
    return _fact(builder, "question_repeated", address, causes=(first,), field=address, **values)


def _before(form: LinkedForm, run: FormRun, state: State, question: Question) -> str:
    """Return how the questions were answered or skipped that come before one in the order of asking."""
    names: dict[str, list[str]] = {"has an answer": [], "was skipped": [], "does not apply": []}
    applying = in_order(form, state)
    for one in form.in_order:
        if one is question:
            break
        if one not in applying:
            names["does not apply"].append(one.address)
        elif is_answered(run, state, one.address):
            names["has an answer"].append(one.address)
        elif one.address in run.skipped:
            names["was skipped"].append(one.address)
    plural = {"has an answer": "have answers", "was skipped": "were skipped", "does not apply": "do not apply"}
    return listed([f"{listed(all_)} {how if len(all_) == 1 else plural[how]}" for how, all_ in names.items() if all_])


def _chooser(builder: FactBuilder, form: LinkedForm, run: FormRun, state: State) -> Fact:
    """Return why the user is asked which answer to change."""
    if run.correction is None:
        return _fact(builder, "chooser_due", node=state.node, answered=_names(answered(form, run, state)))
    able = [one for one in answered(form, run, state) if accepts(builder.machine, state, one, run.correction)]
    is_secret = any(one.field.secret for one in able)
    given = builder.value(able[0].address, run.correction) if able and not is_secret else "the new value"
    return _fact(builder, "correction_unclear", node=state.node, given=given, answered=_names(able))


def _resting(builder: FactBuilder, form: LinkedForm, run: FormRun) -> Fact:
    """Return why a form asks nothing: it stopped, was cancelled, confirmed or handed over, or a person is there."""
    state = builder.state
    assert state is not None
    if isinstance(state.status, Ended):
        return _fact(builder, "form_ended", node=state.node, outcome=state.status.outcome)
    if run.status == "stopped":
        question = form.by_address[run.stopped_at]
        stops = "" if question.field.secret else listed(sorted(map(shown, question.stop_values)))
        options = [one.value for one in question.field.options] or [True, False] * (question.field.type == "boolean")
        causes = tuple(value_read(builder, question.address))
        return _fact(
            builder,
            "form_stopped",
            question.address,
            causes=causes,
            node=state.node,
            field=question.address,
            value=builder.value(question.address, state.values[question.address].value),
            stops=stops,
            others=[shown(one) for one in options if one not in question.stop_values] if stops else [],
        )
    if run.status in AT_REST:
        kind: dict[str, FactKind] = {"cancelled": "form_cancelled", "confirmed": "form_confirmed"}
        handed = form.form.handoff
        return _fact(builder, kind.get(run.status, "form_handed_over"), node=state.node, to=handed)
    return _fact(builder, "form_waits_for_person", node=state.node, person=why_waiting(state))


# why it does not ask another question ------------------------------------------------------------


def _later(run: FormRun, question: Question) -> str:
    """Return why another question comes before one that is neither answered nor skipped."""
    if run.editing:
        return "the user is changing that answer"
    return "" if question.form_field.required else "this one is optional, and comes after the required ones"


def _scope_not_open(state: State, forms: tuple[str, ...]) -> str:
    """Return the scope in which all forms of a field stand, where it is not open; empty for any other."""
    scopes = {scope_of(name) for name in forms}
    is_open = {frame.scope.name for frame in state.frames if frame.scope is not None}
    return scopes.pop() if len(scopes) == 1 and not scopes & {"", *is_open} else ""


def _elsewhere(builder: FactBuilder, address: str, forms: tuple[str, ...]) -> Fact:
    """Return why no form of a field is open: its node was never entered, or is not in charge."""
    state = builder.state
    assert state is not None
    been = [name for name in forms if any(frame.visits.get(name) for frame in state.frames)]
    about = [Subject("node", name) for name in forms]
    closed_scope = _scope_not_open(state, forms)
    if closed_scope:
        values: dict[str, Any] = {"node": listed(forms), "reason": f"the scope {closed_scope} is not open"}
        return _fact(builder, "form_not_open", address, *about, field=address, **values)
    around = next((frame.node for frame in state.outer if frame.node in forms), "")
    if around:
        values = {"node": around, "reason": f"{around} waits for a scope, in which {state.node} is in charge"}
        return _fact(builder, "form_not_open", address, *about, field=address, **values)
    if state.node in forms:
        reason = "the turn failed before it opened"
        return _fact(builder, "form_not_open", address, *about, field=address, node=state.node, reason=reason)
    if not been:
        return _fact(builder, "form_not_reached", address, *about, field=address, node=listed(forms))
    closed = [name for name in been if name in state.closed_forms]
    how = f"it was {state.closed_forms[closed[0]].replace('_', ' ')}" if closed else ""
    return _fact(builder, "form_left", address, *about, field=address, node=listed(been), now=state.node, closed=how)


def why_form_rests(builder: FactBuilder, node: str) -> Fact:
    """Return why the form of a node that is not in charge asks nothing."""
    return _elsewhere(builder, "", (node,))


def _without_form(builder: FactBuilder, address: str) -> Fact:
    """Return how a field is filled for which no form asks."""
    machine = builder.machine
    if machine.fields[address].value:
        missing = missing_bases(builder, address) if builder.state and address not in builder.state.values else ()
        names = listed([str(one.values["name"]) for one in missing])
        lacks = f"{names} {'has' if len(missing) == 1 else 'have'} no value" if missing else ""
        failed = not_computed(builder, address)
        why = failed_formula(failed, *missing)
        return _fact(
            builder, "field_computed", address, causes=(failed, *missing), field=address, missing=lacks, failed=why
        )
    writers = list(writers_of(machine, address))
    nodes = [name for name, node in machine.nodes.items() if address in node.collects]
    if nodes:
        now = builder.node if builder.node not in nodes else ""
        model = "the model" if all(machine.nodes[name].work == "prompt" for name in nodes) else ""
        reply = _stand_in(builder, address)
        values = {"nodes": listed(nodes), "now": now, "model": model, "stand_in": "names it" if reply else ""}
        others = [one for one in writers if one[1].kind != "tool" or one[1].name in machine.tools]  # not what collects
        values["writers"] = listed([name for name, _ in others])
        return _fact(
            builder,
            "field_collected",
            address,
            *[subject for _, subject in others],
            causes=(reply,),
            field=address,
            **values,
        )
    if writers:
        subjects = [subject for _, subject in writers]
        names = listed([name for name, _ in writers])
        return _fact(builder, "field_written_by", address, *subjects, field=address, writers=names)
    return _fact(builder, "field_without_form", address, field=address)


def _stand_in(builder: FactBuilder, address: str) -> Fact | None:
    """Return the reply that stands in for a model, where it says that the field is missing."""
    reply = builder.first("model_replied")
    if reply is None or reply.values["model"] != STAND_IN:
        return None
    return reply if builder.machine.title(address) in reply.values["said"] else None


# helpers -----------------------------------------------------------------------------------------


def _open_form(builder: FactBuilder) -> tuple[State, LinkedForm, FormRun] | None:
    state = builder.state
    if state is None or state.node not in builder.machine.nodes:
        return None
    form, run = builder.machine.nodes[state.node].form, state.frame.form
    return (state, form, run) if form is not None and run is not None else None


def _open(form: LinkedForm, run: FormRun, state: State) -> list[Question]:
    """Return the questions that are still asked before a form is complete."""
    return [
        one
        for one in in_order(form, state)
        if not is_answered(run, state, one.address) and (one.form_field.required or one.address not in run.skipped)
    ]


def _names(questions: list[Question]) -> str:
    return listed([one.address for one in questions])


def _times(count: int) -> str:
    return "" if count == 1 else "twice" if count == 2 else f"{count} times"


def _fact(
    builder: FactBuilder,
    kind: FactKind,
    address: str = "",
    *about: Subject,
    causes: tuple[Fact | None, ...] = (),
    source: str = "",
    **values: object,
) -> Fact:
    """Return a fact about the question of a field, or about the form of the node in charge."""
    subjects = (*of("field", address), *of("question", address), *about, *of("form", builder.node))
    return builder.standing(kind, *subjects, causes=causes, source=source, **values)
