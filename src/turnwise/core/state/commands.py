"""The commands that understanding may propose to the machine: set, skip, affirm, edit and others (section 7 of the
laws).

Whoever understands only proposes; the machine applies or refuses each command, with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, cast, get_args

from msgspec import Struct

CommandName = Literal[
    "set",
    "clear",
    "add",
    "change",
    "remove",
    "move",
    "copy",
    "affirm",
    "deny",
    "edit",
    "skip",
    "back",
    "help",
    "why",
    "repeat",
    "wait",
    "cancel",
    "restart",
    "undo",
    "start",
    "hand_over",
    "ask",
]
"""The tag of each command."""


Objection = Literal[
    "",
    "misquoted",
    "no_value",
    "unsupported",
    "no_plain_yes",
    "contradicted",
    "beside_question",
    "not_named",
    "doubtful",
]
"""Why a command is not borne out by the message (law 7.1a); empty if it is. `not_named` is a value for a field whose
question was not open; `doubtful` a text that is rather no answer to the open question (law 5.8).
"""


class Command(Struct, frozen=True, gc=False, omit_defaults=True):
    """The base class of commands: what the understanding of a message proposes, such as setting a field."""

    words: tuple[int, int] | None = None
    """Start and end (exclusive) of the command's words, in characters of the message; `None` if not known."""
    confidence: float | None = None
    """How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say."""
    objection: Objection = ""
    """Why the machine refuses the command although it was understood; empty if it does not."""


class Set(Command, frozen=True, tag="set", kw_only=True):
    """Set the value of a field; without `field` the machine finds the field that is corrected (law 7.3)."""

    value: Any
    """The value as it was understood; the type of the field checks it later."""
    field: str = ""
    """The address of the field; empty where the machine finds it."""
    correction: bool = False
    """True if the user replaces a value and knows that it was set."""


class Clear(Command, frozen=True, tag="clear", kw_only=True):
    """Remove the value of a field."""

    field: str
    """The address of the field."""


class Add(Command, frozen=True, tag="add", kw_only=True):
    """Add an item to a list field; in a list of records `item` is a dict of values by name, some may be missing."""

    field: str
    """The address of the list."""
    item: Any
    """The item; in a list of records its values by name."""


ItemRef = str | int | dict[str, Any]
"""How a command names an item of a list of records: by its id, by its position (from 1; -1 is the last), or by values
that it has.
"""


class Change(Command, frozen=True, tag="change", kw_only=True):
    """Set a value of an item of a list of records; the value `None` removes it."""

    field: str
    """The address of the list."""
    item: ItemRef
    """The item that is changed, by id, position or values."""
    name: str
    """The name of the value of the item, which is a field of its record."""
    value: Any = None
    """The new value, as it was understood; `None` removes the old one."""


class Remove(Command, frozen=True, tag="remove", kw_only=True):
    """Remove an item from a list field: `item` is the item itself, or an `ItemRef` in a list of records."""

    field: str
    """The address of the list."""
    item: Any
    """The item that is removed, or an `ItemRef` that names it."""


class Move(Command, frozen=True, tag="move", kw_only=True):
    """Move an item of a list of records to a position, counted from 1; -1 is the last."""

    field: str
    """The address of the list."""
    item: ItemRef
    """The item that is moved, by id, position or values."""
    to: int
    """The new position of the item, counted from 1; -1 is the last."""


class Copy(Command, frozen=True, tag="copy", kw_only=True):
    """Append copies of an item of a list of records to the list, with some values changed."""

    field: str
    """The address of the list."""
    item: ItemRef
    """The item that is copied, by id, position or values."""
    count: int = 1
    """How many copies are added."""
    changes: dict[str, Any] = {}
    """The values in which the copies differ from the item, by name."""


ItemCommand = Add | Change | Remove | Move | Copy
"""The commands that change items of a list."""


class Affirm(Command, frozen=True, tag="affirm"):
    """Answer yes to what the machine asked."""


class Deny(Command, frozen=True, tag="deny"):
    """Answer no to what the machine asked."""


