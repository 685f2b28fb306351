"""Reads the lines by which scenarios and the terminal force overlays: `viking_weekend on`, `off`, or `auto`."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.api.chat import Chat
from turnwise.api.overlays import force_for_all
from turnwise.core.state.events import OverlayForced
from turnwise.testing.notation import NotationError

EXPECTED_FORM = "write it like viking_weekend on, viking_weekend off for all; by(Lena), or viking_weekend auto"
"""How a line that forces an overlay is written, for messages."""
_STATES = {"on": True, "off": False, "auto": None}
_BY = "by("
_FOR_ALL = "for all"


class Forcing(NamedTuple):
    """A request to force an overlay on or off, or to let its dates decide."""

    name: str
    """The name of the overlay."""
    on: bool | None
    """True for on, false for off, `None` to let its dates decide."""
    by: str = ""
    """The person who forces the overlay; empty if unknown."""
    for_all: bool = False
    """True for all conversations of the flow, false for one."""


def read_forcing(text: str) -> Forcing:
    """Return which overlay a line forces, and how. Raises `NotationError`."""
    head, _, rest = text.partition(";")
    by = rest.strip()
    words = head.split()
    for_all = " ".join(words[2:])
    is_by = not by or (by.startswith(_BY) and by.endswith(")"))
    if len(words) < 2 or words[1] not in _STATES or for_all not in ("", _FOR_ALL) or not is_by:
        raise NotationError(f"{text!r} does not say how an overlay is forced; {EXPECTED_FORM}")
    return Forcing(words[0], _STATES[words[1]], by[len(_BY) : -1].strip(), bool(for_all))


def write_forcing(event: OverlayForced) -> str:
    """Return the forcing of an overlay in the notation of `read_forcing`."""
    how = next(name for name, on in _STATES.items() if on is event.on)
    by = f"; {_BY}{event.by})" if event.by else ""
    return f"{event.name} {how}{f' {_FOR_ALL}' if event.for_all else ''}{by}"


async def force(chat: Chat, forcing: Forcing) -> None:
    """Force an overlay in a conversation, or in all of its flow. Raises `UnknownOverlay`, `UnknownConversation`."""
    if forcing.for_all:
        await force_for_all(chat.runtime, forcing.name, forcing.on, by=forcing.by)
    else:
        await chat.force_overlay(forcing.name, forcing.on, by=forcing.by)
