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
    failed, and `file:line` where the user's own code raised. `code` says why a model's reply was none, `tool` is the
    one that it called in its text.
    """

    reason: str
    at_ms: int
    ms: int = 0
    """After how many milliseconds it failed."""
    at: str = ""
    """The `file:line` where the user's own code raised."""
    code: ReplyFault | Literal[""] = ""
    tool: str = ""


class Understood(Event, frozen=True, tag="understood"):
    """A message was understood as commands. `claims` are other statements of the understanding: recorded, never
    applied. `dropped` are words for values that the rules did not propose, with the reason. If a model understood it,
    `model`, `prompt`, tokens, cost and `attempts` are as in `ModelReplied`.
    """

    effect: str
    """The id of the effect that this is the result of."""
    commands: tuple[AnyCommand, ...] = ()
    """The commands that were proposed."""
    by: Literal["rules", "model", "function"] = "rules"
    """What understood it."""
    claims: dict[str, Any] = {}
    model: str = ""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    replaced: int = 0
    """How many characters that UTF-8 cannot encode were replaced."""
    attempts: tuple[Attempt, ...] = ()
    request_chars: int = 0
    """The characters to which the request was shortened, since a longer one was too long; 0 if it was not."""
    dropped: tuple[Dropped, ...] = ()
    is_over_budget: bool = False
    """True where a model would have read the message, and a budget left nothing for that."""
    count: TokenCount | None = None
    """What the call of the model used, in a flow with budgets."""


class UnderstandingFailed(Event, frozen=True, tag="understanding_failed"):
    """Understanding failed; the turn continues without commands. `at` is the `file:line` where user code raised,
    `attempts` are those of a model that failed before the last one.
    """

    effect: str
    """The id of the effect that this is the result of."""
    reason: str
    at: str = ""
    attempts: tuple[Attempt, ...] = ()
    count: TokenCount | None = None
    """What the call of the model used, in a flow with budgets."""


class ModelReplied(Event, frozen=True, tag="model_replied"):
    """A model answered, with a text, with calls of tools, or with both. `prompt` is a hash that proves what it was
    shown; `cost` is in US dollars, where the provider's prices are known. `attempts` are those that failed before.
    `thoughts` are those that the provider wants back with the calls.
    """

    effect: str
    """The id of the effect that this is the result of."""
    text: str = ""
    calls: tuple[Call, ...] = ()
    model: str = ""
    """The model that replied, as the provider names it."""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    replaced: int = 0
    """How many characters that UTF-8 cannot encode were replaced."""
    attempts: tuple[Attempt, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    request_chars: int = 0
    """The characters to which the request was shortened, since a longer one was too long; 0 if it was not."""
    count: TokenCount | None = None
    """What the call used, in a flow with budgets."""


class ModelFailed(Event, frozen=True, tag="model_failed"):
    """A model call failed, or its reply was cut off: `text` is the part that had arrived, `at` is `file:line` where the
    user's own code raised. `attempts` are those that failed before the last one. `model` is the name of the model that
    was called, if it has one. `code` says why the reply was none, where one came.
    """

    effect: str
    """The id of the effect that this is the result of."""
    reason: str
    text: str = ""
    replaced: int = 0
    """How many characters that UTF-8 cannot encode were replaced."""
    at: str = ""
    attempts: tuple[Attempt, ...] = ()
    model: str = ""
    code: ReplyFault | Literal[""] = ""
    count: TokenCount | None = None
    """What the call used, in a flow with budgets."""


class ToolReturned(Event, frozen=True, tag="tool_returned"):
    """A tool returned a result (JSON data) after `ms` milliseconds. `attempts` are those that failed before."""

    effect: str
    """The id of the effect that this is the result of."""
    tool: str
    result: Any = None
    ms: int = 0
    call: str = ""
    """The id of the model's call; empty where the tool is the work of the node."""
    replaced: int = 0
    """How many characters that UTF-8 cannot encode were replaced."""
    attempts: tuple[Attempt, ...] = ()


class ToolFailed(Event, frozen=True, tag="tool_failed"):
    """A tool call failed. `in_doubt` is true where the tool may have done its work nevertheless (law 4.5); `not_run`
    is true where no runner was found, so that the call is not a use of the tool (law 4.3). `at` is `file:line` where
    the user's own code raised. `attempts` are those that failed before the last one.
    """

    effect: str
    """The id of the effect that this is the result of."""
    tool: str
    reason: str
    ms: int = 0
    """After how many milliseconds it failed."""
    call: str = ""
    """The id of the model's call; empty where the tool is the work of the node."""
    in_doubt: bool = False
    not_run: bool = False
    at: str = ""
    attempts: tuple[Attempt, ...] = ()


class WordsRecalled(Event, frozen=True, tag="words_recalled"):
    """The runner read words from the journal; `None` where retention erased them."""

    effect: str
    """The id of the effect that this is the result of."""
    words: tuple[str | None, ...]


class StateRecalled(Event, frozen=True, tag="state_recalled"):
    """The runner read the state at the end of an earlier turn, for an undo. `kept` are the tools used since, which an
    undo cannot reverse; `calls` are those that were the work of a node, `made` the ids of those of a model (`None` in
    journals of version 0.1), `effects` all of them that changed the world; `said` is the last text of that turn.
    `frames` are the frames of those in `kept`, empty where all belong to the one in charge then.
    """

    effect: str
    """The id of the effect that this is the result of."""
    turn: int
    """The turn at whose end the state was."""
    state: State | None = None
    """That state; `None` where it cannot be read any more."""
    kept: tuple[str, ...] = ()
    calls: tuple[TakenBack, ...] = ()
    said: str = ""
    made: tuple[str, ...] | None = None
    effects: tuple[KeptEffect, ...] = ()
    frames: tuple[int, ...] = ()


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
