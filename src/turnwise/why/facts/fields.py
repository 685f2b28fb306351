"""Facts about fields, commands and answers: what set, cleared or refused a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

from turnwise.core.candidates import Candidate, Guard, Write
from turnwise.core.commands import failing_validator, holds
from turnwise.core.forms.direct import needs_model
from turnwise.core.guards import Env, env_of
from turnwise.core.language import normalized
from turnwise.core.language.codes import NAMES
from turnwise.core.linked_form import Question
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import SAID_BY_USER, ValueOrigin
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel
from turnwise.core.state.kinds import ERASED
from turnwise.core.values.json_data import as_list
from turnwise.flow.guard import text_of
from turnwise.flow.model import Field
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.blanks import blank_by_flow, blank_by_tool
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.dropped import values_left_out
from turnwise.why.facts.form_facts import condition_failed
from turnwise.why.facts.options import options_origin, shown_as
from turnwise.why.facts.question_lists import right_or_wrong
from turnwise.why.facts.refusals import no_answer, refused
from turnwise.why.facts.scopes import passed_from, passed_on
from turnwise.why.facts.values import ORIGIN_WORDS, rule_reads, rule_values, value_read, values_in_words
from turnwise.why.names import answers_of, words_in


def _field(builder: FactBuilder, address: str) -> tuple[Subject, ...]:
    """Return the field at an address; of one answer also the field that holds all answers."""
    return (Subject("field", address), *subjects_named("field", answers_of(builder.machine, address)))


def _set(builder: FactBuilder, event: e.FieldSet) -> Iterator[Fact]:
    write = write_of(builder, event.field) if event.how == "set" else None
    yield builder.fact(
        "field_set",
        *_field(builder, event.field),
        causes=(
            *write_causes(builder, event.field, event.how, write),
            *_items_before(builder, event),
            *options_origin(builder, event.field),
        ),
        source=str(write.span) if write is not None and write.span.line else "",
        field=event.field,
        value=builder.value(event.field, event.value),
        how=how_written(builder, event.how, write),
        origin=event.how,
        formula=_formula(builder, event, write),
        confidence=event.confidence if event.confidence not in (None, 1.0) else None,
        before=_before(builder, event),
        part=part_of_message(builder, event),
        synonym=_synonym(builder, event),
        also=_also_named(builder, event),
        judged=right_or_wrong(builder, event.field, event.value),
        shown=shown_as(builder, event.field, event.value),
    )


def _formula(builder: FactBuilder, event: e.FieldSet, write: Write | None) -> str:
    """Return from what a value was computed, with the values that this read; empty where it reads none, or a secret."""
    fields = builder.machine.fields
    if event.how == "derived":
        derived = next(one for one in builder.machine.derived if one.address == event.field)
        text, names = derived.field.value, derived.reads
    elif write is not None and write.expression is not None and not write.is_secret:
        text, names = text_of(write.expression), tuple([ref.key for ref in write.reads])
    else:
        return ""
    if any(one in fields and fields[one].secret for one in (event.field, *names)):
        return ""
    reads = values_in_words(fact for name in names for fact in value_read(builder, name))
    return phrase("{text} ({reads})", text=text, reads=reads) if reads else ""


def _items_before(builder: FactBuilder, event: e.FieldSet) -> Iterator[Fact]:
    """Yield the value of a list that an earlier turn set, where items of it are kept."""
    before = builder.state.values.get(event.field) if builder.state is not None else None
    kept = as_list(before.value) if before is not None and before.turn < builder.entry.turn else None
    if kept and any(item in kept for item in as_list(event.value) or ()):
        yield from value_read(builder, event.field)


def _before(builder: FactBuilder, event: e.FieldSet) -> Any:
    """Return the value before; where the same message was understood once more, in the next node, that before both."""
    before = builder.state.values.get(event.field) if builder.state is not None else None
    if before is None or before.turn != builder.entry.turn or before.value != event.value:
        return builder.value(event.field, before.value) if before is not None else None
    about = Subject("field", event.field)
    facts = (fact for fact in reversed(builder.facts) if fact.kind == "field_set" and about in fact.about)
    return next((fact.values["before"] for fact in facts), None)


def part_of_message(builder: FactBuilder, event: e.FieldSet | e.ItemAdded | e.ItemChanged) -> str:
    """Return the part of the message that a value comes from; empty if it is the whole message or a secret."""
    message = builder.message
    if event.words is None or message in (None, ERASED) or builder.machine.fields[event.field].secret:
        return ""
    part = message[event.words[0] : event.words[1]]
    return part if part.strip() != message.strip() else ""


def _synonym(builder: FactBuilder, event: e.FieldSet) -> str:
    """Return the further words by which the user named the option, or the new items of a list, in words: those of the
    flow, else a word for yes or no of its language.
    """
    field, message = builder.machine.fields[event.field], builder.message
    if event.how not in SAID_BY_USER or message is None or field.secret:
        return ""
    before = builder.turn.before.values.get(event.field) if builder.turn.before is not None else None
    known = before.value if before is not None and field.type == "list" else ()
    values = [one for one in as_list(event.value) or [event.value] if one not in known]
    named = list(_further_words(field, message, values))
    parts: list[str] = []
    for value in dict.fromkeys(value for value, _ in named):
        said = [phrase("“{word}”", word=word) for of, word in named if of == value]
        meant = value if field.type == "list" else Phrase("it")
        text = "{said} is a word for {value}" if len(said) == 1 else "{said} are words for {value}"
        parts.append(phrase(text, said=listed(said), value=meant))
    return phrase("{parts} in the flow", parts=listed(parts)) if parts else _yes_or_no(builder, event)


def _further_words(field: Field, message: str, values: list[Any]) -> Iterator[tuple[Any, str]]:
    """Yield the options among values whose further words a message has, in its order; none inside a longer one."""
    said = f" {' '.join(words_in(message))} "
    own = [(one.value, word, f" {' '.join(words_in(word))} ") for one in field.options for word in one.words]
    found = [(said.index(text), value, word, text) for value, word, text in own if value in values and text in said]
    for _, value, word, text in sorted(found):
        if not any(text != other and text in other for _, _, _, other in found):
            yield value, word


def _yes_or_no(builder: FactBuilder, event: e.FieldSet) -> str:
    """Return the words of the user for yes or no, in words, where they are others than the value stored."""
    language, said = builder.machine.language, part_of_message(builder, event) or builder.message or ""
    is_boolean = builder.machine.fields[event.field].type == "boolean"
    for kind, name in (("true", "value_yes"), ("false", "value_no")):
        if not language.means(kind, said) or event.value is (kind != "true"):
            continue
        value = language.texts[name] if is_boolean else str(event.value)
        if language.means(kind, value) and normalized(said) != normalized(value):
            return phrase("“{said}” is a word for {value}", said=said.strip(), value=value)
    return ""


def _also_named(builder: FactBuilder, event: e.FieldSet) -> str:
    """Return the other values that the message has for a field that the user gave a value."""
    is_list = builder.machine.fields[event.field].type == "list"
    left = values_left_out(builder.turn, event.field) if event.how in SAID_BY_USER and not is_list else []
    return listed(dict.fromkeys(str(builder.value(one.field, one.value)) for _, one in left))


def how_written(builder: FactBuilder, how: ValueOrigin, write: Write | None) -> str:
    """Return in words what wrote a value: a transition, tool, model or person.
    `how` is the recorded origin, `write` the `set` of the flow that wrote it, if one did.
    """
    if how == "set" and write is not None:
        winner = _winner(builder)
        if winner is not None and write in winner.writes:
            return phrase("by the transition {transition}", transition=winner.id)
        return phrase("by the node {node}", node=builder.node)
    if how == "tool" and (tool := builder.first("tool_returned", "model_replied", "tool_used_by_host")) is not None:
        return (
            phrase("by the tool {tool}", tool=tool.values["tool"])
            if "tool" in tool.values
            else Phrase("by a call of the model")
        )
    if how == "understood" and (understood := builder.first("understood")) is not None:
        model = understood.values.get("model")
        return phrase("as {by}[ {model}] understood it", by=understood.values["by"], model=model)
    if how == "command" and (sent := builder.first("commands_received")) is not None:
        return phrase("by a command of {by}", by=sent.values["by"])
    if how == "operator" and (gave := builder.first("person_gave_back")) is not None:
        return phrase("by {operator}, who was in charge", operator=gave.values["operator"])
    return passed_on(builder) if how == "scope" else ORIGIN_WORDS[how]


def _cleared(builder: FactBuilder, event: e.FieldCleared) -> Iterator[Fact]:
    before = builder.state.values.get(event.field) if builder.state is not None else None
    write = write_of(builder, event.field) if event.how == "set" else None
    is_restart = event.how == "set" and write is None
    yield builder.fact(
        "field_cleared",
        *_field(builder, event.field),
        causes=write_causes(builder, event.field, event.how, write)
        if not is_restart
        else (builder.first("command_applied"),),
        field=event.field,
        origin="restart" if is_restart else event.how,
        did=Phrase("lost its value") if before is not None else Phrase("was cleared"),
        before=builder.value(event.field, before.value) if before is not None else None,
        how=_how_cleared(builder, event, write),
        none=Phrase("it had no value before") if before is None else "",
    )


def _how_cleared(builder: FactBuilder, event: e.FieldCleared, write: Write | None) -> str:
    """Return how a value was removed."""
    form = builder.machine.nodes[builder.node].form
    is_of_form = form is not None and event.field in form.by_address and write is None
    if event.how == "prefill":
        return phrase("because the form of {node} does not accept it", node=builder.node)
    if event.how == "set" and is_of_form and form is not None and (whole := form.by_address[event.field].item_of):
        return phrase("because the item of {field} for which it was asked is done with", field=whole)
    if event.how == "set" and is_of_form:
        return phrase("because the form of {node} began anew", node=builder.node)
    if event.how == "tool" and (blank := blank_by_tool(builder, event.field)):
        return blank
    if write is not None:
        return how_written(builder, event.how, write) + blank_by_flow(builder, write)
    if event.how == "scope":
        return phrase("because nothing was {passed_on}", passed_on=passed_on(builder))
    return {"derived": Phrase("because nothing can be computed now"), "direct": Phrase("by the user")}.get(
        event.how, how_written(builder, event.how, write)
    )


def _nothing(builder: FactBuilder, event: e.NothingSet) -> Iterator[Fact]:
    text = "{fields} was" if len(event.missing) == 1 else "{fields} were"
    names = phrase(text, fields=joined(event.missing, ", "))
    removed = Phrase("the value before was removed") if event.removed else ""
    causes = write_causes(builder, event.field, "set", write_of(builder, event.field))
    yield builder.fact(
        "nothing_set", *_field(builder, event.field), causes=causes, field=event.field, missing=names, removed=removed
    )


def write_causes(builder: FactBuilder, address: str, how: ValueOrigin, write: Write | None) -> tuple[Fact | None, ...]:
    """Return the causes of a write: the message, the tool, the transition, and the values that it was computed from.
    `how` is the recorded origin, `write` the `set` of the flow, if one wrote it.
    """
    match how:
        case "set":
            reads = [
                read for ref in (write.reads if write is not None else ()) for read in value_read(builder, ref.key)
            ]
            return (builder.first("decided", "node_left"), *reads)
        case "derived":
            of = next((one for one in builder.machine.derived if one.address == address), None)
            return tuple([read for name in (of.reads if of is not None else ()) for read in value_read(builder, name)])
        case "tool":
            return (builder.first("tool_returned", "model_replied", "tool_used_by_host"),)
        case "operator":
            return (builder.first("person_gave_back"),)
        case "understood":
            return (builder.first("understood"),)
        case "scope":
            return passed_from(builder, address)
        case "prefill" | "default":
            return (builder.first("node_left", "conversation_started"),)
        case _:
            return (beginning_of_turn(builder),)


def _winner(builder: FactBuilder) -> Candidate | None:
    """Return the transition that is being taken: of the last decision, as long as its node is not left."""
    decided = builder.first("decided", "node_left")
    if decided is None or decided.kind == "node_left":
        return None
    node, moment, taken = (decided.values[key] for key in ("node", "moment", "transition"))
    return next((one for one in builder.machine.candidates(node, moment).all if one.id == taken), None)


def write_of(builder: FactBuilder, address: str) -> Write | None:
    """Return the `set` of the flow that writes a field at the builder's entry; `None` if no `set` does."""
    node, winner = builder.machine.nodes[builder.node], _winner(builder)
    ways = winner.writes if winner is not None else node.writes
    return next((write for write in (*ways, *node.writes_on_leave) if write.address == address), None)


