"""Executes a tool: within a time limit, retried as declared, after a crash by the tool's policy (law 4.5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from dataclasses import replace as replaced
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from turnwise.core.secrets import HIDDEN_KEY, Values, joined_values, secret_arguments, secret_values, without_values
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.core.tools.check_call import too_long
from turnwise.core.tools.parallel_reads import parallel_reads
from turnwise.core.values.json_data import JsonData, NotJson, copy_data, to_json_data
from turnwise.errors import InDoubt, NotDone, TurnwiseError
from turnwise.flow.code import ToolCall
from turnwise.flow.model import Tool
from turnwise.runner.ports import ToolRunner
from turnwise.runner.services import Attempts, Services, Task, error_reason, is_turn_cancelled, log_user_error
from turnwise.runner.spans import tool_span

Result = TypeVar("Result")
"""The type of the result of the work that has a time limit."""
IN_DOUBT = "it is not known whether this was done: the process ended in the middle"
"""The reason of a call that may have run before its process ended."""
TAKEN_BACK = "this call was made before, and an undo took its result back"
"""The reason of a call that ran before an undo removed its result."""
TIMEOUT_S = 60.0
"""The time limit in seconds where neither the tool nor the node whose work it is sets one, so that no turn waits for
ever."""


class ToolRefused(TurnwiseError):
    """A tool cannot run this call, or its result cannot be recorded."""


class CallNotRun(ToolRefused):
    """A call did not reach its tool: no function or server implements it, or the arguments do not fit."""


class _Unconfirmed(Exception):
    """A call was not made, since it is not certain that the turn still has its claim. That is no failure of the tool:
    `error` ends this run of the turn.
    """

    def __init__(self, error: TurnwiseError) -> None:
        super().__init__(str(error))
        self.error = error


class ResultLost(InDoubt):
    """A tool with side effects ran, but its result cannot be recorded."""


class TookTooLong(TurnwiseError, TimeoutError):
    """A tool returned no result within its time limit."""


class ToolCalls:
    """Runs the tools that turns request, and returns their results as events."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def run(self, task: Task, effect: RunTool) -> e.ToolReturned | e.ToolFailed:
        """Run a tool; start in parallel the reading tools of the same reply that are certain to follow."""
        for following in parallel_reads(task.machine, task.state, effect):
            if following.call not in task.started:
                task.started[following.call] = asyncio.ensure_future(self._run(task, following, doubt=""))
        started = task.started.pop(effect.call, None)
        if started is not None:
            return replace(await started, effect=effect.id)
        return await self._run(task, effect, IN_DOUBT if task.again else TAKEN_BACK if effect.was_begun else "")

    async def _run(self, task: Task, effect: RunTool, doubt: str) -> e.ToolReturned | e.ToolFailed:
        """Return the result of a call as it is recorded, or why there is none. `doubt` says why the call may have been
        made before, and is empty where it was not. Raises nothing but cancellation.
        """
        services = self.services
        began_ms = services.clock.now_ms()
        key = f"{task.conversation}/{effect.id or effect.call}"
        call = ToolCall(key, task.conversation, task.state.node, effect.tool)
        tool = _with_limits(task, effect)
        tries = Attempts(services, lambda: self._secrets(task, effect))
        with tool_span(services.spans, tool.name, key, tool.kind) as span:
            try:
                runner, confirm = services.tools.get(tool.name), task.confirm_claim
                found = await _result(runner, tool, effect, call, doubt, tries, confirm)
                data = _recorded(tool, found, task.machine.flow.limits.result_chars)
            except (KeyboardInterrupt, GeneratorExit):
                raise
            except _Unconfirmed as stopped:
                raise stopped.error from None
            except BaseException as error:
                if is_turn_cancelled(error):
                    raise
                failed = self._failed(task, effect, tool, error)
                span.fail("tool", failed.reason)
                return replace(failed, ms=services.clock.now_ms() - began_ms, attempts=tries.failed)
        keys = services.keys()
        result = without_values(data.data, keys, HIDDEN_KEY) if keys else data.data
        ms = services.clock.now_ms() - began_ms
        return e.ToolReturned(effect.id, tool.name, result, ms, effect.call, data.replaced, tries.failed)

    def _failed(self, task: Task, effect: RunTool, tool: Tool, error: BaseException) -> e.ToolFailed:
        """Return the event of a failed call, and log the error if the user's code raised it. Its message contains
        neither secrets nor keys, because models, logs and explanations show it.
        """
        secrets = self._secrets(task, effect)
        keys, at = self.services.keys(), ""
        if not isinstance(error, asyncio.CancelledError):
            at = log_user_error(task.conversation, f"the tool {tool.name}", error, secrets, keys)
        return e.ToolFailed(
            effect.id,
            tool.name,
            without_values(without_values(error_reason(error), secrets), keys, HIDDEN_KEY),
            call=effect.call,
            in_doubt=is_in_doubt(tool, error),
            not_run=isinstance(error, CallNotRun),
            at=at,
        )

    def _secrets(self, task: Task, effect: RunTool) -> Values:
        """Return the secret values that a failure of a call may contain."""
        arguments = secret_arguments(task.machine, effect.tool, effect.arguments)
        return joined_values(arguments, secret_values(task.machine, task.state))


