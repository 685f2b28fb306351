"""Three-valued logic of guards (law 2.10), and the macros over lists: `exists`, `all`, `filter`, and `has`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from turnwise.core.guards.env import Env, GuardFault
from turnwise.core.guards.scope import Compiling, Term
from turnwise.core.guards.types import LIST, named
from turnwise.flow.guard import GuardError
from turnwise.flow.guard import syntax as s

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


_OVER_LISTS = ("exists", "all", "filter")
_DEEPEST = 2
"""How deep these stand in one another: each level multiplies the work by the length of a list."""


def macro(compiler: Compiling, call: s.Call) -> Term | None:
    """The term of a macro, `None` where the call is none."""
    if call.name == "has" and call.of is None:
        return _has(compiler, call)
    if call.name in _OVER_LISTS and call.of is not None:
        return _over_list(compiler, call, call.of)
    return None


def _has(compiler: Compiling, call: s.Call) -> Term:
    if len(call.args) != 1 or not isinstance(call.args[0], s.Select | s.Name):
        raise GuardError("TW032", "has() takes one field, as in has(user.name)", call.at)
    return Term("bool", compiler.presence(compiler.term(call.args[0])))


def _over_list(compiler: Compiling, call: s.Call, of: s.Expression) -> Term:
    group = compiler.term(of)
    if not group.type.startswith(LIST) and group.type != "dyn":
        raise GuardError("TW032", f"{call.name}() needs a list, this is {named(group.type)}", call.at)
    if len(call.args) != 2 or not isinstance(call.args[0], s.Name):
        raise GuardError("TW032", f"{call.name}() takes a name and a condition, as in exists(g, g > 3)", call.at)
    if compiler.depth >= _DEEPEST:
        message = f"{call.name}() stands inside two others; guards nest these two deep at most"
        raise GuardError("TW032", message, call.at)
    inside = compiler.inside(call.args[0].name, group.type.removeprefix(LIST))
    body = inside.condition(call.args[1])
    if call.name == "filter":
        return Term(group.type, _filter(group.run, inside.depth, body))
    return Term("bool", _quantifier(group.run, inside.depth, body, decisive=call.name == "exists"))


def _items(values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise GuardFault("this needs a list")
    return values  # pyright: ignore[reportUnknownVariableType]


def _quantifier(group: Callable[[Env], Any], slot: int, body: Condition, *, decisive: bool) -> Condition:
    """`exists` is decided by one item that holds, `all` by one that does not; then an unknown item
    outweighs one in error, and that the usual verdict, as between the parts of `||` and `&&`.
    """

    def run(env: Env) -> bool | None:
        values = group(env)
        if values is None:
            return None
        return decided_by(_of_each(_items(values), slot, body, env), env, decisive=decisive)

    return run


def _of_each(items: list[Any], slot: int, body: Condition, env: Env) -> Iterator[Condition]:
    """The body of a macro once for each item, which stands in its slot meanwhile."""
    for item in items:
        env.bound[slot] = item
        yield body


def _filter(group: Callable[[Env], Any], slot: int, body: Condition) -> Callable[[Env], Any]:
    """The items that hold; unknown where it is unknown of one."""

    def run(env: Env) -> list[Any] | None:
        values = group(env)
        if values is None:
            return None
        kept: list[Any] = []
        for value in _items(values):
            env.bound[slot] = value
            found = body(env)
            if found is None:
                return None
            if found:
                kept.append(value)
        return kept

    return run
