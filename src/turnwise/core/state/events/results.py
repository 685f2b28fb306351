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
    """An attempt of a call that failed and was repeated: why it failed, when it began, after how many milliseconds it
    failed, and where.
    """

    reason: str
    """Why it failed."""
    at_ms: int
    """When it began."""
    ms: int = 0
    """After how many milliseconds it failed."""
    at: str = ""
    """The `file:line` where the user's own code raised."""
    code: ReplyFault | Literal[""] = ""
    """Why a model's reply was none; empty where no reply came."""
    tool: str = ""
    """The tool that the model called in its text; empty if none."""


class Understood(Event, frozen=True, tag="understood"):
    """A message was understood as commands."""

    effect: str
    """The id of the effect that this is the result of."""
    commands: tuple[AnyCommand, ...] = ()
    """The commands that were proposed."""
    by: Literal["rules", "model", "function"] = "rules"
    """What understood it."""
    claims: dict[str, Any] = {}
    """Other statements of the understanding: recorded, never applied."""
    model: str = ""
    """The model that understood it; empty if none did."""
    prompt: str = ""
    """A hash that proves what the model was shown; empty without a model."""
    tokens_in: int = 0
    """The tokens of the model's prompt."""
    tokens_out: int = 0
    """The tokens of the model's reply."""
    cost: float | None = None
    """The cost in US dollars; `None` where the provider's prices are not known."""
    replaced: int = 0
    """How many characters that UTF-8 cannot encode were replaced."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts of the model that failed before."""
    request_chars: int = 0
    """The characters to which the request was shortened, since a longer one was too long; 0 if it was not."""
    dropped: tuple[Dropped, ...] = ()
    """Words for values that the rules did not propose, with the reason."""
    is_over_budget: bool = False
    """True where a model would have read the message, and a budget left nothing for that."""
    count: TokenCount | None = None
    """What the call of the model used, in a flow with budgets."""


class UnderstandingFailed(Event, frozen=True, tag="understanding_failed"):
    """Understanding failed; the turn continues without commands."""

    effect: str
    """The id of the effect that this is the result of."""
    reason: str
    """Why it failed."""
    at: str = ""
    """The `file:line` where user code raised; empty if none did."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts of a model that failed before the last one."""
    count: TokenCount | None = None
    """What the call of the model used, in a flow with budgets."""


class ModelReplied(Event, frozen=True, tag="model_replied"):
    """A model answered, with a text, with calls of tools, or with both."""

    effect: str
    """The id of the effect that this is the result of."""
    text: str = ""
    calls: tuple[Call, ...] = ()
    """The calls of tools that the model asks for."""
    model: str = ""
    """The model that replied, as the provider names it."""
    prompt: str = ""
    """A hash that proves what the model was shown."""
    tokens_in: int = 0
    """The tokens of the prompt."""
    tokens_out: int = 0
    """The tokens of the reply."""
    cost: float | None = None
    """The cost in US dollars; `None` where the provider's prices are not known."""
    replaced: int = 0
    """How many characters that UTF-8 cannot encode were replaced."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before."""
    thoughts: tuple[Thought, ...] = ()
    """What the provider wants back with the calls."""
    request_chars: int = 0
    """The characters to which the request was shortened, since a longer one was too long; 0 if it was not."""
    count: TokenCount | None = None
    """What the call used, in a flow with budgets."""


class ModelFailed(Event, frozen=True, tag="model_failed"):
    """A model call failed, or its reply was cut off."""

    effect: str
    """The id of the effect that this is the result of."""
    reason: str
    """Why it failed."""
    text: str = ""
    """The part of the reply that had arrived."""
    replaced: int = 0
    """How many characters that UTF-8 cannot encode were replaced."""
    at: str = ""
    """The `file:line` where the user's own code raised; empty if none did."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before the last one."""
    model: str = ""
    """The name of the model that was called; empty if it has none."""
    code: ReplyFault | Literal[""] = ""
    """Why the reply was none, where one came; else empty."""
    count: TokenCount | None = None
    """What the call used, in a flow with budgets."""


class ToolReturned(Event, frozen=True, tag="tool_returned"):
    """A tool returned a result."""

    effect: str
    """The id of the effect that this is the result of."""
    tool: str
    result: Any = None
    """The result as JSON data."""
    ms: int = 0
    """After how many milliseconds it returned."""
    call: str = ""
    """The id of the model's call; empty where the tool is the work of the node."""
    replaced: int = 0
    """How many characters that UTF-8 cannot encode were replaced."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before."""


class ToolFailed(Event, frozen=True, tag="tool_failed"):
    """A tool call failed."""

    effect: str
    """The id of the effect that this is the result of."""
    tool: str
    reason: str
    """Why it failed."""
    ms: int = 0
    """After how many milliseconds it failed."""
    call: str = ""
    """The id of the model's call; empty where the tool is the work of the node."""
    in_doubt: bool = False
    """True where the tool may have done its work nevertheless (law 4.5)."""
    not_run: bool = False
    """True where no runner was found, so that the call is not a use of the tool (law 4.3)."""
    at: str = ""
    """The `file:line` where the user's own code raised; empty if none did."""
    attempts: tuple[Attempt, ...] = ()
    """The attempts that failed before the last one."""


class WordsRecalled(Event, frozen=True, tag="words_recalled"):
    """The runner read words from the journal."""

    effect: str
    """The id of the effect that this is the result of."""
    words: tuple[str | None, ...]
    """The texts that were asked for, in order; `None` where retention erased one."""


class StateRecalled(Event, frozen=True, tag="state_recalled"):
    """The runner read the state at the end of an earlier turn, for an undo."""

    effect: str
    """The id of the effect that this is the result of."""
    turn: int
    """The turn at whose end the state was."""
    state: State | None = None
    """That state; `None` where it cannot be read any more."""
    kept: tuple[str, ...] = ()
    """The tools used since, which an undo cannot reverse."""
    calls: tuple[TakenBack, ...] = ()
    """Calls of these tools that were the work of a node."""
    said: str = ""
    """The last text of that turn."""
    made: tuple[str, ...] | None = None
    """The ids of a model's calls of these tools; `None` in journals of version 0.1."""
    effects: tuple[KeptEffect, ...] = ()
    """All calls of these tools that changed the world."""
    frames: tuple[int, ...] = ()
    """The frames of those in `kept`; empty where all belong to the one in charge then."""


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
