"""Performs the effects that a turn asks for; each is answered by one event.

Calls of models and tools are in `model_calls` and `tool_execution`, which are imported with the first such call.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from traceback import format_exception
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

from msgspec import to_builtins
from msgspec.json import Decoder, encode

from turnwise.core.commands.exposure import Exposed, exposed, exposed_to_rules
from turnwise.core.machine import Machine
from turnwise.core.prompts.understanding import commands_of
from turnwise.core.secrets import HIDDEN_KEY, Values, secret_values, without
from turnwise.core.state import State, TurnState
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.effects import AnyEffect, CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.values.json_data import repair_data
from turnwise.errors import TurnwiseError, describe
from turnwise.flow.code import raised_at
from turnwise.runner.cache import Windows
from turnwise.runner.past import events_since, last_said, own_calls, state_after, tools_used
from turnwise.runner.ports import AnyModel, Clock, OnDelta, Store
from turnwise.runner.ports import Understand as Understanding
from turnwise.runner.spans import Spans

if TYPE_CHECKING:
    from turnwise.runner.model_calls import ModelCalls
    from turnwise.runner.tool_execution import Runners, ToolCalls

MOST_REASON_CHARS = 2000
"""How long the recorded reason of a failure may be."""
_RULES = "turnwise.understanding"
Result = TypeVar("Result", bound=e.ResultEvent)
_log = logging.getLogger("turnwise.user_code")


class Task:
    """One effect to perform: in which conversation, on which state.

    `recent` are the entries of this turn, which the store may not have yet. `again` is true if the effect may have been
    performed before. `started` are tool calls of this turn that began before their turn came, by the id of the call.
    `on_delta` is called with each piece of text that a model says.
    """

    __slots__ = ("again", "conversation", "machine", "on_delta", "recent", "started", "state")

    def __init__(
        self,
        machine: Machine,
        conversation: str,
        state: State,
        recent: Sequence[e.Entry],
        *,
        again: bool = False,
        started: dict[str, asyncio.Future[e.ToolReturned | e.ToolFailed]] | None = None,
        on_delta: OnDelta | None = None,
    ) -> None:
        self.machine = machine
        self.conversation = conversation
        self.state = state
        self.recent = recent
        self.again = again
        self.started = {} if started is None else started
        self.on_delta = on_delta

    @property
    def doing(self) -> TurnState:
        """The turn that the effect belongs to."""
        assert self.state.doing is not None
        return self.state.doing


class Performer:
    """Performs the effects of all conversations of an app."""

    def __init__(
        self,
        store: Store,
        model: AnyModel,
        understand: Understanding | None,
        clock: Clock,
        tools: Runners | None = None,
        spans: Spans | None = None,
    ) -> None:
        self.store = store
        self.model = model
        self.understand = understand
        self.clock = clock
        self.tools = tools or {}
        self.windows = Windows(store)
        self.spans = spans
        self.keys: Callable[[], tuple[str, ...]] = tuple
        """Returns the API keys that must not be recorded."""
        self.has_model = False
        self.rules: Callable[[str, Exposed], Sequence[AnyCommand]] = lambda _message, _exposed: ()
        """Understands the messages that no model may read (law 5.2)."""

    @cached_property
    def _model_calls(self) -> ModelCalls:
        from turnwise.runner.model_calls import ModelCalls

        return ModelCalls(self)

    @cached_property
    def _tool_calls(self) -> ToolCalls:
        from turnwise.runner.tool_execution import ToolCalls

        return ToolCalls(self)

    async def perform(self, effect: AnyEffect, task: Task) -> e.ResultEvent:
        """Perform an effect and return the event that answers it."""
        match effect:
            case CallModel():
                return await self._model_calls.reply(task, effect)
            case RunTool():
                return await self._tool_calls.run(task, effect)
            case Understand(id=id_, field=field):
                return await self._understand(task, id_, field)
            case RecallWords(id=id_, places=places):
                found = await self.store.at(task.conversation, [place[0] for place in places])
                found.update((entry.seq, entry) for entry in task.recent)
                return e.WordsRecalled(id_, tuple(words_at(found.get(seq), start, end) for seq, start, end in places))
            case RecallState(id=id_, turn=turn):
                return await self._recall_state(task, id_, turn)
        assert_never(effect)

    async def _understand(self, task: Task, effect: str, field: str) -> e.Understood | e.UnderstandingFailed:
        """Understand the message of the turn. Only the offline rules read the answer to `field`, if it is not empty."""
        message = task.doing.message or ""
        try:
            if field:
                commands = self.rules(message, exposed_to_rules(task.machine, task.state, field))
                return as_recorded(e.Understood(effect, tuple(commands)))
            shown = exposed(task.machine, task.state, task.conversation, has_model=self.has_model)
            if self.understand is None:
                return as_recorded(await self._model_calls.understand(task, effect, message, shown))
            found = self.understand(message, shown)
            commands = commands_of(await found if inspect.isawaitable(found) else found)
            is_ours = str(getattr(self.understand, "__module__", "")).startswith(_RULES)
            return as_recorded(e.Understood(effect, commands, "rules" if is_ours else "function"))
        except (
            Exception,
            asyncio.CancelledError,
        ) as error:  # code of users may raise anything
            if is_turn_cancelled(error):
                raise
            return e.UnderstandingFailed(effect, *self.failure(task, "the understanding", error))

    async def _recall_state(self, task: Task, effect: str, turn: int) -> e.StateRecalled:
        """Return the state at the end of a turn, and the tools that were used since and stay used. No state is returned
        for a turn of another version of the flow: an undo cannot go back past a migration.
        """
        then = await state_after(self.store, task.conversation, turn)
        then = then if then is not None and then.fingerprint == task.state.fingerprint else None
        changing = {name for name, tool in task.machine.tools.items() if tool.tool.kind == "effect"}
        later = await events_since(self.store, task.conversation, turn)
        calls = own_calls(later, then.node, changing) if then is not None else ()
        said = last_said(await self.store.turn(task.conversation, turn)) if then is not None else ""
        return e.StateRecalled(effect, turn, then, tools_used(later, changing), calls, said)

    def without_keys(self, event: e.ToolUsed) -> e.ToolUsed:
        """Return a tool use of the host without API keys."""
        keys = self.keys()
        arguments, result = [without(data, keys, HIDDEN_KEY) for data in (event.arguments, event.result)]
        return e.ToolUsed(event.tool, arguments, result)

    # failures ----------------------------------------------------------------------------------

    def failure(self, task: Task, what: str, error: BaseException) -> tuple[str, str]:
        """Log an error of the user's code; return its reason without secrets and keys, and its `file:line`."""
        secrets, keys = secret_values(task.machine, task.state), self.keys()
        at = log_user_error(task.conversation, what, error, secrets, keys)
        return without(without(reason(error), secrets), keys, HIDDEN_KEY), at

    def log_guard_error(self, machine: Machine, conversation: str, state: State, error: BaseException) -> None:
        """Log what a Python guard raised; its reason is in the journal."""
        log_user_error(conversation, "a guard", error, secret_values(machine, state), self.keys())


