"""A small solver for guards: whether some can hold while others do not, in one state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct

from turnwise.check.conditions import Condition, Reader, Row
from turnwise.core.machine import Machine
from turnwise.flow.guard import Expression, text_of
from turnwise.flow.guard import syntax as s


class HasVerdict(Struct, frozen=True, gc=False):
    """A formula that holds if a condition has a given verdict."""

    condition: int
    """The number of the condition, from 0, in the order in which the solver met it."""
    verdict: bool
    """The verdict that the condition must have, or must not have if `denied`."""
    denied: bool = False
    """True if the condition must have any verdict but this one."""


class Group(Struct, frozen=True, gc=False):
    """A formula that holds if all of its parts hold, or one of them if `is_any`."""

    parts: tuple[Formula, ...]
    """The formulas that the group consists of."""
    is_any: bool
    """True if one of the parts is enough."""


Formula = HasVerdict | Group
"""What is to hold: one condition, or a group of formulas."""
Verdicts = Mapping[int, bool | None]
"""The verdicts of conditions by their numbers; `None` is unknown, a condition that is not there is open."""


def negation(formula: Formula) -> Formula:
    """Return the formula that holds exactly if this one does not."""
    if isinstance(formula, HasVerdict):
        return HasVerdict(formula.condition, formula.verdict, not formula.denied)
    return Group(tuple(map(negation, formula.parts)), not formula.is_any)


def conditions_of(formula: Formula) -> dict[int, None]:
    """Return the numbers of a formula's conditions, each once, in order (a dict as ordered set)."""
    if isinstance(formula, HasVerdict):
        return {formula.condition: None}
    return {condition: None for part in formula.parts for condition in conditions_of(part)}


def holds(formula: Formula, verdicts: Verdicts) -> bool | None:
    """Return whether a formula holds by the verdicts so far; `None` if that depends on other conditions."""
    if isinstance(formula, HasVerdict):
        number = formula.condition
        return (verdicts[number] is formula.verdict) is not formula.denied if number in verdicts else None
    is_open = False
    for part in formula.parts:
        found = holds(part, verdicts)
        if found is formula.is_any:  # one part decides
            return found
        is_open = is_open or found is None
    return None if is_open else not formula.is_any


_MOST_STEPS = 2000
"""The budget of one question, in partial assignments."""
_MOST_OF_ALL = 60_000
"""The budget of all questions about one machine: a check ends soon, whatever the flow contains."""
_MOST_SUBJECTS = 24
"""How many fields and roots a question may read."""
_VERDICTS_OF_A_STEP = 10
"""How many verdicts of conditions cost as much as one partial assignment."""


class Possible(Struct, frozen=True):
    """The solution of a search that found a state in which the formulas hold."""

    values: Mapping[str, Any]
    """The values that the formulas read in that state, keyed by field or root."""
    is_certain: bool
    """True if the solver understands all conditions, so that the state surely exists."""


class Impossible(Struct, frozen=True):
    """The solution of a search that proved that the formulas hold in no state."""


class Undecided(Struct, frozen=True):
    """The solution of a search that ended without a proof, since it took too many steps."""


Solution = Possible | Impossible | Undecided
"""The result of a search by the solver."""


class _BudgetSpent(Exception):
    """The budget is spent."""


