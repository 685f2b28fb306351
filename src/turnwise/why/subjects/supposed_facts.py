"""The facts about what would have been: a decision that was judged again, a question of a form, values that stop it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from turnwise.core.commands import holds
from turnwise.core.explain.text import candidate_line
from turnwise.core.explain.what_if import Otherwise, Way, with_values
from turnwise.core.forms import is_stop
from turnwise.core.guards import live
from turnwise.core.machine import Machine, Question
from turnwise.core.state import State
from turnwise.core.trace import Considered, Need, Outcome
from turnwise.flow.guard import text_of
from turnwise.flow.model import Moment
from turnwise.runner.result import Judged, Turn
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder, listed
from turnwise.why.facts.values import value_read
from turnwise.why.query import Query
from turnwise.why.supposition import Supposition, read_by


class Past(NamedTuple):
    """A decision of the past with its turn."""

    turn: Turn
    judged: Judged

    @property
    def moment(self) -> Moment:
        """The moment that was judged."""
        return cast("Moment", self.judged.decided.moment)


def is_of(subject: Subject, transition: str, target: str) -> bool:
    """Return whether a subject is a transition, or the node to which it leads."""
    return subject.name == (target if subject.kind == "node" else transition)


def asking(machine: Machine, address: str) -> tuple[str, Question] | None:
    """Return the first node of which the form asks for a field, and the question."""
    forms = ((name, node.form.by_address) for name, node in machine.nodes.items() if node.form is not None)
    return next(((name, questions[address]) for name, questions in forms if address in questions), None)


def unread(query: Query, every: Sequence[Mapping[str, Any]]) -> Fact:
    """Return that no decision that is stored would differ, as none read a field that is supposed."""
    values = every[0]
    about = [Subject("field", name) for name in values]
    others = _texts(query.end, every)
    supposed = _listed(others)
    return query.end.standing(
        "supposed_not_read",
        *about,
        field=listed(values),
        supposed=supposed,
        others=_options(query.end, every),
        where=query.where,
    )


def stops(builder: FactBuilder, values: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the values at which a form stops."""
    for name, value in values.items():
        node, question = asking(builder.machine, name) or ("", None)
        if question is not None and value is not None and is_stop(question, value):
            about, text = (Subject("field", name), Subject("form", node)), builder.value(name, value)
            yield builder.standing("supposed_stop", *about, field=name, node=node, supposed=text)