def _shelved(builder: FactBuilder, event: e.FieldShelved) -> Iterator[Fact]:
    assert builder.state is not None
    question = _question(builder, event.field)
    causes: list[Fact | None] = [builder.first("field_set", "field_cleared")]
    if question is not None and question.ask_when is not None and not holds(question.ask_when, env_of(builder.state)):
        causes.insert(0, condition_failed(builder, event.field, question))
    elif event.field in builder.state.values:
        found = builder.state.values[event.field].value
        failing = failing_validator(builder.machine, builder.state, event.field, found, question)
        causes.insert(0, _no_longer_valid(builder, event.field, failing[0], failing[2]) if failing else None)
    value = builder.state.values.get(event.field)
    shown = builder.value(event.field, value.value) if value is not None else None
    yield builder.fact(
        "field_shelved", *_field(builder, event.field), causes=tuple(causes), field=event.field, value=shown
    )


def _question(builder: FactBuilder, address: str) -> Question | None:
    form = builder.machine.nodes[builder.node].form
    return form.by_address.get(address) if form is not None else None


def _no_longer_valid(builder: FactBuilder, address: str, guard: Guard, env: Env) -> Fact:
    reads = tuple([fact for fact in rule_reads(builder, guard) if fact.values["name"] != address])
    values = rule_values(builder, guard, env)
    return builder.fact_of_state("validator_failed", *_field(builder, address), causes=reads, field=address, **values)


