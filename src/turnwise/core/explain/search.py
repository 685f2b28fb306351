"""Searches for changes that make a guard hold: small sets first, within a budget.

Each result has been applied and judged, and none of its changes can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Any, NamedTuple

from turnwise.core.explain.tree import Clause, Rule, Ways
from turnwise.core.explain.witness import (
    FieldLimits,
    constants_in,
    distance,
    is_computed,
    sort_by_distance,
    values_at_bounds,
    witnesses,
)
from turnwise.core.guards import Env, GuardFault, Test
from turnwise.core.guards.scope import CLOCK_ROOTS, root_shown
from turnwise.core.locale import rules_at
from turnwise.core.state import FieldValue, State
from turnwise.core.trace import VerdictKind
from turnwise.core.values import Rules

MAX_CHANGES = 3
"""How many fields a set changes at most."""
MAX_SETS = 3
"""How many sets are found at most."""
_BUDGET = 4000
"""The budget for one guard. A judging costs one, or as many items as its macros visit."""
_BUDGET_OF_A_WAY = 500
_WIDTHS = {1: 80, 2: 20, 3: 7}
"""How many values of each field are tried, by the number of fields that change together."""

Changes = tuple[tuple[str, Any], ...]
"""Fields and the values that they would need; `None` deletes the value."""
Conditions = list[tuple[int, bool]]
"""Conditions of a guard by their index from 0, from left to right, each with the verdict that it should have."""
_MEANING: dict[VerdictKind, bool | str | None] = {"held": True, "not_held": False, "unknown": None, "error": "error"}


Wanted = tuple[str, Any, Rule]
"""A change: a field, the value that it would need, and the rule that asks for it."""


class Needs(NamedTuple):
    """What would make a guard hold: sets of field changes, or conditions in words if no field change does.

    Where all rules of a set hold, the guard holds, as long as no value changes that they do not read. The same is true
    of each text of `in_words`.
    """

    wanted: tuple[tuple[Wanted, ...], ...]
    """Sets of field changes, each of which alone makes the guard hold."""
    in_words: tuple[str, ...]
    """Conditions in words that no field change meets, each of which makes the guard hold; empty if `wanted` has any."""


def search(
    ways: Ways,
    test: Test,
    rules: Rules,
    env: Env,
    verdicts: Iterable[VerdictKind],
    limits: FieldLimits,
    state: State | None = None,
) -> Needs:
    """Search for the field changes that make the guard `test` hold, the smallest sets first. `ways` are the
    combinations of its conditions that make it hold, `verdicts` those of its leaves on `env`, in order; each change
    keeps to the `limits` of the fields.
    """
    return _Search(ways, test, rules, env, [_MEANING[verdict] for verdict in verdicts], limits, state).run()


def env_with_changes(env: Env, changes: Changes) -> Env:
    """Return a copy of the environment with other values of the fields in `changes`."""
    fields = dict(env.fields)
    for name, value in changes:
        if value is None:
            fields.pop(name, None)
        else:
            fields[name] = FieldValue(value, "supposed", 0, 0)
    return Env(fields, env.source)


class _BudgetSpent(Exception):
    """The budget for this way is spent."""


class _Search:
    """One search, with the budget that is left."""

    def __init__(
        self,
        ways: Ways,
        test: Test,
        rules: Rules,
        env: Env,
        verdicts: list[bool | str | None],
        limits: FieldLimits,
        state: State | None,
    ) -> None:
        self.ways = ways
        self.test = test
        self.rules = rules_at(rules, state)
        self.limits = limits
        self.state = state
        self.env = Env({name: env.fields[name] for name in ways.fields if name in env.fields}, env.source)
        self.verdicts = verdicts
        self.costs = [self._cost_of(place) for place in range(len(ways.leaves))]
        self.cost = 1 + sum(cost for cost in self.costs if cost > 1)
        self.left = _BUDGET
        self.left_of_way = 0
        self.values: dict[str, list[Any]] = {}
        """The values of each field that are worth trying in the clause that is being solved."""

    def _cost_of(self, place: int) -> int:
        """Return the cost of judging a leaf once."""
        depth = self.ways.depths[place]
        if not depth:
            return 1
        found = [self.env.fields[name].value for name in self.ways.fields_of[place] if name in self.env.fields]
        longest = max((len(value) for value in found if isinstance(value, list)), default=0)  # pyright: ignore[reportUnknownArgumentType]
        return (4 + longest) ** depth

    def run(self) -> Needs:
        """Return the best sets, or what prevents all of them."""
        sets: dict[frozenset[str], Changes] = {}
        stuck: list[tuple[Clause, Conditions]] = []
        clauses = [
            ([(place, wanted) for place, wanted in clause if self.verdicts[place] is not wanted], clause)
            for clause in self.ways.clauses
        ]
        for failing, clause in sorted(clauses, key=lambda pair: len(pair[0])):
            solved = self._solve(clause, failing)
            if not solved:
                stuck.append((clause, failing))
            for changes in map(self._reduced, solved):
                names = frozenset([name for name, _ in changes])
                if any(known < names for known in sets):
                    continue
                if names not in sets or self._size(changes) < self._size(sets[names]):
                    sets = {known: found for known, found in sets.items() if not names <= known}
                    sets[names] = changes
        best = tuple(sorted(sets.values(), key=lambda changes: (_deletions(changes), len(changes)))[:MAX_SETS])
        return Needs(tuple(map(self._wanted, best)), () if best else self._in_words(stuck))

    def _size(self, changes: Changes) -> tuple[int, float]:
        """Return how large some changes are: deletions first, then the distances of numbers and dates."""
        fields = self.ways.fields
        distances = [distance(fields[name], value, self.env.fields.get(name)) for name, value in changes]
        return _deletions(changes), sum(distances)

    def _wanted(self, changes: Changes) -> tuple[Wanted, ...]:
        """Return changes with the rules that ask for them: those of a way in which the guard holds by them."""
        changed = env_with_changes(self.env, changes)
        names = frozenset([name for name, _ in changes])
        clause = self.ways.shortest_proof([_judge(leaf.run, changed) for leaf in self.ways.leaves], names)
        rules = self.ways.rules(clause, [place for place, _ in clause if names & set(self.ways.fields_of[place])])
        return tuple([(name, value, next(one for one in rules if name in one.fields)) for name, value in changes])

    # one way ---------------------------------------------------------------------------------

    def _solve(self, clause: Clause, failing: Conditions) -> list[Changes]:
        """Return changes of as few fields as possible, at most three, that make one clause and the guard hold."""
        fields_of = self.ways.fields_of
        if not failing or not all(fields_of[place] for place, _ in failing):
            return []
        self.values = {}
        self.left_of_way = min(_BUDGET_OF_A_WAY, self.left)
        self.left -= self.left_of_way
        names = list(dict.fromkeys(name for place, _ in failing for name in fields_of[place]))
        found: list[Changes] = []
        try:
            for chosen in chain.from_iterable(combinations(names, size) for size in range(1, MAX_CHANGES + 1)):
                if found and len(found[0]) < len(chosen):
                    break
                if all(set(fields_of[place]) & set(chosen) for place, _ in failing):
                    found += self._try_fields(chosen, clause)
        except _BudgetSpent:
            pass
        self.left += max(self.left_of_way, 0)
        return found

    def _try_fields(self, names: tuple[str, ...], clause: Clause) -> list[Changes]:
        """Return the first values of these fields under which the clause and the whole guard hold."""
        touched = [(place, wanted) for place, wanted in clause if set(self.ways.fields_of[place]) & set(names)]
        options = [self._options(name, clause)[: _WIDTHS[len(names)]] for name in names]
        for places in _nearest_first(tuple(map(len, options))):
            changes = tuple([(name, some[at]) for name, some, at in zip(names, options, places, strict=True)])
            changed = env_with_changes(self.env, changes)
            if not all(self._leaf(place, changed) is wanted for place, wanted in touched):
                continue
            self._spend(self.cost)
            if _judge(self.test, changed) is True and all(
                self.limits.accepts_value(name, changed, self.state) for name in names
            ):
                return [changes]
        return []

    def _options(self, name: str, clause: Clause) -> list[Any]:
        """Return the values of a field worth trying in a clause: those that satisfy the leaves that read only it."""
        if name not in self.values:
            touched = [(place, wanted) for place, wanted in clause if name in self.ways.fields_of[place]]
            touched.sort(key=lambda one: self.verdicts[one[0]] is one[1])  # what fails has the nearest bound
            self.values[name] = self._fitting(name, touched)
        return self.values[name]

    def _fitting(self, name: str, touched: Conditions) -> list[Any]:
        """Return the values of a field under which the leaves that read only it have the verdicts wanted of them."""
        ways, current = self.ways, self.env.fields
        field = ways.fields[name]
        expressions = [ways.leaves[place].expression for place, _ in touched] + self.limits.expressions(name)
        others = [current[other].value for other in ways.fields_read_with(name) if other in current]
        others += [*self._clock(touched), *self.limits.values(name, self.state)]
        own = [(place, wanted) for place, wanted in touched if ways.fields_of[place] == (name,)]
        by_bounds = is_computed(field, expressions)
        found: list[Any] = []
        refused: list[Any] = []
        for value in witnesses(field, expressions, others, current.get(name), self.rules):
            changed = env_with_changes(self.env, ((name, value),))
            is_wanted = all(self._leaf(place, changed) is wanted for place, wanted in own)
            if is_wanted and self.limits.accepts_value(name, changed, self.state):
                found.append(value)
                if len(found) == _WIDTHS[1]:
                    break
            elif by_bounds and value is not None:
                refused.append(value)
        found = values_at_bounds(found, refused) if by_bounds else found
        return sort_by_distance(field, found, current.get(name), constants_in(expressions))

    def _clock(self, touched: Conditions) -> list[Any]:
        """Return the day and the moment that some leaves read: dates are tried at the distances that they mention."""
        refs = {ref.key: ref for place, _ in touched for ref in self.ways.leaves[place].refs}
        return [root_shown(key, refs[key].value(self.env)) for key in CLOCK_ROOTS if key in refs]

    def _reduced(self, changes: Changes) -> Changes:
        """Return the same changes without those that are not needed."""
        for number in range(len(changes)):
            fewer = changes[:number] + changes[number + 1 :]
            if fewer and _judge(self.test, env_with_changes(self.env, fewer)) is True:
                return self._reduced(fewer)
        return changes

    def _in_words(self, stuck: list[tuple[Clause, Conditions]]) -> tuple[str, ...]:
        """Return in words the ways that have a condition which no value of its field turns, the shortest first."""
        leaves = self.ways.leaves
        blocked = [one for one in stuck if any(not self._can_flip(*condition) for condition in one[1])]
        possible = [one for one in blocked if all(leaves[place].refs for place, _ in one[1])]
        found: dict[str, None] = {}
        for clause, failing in possible or blocked:
            rules = self.ways.rules(clause, [place for place, _ in failing])
            found[" && ".join(rule.text for rule in rules)] = None
        return tuple(found)[:MAX_SETS]

    def _can_flip(self, place: int, wanted: bool) -> bool:  # noqa: FBT001  the verdict that is wanted, as in a clause
        """True if some value of its only field gives a leaf the verdict wanted of it."""
        names = self.ways.fields_of[place]
        self.left_of_way = _BUDGET_OF_A_WAY
        try:
            return len(names) == 1 and bool(self._fitting(names[0], [(place, wanted)]))
        except _BudgetSpent:
            return False

    def _leaf(self, place: int, env: Env) -> bool | str | None:
        self._spend(self.costs[place])
        return _judge(self.ways.leaves[place].run, env)

    def _spend(self, cost: int) -> None:
        """Count a judging. Raises `_BudgetSpent` if it is too much."""
        self.left_of_way -= cost
        if self.left_of_way < 0:
            raise _BudgetSpent


def _judge(test: Test, env: Env) -> bool | str | None:
    try:
        return test(env)
    except GuardFault:
        return "error"


def _deletions(changes: Changes) -> int:
    return sum(value is None for _, value in changes)


@lru_cache(maxsize=512)
def _nearest_first(lengths: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return all combinations of places in lists of these lengths, those near the beginnings first."""
    return tuple(sorted(product(*map(range, lengths)), key=sum))