class Edit(Command, frozen=True, tag="edit", kw_only=True):
    """Change an answer of a form; without a field the machine asks which answer."""

    field: str = ""
    """The address of the field whose answer is changed; empty if the machine is to ask."""


class Skip(Command, frozen=True, tag="skip"):
    """Skip the open question of a form."""


class Back(Command, frozen=True, tag="back"):
    """Ask the question before the open one again; its answer stays until it is replaced."""


class Help(Command, frozen=True, tag="help", kw_only=True):
    """Explain the open question, or a field."""

    field: str = ""
    """The address of the field about which help is asked; empty for the open question."""


class Why(Command, frozen=True, tag="why", kw_only=True):
    """Explain to the user why: the open question, the last move, or what a field is needed for."""

    field: str = ""
    """The address of the field that the user asks about; empty if about none."""
    text: str = ""
    """The whole question of the user in words; empty without one."""
    answer: str = ""
    """The answer that the runner found in the journal to `text`; empty if there is none."""


class Repeat(Command, frozen=True, tag="repeat"):
    """Say the open question or the last reply again."""


class Wait(Command, frozen=True, tag="wait"):
    """The user needs time: the machine waits, and asks nothing."""


class Cancel(Command, frozen=True, tag="cancel"):
    """Stop the open form or scope."""


class Restart(Command, frozen=True, tag="restart"):
    """Begin the open form or scope again."""


class Undo(Command, frozen=True, tag="undo"):
    """Undo the last turn."""


class Start(Command, frozen=True, tag="start", kw_only=True):
    """Open a scope, with values for fields of its input as the user typed them."""

    target: str
    """The name of the scope to open."""
    input: dict[str, Any] = {}
    """Values for the scope's input, by field."""


class HandOver(Command, frozen=True, tag="hand_over"):
    """Hand the conversation over to a person."""


class Ask(Command, frozen=True, tag="ask", kw_only=True):
    """Answer a question of the user aside, without leaving the node or the form."""

    text: str
    """The user's question, in words."""


AnyCommand = (
    Set
    | Clear
    | ItemCommand
    | Affirm
    | Deny
    | Edit
    | Skip
    | Back
    | Help
    | Why
    | Repeat
    | Wait
    | Cancel
    | Restart
    | Undo
    | Start
    | HandOver
    | Ask
)
"""Every command."""


DropReason = Literal[
    "several",
    "corrected",
    "denied",
    "doubtful",
    "question",
    "beside_question",
    "about_another",
    "other_words",
    "not_alone",
    "elsewhere",
]
"""Why words for a value were not proposed: the message names several values for the field; a later part corrects it,
denies it, doubts it, asks it or is about another person; the message also asks a question, which may be about it; other
words stand beside it that the rules do not know; the field is not the one that is asked, and the words are not the
whole answer to it; or the node in charge does not take the field from messages.
"""


class Dropped(Struct, frozen=True, gc=False):
    """Words of a message that state a value of a field, and for which no command was proposed.

    None are recorded where the message may give a secret.
    """

    words: tuple[int, int]
    """Start and end (exclusive) of the words, in characters of the message."""
    field: str
    """The address of the field whose value the words state."""
    value: Any
    """The value that the words state."""
    reason: DropReason
    """Why no command was proposed for the words."""


class CommandsByRules(list[AnyCommand]):
    """A list of commands that the offline rules proposed; the journal then names the rules as their source."""

    dropped: tuple[Dropped, ...] = ()
    """The words of the message for which the rules proposed no command."""
    has_more: bool = False
    """True if the message also has a value that fits no allowed field."""


COMMANDS: Mapping[str, Callable[..., AnyCommand]] = {
    str(command.__struct_config__.tag): command for command in get_args(AnyCommand)
}
"""The commands by name, as in flows and on the wire."""


def name_of(command: AnyCommand) -> CommandName:
    """Return the name of a command as flows and the wire write it, such as `set`."""
    return cast("CommandName", command.__struct_config__.tag)
