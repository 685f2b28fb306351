"""The ways in which a guard can hold, as clauses over its leaves. It tries no values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from turnwise.core.explain.tree import GroupPlan, LeafPlan, Plan, leaves
from turnwise.core.guards import Env
from turnwise.core.trace import Operand
from turnwise.flow.guard.syntax import Binary, Call, Expression, Select, parts_of
from turnwise.flow.model import Field

MAX_CLAUSES = 64

Clause = tuple[tuple[int, bool], ...]
"""A way in which a guard holds: for some leaves, whether each must be true or false."""


class Ways:
    """What of a guard's ways to hold is the same in every state: its leaves, their fields, its clauses."""

    __slots__ = ("clauses", "depths", "fields", "fields_of", "leaves", "of", "places")

    def __init__(self, of: Plan) -> None:
        self.of = of
        self.leaves = leaves(of)
        places = self.places = {id(leaf): number for number, leaf in enumerate(self.leaves)}
        self.clauses: list[Clause] = [tuple(sorted(clause.items())) for clause in _ways(of, places, wanted=True)]
        self.fields: dict[str, Field] = {
            ref.key: ref.field for leaf in self.leaves for ref in leaf.refs if ref.field is not None
        }
        self.fields_of = [tuple(ref.key for ref in leaf.refs if ref.field is not None) for leaf in self.leaves]
        self.depths = [_depth(leaf.expression) for leaf in self.leaves]

    @property
    def is_closed(self) -> bool:
        """True if every leaf reads one plain field and nothing else: then what would make the guard
        hold depends on the verdicts of the leaves, and on numbers and dates to stay near to. (What is
        tried for a list keeps its items.)
        """
        return all(len(leaf.refs) == 1 and _is_plain(leaf.refs[0].field) for leaf in self.leaves)

    def proof(self, verdicts: Sequence[bool | str | None], fields: frozenset[str]) -> Clause:
        """Return a clause that holds under these verdicts of the leaves, under which the guard holds: the
        one with the fewest conditions on these fields.
        """
        weights = [(bool(fields & set(names)), 1) for names in self.fields_of]
        found = _proof(self.of, self.places, verdicts, weights, wanted=True)
        assert found is not None
        return tuple(sorted(found.items()))

    def rules(self, clause: Clause, places: Iterable[int]) -> tuple[Rule, ...]:
        """Return the conditions of a clause at these places, joined with all that read the same values: so each
        rule is enough where no value outside it changes.
        """
        left, found = set(places), list[Rule]()
        while left:
            together = self.connected(clause, min(left))
            left -= {place for place, _ in together}
            found.append(Rule(self, together))
        return tuple(found)

    def connected(self, clause: Clause, start: int) -> Clause:
        """Return a condition of a clause with all that share a value with it, directly or through others."""
        reads = [{ref.key for ref in leaf.refs} for leaf in self.leaves]
        known, size = set(reads[start]), -1
        while size < len(known):
            size = len(known)
            known.update(*(reads[place] for place, _ in clause if reads[place] & known))
        return tuple(one for one in clause if one[0] == start or reads[one[0]] & known)

    def beside(self, name: str) -> list[str]:
        """The fields that are read together with a field, as far as their values may be told."""
        together = {other for names in self.fields_of if name in names for other in names}
        return [other for other in self.fields if other != name and other in together and not self.fields[other].secret]

    def beside_secrets(self) -> frozenset[str]:
        """The secret fields, and those that are read together with one: a value of theirs may tell it."""
        groups = (names for names in self.fields_of if any(self.fields[name].secret for name in names))
        return frozenset(name for names in groups for name in names)


class Rule:
    """Conditions that must hold together, as one text."""

    __slots__ = ("fields", "is_bare", "leaves", "text")

    def __init__(self, ways: Ways, conditions: Clause) -> None:
        leaves = [(ways.leaves[place], wanted) for place, wanted in conditions]
        self.text = " && ".join(dict.fromkeys(leaf.text if wanted else leaf.opposite for leaf, wanted in leaves))
        self.fields = frozenset(name for place, _ in conditions for name in ways.fields_of[place])
        self.leaves = tuple(leaf for leaf, _ in leaves)
        self.is_bare = len(self.fields) == 1 and all(_is_bare(leaf) for leaf in self.leaves)

    def values(self, env: Env) -> tuple[Operand, ...]:
        """Return the values that the conditions read, each once."""
        found = {operand.name: operand for leaf in self.leaves for operand in leaf.read(env)}
        return tuple(found.values())


def _is_bare(leaf: LeafPlan) -> bool:
    """True if a leaf is about nothing but the value of one field: the field, or a comparison of it with constants."""
    if len(leaf.refs) != 1:
        return False
    match leaf.expression:
        case Select() | Binary(left=Select(), op="==" | "!=" | "<" | "<=" | ">" | ">=" | "in"):
            return True
        case _:
            return False


def _is_plain(field: Field | None) -> bool:
    return field is not None and field.type != "list"


def _depth(expression: Expression) -> int:
    """How many macros stand in one another: each goes through a list."""
    inner = max((_depth(part) for part in parts_of(expression)), default=0)
    return inner + (isinstance(expression, Call) and expression.name in ("exists", "all", "filter"))


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


def _proof(
    of: Plan,
    places: Mapping[int, int],
    verdicts: Sequence[bool | str | None],
    weights: Sequence[tuple[int, int]],
    *,
    wanted: bool,
) -> dict[int, bool] | None:
    """Return leaves with verdicts that make a plan true, or false, as lightly as can be; `None` where it is not."""
    if isinstance(of, LeafPlan):
        place = places[id(of)]
        return {place: wanted} if verdicts[place] is wanted else None

    def weight(found: dict[int, bool]) -> list[int]:
        return [sum(weights[place][at] for place in found) for at in (0, 1)]

    def proof(part: Plan, *, of_part: bool) -> dict[int, bool] | None:
        return _proof(part, places, verdicts, weights, wanted=of_part)

    if of.op == "not":
        return proof(of.parts[0], of_part=not wanted)
    if of.op == "if":
        chosen = proof(of.parts[0], of_part=True)
        test = chosen if chosen is not None else proof(of.parts[0], of_part=False)
        then = proof(of.parts[1 if chosen is not None else 2], of_part=wanted)
        return None if test is None or then is None else test | then
    proofs = [proof(part, of_part=wanted) for part in of.parts]
    if (of.op == "any") == wanted:
        return min((one for one in proofs if one is not None), key=weight, default=None)
    return None if None in proofs else {place: value for one in proofs if one for place, value in one.items()}


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
