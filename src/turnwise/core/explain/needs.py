"""Finds the smallest changes of fields that would make a guard hold.

Each change has been tried and seen to work, among sensible values: so a way may be missed, and none is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from turnwise.core.explain.search import Needs, Wanted, search
from turnwise.core.explain.tree import Plan, Ways, leaves_of
from turnwise.core.explain.witness import NO_LIMITS, ORDERED_TYPES, FieldLimits
from turnwise.core.guards import Env, Test
from turnwise.core.guards.types import unset_value
from turnwise.core.state import State
from turnwise.core.trace import Leaf, Need, Verdict, VerdictKind
from turnwise.core.values import Rules, has_moving_bound

_KEPT = 256
"""How many results are kept per guard."""


Needed = tuple[tuple[tuple[Need, ...], ...], tuple[str, ...]]
"""Sets of field changes, each of which makes a guard hold; and conditions in words, where there are no such sets."""


class NeedsPlan:
    """Finds what would make a guard hold, and caches results that depend on few values."""

    def __init__(self, of: Plan, test: Test, rules: Rules, limits: FieldLimits = NO_LIMITS) -> None:
        self.limits = limits
        self.test = test
        self.rules = rules
        self.ways = Ways(of)
        fields = self.ways.fields
        self.defaults = {name: unset_value(field) for name, field in fields.items()}
        groups = [names for names in self.ways.fields_of if any(fields[name].secret for name in names)]
        self.hidden = frozenset(name for names in groups for name in names)
        """The fields of which a value may reveal a secret: secret ones, and those read together with one."""
        self.ordered = tuple([name for name, field in fields.items() if field.type in ORDERED_TYPES])
        self.unordered = tuple([name for name in fields if name not in self.ordered])
        is_timeless = not any(map(has_moving_bound, fields.values()))
        self.is_kept = self.ways.is_closed and not self.hidden and not limits.guards and is_timeless
        self.is_kept = self.is_kept and not any(field.parts for field in fields.values())
        self.found: dict[tuple[Any, ...], Needs] = {}

    def explain(self, env: Env, tree: Verdict, state: State | None = None) -> Needed:
        """Return sets of field changes, each of which makes the guard hold, and ways in words if there are none. `env`
        has the values that were read, `tree` the verdicts of the guard's parts on them. A change that may reveal a
        secret is left out; where there is no other, words describe it.
        """
        leaves = leaves_of(tree)
        found = self.needs(env, tuple([leaf.verdict for leaf in leaves]), state)
        sets = found.wanted
        if self.hidden and sets:
            sets = [wanted for wanted in sets if self.hidden.isdisjoint([name for name, _, _ in wanted])]
            if not sets:
                return (), tuple(dict.fromkeys([self._in_words(env, wanted) for wanted in found.wanted]))
        return tuple([self._set(env, leaves, wanted) for wanted in sets]), found.in_words

    def missing(self, env: Env, tree: Verdict) -> tuple[str, ...]:
        """Return the fields whose missing value keeps the guard from holding."""
        if self.ways.fields.keys() <= env.fields.keys():
            return ()
        lacking = set(_missing(tree))
        return tuple([name for name in self.defaults if name in lacking])

    def _set(self, env: Env, leaves: Sequence[Leaf], wanted: tuple[Wanted, ...]) -> tuple[Need, ...]:
        needed: list[Need] = []
        for name, value, rule in wanted:
            found = env.fields.get(name)
            now = self.defaults[name] if found is None else found.value
            needed.append(Need(name, value, rule.text, now, rule.with_values(leaves)))
        return tuple(needed)

    def _in_words(self, env: Env, wanted: tuple[Wanted, ...]) -> str:
        """Return a set of changes in words that reveal no secret."""
        texts: dict[str, None] = {}
        for name, value, rule in wanted:
            to = "have no value" if value is None else "be another value" if name in env.fields else "have a value"
            texts[f"{name} to {to}" if name in self.hidden else rule.text] = None
        return " and ".join(texts)

    def needs(self, env: Env, verdicts: tuple[VerdictKind, ...], state: State | None = None) -> Needs:
        """Return the field changes that make the guard hold on the values of `env`; `verdicts` are those of its leaves
        there. Results are cached.
        """
        if not self.is_kept:
            return search(self.ways, self.test, self.rules, env, verdicts, self.limits, state)
        values = [value and value.value for value in map(env.fields.get, self.ordered)]
        key = (verdicts, *values, *map(env.fields.__contains__, self.unordered))
        found = self.found.get(key)
        if found is None:
            found = search(self.ways, self.test, self.rules, env, verdicts, self.limits, state)
            if len(self.found) < _KEPT:
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
