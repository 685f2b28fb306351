"""What would have been with other values: one past decision judged again by the what-if of the machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from turnwise.core.commands import accept, holds
from turnwise.core.decision.judge import TAKEN
from turnwise.core.explain.guesses import guesses_in
from turnwise.core.explain.text import candidate_line
from turnwise.core.explain.what_if import Otherwise, Way, supposed, with_values, wrong_values
from turnwise.core.forms import is_stop
from turnwise.core.guards import live
from turnwise.core.guards.types import shown
from turnwise.core.machine import Candidate, Machine, Question
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.trace import Considered, Need, Outcome
from turnwise.core.values import Refused
from turnwise.flow.guard import text_of
from turnwise.flow.model import Moment
from turnwise.runner.result import Judged, Turn
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder, at_decision, listed
from turnwise.why.facts.values import value_read
from turnwise.why.path import on_path
from turnwise.why.query import Query
from turnwise.why.supposition import Supposition, read_by

_MOST_JUDGED = 20
"""How many decisions are judged again at most, to find the first that would differ."""


class _Past(NamedTuple):
    """A decision of the past with its turn."""

    turn: Turn
    judged: Judged

    @property
    def moment(self) -> Moment:
        """The moment that was judged."""
        return cast("Moment", self.judged.decided.moment)


async def answer_supposed(query: Query, supposition: Supposition) -> list[Fact]:
    """Return how a past decision would have come out with other values. It is the last one about what the question
    names; else the first that would differ since the values that were, or the one that followed them. Only that one is
    judged again; nothing is called or changed.
    """
    values = supposition.values
    refused = [*_not_tried(query, values)] or [*_refused(query, values)]
    asked = next((one for one in supposition.subjects[:1] if one.kind == "question"), None)
    if asked is not None and not refused:
        return [*_asked(query, asked.name, values), *_stops(query.end, values)]
    past = await _meant(query, supposition) if not refused else None
    if past is None:
        return refused or [*_stops(query.end, values), _unread(query, values)]
    found = await _again(query, past, values, keep_same=True)
    assert found is not None, "no person made the decision"
    decision = next(one for one in past.turn.decisions if one.seq == past.judged.entry.seq)
    query.decisions.append(decision)
    facts = await query.history.facts(past.turn.number)
    decided = next((fact for fact in facts if fact.kind == "decided" and fact.seq == decision.seq), None)
    builder = at_decision(past.turn, facts, past.judged)
    was: dict[str, Outcome] = {one.id: one.outcome for one in decision.candidates}
    return [*_Supposed(builder, past, supposition, found, decided).facts(was)]


async def _again(query: Query, past: _Past, values: Mapping[str, Any], *, keep_same: bool = False) -> Otherwise | None:
    """Judge a decision again; return `None` without `keep_same` where it comes out as it did."""
    entry, _, state, *_ = past.judged
    machine = await query.history.machines.of(state.fingerprint)
    return supposed(machine, entry, state, past.turn.machine, values, keep_same=keep_same)


# values that are not supposed -----------------------------------------------------------------------


def _not_tried(query: Query, values: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the fields of which other values would reveal a secret, guess by guess: none of them is tried."""
    for name in guesses_in(query.machine, values):
        yield query.end.standing("supposed_not_tried", Subject("field", name), field=name)