def question_supposed(query: Query, address: str, values: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield whether a form would ask a question, by its `ask_when` at the end of the turn."""
    node, question = asking(query.machine, address) or ("", None)
    if question is None:
        return
    state, when = with_values(query.machine, query.state, values), question.ask_when
    is_asked = holds(when, live(state))
    rule = f"its `ask_when`, {text_of(when.expression)}, would{'' if is_asked else ' not'} hold" if when else _NO_RULE
    others = _texts(query.end, (values,))
    about = (Subject("question", address), *(Subject("field", name) for name in values))
    yield query.end.standing(
        "supposed_question",
        *about,
        causes=tuple(fact for name in values for fact in value_read(query.end, name)),
        supposed=_listed(others),
        others=others,
        before=listed(_before(query.end, query.state, name) for name in values),
        turn=query.turn.number,
        node=node,
        did="would be among" if is_asked else "would not be among",
        field=address,
        reason=rule,
        kept="it has an answer already" if address in state.values else "",
        is_asked=is_asked,
    )


_NO_RULE = "it has no `ask_when`"


class JudgedAgain:
    """A decision that was judged again, as facts: with one or `every` of some values, with which it comes out alike.
    `decided` is the fact of the recorded one.

    What the asker supposes is shown as it is, never through what hides secrets: that would say whether it is one.
    """

    def __init__(
        self,
        builder: FactBuilder,
        past: Past,
        supposition: Supposition,
        every: Sequence[tuple[Mapping[str, Any], Otherwise]],
        decided: Fact | None,
    ) -> None:
        (values, found), *_ = every
        self.builder = builder
        self.machine = past.turn.machine
        self.past = past
        self.values = values
        self.every = [one for one, _ in every]
        self.found = found
        self.decided = decided
        self.node = found.decision.node
        self.candidates = [self._without_now(one) for one in found.decision.candidates if not one.is_mirror]
        self.taken = next((one for one in self.candidates if one.outcome == "taken"), None)
        named = [one for one in supposition.subjects if self._own(one)]
        self.asked = next(iter(named), None)
        self.unjudged = next(iter(supposition.subjects), None) if self.asked is None else None

    def facts(self, was: Mapping[str, Outcome]) -> Iterator[Fact]:
        """Yield how the decision would have come out, what would have become of its candidates, and what is not known.
        `was` has the outcome that each candidate had.
        """
        yield self.first()
        asked = self._own(self.asked) if self.asked is not None else []
        for one in [*asked, *(one for one in self.candidates if one not in asked)]:
            before, now = (_OUTCOMES[outcome] for outcome in (was[one.id], one.outcome))
            if one is not self.taken and (one in asked or before != now or self._is_lacking(one)):
                yield self._candidate(one, before if before != now else "")
        for values in self.every:
            yield from stops(self.builder, values)
        yield self.reach()

    def reach(self) -> Fact:
        """Return what is not known: what came after the decision."""
        has_form = self.machine.nodes[self.node].form is not None
        values: dict[str, Any] = {"turn": self.found.turn, "form": self.node if has_form else ""}
        values["chose"] = "the model is taken to choose as it did" if self.past.moment == "choice" else ""
        return self.builder.standing("supposed_reach", Subject("turn", str(self.found.turn)), **values)

    def first(self) -> Fact:
        """Return how the decision would have come out."""
        found, taken = self.found, self.taken
        names = [name for name in (found.would.transition, found.was.transition) if name]
        about = [*([self.asked] if self.asked is not None else []), *(Subject("transition", name) for name in names)]
        about += [Subject("field", name) for name in self.values]
        others = _texts(self.builder, self.every)
        values: dict[str, Any] = {
            "supposed": _listed(others),
            "others": _options(self.builder, self.every),
            "before": listed(_before(self.builder, self.past.judged.state, name) for name in self.values),
            "asked": self._answer(),
            "would": self._would(),
            "because": taken.because.strip().rstrip(".") if taken is not None else "",
            "was": f"as in turn {found.turn}" if not found.differs else f"in turn {found.turn} {_was(found.was)}",
            "node": self.node,
            "moment": found.decision.moment,
            "taken": found.would.transition,
            "target": found.would.target,
            "was_taken": found.was.transition,
            "was_target": found.was.target,
            "differs": found.differs,
        }
        causes = (self.decided, *(fact for name in self.values for fact in value_read(self.builder, name)))
        return self.builder.standing("supposed", *dict.fromkeys(about), causes=causes, **values)

    def _answer(self) -> str:
        """Return whether what is asked about would come; empty where nothing is named."""
        if self.unjudged is not None:
            return f"it is not known whether {self.unjudged.name} would be {_come(self.unjudged)}, as it was not judged"
        if self.asked is None:
            return ""
        is_taken = self.taken is not None and is_of(self.asked, self.taken.id, self.taken.target)
        if is_taken and self.asked.kind != "node":
            return ""
        return f"{self.asked.name} would {'' if is_taken else 'not '}be {_come(self.asked)}"

    def _would(self) -> str:
        """Return what the decision would come to, in words."""
        taken = self.taken
        if taken is None:
            return f"nothing would be taken, and {self.node} would stay in charge"
        if taken.planned:
            return f"{taken.id} would be taken, which goes to {taken.target} with the next message"
        if taken.action == "to" and taken.target != self.node:
            return f"{self.node} → {taken.target} by {taken.id} would be taken"
        if taken.action == "end":
            return f"{taken.id} would be taken, which ends the conversation"
        return f"{taken.id} would be taken, and {self.node} would stay in charge"

    def _candidate(self, one: Considered, was: str) -> Fact:
        about = (Subject("transition", one.id), Subject("node", one.target or self.node))
        did = candidate_line(one) if one.outcome != "not_reached" else "would not be judged"
        values: dict[str, Any] = {"transition": one.id, "outcome": one.outcome, "did": did, "was": was}
        values |= {
            "target": one.target,
            "lacking": [need.field for need in one.needs[0] if need.now is None] if one.needs else [],
        }
        return self.builder.standing("supposed_candidate", *about, source=one.source, **values)

    def _own(self, subject: Subject) -> list[Considered]:
        """Return the candidates that a subject names: a transition, or those that lead to a node."""
        return [one for one in self.candidates if is_of(subject, one.id, one.target)]

    def _is_lacking(self, one: Considered) -> bool:
        """Return whether a transition is near to what would have been: nothing would be taken, and it reads a value
        that is supposed.
        """
        if self.taken is not None or one.outcome not in ("false", "unknown"):
            return False
        own = (way for way in self.machine.candidates(self.node, self.past.moment).all if way.id == one.id)
        return any(not read_by(self.machine, way).isdisjoint(self.values) for way in own)

    def _without_now(self, one: Considered) -> Considered:
        """Return a candidate whose needs do not repeat what is supposed."""
        ways = tuple([tuple([self._rule(need) for need in way]) for way in one.needs])
        return replace(one, needs=ways, in_words=one.in_words if not one.needs else ())

    def _rule(self, need: Need) -> Need:
        is_supposed = any(name in need.rule for name in self.values)
        return replace(need, text=need.rule) if is_supposed else need


def _texts(builder: FactBuilder, every: Sequence[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return the values that are supposed in words, each that a field may have instead; `None` for none."""
    found: dict[str, str | None] = {}
    for name in every[0]:
        values = [one[name] for one in every]
        texts = dict.fromkeys("missing" if value is None else str(builder.value(name, value)) for value in values)
        found[name] = None if [*texts] == ["missing"] else " or ".join(texts)
    return found


def _options(builder: FactBuilder, every: Sequence[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return the values that are supposed in words, without that one may be missing where there are others."""
    known = {name: [one[name] for one in every if one[name] is not None] for name in every[0]}
    texts = {name: dict.fromkeys(str(builder.value(name, value)) for value in values) for name, values in known.items()}
    return {name: ", ".join(some) or None for name, some in texts.items()}


def _listed(others: Mapping[str, str | None]) -> str:
    return listed(f"{name} = {'missing' if text is None else text}" for name, text in others.items())


def _before(builder: FactBuilder, state: State, name: str) -> str:
    found = state.values.get(name)
    return "missing" if found is None else f"{builder.value(name, found.value)} since turn {found.turn}"


def _come(subject: Subject) -> str:
    return "reached" if subject.kind == "node" else "taken"


def _was(way: Way) -> str:
    """Return in words what a decision took."""
    if not way.transition:
        return "nothing was taken"
    return f"{way.transition} was taken" + (f", which leads to {way.target}" if way.target else "")


_OUTCOMES: dict[Outcome, str] = {
    "taken": "was taken",
    "false": "did not hold",
    "unknown": "did not hold",
    "outranked": "held, too",
    "blocked": "held, and was not made",
    "not_reached": "was not judged",
    "error": "was in error",
}
"""What became of a transition, in words."""
