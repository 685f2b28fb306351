"""Defects of forms: nothing to ask, never asked, stops that cannot stop or say nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from check.defects.planted import Place, Planted, add_nodes, change_node, fields_of, kind, lead_to, node_of, pick
from turnwise.flow import model as m
from turnwise.flow.model import Flow, Node, Transition


def form_in(flow: Flow, chance: Random) -> tuple[Flow, str]:
    """A flow with a form: its own, or one that was added; and the node of it."""
    found = [node.name for node in flow.nodes if node.form]
    if found and chance.random() < 0.7:
        return flow, pick(chance, found)
    options = (m.Option("Tea"), m.Option("Coffee"))
    record = m.Record("drink", (m.Field("kind", "choice", options=options), m.Field("cups", "integer", min=1, max=9)))
    form = m.Form((m.FormField("drink.kind", ask="What?"), m.FormField("drink.cups", ask="How many?")))
    node = Node("extra", form=form, transitions=(Transition("over", at="after", end="served"),))
    changed = add_nodes(replace(flow, records=(*flow.records, record)), chance, node)
    return lead_to(changed, chance, "extra"), "extra"


def change_question(flow: Flow, name: str, number: int, **changes: Any) -> Flow:
    """The flow with one question of a form changed."""
    form = node_of(flow, name).form
    asked = tuple(replace(q, **changes) if i == number else q for i, q in enumerate(form.fields))
    return change_node(flow, name, form=replace(form, fields=asked))


def question_place(name: str, number: int, key: str = "") -> Place:
    """Where a question stands, or the value of one of its keys."""
    return lambda flow: node_of(flow, name).form.fields[number].span.of(key)


@kind("form without fields")
def _no_fields(flow: Flow, chance: Random) -> Planted | None:
    changed, name = form_in(flow, chance)
    form = node_of(changed, name).form
    asked = () if chance.random() < 0.5 else tuple(replace(q, asked=False) for q in form.fields)
    changed = change_node(changed, name, form=replace(form, fields=asked, confirm=None))
    return Planted(changed, "TW045", lambda read: node_of(read, name).form.span)


@kind("form field never askable")
def _never_asked(flow: Flow, chance: Random) -> Planted | None:
    changed, name = form_in(flow, chance)
    number = chance.randrange(len(node_of(changed, name).form.fields))
    address = node_of(changed, name).form.fields[number].field
    if chance.random() < 0.3 and len(node_of(changed, name).form.fields) > 1:
        return Planted(change_question(changed, name, number, asked=False), "TW076", question_place(name, number))
    guard = pick(chance, [f"has({address})", f"turns > 2 && has({address})"])
    changed = change_question(changed, name, number, ask_when=guard)
    return Planted(changed, "TW076", question_place(name, number, "ask_when"))


@kind("stop value that is no option")
def _stop_value(flow: Flow, chance: Random) -> Planted | None:
    changed, name = form_in(flow, chance)
    fields = dict(fields_of(changed))
    questions = [i for i, q in enumerate(node_of(changed, name).form.fields) if fields[q.field].options]
    number = pick(chance, questions)
    options = [o.value for o in fields[node_of(changed, name).form.fields[number].field].options]
    values = (options[0], "Perhaps") if chance.random() < 0.5 else ("Perhaps",)
    changed = change_question(changed, name, number, stop=m.Stop(values, "That ends it."))
    at = len(values) - 1
    return Planted(changed, "TW042", lambda read: node_of(read, name).form.fields[number].stop.span.of(f"values.{at}"))


@kind("stop value without a message")
def _stop_silent(flow: Flow, chance: Random) -> Planted | None:
    changed, name = form_in(flow, chance)
    fields = dict(fields_of(changed))
    number = pick(chance, [i for i, q in enumerate(node_of(changed, name).form.fields) if fields[q.field].options])
    options = [o.value for o in fields[node_of(changed, name).form.fields[number].field].options]
    changed = change_question(changed, name, number, stop=m.Stop((pick(chance, options),)))
    return Planted(changed, "TW075", lambda read: node_of(read, name).form.fields[number].stop.span)