class Solver:
    """Answers questions about the guards of one machine: which can hold together, and which imply others."""

    def __init__(self, machine: Machine) -> None:
        questions = [question for node in machine.nodes.values() if node.form for question in node.form.questions]
        self.reader = Reader(machine.names, frozenset(q.address for q in questions if q.form_field.other))
        self.conditions: list[Condition] = []
        self.numbers: dict[str, int] = {}
        self.formulas: dict[tuple[int, bool], Formula] = {}
        self.kept: list[Expression] = []
        self.rows: dict[tuple[int, ...], dict[Row, Any]] = {}
        self.solutions: dict[tuple[Formula, ...], Solution] = {}
        self.left = _MOST_OF_ALL

    def formula(self, expression: Expression, *, verdict: bool = True) -> Formula:
        """Return the formula that an expression is true, or with `verdict=False` that it is false."""
        key = (id(expression), verdict)
        found = self.formulas.get(key)
        if found is None:
            self.kept.append(expression)  # an id is used again when its object is gone
            found = self.formulas[key] = self.build_formula(expression, verdict=verdict)
        return found

    def build_formula(self, expression: Expression, *, verdict: bool) -> Formula:
        """Return the formula that holds exactly where an expression has the value `verdict`. Where the expression is
        unknown, neither of the two formulas holds.
        """
        match expression:
            case s.Logic(op, parts):
                formulas = tuple(self.formula(part, verdict=verdict) for part in parts)
                return Group(formulas, (op == "||") is verdict)
            case s.Not(of):
                return self.formula(of, verdict=not verdict)
            case s.Conditional(test, then, other):
                first = Group((self.formula(test), self.formula(then, verdict=verdict)), is_any=False)
                second = Group((self.formula(test, verdict=False), self.formula(other, verdict=verdict)), is_any=False)
                return Group((first, second), is_any=True)
            case s.Literal(bool() as value):
                return Group((), is_any=value is not verdict)
            case _:
                return HasVerdict(self.number(expression), verdict)

    def number(self, expression: Expression) -> int:
        """Return the number of a condition, from 0; conditions with the same text have the same number."""
        text = text_of(expression)
        if text not in self.numbers:
            self.numbers[text] = len(self.conditions)
            self.conditions.append(self.reader.condition(expression))
        return self.numbers[text]

    # questions -------------------------------------------------------------------------------

    def is_possible(self, held: Sequence[Expression], *, unless: Sequence[Expression] = ()) -> Solution:
        """Return whether a state exists in which all guards of `held` hold and none of `unless`."""
        formulas = (*map(self.formula, held), *[negation(self.formula(other)) for other in unless])
        found = self.solutions.get(formulas)
        if found is None:
            found = self.solutions[formulas] = _Search(self, formulas).run()
        return found

    def is_impossible(self, held: Sequence[Expression], *, unless: Sequence[Expression] = ()) -> bool:
        """Return whether it is proved that no state exists in which all guards of `held` hold and none of `unless`."""
        return isinstance(self.is_possible(held, unless=unless), Impossible)

    def entails(self, guard: Expression, other: Expression) -> bool:
        """Return whether it is proved that `other` holds whenever `guard` does."""
        return self.is_impossible([guard], unless=[other])

    def verdict_where(self, expression: Expression, key: str, value: Any) -> bool | None:
        """Return the verdict of a guard if the field or root `key` has a value; `None` if it depends on others."""
        formula = self.formula(expression)
        reading = [one for one in conditions_of(formula) if self.conditions[one].reads == key]
        return holds(formula, {one: self.reader.verdict(self.conditions[one], value) for one in reading})

    def count_steps(self, steps: int) -> None:
        """Count steps of the search. Raises `_BudgetSpent` if they are too many."""
        self.left -= steps
        if self.left < 0:
            raise _BudgetSpent

    def rows_of(self, numbers: tuple[int, ...]) -> dict[Row, Any]:
        """Return the combinations of verdicts that the numbered conditions on one field or root can have, each with a
        value for which they have them.
        """
        found = self.rows.get(numbers)
        if found is None:
            conditions = [self.conditions[number] for number in numbers]
            self.count_steps(len(conditions) * sum(3 + len(one.constants) for one in conditions) // _VERDICTS_OF_A_STEP)
            found = self.rows[numbers] = self.reader.rows(conditions)
        return found


class _Search:
    """One question, with the budget that is left."""

    def __init__(self, solver: Solver, formulas: Sequence[Formula]) -> None:
        self.solver = solver
        self.formulas = formulas
        numbers = dict.fromkeys(number for formula in formulas for number in conditions_of(formula))
        self.groups = [tuple(group) for group in self.grouped(list(numbers))]
        self.size = 1 + len(numbers) // _VERDICTS_OF_A_STEP
        self.left = _MOST_STEPS

    def grouped(self, numbers: list[int]) -> list[list[int]]:
        """Group the conditions by the field or root that decides them; any other is alone."""

        def subject(number: int) -> str:
            return self.solver.conditions[number].reads or f"#{number}"

        return [sorted(group) for _, group in groupby(sorted(numbers, key=subject), key=subject)]

    def run(self) -> Solution:
        """Return the answer."""
        if len(self.groups) > _MOST_SUBJECTS:
            return Undecided()
        try:
            chosen = self.choose({}, [])
        except _BudgetSpent:
            return Undecided()
        if chosen is None:
            return Impossible()
        subjects = [self.solver.conditions[group[0]].reads for group in self.groups]
        known = dict(zip(subjects, chosen, strict=False))
        return Possible({key: value for key, value in known.items() if key}, all(subjects[: len(chosen)]))

    def choose(self, verdicts: dict[int, bool | None], chosen: list[Any]) -> list[Any] | None:
        """Return values for the first groups, in order, under which all formulas hold; `None` if there are none."""
        self.left -= 1
        if self.left < 0:
            raise _BudgetSpent
        self.solver.count_steps(self.size)
        found = [holds(formula, verdicts) for formula in self.formulas]
        if False in found:
            return None
        if None not in found:
            return chosen
        group = self.groups[len(chosen)]
        for row, value in self.solver.rows_of(group).items():
            answer = self.choose(verdicts | dict(zip(group, row, strict=True)), [*chosen, value])
            if answer is not None:
                return answer
        return None
