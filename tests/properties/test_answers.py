"""What holds for every claim of an answer to a question of why, tried with random machines, also with many secrets:
what is needed suffices, both voices agree, nothing secret is told, and nothing that was asked before matters.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace

from properties.test_reasons import opened, texts_in, walk
from strategies.chance import Chance
from support.needs import holds, needs_are_sound
from support.random_runs import Run, converse
from turnwise.core.commands.allowed_input import fields_to_collect
from turnwise.core.commands.reasons import reason
from turnwise.core.formatting import FormatLocale, localized, readable
from turnwise.core.linked_form import LinkedForm
from turnwise.core.secrets import secret_values
from turnwise.core.state import FieldValue, State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold
from turnwise.core.trace import Decision
from turnwise.core.values import Refused, read_value
from turnwise.why import Answer, Fact
from turnwise.why.answer import lines_of
from turnwise.why.names import subjects

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SOME = settings(max_examples=2000 if IS_SOAK else 8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SECRETS = 0.4
numbers = st.integers(0, 2**40)


def asked(run: Run, chance: Chance, count: int) -> list[tuple[str, int]]:
    """Some questions, each about a turn."""
    names = [str(subject) for subject in subjects(run.machine)]
    turns = [chance.choice(sorted(run.states)) for _ in range(count)]
    return [(chance.choice((*names, "end", f"turn {turn}", f"message {turn}")), turn) for turn in turns]


# needs ----------------------------------------------------------------------------------------------


@SOME
@given(numbers)
def test_what_an_answer_says_is_needed_makes_it_hold(number: int) -> None:
    run = converse(number, secrets=SECRETS if number % 2 else 0.05)
    before = _states_before_decisions(run)

    async def check() -> None:
        chat, chance = (await opened(run)).chat("x"), Chance(number)
        ways = [str(subject) for subject in subjects(run.machine) if subject.kind == "transition"]
        for turn in sorted(run.states):
            answer = await chat.why(chance.choice(ways), turn=turn) if ways else await chat.why(turn=turn)
            for decision in answer.decisions:
                _decision_is_sound(run, decision, run.states[turn] if decision.hypothetical else before[decision.seq])
            for question, _ in asked(run, chance, 1):
                _conditions_are_sound(run, (await chat.why(question, turn=turn)).facts, run.states[turn])

    asyncio.run(check())


def _states_before_decisions(run: Run) -> dict[int, State]:
    """The state on which each decision was made, by its position."""
    found: dict[int, State] = {}
    state: State | None = None
    for entry in run.entries:
        if isinstance(entry.event, e.Decided) and state is not None:
            found[entry.seq] = replace(state, at_ms=entry.at_ms)
        state = fold(state, entry)
    return found


def _decision_is_sound(run: Run, decision: Decision, state: State) -> None:
    guards = {one.id: one.guard for one in run.machine.candidates(decision.node, decision.moment).all}
    for candidate in decision.candidates:
        guard = guards[candidate.id]
        if guard is not None:
            needs_are_sound(run.machine, guard, candidate, state)


def _conditions_are_sound(run: Run, facts: tuple[Fact, ...], state: State) -> None:
    """What a question's `ask_when` needs makes it hold."""
    form = run.machine.nodes[state.node].form
    for fact in facts:
        if fact.kind == "question_condition_failed" and fact.values["needs"] and form is not None:
            guard, changes = form.by_address[fact.values["field"]].ask_when, _changes(run, fact.values["needs"])
            assert guard is not None
            assert changes is None or holds(run.machine, guard, state, changes), (fact.text, changes)


def _changes(run: Run, needs: str) -> dict[str, Any] | None:
    """The values of fields that a text names; `None` where it names none, or not as they are entered."""
    found: dict[str, Any] = {}
    for name, text in re.findall(r"(\w+\.\w+) = (.*?)(?= and \w+\.\w+ = |, \w+\.\w+ = |$)", needs):
        field = run.machine.fields[name]
        given = text.split(", ") if field.type == "list" else text
        value = None if text == "(no value)" else read_value(field, given, run.machine.rules)
        if isinstance(value, Refused):
            return None
        found[name] = value
    return found or None


# both voices ----------------------------------------------------------------------------------------

_OTHERS = ("conversation_ended", "failed", "undone", "stale_button", "nothing_to_undo")
_PARTS = ("field", "fields", "value", "reason", "then", "named", "word", "due", "since", "until", "at", "options")


