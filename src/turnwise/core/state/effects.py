"""Effects: the work that the core requests, and the messages of a model call, which the journal keeps."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct


class Call(Struct, frozen=True, gc=False, omit_defaults=True):
    """A call of a tool by a model."""

    id: str
    """The id of the call, made by turnwise: the id of the effect that asked the model, and a number."""
    tool: str
    """The name of the tool."""
    arguments: dict[str, Any] = {}
    """The arguments of the call, by name."""
    wrong: str = ""
    """Why the arguments cannot be read; empty if they can."""


class Thought(Struct, frozen=True, gc=False, omit_defaults=True):
    """Provider data that must be sent back with the calls of a reply: a signed thought, or a mark of a call or text."""

    model: str
    """The model that wrote the thought, and the only one to which it is sent."""
    kind: Literal["thought", "call", "text"] = "thought"
    """Whether this is a thought, or a mark of a call or of the text."""
    calls: int = 0
    """How many calls of the reply come before the thought; for a mark of a call, that call included."""
    text: str = ""
    """The words of the thought; empty for a mark."""
    signature: str = ""
    """The signature by which the provider recognizes its own thought."""
    id: str = ""
    """The id that the provider gave the thought; empty if none."""
    provider: str = ""
    """The name of the provider that sent the thought."""
    details: dict[str, Any] = {}
    """Other data that the provider needs back unchanged, by key."""


class Message(Struct, frozen=True, gc=False, omit_defaults=True):
    """One message of a transcript: of the user, of the agent with its tool calls, or the result of a tool."""

    role: Literal["user", "agent", "tool"]
    """Who the message is from."""
    text: str = ""
    """The text of the message; empty for the result of a tool."""
    calls: tuple[Call, ...] = ()
    """The calls of tools that came with the agent's text."""
    call: str = ""
    """For the result of a tool: the id of the call that it answers; else empty."""
    tool: str = ""
    """For the result of a tool: the name of the tool; else empty."""
    result: Any = None
    """For the result of a tool: what the tool returned, as JSON data; else `None`."""
    is_error: bool = False
    """True if this is the result of a tool that failed."""
    person: str = ""
    """The operator who wrote the text; empty for texts of the machine or the user."""
    thoughts: tuple[Thought, ...] = ()
    """Provider data, such as signed thoughts, that must be sent back with the calls."""


class ToolSpec(Struct, frozen=True, gc=False):
    """A tool as a model sees it: name, description and parameters."""

    name: str
    """The name of the tool."""
    about: str
    """The description of the tool, for the model."""
    parameters: dict[str, Any]
    """The JSON Schema of the tool's arguments, as data."""


class Understand(Struct, frozen=True, gc=False, tag="understand", omit_defaults=True):
    """An effect: interpret the turn's message as commands; its result is `Understood` or `UnderstandingFailed`."""

    id: str
    """The id of the effect, which its result refers to."""
    field: str = ""
    """The field whose secret value only the offline rules may read from the message (law 5.2); empty if none."""
    by_rules: bool = False
    """True if only the offline rules read the message, since no budget allows a call of a model."""
    model: str = ""
    """The model that a budget puts in place of the usual one; empty for the usual one."""


Purpose = Literal["reply", "aside", "word", "choose", "summary", "offer"]
"""For what a model is called."""


NO_MODEL: Final = "none"
"""The recorded name of the model if none is connected: the reply is then a notice, or empty where none is needed."""


class CallModel(Struct, frozen=True, gc=False, tag="call_model"):
    """An effect: call the model of the node in charge; its result is `ModelReplied` or `ModelFailed`."""

    id: str
    """The id of the effect, which its result refers to."""
    purpose: Purpose = "reply"
    """What the call is for: a reply, an aside, wording a question or offer, choosing a transition, a summary."""
    about: str = ""
    """The question or opener to word, the question to answer aside, or the outcome of the closing scope; else empty."""


class RunTool(Struct, frozen=True, gc=False, tag="run_tool", omit_defaults=True):
    """An effect: run a tool; its result is `ToolReturned` or `ToolFailed`."""

    id: str
    """The id of the effect, which its result refers to."""
    tool: str
    """The name of the tool."""
    arguments: dict[str, Any] = {}
    """The arguments of the call, by name."""
    call: str = ""
    """The id of the model's call; empty if the node itself calls the tool."""
    was_begun: bool = False
    """True where the tool may have run before under this id, as after a crash."""


class RecallWords(Struct, frozen=True, gc=False, tag="recall_words"):
    """An effect: read texts from messages of the journal; its result is `WordsRecalled`, in the same order."""

    id: str
    """The id of the effect, which its result refers to."""
    places: tuple[tuple[int, int, int], ...]
    """For each text, the position of the message in the journal, and start and end (exclusive) of the text in it."""


class RecallState(Struct, frozen=True, gc=False, tag="recall_state"):
    """An effect: read the state as it was at the end of an earlier turn; its result is `StateRecalled`."""

    id: str
    """The id of the effect, which its result refers to."""
    turn: int
    """The number of the turn at whose end the state is read."""


AnyEffect = Understand | CallModel | RunTool | RecallWords | RecallState
"""Every effect."""