def _revived(builder: FactBuilder, event: e.FieldRevived) -> Iterator[Fact]:
    question, causes = _question(builder, event.field), [builder.first("field_set", "field_cleared")]
    if question is not None and question.ask_when is not None:
        rule = rule_values(builder, question.ask_when)
        reads = rule_reads(builder, question.ask_when)
        causes.insert(
            0,
            builder.fact_of_state(
                "question_applies", *_field(builder, event.field), causes=reads, field=event.field, **rule
            ),
        )
    yield builder.fact("field_revived", *_field(builder, event.field), causes=tuple(causes), field=event.field)


def _language(builder: FactBuilder, event: e.LanguageChanged) -> Iterator[Fact]:
    speaks = builder.machine.speaks
    holes = [part for part in speaks.parts if not isinstance(part, str)] if speaks is not None else []
    read = list(dict.fromkeys(name for hole in holes for name in hole.fields))
    about = (Subject("turn", str(builder.entry.turn)), *[Subject("field", name) for name in read])
    causes = (*[fact for name in read for fact in value_read(builder, name)], beginning_of_turn(builder))
    yield builder.fact("language_changed", *about, causes=causes, language=NAMES.get(event.language, event.language))


def _applied(builder: FactBuilder, event: e.CommandApplied) -> Iterator[Fact]:
    about = _field(builder, event.field) if event.field else ()
    scope = event.text if event.command == "start" else ""
    causes = (builder.first("understood") or beginning_of_turn(builder),)
    values = {"command": event.command, "field": event.field, "given": _removed(builder, event), "scope": scope}
    about += subjects_named("node", scope if scope in builder.machine.nodes else "")
    applied = builder.fact("command_applied", *about, causes=causes, **values)
    yield applied
    reason = _why_no_aside(builder) if event.command == "ask" else ""
    if reason:
        message = Subject("message", str(builder.entry.turn))
        yield builder.fact("aside_not_answered", message, causes=(applied,), reason=reason)


