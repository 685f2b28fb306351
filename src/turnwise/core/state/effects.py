"""Effects: the work that the core requests, and the messages of a model call, which the journal keeps."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct


class Call(Struct, frozen=True, gc=False, omit_defaults=True):
    """A call of a tool by a model. `id` is ours: the effect it came with and its number there. `wrong` says why
    its arguments cannot be read, where they cannot.
    """

    id: str
    tool: str
    arguments: dict[str, Any] = {}
    """The arguments by name."""
    wrong: str = ""


class Thought(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a provider wants back with the calls of a reply: a thought with its signature, or a mark of a call or text.

    `model` is the only one that it is sent to. `calls` is the number of calls before it, for a mark of a call that call
    included.
    """

    model: str
    kind: Literal["thought", "call", "text"] = "thought"
    calls: int = 0
    text: str = ""
    signature: str = ""
    """The signature by which the provider knows its own thought."""
    id: str = ""
    provider: str = ""
    """The provider that it came from."""
    details: dict[str, Any] = {}
    """What else the provider wants back, unchanged."""


class Message(Struct, frozen=True, gc=False, omit_defaults=True):
    """One message of a transcript: the user's, the agent's with the tools it called, or what a tool gave back.

    `call` and `tool` say of a result to which call it belongs; `result` is JSON data. `person` is the name of the
    operator where the text is a person's, who was in charge; the text says so too. `thoughts` came with the calls.
    """

    role: Literal["user", "agent", "tool"]
    text: str = ""
    calls: tuple[Call, ...] = ()
    """The calls of tools that came with the agent's text."""
    call: str = ""
    tool: str = ""
    result: Any = None
    is_error: bool = False
    """True where the tool failed."""
    person: str = ""
    thoughts: tuple[Thought, ...] = ()


class ToolSpec(Struct, frozen=True, gc=False):
    """A tool as it is described to a model; `parameters` is the JSON Schema of its arguments."""

    name: str
    about: str
    """What the tool does, for the model."""
    parameters: dict[str, Any]


class Understand(Struct, frozen=True, gc=False, tag="understand", omit_defaults=True):
    """Read the turn's message and propose commands; answered by `Understood` or `UnderstandingFailed`.

    Where `field` is set, only the offline rules read the message, for this one field: no model may (law 5.2).
    With `by_rules` no budget allows a call of a model; `model` is the one that a budget puts in the place of another.
    """

    id: str
    """The id of the effect, by which its result names it."""
    field: str = ""
    by_rules: bool = False
    model: str = ""


Purpose = Literal["reply", "aside", "word", "choose", "summary", "offer"]
"""For what a model is called."""


NO_MODEL: Final = "none"
"""The recorded name of the model if none is connected: the reply is then a notice, or empty where none is needed."""


class CallModel(Struct, frozen=True, gc=False, tag="call_model"):
    """Let the model speak for the node in charge; answered by `ModelReplied` or `ModelFailed`.

    `purpose` is the node's own work, an answer aside to a question that came during a form, to put a form's question
    in the node's own words (`about` is the question), to choose a way out where the node's work is done and none
    was chosen, to write the summary of the scope in charge, which closes with the outcome `about`, or to put the opener
    of an offer (`about`) in the node's own words.
    """

    id: str
    """The id of the effect, by which its result names it."""
    purpose: Purpose = "reply"
    about: str = ""


class RunTool(Struct, frozen=True, gc=False, tag="run_tool", omit_defaults=True):
    """Run a tool; answered by `ToolReturned` or `ToolFailed`. `call` is the call of a model that it answers, empty
    where the tool is a node's own work. `was_begun` is true where it may have run before under this id, as after a
    crash.
    """

    id: str
    """The id of the effect, by which its result names it."""
    tool: str
    arguments: dict[str, Any] = {}
    call: str = ""
    was_begun: bool = False


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
