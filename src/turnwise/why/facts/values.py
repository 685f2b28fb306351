"""Guards and the values that they read, as facts: what each read, how a value came, and what would make a guard hold.

The rules are run by the closures that the machine runs; secrets are hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import to_builtins

from turnwise.core.candidates import Guard
from turnwise.core.explain.inactive import needs_of_answers
from turnwise.core.explain.item_lists import change_of_items
from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.explain.tree import deciding_leaves, leaves, operands, plan
from turnwise.core.explain.witness import limits_of
from turnwise.core.guards import Env, env_of
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import State, ToolUse, ValueOrigin
from turnwise.core.trace import Considered, Operand
from turnwise.core.turn import derive_value
from turnwise.flow.guard import text_of
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.kinds import FactKind

STAND_IN = Phrase("that stands in because none is connected")
"""The words for the model that stands in where none is connected."""

ORIGIN_WORDS: dict[ValueOrigin, str] = {
    "button": Phrase("answered with a button"),
    "direct": Phrase("answered by the user"),
    "understood": Phrase("understood from the message"),
    "command": Phrase("by a command"),
    "operator": Phrase("by the person in charge"),
    "tool": Phrase("by a tool"),
    "set": Phrase("by the flow"),
    "prefill": "prefilled",
    "default": Phrase("by default"),
    "derived": "computed",
    "scope": Phrase("passed on by a scope"),
    "supposed": "supposed",
}
"""How a value was set, in words, by its origin."""


SETBACKS: frozenset[FactKind] = frozenset(
    ("field_cleared", "nothing_set", "value_refused", "command_refused", "write_refused", "not_understood")
)
"""The kinds of facts after which a field has no value."""

FACTS_OF_ROOT: dict[str, tuple[FactKind, ...]] = {
    "message": ("message_received", "button_pressed"),
    "form": ("form_progressed", "form_closed"),
    "tools": ("tool_returned", "tool_failed", "call_answered", "tool_used_by_host"),
    "person": ("person_gave_back", "nobody_came"),
    "error": (
        *("model_failed", "tool_failed", "tool_given_up", "call_refused"),
        *("write_refused", "limit_reached", "guard_failed", "text_refused"),
    ),
    "visits": ("node_left", "scope_opened", "conversation_started"),
    "scope": ("scope_closed",),
    "event": ("event_resumed", "event_received"),
}
"""The kinds of facts that explain the value of a root, by root."""
FACTS_OF_ROOT["errors"] = FACTS_OF_ROOT["error"]
"""The kinds of facts from which the names come that guards read beside fields, by their first part."""


def guard_reads(
    builder: FactBuilder, guard: Guard | None, considered: Considered, *, only_deciding: bool = False
) -> Iterator[Fact]:
    """Yield facts about what a transition read before the builder's entry: values of fields and other events.
    `considered` is the judgement of the transition. With `only_deciding`, none that speaks against its outcome.
    """
    fields, names = builder.machine.fields, [ref.key for ref in guard.refs] if guard is not None else []
    idle = _not_deciding(considered) if only_deciding else frozenset[str]()
    for name in names:
        if name not in idle:
            yield from value_read(builder, name)
    for name in considered.code.reads if considered.code is not None else ():
        yield from value_read(builder, name)
    if considered.verdict is None or all(name in fields for name in names):
        return
    roots = {one.name: one for one in operands(considered.verdict) if one.name not in fields and one.name not in idle}
    for name, operand in roots.items():
        root = name.partition(".")[0].partition("(")[0]
        if root in FACTS_OF_ROOT:
            yield _root_read(builder, name, operand.value, FACTS_OF_ROOT[root])


def _not_deciding(considered: Considered) -> frozenset[str]:
    """Return the names of values that a guard read, and that did not make it what it is: only of conditions that came
    out otherwise than the whole.
    """
    tree = considered.verdict
    if tree is None:
        return frozenset()
    decided = {one.name for leaf in deciding_leaves(tree) for one in leaf.operands}
    return frozenset([one.name for one in operands(tree) if one.name not in decided])


def _root_read(builder: FactBuilder, name: str, value: Any, kinds: tuple[FactKind, ...]) -> Fact:
    """Return a value that a rule read beside fields, with the fact that it comes from, of any turn so far."""
    text: str = Phrase("not known") if value is None else value_text(value)
    if not name.startswith("tools") or builder.state is None:
        return builder.fact("root_read", causes=(builder.first(*kinds),), name=name, value=text)
    uses = builder.state.tools.last
    at = _deciding(uses, name, value)
    if at is None:
        return builder.fact("root_read", name=name, value=text)
    used, later = uses[at], sum(use.tool == uses[at].tool for use in uses[at + 1 :])
    own = [one for one in builder.facts if one.kind in kinds and is_use(one) and one.values["tool"] == used.tool]
    origin = own[-1 - later] if later < len(own) else None
    values: dict[str, Any] = {"used": used.tool, "since": used.turn} if origin is None else {}
    return builder.fact("root_read", Subject("tool", used.tool), causes=(origin,), name=name, value=text, **values)


def _deciding(uses: tuple[ToolUse, ...], name: str, value: Any) -> int | None:
    """Return the place of the use that made a rule about uses what it is: the last one that counts for it; where its
    window has passed, the use that closed it.
    """
    is_of_all = name.startswith("tools.ended_with") or name == "tools.last"  # the order of uses, and the last one
    counted = (at for at in reversed(range(len(uses))) if is_of_all or f'"{uses[at].tool}"' in name)
    last = next(counted, None)
    window = _WINDOW.search(name)
    if last is None or window is None or value is not False:
        return last
    return at if (at := last + int(window[1])) < len(uses) else None


_WINDOW = late_pattern(r"within: (\d+)")


def is_use(fact: Fact) -> bool:
    """Return whether a fact is a use of a tool; a call that the machine answers itself counts if it succeeds."""
    return fact.kind != "call_answered" or not fact.values["error"]


def value_read(builder: FactBuilder, name: str) -> Iterator[Fact]:
    """Yield the fact about the value of a field that a rule read before the builder's entry, with its origin."""
    if name not in builder.machine.fields or builder.state is None:
        return
    about, found = Subject("field", name), builder.state.values.get(name)
    if found is None:
        default = builder.machine.fields[name].default
        if default is None:
            setback = next(
                (one for one in reversed(builder.facts) if one.kind in SETBACKS and about in one.about), None
            )
            bases, failed = missing_bases(builder, name) if setback is None else (), not_computed(builder, name)
            why = failed.text if failed is not None else ""
            yield builder.fact("value_missing", about, causes=(setback, failed, *bases), name=name, failed=why)
            return
        yield builder.fact(
            "value_read", about, name=name, value=builder.value(name, default), how=ORIGIN_WORDS["default"]
        )
        return
    value = builder.value(name, found.value)
    yield builder.fact("value_read", about, name=name, value=value, how=ORIGIN_WORDS[found.how], since=found.turn)


