"""What understanding may see and propose at one moment (law 3.4): fields, commands, the question.

It is built for one message and never stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from turnwise.flow.model import Field


class ExposedField(Struct, frozen=True, gc=False):
    """A field that a message may fill.

    `title` is the question or what the field is about; `value` is what it holds now (`None` while
    it is missing); `is_free_text` is true where any text would be an answer, `takes_anything` where that holds even
    for a question, a bare yes and the like.
    """

    address: str
    field: Field
    title: str = ""
    value: Any = None
    is_free_text: bool = False
    takes_anything: bool = False


class Exposed(Struct, frozen=True, gc=False):
    """The schema of one understanding.

    `asked` is the field whose question is open (empty before it was put), `last` the one that was
    asked or filled last, `question` what kind of answer is awaited. `phrases` are the flow's own, by
    kind, in place of those that the language ships. `needed` are the fields that the node collects and
    still lacks, where it has spoken before and no question is open. `conversation` is the name of the
    conversation, `has_model` is true where a model speaks, so that what it last asked for is not known.
    """

    language: str
    zone: str
    now_ms: int
    fields: tuple[ExposedField, ...] = ()
    commands: tuple[str, ...] = ()
    asked: str = ""
    last: str = ""
    question: Literal["", "field", "confirmation", "chooser", "call"] = ""
    starts: tuple[str, ...] = ()
    phrases: Mapping[str, tuple[str, ...]] = {}
    needed: tuple[str, ...] = ()
    conversation: str = ""
    has_model: bool = False

    def field(self, address: str) -> ExposedField | None:
        """The exposed field at an address."""
        return next((f for f in self.fields if f.address == address), None)
