"""Refused commands and values: what was proposed, by whom, and which rule of the flow it broke.

The journal has the reason of a refusal; the value and the bound come from judging the same proposal again on the same
state, and are left out where that gives another reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.commands import accept, failing_validator
from turnwise.core.linked_form import Question
from turnwise.core.locale import rules_at, rules_of
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import State
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.values import REDACTED, Refused, item_field, read_value
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.dropped import values_left_out
from turnwise.why.facts.form_facts import condition_failed
from turnwise.why.facts.values import limit_broken, rule_reads, rule_values, values_in_words
from turnwise.why.item_names import item_subjects
from turnwise.why.reasons import EVENT_REASONS, EVENT_WORDS, NAMED_EVENTS, VALUE_REASONS, reason_in_words


def give_back_refused(builder: FactBuilder, event: e.GiveBackRefused) -> Iterator[Fact]:
    """Yield facts about a person's values that were refused as they gave the conversation back."""
    fields = [Subject("field", name) for name in event.set]
    given = joined(
        (
            phrase("{field} = {value}", field=name, value=builder.value(name, value))
            for name, value in event.set.items()
        ),
        ", ",
    )
    values: dict[str, Any] = {"operator": event.operator, "given": given, "time": builder.time(builder.entry.at_ms)}
    tried = builder.fact("give_back_refused", Subject("person"), *fields, **values)
    yield tried
    for one in event.refused:
        yield from refused(builder, one, tried)


def event_refused(builder: FactBuilder, event: e.EventRefused) -> Iterator[Fact]:
    """Yield the fact that an event was refused and began no turn: which event, who sent it, and why."""
    machine, name = builder.machine, event.name
    reason = EVENT_REASONS.get(event.code)
    values: dict[str, Any] = {
        "event": (NAMED_EVENTS if name else EVENT_WORDS)[event.kind],
        "given": name,
        "operator": event.operator,
        "reason": reason.with_values(limit=f"{machine.flow.limits.message_chars:,}") if reason else event.text,
        "said": event.text if reason else "",
        "time": builder.time(builder.entry.at_ms) if event.code != "busy" else "",  # that is recorded after the turn
        "code": event.code,
    }
    about = [Subject("turn", str(builder.entry.turn)), Subject("conversation")]
    about += [Subject("message", str(builder.entry.turn))] if event.kind in ("said", "chose") else []
    about += [Subject("person")] if event.kind in ("taken_over", "operator", "given_back") else []
    about += [Subject("tool", name)] if event.kind == "tool" and name in machine.tools else []
    about += [Subject("timer", name)] if event.kind == "timer" and name in machine.transitions("timer") else []
    about += [Subject("event", name)] if event.kind == "event" and name in machine.events else []
    about += [Subject("limit", "message_chars")] if event.code == "message_too_long" else []
    yield builder.fact("event_refused", *about, **values)


def refused(builder: FactBuilder, event: e.CommandRefused, tried: Fact | None = None) -> Iterator[Fact]:
    """Yield facts about a refused command, and about its value and the bound that it broke.
    `tried` is the fact about the act of a person that proposed it.
    """
    cause = tried or builder.first("understood") or beginning_of_turn(builder)
    of_message = _message(builder) if tried is None else ()
    about = (
        *subjects_named("field", event.field),
        *_of_item(event),
        *subjects_named("question", event.field),
        *of_message,
    )
    values: dict[str, Any] = {"command": event.command, "field": event.field, "said": event.text}
    values["replied"] = builder.text_as_given(event.text)
    if event.reason not in VALUE_REASONS or not event.field:
        reason = reason_in_words(event.reason)
        causes = (cause, _condition(builder, event))
        known = builder.machine.fields.get(event.field)
        given = next(_given(builder, event), None) if known is not None and not known.secret else None
        started = event.scope or (asked_to_start(builder) if event.command == "start" else "")
        warned = builder.first("warned") if event.scope else None
        if warned is not None:
            reason, causes = str(warned.values["reason"]), (warned, *causes)
        about += subjects_named("node", started if started in builder.machine.nodes else "")
        values |= {"code": event.reason, "reason": reason, "given": builder.value(event.field, given), "scope": started}
        yield builder.fact("command_refused", *about, causes=causes, **values)
        return
    given, bound, causes, source = _judged_again(builder, event)
    field = builder.machine.fields.get(event.field)
    reason = reason_in_words(event.reason, bound, field.type if field is not None else "")
    by = cause.values["by"] if cause is not None and cause.kind == "understood" else None
    reads = values_in_words(causes)
    values |= {"given": given, "reason": reason, "reads": reads, "bound": bound, "by": by}
    about += limit_broken(builder.machine, event.field, bound)
    yield builder.fact("value_refused", *about, causes=(cause, *causes), source=source, code=event.reason, **values)


def _of_item(event: e.CommandRefused) -> tuple[Subject, ...]:
    """Return the item of a list that a command was about, and the value of it."""
    return item_subjects(event.field, event.item, event.name)[1:] if event.item else ()


