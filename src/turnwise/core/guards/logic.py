"""Builds closures of three-valued logic (law 2.10): `&&`, `||`, `!`, `? :`, and macros such as `exists`.

They compile nothing: `compile` combines them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from turnwise.core.guards import Env, Evaluate, GuardFault, Test


def strict(function: Callable[..., Any], *arguments: Evaluate) -> Evaluate:
    """Return a closure that applies a function to argument values; the result is unknown if one of them is."""
    if len(arguments) == 1:
        (only,) = arguments

        def call_with_one(env: Env) -> Any:
            value = only(env)
            return None if value is None else function(value)

        return call_with_one
    if len(arguments) == 2:
        left, right = arguments

        def call_with_two(env: Env) -> Any:
            first, second = left(env), right(env)
            return None if first is None or second is None else function(first, second)

        return call_with_two

    def call_with_all(env: Env) -> Any:
        values = [argument(env) for argument in arguments]
        return None if any(value is None for value in values) else function(*values)

    return call_with_all


def combination(tests: Sequence[Test], *, decisive: bool) -> Test:
    """Return the closure of `&&` (`decisive` false) or `||` (`decisive` true): one part with that value decides."""
    if len(tests) != 2:
        return partial(decided_by, tests, decisive)
    first, second = tests

    def run(env: Env) -> bool | None:  # the common case, without a loop
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


def decided_by(tests: Iterable[Test], decisive: bool, env: Env) -> bool | None:  # noqa: FBT001  a keyword costs time
    """Return `decisive` if one test returns it, `None` if one is unknown and none returns it.
    Otherwise the error of a test is raised, if there is one.
    """
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


def choice(test: Test, then: Evaluate, other: Evaluate) -> Evaluate:
    """Return the closure of `test ? then : other`; unknown if the test is."""

    def run(env: Env) -> Any:
        found = test(env)
        if found is None:
            return None
        return then(env) if found else other(env)

    return run


def quantifier(group: Evaluate, slot: int, body: Test, *, decisive: bool) -> Test:
    """Return the closure of `exists` (`decisive` true: one true item decides) or `all` (`decisive` false: one false
    item decides). Each item of the list `group` is bound at `slot`, and `body` is the test.

    Unknown items and items in error weigh as the parts of `||` and `&&` do.
    """

    def run(env: Env) -> bool | None:
        values = group(env)
        if values is None:
            return None
        bound, result, fault = env.bound, not decisive, None
        unknown = False
        for item in _list(values):  # as `decided_by`, without a call for each item
            bound[slot] = item
            try:
                found = body(env)
            except GuardFault as error:
                fault = fault or error
                continue
            if found is decisive:
                return decisive
            unknown = unknown or found is None
        if fault is not None and not unknown:
            raise fault
        return None if unknown else result

    return run


def filtered(group: Evaluate, slot: int, body: Test) -> Evaluate:
    """Return the closure of `filter`: the items of the list `group`, bound at `slot`, for which the test `body` holds;
    unknown if a test is unknown.
    """

    def run(env: Env) -> list[Any] | None:
        values = group(env)
        if values is None:
            return None
        kept: list[Any] = []
        for value in _list(values):
            env.bound[slot] = value
            found = body(env)
            if found is None:
                return None
            if found:
                kept.append(value)
        return kept

    return run


def mapped(group: Evaluate, slot: int, body: Evaluate) -> Evaluate:
    """Return the closure of `map`: the value `body` for each item of the list `group`, which is bound at `slot`;
    unknown if a value is.
    """

    def run(env: Env) -> list[Any] | None:
        values = group(env)
        if values is None:
            return None
        found: list[Any] = []
        for value in _list(values):
            env.bound[slot] = value
            one = body(env)
            if one is None:
                return None
            found.append(one)
        return found

    return run


def _list(values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise GuardFault("this needs a list")
    return values  # pyright: ignore[reportUnknownVariableType]