def missing_bases(builder: FactBuilder, name: str) -> tuple[Fact, ...]:
    """Return facts about the missing values from which a derived field is computed."""
    of = next((one for one in builder.machine.derived if one.address == name), None)
    reads = [read for base in (of.reads if of is not None else ()) for read in value_read(builder, base)]
    return tuple([read for read in reads if read.kind == "value_missing"])


def not_computed(builder: FactBuilder, name: str) -> Fact | None:
    """Return the fact about the error in a derived field's formula, with the values that it reads; else `None`."""
    of = next((one for one in builder.machine.derived if one.address == name), None)
    reason = derive_value(builder.machine, of, builder.state)[1] if of is not None and builder.state is not None else ""
    if of is None or not reason:
        return None
    reads = [fact for base in of.reads for fact in value_read(builder, base)]
    values = {"field": name, "reason": reason, "reads": values_in_words(reads)}
    return builder.fact_of_state("value_not_computed", Subject("field", name), causes=tuple(reads), **values)


def failed_formula(*facts: Fact | None) -> str:
    """Return the text of the first failed formula among some facts and their causes; empty if none failed."""
    every = (one for fact in facts if fact is not None for one in fact.walk())
    return next((one.text for one in every if one.kind == "value_not_computed"), "")


def values_in_words(reads: Iterable[Fact]) -> str:
    """Return the values that something read in words: `claim.amount is 1000 and policy.limit has no value`."""
    parts = [phrase("{name} {holds}", name=one.values["name"], holds=_is_or_lacks(one)) for one in reads]
    return listed(parts)


