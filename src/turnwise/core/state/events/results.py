"""Results of effects: of understanding, of models and tools, and what was read back from the journal."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.state import KeptEffect, State, TakenBack
from turnwise.core.state.commands import AnyCommand, Dropped
from turnwise.core.state.effects import Call, Thought
from turnwise.core.state.events.base import Event
from turnwise.core.state.kinds import ReplyFault
from turnwise.core.state.spending import TokenCount


class Attempt(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """An attempt of a call that failed and was repeated: the reason, its time, and its duration."""

    reason: str
    """Why the attempt failed, in words."""
    at_ms: int
    """When the attempt began, in milliseconds since 1970."""
    ms: int = 0
    """How long the attempt took until it failed, in milliseconds."""
    at: str = ""
    """The `file:line` where the user's own code raised; empty if it did not."""
    code: ReplyFault | Literal[""] = ""
    """What was wrong with the model's reply; empty where no reply came."""
    tool: str = ""
    """The tool that the model called by writing the call as text; empty if none."""


class Understood(Event, frozen=True, tag="understood"):
    """A message was interpreted as commands."""

    effect: str
    """The id of the effect whose result this is."""
    commands: tuple[AnyCommand, ...] = ()
    """The commands that were proposed."""
    by: Literal["rules", "model", "function"] = "rules"
    """Who understood the message: the offline rules, a model, or a function of the host."""
    claims: dict[str, Any] = {}
    """Other statements of the understanding, by name: recorded, never applied."""
    model: str = ""
    """The name of the model that understood the message; empty without one."""
    prompt: str = ""
    """A hash of the prompt that the model got; empty without a model."""
    tokens_in: int = 0
    """The number of tokens of the model's prompt."""
    tokens_out: int = 0
    """The number of tokens of the model's reply."""
    cost: float | None = None
    """The cost in US dollars; `None` where the provider's prices are not known."""
    replaced: int = 0
    """How many characters were replaced, since UTF-8 cannot encode them."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before this result."""
    request_chars: int = 0
    """The number of characters to which the request was cut, since a longer one was too long; 0 if it was not cut."""
    dropped: tuple[Dropped, ...] = ()
    """Words that state a value for which the rules proposed no command, with the reason."""
    is_over_budget: bool = False
    """True if a budget prevented that a model read the message."""
    count: TokenCount | None = None
    """The tokens of the model call, in a flow with budgets; else `None`."""


class UnderstandingFailed(Event, frozen=True, tag="understanding_failed"):
    """Understanding failed; the turn continues without commands."""

    effect: str
    """The id of the effect whose result this is."""
    reason: str
    """Why understanding failed, in words."""
    at: str = ""
    """The `file:line` where user code raised; empty if none did."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before the last one."""
    count: TokenCount | None = None
    """The tokens of the model call, in a flow with budgets; else `None`."""


class ModelReplied(Event, frozen=True, tag="model_replied"):
    """A model replied, with a text, with tool calls, or with both."""

    effect: str
    """The id of the effect whose result this is."""
    text: str = ""
    """The text of the reply; empty where it has only tool calls."""
    calls: tuple[Call, ...] = ()
    """The calls of tools that the model asks for."""
    model: str = ""
    """The model that replied, as the provider names it."""
    prompt: str = ""
    """A hash of the prompt that the model got."""
    tokens_in: int = 0
    """The number of tokens of the prompt."""
    tokens_out: int = 0
    """The number of tokens of the reply."""
    cost: float | None = None
    """The cost in US dollars; `None` where the provider's prices are not known."""
    replaced: int = 0
    """How many characters were replaced, since UTF-8 cannot encode them."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before this reply."""
    thoughts: tuple[Thought, ...] = ()
    """Provider data, such as signed thoughts, that must be sent back with the calls."""
    request_chars: int = 0
    """The number of characters to which the request was cut, since a longer one was too long; 0 if it was not cut."""
    count: TokenCount | None = None
    """The tokens of the call, in a flow with budgets; else `None`."""


class ModelFailed(Event, frozen=True, tag="model_failed"):
    """A model call failed, or its reply was cut off."""

    effect: str
    """The id of the effect whose result this is."""
    reason: str
    """Why the call failed, in words."""
    text: str = ""
    """The part of the reply that had arrived; empty if nothing had."""
    replaced: int = 0
    """How many characters were replaced, since UTF-8 cannot encode them."""
    at: str = ""
    """The `file:line` where the user's own code raised; empty if none did."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before the last one."""
    model: str = ""
    """The name of the model that was called; empty if it has no name."""
    code: ReplyFault | Literal[""] = ""
    """What was wrong with the reply; empty where no reply came."""
    count: TokenCount | None = None
    """The tokens of the call, in a flow with budgets; else `None`."""


class ToolReturned(Event, frozen=True, tag="tool_returned"):
    """A tool returned a result."""

    effect: str
    """The id of the effect whose result this is."""
    tool: str
    """The name of the tool."""
    result: Any = None
    """The result of the tool, as JSON data; `None` if it returned nothing."""
    ms: int = 0
    """How long the tool ran, in milliseconds."""
    call: str = ""
    """The id of the model's call; empty if the node itself called the tool."""
    replaced: int = 0
    """How many characters were replaced, since UTF-8 cannot encode them."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before this result."""


class ToolFailed(Event, frozen=True, tag="tool_failed"):
    """A tool call failed, or its outcome is not known (`in_doubt`)."""

    effect: str
    """The id of the effect whose result this is."""
    tool: str
    """The name of the tool."""
    reason: str
    """Why the call failed, in words."""
    ms: int = 0
    """How long the call took until it failed, in milliseconds."""
    call: str = ""
    """The id of the model's call; empty if the node itself called the tool."""
    in_doubt: bool = False
    """True if the tool may have done its work although the call failed (law 4.5)."""
    not_run: bool = False
    """True if the tool has no implementation here, so that the call does not count as a use of it (law 4.3)."""
    at: str = ""
    """The `file:line` where the user's own code raised; empty if none did."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before the last one."""


class WordsRecalled(Event, frozen=True, tag="words_recalled"):
    """The runner read texts from messages of the journal, for `RecallWords`."""

    effect: str
    """The id of the effect whose result this is."""
    words: tuple[str | None, ...]
    """The texts, in the order of the request; `None` for a text that retention erased."""


class StateRecalled(Event, frozen=True, tag="state_recalled"):
    """The runner read the state at the end of an earlier turn, for an undo (`RecallState`)."""

    effect: str
    """The id of the effect whose result this is."""
    turn: int
    """The number of the turn at whose end the state was."""
    state: State | None = None
    """The state at the end of that turn; `None` if it can no longer be read."""
    kept: tuple[str, ...] = ()
    """The names of the tools that were used since and whose effects an undo cannot reverse."""
    calls: tuple[TakenBack, ...] = ()
    """The calls of those tools that nodes made themselves."""
    said: str = ""
    """The last text that was sent to the user in that turn; empty if none was."""
    made: tuple[str, ...] | None = None
    """The ids of the calls of those tools that a model made; `None` in journals of version 0.1."""
    effects: tuple[KeptEffect, ...] = ()
    """All calls of those tools that changed the world."""
    frames: tuple[int, ...] = ()
    """The frame ids of the tools in `kept`, in the same order; empty if all belong to the frame in charge then."""


ResultEvent = (
    Understood
    | UnderstandingFailed
    | ModelReplied
    | ModelFailed
    | ToolReturned
    | ToolFailed
    | WordsRecalled
    | StateRecalled
)
"""The results of effects."""
