"""What would have had to be different: the smallest field changes that make a guard hold.

Each set that is given has been applied and seen to work, and none of its changes can be left out.
It searches among sensible values, so it may miss a way; it never names a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, islice, product
from typing import Any, NamedTuple

from turnwise.core.explain.tree import GroupPlan, LeafPlan, Plan, leaves
from turnwise.core.explain.witness import witnesses
from turnwise.core.guards.env import Env, GuardFault
from turnwise.core.state import FieldValue
from turnwise.core.trace import Need, VerdictKind
from turnwise.core.values import REDACTED, Rules
from turnwise.flow.model import Field

MAX_CLAUSES = 64
MAX_CHANGES = 3
MAX_SETS = 3
_TRIALS = 400

Test = Callable[[Env], bool | None]
Clause = tuple[tuple[int, bool], ...]
"""A way in which a guard holds: for some leaves, whether each must be true or false."""
Changes = tuple[tuple[str, Any], ...]
"""Fields and the values that they would need; `None` takes the value away."""


class Needs(NamedTuple):
    """The sets of changes that work, and the texts of leaves that no field change can flip."""

    sets: tuple[Changes, ...]
    in_words: tuple[str, ...]


class NeedsPlan:
    """How the needs of one guard are found; what was found is kept where it cannot change."""

    def __init__(self, of: Plan, test: Test, rules: Rules) -> None:
        self.test = test
        self.leaves = leaves(of)
        self.rules = rules
        self.clauses = _clauses(of, self.leaves)
        self.fields: dict[str, Field] = {
            ref.key: ref.field for leaf in self.leaves for ref in leaf.refs if ref.field is not None
        }
        self.is_closed = all(len(leaf.refs) == 1 and leaf.refs[0].field is not None for leaf in self.leaves)
        self.without_default = tuple(
            name for name, field in self.fields.items() if field.default is None or field.default == ""
        )
        self.told = {name: (self.rule_of(name), field.secret) for name, field in self.fields.items()}
        self.found: dict[tuple[VerdictKind, ...], Needs] = {}

    def rule_of(self, name: str) -> str:
        """The leaves that read a field, as text."""
        return " and ".join(leaf.text for leaf in self.leaves if any(ref.key == name for ref in leaf.refs))

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
        """What would make the guard hold, given the verdicts of its leaves. Where every leaf reads
        one field and nothing else, the answer depends on those verdicts alone.
        """
        found = self.found.get(kinds)
        if found is None:
            found = self.search(env, kinds)
            if self.is_closed:
                self.found[kinds] = found
        return found

    def search(self, env: Env, kinds: tuple[VerdictKind, ...]) -> Needs:
        """Go through the ways in which the guard can hold, those with the fewest changes first."""
        verdicts = [_MEANING[kind] for kind in kinds]
        sets: dict[frozenset[str], Changes] = {}
        stuck: dict[int, None] = {}
        ways = sorted(self.clauses, key=lambda clause: sum(verdicts[i] is not wanted for i, wanted in clause))
        for clause in ways:
            failing = [(place, wanted) for place, wanted in clause if verdicts[place] is not wanted]
            changes = self.solve(clause, failing, env)
            if changes is None:
                stuck.update(dict.fromkeys(self.unflippable(failing, env)))
                continue
            changes = self.reduced(changes, env)
            names = frozenset(name for name, _ in changes)
            if names and not any(known <= names for known in sets):
                sets = {known: found for known, found in sets.items() if not names <= known}
                sets[names] = changes
        best = sorted(sets.values(), key=len)[:MAX_SETS]
        return Needs(tuple(best), () if best else tuple([self.leaves[place].text for place in stuck]))

    def solve(self, clause: Clause, failing: list[tuple[int, bool]], env: Env) -> Changes | None:
        """Changes of at most three fields that make one clause, and the guard, hold."""
        if not failing or not all(self.fields_of(place) for place, _ in failing):
            return None
        names = list(dict.fromkeys(name for place, _ in failing for name in self.fields_of(place)))
        for size in range(1, min(MAX_CHANGES, len(names)) + 1):
            for chosen in combinations(names, size):
                if all(set(self.fields_of(place)) & set(chosen) for place, _ in failing):
                    found = self.try_fields(chosen, clause, env)
                    if found is not None:
                        return found
        return None

    def try_fields(self, names: tuple[str, ...], clause: Clause, env: Env) -> Changes | None:
        """Values for these fields under which the clause and the whole guard hold."""
        touched = [(p, wanted) for p, wanted in clause if set(self.fields_of(p)) & set(names)]
        options = [list(self.options(name, touched, env)) for name in names]
        for values in islice(product(*options), _TRIALS):
            changes = tuple(zip(names, values, strict=True))
            changed = applied(env, changes)
            if all(_judge(self.leaves[p].run, changed) is wanted for p, wanted in touched) and (
                _judge(self.test, changed) is True
            ):
                return changes
        return None

    def options(self, name: str, touched: list[tuple[int, bool]], env: Env) -> Iterator[Any]:
        """Values of a field worth trying: for a single field, those that satisfy its own leaves."""
        expressions = [self.leaves[p].expression for p, _ in touched if name in self.fields_of(p)]
        others = [env.fields[other].value for other in self.fields if other != name and other in env.fields]
        current = env.fields.get(name)
        own = [(p, wanted) for p, wanted in touched if self.fields_of(p) == (name,)]
        for value in witnesses(self.fields[name], expressions, others, current, self.rules):
            changed = applied(env, ((name, value),))
            if all(_judge(self.leaves[p].run, changed) is wanted for p, wanted in own):
                yield value

    def reduced(self, changes: Changes, env: Env) -> Changes:
        """The same changes without those that are not needed."""
        for number in range(len(changes)):
            fewer = changes[:number] + changes[number + 1 :]
            if fewer and _judge(self.test, applied(env, fewer)) is True:
                return self.reduced(fewer, env)
        return changes

    def unflippable(self, failing: list[tuple[int, bool]], env: Env) -> list[int]:
        """The failing leaves that no value of their fields turns."""
        return [place for place, wanted in failing if not self.can_flip(place, env, wanted=wanted)]

    def can_flip(self, place: int, env: Env, *, wanted: bool) -> bool:
        """True if some value of its only field turns a leaf."""
        names = self.fields_of(place)
        return len(names) == 1 and next(self.options(names[0], [(place, wanted)], env), _NOTHING) is not _NOTHING

    def fields_of(self, place: int) -> tuple[str, ...]:
        """The fields that a leaf reads."""
        return tuple(ref.key for ref in self.leaves[place].refs if ref.field is not None)


_NOTHING = object()
_MEANING: dict[VerdictKind, bool | str | None] = {"held": True, "not_held": False, "unknown": None, "error": "error"}


def applied(env: Env, changes: Changes) -> Env:
    """The surroundings with some fields changed."""
    fields = dict(env.fields)
    for name, value in changes:
        if value is None:
            fields.pop(name, None)
        else:
            fields[name] = FieldValue(value, "command", 0, 0)
    return Env(fields, env.source)


def _judge(test: Test, env: Env) -> bool | str | None:
    try:
        return test(env)
    except GuardFault:
        return "error"


# the ways in which a guard holds, as clauses of leaves --------------------------------------------


def _clauses(of: Plan, all_leaves: list[LeafPlan]) -> list[Clause]:
    places = {id(leaf): number for number, leaf in enumerate(all_leaves)}
    return [tuple(sorted(clause.items())) for clause in _ways(of, places, wanted=True)]


def _ways(of: Plan, places: dict[int, int], *, wanted: bool) -> list[dict[int, bool]]:
    """The clauses that make a plan true, or false; at most so many."""
    if isinstance(of, LeafPlan):
        return [{places[id(of)]: wanted}]
    if of.op == "not":
        return _ways(of.parts[0], places, wanted=not wanted)
    if of.op == "if":
        return _conditional(of, places, wanted=wanted)
    parts = [_ways(part, places, wanted=wanted) for part in of.parts]
    if (of.op == "any") == wanted:
        return [clause for part in parts for clause in part][:MAX_CLAUSES]
    return _joined(parts)


def _conditional(of: GroupPlan, places: dict[int, int], *, wanted: bool) -> list[dict[int, bool]]:
    test, then, other = of.parts
    first = _joined([_ways(test, places, wanted=True), _ways(then, places, wanted=wanted)])
    second = _joined([_ways(test, places, wanted=False), _ways(other, places, wanted=wanted)])
    return [*first, *second][:MAX_CLAUSES]


def _joined(parts: list[list[dict[int, bool]]]) -> list[dict[int, bool]]:
    """Clauses of which one of each part holds; those that contradict themselves are left out."""
    joined: list[dict[int, bool]] = [{}]
    for part in parts:
        joined = [
            {**left, **right}
            for left in joined
            for right in part
            if all(left.get(place, value) is value for place, value in right.items())
        ][:MAX_CLAUSES]
    return joined
