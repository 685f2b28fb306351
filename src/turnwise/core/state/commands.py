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
    """What all commands share: the words they came from (start and end in the message, in
    characters), a confidence from 0 to 1, which is recorded and decides nothing, and the objection for which the
    machine refuses it.
    """

    words: tuple[int, int] | None = None
    """Start and end of the words in the message that it came from, in characters."""
    confidence: float | None = None
    """From 0 to 1; it is recorded and decides nothing."""
    objection: Objection = ""
    """Why the machine refuses it although it was understood; empty for most."""


class Set(Command, frozen=True, tag="set", kw_only=True):
    """Give a field a value. Without a field the machine finds the one that is corrected (law 7.3)."""

    value: Any
    """The value as it was understood, to be checked by the type of the field."""
    field: str = ""
    """The address of the field; empty where the machine finds it."""
    correction: bool = False
    """True if the user replaces a value that they know to be there."""


class Clear(Command, frozen=True, tag="clear", kw_only=True):
    """Take a field's value away."""

    field: str
    """The address of the field."""


class Add(Command, frozen=True, tag="add", kw_only=True):
    """Put an item into a list field. An item of a list of records is its values by name; some may be missing."""

    field: str
    """The address of the list."""
    item: Any
    """The item, or its values by name."""


ItemRef = str | int | dict[str, Any]
"""How a command names an item of a list of records: by its id, by its position (from 1; -1 is the last), or by values
that it has.
"""


class Change(Command, frozen=True, tag="change", kw_only=True):
    """Set a value of an item of a list of records; the value `None` removes it."""

    field: str
    """The address of the list."""
    item: ItemRef
    """The item that is changed."""
    name: str
    """The name of the value."""
    value: Any = None
    """The new value, as it was understood; `None` removes the old one."""


class Remove(Command, frozen=True, tag="remove", kw_only=True):
    """Take an item out of a list field: the item itself, or as an `ItemRef` names one of a list of records."""

    field: str
    """The address of the list."""
    item: Any
    """The item that is removed."""


class Move(Command, frozen=True, tag="move", kw_only=True):
    """Move an item of a list of records to a position, from 1; -1 is the last."""

    field: str
    """The address of the list."""
    item: ItemRef
    """The item that is moved."""
    to: int
    """Its new position, from 1; -1 is the last."""


class Copy(Command, frozen=True, tag="copy", kw_only=True):
    """Add copies of an item of a list of records at its end, with some values changed."""

    field: str
    """The address of the list."""
    item: ItemRef
    """The item that is copied."""
    count: int = 1
    """How many copies."""
    changes: dict[str, Any] = {}
    """Other values of the copies, by name."""


ItemCommand = Add | Change | Remove | Move | Copy
"""The commands that change items of a list."""


class Affirm(Command, frozen=True, tag="affirm"):
    """Yes, to what the machine asked."""


class Deny(Command, frozen=True, tag="deny"):
    """No, to what the machine asked."""


class Edit(Command, frozen=True, tag="edit", kw_only=True):
    """Change an answer; without a field the machine asks which."""

    field: str = ""
    """The field whose answer is changed."""


class Skip(Command, frozen=True, tag="skip"):
    """Skip the open question."""


class Back(Command, frozen=True, tag="back"):
    """Ask the question before the open one again; its answer stays until it is replaced."""


class Help(Command, frozen=True, tag="help", kw_only=True):
    """Explain the open question, or a field."""

    field: str = ""
    """The field about which help is asked; empty for the open question."""


class Why(Command, frozen=True, tag="why", kw_only=True):
    """Say why: the question, the last move, or what a field is needed for."""

    field: str = ""
    """The field that is asked about."""
    text: str = ""
    """A whole question of the user; empty without one."""
    answer: str = ""
    """What the runner found in the journal for that question."""


class Repeat(Command, frozen=True, tag="repeat"):
    """Say the open question or the last reply again."""


class Wait(Command, frozen=True, tag="wait"):
    """The user needs a moment: wait, and ask nothing."""


class Cancel(Command, frozen=True, tag="cancel"):
    """Stop the form or the scope."""


class Restart(Command, frozen=True, tag="restart"):
    """Begin the form or the scope again."""


class Undo(Command, frozen=True, tag="undo"):
    """Take the last turn back."""


class Start(Command, frozen=True, tag="start", kw_only=True):
    """Begin a scope, with values for fields of its input as the user typed them."""

    target: str
    """The scope."""
    input: dict[str, Any] = {}
    """Values of its input, by field."""


class HandOver(Command, frozen=True, tag="hand_over"):
    """Let a person take over."""


class Ask(Command, frozen=True, tag="ask", kw_only=True):
    """Answer a question of the user aside, and go on."""

    text: str
    """The question."""


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
    "several", "corrected", "denied", "doubtful", "question", "about_another", "other_words", "not_alone", "elsewhere"
]
"""Why words for a value were not proposed: the message names several values for the field; a later part corrects it,
denies it, doubts it, asks it or is about another person; other words stand beside it that the rules do not know; the
field is not the one that is asked, and the words are not the whole answer to it; or the node in charge does not take
the field from messages.
"""


class Dropped(Struct, frozen=True, gc=False):
    """Words of a message (start and end, in characters) that stand for a value of a field, and for which nothing was
    proposed. None are recorded where the message may give a secret.
    """

    words: tuple[int, int]
    """Start and end of the words in the message, in characters."""
    field: str
    """The field whose value they stand for."""
    value: Any
    """The value that they stand for."""
    reason: DropReason
    """Why nothing was proposed."""


class CommandsByRules(list[AnyCommand]):
    """Commands that the offline rules proposed, so that the journal names them as the reader of the message."""

    dropped: tuple[Dropped, ...] = ()
    """The words for which the rules proposed no command."""
    has_more: bool = False
    """True if the message has a value that fits no allowed field."""


COMMANDS: Mapping[str, Callable[..., AnyCommand]] = {
    str(command.__struct_config__.tag): command for command in get_args(AnyCommand)
}
"""The commands by name, as in flows and on the wire."""


def name_of(command: AnyCommand) -> CommandName:
    """Return the name of a command, as in flows and on the wire."""
    return cast("CommandName", command.__struct_config__.tag)
