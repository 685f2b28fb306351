"""Effects: the work that the core requests, and the messages of a model call, which the journal keeps."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct


class Call(Struct, frozen=True, gc=False, omit_defaults=True):
    """A call of a tool by a model."""

    id: str
    """The id that Turnwise gives it: the effect that it came with, and its number there."""
    tool: str
    arguments: dict[str, Any] = {}
    """The arguments by name."""
    wrong: str = ""
    """Why its arguments cannot be read; empty where they can."""


class Thought(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a provider wants back with the calls of a reply: a signed thought, or a mark of a call or text."""

    model: str
    """The only model that it is sent to."""
    kind: Literal["thought", "call", "text"] = "thought"
    """Whether it is a thought, or a mark of a call or of the text."""
    calls: int = 0
    """The number of calls before it; for a mark of a call, that call included."""
    text: str = ""
    """The words of the thought."""
    signature: str = ""
    """The signature by which the provider knows its own thought."""
    id: str = ""
    """The id that the provider gave it."""
    provider: str = ""
    """The provider that it came from."""
    details: dict[str, Any] = {}
    """What else the provider wants back, unchanged."""


class Message(Struct, frozen=True, gc=False, omit_defaults=True):
    """One message of a transcript: the user's, the agent's with the tools it called, or what a tool gave back."""

    role: Literal["user", "agent", "tool"]
    """Whose message it is."""
    text: str = ""
    """What was said; empty for the result of a tool."""
    calls: tuple[Call, ...] = ()
    """The calls of tools that came with the agent's text."""
    call: str = ""
    """Of a result: the id of the call that it belongs to."""
    tool: str = ""
    """Of a result: the tool that was called."""
    result: Any = None
    """What the tool gave back, as JSON data."""
    is_error: bool = False
    """True where the tool failed."""
    person: str = ""
    """The operator in charge who wrote the text, which says so too; empty for the machine's own texts."""
    thoughts: tuple[Thought, ...] = ()
    """What the provider wants back with the calls."""


class ToolSpec(Struct, frozen=True, gc=False):
    """A tool as it is described to a model."""

    name: str
    about: str
    """What the tool does, for the model."""
    parameters: dict[str, Any]
    """The JSON Schema of its arguments."""


class Understand(Struct, frozen=True, gc=False, tag="understand", omit_defaults=True):
    """Read the turn's message and propose commands; answered by `Understood` or `UnderstandingFailed`."""

    id: str
    """The id of the effect, by which its result names it."""
    field: str = ""
    """The one field for which only the offline rules read the message, and no model may (law 5.2); empty if none."""
    by_rules: bool = False
    """True where no budget allows a call of a model."""
    model: str = ""
    """The model that a budget puts in the place of the usual one; empty if none does."""


Purpose = Literal["reply", "aside", "word", "choose", "summary", "offer"]
"""For what a model is called."""


NO_MODEL: Final = "none"
"""The recorded name of the model if none is connected: the reply is then a notice, or empty where none is needed."""


class CallModel(Struct, frozen=True, gc=False, tag="call_model"):
    """Let the model speak for the node in charge; answered by `ModelReplied` or `ModelFailed`."""

    id: str
    """The id of the effect, by which its result names it."""
    purpose: Purpose = "reply"
    """What for: the node's work, an aside, wording a question or an offer, choosing a way out, a scope's summary."""
    about: str = ""
    """The question or the opener to word, the question to answer aside, or the outcome with which the scope closes."""


class RunTool(Struct, frozen=True, gc=False, tag="run_tool", omit_defaults=True):
    """Run a tool; answered by `ToolReturned` or `ToolFailed`."""

    id: str
    """The id of the effect, by which its result names it."""
    tool: str
    arguments: dict[str, Any] = {}
    """The arguments by name."""
    call: str = ""
    """The id of the model's call; empty where the tool is a node's own work."""
    was_begun: bool = False
    """True where it may have run before under this id, as after a crash."""


class RecallWords(Struct, frozen=True, gc=False, tag="recall_words"):
    """Read words back from the journal; answered by `WordsRecalled` in the same order."""

    id: str
    """The id of the effect, by which its result names it."""
    places: tuple[tuple[int, int, int], ...]
    """Of each text: the position of the message, start and end of the words in it."""


class RecallState(Struct, frozen=True, gc=False, tag="recall_state"):
    """Give back the state as it was at the end of a turn; answered by `StateRecalled`."""

    id: str
    """The id of the effect, by which its result names it."""
    turn: int
    """The turn at whose end the state was."""


AnyEffect = Understand | CallModel | RunTool | RecallWords | RecallState
"""Every effect."""
