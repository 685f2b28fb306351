"""Computes what a message may change now: fields, commands, the open question, phrases (law 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.addresses import local_name
from turnwise.core.candidates import Guard
from turnwise.core.commands import holds
from turnwise.core.guards import Env, env_of
from turnwise.core.guards.python import call_guard
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.secrets import names_secret
from turnwise.core.start_phrases import StartPhrases
from turnwise.core.state import FieldValue, FormRun, QuestionKind, State
from turnwise.core.state.proposals import open_offer, startable_offers
from turnwise.core.values import REDACTED, is_free_text, is_read_as_text
from turnwise.flow.converters import copy_with
from turnwise.flow.model import Field


class AllowedField(Struct, frozen=True, gc=False):
    """A field that a message may set."""

    address: str
    """The address of the field, such as `user.name`."""
    field: Field
    title: str = ""
    """The question for the field, or a description of the field; empty without one."""
    value: Any = None
    """The current value of the field; `None` while it is missing."""
    is_free_text: bool = False
    """True if the field accepts any text."""
    takes_anything: bool = False
    """True if the field accepts any text, even a question or a bare yes."""
    is_validated: bool = False
    """True if a condition of the flow's author checks each value of the field."""
    item: str | None = None
    """For a list of records the id of the item changed last: empty if it was several or was removed, `None` if not
    known."""


class AllowedInput(Struct, frozen=True, gc=False):
    """What the understanding of one message may return: the fields and commands, with their context."""

    language: str
    zone: str
    now_ms: int
    """The time of the message, in milliseconds since 1970."""
    fields: tuple[AllowedField, ...] = ()
    """The fields that the message may set."""
    commands: tuple[str, ...] = ()
    """The names of the commands that the message may use."""
    asked: str = ""
    """The address of the field whose question is open; empty before it was asked."""
    last: str = ""
    """The address of the field that was asked for or filled last; empty if none was."""
    question: QuestionKind | Literal[""] = ""
    """What kind of answer is expected; empty if none is."""
    starts: tuple[str, ...] = ()
    """The names of the scopes that a message may begin."""
    phrases: Mapping[str, tuple[str, ...]] = {}
    """The flow's own phrases, by kind such as `cancel`, in place of those that the language has."""
    needed: tuple[str, ...] = ()
    """The fields that the node still lacks, if it has spoken before and no question is open; else empty."""
    conversation: str = ""
    has_model: bool = False
    """True if a model speaks in the node, so that the field for which it asked last is not known."""
    earlier: tuple[AllowedField, ...] = ()
    """Earlier answers, while a question for free text is open: a message that corrects one is not that text."""
    writes_first: bool = False
    """True if the flow may send messages first: by schedules, or for events of other systems."""
    begins: tuple[StartPhrases, ...] = ()
    """The phrases with which users begin each of the scopes in `starts`."""
    choosing: tuple[str, tuple[tuple[str, int], ...]] | None = None
    """The list from which the user is asked to choose an item, and id and number of each item shown; else `None`."""
    inside: str = ""
    """What users call the open scope, for messages that cancel it; empty outside of scopes."""
    first: str = ""
    """The field that a form asks for first, if it has asked nothing and another node read the message; else empty."""

    def field(self, address: str) -> AllowedField | None:
        """Return the allowed field at an address, `None` if it is not allowed."""
        return next((f for f in self.fields if f.address == address), None)


def fields_to_collect(machine: Machine, state: State) -> tuple[str, ...]:
    """Return the addresses of the fields that a node still has to collect: as a rule those without a value.

    If no transition holds, instead booleans that are false and would have to be true, or, if all have a value, lists
    that a guard reads.
    """
    collects = machine.nodes[state.frame.node].collects
    if not collects:
        return ()
    found = tuple(_insufficient(machine, state, collects))
    return found or tuple(address for address in collects if address not in state.values)


def _insufficient(machine: Machine, state: State, collects: tuple[str, ...]) -> Iterator[str]:
    known = [address for address in collects if address in state.values]
    denied = [address for address in known if state.values[address].value is False]
    is_whole = len(known) == len(collects)
    lists = [address for address in collects if is_whole and machine.fields[address].type == "list"]
    if not denied and not lists:
        return
    env = env_of(state)
    guards = list(_ways_out(machine, state.frame.node))
    if any(holds(guard, env) for guard in guards):
        return
    supposed = FieldValue(value=True, how="set", turn=state.turn, at_ms=state.at_ms)
    for address in denied:
        if any(holds(guard, Env({**state.values, address: supposed}, state)) for guard in guards):
            yield address
    if lists:
        read = {ref.address for guard in guards for ref in guard.refs} | _read_by_code(machine, state)
        yield from (address for address in lists if address in read)