def _is_or_lacks(read: Fact) -> str:
    if read.kind == "value_missing":
        return Phrase("has no value")
    return phrase("is {value}" if read.values.get("since") else "is {value} by default", value=read.values["value"])


def limit_broken(machine: Machine, address: str, bound: object) -> tuple[Subject, ...]:
    """Return the limit of stored values that a refused value broke, in a tuple; empty if it broke no limit.
    `bound` is the number that the refusal names.
    """
    field = machine.fields.get(address)
    if field is None or bound in (None, field.min, field.max):
        return ()
    names = ("strings", "lists") if field.type == "list" else ("strings",)
    return tuple([Subject("limit", name) for name in names if getattr(machine.flow.limits, name) == bound])


# rules that were judged ---------------------------------------------------------------------------


def rule_values(builder: FactBuilder, guard: Guard, env: Env | None = None) -> dict[str, Any]:
    """Return a rule, judged in `env` or else in the builder's state, as values of a fact: its text, its verdict as a
    tree, and the values that it read. The text of a rule about secrets has its conditions without their constants.
    """
    assert builder.state is not None
    machine = builder.machine
    of, is_secret = plan(guard.expression, machine.names), reads_secret(machine.names, guard.expression)
    text = listed([leaf.text for leaf in leaves(of)]) if is_secret else text_of(guard.expression)
    tree = of.verdict(env_of(builder.state) if env is None else env)
    reads = listed([_read(builder, operand) for operand in {one.name: one for one in operands(tree)}.values()])
    verdict = to_builtins(builder.hide(tree))
    return {"rule": text, "verdict": tree.verdict, "tree": verdict, "reads": reads}


def rule_reads(builder: FactBuilder, guard: Guard) -> tuple[Fact, ...]:
    """Return the values of fields that a rule reads, as facts that can be traced back."""
    return tuple([fact for ref in guard.refs for fact in value_read(builder, ref.key)])


def rule_needs(machine: Machine, state: State, guard: Guard, node: str) -> str:
    """Return in words what would make a rule hold that does not hold at `node`; empty if no tried change does."""
    found = needs_of_answers(machine, node, guard, state)
    if found is None:
        limits = limits_of(machine, node, [ref.address for ref in guard.refs if ref.address])
        of, env = plan(guard.expression, machine.names), env_of(state)
        found = NeedsPlan(of, guard.test, machine.rules, limits).explain(env, of.verdict(env), state)
    sets, in_words = found
    if sets:
        return listed(
            [
                change_of_items(need.field, need.value, need.now)
                or phrase("{field} = {value}", field=need.field, value=_wanted(need.value))
                for need in sets[0]
            ]
        )
    return joined(in_words, " or ")


def _wanted(value: Any) -> str:
    return value_text(value) if value is not None else Phrase("(no value)")


def _read(builder: FactBuilder, operand: Operand) -> str:
    if operand.how == "missing":
        return phrase("{name} has no value", name=operand.name)
    field = builder.machine.fields.get(operand.name)
    value = value_text(builder.hide(operand.value), field if field is not None and not field.secret else None)
    text = "{name} is {value} by default" if operand.how == "default" else "{name} is {value}"
    return phrase(text, name=operand.name, value=value)
