"""What a conversation is called: made in one place for lists, headers, searches, deletion and the terminal.

A field that is marked with `names` comes first, then the name that a program or a person chose as its id, then the
first words of the user, then the title of the flow with the time of the beginning.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from weakref import WeakKeyDictionary

from turnwise.core.field_titles import capital
from turnwise.core.guards.types import value_text
from turnwise.core.language.answers import is_courtesy
from turnwise.core.machine import Machine
from turnwise.core.secrets import secret_values, without_values
from turnwise.core.state import State
from turnwise.core.state.events import Entry, UserChose, UserSaid
from turnwise.core.state.kinds import ERASED
from turnwise.core.zones import local_time
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Flow
from turnwise.runner.ports import Store

LONGEST_NAME = 60
"""How many characters the name that people give a conversation may have."""
_FIRST = 40
"""How many entries are searched for the first words."""
_KEPT = 4096
"""Of how many conversations of a store it is kept where their first words stand."""
_PLACES: WeakKeyDictionary[Store, OrderedDict[str, int]] = WeakKeyDictionary()
"""The position of the first words of each conversation, without the words: retention may erase them."""
_VISITOR = "visitor-"
"""How the owner of a visitor's conversations begins, before digits that are made for each visitor."""
_GENERATED = late_pattern(
    r"(?=.*[a-z])(?=.*[A-Z])[\w-]{12}"  # the ids that this server makes: nine bytes in base64
    r"|[0-9a-f]{16,}|[0-9A-F]{16,}"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|[0-9A-HJKMNP-TV-Z]{26}"  # a ULID
)


async def conversation_name(store: Store, conversation: str, state: State, machine: Machine) -> str:
    """Return the name of a conversation for people, in at most `LONGEST_NAME` characters. No secret is part of it."""
    own = _from_fields(state, machine)
    if own:
        return _shortened(without_values([own], secret_values(machine, state))[0])
    owner, _, chosen = conversation.rpartition(":")
    if not is_generated(chosen) and not is_generated(owner.removeprefix(_VISITOR)):
        return chosen
    words = "" if machine.has_secrets else await _known_words(store, conversation, machine)
    if words:
        return _shortened(words)
    entries = await store.entries(conversation, 0, _FIRST)
    found = None if machine.has_secrets else _first_words(entries, machine)
    if found is None:
        return _by_time(entries, state, machine)
    if not _is_second_best(found, machine):
        _keep(store, conversation, found.seq)
    return _shortened(_words_of(found))


async def _known_words(store: Store, conversation: str, machine: Machine) -> str:
    """Return the first words where their position is known, and they still stand there; one entry is read."""
    place = _places(store).get(conversation)
    if place is None:
        return ""
    found = (await store.at(conversation, (place,))).get(place)
    return "" if found is None or _is_second_best(found, machine) else _words_of(found)


def _places(store: Store) -> OrderedDict[str, int]:
    try:
        return _PLACES.setdefault(store, OrderedDict())
    except TypeError:  # nothing is kept for a store without weak references
        return OrderedDict()


def _keep(store: Store, conversation: str, place: int) -> None:
    places = _places(store)
    places[conversation] = place
    places.move_to_end(conversation)
    if len(places) > _KEPT:
        places.popitem(last=False)


def flow_title(flow: Flow) -> str:
    """Return the title of a flow for people, else its name in words."""
    return flow.title or flow.name.replace("_", " ").capitalize()


def title_of_node(machine: Machine, node: str) -> str:
    """Return the title of a node for people, with a capital letter: `Profiler`."""
    return capital(machine.node_title(node))


def is_generated(name: str) -> bool:
    """Return whether a name seems made by a machine: random letters, hexadecimal digits, a UUID or a ULID."""
    return _GENERATED.fullmatch(name) is not None


def _from_fields(state: State, machine: Machine) -> str:
    """Return the values of the fields that name the conversation, in the order of the flow."""
    found: list[str] = []
    for address, field in machine.fields.items():
        value: Any = state.values.get(address) if field.names and not field.secret else None
        if value is not None:
            found.append(value_text(value.value, field))
    return " ".join(" ".join(found).split())


def _first_words(entries: tuple[Entry, ...], machine: Machine) -> Entry | None:
    """Return the first message of the user that is more than a greeting; without one, the first button or greeting."""
    said = [entry for entry in entries if _words_of(entry)]
    return next((entry for entry in said if not _is_second_best(entry, machine)), said[0] if said else None)


def _is_second_best(entry: Entry, machine: Machine) -> bool:
    """Return whether an entry is no message that says what a conversation is about: a button, a greeting."""
    words = _words_of(entry)
    return not words or not isinstance(entry.event, UserSaid) or is_courtesy(machine.language, words)


def _words_of(entry: Entry) -> str:
    """Return what the user said or pressed in an entry; empty for all others, and for what was erased."""
    match entry.event:
        case UserSaid(text=text) if text != ERASED:
            return " ".join(text.split())
        case UserChose(value=text):
            return " ".join(text.split())
        case _:
            return ""


def _by_time(entries: tuple[Entry, ...], state: State, machine: Machine) -> str:
    """Return the title of the flow and when it began, in the zone of the conversation: `Support, 28 Nov 14:43`."""
    began_ms = entries[0].at_ms if entries else state.at_ms
    began = local_time(began_ms, state.time_zone)
    return f"{flow_title(machine.flow)}, {began.day} {began:%b %H:%M}"


def _shortened(text: str) -> str:
    """Return a text that fits into a list, cut between words where it can be."""
    if len(text) <= LONGEST_NAME:
        return text
    cut = text[: LONGEST_NAME - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"