def _read_by_code(machine: Machine, state: State) -> set[str]:
    """Return the fields that the Python guards of transitions read; none if one of the guards holds now."""
    found: set[str] = set()
    for moment in ("before", "after"):
        for candidate in machine.candidates(state.frame.node, moment).all:
            if candidate.code is not None and candidate.target:
                run = call_guard(candidate.code, machine.scope(state.frame.node).names, state)
                if run.returned in (True, local_name(candidate.target)):
                    return set()
                found.update(run.reads)
    return found


def _ways_out(machine: Machine, node: str) -> Iterator[Guard]:
    for moment in ("before", "after"):
        for candidate in machine.candidates(node, moment).all:
            if candidate.guard is not None and candidate.target:
                yield candidate.guard


FORM_COMMANDS = ("set", "clear", "edit", "skip", "back", "help", "repeat", "wait", "cancel", "restart", "hand_over")
"""The commands that an open form allows."""
_FIELD_COMMANDS = ("set", "clear")
_LIST_COMMANDS = ("add", "remove")
_ITEM_COMMANDS = ("change", "move", "copy")
_AGAIN = (*_FIELD_COMMANDS, "help", "repeat", "wait")
"""Commands of a form that a message may give which was understood by another node before (law 2.7)."""
_AT_APPROVAL = ("affirm", "deny", "help", "repeat", "wait")
_EVERYWHERE = ("set", "clear", *_LIST_COMMANDS, *_ITEM_COMMANDS, "edit")


def allowed_input(machine: Machine, state: State, conversation: str = "", *, has_model: bool = False) -> AllowedInput:
    """Return what the understanding of a message may return now; `has_model` is true if a model speaks in the node."""
    run = state.frame.form
    again = state.doing is not None and any(name != state.frame.node for name in state.doing.understood_for)
    fields, commands = _fields_and_commands(machine, state, again=again)
    starts = () if again else _starts(machine, state)
    first = next((name for name, one in fields.items() if one.value is None), "") if again and run is not None else ""
    return AllowedInput(
        conversation=conversation,
        has_model=has_model,
        writes_first=bool(machine.schedules or machine.events),
        language=machine.language.code,
        zone=state.time_zone,
        now_ms=state.at_ms,
        fields=tuple(fields.values()),
        commands=tuple(commands) if fields or not again else (),
        asked=asked_field(state),
        last=state.frame.last_field if state.frame.last_field in fields else "",
        question=state.frame.question.kind if state.frame.question is not None else "",
        starts=starts,
        begins=machine.phrases_of(starts),
        inside=_inside(machine, state),
        first=first,
        phrases=machine.language.own,
        needed=_needed(machine, state, fields) if fields else (),
        earlier=_earlier(machine, state, fields),
        choosing=_choosing(state, run) if run is not None and run.choosing else None,
    )


def _fields_and_commands(
    machine: Machine, state: State, *, again: bool
) -> tuple[dict[str, AllowedField], dict[str, None]]:
    """Return the fields by address, and the commands' names, in order; `again`: another node understood the message."""
    node, run = machine.nodes[state.frame.node], state.frame.form
    fields: dict[str, AllowedField] = {}
    commands: dict[str, None] = {}
    if node.form is not None and run is not None:
        fields |= _of_form(state, node.form, run)
        commands |= dict.fromkeys(form_commands(node.form, run) if not again else _AGAIN)
    if node.collects:
        fields |= {a: _field(machine, state, a) for a in _collected(state, node)}
        commands |= dict.fromkeys(_FIELD_COMMANDS)
    if not again:
        everywhere = _everywhere(machine, state)
        commands |= dict.fromkeys(everywhere)
        if any(name in _EVERYWHERE for name in everywhere):
            known = machine.scope(state.frame.node).names.addresses()
            fields = {a: _field(machine, state, a) for a in known if _is_shown(machine, a)} | fields
    if state.frame.awaiting_approval is not None and not again:
        commands |= dict.fromkeys(_AT_APPROVAL)
    commands |= {name: None for field in fields.values() for name in _list_commands(field.field)}
    return fields, commands