def _removed(builder: FactBuilder, event: e.CommandApplied) -> str:
    """Return in words the values that a form lost which began anew."""
    if event.command != "restart" or builder.state is None:
        return ""
    place, known = builder.entry.seq - builder.turn.entries[0].seq, builder.state.values
    later = [one.event for one in builder.turn.entries[place + 1 :]]
    following = takewhile(lambda one: not isinstance(one, e.CommandApplied), later)
    gone = [one.field for one in following if isinstance(one, e.FieldCleared) and one.field in known]
    return listed(
        [phrase("{field} = {value}", field=name, value=builder.value(name, known[name].value)) for name in gone]
    )


def _why_no_aside(builder: FactBuilder) -> str:
    """Return why a form passed a question aside to no model; empty if it passed it on."""
    node, effects = builder.machine.nodes[builder.node], [one.event for one in builder.turn.entries]
    asked = (one.effect for one in effects if isinstance(one, e.EffectAsked) and isinstance(one.effect, CallModel))
    if node.form is None or any(effect.purpose == "aside" for effect in asked):
        return ""
    run = builder.state.frame.form if builder.state is not None else None
    if node.node.prompt and run is not None and not needs_model(node.form, run):
        return phrase(
            "nothing that is said at the question of {asked} goes to a model: it has `match: direct`", asked=run.asked
        )
    return phrase("the form of {node} has no `prompt` for a model", node=builder.node) if not node.node.prompt else ""


def _missed(builder: FactBuilder, event: e.Missed) -> Iterator[Fact]:
    about = (*subjects_named("field", event.field), Subject("question"), *subjects_named("question", event.field))
    cause = builder.first("understood", "understood_nothing", "understanding_failed") or beginning_of_turn(builder)
    is_failure = cause is not None and cause.kind == "understanding_failed"  # then the words are not to blame
    values = {**({} if is_failure else no_answer(builder, event.field)), "said": builder.message or ""}
    values["failed"] = cause.text if cause is not None and is_failure else ""
    yield builder.fact("not_understood", *about, causes=(cause,), field=event.field, **values)


def _hidden(builder: FactBuilder, _event: e.WordsHidden) -> Iterator[Fact]:
    yield builder.fact(
        "words_hidden", Subject("message", str(builder.entry.turn)), causes=(beginning_of_turn(builder),)
    )


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.FieldSet: _set,
    e.FieldCleared: _cleared,
    e.NothingSet: _nothing,
    e.FieldShelved: _shelved,
    e.FieldRevived: _revived,
    e.LanguageChanged: _language,
    e.CommandApplied: _applied,
    e.CommandRefused: refused,
    e.Missed: _missed,
    e.WordsHidden: _hidden,
}
"""The functions that yield the facts of an event, by the class of the event."""
