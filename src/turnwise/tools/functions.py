"""Python functions as tools: converts the arguments to the types of the hints, and runs blocking code in threads.

It checks no call against the flow: a call that arrives here is allowed, and its arguments have their canonical form.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from functools import cached_property, partial
from queue import SimpleQueue
from typing import Any, NamedTuple

from turnwise.flow.code import ToolCall
from turnwise.flow.describe import hints_of, is_async, is_call, undecorated
from turnwise.runner.services import error_reason
from turnwise.runner.tool_execution import CallNotRun, ToolRefused

Function = Callable[..., Any]
"""A Python function that is a tool."""

MOST_IDLE = 16
"""The number of idle threads that are kept."""


class FunctionRunner:
    """Runs a Python function as a tool; after a crash, a second function `check` finds out whether a call was made."""

    def __init__(self, function: Function, check: Function | None = None) -> None:
        self._run = Caller(function)
        self._check = Caller(check) if check is not None else None

    async def run(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Call the tool's function with arguments by name, and return its result.
        `call` has the key of the call, for a function that takes it.
        """
        return await self._run(arguments, call)

    async def check(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Return the result of the earlier call with the key `call.key`, from the tool's `check`.
        Raises `NotDone` if the call was not made.
        """
        if self._check is None:
            raise ToolRefused("the tool has no check, so it is not known whether the call was made")
        return await self._check(arguments, call)


class _Parameter(NamedTuple):
    """A parameter; `convert` is `None` where it has no type, or where it is the `ToolCall` itself (`is_call`)."""

    name: str
    convert: Callable[[Any], Any] | None
    is_call: bool
    declared: inspect.Parameter


class Caller:
    """Calls a function with arguments by name: an async function in the event loop, any other in a thread."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.is_async = is_async(function) or is_async(undecorated(function))

    async def __call__(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Return or raise what the function does. Raises `CallNotRun` with every argument that does not fit."""
        converted = self._convert(arguments, call)
        if self.is_async:
            return await self.function(**converted)
        result = await run_blocking(partial(_run_contained, self.function, converted))
        return await result if inspect.isawaitable(result) else result

    @cached_property
    def _parameters(self) -> list[_Parameter]:
        from pydantic import TypeAdapter

        hints = hints_of(self.function)
        found: list[_Parameter] = []
        for name, declared in inspect.signature(self.function).parameters.items():
            is_the_call = name in hints and is_call(hints[name])
            has_type = name in hints and not is_the_call
            convert = TypeAdapter(hints[name]).validator.validate_python if has_type else None
            found.append(_Parameter(name, convert, is_the_call, declared))
        return found

    @cached_property
    def _takes_any(self) -> bool:
        return any(one.declared.kind is inspect.Parameter.VAR_KEYWORD for one in self._parameters)

    def _convert(self, arguments: Mapping[str, Any], call: ToolCall) -> dict[str, Any]:
        from pydantic import ValidationError

        converted: dict[str, Any] = dict(arguments) if self._takes_any else {}
        problems: list[str] = []
        for name, convert, is_the_call, declared in self._parameters:
            if is_the_call:
                converted[name] = call
            elif name not in arguments:
                converted |= _default(declared)
            else:
                try:
                    converted[name] = convert(arguments[name]) if convert is not None else arguments[name]
                except ValidationError as error:
                    problems += [f"{name}: {one['msg']}" for one in error.errors(include_url=False)]
        if problems:
            raise CallNotRun("; ".join(problems))
        return converted


def _default(parameter: inspect.Parameter) -> dict[str, Any]:
    """Return what to pass where the call has no such argument: nothing where the function has a default."""
    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
        return {}
    default = parameter.default
    if hasattr(default, "get_default"):  # `tw.field(…)` describes the argument
        return {parameter.name: default.get_default(call_default_factory=True)}
    return {parameter.name: None} if default is parameter.empty else {}


def _run_contained(function: Function, arguments: Mapping[str, Any]) -> Any:
    """Call the function. Exceptions that would end the program or its event loop become failures of the tool."""
    try:
        return function(**arguments)
    except (StopIteration, SystemExit, KeyboardInterrupt) as error:
        raise ToolRefused(error_reason(error)) from error


async def run_blocking(work: Callable[[], Any]) -> Any:
    """Run blocking work in a daemon thread, and return its result.
    A cancelled call leaves its thread behind, because no thread can be stopped; the program can end before it, and the
    next call gets another one.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = copy_context()

    def set_result(result: Any, error: BaseException | None) -> None:
        if not done.done():
            done.set_result((result, error))

    def job() -> Callable[[], object]:
        result, error = None, None
        try:
            result = context.run(work)
        except BaseException as raised:  # noqa: BLE001  it is raised in the event loop
            error = raised
        return lambda: loop.call_soon_threadsafe(set_result, result, error)

    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
        worker.start()
    worker.jobs.put(job)
    result, error = await done
    if error is not None:
        raise error
    return result


class _Worker(threading.Thread):
    """A thread that runs one job after another, and is in `_idle` between them. A job returns a function that reports
    its result.
    """

    def __init__(self) -> None:
        super().__init__(name="turnwise-tool", daemon=True)
        self.jobs: SimpleQueue[Callable[[], Callable[[], object]]] = SimpleQueue()

    def run(self) -> None:
        """Run jobs until enough other threads are idle."""
        is_kept = True
        while is_kept:
            report = self.jobs.get()()
            is_kept = len(_idle) < MOST_IDLE
            if is_kept:
                _idle.append(self)
            with suppress(RuntimeError):  # the event loop may have ended meanwhile
                report()


_idle: deque[_Worker] = deque()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # a child process inherits the list, but no threads