@SOME
@given(numbers)
def test_what_the_sentence_for_the_user_names_is_in_the_facts(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        chat = (await opened(run)).chat("x")
        for question, turn in asked(run, Chance(number), 12):
            answer = await chat.why(question, turn=turn)
            if answer.subject.kind == "turn" and answer.plain == reason(run.machine, run.states[answer.turn]):
                continue  # of a turn that stayed, it says why the machine waits
            sentences = _sentences(run, answer.plain)
            assert sentences, answer.plain
            about_turn = await chat.why(f"turn {answer.turn}")
            for named in sentences:
                _is_told(run, answer, named, [*walk(answer.facts), *walk(about_turn.facts)])

    asyncio.run(check())


def _sentences(run: Run, plain: str) -> list[dict[str, str]]:
    """What each sentence names, of one or more; empty where one is no fixed text."""
    for end in (found.end() for found in re.finditer(r"\. ", plain)):
        first, rest = _named(run, plain[:end].strip()), _sentences(run, plain[end:])
        if first is not None and rest:
            return [first, *rest]
    whole = _named(run, plain)
    return [whole] if whole is not None else []


def _named(run: Run, plain: str) -> dict[str, str] | None:
    """What a sentence names, by the part of its text; `None` where it is no fixed text."""
    language = run.machine.language
    keys = [key for key in language.texts if key.startswith("why_")]
    for key in sorted((*keys, *_OTHERS), key=lambda key: -len(language.text(key, **dict.fromkeys(_PARTS, "")))):
        text = re.escape(language.text(key, **{part: f"\0{part}\0" for part in _PARTS}))
        pattern = re.sub("\0(\\w+)\0", r"(?P<\1>.*)", text.replace("\\\0", "\0"))
        if (found := re.fullmatch(pattern, plain, re.DOTALL)) is not None:
            return found.groupdict()
    return None


def _is_told(run: Run, answer: Answer, named: dict[str, str], facts: list[Fact]) -> None:
    machine, state = run.machine, run.states[answer.turn]
    fields = {subject.name for fact in facts for subject in fact.about if subject.kind == "field"}
    fields |= {str(fact.values.get("field")) for fact in facts}
    fields |= {name for fact in facts for key in ("lacking", "in_the_way") for name in fact.values.get(key, ())}
    fields |= {*fields_to_collect(machine, state), *_read_by_ways_out(run, state), *_asked_now(state)}
    titles = ", ".join(machine.title(name) for name in fields if name in machine.fields)
    told = "\n".join(str(value) for fact in facts for value in (fact.text, *fact.values.values()))
    language, zone = machine.language, state.time_zone
    told += "\n".join(readable(language, zone, machine.fields[name], one.value) for name, one in state.values.items())
    place = FormatLocale(language.code, zone)
    for day, clock in set(re.findall(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d):\d\d", told)):
        at = localized("time", clock, place)
        told += f"\n{at}\n{localized('date', day, place)}, {at}"
    for part, text in named.items():
        if part in ("field", "fields"):
            without_values = re.sub(_WITH_VALUE, "", text)
            assert all(title in titles for title in without_values.split(", ")), (answer.plain, titles)
        elif part == "at":
            assert re.search(r"\b\d{1,2}:\d\d\b", text), answer.plain
        elif part == "options":
            known = {option.shown for field in machine.fields.values() for option in field.options}
            known |= {option.shown for form in _forms(run) for one in form.questions for option in one.field.options}
            assert set(text.rstrip(".").split(", ")) <= known, (answer.plain, known)
        else:
            assert text.rstrip(".") in told, (answer.plain, told)


def _forms(run: Run) -> list[LinkedForm]:
    """The forms of a flow."""
    return [node.form for node in run.machine.nodes.values() if node.form is not None]


_WITH_VALUE = r"“[^”]*” for | „[^“]*“"


def _read_by_ways_out(run: Run, state: State) -> set[str]:
    """The fields that the ways out of the node read: a run that is stuck names those that are missing."""
    ways = run.machine.candidates(state.node, "after").all
    return {ref.key for way in ways if way.guard is not None for ref in way.guard.refs}


def _asked_now(state: State) -> set[str]:
    """The field that is asked for, or at which the form stopped."""
    form = state.frame.form
    found = [state.question.field] if state.question is not None else []
    return {*found, *((form.asked, form.stopped_at) if form is not None else ())}


# secrets --------------------------------------------------------------------------------------------


@SOME
@given(numbers)
def test_no_door_tells_what_is_secret_or_was_by_then(number: int) -> None:
    run = converse(number, secrets=SECRETS)
    public = "\n".join([repr(run.flow), str(run.machine.language.texts), *_values_that_are_no_secret(run)]).casefold()

    async def check() -> None:
        chat, last = (await opened(run)).chat("x"), max(run.states)
        for question, turn in asked(run, Chance(number), 12):
            states = [state for at, state in run.states.items() if at <= turn or at == last]
            secrets = {value.casefold() for state in states for value in secret_values(run.machine, state)}
            hidden = {value for value in secrets if value not in public and not value.isdigit()}
            answer, other = await chat.why(question, turn=turn), await chat.compare(turn=turn, other_turn=last)
            told = [*texts_in(to_builtins([answer, other])), *(str(line) for line in lines_of(answer))]
            assert not [(value, text) for value in hidden for text in told if value in text.casefold()], question

    asyncio.run(check())


def _values_that_are_no_secret(run: Run) -> Iterator[str]:
    for state in run.states.values():
        kept: list[tuple[str, FieldValue]] = [*state.values.items(), *state.shelved.items()]
        yield from (str(found.value) for name, found in kept if not run.machine.fields[name].secret)


# caches ---------------------------------------------------------------------------------------------


@SOME
@given(numbers)
def test_an_answer_does_not_depend_on_what_was_asked_before(number: int) -> None:
    run = converse(number)
    questions = asked(run, Chance(number), 12)

    async def answers(order: list[tuple[str, int]]) -> dict[tuple[str, int], Answer]:
        chat = (await opened(run)).chat("x")
        return {(question, turn): await chat.why(question, turn=turn) for question, turn in order}

    async def at_once() -> list[Answer]:
        chat = (await opened(run)).chat("x")
        return await asyncio.gather(*(chat.why(question, turn=turn) for question, turn in questions))

    in_order = asyncio.run(answers(questions))
    assert asyncio.run(answers(questions[::-1])) == in_order
    assert asyncio.run(at_once()) == [in_order[one] for one in questions]