def _choosing(state: State, run: FormRun) -> tuple[str, tuple[tuple[str, int], ...]] | None:
    """Return the list of which the user is asked to choose an item, with the items that are shown."""
    items = state.values[run.choosing].value if run.choosing in state.values else ()
    shown = run.shown_items([one["id"] for one in items])
    return (run.choosing, shown) if shown else None


def _everywhere(machine: Machine, state: State) -> tuple[str, ...]:
    """Return the commands that are allowed at every node: those of the flow, to cancel a scope, to answer an offer."""
    more = ("cancel",) if state.frame.scope is not None else ()
    if state.offers and open_offer(state) is not None:
        more += ("affirm", "deny")
    return (*machine.flow.commands.names, *more, *(("start",) if _starts(machine, state) else ()))


def _starts(machine: Machine, state: State) -> tuple[str, ...]:
    """Return the scopes that users may begin: those of the flow, and those that were offered."""
    if not state.offers:
        return machine.flow.commands.start
    return tuple(dict.fromkeys([*machine.flow.commands.start, *[one.scope for one in startable_offers(state)]]))


def _inside(machine: Machine, state: State) -> str:
    """Return what users call the scope in charge."""
    scope = state.frame.scope
    if scope is None:
        return ""
    return machine.node_title(scope.name)


def _earlier(machine: Machine, state: State, fields: Mapping[str, AllowedField]) -> tuple[AllowedField, ...]:
    """Return the answers to other forms and to questions that no model may read, while a free text is asked for."""
    open_field = machine.fields.get(asked_field(state))
    if open_field is None or not is_read_as_text(open_field):
        return ()
    known = [a for a in state.values if a in machine.forms_of and a not in fields and a != asked_field(state)]
    return tuple(_field(machine, state, a) for a in known if not machine.fields[a].secret)


def may_be_given(machine: Machine, state: State, secret: AllowedField, message: str) -> bool:
    """Return whether a message may set a secret field: only if it is asked for, named, or the last answer (law 3.4)."""
    address = secret.address
    if address in (asked_field(state), state.frame.last_field):
        return True
    if state.frame.question is None and address in machine.nodes[state.frame.node].collects:
        return True
    return names_secret(secret.field, secret.title, message)


def may_give_secret(machine: Machine, state: State, shown: AllowedInput, message: str) -> bool:
    """Return whether a message may set any of the secret fields in `shown`."""
    return any(may_be_given(machine, state, one, message) for one in shown.fields if one.field.secret)


def input_for_rules(machine: Machine, state: State, address: str) -> AllowedInput:
    """Return the allowed input with the question of the field `address` only; no model may read its answer."""
    node, run = machine.nodes[state.frame.node], state.frame.form
    assert node.form is not None
    assert run is not None
    question, shown = node.form.by_address[address], allowed_input(machine, state)
    field = _question(state, run, question, question.ask(env_of(state)))
    if run.awaits_other:
        as_text = copy_with(question.field, type="string", of=None, options=(), min=None, max=None)
        field = replace(field, field=as_text, is_free_text=True)
    of_lists = (*_LIST_COMMANDS, *_ITEM_COMMANDS)
    commands = (*(name for name in shown.commands if name not in of_lists), *_list_commands(field.field))
    last = address if state.frame.last_field == address else ""
    others = tuple(one for one in shown.fields if one.value is not None and one.address != address)
    earlier = (*others, *shown.earlier) if field.is_free_text or is_read_as_text(field.field) else ()
    return replace(shown, fields=(field,), commands=commands, last=last, needed=(), earlier=earlier)


def allowed_elsewhere(machine: Machine, state: State, shown: AllowedInput) -> AllowedInput:
    """Return `shown` with fields of other nodes added, without values, secret fields and computed ones."""
    others = [
        replace(_field(machine, state, name), value=None)
        for name, field in machine.fields.items()
        if shown.field(name) is None and not field.secret and not field.value
    ]
    commands = tuple(dict.fromkeys((*shown.commands, *_FIELD_COMMANDS[:1], *_LIST_COMMANDS[:1])))
    return replace(shown, fields=(*shown.fields, *others[:_MOST_ELSEWHERE]), commands=commands)


_MOST_ELSEWHERE = 30
"""For how many fields that are not allowed a message is read."""


