"""A rule of the flow as it stands on a state: its text, the values that it reads, and what would make it hold.

The rules are run by the closures that the machine runs; secrets are hidden.
"""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from turnwise.core.explain.inactive import needs_of_answers
from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.explain.tree import leaves, operands, plan
from turnwise.core.explain.witness import limits_of
from turnwise.core.guards import Env, live
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.types import shown
from turnwise.core.machine import Guard, Machine
from turnwise.core.state import State
from turnwise.core.trace import Operand
from turnwise.flow.guard import text_of
from turnwise.why.answer import Fact
from turnwise.why.facts.builder import FactBuilder, listed
from turnwise.why.facts.values import value_read


def rule_values(builder: FactBuilder, guard: Guard, env: Env | None = None) -> dict[str, Any]:
    """Return a rule as values of a fact: its text, its verdict with the whole tree, and the values that it read. The
    text of a rule about secrets has its conditions without their constants.
    """
    assert builder.state is not None
    machine = builder.machine
    of, is_secret = plan(guard.expression, machine.names), reads_secret(machine.names, guard.expression)
    text = listed([leaf.text for leaf in leaves(of)]) if is_secret else text_of(guard.expression)
    tree = of.verdict(live(builder.state) if env is None else env)
    reads = listed([_read(builder, operand) for operand in {one.name: one for one in operands(tree)}.values()])
    verdict = to_builtins(builder.hide(tree))
    return {"rule": text, "verdict": tree.verdict, "tree": verdict, "reads": reads}


def rule_reads(builder: FactBuilder, guard: Guard) -> tuple[Fact, ...]:
    """Return the values of fields that a rule reads, as facts that can be traced back."""
    return tuple([fact for ref in guard.refs for fact in value_read(builder, ref.key)])


def rule_needs(machine: Machine, state: State, guard: Guard, node: str) -> str:
    """Return what would make a rule hold that does not; each change was tried. Empty where no way is known."""
    found = needs_of_answers(machine, node, guard, state)
    if found is None:
        limits = limits_of(machine, node, [ref.address for ref in guard.refs if ref.address])
        of, env = plan(guard.expression, machine.names), live(state)
        found = NeedsPlan(of, guard.test, machine.rules, limits).explain(env, of.verdict(env), state)
    sets, in_words = found
    if sets:
        return listed(
            [f"{need.field} = {shown(need.value) if need.value is not None else '(no value)'}" for need in sets[0]]
        )
    return " or ".join(in_words)


def _read(builder: FactBuilder, operand: Operand) -> str:
    if operand.how == "missing":
        return f"{operand.name} has no value"
    field = builder.machine.fields.get(operand.name)
    value = shown(builder.hide(operand.value), field if field is not None and not field.secret else None)
    return f"{operand.name} is {value}" + (" by default" if operand.how == "default" else "")
