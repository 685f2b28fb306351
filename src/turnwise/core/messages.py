"""What a model is told and what it answers, in our own form: the journal keeps it, whoever the provider is."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


class Call(Struct, frozen=True, gc=False, omit_defaults=True):
    """A call of a tool by a model. `id` is ours: the effect it came with and its number there. `wrong` says why
    its arguments cannot be read, where they cannot.
    """

    id: str
    tool: str
    arguments: dict[str, Any] = {}
    wrong: str = ""


class Message(Struct, frozen=True, gc=False, omit_defaults=True):
    """One message of a transcript: the user's, the agent's with the tools it called, or what a tool gave back.

    `call` and `tool` say of a result to which call it belongs; `result` is JSON data.
    """

    role: Literal["user", "agent", "tool"]
    text: str = ""
    calls: tuple[Call, ...] = ()
    call: str = ""
    tool: str = ""
    result: Any = None
    is_error: bool = False


class ToolSpec(Struct, frozen=True, gc=False):
    """A tool as a model is told of it; `parameters` is the JSON Schema of its arguments."""

    name: str
    about: str
    parameters: dict[str, Any]
