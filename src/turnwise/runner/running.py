"""Running a tool: within its time, tried again as it says, after a crash by its policy (law 4.5)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec.json import decode, encode

from turnwise.core import events as e
from turnwise.core.effects import RunTool
from turnwise.core.machine import Machine
from turnwise.errors import NotDone, TurnwiseError
from turnwise.flow.code import ToolCall
from turnwise.flow.model import Retry, Tool
from turnwise.runner.limits import within
from turnwise.runner.ports import ToolRunner

IN_DOUBT = "it is not known whether this was done: the process ended in the middle"


class ToolRefused(TurnwiseError):
    """A tool gave nothing that can be kept."""


async def run_tool(
    runner: ToolRunner | None, machine: Machine, effect: RunTool, call: ToolCall, *, again: bool
) -> e.ToolReturned | e.ToolFailed:
    """The result of a call as it will be kept, or why there is none. Raises nothing but a cancelling."""
    tool = machine.tools[effect.tool].tool
    is_effect = tool.kind == "effect"
    try:
        if runner is None:
            raise ToolRefused(f"nobody supplies the tool '{tool.name}': give it with tools=[…]")
        if again and is_effect and tool.on_crash == "unknown":
            return e.ToolFailed(effect.id, tool.name, IN_DOUBT, call=effect.call, in_doubt=True)
        result = await _result(runner, tool, effect, call, again=again and is_effect)
        kept = kept_result(result, machine.flow.limits.result_chars)
        return e.ToolReturned(effect.id, tool.name, kept, call=effect.call)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling() > 0:
            raise
        return e.ToolFailed(effect.id, tool.name, reason(error), call=effect.call)
    except Exception as error:  # noqa: BLE001  a tool is anybody's code
        in_doubt = is_effect and isinstance(error, TimeoutError)
        return e.ToolFailed(effect.id, tool.name, _words(error, tool), call=effect.call, in_doubt=in_doubt)


async def _result(runner: ToolRunner, tool: Tool, effect: RunTool, call: ToolCall, *, again: bool) -> Any:
    if again and tool.on_crash == "check":
        try:
            return await runner.check(effect.arguments, call)
        except NotDone:
            pass
    retry: Retry = tool.retry
    for attempt in range(1 + retry.times):
        try:
            async with within(tool.timeout_s):
                return await runner.run(effect.arguments, call)
        except Exception:
            if attempt == retry.times:
                raise
        await asyncio.sleep(retry.pause_s)
    raise AssertionError("a tool is tried at least once")


def kept_result(result: Any, most: int) -> Any:
    """A result as the journal will give it back. Raises `ToolRefused` where it cannot be kept."""
    try:
        data = encode(result)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ToolRefused(f"the result is no JSON data: {error}") from None
    if len(data) > most:
        raise ToolRefused(f"the result is {len(data):,} characters long, and {most:,} are allowed (result_chars)")
    return decode(data)


def _words(error: Exception, tool: Tool) -> str:
    if isinstance(error, TimeoutError) and tool.timeout_s is not None:
        return f"it gave no result within {tool.timeout_s:g} s"
    return str(error) if isinstance(error, ToolRefused) else reason(error)


_LONGEST = 2000
"""The longest reason that is recorded, in characters."""


def reason(error: BaseException) -> str:
    """An error in words that a journal can keep, at most a page of them."""
    try:
        text = str(error) if isinstance(error, TurnwiseError) else f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001  the words of an error are anybody's code too
        text = type(error).__name__
    return text[:_LONGEST].encode(errors="replace").decode()


Runners = Mapping[str, ToolRunner]
"""Who runs a tool, by its name."""
