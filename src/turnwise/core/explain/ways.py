"""The ways in which a guard can hold, as clauses over its leaves. It tries no values."""

from __future__ import annotations

from turnwise.core.explain.tree import GroupPlan, LeafPlan, Plan, leaves
from turnwise.flow.guard.syntax import Call, Expression, parts_of
from turnwise.flow.model import Field

MAX_CLAUSES = 64

Clause = tuple[tuple[int, bool], ...]
"""A way in which a guard holds: for some leaves, whether each must be true or false."""


class Ways:
    """What of a guard's ways to hold is the same in every state: its leaves, their fields, its clauses."""

    __slots__ = ("clauses", "depths", "fields", "fields_of", "leaves")

    def __init__(self, of: Plan) -> None:
        self.leaves = leaves(of)
        places = {id(leaf): number for number, leaf in enumerate(self.leaves)}
        self.clauses: list[Clause] = [tuple(sorted(clause.items())) for clause in _ways(of, places, wanted=True)]
        self.fields: dict[str, Field] = {
            ref.key: ref.field for leaf in self.leaves for ref in leaf.refs if ref.field is not None
        }
        self.fields_of = [tuple(ref.key for ref in leaf.refs if ref.field is not None) for leaf in self.leaves]
        self.depths = [_depth(leaf.expression) for leaf in self.leaves]

    @property
    def is_closed(self) -> bool:
        """True if every leaf reads one plain field and nothing else: then what would make the guard
        hold depends on the verdicts of the leaves alone. (What is tried for a list keeps its items.)
        """
        return all(len(leaf.refs) == 1 and _is_plain(leaf.refs[0].field) for leaf in self.leaves)

    def beside(self, name: str) -> list[str]:
        """The fields that are read together with a field, as far as their values may be told."""
        together = {other for names in self.fields_of if name in names for other in names}
        return [other for other in self.fields if other != name and other in together and not self.fields[other].secret]

    def beside_secrets(self) -> frozenset[str]:
        """The secret fields, and those that are read together with one: a value of theirs may tell it."""
        groups = (names for names in self.fields_of if any(self.fields[name].secret for name in names))
        return frozenset(name for names in groups for name in names)


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
