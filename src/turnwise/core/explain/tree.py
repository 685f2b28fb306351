"""The tree of a guard with the verdict of each part, and the ways in which the guard can hold.

Both are made from the parts of the guard, compiled one by one; the tree tries no values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, assert_never

from turnwise.core.guards import Env, GuardFault, Ref, Test
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.scope import Names, root_shown
from turnwise.core.guards.types import is_blank, unset_value
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.trace import Group, Leaf, Operand, Verdict, VerdictKind
from turnwise.core.values import REDACTED
from turnwise.flow.guard import Expression, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field

GroupKind = Literal["all", "any", "not", "if"]
"""How the conditions of a group are combined."""
_OPPOSITE: dict[VerdictKind, VerdictKind] = {"held": "not_held", "not_held": "held"}
_CONSTANT = late_pattern(r'"(?:[^"\\]|\\.)*"|-?\b\d[\w.]*(?:[+-]\d+)?|\b(?:true|false)\b')


class LeafPlan:
    """A compiled condition that combines no others: its text, the text of its negation, and what it reads."""

    __slots__ = ("expression", "operands", "opposite", "refs", "run", "text")

    def __init__(self, expression: Expression, names: Names) -> None:
        compiler = Compiler(names)
        self.expression = expression
        self.run: Test = compiler.condition(expression)
        self.text, self.opposite = text_of(expression), text_of(s.Not(expression))
        if reads_secret(names, expression):
            self.text, self.opposite = _without_constants(self.text), _without_constants(self.opposite)
        self.refs: tuple[Ref, ...] = tuple(compiler.reads.refs.values())
        self.operands = _reader(self.refs, names)

    def verdict(self, env: Env) -> Leaf:
        """Return whether the condition holds in an environment, with the values that it read."""
        operands = self.operands(env)
        try:
            held = self.run(env)
        except GuardFault as fault:
            return Leaf(self.text, "error", operands, str(fault))
        return Leaf(self.text, "held" if held else "unknown" if held is None else "not_held", operands)


class GroupPlan:
    """A compiled combination of conditions (`&&`, `||`, `!`, `? :`): its operator, and the plans of its parts."""

    __slots__ = ("op", "parts")

    def __init__(self, op: GroupKind, parts: tuple[Plan, ...]) -> None:
        self.op: GroupKind = op
        self.parts = parts

    def verdict(self, env: Env) -> Group:
        """Return whether the combination holds, with the verdicts of all parts."""
        parts: list[Verdict] = []
        kinds: list[VerdictKind] = []
        for part in self.parts:
            found = part.verdict(env)
            parts.append(found)
            kinds.append(found.verdict)
        return Group(self.op, _combined(self.op, kinds), tuple(parts))


Plan = LeafPlan | GroupPlan
"""How a part of a guard is judged: a condition, or a combination."""


def plan(expression: Expression, names: Names) -> Plan:
    """Return the compiled parts of a guard as a tree; made once per guard."""
    match expression:
        case s.Logic(op, parts):
            return GroupPlan("all" if op == "&&" else "any", tuple([plan(part, names) for part in parts]))
        case s.Not(of):
            return GroupPlan("not", (plan(of, names),))
        case s.Conditional(test, then, other):
            return GroupPlan("if", (plan(test, names), plan(then, names), plan(other, names)))
        case _:
            return LeafPlan(expression, names)


def leaves(of: Plan) -> list[LeafPlan]:
    """Return the compiled conditions (leaves) of a plan, from left to right."""
    if isinstance(of, LeafPlan):
        return [of]
    return [leaf for part in of.parts for leaf in leaves(part)]


def leaves_of(tree: Verdict) -> list[Leaf]:
    """Return the conditions (leaves) of a tree of verdicts, from left to right."""
    if isinstance(tree, Leaf):
        return [tree]
    found: list[Leaf] = []
    for part in tree.parts:
        if isinstance(part, Leaf):
            found.append(part)
        else:
            found += leaves_of(part)
    return found


def deciding_leaves(tree: Verdict) -> list[Leaf]:
    """Return the conditions that decided the verdict of a guard, from left to right."""
    if isinstance(tree, Leaf):
        return [tree]
    match tree.op:
        case "not":
            parts = tree.parts
        case "if":
            test, then, other = tree.parts
            branch = {"held": (then,), "not_held": (other,)}.get(test.verdict, ())
            parts = (test, *branch)
        case "all" | "any":
            is_decided = (tree.op == "any") == (tree.verdict == "held")
            parts = tuple([one for one in tree.parts if one.verdict == tree.verdict]) if is_decided else tree.parts
    return [leaf for part in parts for leaf in deciding_leaves(part)]


def operands(tree: Verdict) -> list[Operand]:
    """Return the values that the conditions of a tree read, from left to right."""
    return [operand for leaf in leaves_of(tree) for operand in leaf.operands]


def _combined(op: GroupKind, kinds: Sequence[VerdictKind]) -> VerdictKind:
    """Return the verdict of a group. Of `all` and `any`, one verdict decides; else unknown outweighs an error."""
    if op == "not":
        return _OPPOSITE.get(kinds[0], kinds[0])
    if op == "if":
        test, then, other = kinds
        return then if test == "held" else other if test == "not_held" else test
    decisive: VerdictKind = "held" if op == "any" else "not_held"
    if decisive in kinds:
        return decisive
    return "unknown" if "unknown" in kinds else "error" if "error" in kinds else _OPPOSITE[decisive]


def _without_constants(text: str) -> str:
    """Return a condition on a secret without its constants, which would tell what the secret is, or is not."""
    return _CONSTANT.sub(lambda found: found[0] if found[0] == '""' else REDACTED, text)


_Read = Callable[[Env], tuple[Operand, ...]]


def _reader(refs: tuple[Ref, ...], names: Names) -> _Read:
    """Return what reads the values of a condition, each with its origin."""
    secret = {key for key, root in names.roots.items() if root.is_secret}
    readers = [
        _reader_of_root(ref.key, ref, is_secret=ref.key in secret)
        if ref.field is None
        else _reader_of(ref.key, ref.field)
        for ref in refs
    ]
    if len(readers) == 1:
        return readers[0]
    return lambda env: tuple([operand for read in readers for operand in read(env)])


def _reader_of_root(key: str, ref: Ref, *, is_secret: bool) -> _Read:
    def read(env: Env) -> tuple[Operand, ...]:
        value = root_shown(key, ref.value(env))
        value = REDACTED if is_secret and value is not None else value
        return (Operand(key, value, "missing" if value is None else ""),)

    return read


def _reader_of(key: str, field: Field) -> _Read:
    is_secret = field.secret
    absent = (Operand(key, unset_value(field), "missing" if is_blank(field.default) else "default"),)

    def read(env: Env) -> tuple[Operand, ...]:
        found = env.fields.get(key)
        if found is None:
            return absent
        if is_secret:
            return (Operand(key, REDACTED, found.how, found.turn),)
        return (Operand(key, found.value, found.how, found.turn, found.place),)

    return read


# ways to hold ------------------------------------------------------------------------------------

MAX_CLAUSES = 64
"""How many ways to hold are computed at most."""

Clause = tuple[tuple[int, bool], ...]
"""One way in which a guard holds: conditions by index from 0, from left to right, each with the verdict that it must
have."""
_Clause = dict[int, bool]


class Ways:
    """The combinations of conditions that make a guard hold; the same in every state."""

    __slots__ = ("clauses", "depths", "fields", "fields_of", "leaves", "of", "places")

    def __init__(self, of: Plan) -> None:
        self.of = of
        self.leaves = leaves(of)
        self.places = {id(leaf): place for place, leaf in enumerate(self.leaves)}
        self.clauses: list[Clause] = [tuple(sorted(clause.items())) for clause in self._ways(of, wanted=True)]
        self.fields: dict[str, Field] = {
            ref.key: ref.field for leaf in self.leaves for ref in leaf.refs if ref.field is not None
        }
        self.fields_of = [tuple(ref.key for ref in leaf.refs if ref.field is not None) for leaf in self.leaves]
        self.depths = [_depth(leaf.expression) for leaf in self.leaves]

    @property
    def is_closed(self) -> bool:
        """True if each condition reads exactly one field, which is no list, and nothing else.

        What would make the guard hold then depends on the verdicts of the leaves, and on the numbers and dates that
        new values should be near to. (For a list, what is tried contains its items.)
        """
        refs = [leaf.refs for leaf in self.leaves]
        return all(len(one) == 1 and one[0].field is not None and one[0].field.type != "list" for one in refs)

    def _ways(self, of: Plan, *, wanted: bool) -> list[_Clause]:
        """Return the clauses that make a plan true, or false: at most `MAX_CLAUSES`."""
        if isinstance(of, LeafPlan):
            return [{self.places[id(of)]: wanted}]
        match of.op:
            case "not":
                return self._ways(of.parts[0], wanted=not wanted)
            case "if":
                test, then, other = of.parts
                first = _joined([self._ways(test, wanted=True), self._ways(then, wanted=wanted)])
                second = _joined([self._ways(test, wanted=False), self._ways(other, wanted=wanted)])
                return [*first, *second][:MAX_CLAUSES]
            case "all" | "any":
                parts = [self._ways(part, wanted=wanted) for part in of.parts]
                if (of.op == "any") == wanted:
                    return [clause for part in parts for clause in part][:MAX_CLAUSES]
                return _joined(parts)
        assert_never(of.op)

    def shortest_proof(self, verdicts: Sequence[bool | str | None], fields: frozenset[str]) -> Clause:
        """Return the smallest set of conditions that proves that a guard holds, preferring few on these fields.
        `verdicts` are those of the conditions (leaves) from left to right.
        """
        found = self._proof(self.of, verdicts, fields, wanted=True)
        assert found is not None
        return tuple(sorted(found.items()))

    def _proof(
        self, of: Plan, verdicts: Sequence[bool | str | None], fields: frozenset[str], *, wanted: bool
    ) -> _Clause | None:
        """Return the lightest clause that makes a plan true, or false; `None` where it has another verdict."""
        if isinstance(of, LeafPlan):
            place = self.places[id(of)]
            return {place: wanted} if verdicts[place] is wanted else None

        def proof(part: Plan, *, of_part: bool) -> _Clause | None:
            return self._proof(part, verdicts, fields, wanted=of_part)

        if of.op == "not":
            return proof(of.parts[0], of_part=not wanted)
        if of.op == "if":
            chosen = proof(of.parts[0], of_part=True)
            test = chosen if chosen is not None else proof(of.parts[0], of_part=False)
            then = proof(of.parts[1 if chosen is not None else 2], of_part=wanted)
            return None if test is None or then is None else test | then
        proofs = [proof(part, of_part=wanted) for part in of.parts]
        if (of.op == "any") == wanted:

            def weight(found: _Clause) -> tuple[int, int]:
                return sum(bool(fields.intersection(self.fields_of[place])) for place in found), len(found)

            return min((one for one in proofs if one is not None), key=weight, default=None)
        return None if None in proofs else {place: value for one in proofs if one for place, value in one.items()}

    def rules(self, clause: Clause, places: Iterable[int]) -> tuple[Rule, ...]:
        """Return the conditions of a clause at the leaf positions `places`, each joined with those that read the same
        values.

        So a rule is sufficient as long as no value changes that it does not read.
        """
        left, found = set(places), list[Rule]()
        while left:
            together = self._connected(clause, min(left))
            left -= {place for place, _ in together}
            found.append(Rule(self, together))
        return tuple(found)

    def _connected(self, clause: Clause, start: int) -> Clause:
        """Return a condition of a clause with all that share a value with it, directly or through others."""
        reads = [{ref.key for ref in leaf.refs} for leaf in self.leaves]
        known, size = set(reads[start]), -1
        while size < len(known):
            size = len(known)
            known.update(*(reads[place] for place, _ in clause if reads[place] & known))
        return tuple(one for one in clause if one[0] == start or reads[one[0]] & known)

    def fields_read_with(self, name: str) -> list[str]:
        """Return the fields that are read together with a field; secret ones only if the field itself is secret."""
        fields, together = self.fields, {other for names in self.fields_of if name in names for other in names}
        is_hidden = fields[name].secret
        return [one for one in fields if one != name and one in together and (is_hidden or not fields[one].secret)]


class Rule:
    """Conditions that must hold together, as one text, with the values that they read.

    `reads` has the place of each value that they read: the place of a leaf, and that of an operand in it. `is_bare`:
    they are about the value of one field only.
    """

    __slots__ = ("fields", "is_bare", "reads", "text")

    def __init__(self, ways: Ways, conditions: Clause) -> None:
        leaves_ = [(ways.leaves[place], wanted) for place, wanted in conditions]
        self.text = " && ".join(dict.fromkeys([leaf.text if wanted else leaf.opposite for leaf, wanted in leaves_]))
        self.fields = frozenset([name for place, _ in conditions for name in ways.fields_of[place]])
        reads = {ref.key: (place, at) for place, _ in conditions for at, ref in enumerate(ways.leaves[place].refs)}
        self.reads = tuple(reads.values())
        self.is_bare = len(self.fields) == 1 and all(_is_bare(leaf) for leaf, _ in leaves_)

    def with_values(self, leaves: Sequence[Leaf]) -> str:
        """Return the text of the rule with the values that the leaves have read: `user.age >= 38 (is 35)`."""
        values: list[str] = []
        for place, at in self.reads:
            read = leaves[place].operands[at]
            values.append(value_now(read, "" if self.is_bare else read.name))
        return f"{self.text} ({', '.join(values)})"


def value_now(value: Operand, name: str) -> str:
    """Return in words the value that an operand read: `is 4`; with `name` before it if that is not clear."""
    if value.how == "missing":
        lack = Phrase("empty") if value.value == [] else Phrase("not known")
        return phrase("{name} is {value}", name=name, value=lack) if name else lack
    text = "[{name} ]is {value} by default" if value.how == "default" else "[{name} ]is {value}"
    return phrase(text, name=name, value=value.value)


def _is_bare(leaf: LeafPlan) -> bool:
    """True if a leaf is a field, or a comparison of a field with constants."""
    match leaf.expression:
        case s.Select() | s.Binary(left=s.Select(), op="==" | "!=" | "<" | "<=" | ">" | ">=" | "in"):
            return len(leaf.refs) == 1
        case _:
            return False


def _depth(expression: Expression) -> int:
    """Return how many macros over lists are nested."""
    inner = max(map(_depth, s.parts_of(expression)), default=0)
    return inner + (isinstance(expression, s.Call) and expression.name in s.MACROS)


def _joined(parts: list[list[_Clause]]) -> list[_Clause]:
    """Return the clauses that join one of each part, without those that contradict themselves."""
    joined: list[_Clause] = [{}]
    for part in parts:
        joined = [
            {**left, **right}
            for left in joined
            for right in part
            if all(left.get(place, value) is value for place, value in right.items())
        ][:MAX_CLAUSES]
    return joined
