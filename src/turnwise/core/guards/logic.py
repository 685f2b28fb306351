"""The logic of CEL, three-valued (law 2.10): one decisive part decides, else unknown outweighs an error. What the parts
ask for is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from turnwise.core.guards.env import Env, GuardFault

Condition = Callable[[Env], bool | None]


def combination(tests: Sequence[Condition], *, decisive: bool) -> Condition:
    """`&&`, which a part that is false decides, or `||`, which one that is true decides."""
    if len(tests) == 2:
        return _pair(tests[0], tests[1], decisive=decisive)
    return lambda env: decided_by(tests, env, decisive=decisive)


def _pair(first: Condition, second: Condition, *, decisive: bool) -> Condition:
    """The common case of two, without a loop."""

    def run(env: Env) -> bool | None:
        try:
            left = first(env)
        except GuardFault:
            right = second(env)
            if right is None or right is decisive:
                return right
            raise
        if left is decisive:
            return decisive
        try:
            right = second(env)
        except GuardFault:
            if left is None:
                return None
            raise
        return right if left is not None or right is decisive else None

    return run


def decided_by(tests: Iterable[Condition], env: Env, *, decisive: bool) -> bool | None:
    """One decisive test decides; else unknown outweighs an error, and that the usual verdict."""
    result: bool | None = not decisive
    fault: GuardFault | None = None
    for test in tests:
        try:
            found = test(env)
        except GuardFault as error:
            fault = fault or error
            continue
        if found is decisive:
            return decisive
        if found is None:
            result = None
    if fault is not None and result is not None:
        raise fault
    return result


def negation(test: Condition) -> Condition:
    """`!`: unknown stays unknown."""

    def run(env: Env) -> bool | None:
        found = test(env)
        return None if found is None else not found

    return run


def choice(test: Condition, then: Callable[[Env], Any], other: Callable[[Env], Any]) -> Callable[[Env], Any]:
    """`test ? then : other`: unknown where the test is."""

    def run(env: Env) -> Any:
        found = test(env)
        if found is None:
            return None
        return then(env) if found else other(env)

    return run
