"""Shared services for performing effects: the task, the parts of the app, recording of results and failures.

It performs nothing itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from traceback import format_exception
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec import Struct, ValidationError, to_builtins
from msgspec.json import Decoder, encode

from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.machine import Machine
from turnwise.core.secrets import HIDDEN_KEY, Values, secret_values, without_values
from turnwise.core.state import State, TurnState
from turnwise.core.state import events as e
from turnwise.core.state.commands import CommandsByRules
from turnwise.core.state.kinds import ReplyFault
from turnwise.core.values.json_data import repair_data
from turnwise.core.values.nesting import MOST_STORED, TOO_DEEP, is_text_too_deep
from turnwise.errors import ReplyFailed, TurnwiseError, describe
from turnwise.flow.code import raised_at
from turnwise.runner.cache import TranscriptWindows
from turnwise.runner.model_port import AnyModel, OnDelta
from turnwise.runner.ports import Clock, Store, ToolRunner, Understand
from turnwise.runner.spans import Spans

if TYPE_CHECKING:
    from turnwise.core.prompts.understanding import SaysOther
    from turnwise.runner.meter import Meter

MOST_REASON_CHARS = 2000
"""How many characters the recorded reason of a failure may have."""
MOST_ATTEMPT_REASON_CHARS = 200
"""How many characters the recorded reason may have for which a call was repeated."""
Result = TypeVar("Result", bound=e.ResultEvent)
"""The class of an event with the result of an effect."""
AnswerWhy = Callable[[str, str, int], Awaitable[str]]
"""A function that answers a question of why: from conversation, question and turn number a sentence; empty where the
question is not understood."""
Runners = Mapping[str, ToolRunner]
"""The runner of each tool, by its name."""
_log = logging.getLogger("turnwise.user_code")


class Task(Struct, frozen=True):
    """One effect to perform, with its conversation and the state before it."""

    machine: Machine
    """The machine of the conversation."""
    conversation: str
    """The name of the conversation."""
    state: State
    """The state on which the effect is performed."""
    recent: Sequence[e.Entry]
    """The entries of this turn, which the store may not have yet."""
    again: bool = False
    """True if the effect may have been performed before."""
    started: dict[str, asyncio.Future[e.ToolReturned | e.ToolFailed]] = {}
    """Tool calls of this turn that were started in advance, in parallel, by the id of the call."""
    on_delta: OnDelta | None = None
    """A function that is called with each piece of a model's text; `None` for no streaming."""
    on_shown: OnDelta | None = None
    """A function that is called with each piece of a model's text, without secret values; `None` for no streaming."""
    confirm_claim: Callable[[], Awaitable[None]] | None = None
    """Is awaited before each call that changes the world; raises `Superseded` if the turn is another process's."""

    @property
    def doing(self) -> TurnState:
        """The turn that the effect belongs to."""
        assert self.state.doing is not None
        return self.state.doing


class Services:
    """The parts of an app that perform effects."""

    def __init__(
        self,
        store: Store,
        model: AnyModel,
        understand: Understand | None,
        clock: Clock,
        tools: Runners | None = None,
        spans: Spans | None = None,
    ) -> None:
        self.store = store
        self.model = model
        self.understand = understand
        self.clock = clock
        self.tools = tools or {}
        self.windows = TranscriptWindows(store)
        self.spans = spans
        self.meter: Meter | None = None
        """Receives what turns take and use; `None` where nothing is measured."""
        self.keys: Callable[[], tuple[str, ...]] = tuple
        """Returns the API keys that must not be recorded."""
        self.has_model = False
        self.rules: Callable[[str, AllowedInput], CommandsByRules] = lambda _message, _allowed: CommandsByRules()
        """Understands the messages that no model may read (law 5.2)."""
        self.says_other: SaysOther = lambda _words, _value, _field, _allowed: False
        """Compares the values that a model understood with the words that it quotes (law 7.1a)."""
        self.answer_why: AnswerWhy | None = None
        """Answers the questions of why that users ask, if the app can."""

    def failure(self, task: Task, what: str, error: BaseException) -> tuple[str, str]:
        """Log an error of the user's code, in which `what` names the code; return its reason without secrets and keys,
        and its `file:line`.
        """
        secrets, keys = secret_values(task.machine, task.state), self.keys()
        at = log_user_error(task.conversation, what, error, secrets, keys)
        return without_values(without_values(error_reason(error), secrets), keys, HIDDEN_KEY), at

    def log_guard_error(self, machine: Machine, conversation: str, state: State, error: BaseException) -> None:
        """Log an exception of a Python guard; its message is in the journal."""
        log_user_error(conversation, "a guard", error, secret_values(machine, state), self.keys())


class Attempts:
    """The failed attempts of one call that was repeated.
    `secrets` returns the values that their reasons must not contain.
    """

    def __init__(self, services: Services, secrets: Callable[[], Values]) -> None:
        self.failed: tuple[e.Attempt, ...] = ()
        self._services = services
        self._secrets = secrets
        self._began_ms = 0

    def begin(self) -> None:
        """Note the time at which an attempt begins."""
        self._began_ms = self._services.clock.now_ms()

    def add(self, error: BaseException) -> None:
        """Record that the attempt that began last failed with an error and is repeated."""
        services, ms = self._services, self._services.clock.now_ms() - self._began_ms
        words = without_values(without_values(error_reason(error), self._secrets()), services.keys(), HIDDEN_KEY)
        code, tool = (cast("ReplyFault", error.code), error.tool) if isinstance(error, ReplyFailed) else ("", "")
        self.failed += (e.Attempt(words[:MOST_ATTEMPT_REASON_CHARS], self._began_ms, ms, raised_at(error), code, tool),)


def log_user_error(conversation: str, what: str, error: BaseException, secrets: Values, keys: Values) -> str:
    """Log an error and its traceback, without `secrets` and API `keys`, if the user's own code raised it; `what` names
    the code. Return the `file:line` of that code which raised it; empty if other code did.
    """
    at = raised_at(error)
    if not at or isinstance(error, TurnwiseError):
        return at
    try:
        trace = "".join(format_exception(error)).rstrip().encode(errors="replace").decode()
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  `__str__` of an error is user code too, and may exit
        trace = type(error).__name__
    trace = without_values(without_values(trace, secrets), keys, HIDDEN_KEY)
    _log.error("%s: %s raised an error at %s\n%s", conversation, what, at, trace)
    return at


def error_reason(error: BaseException) -> str:
    """Return the text of an error, cut to the length that a journal records."""
    return describe(error)[:MOST_REASON_CHARS]


def is_turn_cancelled(error: BaseException) -> bool:
    """Return whether an error is the cancellation of the turn's task, and not one inside the user's code."""
    task = asyncio.current_task() if isinstance(error, asyncio.CancelledError) else None
    return task is not None and task.cancelling() > 0


# results -----------------------------------------------------------------------------------------


@cache
def _decoder(of: type[Any]) -> Decoder[Any]:
    """Return the decoder of one kind of event; decoders for all kinds would slow the start of a process."""
    return Decoder(of)


def through_codec(result: Result) -> Result:
    """Return an effect's result as the journal will load it. Raises `ValidationError` if fields have wrong types."""
    decoder = _decoder(type(result))
    try:
        kept = encode(result)
        if is_text_too_deep(kept, MOST_STORED):
            raise ValidationError(TOO_DEEP)
        return decoder.decode(kept)
    except RecursionError:
        raise ValidationError(TOO_DEEP) from None
    except UnicodeEncodeError:
        repaired = repair_data(to_builtins(result))
    return decoder.decode(encode(repaired.data | {"replaced": repaired.replaced}))