def log_user_error(conversation: str, what: str, error: BaseException, secrets: Values, keys: Values) -> str:
    """Log an error and its traceback if the user's own code raised it; return `file:line` there, else an empty text."""
    at = raised_at(error)
    if not at or isinstance(error, TurnwiseError):
        return at
    try:
        trace = "".join(format_exception(error)).rstrip().encode(errors="replace").decode()
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  `__str__` of an error is user code too, and may exit
        trace = type(error).__name__
    trace = without(without(trace, secrets), keys, HIDDEN_KEY)
    _log.error("%s: %s raised an error at %s\n%s", conversation, what, at, trace)
    return at


def reason(error: BaseException) -> str:
    """Return the text of an error, cut to what a journal records."""
    return describe(error)[:MOST_REASON_CHARS]


def is_turn_cancelled(error: BaseException) -> bool:
    """True if the error cancels the task of the turn, and not work of the user's code for which the turn waited."""
    task = asyncio.current_task() if isinstance(error, asyncio.CancelledError) else None
    return task is not None and task.cancelling() > 0


# results -----------------------------------------------------------------------------------------


def words_at(entry: e.Entry | None, start: int, end: int) -> str | None:
    """Return the words of a message between two offsets, `None` where they are no longer stored."""
    match entry.event if entry is not None else None:
        case e.UserSaid(text=text) | e.UserChose(value=text):
            return text[start:end]
        case _:
            return None


@cache
def _decoder(of: type[Any]) -> Decoder[Any]:
    """Return the decoder of one kind of event; decoders for all kinds would slow the start of a process."""
    return Decoder(of)


def as_recorded(result: Result) -> Result:
    """Return a result as the journal will return it. Raises `ValidationError` if its fields have wrong types."""
    decoder = _decoder(type(result))
    try:
        return decoder.decode(encode(result))
    except UnicodeEncodeError:
        repaired = repair_data(to_builtins(result))
    return decoder.decode(encode(repaired.data | {"replaced": repaired.replaced}))
