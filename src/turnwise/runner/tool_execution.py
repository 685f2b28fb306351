"""Execution of a tool: within its time, retried as declared, after a crash by its policy (law 4.5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import replace
from typing import Any, Generic, TypeVar

from turnwise.core.machine import Machine
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.core.tools.check_call import too_long
from turnwise.errors import InDoubt, NotDone, TurnwiseError, describe
from turnwise.flow.code import ToolCall
from turnwise.flow.model import Tool
from turnwise.runner.json_data import NoData, Plain, copied, plain
from turnwise.runner.ports import ToolRunner

Result = TypeVar("Result")


class Late(TimeoutError):
    """Work did not end in its time."""


def within(seconds: float | None) -> AbstractAsyncContextManager[Any]:
    """What is done in it raises `TimeoutError` after so many seconds; `None` gives it all the time it needs."""
    return nullcontext() if seconds is None else asyncio.timeout(seconds)


async def in_time(work: Awaitable[Result], seconds: float) -> Result:
    """What the work gives. Raises `Late` after so many seconds; work that never waits needs no alarm."""
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
            raise Late from None
        raise


class _Begun(Generic[Result]):
    """Work that has come to where it waits: awaiting this goes on from there."""

    def __init__(self, first: Any, steps: Generator[Any, Any, Result]) -> None:
        self.first = first
        self.steps = steps

    def __await__(self) -> Generator[Any, Any, Result]:
        try:
            yield self.first
        except BaseException as error:  # noqa: BLE001  it is the work's to answer, also where it is cancelled
            try:
                again = self.steps.throw(error)
            except StopIteration as done:
                return done.value
            return (yield from _Begun(again, self.steps).__await__())
        return (yield from self.steps)


IN_DOUBT = "it is not known whether this was done: the process ended in the middle"
TAKEN_BACK = "this call was made before, and an undo took its result back"
TIMEOUT_S = 60.0
"""How long a tool may take where neither it nor the node whose work it is says it, so that no turn waits for ever."""


class ToolRefused(TurnwiseError):
    """A tool cannot be run as it is asked for, or gave nothing that can be kept."""


class CallNotRun(ToolRefused):
    """Nobody could take a call: no function or server supplies the tool, or its arguments do not fit there."""


class ResultLost(InDoubt):
    """An effect was done, and its result cannot be kept."""


class TookTooLong(TurnwiseError, TimeoutError):
    """A tool gave no result in its time."""


async def run_tool(
    runner: ToolRunner | None,
    machine: Machine,
    effect: RunTool,
    call: ToolCall,
    raised: Callable[[BaseException], str],
    *,
    doubt: str,
) -> e.ToolReturned | e.ToolFailed:
    """The result of a call as it will be kept, or why there is none. `raised` logs an error and returns the place where
    the user's own code raised it. `doubt` says why the call may have been made before, and is empty where it was not.
    Raises nothing but a cancelling.
    """
    tool = _bounded(machine, effect, call.node)
    is_effect = tool.kind == "effect"
    try:
        if runner is None:
            raise CallNotRun(f"nobody supplies the tool '{tool.name}': give it with tools=[…]")
        if doubt and is_effect and tool.on_crash == "unknown":
            raise InDoubt(doubt)
        result = await _result(runner, tool, effect, call, doubt if is_effect else "")
        kept = _kept_of(tool, result, machine.flow.limits.result_chars)
        return e.ToolReturned(effect.id, tool.name, kept.data, call=effect.call, replaced=kept.replaced)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling() > 0:
            raise
        return e.ToolFailed(effect.id, tool.name, reason(error), call=effect.call)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001  a tool is anybody's code
        return e.ToolFailed(
            effect.id,
            tool.name,
            reason(error),
            call=effect.call,
            in_doubt=is_in_doubt(tool, error),
            not_run=isinstance(error, CallNotRun),
            at=raised(error),
        )


def _bounded(machine: Machine, effect: RunTool, node: str) -> Tool:
    """The tool with the bounds that hold: its own, else, where it is the work of a node, the node's."""
    tool = machine.tools[effect.tool].tool
    if not effect.call:
        work = machine.nodes[node].node
        retry = tool.retry if tool.retry.times else work.retry
        tool = replace(tool, timeout_s=tool.timeout_s or work.timeout_s, retry=retry)
    return tool


async def _result(runner: ToolRunner, tool: Tool, effect: RunTool, call: ToolCall, doubt: str) -> Any:
    timeout_s = tool.timeout_s or TIMEOUT_S

    def check() -> Awaitable[Any]:
        return _timed(runner.check(copied(effect.arguments), call), timeout_s)

    if doubt and tool.on_crash == "check":
        with suppress(NotDone):
            return await _checked(check(), doubt)
    last = 1 + tool.retry.times
    for attempt in range(1, last + 1):
        try:
            attempted = call if attempt == 1 else replace(call, attempt=attempt)
            return await _timed(runner.run(copied(effect.arguments), attempted), timeout_s)
        except Exception as error:
            if attempt == last or not _may_repeat(tool, error):
                raise
            if is_in_doubt(tool, error) and tool.on_crash == "check":
                with suppress(NotDone):
                    return await _checked(check(), reason(error))
        await asyncio.sleep(tool.retry.pause_s)
    raise AssertionError("a tool is tried at least once")


def is_in_doubt(tool: Tool, error: BaseException) -> bool:
    """Whether a call that failed may have changed the world all the same (law 4.5)."""
    return tool.kind == "effect" and isinstance(error, TimeoutError | InDoubt)


def _may_repeat(tool: Tool, error: Exception) -> bool:
    """What is in doubt is only made again where its policy has an answer to that."""
    return tool.on_crash != "unknown" or not is_in_doubt(tool, error)


async def _checked(result: Awaitable[Result], doubt: str) -> Result:
    """What a check says; one that fails says nothing, and the doubt stays. Raises `NotDone` and `InDoubt`."""
    try:
        return await result
    except NotDone:
        raise
    except Exception as error:
        raise InDoubt(f"{doubt}, and its check failed: {reason(error)}") from error


async def _timed(result: Awaitable[Result], timeout_s: float) -> Result:
    """The result within its time. Raises `TookTooLong`."""
    try:
        return await in_time(result, timeout_s)
    except Late:
        raise TookTooLong(f"it gave no result within {timeout_s:g} s") from None


def _kept_of(tool: Tool, result: Any, most: int) -> Plain:
    """A result as it will be kept. Raises `ToolRefused`, and of an effect `ResultLost`: it was done."""
    try:
        return _kept(result, most)
    except ToolRefused as error:
        if tool.kind != "effect":
            raise
        raise ResultLost(f"it was done, but {error}") from None


def _kept(result: Any, most: int) -> Plain:
    try:
        found = plain(result)
    except NoData as error:
        raise ToolRefused(f"the result is no JSON data: {error}") from None
    if wrong := too_long(found.length, most):
        raise ToolRefused(wrong)
    return found


_LONGEST = 2000
"""The longest reason that is recorded, in characters."""


def reason(error: BaseException) -> str:
    """An error in words that a journal can keep, at most a page of them."""
    return describe(error)[:_LONGEST]


Runners = Mapping[str, ToolRunner]
"""Who runs a tool, by its name."""
