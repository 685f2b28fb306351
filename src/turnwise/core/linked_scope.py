"""Scopes as they are linked: what goes in and comes out, and the transitions and limits that hold inside."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from turnwise.core.candidates import Candidate
from turnwise.core.guards.scope import Names
from turnwise.core.template import Template
from turnwise.core.toolbox import LinkedTool
from turnwise.flow.model import Field, Scope


class Copied(Struct, frozen=True):
    """A field that goes into a scope or comes out of it: its address inside and outside."""

    inside: str
    """Its address inside the scope."""
    outside: str
    """Its address in the conversation around the scope."""


class LinkedScope(Struct, frozen=True):
    """A scope: the names that hold in it, its nodes, and what it takes and gives back. The outermost conversation is
    one, too; its name is empty.
    """

    name: str
    """Its qualified name; empty for the outermost conversation."""
    names: Names
    """The names that guards inside may use."""
    flow_candidates: tuple[Candidate, ...] = ()
    """The transitions of the whole scope."""
    enter_candidates: tuple[Candidate, ...] = ()
    """The `enter_when` of its nodes."""
    start: str = ""
    """Its first node."""
    scope: Scope | None = None
    """Its declaration; `None` for the outermost conversation."""
    input: Mapping[str, Field] = {}
    """The fields of its input, by address."""
    copied_in: tuple[Copied, ...] = ()
    """The fields that it takes when it is opened."""
    returned: tuple[Copied, ...] = ()
    """The fields that it gives back."""
    target_list: str = ""
    """The list outside that takes the record that it gives back as an item; empty if none does."""
    takes_message: bool = False
    """True if it knows the message that opened it."""
    summary: Template | None = None
    """The template of its summary."""
    summary_prompt: Template | None = None
    """The instructions by which a model writes the summary; `None` where the template is all."""
    opener: LinkedTool | None = None
    """The tool by which models open it; `None` where none may."""
    finish: LinkedTool | None = None
    """The tool by which a model closes it, where nothing else does."""
    turns: int | None = None
    """After how many of the user's turns it is closed."""
    idle_ms: int | None = None
    """After how long without a message it is closed."""
    tokens: int | None = None
    """After how many tokens of its model calls it is closed."""
    keep_ms: int | None = None
    """How long the words inside are kept after closing; `None` as long as the conversation."""