def uses_messages(machine: Machine, state: State) -> bool:
    """Return whether a message can have any effect now; if not, it is not interpreted."""
    node = machine.nodes[state.frame.node]
    is_in_form = node.form is not None and state.frame.form is not None
    commands = machine.flow.commands
    may_cancel = state.frame.scope is not None and state.frame.scope.turn != state.turn
    has_commands = bool(commands.names or commands.start or state.offers) or may_cancel
    return bool(node.collects or is_in_form or has_commands or state.frame.awaiting_approval is not None)


def _collected(state: State, node: LinkedNode) -> tuple[str, ...]:
    """Return the collected fields that may be set now: all, or only the next missing one (law 5.16)."""
    found = tuple([a for a in node.collects if not (node.form and _is_direct(node.form, a))])
    if node.node.collect is None or node.node.collect.expose == "all":
        return found
    return tuple([address for address in found if address not in state.values][:1]) or found


def _needed(machine: Machine, state: State, fields: Mapping[str, AllowedField]) -> tuple[str, ...]:
    """Return the missing fields of a node that has already spoken; none while a question or form is open."""
    has_spoken = state.frame.entered_turn != state.turn
    if state.frame.question is not None or state.frame.form is not None or not has_spoken:
        return ()
    return tuple(address for address in fields_to_collect(machine, state) if address in fields)


def _is_shown(machine: Machine, address: str) -> bool:
    """Return whether models may see a field: it is not secret, not derived, and no form has it as `match: direct`."""
    forms = (machine.nodes[name].form for name in machine.forms_of.get(address, ()))
    field = machine.fields[address]
    return not field.secret and not field.value and not any(form and _is_direct(form, address) for form in forms)


def _is_direct(form: LinkedForm, address: str) -> bool:
    question = form.by_address.get(address)
    return question is not None and question.match == "direct"


def form_commands(form: LinkedForm, run: FormRun) -> Iterable[str]:
    """Return the names of the commands that a form allows now; yes and no only to confirm something (law 5.10)."""
    if run.status == "cancelled":
        return ("restart", "help", "hand_over")
    asked = form.by_address.get(run.asked)
    is_at_list = asked is not None and bool(asked.items)
    if run.status == "awaiting_confirmation" or run.asked in run.suggested or is_at_list:
        return ("affirm", "deny", *FORM_COMMANDS)
    return FORM_COMMANDS


def asked_field(state: State) -> str:
    """Return the address of the field whose question is open; empty if none is."""
    question = state.frame.question
    return question.field if question is not None and question.kind == "field" else ""


def _of_form(state: State, form: LinkedForm, run: FormRun) -> dict[str, AllowedField]:
    """Return the fields of a form, without `match: direct` ones, which no model may see."""
    if run.status == "cancelled":
        return {}
    env = env_of(state)
    return {
        question.address: _question(state, run, question, question.ask(env))
        for question in form.questions
        if question.match != "direct" and (not question.item_of or question.item_of == run.filling)
    }


def _question(state: State, run: FormRun, question: Question, title: str) -> AllowedField:
    """Return the allowed field of a question; a suggested value does not count as its value."""
    form_field = question.form_field
    is_free = is_free_text(question.field) or form_field.other
    value = None if question.address in run.suggested else value_of(state, question.address, question.field)
    judged = bool(question.validators or question.field.validate)
    item = None if run.misses.get(run.asked) else _item(state, question.address, question.field)
    return AllowedField(question.address, question.field, title, value, is_free, form_field.anything, judged, item)


def _field(machine: Machine, state: State, address: str) -> AllowedField:
    field = machine.fields[address]
    title, value, judged = machine.title(address), value_of(state, address, field), bool(field.validate)
    item = _item(state, address, field)
    return AllowedField(address, field, title, value, is_free_text(field), is_validated=judged, item=item)


def _item(state: State, address: str, field: Field) -> str | None:
    """Return the item of a list of records that was changed last; `None` if no item was."""
    changed = state.changed_item if field.parts else None
    return changed.id if changed is not None and changed.field == address else None


def value_of(state: State, address: str, field: Field) -> Any:
    """Return the stored value of a field, redacted if it is secret; `None` if it is missing, even with a default."""
    if address not in state.values:
        return None
    return REDACTED if field.secret else state.values[address].value


def _list_commands(field: Field) -> tuple[str, ...]:
    """Return the commands that change the items of a list; none for any other field."""
    if field.type != "list":
        return ()
    return (*_LIST_COMMANDS, *_ITEM_COMMANDS) if field.parts else _LIST_COMMANDS
