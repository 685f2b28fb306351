"""What would have had to be different: the smallest field changes that make a guard hold.

It names values that have been tried among sensible ones, so it may miss a way; it never names a wrong one.
"""

from __future__ import annotations

from typing import Any

from turnwise.core.explain.search import Changes, Needs, Test, search
from turnwise.core.explain.tree import Plan
from turnwise.core.explain.ways import Ways
from turnwise.core.guards.env import Env
from turnwise.core.guards.types import is_blank
from turnwise.core.trace import Need, VerdictKind
from turnwise.core.values import Rules

_KEPT = 256
"""How many answers are kept per guard."""


class NeedsPlan:
    """How the needs of one guard are found; what was found is kept where it cannot change."""

    def __init__(self, of: Plan, test: Test, rules: Rules) -> None:
        self.test = test
        self.rules = rules
        self.ways = Ways(of)
        self.is_closed = self.ways.is_closed
        fields = self.ways.fields
        self.without_default = tuple(name for name, field in fields.items() if is_blank(field.default))
        self.rules_of = {name: self.rule_of(name) for name in fields}
        self.untold = self.ways.beside_secrets()
        self.found: dict[tuple[VerdictKind, ...], Needs] = {}

    def rule_of(self, name: str) -> str:
        """The leaves that read a field, as text."""
        leaves = self.ways.leaves
        return " and ".join(leaf.text for leaf in leaves if any(ref.key == name for ref in leaf.refs))

    def tell(self, env: Env, kinds: tuple[VerdictKind, ...]) -> tuple[tuple[tuple[Need, ...], ...], tuple[str, ...]]:
        """The needs with the rule that asks for each change, and the value that is there now. A change
        that would tell a secret is not among them: where there is no other way, words stand for it.
        """
        found = self.found.get(kinds) or self.needs(env, kinds)
        if not self.untold:
            return tuple([self.told(env, changes) for changes in found.sets]), found.in_words
        open_ = [changes for changes in found.sets if not any(name in self.untold for name, _ in changes)]
        if open_ or not found.sets:
            return tuple([self.told(env, changes) for changes in open_]), found.in_words
        return (), tuple(self.in_words(env, name, value) for name, value in found.sets[0])

    def told(self, env: Env, changes: Changes) -> tuple[Need, ...]:
        """A set of changes, told."""
        get, rules = env.fields.get, self.rules_of
        needed: list[Need] = []
        for name, value in changes:
            now = get(name)
            needed.append(Need(name, value, rules[name], None if now is None else now.value))
        return tuple(needed)

    def in_words(self, env: Env, name: str, value: Any) -> str:
        """A change in words that tell no secret."""
        if name not in self.untold:
            return self.rules_of[name]
        if value is None:
            return f"{name} to have no value"
        return f"{name} to be another value" if name in env.fields else f"{name} to have a value"

    def needs(self, env: Env, kinds: tuple[VerdictKind, ...]) -> Needs:
        """What would make the guard hold, given the verdicts of its leaves. It is kept where it
        depends on those alone, and so on no value of this conversation.
        """
        found = self.found.get(kinds)
        if found is None:
            found = search(self.ways, self.test, self.rules, env, kinds)
            if self.is_closed and len(self.found) < _KEPT:
                self.found[kinds] = found
        return found
