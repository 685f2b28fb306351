"""Lists of conversations: what a store is asked, and what it answers, without loading states."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.core.state import Ended, Failed, State, Waiting
from turnwise.core.state import events as e

Standing = Literal["waiting", "ended", "failed"]
"""The status of a conversation, as stores index it."""
MOST_DIGITS = 18
"""How many digits a number in a cursor may have, so that it fits in 64 bits."""
MOST_SEARCHED = 5_000
"""In how many conversations one page of a list searches a text: those that changed last, or follow its cursor."""


class ConversationQuery(Struct, frozen=True):
    """A selection of conversations to list; an empty attribute excludes none."""

    flow: str = ""
    """The name of the flow; empty for all."""
    node: str = ""
    """The node in charge; empty for all."""
    status: Standing | Literal[""] = ""
    """Whether the conversation waits, has ended, or failed; empty for all."""
    waits_for: tuple[str, ...] = ()
    """What the conversations wait for, as in `Waiting.what`; `person` also for those with a person; empty for all."""
    prefix: str = ""
    """The beginning of the conversation's id; empty for all."""
    text: str = ""
    """Words in the id, the node, or a message, found as `find_text` does; empty for all."""
    after: str = ""
    """The cursor of the page before; empty for the first page."""
    limit: int = 50
    """How many conversations a page has at most."""


class ConversationRow(Struct, frozen=True):
    """A conversation in a list, as of its last ended turn. Times are in milliseconds since 1970."""

    conversation: str
    """The id of the conversation."""
    flow: str
    """The name of the conversation's flow."""
    fingerprint: str
    """The hash that identifies the version of the conversation's flow."""
    began_ms: int
    """When the conversation began, in milliseconds since 1970."""
    at_ms: int
    """When the conversation last changed, in milliseconds since 1970."""
    seq: int
    """The position of the conversation's last entry, from 1."""
    node: str = ""
    """The node in charge; empty if none is."""
    status: Standing = "waiting"
    """Whether the conversation waits, has ended, or failed."""
    waits_for: str = ""
    """What the conversation waits for, as `Waiting.what` or `person`; empty where it has ended or failed."""
    is_open: bool = False
    """True while a turn is under way."""
    number: int = 0
    """The number of the conversation in the order of beginning, from 1; 0 where it is not known."""


class ConversationPage(Struct, frozen=True):
    """A page of a list of conversations, the one that changed last first."""

    rows: tuple[ConversationRow, ...]
    """The conversations of the page."""
    total: int
    """How many conversations match. Where a text is searched for: how many of the next `MOST_SEARCHED` conversations,
    from the cursor on."""
    next: str = ""
    """The cursor of the next page; empty on the last page."""
    is_complete: bool = True
    """False where older conversations were not searched for the text: `next` continues, also from an empty page."""


class NodeCount(Struct, frozen=True):
    """How many conversations of a flow are in a node with a status."""

    flow: str
    """The name of the flow."""
    node: str
    """The address of the node."""
    status: Standing
    """The status of the counted conversations."""
    count: int
    """How many conversations."""


WAITS_FOR_PERSON = "person"
"""What a conversation waits for while a person is in charge, or is called."""


def node_and_status(state: State) -> tuple[str, Standing, str]:
    """Return the node in charge in a state, its status, and what it waits for (empty if for nothing)."""
    status = state.status
    if isinstance(status, Ended):
        return state.frame.node, "ended", ""
    waits_for = status.what if isinstance(status, Waiting) else ""
    standing: Standing = "failed" if isinstance(status, Failed) else "waiting"
    return state.frame.node, standing, WAITS_FOR_PERSON if state.frame.person is not None else waits_for


def find_text(words: str, text: str) -> int:
    """Return the offset in `words` at which `text` begins, where a word or number begins; -1 if nowhere.
    Both are case-folded. Letters without case, as in Chinese and Arabic, are found everywhere.
    """
    place = words.find(text)
    while place > 0 and _is_within(words[place - 1], text[:1]):
        place = words.find(text, place + 1)
    return place


def _is_within(before: str, first: str) -> bool:
    """Return whether the second of two characters is inside of a word or number."""
    return (before.islower() and first.islower()) or (before.isdecimal() and first.isdecimal())


def has_text(event: e.AnyEvent, text: str) -> bool:
    """Return whether a message or reply contains a text (`find_text`); `text` is case-folded."""
    match event:
        case e.UserSaid(text=said) | e.Said(text=said) | e.OperatorSaid(text=said) | e.UserChose(value=said):
            return find_text(said.casefold(), text) >= 0
        case _:
            return False


def cursor(at_ms: int, number: int) -> str:
    """Return the cursor of a list after a conversation, by when it changed and its number in the order of beginning."""
    return f"{at_ms}.{number}"


def read_cursor(text: str) -> tuple[int, int]:
    """Return the parts of a list's cursor: a time in milliseconds, and a conversation's number. Raises `ValueError`."""
    at_ms, _, number = text.partition(".")
    parts = at_ms.removeprefix("-"), number
    if not (text.isascii() and all(part.isdecimal() and len(part) <= MOST_DIGITS for part in parts)):
        raise ValueError("no cursor of a list")
    return int(at_ms), int(number)
