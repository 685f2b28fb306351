"""What a message says about a field that did not take it: the words, the value that they stand for, and why not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Container, Iterator
from typing import Any, NamedTuple

from turnwise.core.commands.exposure import exposed
from turnwise.core.machine import Machine
from turnwise.core.state import SAID_BY_USER, State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold
from turnwise.core.values.json_data import as_list
from turnwise.flow.model import Field
from turnwise.runner.result import Turn
from turnwise.understanding.tokens import has_words, words_of
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import listed
from turnwise.why.facts.options import options_named
from turnwise.why.facts.readings import value_said
from turnwise.why.query import Query

_MOST_READ = 6
"""How many messages are read by the offline rules for one field, the newest first."""
_MOST_FIELDS = 30
"""For how many fields one message is read."""


class _Words(NamedTuple):
    """Words of a message, and the value of a field that they stand for."""

    words: str
    value: Any
    is_option: bool


async def words_not_taken(query: Query, name: str, since: int = 1) -> Fact | None:
    """Return the newest message since a turn with words for a value of a field that it did not set, with the reason."""
    return next(iter(await values_not_taken(query, name, since, most=1)), None)


async def values_not_taken(query: Query, name: str, since: int = 1, *, most: int = 3) -> list[Fact]:
    """Return the values of a field for which messages since a turn have words, and which these did not set, each with
    the newest such message; the newest values.
    """
    found: dict[str, Fact] = {}
    async for fact in _not_taken_since(query, name, since):
        found.setdefault(str(fact.values["value"]), fact)
        if len(found) == most:
            break
    return list(found.values())


async def _not_taken_since(query: Query, name: str, since: int) -> AsyncIterator[Fact]:
    """Yield the words of messages for a value of a field that they did not set, with the reason, the newest first."""
    field, taken = query.machine.fields[name], list[e.FieldSet]()
    read: dict[str, list[_Words]] = {}
    if field.secret or field.value:
        return
    async for entry in query.back(e.FieldSet, e.UserSaid, since=since):
        match entry.event:
            case e.FieldSet() as event if event.how in SAID_BY_USER or event.field == name:
                taken.append(event)
            case e.UserSaid(text=text):
                if text not in read:
                    read[text] = _words_for(query.machine, query.state, name, text, is_read=len(read) < _MOST_READ)
                for found in read[text]:
                    is_taken = _is_taken(query.machine, name, found, taken, text)
                    fact = await _not_taken(query, name, entry, found) if not is_taken else None
                    if fact is not None:
                        yield fact
                taken.clear()
            case _:
                pass


async def all_not_taken(query: Query, known: Container[str] = ()) -> list[Fact]:
    """Return what the message of the turn says about fields that it did not set, without those that are known."""
    entry = next((one for one in query.turn.entries if isinstance(one.event, e.UserSaid)), None)
    if entry is None:
        return []
    machine, found = query.machine, list[Fact]()
    asked = [name for name in machine.fields if name in machine.forms_of or collectors(machine, name)]
    for name in [one for one in asked if one not in known][:_MOST_FIELDS]:
        fact = await words_not_taken(query, name, query.turn.number)
        found += [fact] if fact is not None else []
    return found


def _words_for(machine: Machine, state: State, name: str, text: str, *, is_read: bool) -> list[_Words]:
    """Return the words of a text for a field and the value that they stand for: of a list, for each item."""
    field, language = machine.fields[name], machine.language
    named, said = options_named(field, text), _after_title(field, text)
    options = [  # a yes or no answers the question that is open, or none, where the message does not name the field
        one
        for one in named
        if one.first >= said or not (language.means("true", one.word) or language.means("false", one.word))
    ]
    if options:
        return [_Words(one.word, one.value, is_option=True) for one in options[: None if field.type == "list" else 1]]
    found = value_said(machine, state, name, text) if is_read and not field.options else None
    return [_Words(found.words, found.value, is_option=False)] if found is not None else []


def _after_title(field: Field, text: str) -> int:
    """Return the place of the word after those by which a text names a field; after all words where it does not."""
    said, title = words_of(text), {word for word in words_of(field.about) if len(word) >= _LEAST_OF_TITLE}
    return next((at + 1 for at in reversed(range(len(said))) if said[at] in title), len(said))


_LEAST_OF_TITLE = 5
"""How many letters a word has that stands for the title of a field."""


def _is_taken(machine: Machine, name: str, found: _Words, taken: list[e.FieldSet], text: str) -> bool:
    """Return whether a message set the field, or its words for it set another one."""
    for event in taken:
        if event.field == name and machine.fields[name].type == "list" and found.is_option:
            if found.value in (as_list(event.value) or ()):
                return True
            continue
        part = text[event.words[0] : event.words[1]] if event.words else text
        if event.field == name or (not found.is_option and has_words(words_of(part), words_of(found.words))):
            return True
        if found.is_option and _names(machine.fields[event.field], found.words):
            return True
    return False


def _names(field: Field, word: str) -> bool:
    return any(has_words(words_of(one.word), words_of(word)) for one in options_named(field, word))


async def _not_taken(query: Query, name: str, entry: e.Entry, found: _Words) -> Fact | None:
    """Return the words with the reason why they were not taken; `None` where the rules read them, and gave them to
    nothing, as words beside others may.
    """
    turn, facts = await query.history.turn(entry.turn), await query.history.facts(entry.turn)
    before = turn.before.values.get(name) if turn is not None and turn.before is not None else None
    if turn is None or (before is not None and found.value in (as_list(before.value) or ())):
        return None
    received = next((fact for fact in facts if fact.seq == entry.seq), None)
    cause = next((fact for fact in facts if fact.kind == "message_not_interpreted"), None)
    reason, obstacle = (cause.text, "person") if cause is not None else (_not_collected(turn, entry, name), "node")
    if not reason and not found.is_option:
        return None
    if not reason:
        cause = next((fact for fact in facts if fact.kind in ("understood", "understood_nothing")), None)
        reason = _not_understood(cause, is_item=query.machine.fields[name].type == "list")
        obstacle = "message" if cause is not None else "question"
    value = query.end.value(name, found.value)
    means = f"stands for {value} of {name}" if found.is_option else f"reads as {value} for {name}"
    values: dict[str, Any] = {"field": name, "word": found.words, "value": value, "turn": entry.turn, "means": means}
    about = (query.subject, Subject("field", name), Subject("message", str(entry.turn)))
    return query.end.standing(
        "words_not_taken", *dict.fromkeys(about), causes=(cause, received), **values, reason=reason, obstacle=obstacle
    )


def _not_collected(turn: Turn, entry: e.Entry, name: str) -> str:
    """Return that no node in charge of a message takes the field, and which do; empty where the message would not have
    set it there either.
    """
    machine, states = turn.machine, list(_states(turn, entry.seq))
    if any(_takes(machine, state, name) for state in states):
        return ""
    text = entry.event.text if isinstance(entry.event, e.UserSaid) else ""
    beside = exposed(machine, states[0])
    if not machine.fields[name].options and value_said(machine, states[0], name, text, beside) is None:
        return ""
    others = collectors(machine, name)
    nodes = list(dict.fromkeys(state.node for state in states))
    rest = f"; {listed(others)} {'does' if len(others) == 1 else 'do'}" if others else ""
    return f"{listed(nodes)} {'does' if len(nodes) == 1 else 'do'} not take {name} from messages{rest}"


def _not_understood(understood: Fact | None, *, is_item: bool) -> str:
    """Return why words for an option that may be set here are no answer within this message."""
    if understood is None:
        return "the message was read as an answer to another question"
    by = str(understood.values.get("by") or "")
    if is_item:
        return f"{by} did not take it beside the other words of the message"
    if by == "the rules":
        return "the rules take such words where they are the whole answer to its question, and not within this message"
    return f"{by} did not understand them so"


def collectors(machine: Machine, name: str) -> list[str]:
    """Return the nodes that take a field from messages, or ask for it."""
    nodes = [node for node, linked in machine.nodes.items() if name in linked.collects]
    return list(dict.fromkeys([*nodes, *machine.forms_of.get(name, ())]))


def _states(turn: Turn, seq: int) -> Iterator[State]:
    """Yield the state in which a message came, and those after each move of its turn."""
    state = turn.before
    for one in turn.entries:
        if state is not None and one.seq == seq:
            yield state
        state = fold(state, one)
        if one.seq > seq and isinstance(one.event, e.Moved):
            yield state


def _takes(machine: Machine, state: State, name: str) -> bool:
    """Return whether a message may set a field: the node collects it, or its form asks for it."""
    form, run = machine.nodes[state.node].form, state.frame.form
    is_asked = form is not None and run is not None and name in form.by_address
    return is_asked or exposed(machine, state).field(name) is not None
