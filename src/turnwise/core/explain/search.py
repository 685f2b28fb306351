"""The search for field changes that make a guard hold: small changes first, and never without an end.

Each set that is found has been applied and seen to work, and none of its changes can be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

from turnwise.core.explain.limits import Limits
from turnwise.core.explain.ways import Clause, Rule, Ways
from turnwise.core.explain.witness import at_bounds, distance, is_computed, mentioned, nearest, witnesses
from turnwise.core.guards import Env, GuardFault
from turnwise.core.guards.scope import CLOCK_ROOTS, root_shown
from turnwise.core.state import FieldValue, State
from turnwise.core.trace import VerdictKind
from turnwise.core.values import Rules

MAX_CHANGES = 3
MAX_SETS = 3
_MOST = 4000
"""How much is tried for one guard: a judging counts one, or as many items as its macros go through."""
_MOST_OF_A_WAY = 500
_WIDTHS = {1: 80, 2: 20, 3: 7}
"""How many values of each field are tried, by the number of fields that change together."""

Test = Callable[[Env], bool | None]
Changes = tuple[tuple[str, Any], ...]
"""Fields and the values that they would need; `None` takes the value away."""


class Needs(NamedTuple):
    """The sets of changes that work, each with its rules, else the ways that no field change opens, in words.

    Where all rules of a set hold, the guard holds, as long as no value changes that they do not read. The
    same is true of each text of `in_words`.
    """

    sets: tuple[Changes, ...]
    rules: tuple[tuple[Rule, ...], ...]
    in_words: tuple[str, ...]


class Allowing(NamedTuple):
    """What the fields would refuse, on the state on which a guard was judged."""

    limits: Limits
    state: State | None


def search(
    ways: Ways, test: Test, rules: Rules, env: Env, kinds: Iterable[VerdictKind], allowing: Allowing | None = None
) -> Needs:
    """Go through the ways in which a guard can hold, those with the fewest changes first."""
    return _Search(ways, test, rules, env, [_MEANING[kind] for kind in kinds], allowing).run()


_MEANING: dict[VerdictKind, bool | str | None] = {"held": True, "not_held": False, "unknown": None, "error": "error"}


def applied(env: Env, changes: Changes) -> Env:
    """The surroundings with some fields changed."""
    fields = dict(env.fields)
    for name, value in changes:
        if value is None:
            fields.pop(name, None)
        else:
            fields[name] = FieldValue(value, "supposed", 0, 0)
    return Env(fields, env.source)


class _Spent(Exception):
    """What may be tried for this way has been tried."""


class _Search:
    """One search, with what it may still spend."""

    def __init__(
        self,
        ways: Ways,
        test: Test,
        rules: Rules,
        env: Env,
        verdicts: list[bool | str | None],
        allowing: Allowing | None,
    ) -> None:
        self.allowing = allowing
        self.ways = ways
        self.test = test
        self.rules = rules
        self.env = Env({name: env.fields[name] for name in ways.fields if name in env.fields}, env.source)
        self.verdicts = verdicts
        self.costs = [self.cost_of(place) for place in range(len(ways.leaves))]
        self.cost = 1 + sum(cost for cost in self.costs if cost > 1)
        self.left = self.left_of_way = 0
        self.values: dict[str, list[Any]] = {}

    def cost_of(self, place: int) -> int:
        """What judging a leaf costs."""
        depth = self.ways.depths[place]
        if not depth:
            return 1
        found = [self.env.fields[name].value for name in self.ways.fields_of[place] if name in self.env.fields]
        longest = max((len(value) for value in found if isinstance(value, list)), default=0)  # pyright: ignore[reportUnknownArgumentType]
        return (4 + longest) ** depth

    def run(self) -> Needs:
        """The best sets, or what stands in the way of all."""
        sets: dict[frozenset[str], Changes] = {}
        stuck: list[tuple[Clause, list[tuple[int, bool]]]] = []
        self.left = _MOST
        for clause in sorted(self.ways.clauses, key=lambda one: len(self.failing(one))):
            failing = self.failing(clause)
            solved = self.solve(clause, failing)
            if not solved:
                stuck.append((clause, failing))
            for changes in map(self.reduced, solved):
                names = frozenset(name for name, _ in changes)
                if any(known < names for known in sets):
                    continue
                if names not in sets or self.size(changes) < self.size(sets[names]):
                    sets = {known: found for known, found in sets.items() if not names <= known}
                    sets[names] = changes
        best = tuple(sorted(sets.values(), key=lambda changes: (_absences(changes), len(changes)))[:MAX_SETS])
        return Needs(best, tuple(map(self.rules_of, best)), () if best else self.in_words(stuck))

    def size(self, changes: Changes) -> tuple[int, float]:
        """How large some changes are: values that are taken away weigh most, then numbers and dates by their
        distance from what is there.
        """
        fields = self.ways.fields
        distances = [distance(fields[name], value, self.env.fields.get(name)) for name, value in changes]
        return _absences(changes), sum(distances)

    def rules_of(self, changes: Changes) -> tuple[Rule, ...]:
        """Return the rules that ask for some changes: those of a way in which the guard holds by them."""
        changed = applied(self.env, changes)
        names = frozenset(name for name, _ in changes)
        clause = self.ways.proof([_judge(leaf.run, changed) for leaf in self.ways.leaves], names)
        return self.ways.rules(clause, [place for place, _ in clause if names & set(self.ways.fields_of[place])])

    def failing(self, clause: Clause) -> list[tuple[int, bool]]:
        """The leaves of a clause that are not as it wants them."""
        return [(place, wanted) for place, wanted in clause if self.verdicts[place] is not wanted]

    # one way ---------------------------------------------------------------------------------

    def solve(self, clause: Clause, failing: list[tuple[int, bool]]) -> list[Changes]:
        """Changes of as few fields as can be, at most three, that make one clause, and the guard, hold."""
        fields_of = self.ways.fields_of
        if not failing or not all(fields_of[place] for place, _ in failing):
            return []
        self.values = {}
        self.left_of_way = min(_MOST_OF_A_WAY, self.left)
        self.left -= self.left_of_way
        names = list(dict.fromkeys(name for place, _ in failing for name in fields_of[place]))
        found: list[Changes] = []
        try:
            for chosen in _smallest_first(names):
                if found and len(found[0]) < len(chosen):
                    break
                if all(set(fields_of[place]) & set(chosen) for place, _ in failing):
                    found += self.try_fields(chosen, clause)
        except _Spent:
            pass
        self.left += max(self.left_of_way, 0)
        return found

    def try_fields(self, names: tuple[str, ...], clause: Clause) -> list[Changes]:
        """The first values for these fields under which the clause and the whole guard hold."""
        touched = [(place, wanted) for place, wanted in clause if set(self.ways.fields_of[place]) & set(names)]
        options = [self.options(name, clause)[: _WIDTHS[len(names)]] for name in names]
        for places in _nearest_first(tuple(len(some) for some in options)):
            changes = tuple((name, some[at]) for name, some, at in zip(names, options, places, strict=True))
            changed = applied(self.env, changes)
            if (
                all(self.leaf(place, changed) is wanted for place, wanted in touched)
                and self.holds(changed)
                and all(self.allows(name, changed) for name in names)
            ):
                return [changes]
        return []

    def allows(self, name: str, changed: Env) -> bool:
        """True if a field takes its changed value."""
        return self.allowing is None or self.allowing.limits.allow(name, changed, self.allowing.state)

    def options(self, name: str, clause: Clause) -> list[Any]:
        """Values of a field worth trying in a clause: those that satisfy the leaves that read it alone."""
        found = self.values.get(name)
        if found is None:
            touched = [(place, wanted) for place, wanted in clause if name in self.ways.fields_of[place]]
            touched.sort(key=lambda one: self.verdicts[one[0]] is one[1])  # what fails has the nearest bound
            found = self.values[name] = self.fitting(name, touched)
        return found

    def fitting(self, name: str, touched: list[tuple[int, bool]]) -> list[Any]:
        """Values of a field under which the leaves that read it alone are as they are wanted."""
        ways, fields = self.ways, self.env.fields
        expressions = [ways.leaves[place].expression for place, _ in touched]
        others = [fields[other].value for other in ways.beside(name) if other in fields]
        others += self.clock_of(touched)
        if self.allowing is not None:
            expressions += self.allowing.limits.expressions(name)
            others += self.allowing.limits.values(name, self.allowing.state)
        own = [(place, wanted) for place, wanted in touched if ways.fields_of[place] == (name,)]
        by_bounds = is_computed(ways.fields[name], expressions)
        found: list[Any] = []
        refused: list[Any] = []
        for value in witnesses(ways.fields[name], expressions, others, fields.get(name), self.rules):
            changed = applied(self.env, ((name, value),))
            if all(self.leaf(place, changed) is wanted for place, wanted in own) and self.allows(name, changed):
                found.append(value)
                if len(found) == _WIDTHS[1]:
                    break
            elif by_bounds and value is not None:
                refused.append(value)
        found = at_bounds(found, refused) if by_bounds else found
        return nearest(ways.fields[name], found, fields.get(name), mentioned(expressions))

    def clock_of(self, touched: list[tuple[int, bool]]) -> list[Any]:
        """The day and the moment that some leaves read: a date is worth trying as far from them as they say."""
        refs = {ref.key: ref.read for place, _ in touched for ref in self.ways.leaves[place].refs}
        read = ((key, refs[key]) for key in CLOCK_ROOTS if key in refs)
        return [root_shown(key, self.env.source.get(key, of)) for key, of in read if of is not None]

    def reduced(self, changes: Changes) -> Changes:
        """The same changes without those that are not needed."""
        for number in range(len(changes)):
            fewer = changes[:number] + changes[number + 1 :]
            if fewer and _judge(self.test, applied(self.env, fewer)) is True:
                return self.reduced(fewer)
        return changes

    # what cannot be changed ------------------------------------------------------------------

    def in_words(self, stuck: list[tuple[Clause, list[tuple[int, bool]]]]) -> tuple[str, ...]:
        """Return in words the ways that have a condition which no value of its field turns, the shortest first."""
        leaves = self.ways.leaves
        blocked = [one for one in stuck if any(not self.can_flip(*condition) for condition in one[1])]
        possible = [one for one in blocked if all(leaves[place].refs for place, _ in one[1])]
        found: dict[str, None] = {}
        for clause, failing in possible or blocked:
            rules = self.ways.rules(clause, [place for place, _ in failing])
            found[" && ".join(rule.text for rule in rules)] = None
        return tuple(found)[:MAX_SETS]

    def can_flip(self, place: int, wanted: bool) -> bool:  # noqa: FBT001  the verdict that is wanted, as in a clause
        """True if some value of its only field turns a leaf."""
        names = self.ways.fields_of[place]
        self.left_of_way = _MOST_OF_A_WAY
        try:
            return len(names) == 1 and bool(self.fitting(names[0], [(place, wanted)]))
        except _Spent:
            return False

    # judging ---------------------------------------------------------------------------------

    def leaf(self, place: int, env: Env) -> bool | str | None:
        """The verdict of a leaf."""
        self.spend(self.costs[place])
        return _judge(self.ways.leaves[place].run, env)

    def holds(self, env: Env) -> bool:
        """Whether the whole guard holds."""
        self.spend(self.cost)
        return _judge(self.test, env) is True

    def spend(self, cost: int) -> None:
        """Count what is tried. Raises `_Spent` when it is too much."""
        self.left_of_way -= cost
        if self.left_of_way < 0:
            raise _Spent


def _judge(test: Test, env: Env) -> bool | str | None:
    try:
        return test(env)
    except GuardFault:
        return "error"


def _absences(changes: Changes) -> int:
    """How many values are taken away."""
    return sum(value is None for _, value in changes)


def _smallest_first(names: list[str]) -> Iterator[tuple[str, ...]]:
    """The fields that may change together: one, then two, then three."""
    for size in range(1, MAX_CHANGES + 1):
        yield from combinations(names, size)


@lru_cache(maxsize=512)
def _nearest_first(lengths: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All combinations of places in some lists, those near the beginnings first."""
    return tuple(sorted(product(*map(range, lengths)), key=sum))
