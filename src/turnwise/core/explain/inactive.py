"""Finds what would make a guard hold, where the guard reads conditional answers of a form (those with `ask_when`).

For an inactive answer the change is proposed that makes it active, not the answer anew. A change that makes an answer
inactive is not proposed where the guard needs that answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.core.candidates import Guard
from turnwise.core.commands import holds
from turnwise.core.explain.needs import Needed, NeedsPlan
from turnwise.core.explain.search import MAX_SETS
from turnwise.core.explain.tree import plan
from turnwise.core.explain.witness import FieldLimits, limits_of
from turnwise.core.guards import Env
from turnwise.core.linked_form import LinkedForm
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, State
from turnwise.core.trace import Need
from turnwise.flow.guard.syntax import Logic


def needs_of_answers(machine: Machine, node: str, guard: Guard, state: State) -> Needed | None:
    """Return what would make a guard hold that reads conditional answers; `None` if it reads none."""
    form = machine.nodes[node].form
    guards = _with_conditions(form, state, guard) if form is not None else ()
    if form is None or not guards:
        return None
    read = {ref.address for one in guards for ref in one.refs}
    limits, known = limits_of(machine, node, (*form.by_address, *read)), {**state.shelved, **state.values}

    def search(guards: tuple[Guard, ...], values: Mapping[str, FieldValue]) -> Needed:
        whole = Logic("&&", tuple([one.expression for one in guards])) if len(guards) > 1 else guard.expression
        others = {name: value for name, value in known.items() if name not in read or name not in values}

        def test(env: Env) -> bool | None:
            is_held = all(one.test(env) is True for one in guards)
            return is_held and guard.test(_active(form, limits, Env({**others, **env.fields}, env.source)))

        of, env = plan(whole, machine.names), Env(values, state)
        return NeedsPlan(of, test, machine.rules, limits).explain(env, of.verdict(env), state)

    sets, in_words = search((guard,), state.values)
    if len(guards) > 1:
        more, in_other_words = search(guards, known)
        more = tuple([one for one in more if not any(_names(other) <= _names(one) for other in sets)])
        sets, in_words = (*sets, *more)[:MAX_SETS], (*in_other_words, *in_words)[:MAX_SETS]
    return sets, in_words if not sets else ()


def _names(needs: tuple[Need, ...]) -> set[str]:
    return {need.field for need in needs}


def _with_conditions(form: LinkedForm, state: State, guard: Guard) -> tuple[Guard, ...]:
    """Return a guard with the conditions of the answers without a value that it reads, and of those that these
    conditions read; nothing where it reads no answer that counts only under a condition.
    """
    guards, conditional = [guard], set[str]()
    for one in guards:  # which grows
        for question in [form.by_address[ref.address] for ref in one.refs if ref.address in form.by_address]:
            name, condition = question.address, question.ask_when
            if name in conditional or (condition is None and name not in state.shelved):
                continue
            conditional.add(name)
            guards += [condition] if condition is not None and name not in state.values else []
    return tuple(guards) if conditional else ()


def _active(form: LinkedForm, limits: FieldLimits, env: Env) -> Env:
    """Return an environment without the answers that would be inactive in it (law 5.7)."""
    fields = dict(env.fields)
    for _ in form.questions:
        before = frozenset(fields)
        for question in [one for one in form.questions if one.address in env.fields]:
            name = question.address
            with_own = Env({**fields, name: env.fields[name]}, env.source)
            if holds(question.ask_when, Env(fields, env.source)) and limits.accepts_value(name, with_own, None):
                fields[name] = env.fields[name]
            else:
                fields.pop(name, None)
        if before == frozenset(fields):
            break
    return Env(fields, env.source)
