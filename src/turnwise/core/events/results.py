"""What came back from effects. `replaced` counts lone surrogates, in whose place U+FFFD stands now."""

from __future__ import annotations

from typing import Any, Literal

from turnwise.core.commands import AnyCommand
from turnwise.core.events.base import Event
from turnwise.core.messages import Call
from turnwise.core.state import State, TakenBack


class Understood(Event, frozen=True, tag="understood"):
    """A message was understood as commands. What else was claimed is recorded and not believed. Of an understanding
    by a model, `model`, `prompt`, tokens and cost are as in `ModelReplied`.
    """

    effect: str
    commands: tuple[AnyCommand, ...] = ()
    by: Literal["rules", "model", "function"] = "rules"
    claims: dict[str, Any] = {}
    model: str = ""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    replaced: int = 0


class UnderstandingFailed(Event, frozen=True, tag="understanding_failed"):
    """Understanding failed; the turn goes on without commands. `at` is `file:line` where the user's own code raised."""

    effect: str
    reason: str
    at: str = ""


class ModelReplied(Event, frozen=True, tag="model_replied"):
    """A model answered, with a text, with calls of tools, or with both. `prompt` is a hash that proves what it was
    shown; `cost` is in US dollars, where the provider's prices are known.
    """

    effect: str
    text: str = ""
    calls: tuple[Call, ...] = ()
    model: str = ""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    replaced: int = 0


class ModelFailed(Event, frozen=True, tag="model_failed"):
    """A model did not answer, or not to its end: `text` is what it had said until then, `at` is `file:line` where the
    user's own code raised.
    """

    effect: str
    reason: str
    text: str = ""
    replaced: int = 0
    at: str = ""


class ToolReturned(Event, frozen=True, tag="tool_returned"):
    """A tool gave a result (JSON data), after so many milliseconds."""

    effect: str
    tool: str
    result: Any = None
    ms: int = 0
    call: str = ""
    replaced: int = 0


class ToolFailed(Event, frozen=True, tag="tool_failed"):
    """A tool gave no result. `in_doubt` is true where it may have done its work all the same (law 4.5); `not_run` is
    true where nobody could take the call, so that it is no use of the tool (law 4.3). `at` is `file:line` where the
    user's own code raised.
    """

    effect: str
    tool: str
    reason: str
    ms: int = 0
    call: str = ""
    in_doubt: bool = False
    not_run: bool = False
    at: str = ""


class WordsRecalled(Event, frozen=True, tag="words_recalled"):
    """Words from the journal, `None` where they are no longer kept."""

    effect: str
    words: tuple[str | None, ...]


class StateRecalled(Event, frozen=True, tag="state_recalled"):
    """The state at the end of an earlier turn, and what was performed since and stays: the tools, and the calls among
    them that were the work of a node. `said` is what was said last in that turn.
    """

    effect: str
    turn: int
    state: State | None = None
    kept: tuple[str, ...] = ()
    calls: tuple[TakenBack, ...] = ()
    said: str = ""


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
