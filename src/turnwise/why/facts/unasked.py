"""Facts about a question that a form does not ask: it does not apply, another comes first, or the form is closed."""

from __future__ import annotations

from typing import Any

from turnwise.core.addresses import scope_of
from turnwise.core.explain.now import FORM_STATUS
from turnwise.core.forms import active_questions, is_answered
from turnwise.core.linked_form import Question
from turnwise.core.phrase import Phrase, listed, phrase
from turnwise.core.state import Ended, FormRun, State
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.form_facts import condition_failed, open_form, question_fact
from turnwise.why.facts.questions import why_form_asks
from turnwise.why.facts.values import STAND_IN, failed_formula, missing_bases, not_computed, value_read
from turnwise.why.facts.writers import writers_of


def why_not_asked(builder: FactBuilder, address: str) -> Fact:
    """Return the fact that says why the question of a field is not the open question."""
    forms = builder.machine.forms_of.get(address, ())
    if not forms:
        return _without_form(builder, address)
    state, found = builder.state, open_form(builder)
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
        reason = instead.text if instead is not None else phrase("the form of {node} asks nothing now", node=state.node)
        return question_fact(builder, "question_not_due", address, causes=(instead,), field=address, reason=reason)
    reason = _later(run, question)
    return question_fact(
        builder, "question_later", address, causes=(instead,), field=address, first=run.asked, reason=reason
    )


def _own_reason(builder: FactBuilder, run: FormRun, question: Question) -> Fact | None:
    """Return the reason that lies in the question itself: its condition, its answer, that it is never asked, or was
    skipped.
    """
    state, address = builder.state, question.address
    assert state is not None
    form = builder.machine.nodes[state.node].form
    assert form is not None
    if question.ask_when is not None and question not in active_questions(form, state):
        return condition_failed(builder, address, question)
    if is_answered(run, state, address):
        return question_fact(
            builder, "question_answered", address, causes=tuple(value_read(builder, address)), field=address
        )
    if not question.form_field.asked:
        return question_fact(builder, "question_never_put", address, field=address, node=state.node)
    if address in run.skipped and not question.form_field.required:
        return question_fact(builder, "question_skipped", address, field=address)
    return None


def _later(run: FormRun, question: Question) -> str:
    """Return why another question comes before one that is neither answered nor skipped."""
    if run.editing:
        return Phrase("the user is changing that answer")
    return "" if question.form_field.required else Phrase("this one is optional, and comes after the required ones")


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
        values: dict[str, Any] = {
            "node": listed(forms),
            "reason": phrase("the scope {scope} is not open", scope=closed_scope),
        }
        return question_fact(builder, "form_not_open", address, *about, field=address, **values)
    around = next((frame.node for frame in state.outer if frame.node in forms), "")
    if around:
        values = {
            "node": around,
            "reason": phrase("{node} waits for a scope, in which {now} is in charge", node=around, now=state.node),
        }
        return question_fact(builder, "form_not_open", address, *about, field=address, **values)
    if state.node in forms:
        reason = Phrase("the turn failed before it opened")
        return question_fact(builder, "form_not_open", address, *about, field=address, node=state.node, reason=reason)
    if not been:
        return question_fact(builder, "form_not_reached", address, *about, field=address, node=listed(forms))
    closed = [name for name in been if name in state.closed_forms]
    how = phrase("it was {status}", status=FORM_STATUS[state.closed_forms[closed[0]]]) if closed else ""
    return question_fact(
        builder, "form_left", address, *about, field=address, node=listed(been), now=state.node, closed=how
    )


def why_form_rests(builder: FactBuilder, node: str) -> Fact:
    """Return the fact that says why the form of a node that is not in charge asks nothing."""
    return _elsewhere(builder, "", (node,))


def _without_form(builder: FactBuilder, address: str) -> Fact:
    """Return how a field is filled for which no form asks."""
    machine = builder.machine
    if machine.fields[address].value:
        missing = missing_bases(builder, address) if builder.state and address not in builder.state.values else ()
        names = listed([str(one.values["name"]) for one in missing])
        lacks = (
            phrase("{fields} has no value" if len(missing) == 1 else "{fields} have no value", fields=names)
            if missing
            else ""
        )
        failed = not_computed(builder, address)
        why = failed_formula(failed, *missing)
        return question_fact(
            builder, "field_computed", address, causes=(failed, *missing), field=address, missing=lacks, failed=why
        )
    writers = list(writers_of(machine, address))
    nodes = [name for name, node in machine.nodes.items() if address in node.collects]
    if nodes:
        now = builder.node if builder.node not in nodes else ""
        model = Phrase("the model") if all(machine.nodes[name].work == "prompt" for name in nodes) else ""
        reply = _stand_in(builder, address)
        values = {"nodes": listed(nodes), "now": now, "model": model, "stand_in": Phrase("names it") if reply else ""}
        others = [one for one in writers if one[1].kind != "tool" or one[1].name in machine.tools]  # not what collects
        values["writers"] = listed([name for name, _ in others])
        return question_fact(
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
        return question_fact(builder, "field_written_by", address, *subjects, field=address, writers=names)
    return question_fact(builder, "field_without_form", address, field=address)


def _stand_in(builder: FactBuilder, address: str) -> Fact | None:
    """Return the reply that stands in for a model, where it says that the field is missing."""
    reply = builder.first("model_replied")
    if reply is None or reply.values["model"] != STAND_IN:
        return None
    return reply if builder.machine.title(address) in reply.values["said"] else None
