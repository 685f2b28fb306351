"""What a conversation is called: made in one place for lists, headers, searches, deletion and the terminal.

A field that is marked with `names` comes first, then the name that a program or a person chose as its id, then the
first words of the user, then the title of the flow with the time of the beginning.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from turnwise.core.guards.types import shown
from turnwise.core.language.answers import is_courtesy
from turnwise.core.machine import Machine
from turnwise.core.secrets import secret_values, without
from turnwise.core.state import State
from turnwise.core.state.events import Entry, UserChose, UserSaid
from turnwise.core.state.kinds import ERASED
from turnwise.flow.late_pattern import late_pattern
from turnwise.runner.ports import Store

LONGEST = 60
"""The characters of a name."""
_FIRST = 40
"""How many entries are searched for the first words."""
_VISITOR = "visitor-"
"""How the owner of a visitor's conversations begins, before digits that are made for each visitor."""
_GENERATED = late_pattern(
    r"(?=.*[a-z])(?=.*[A-Z])[\w-]{12}"  # the ids that this server makes: nine bytes in base64
    r"|[0-9a-f]{16,}|[0-9A-F]{16,}"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|[0-9A-HJKMNP-TV-Z]{26}"  # a ULID
)


async def conversation_name(store: Store, conversation: str, state: State, machine: Machine) -> str:
    """Return what a conversation is called, in at most `LONGEST` characters. No secret is part of it."""
    own = _from_fields(state, machine)
    if own:
        return _shortened(without([own], secret_values(machine, state))[0])
    owner, _, chosen = conversation.rpartition(":")
    if not is_generated(chosen) and not is_generated(owner.removeprefix(_VISITOR)):
        return chosen
    entries = await store.entries(conversation, 0, _FIRST)
    words = "" if machine.has_secrets else _first_words(entries, machine)
    return _shortened(words) if words else _by_time(entries, state, machine)


def flow_title(machine: Machine) -> str:
    """Return what people call the flow: its title, else its name in words."""
    return machine.flow.title or machine.flow.name.replace("_", " ").capitalize()


def is_generated(name: str) -> bool:
    """Return whether a name looks made by a machine: random letters, hexadecimal digits, a UUID or a ULID."""
    return _GENERATED.fullmatch(name) is not None


def _from_fields(state: State, machine: Machine) -> str:
    """Return the values of the fields that name the conversation, in the order of the flow."""
    found: list[str] = []
    for address, field in machine.fields.items():
        value: Any = state.values.get(address) if field.names and not field.secret else None
        if value is not None:
            found.append(shown(value.value, field))
    return " ".join(" ".join(found).split())


def _first_words(entries: tuple[Entry, ...], machine: Machine) -> str:
    """Return the first message of the user that is more than a greeting; without one, the first button or greeting."""
    second = ""
    for entry in entries:
        match entry.event:
            case UserSaid(text=text):
                words = " ".join(text.split())
                if not words or text == ERASED:
                    continue
                if not is_courtesy(machine.language, words):
                    return words
            case UserChose(value=text):
                words = " ".join(text.split())
            case _:
                continue
        second = second or words
    return second


def _by_time(entries: tuple[Entry, ...], state: State, machine: Machine) -> str:
    """Return the title of the flow and when it began, in the zone of the conversation: `Support, 28 Nov 14:43`."""
    began_ms = entries[0].at_ms if entries else state.at_ms
    began = datetime.fromtimestamp(began_ms / 1000, UTC).astimezone(ZoneInfo(state.time_zone))
    return f"{flow_title(machine)}, {began.day} {began:%b %H:%M}"


def _shortened(text: str) -> str:
    """Return a text that fits into a list, cut between words where it can be."""
    if len(text) <= LONGEST:
        return text
    cut = text[: LONGEST - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"
