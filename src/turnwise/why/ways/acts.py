"""The acts that are possible in a state: what a user, a program, a timer or a person in charge could do next.

Only values that matter are tried: those that the guards, conditions and validators on the way mention or that lie at
their bounds; for a field that none of them reads, one that the field takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import chain, islice
from typing import Any

from turnwise.core.addresses import scope_of
from turnwise.core.candidates import MESSAGE, PERSON_TIMEOUT, Candidate, Guard, Open
from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.explain.decision import plans_of
from turnwise.core.explain.now import MOMENTS
from turnwise.core.explain.witness import constants_in, witnesses
from turnwise.core.guards import env_of
from turnwise.core.guards.types import value_text
from turnwise.core.linked_form import Question
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import State
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.step.receive import awaits_continuation, offered_now
from turnwise.core.values import REDACTED
from turnwise.flow.addresses import field_of, map_of
from turnwise.flow.guard import Expression, parse
from turnwise.flow.model import Field
from turnwise.why.ways.act import Act
from turnwise.why.ways.external_events import events_of_systems
from turnwise.why.ways.openings import commands_of_scopes, is_limited
from turnwise.why.ways.schedules import acts_of_schedules
from turnwise.why.ways.targets import Target

_MOST_VALUES = 3
"""How many values of one field are tried."""
_ANYTHING = "…"
_QUESTIONS: tuple[list[dict[str, str]], ...] = ([{"id": "q1", "ask": "Question?", "right": "x"}], [])
"""The lists of questions that are supposed: one with a right answer, and none."""


class Acts:
    """Finds the acts that matter on the way to a target; `near` are the nodes from which it can be reached."""

    def __init__(self, machine: Machine, near: frozenset[str], target: Target) -> None:
        self.machine = machine
        self.target = target
        own = [one for name in near for one in machine.nodes[name].candidates]
        frames = [machine.scopes[name] for name in dict.fromkeys(("", *map(scope_of, near)))]
        everywhere = [one for frame in frames for one in (*frame.flow_candidates, *frame.enter_candidates)]
        self.candidates: list[Candidate] = [*own, *everywhere]
        self.guards: list[Guard] = [one.guard for one in self.candidates if one.guard is not None]
        for name in near:
            for question in _questions(machine, name):
                self.guards += [question.ask_when] if question.ask_when is not None else []
                self.guards += [guard for guard, _ in question.validators]
        self.reads: dict[str, list[Expression]] = {}
        for guard in self.guards:
            for ref in guard.refs:
                self.reads.setdefault(ref.key, []).append(guard.expression)
        for one in reversed(machine.derived):  # what a derived field is computed from decides what reads the field
            readers = self.reads.get(one.address, [])
            for name in one.reads if readers else ():
                self.reads.setdefault(name, []).extend([*readers, parse(one.field.value)])
        self._read_through_scopes()
        self.matters = frozenset(self.reads)

    def _read_through_scopes(self) -> None:
        """Count what reads a field outside of a scope as reading the field inside that it is copied from, and what
        reads the input of a scope, or a copy, as reading what it comes from.
        """
        scopes = list(self.machine.scopes.values())
        for one in (copied for scope in scopes for copied in scope.returned if copied.outside in self.reads):
            self.reads.setdefault(one.inside, []).extend(self.reads[one.outside])
        for one in (copied for scope in reversed(scopes) for copied in scope.copied_in if copied.inside in self.reads):
            self.reads.setdefault(one.outside, []).extend(self.reads[one.inside])
        opening = [one.action for one in self.candidates if isinstance(one.action, Open)]
        for write in (write for action in opening for write in action.input if write.address in self.reads):
            for ref in write.reads:
                self.reads.setdefault(ref.key, []).extend(self.reads[write.address])

    def for_state(self, state: State) -> Acts:
        """Return a search like this one for the machine of a state, which may have questions that are data."""
        machine = self.machine.for_conversation(state)
        if machine is self.machine:
            return self
        found = copy(self)
        found.machine = machine
        return found

    def _decides(self, address: str) -> bool:
        """Return whether something on the way reads a field, or the map of answers to which it belongs."""
        return address in self.matters or map_of(address) in self.matters

    def possible_acts(self, state: State) -> Iterator[Act]:
        """Yield the acts that are possible in a state."""
        if state.person is not None:
            yield from self._of_person(state)
            return
        yield from self._buttons(state)
        yield from self._answers(state)
        yield from self._messages(state)
        yield from self._tools(state)
        for text, command in commands_of_scopes(self.machine, state):
            yield Act("message", text, e.Commands((command,)))
        for timer in state.timers:
            if timer.transition != PERSON_TIMEOUT:
                event = e.TimerFired(timer.transition, timer.visit, timer.due_ms)
                wait = max(0, timer.due_ms - state.at_ms)
                yield Act(
                    "timer",
                    phrase("wait until the timer {transition} comes due", transition=timer.transition),
                    event,
                    wait,
                )
        yield from acts_of_schedules(self.machine, state)
        yield from events_of_systems(self.machine, state, self.reads)
        if awaits_continuation(state):
            yield Act("continue", Phrase("let the flow go on"), e.Continued())

    def _of_person(self, state: State) -> Iterator[Act]:
        person = state.person
        assert person is not None
        if not person.operator:
            yield Act("person", Phrase("a person takes over"), e.TakenOver(e.A_PERSON))
            if person.due_ms is not None:
                event = e.TimerFired(PERSON_TIMEOUT, state.frame.visit, person.due_ms)
                yield Act(
                    "timer", Phrase("wait until no person has come in time"), event, max(0, person.due_ms - state.at_ms)
                )
            return
        outcomes = _literals(self.reads.get("person.outcome", []))
        for outcome in (*outcomes, ""):
            text = phrase("the person gives the conversation back[ with the outcome “{outcome}”]", outcome=outcome)
            yield Act("person", text, e.GivenBack(outcome))

    def _buttons(self, state: State) -> Iterator[Act]:
        question = state.question
        is_plain = question is not None and question.kind == "field" and not self._decides(question.field)
        offered = offered_now(self.machine, state)
        form = self.machine.nodes[state.node].form
        asked = form.by_address.get(question.field) if form is not None and question is not None else None
        for button in offered:
            event = e.UserChose(button.value)
            yield Act("button", phrase("press “{label}”", label=button.label), event)
            if is_plain and asked is not None and button.value not in map(str, asked.stop_values):
                break  # the answer decides nothing: one is enough

    def _answers(self, state: State) -> Iterator[Act]:
        """Yield values for the fields that a message can set now: one by one, and all that a transition needs."""
        question, open_fields = state.question, self._open(state)
        yield from (self._answer(values) for values in self.sets_that_fulfil(state) if open_fields.issuperset(values))
        has_buttons = question is not None and bool(offered_now(self.machine, state))
        for address in sorted(open_fields):
            is_asked = question is not None and address == question.field
            if (self._decides(address) or is_asked) and not (is_asked and has_buttons):
                for value in self._values(state, address):
                    yield self._answer({address: value})

    def _open(self, state: State) -> set[str]:
        """Return the fields that a message can set now."""
        asked = state.question
        own = {asked.field} if asked is not None and asked.kind == "field" else set[str]()
        return own.union(one.address for one in allowed_input(self.machine, state).fields)

    def _values(self, state: State, address: str) -> Iterator[Any]:
        """Yield the values that are worth trying for a field."""
        field, current = self.machine.fields[address], state.values.get(address)
        yield from self._answers_to_data(state, address)
        tried = witnesses(field, self.reads.get(address, []), [], current, rules_of(self.machine, state))
        tried = chain(self._beside(state, address) if field.secret else (), tried)
        most = _MOST_VALUES if address in self.matters else 1
        now = current.value if current is not None else None
        yield from islice((value for value in tried if value is not None and value != now), most)

    def _answers_to_data(self, state: State, address: str) -> Iterator[str]:
        """Yield the answers to a question that is data which decide something: a right one, and those that stop it."""
        form = self.machine.nodes[state.node].form
        question = form.by_address.get(address) if form is not None and form.answers else None
        if question is not None:
            yield from (*question.right[:1], *sorted(question.stop_values))

    def values_of_results(self, state: State, address: str) -> list[Any]:
        """Return the values of a field to assume as results of tools: those that a message could have, and those near
        the bounds that guards compare it with.
        """
        guards = ({ref.key for ref in guard.refs} for guard in self.guards)
        names = {name for names in guards if address in names for name in names}
        beside = [state.values[name].value for name in sorted(names - {address}) if name in state.values]
        field = self.machine.fields[address]
        if field.type == "list" and field.of == "question":
            return [*_QUESTIONS]
        found = witnesses(field, self.reads.get(address, []), beside, None, self.machine.rules)
        return list(islice((value for value in found if value is not None), _MOST_VALUES))

    def _beside(self, state: State, address: str) -> Iterator[Any]:
        """Yield the values of the secret fields that a guard reads together with a secret one."""
        guards = ({ref.key for ref in guard.refs} for guard in self.guards)
        for name in sorted({name for names in guards if address in names for name in names} - {address}):
            if name in state.values and self.machine.fields[name].secret:
                yield state.values[name].value

    def sets_that_fulfil(self, state: State) -> Iterator[dict[str, Any]]:
        """Yield sets of values, by field, that would make the guard of a transition of the node in charge hold."""
        env = env_of(state)
        for how in [how for moment in MOMENTS for how in plans_of(self.machine, state.node, moment)]:
            if how.plan is None or how.needs is None or how.candidate not in self.candidates:
                continue
            tree = how.plan.verdict(env)
            needs, _ = how.needs.explain(env, tree, state) if tree.verdict != "held" else ((), ())
            for needed in needs:
                values = {need.field: need.value for need in needed if need.value is not None}
                if len(values) == len(needed):
                    yield values

    def _answer(self, values: dict[str, Any]) -> Act:
        commands = tuple([c.Set(field=name, value=value) for name, value in values.items()])
        fields = self.machine.fields
        said = [
            phrase("{field} with {value}", field=name, value=_quoted(fields[name], value))
            for name, value in values.items()
        ]
        return Act("answer", phrase("answer {said}", said=joined(said, " and ")), e.Commands(commands))

    def calls_that_write(self, state: State) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield tool calls (name and arguments) by which a model could write values that no message can give."""
        said = self._open(state)
        for values in self.sets_that_fulfil(state):
            for tool, addresses in self.machine.nodes[state.node].toolbox.writes.items():
                if set(addresses).issuperset(values) and not said.issuperset(values):
                    yield tool, {field_of(address): value for address, value in values.items()}

    def _messages(self, state: State) -> Iterator[Act]:
        is_free = state.frame.form is None or self.machine.nodes[state.node].form is None
        if is_free or is_limited(self.machine, state):
            yield Act("message", Phrase("say anything"), e.UserSaid(_ANYTHING))
        for text in _literals(self.reads.get(MESSAGE, [])):
            yield Act("message", phrase("say “{text}”", text=text), e.UserSaid(text))

    def _tools(self, state: State) -> Iterator[Act]:
        """Yield the use of each tool that a guard asks about, where the node may use it."""
        named = {key.partition(".")[0] for key in self.reads}
        if "tools" not in named and not any(one.moment == "tool" for one in self.candidates):
            return
        for tool in self.machine.nodes[state.node].toolbox.specs:
            if tool in self.machine.tools:
                yield Act("tool", phrase("the tool {tool} is used", tool=tool), e.ToolUsed(tool))


def _questions(machine: Machine, node: str) -> tuple[Question, ...]:
    form = machine.nodes[node].form
    return form.questions if form is not None else ()


def _literals(expressions: list[Expression]) -> list[str]:
    """Return the texts that some conditions mention."""
    return list(dict.fromkeys(text for text in constants_in(expressions) if isinstance(text, str) and text.strip()))


def _quoted(field: Field, value: Any) -> str:
    return REDACTED if field.secret else f"“{value_text(value, field)}”"