def _refused(query: Query, values: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the values that their fields would have refused."""
    for name, value in values.items():
        asking = _asking(query.machine, name)
        found = accept(query.machine, query.state, name, value, asking[1] if asking is not None else None)
        if value is not None and isinstance(found, Refused):
            about, reason = Subject("field", name), found.text.strip().rstrip(".")
            yield query.end.standing("supposed_refused", about, field=name, supposed=shown(value), reason=reason)


def _asking(machine: Machine, address: str) -> tuple[str, Question] | None:
    """Return the first node of which the form asks for a field, and the question."""
    forms = ((name, node.form.by_address) for name, node in machine.nodes.items() if node.form is not None)
    return next(((name, questions[address]) for name, questions in forms if address in questions), None)


# values that no rule reads ---------------------------------------------------------------------------


def _unread(query: Query, values: Mapping[str, Any]) -> Fact:
    """Return that no decision that is stored would differ, as none read a field that is supposed."""
    about = [Subject("field", name) for name in values]
    others = _texts(query.end, values)
    supposed = _listed(others)
    return query.end.standing(
        "supposed_not_read", *about, field=listed(values), supposed=supposed, others=others, where=query.where
    )


def _stops(builder: FactBuilder, values: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the values at which a form stops."""
    for name, value in values.items():
        node, question = _asking(builder.machine, name) or ("", None)
        if question is not None and value is not None and is_stop(question, value):
            about, text = (Subject("field", name), Subject("form", node)), builder.value(name, value)
            yield builder.standing("supposed_stop", *about, field=name, node=node, supposed=text)


def _asked(query: Query, address: str, values: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield whether a form would ask a question, by its `ask_when` at the end of the turn."""
    node, question = _asking(query.machine, address) or ("", None)
    if question is None:
        return
    state, when = with_values(query.machine, query.state, values), question.ask_when
    is_asked = holds(when, live(state))
    rule = f"its `ask_when`, {text_of(when.expression)}, would{'' if is_asked else ' not'} hold" if when else _NO_RULE
    others = _texts(query.end, values)
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


# the decision that is meant -------------------------------------------------------------------------


async def _meant(query: Query, supposition: Supposition) -> _Past | None:
    """Return the decision that a question is about; `None` where none is stored that a rule made."""
    entries = [one async for one in on_path(query.back(e.Decided, e.FieldSet, e.Undone))]
    found = [one for one in entries if _is_judged(query.machine, one)]
    for subject in supposition.subjects:
        own = [one for one in found if _letters(query.machine, one, subject)]
        taken = [one for one in own if TAKEN in _letters(query.machine, one, subject)]
        past = await _past(query, (taken if supposition.is_still and taken else own)[:1], supposition.values)
        if past:
            return past[0]
    reading = [one for one in reversed(found) if _reads(query.machine, one, supposition.values)]
    since = max((_since(entries, name) for name in supposition.values), default=0)
    after = [one for one in reading if one.seq > since] or reading[-1:]
    later = await _past(query, after[:_MOST_JUDGED], supposition.values)
    for past in later:
        if await _again(query, past, supposition.values) is not None:
            return past
    return next((one for one in later if one.judged.decided.taken >= 0), later[-1] if later else None)


def _since(entries: Iterable[e.Entry], name: str) -> int:
    """Return the position at which a field got the value that it has; 0 where it was never set."""
    sets = [(one.seq, one.event) for one in entries if isinstance(one.event, e.FieldSet)]
    own = [(seq, event.value) for seq, event in sets if event.field == name]
    return min((seq for seq, _ in takewhile(lambda pair: pair[1] == own[0][1], own)), default=0)


def _is_judged(machine: Machine, entry: e.Entry) -> bool:
    """Return whether an entry is a decision by rules, in a node that the machine has."""
    event = entry.event
    return isinstance(event, e.Decided) and not event.operator and event.node in machine.nodes


def _candidates(machine: Machine, entry: e.Entry) -> tuple[Candidate, ...]:
    event = cast("e.Decided", entry.event)
    return machine.candidates(event.node, cast("Moment", event.moment)).all


def _letters(machine: Machine, entry: e.Entry, subject: Subject) -> str:
    """Return the outcomes in a decision of a transition, or of those that lead to a node."""
    pairs = zip(_candidates(machine, entry), cast("e.Decided", entry.event).outcomes, strict=False)
    return "".join(letter for one, letter in pairs if _is_of(subject, one.id, one.target))


def _is_of(subject: Subject, transition: str, target: str) -> bool:
    return subject.name == (target if subject.kind == "node" else transition)


def _reads(machine: Machine, entry: e.Entry, names: Iterable[str]) -> bool:
    """Return whether a candidate of a decision reads one of some fields."""
    return any(not read_by(machine, one).isdisjoint(names) for one in _candidates(machine, entry))


async def _past(query: Query, entries: Iterable[e.Entry], values: Mapping[str, Any]) -> list[_Past]:
    """Return some decisions with their turns, without those that are erased, and those of a version of the flow that
    does not take the values.
    """
    found: list[_Past] = []
    for entry in entries:
        turn = await query.history.turn(entry.turn)
        judged = [one for one in turn.judged if one.entry.seq == entry.seq] if turn is not None else []
        is_apt = turn is not None and not wrong_values(turn.machine, values)
        found += [_Past(turn, one) for one in judged if turn is not None and is_apt]
    return found


# what is said of it ---------------------------------------------------------------------------------


class _Supposed:
    """A decision that was judged again, as facts. `decided` is the fact of the recorded one, `was` has the outcome of
    each of its transitions.

    What the asker supposes is shown as it is, never through what hides secrets: that would say whether it is one.
    """

    def __init__(
        self, builder: FactBuilder, past: _Past, supposition: Supposition, found: Otherwise, decided: Fact | None
    ) -> None:
        self.builder = builder
        self.machine = past.turn.machine
        self.past = past
        self.values = supposition.values
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
        yield self._first()
        asked = self._own(self.asked) if self.asked is not None else []
        for one in [*asked, *(one for one in self.candidates if one not in asked)]:
            before, now = (_OUTCOMES[outcome] for outcome in (was[one.id], one.outcome))
            if one is not self.taken and (one in asked or before != now or self._is_lacking(one)):
                yield self._candidate(one, before if before != now else "")
        yield from _stops(self.builder, self.values)
        has_form = self.machine.nodes[self.node].form is not None
        values: dict[str, Any] = {"turn": self.found.turn, "form": self.node if has_form else ""}
        values["chose"] = "the model is taken to choose as it did" if self.past.moment == "choice" else ""
        yield self.builder.standing("supposed_reach", Subject("turn", str(self.found.turn)), **values)

    def _first(self) -> Fact:
        found, taken = self.found, self.taken
        names = [name for name in (found.would.transition, found.was.transition) if name]
        about = [*([self.asked] if self.asked is not None else []), *(Subject("transition", name) for name in names)]
        about += [Subject("field", name) for name in self.values]
        others = _texts(self.builder, self.values)
        values: dict[str, Any] = {
            "supposed": _listed(others),
            "others": others,
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
        is_taken = self.taken is not None and _is_of(self.asked, self.taken.id, self.taken.target)
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
        return [one for one in self.candidates if _is_of(subject, one.id, one.target)]

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


def _texts(builder: FactBuilder, values: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the values that are supposed in words, `None` for none."""
    return {name: None if value is None else str(builder.value(name, value)) for name, value in values.items()}


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
