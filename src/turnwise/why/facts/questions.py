"""Why a form asks a question at a moment, and what it still lacks.

What is asked next is decided by `core.forms`; these functions ask it, and say which of its rules decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.explain.now import why_waiting
from turnwise.core.forms import (
    AT_REST,
    active_questions,
    answered,
    count_done,
    counted_questions,
    is_answered,
    lists,
    missing,
    progress_percent,
    questions_in_order,
)
from turnwise.core.forms.buttons import accepts_value
from turnwise.core.guards.types import value_text
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import Ended, FormRun, State
from turnwise.core.state.items import ID, index_of
from turnwise.core.values.items import item_as_text
from turnwise.why.answer import Fact
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.form_facts import condition_failed, names_of, open_form, question_fact, still_open
from turnwise.why.facts.options import options_origin
from turnwise.why.facts.question_lists import facts_of_origin, position
from turnwise.why.facts.values import rule_reads, rule_values, value_read
from turnwise.why.kinds import FactKind

FORM_BROKEN_OFF: tuple[FactKind, ...] = ("form_stopped", "form_cancelled")
"""The kinds of facts that say why a form asks nothing although it is not complete."""


def why_form_asks(builder: FactBuilder) -> Fact | None:
    """Return why the form of the node in charge asks its present question, or none; `None` if there is no form."""
    found = open_form(builder)
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
        return question_fact(
            builder, "confirmation_due", node=state.node, answered=names_of(answered(form, run, state))
        )
    return _asking(builder, form, run, form.by_address[run.asked]) if run.asked else None


def form_facts(builder: FactBuilder) -> Iterator[Fact]:
    """Yield facts about the form of the node in charge: what it lacks, its progress, and whether it asks to confirm."""
    found = open_form(builder)
    if found is None:
        return
    state, form, run = found
    lacking, total = missing(form, run, state), counted_questions(form, state)
    yield question_fact(
        builder,
        "form_progress",
        node=state.node,
        percent=progress_percent(form, run, state),
        done=count_done(run, state, total),
        total=len(total),
        missing=names_of(lacking),
    )
    if form.form.confirm is None:
        yield question_fact(builder, "form_unconfirmed", node=state.node)
    elif run.status == "collecting" and run.editing != "chooser":
        yield question_fact(
            builder, "confirmation_later", node=state.node, missing=names_of(still_open(form, run, state)) or run.asked
        )
    for address in run.suggested:
        yield suggested_fact(builder, run, address)
    for question in form.questions:
        if question.address in state.shelved:
            yield inactive_fact(builder, question.address)


def suggested_fact(builder: FactBuilder, run: FormRun, address: str, cause: Fact | None = None) -> Fact:
    """Return the fact that a value is suggested to the user, and where the value comes from.
    `run` is that of the form, `cause` a fact that led to the suggestion.
    """
    state = builder.state
    assert state is not None
    is_known = address in state.values and state.values[address].value == run.suggested[address]
    known = tuple(value_read(builder, address)) if is_known else ()
    values = {"value": builder.value(address, run.suggested[address]), "field": address}
    form = builder.machine.nodes[state.node].form
    question = form.by_address.get(address) if form is not None else None
    has_default = question is None or question.field.default == run.suggested[address]
    known_before = Phrase("its default") if has_default else Phrase("what a message may mean")
    values["origin"] = phrase("known since turn {turn}", turn=state.values[address].turn) if is_known else known_before
    return question_fact(builder, "value_suggested", address, causes=(cause, *known), **values)


def inactive_fact(builder: FactBuilder, address: str) -> Fact:
    """Return the fact that an answer is inactive, with the condition that makes it so."""
    state = builder.state
    assert state is not None
    cause = None
    form = builder.machine.nodes[state.node].form
    question = form.by_address.get(address) if form is not None else None
    is_asked = form is not None and question in active_questions(form, state)
    if question is not None and question.ask_when is not None and not is_asked:
        cause = condition_failed(builder, address, question)
    value = state.shelved[address].value if address in state.shelved else None
    value = builder.value(address, value)
    return question_fact(builder, "field_inactive", address, causes=(cause,), field=address, value=value)


def _asking(builder: FactBuilder, form: LinkedForm, run: FormRun, question: Question) -> Fact:
    """Return why this question is asked: an answer is being changed, was not understood, or it is the next in order."""
    state, address = builder.state, question.address
    assert state is not None
    if run.editing == "one":
        first = question_fact(builder, "question_edited", address, field=address)
    elif run.editing == "walk":
        after = listed([name for name in run.walk if name != address])
        first = question_fact(builder, "question_walked", address, field=address, after=after)
    elif (following := still_open(form, run, state)) and following[0] is not question:
        first = question_fact(builder, "question_kept", address, field=address, next=following[0].address)
    elif question.items and lists.items_of(state, question):
        first = _more(builder, state, question)
    else:
        values = {"before": _before(form, run, state, question), **position(builder, address)}
        values["optional"] = "" if question.form_field.required else Phrase("optional")
        known = value_read(builder, address) if address in state.values else ()
        causes = (
            _applies(builder, question),
            *known,
            *facts_of_origin(builder, address),
            *options_origin(builder, address),
        )
        values["applies"] = causes[0].text if causes[0] is not None else ""
        values |= _item(form, run, state, question)
        first = question_fact(
            builder, "question_next", address, causes=causes, field=address, node=state.node, **values
        )
    if address in run.suggested:
        first = suggested_fact(builder, run, address, first)
    return _repeated(builder, run, question, first) if run.misses.get(address) else first


def _more(builder: FactBuilder, state: State, question: Question) -> Fact:
    """Return why the form asks whether another item of a list follows."""
    most = question.field.max
    values: dict[str, Any] = {"count": len(lists.items_of(state, question))}
    values["most"] = f"{most:g}" if isinstance(most, int | float) else ""
    address = question.address
    return question_fact(
        builder, "question_more", address, causes=tuple(value_read(builder, address)), field=address, **values
    )


def _item(form: LinkedForm, run: FormRun, state: State, question: Question) -> dict[str, Any]:
    """Return about which item of a list a question is; empty texts for any other."""
    if not question.item_of:
        return {"item": "", "of": ""}
    items = lists.items_of(state, form.by_address[question.item_of])
    at = index_of(items, run.item) if run.item else len(items)
    return {"item": at + 1, "of": question.item_of}


def _applies(builder: FactBuilder, question: Question) -> Fact | None:
    """Return that the `ask_when` of a question holds, with the values that it read; `None` for one without."""
    if question.ask_when is None:
        return None
    reads, rule = rule_reads(builder, question.ask_when), rule_values(builder, question.ask_when)
    return question_fact(builder, "question_applies", question.address, causes=reads, field=question.address, **rule)


def _repeated(builder: FactBuilder, run: FormRun, question: Question, first: Fact) -> Fact:
    """Return how often the answer to a question was not understood, and what follows the next miss."""
    address, most, then = question.address, len(question.rephrase), question.form_field.then
    misses = run.misses[address]
    after = (
        phrase("the next one that is not understood is followed by `{then}`", then=then)
        if then and misses >= most
        else ""
    )
    failed = builder.latest.get("understanding_failed")
    values: dict[str, Any] = {"misses": _times(misses), "most": most, "then": after}
    values["failed"] = failed.text if failed is not None else ""
    return question_fact(builder, "question_repeated", address, causes=(first,), field=address, **values)


_BEFORE = (
    ("{fields} has an answer", "{fields} have answers"),
    ("{fields} was skipped", "{fields} were skipped"),
    ("{fields} does not apply", "{fields} do not apply"),
)
"""What came of questions that stand before another one."""


def _before(form: LinkedForm, run: FormRun, state: State, question: Question) -> str:
    """Return how the questions were answered or skipped that come before one in the order of asking."""
    names: dict[str, list[str]] = {"has an answer": [], "was skipped": [], "does not apply": []}
    applying = questions_in_order(form, state, run)
    for one in form.in_order:
        if one is question:
            break
        if one.item_of and one.item_of != run.filling:
            continue  # asked for each item, and no item is made now
        if one not in applying:
            names["does not apply"].append(one.address)
        elif is_answered(run, state, one.address):
            names["has an answer"].append(one.address)
        elif one.address in run.skipped:
            names["was skipped"].append(one.address)
    return listed(
        [
            phrase(one if len(all_) == 1 else more, fields=listed(all_))
            for (one, more), all_ in zip(_BEFORE, names.values(), strict=True)
            if all_
        ]
    )


def _chooser(builder: FactBuilder, form: LinkedForm, run: FormRun, state: State) -> Fact:
    """Return why the user is asked which answer to change, or which item is meant."""
    if run.asks_which_item:
        return _item_unclear(builder, form, run, state)
    if run.correction is None:
        return question_fact(builder, "chooser_due", node=state.node, answered=names_of(answered(form, run, state)))
    able = [one for one in answered(form, run, state) if accepts_value(builder.machine, state, one, run.correction)]
    is_secret = any(one.field.secret for one in able)
    given = builder.value(able[0].address, run.correction) if able and not is_secret else Phrase("the new value")
    return question_fact(builder, "correction_unclear", node=state.node, given=given, answered=names_of(able))


def _item_unclear(builder: FactBuilder, form: LinkedForm, run: FormRun, state: State) -> Fact:
    """Return why the user is asked which item a command means."""
    items = lists.items_of(state, form.by_address[run.choosing])
    fitting = [one for one in items if one[ID] in dict(run.candidates)]
    return question_fact(
        builder,
        "item_unclear",
        node=state.node,
        field=run.choosing,
        count=len(fitting),
        items=joined(map(item_as_text, fitting), "; "),
    )


def _resting(builder: FactBuilder, form: LinkedForm, run: FormRun) -> Fact:
    """Return why a form asks nothing: it stopped, was cancelled, confirmed or handed over, or a person is there."""
    state = builder.state
    assert state is not None
    if isinstance(state.status, Ended):
        return question_fact(builder, "form_ended", node=state.node, outcome=state.status.outcome)
    if run.status == "stopped":
        question = form.by_address[run.stopped_at]
        stops = "" if question.field.secret else listed(sorted(map(value_text, question.stop_values)))
        options = [one.value for one in question.field.options] or [True, False] * (question.field.type == "boolean")
        causes = tuple(value_read(builder, question.address))
        return question_fact(
            builder,
            "form_stopped",
            question.address,
            causes=causes,
            node=state.node,
            field=question.address,
            value=builder.value(question.address, state.values[question.address].value),
            stops=stops,
            others=[value_text(one) for one in options if one not in question.stop_values] if stops else [],
        )
    if run.status in AT_REST:
        kind: dict[str, FactKind] = {"cancelled": "form_cancelled", "confirmed": "form_confirmed"}
        handed = form.form.handoff
        return question_fact(builder, kind.get(run.status, "form_handed_over"), node=state.node, to=handed)
    return question_fact(builder, "form_waits_for_person", node=state.node, person=why_waiting(state))


def _times(count: int) -> str:
    return "" if count == 1 else Phrase("twice") if count == 2 else phrase("{count} times", count=count)