def no_answer(builder: FactBuilder, address: str) -> dict[str, str]:
    """Return the values of a fact that say why the whole message is no answer for a field; empty if it would be one.
    They have the word in the message that alone would be an answer, and the values that it names, if it names several
    for one.
    """
    message, state = builder.message, builder.state
    if message is None or state is None or address not in builder.machine.fields:
        return {}
    question = _question(builder, address)
    field = question.field if question is not None else builder.machine.fields[address]
    found = accept(builder.machine, state, address, message, question)
    if not isinstance(found, Refused):
        return {}
    left = [one for _, one in values_left_out(builder.turn, address)]
    named = dict.fromkeys(str(builder.value(address, one.value)) for one in left if one.reason == "several")
    if named:
        reason = phrase("it names {named}, of which only one can be the answer", named=listed(named))
        return {"as_answer": reason, "named": joined(named, ", ")}
    if field.parts and found.reason == "list":  # no message is a list of records: it is only read as one
        return {"code": found.reason}
    bound = field.pattern if found.reason == "pattern" else found.bound
    words = [(message[slice(*one.words)], one.value) for one in left[:1] if field.options]
    parts = [
        phrase("“{word}” in it counts as {value} where it is the whole answer", word=word, value=value)
        for word, value in words
    ]
    return {"as_answer": joined((reason_in_words(found.reason, bound, field.type), *parts), "; "), "code": found.reason}


def _condition(builder: FactBuilder, event: e.CommandRefused) -> Fact | None:
    """Return the `ask_when` for which an answer was refused."""
    question = _question(builder, event.field) if event.reason == "not_asked_here" else None
    is_known = question is not None and question.ask_when is not None
    return condition_failed(builder, event.field, question) if question is not None and is_known else None


def _message(builder: FactBuilder) -> tuple[Subject, ...]:
    return (Subject("message", str(builder.entry.turn)),) if builder.message is not None else ()


def _judged_again(builder: FactBuilder, event: e.CommandRefused) -> tuple[Any, Any, tuple[Fact, ...], str]:
    """Return the refused value, the bound that it broke, the values that its validator read, and where that stands."""
    machine, state, address = builder.machine, builder.state, event.field
    shown: Any = Phrase("that was given")
    if state is None or address not in machine.fields:
        return shown, None, (), ""
    question = _question(builder, address)
    for proposed in _proposed(builder, event):
        found = _accept(builder, state, event, proposed, question)
        if not isinstance(found, Refused) or found.reason != event.reason:
            continue
        field = question.field if question is not None else machine.fields[address]
        given = REDACTED if field.secret else builder.value(address, proposed)
        if found.reason != "validate":
            bound = field.pattern if found.reason == "pattern" else found.bound
            return given, bound, (), ""
        failing = failing_validator(machine, state, address, _read(builder, question, proposed), question)
        if failing is None:
            return given, None, (), ""
        guard, _, env = failing
        source = str(guard.span) if guard.span.line else ""
        reads = tuple([fact for fact in rule_reads(builder, guard) if fact.values["name"] != address])
        return given, rule_values(builder, guard, env)["rule"], reads, source
    return shown, None, (), ""


def _question(builder: FactBuilder, address: str) -> Question | None:
    form = builder.machine.nodes[builder.node].form
    is_open = builder.state is not None and builder.state.frame.form is not None
    return form.by_address.get(address) if form is not None and is_open else None


def _read(builder: FactBuilder, question: Question | None, proposed: Any) -> Any:
    """Return a value as the validators were given it."""
    if question is None:
        return proposed
    return read_value(question.field, proposed, rules_at(builder.machine.rules, builder.state))


def _accept(
    builder: FactBuilder, state: State, event: e.CommandRefused, proposed: Any, question: Question | None
) -> Any:
    address = event.field
    field = question.field if question is not None else builder.machine.fields[address]
    part = next((one for one in field.parts if one.name == event.name), None)
    if part is not None and event.command == "change":
        return read_value(part, proposed, rules_of(builder.machine, state))
    if event.command in ("add", "remove"):
        found = read_value(item_field(field), proposed, rules_of(builder.machine, state))
        if isinstance(found, Refused):
            return found
        known = state.values.get(address)
        proposed = [*(known.value if known is not None else ()), found]
    return accept(builder.machine, state, address, proposed, question)


def _proposed(builder: FactBuilder, event: e.CommandRefused) -> Iterator[Any]:
    """Yield the values that were given for a field in the turn, and the message itself."""
    yield from _given(builder, event)
    if builder.message is not None and not isinstance(builder.entry.event, e.GiveBackRefused):
        yield builder.message


def _given(builder: FactBuilder, event: e.CommandRefused) -> Iterator[Any]:
    """Yield the values that commands or a person gave for a field in the turn."""
    own = builder.entry.event
    if isinstance(own, e.GiveBackRefused):
        yield own.set[event.field]
        return
    for entry in builder.turn.entries:
        if entry.seq >= builder.entry.seq:
            break
        match entry.event:
            case e.Understood(commands=commands) | e.Commands(commands=commands):
                yield from _values(commands, event.field)
            case e.GivenBack(set=given) if event.field in given:
                yield given[event.field]
            case _:
                pass


def asked_to_start(builder: FactBuilder) -> str:
    """Return the scope that a command of the turn, or the message, asked to begin; empty if none."""
    for entry in reversed(builder.turn.entries):
        event = entry.event
        if entry.seq < builder.entry.seq and isinstance(event, e.Understood | e.Commands):
            found = [one.target for one in event.commands if isinstance(one, c.Start)]
            if found:
                return found[-1]
    said = builder.message or ""
    return next((name for name, phrases in builder.machine.starts.items() if phrases.read(said) is not None), "")


def _values(commands: tuple[c.AnyCommand, ...], address: str) -> Iterator[Any]:
    for command in commands:
        match command:
            case c.Set(field=field, value=value) if field in (address, ""):
                yield value
            case c.Add(field=field, item=value) | c.Remove(field=field, item=value) if field == address:
                yield value
            case c.Change(field=field, value=value) if field == address:
                yield value
            case _:
                pass
