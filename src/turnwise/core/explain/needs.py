"""What would have had to be different: the smallest field changes that make a guard hold.

It names values that have been tried among sensible ones, so it may miss a way; it never names a wrong one.
"""

from __future__ import annotations

from turnwise.core.explain.search import Needs, Test, search
from turnwise.core.explain.tree import Plan
from turnwise.core.explain.ways import Ways
from turnwise.core.guards.env import Env
from turnwise.core.guards.types import is_blank
from turnwise.core.trace import Need, VerdictKind
from turnwise.core.values import REDACTED, Rules

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
        self.told = {name: (self.rule_of(name), field.secret) for name, field in fields.items()}
        self.found: dict[tuple[VerdictKind, ...], Needs] = {}

    def rule_of(self, name: str) -> str:
        """The leaves that read a field, as text."""
        leaves = self.ways.leaves
        return " and ".join(leaf.text for leaf in leaves if any(ref.key == name for ref in leaf.refs))

    def tell(self, env: Env, kinds: tuple[VerdictKind, ...]) -> tuple[tuple[tuple[Need, ...], ...], tuple[str, ...]]:
        """The needs with the rule that asks for each change, and the value that is there now."""
        found = self.found.get(kinds) or self.needs(env, kinds)
        get, told = env.fields.get, self.told
        sets: list[tuple[Need, ...]] = []
        for changes in found.sets:
            needed: list[Need] = []
            for name, value in changes:
                now, (rule, is_secret) = get(name), told[name]
                needed.append(Need(name, value, rule, None if now is None else REDACTED if is_secret else now.value))
            sets.append(tuple(needed))
        return tuple(sets), found.in_words

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
