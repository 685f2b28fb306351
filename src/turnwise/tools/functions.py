"""Functions as tools: arguments become what the hints say, and the call is told to whoever asks for it.

It judges no call: what arrives here is allowed, and has the declared arguments in their canonical form.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwise.flow.code import ToolCall
from turnwise.flow.describe import hints_of, is_async, is_call, plain_of
from turnwise.runner.tool_execution import CallNotRun, ToolRefused, reason
from turnwise.tools.threads import beside_the_loop

if TYPE_CHECKING:
    from pydantic import ValidationError

Function = Callable[..., Any]


class FunctionRunner:
    """Runs a function as a tool, and asks another one after a crash whether that was done."""

    def __init__(self, function: Function, check: Function | None = None) -> None:
        self._run = Caller(function)
        self._check = Caller(check) if check is not None else None

    async def run(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """What the function gives."""
        return await self._run(arguments, call)

    async def check(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """What the check gives. Raises `NotDone` where the call was not made."""
        if self._check is None:
            raise ToolRefused("nobody can say whether the call was made: the tool has no check")
        return await self._check(arguments, call)


class Caller:
    """Calls a function with arguments by name: in the loop where it is async, else in a thread."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.is_async = is_async(function) or is_async(plain_of(function))

    async def __call__(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """What the function gives or raises."""
        given = self._given(arguments, call)
        if self.is_async:
            return await self.function(**given)
        result = await beside_the_loop(partial(_contained, self.function, given))
        return await result if inspect.isawaitable(result) else result

    @cached_property
    def _plan(self) -> _Plan:
        """How each parameter is given: read by its type, where it has one."""
        from pydantic import TypeAdapter, ValidationError

        parameters = inspect.signature(self.function).parameters
        hints = hints_of(self.function)
        taken: list[_Taken] = []
        for name, parameter in parameters.items():
            is_the_call = name in hints and is_call(hints[name])
            read = TypeAdapter(hints[name]).validator.validate_python if name in hints and not is_the_call else None
            taken.append(_Taken(name, parameter, read, is_the_call))
        takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        return _Plan(frozenset(parameters), tuple(taken), takes_any, ValidationError)

    def _given(self, arguments: Mapping[str, Any], call: ToolCall) -> dict[str, Any]:
        """What the function is called with. Raises `CallNotRun` with everything that does not fit."""
        plan = self._plan
        given: dict[str, Any] = {n: v for n, v in arguments.items() if plan.takes_any or n in plan.names}
        wrong: list[str] = []
        for name, parameter, read, is_the_call in plan.taken:
            if is_the_call:
                given[name] = call
            elif name not in given:
                given |= _left_out(parameter)
            elif read is not None:
                try:
                    given[name] = read(given[name])
                except plan.unfit as error:
                    wrong += [f"{name}: {one['msg']}" for one in error.errors(include_url=False)]
        if wrong:
            raise CallNotRun("; ".join(wrong))
        return given


class _Taken(NamedTuple):
    """A parameter: what reads its argument, `None` where it is given as it is; the call itself is no argument."""

    name: str
    parameter: inspect.Parameter
    read: Callable[[Any], Any] | None
    is_the_call: bool


class _Plan(NamedTuple):
    """The parameters of a function, and what reading an argument raises."""

    names: frozenset[str]
    taken: tuple[_Taken, ...]
    takes_any: bool
    unfit: type[ValidationError]


def _contained(function: Function, given: Mapping[str, Any]) -> Any:
    """What the function gives; what would end a program, or a wait for it, is a failure like others."""
    try:
        return function(**given)
    except (StopIteration, SystemExit, KeyboardInterrupt) as error:
        raise ToolRefused(reason(error)) from error


def _left_out(parameter: inspect.Parameter) -> dict[str, Any]:
    """What stands for an argument that was not given: the function's own default, where it has one."""
    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
        return {}
    default = parameter.default
    if hasattr(default, "get_default"):  # the description of a field, as `tw.field` gives it
        return {parameter.name: default.get_default(call_default_factory=True)}
    return {parameter.name: None} if default is parameter.empty else {}
