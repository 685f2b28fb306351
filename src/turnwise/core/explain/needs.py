"""What would have had to be different: the smallest field changes that make a guard hold.

It names values that have been tried among sensible ones, so it may miss a way; it never names a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.explain.limits import Limits
from turnwise.core.explain.search import Allowing, Changes, Needs, Test, search
from turnwise.core.explain.tree import Plan
from turnwise.core.explain.ways import Rule, Ways
from turnwise.core.explain.witness import ORDERED
from turnwise.core.guards import Env
from turnwise.core.guards.types import is_blank, shown
from turnwise.core.state import State
from turnwise.core.trace import Leaf, Need, Operand, Verdict, VerdictKind
from turnwise.core.values import Rules

_KEPT = 256
"""How many answers are kept per guard."""


class NeedsPlan:
    """How the needs of one guard are found; what was found is kept where it cannot change."""

    def __init__(self, of: Plan, test: Test, rules: Rules, limits: Limits | None = None) -> None:
        self.limits = limits
        self.test = test
        self.rules = rules
        self.ways = Ways(of)
        fields = self.ways.fields
        self.without_default = tuple(name for name, field in fields.items() if is_blank(field.default))
        self.untold = self.ways.beside_secrets()
        self.ordered = {name: field.type in ORDERED for name, field in fields.items()}
        self.is_kept = self.ways.is_closed and not self.untold and not (limits is not None and limits.guards)
        self.found: dict[tuple[Any, ...], Needs] = {}

    def tell(
        self, env: Env, kinds: tuple[VerdictKind, ...], state: State | None = None
    ) -> tuple[tuple[tuple[Need, ...], ...], tuple[str, ...]]:
        """The needs with the rule that asks for each change, and the value that is there now. A change
        that would tell a secret is not among them: where there is no other way, words stand for it.
        """
        found = self.needs(env, kinds, state)
        pairs = list(zip(found.sets, found.rules, strict=True))
        untold = self.untold
        if not untold:
            return tuple([self.told(env, *pair) for pair in pairs]), found.in_words
        open_ = [pair for pair in pairs if not any(name in untold for name, _ in pair[0])]
        if open_ or not pairs:
            return tuple([self.told(env, *pair) for pair in open_]), found.in_words
        changes, rules = pairs[0]
        words = [self.in_words(env, name, value, _rule(rules, name)) for name, value in changes]
        return (), (" and ".join(dict.fromkeys(words)),)

    def missing(self, tree: Verdict) -> tuple[str, ...]:
        """The fields without a value whose absence keeps the guard from holding, given its verdicts."""
        lacking = set(missing_in(tree))
        return tuple(name for name in self.without_default if name in lacking)

    def told(self, env: Env, changes: Changes, rules: tuple[Rule, ...]) -> tuple[Need, ...]:
        """A set of changes, told."""
        needed: list[Need] = []
        for name, value in changes:
            rule = _rule(rules, name)
            found = env.fields.get(name)
            now = self.ways.fields[name].default if found is None else found.value
            now = None if is_blank(now) else now
            needed.append(Need(name, value, rule.text, now, _text(rule, env)))
        return tuple(needed)

    def in_words(self, env: Env, name: str, value: Any, rule: Rule) -> str:
        """A change in words that tell no secret."""
        if name not in self.untold:
            return rule.text
        if value is None:
            return f"{name} to have no value"
        return f"{name} to be another value" if name in env.fields else f"{name} to have a value"

    def needs(self, env: Env, kinds: tuple[VerdictKind, ...], state: State | None = None) -> Needs:
        """What would make the guard hold, given the verdicts of its leaves. It is kept where it depends on
        those alone, on which values are missing, and on the numbers and dates that are there.
        """
        allowing = None if self.limits is None else Allowing(self.limits, state)
        if not self.is_kept:
            return search(self.ways, self.test, self.rules, env, kinds, allowing)
        get = env.fields.get
        values = [(found := get(name)) and (not is_ordered or found.value) for name, is_ordered in self.ordered.items()]
        key = (kinds, *values)
        found = self.found.get(key)
        if found is None:
            found = search(self.ways, self.test, self.rules, env, kinds, allowing)
            if len(self.found) < _KEPT:
                self.found[key] = found
        return found


def missing_in(tree: Verdict, *, wanted: bool = True) -> Iterator[str]:
    """Yield the missing values that a verdict lacks to be as it is wanted. A part that is as wanted lacks nothing."""
    if tree.verdict == ("held" if wanted else "not_held"):
        return
    if isinstance(tree, Leaf):
        yield from (operand.name for operand in tree.operands if operand.how == "missing")
    elif tree.op == "if":
        test, then, other = tree.parts
        if test.verdict in ("held", "not_held"):
            yield from missing_in(then if test.verdict == "held" else other, wanted=wanted)
        else:
            yield from missing_in(test)
    else:
        for part in tree.parts:
            yield from missing_in(part, wanted=wanted != (tree.op == "not"))


def _rule(rules: tuple[Rule, ...], name: str) -> Rule:
    """Return the rule that asks for a change of a field."""
    return next(rule for rule in rules if name in rule.fields)


def _text(rule: Rule, env: Env) -> str:
    """Return a rule with the values that it reads: `user.age >= 38 (is 35)`."""
    values = rule.values(env)
    told = ", ".join(_told(value, "" if rule.is_bare else f"{value.name} ") for value in values)
    return f"{rule.text} ({told})"


def _told(value: Operand, name: str) -> str:
    if value.how == "missing":
        return f"{name}is missing" if name else "missing"
    return f"{name}is {shown(value.value)}" + (" by default" if value.how == "default" else "")
