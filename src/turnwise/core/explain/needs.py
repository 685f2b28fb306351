"""Finds the smallest changes of fields that would make a guard hold.

Each change has been tried and seen to work, among sensible values: so a way may be missed, and none is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwise.core.explain.search import Changes, Needs, search
from turnwise.core.explain.tree import Plan, Rule, Ways, leaves_of
from turnwise.core.explain.witness import NO_LIMITS, ORDERED, Limits
from turnwise.core.guards import Env, Test
from turnwise.core.guards.types import is_blank, shown
from turnwise.core.state import State
from turnwise.core.trace import Leaf, Need, Operand, Verdict, VerdictKind
from turnwise.core.values import Rules

_KEPT = 256
"""How many results are kept per guard."""


class NeedsPlan:
    """Finds what a guard needs to hold, and keeps the results that depend on few values."""

    def __init__(self, of: Plan, test: Test, rules: Rules, limits: Limits = NO_LIMITS) -> None:
        self.limits = limits
        self.test = test
        self.rules = rules
        self.ways = Ways(of)
        fields = self.ways.fields
        self.without_default = tuple(name for name, field in fields.items() if is_blank(field.default))
        self.hidden = self.ways.beside_secrets()
        self.ordered = {name: field.type in ORDERED for name, field in fields.items()}
        self.is_kept = self.ways.is_closed and not self.hidden and not limits.guards
        self.found: dict[tuple[Any, ...], Needs] = {}

    def explain(
        self, env: Env, tree: Verdict, state: State | None = None
    ) -> tuple[tuple[tuple[Need, ...], ...], tuple[str, ...]]:
        """Return sets of changes, each of which makes the guard hold, and ways in words where there are none.

        A change that may reveal a secret is left out; where there is no other, words describe it.
        """
        leaves = leaves_of(tree)
        found = self.needs(env, tuple([leaf.verdict for leaf in leaves]), state)
        pairs = list(zip(found.sets, found.rules, strict=True))
        shown_ = [pair for pair in pairs if self.hidden.isdisjoint(name for name, _ in pair[0])]
        if shown_ or not pairs:
            operands = {operand.name: operand for leaf in leaves for operand in leaf.operands}
            return tuple([self._set(env, operands, *pair) for pair in shown_]), found.in_words
        ways = (
            " and ".join(
                dict.fromkeys(self._in_words(env, name, value, _rule_of(rules, name)) for name, value in changes)
            )
            for changes, rules in pairs
        )
        return (), tuple(dict.fromkeys(ways))

    def missing(self, tree: Verdict) -> tuple[str, ...]:
        """Return the fields without a value whose absence keeps the guard from holding."""
        lacking = set(_missing(tree))
        return tuple(name for name in self.without_default if name in lacking)

    def _set(
        self, env: Env, operands: Mapping[str, Operand], changes: Changes, rules: tuple[Rule, ...]
    ) -> tuple[Need, ...]:
        needed: list[Need] = []
        for name, value in changes:
            rule = _rule_of(rules, name)
            found = env.fields.get(name)
            now = self.ways.fields[name].default if found is None else found.value
            read = [operands[one] for one in rule.reads]
            values = ", ".join([value_now(one, "" if rule.is_bare else f"{one.name} ") for one in read])
            needed.append(Need(name, value, rule.text, None if is_blank(now) else now, f"{rule.text} ({values})"))
        return tuple(needed)

    def _in_words(self, env: Env, name: str, value: Any, rule: Rule) -> str:
        """Return a change in words that reveal no secret."""
        if name not in self.hidden:
            return rule.text
        if value is None:
            return f"{name} to have no value"
        return f"{name} to be another value" if name in env.fields else f"{name} to have a value"

    def needs(self, env: Env, verdicts: tuple[VerdictKind, ...], state: State | None = None) -> Needs:
        """Search, given the verdicts of the leaves; or return a kept result with the same verdicts, missing values,
        numbers and dates.
        """
        key: tuple[Any, ...] = ()
        if self.is_kept:
            values = [(env.fields.get(name), has_order) for name, has_order in self.ordered.items()]
            key = (*verdicts, *[value and (not has_order or value.value) for value, has_order in values])
            if key in self.found:
                return self.found[key]
        found = search(self.ways, self.test, self.rules, env, verdicts, self.limits, state)
        if self.is_kept and len(self.found) < _KEPT:
            self.found[key] = found
        return found


def _missing(tree: Verdict, *, wanted: bool = True) -> Iterator[str]:
    """Yield the missing values that keep a part from the verdict that is wanted of it."""
    if tree.verdict == ("held" if wanted else "not_held"):
        return
    if isinstance(tree, Leaf):
        yield from (operand.name for operand in tree.operands if operand.how == "missing")
    elif tree.op == "if":
        test, then, other = tree.parts
        if test.verdict in ("held", "not_held"):
            yield from _missing(then if test.verdict == "held" else other, wanted=wanted)
        else:
            yield from _missing(test)
    else:
        for part in tree.parts:
            yield from _missing(part, wanted=wanted != (tree.op == "not"))


def _rule_of(rules: tuple[Rule, ...], name: str) -> Rule:
    """Return the rule that asks for a change of a field."""
    return next(rule for rule in rules if name in rule.fields)


def value_now(value: Operand, name: str) -> str:
    """Return in words the value that was read: `is 4`; with a name before it where that is not clear."""
    if value.how == "missing":
        return f"{name}is missing" if name else "missing"
    return f"{name}is {shown(value.value)}" + (" by default" if value.how == "default" else "")