def _with_limits(task: Task, effect: RunTool) -> Tool:
    """Return the tool with its time limit and retries: its own, else those of the node whose work it is."""
    tool = task.machine.tools[effect.tool].tool
    if not effect.call:
        work = task.machine.nodes[task.state.node].node
        retry = tool.retry if tool.retry.times else work.retry
        tool = replaced(tool, timeout_s=tool.timeout_s or work.timeout_s, retry=retry)
    return tool


async def _result(
    runner: ToolRunner | None,
    tool: Tool,
    effect: RunTool,
    call: ToolCall,
    doubt: str,
    tries: Attempts,
    confirm: Callable[[], Awaitable[None]] | None,
) -> Any:
    """Return what the tool returns, after its check and its retries; those that failed are added to `tries`. Raises the
    last error, and `_Unconfirmed` in place of a call that another process may have made.
    """
    if runner is None:
        raise CallNotRun(f"the tool '{tool.name}' is not supplied: pass it with tools=[…]")
    timeout_s = tool.timeout_s or TIMEOUT_S
    doubt = doubt if tool.kind == "effect" else ""
    if doubt and tool.on_crash == "unknown":
        raise InDoubt(doubt)
    if doubt and tool.on_crash == "check":
        with suppress(NotDone):
            return await _checked(runner, effect, call, timeout_s, doubt)
    last = 1 + tool.retry.times
    for attempt in range(1, last + 1):
        tries.begin()
        if confirm is not None:
            await _confirmed(confirm)
        try:
            attempted = call if attempt == 1 else replaced(call, attempt=attempt)
            return await _timed(runner.run(copy_data(effect.arguments), attempted), timeout_s)
        except Exception as error:
            may_be_done = is_in_doubt(tool, error)
            if attempt == last or (may_be_done and tool.on_crash == "unknown"):
                raise
            tries.add(error)
            if may_be_done and tool.on_crash == "check":
                with suppress(NotDone):
                    return await _checked(runner, effect, call, timeout_s, error_reason(error))
        await asyncio.sleep(tool.retry.pause_s)
    raise AssertionError("a tool is tried at least once")


async def _confirmed(confirm: Callable[[], Awaitable[None]]) -> None:
    """Confirm that the turn still has its claim. It takes no time from that of the tool."""
    try:
        await confirm()
    except TurnwiseError as error:
        raise _Unconfirmed(error) from None


def is_in_doubt(tool: Tool, error: BaseException) -> bool:
    """Return whether a call of a tool that failed with an error may still have had side effects (law 4.5)."""
    return tool.kind == "effect" and isinstance(error, TimeoutError | InDoubt)


async def _checked(runner: ToolRunner, effect: RunTool, call: ToolCall, timeout_s: float, doubt: str) -> Any:
    """Return what the tool's check returns. Raises `NotDone`, and `InDoubt` if the check fails: the doubt stays."""
    try:
        return await _timed(runner.check(copy_data(effect.arguments), call), timeout_s)
    except NotDone:
        raise
    except Exception as error:
        raise InDoubt(f"{doubt}, and its check failed: {error_reason(error)}") from error


async def _timed(result: Awaitable[Result], timeout_s: float) -> Result:
    """Return the result within its time limit. Raises `TookTooLong`."""
    try:
        return await with_time_limit(result, timeout_s)
    except TimeLimitExceeded:
        raise TookTooLong(f"it gave no result within {timeout_s:g} s") from None


def _recorded(tool: Tool, result: Any, most_chars: int) -> JsonData:
    """Return a result as it is recorded. Raises `ToolRefused`, and for an effect `ResultLost`: it was done."""
    try:
        found = to_json_data(result)
        wrong = too_long(found.length, most_chars)
    except NotJson as error:
        found, wrong = JsonData(None), f"the result is no JSON data: {error}"
    if not wrong:
        return found
    raise ResultLost(f"it was done, but {wrong}") if tool.kind == "effect" else ToolRefused(wrong)


# time limits -------------------------------------------------------------------------------------


class TimeLimitExceeded(TimeoutError):
    """The work exceeded its time limit."""


async def with_time_limit(work: Awaitable[Result], seconds: float) -> Result:
    """Return the result of work; raise `TimeLimitExceeded` after so many seconds.
    Work that ends without waiting needs no timer.
    """
    steps = work.__await__()
    try:
        first = next(steps)
    except StopIteration as done:
        return done.value
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await _Begun(first, steps)
    except TimeoutError:
        if limit.expired():
            raise TimeLimitExceeded from None
        raise


class _Begun(Generic[Result]):
    """Work that has run until it first waits, for `first`; awaiting it resumes it."""

    def __init__(self, first: Any, steps: Generator[Any, Any, Result]) -> None:
        self.first = first
        self.steps = steps

    def __await__(self) -> Generator[Any, Any, Result]:
        try:
            yield self.first
        except BaseException as error:  # noqa: BLE001  the work handles it, cancellation included
            try:
                again = self.steps.throw(error)
            except StopIteration as done:
                return done.value
            return (yield from _Begun(again, self.steps).__await__())
        return (yield from self.steps)
