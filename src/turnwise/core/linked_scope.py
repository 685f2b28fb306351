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
    """A field that is copied into or out of a scope: its address inside and outside."""

    inside: str
    """The address of the field inside the scope."""
    outside: str
    """The address of the field in the conversation around the scope."""


class LinkedScope(Struct, frozen=True):
    """A compiled scope: its names, nodes and transitions, and what it takes and returns.
    The outermost conversation is one, too; its name is empty.
    """

    name: str
    """The qualified name of the scope; empty for the outermost conversation."""
    names: Names
    """The names that guards inside may use."""
    flow_candidates: tuple[Candidate, ...] = ()
    """The candidates of the transitions of the whole scope."""
    enter_candidates: tuple[Candidate, ...] = ()
    """The candidates of the `enter_when` of the scope's nodes."""
    start: str = ""
    """The address of the first node of the scope."""
    scope: Scope | None = None
    """The declaration of the scope; `None` for the outermost conversation."""
    input: Mapping[str, Field] = {}
    """The input fields of the scope, by address."""
    copied_in: tuple[Copied, ...] = ()
    """The fields that are copied into the scope when it opens."""
    returned: tuple[Copied, ...] = ()
    """The fields that are copied back when the scope closes."""
    target_list: str = ""
    """The list outside to which the scope's returned record is added as an item; empty if there is none."""
    takes_message: bool = False
    """True if the user's message that opened the scope is passed into it."""
    summary: Template | None = None
    """The template of the scope's summary; `None` for the default."""
    summary_prompt: Template | None = None
    """The instructions to the model that writes the summary; `None` if only the template is used."""
    opener: LinkedTool | None = None
    """The tool with which models open the scope; `None` if they may not."""
    finish: LinkedTool | None = None
    """The tool with which a model closes the scope; `None` if something else closes it."""
    turns: int | None = None
    """After how many user turns the scope is closed; `None` for no limit."""
    idle_ms: int | None = None
    """After how long without a message the scope is closed, in milliseconds; `None` for no limit."""
    tokens: int | None = None
    """After how many tokens of model calls the scope is closed; `None` for no limit."""
    keep_ms: int | None = None
    """How long the words inside are kept after closing, in milliseconds; `None` as long as the conversation."""
