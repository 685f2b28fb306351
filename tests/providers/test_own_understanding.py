"""A host's own function that understands messages: what it is given, beside the rules, and when it is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

import turnwise as tw
from turnwise.core.state import commands as c
from turnwise.core.state.events import UnderstandingFailed, Understood
from turnwise.flow.model import Record

FLOW = tw.Flow(
    "f",
    start="ask",
    records=[Record("r", (tw.Field("city"), tw.Field("age", "integer")))],
    nodes=[tw.Node("ask", prompt="Ask.", collect=["r.city", "r.age"])],
)


def event_of(turn: tw.Turn, kind: type[Any]) -> Any:
    return next(one for one in turn.events if isinstance(one, kind))


def no_result(message: str, allowed: tw.AllowedInput) -> Any:
    allowed.field(message)


def says_none(message: str, allowed: tw.AllowedInput) -> None:
    return print(message)


async def generated(message: str, allowed: tw.AllowedInput) -> AsyncIterator[c.AnyCommand]:
    yield c.Affirm()


WRONG: list[tuple[Any, str]] = [
    (lambda message: [], "called with both, it fails"),
    (lambda message, allowed, extra: [], "called with both, it fails"),
    (no_result, "it returns None"),
    (says_none, "it returns None"),
    (generated, "it is an async generator"),
    (dict, "a function of a message and what is allowed"),
    (3, "a function of a message and what is allowed"),
]


@pytest.mark.parametrize(("wrong", "told"), WRONG)
def test_a_function_that_cannot_understand_is_refused_when_the_flow_is_opened(wrong: Any, told: str) -> None:
    with pytest.raises(tw.WrongArgument, match=told):
        tw.open(FLOW, understand=wrong)


async def later(message: str, allowed: tw.AllowedInput) -> Sequence[c.AnyCommand]:
    return [c.Set(field="r.city", value=allowed.conversation)] if message else []


def one_by_one(message: str, allowed: tw.AllowedInput) -> Any:
    yield c.Set(field="r.city", value=allowed.conversation)


class Own:
    def __call__(self, message: str, allowed: tw.AllowedInput, more: str = "") -> list[c.AnyCommand]:
        return [c.Set(field="r.city", value=allowed.conversation)]


@pytest.mark.parametrize("understand", [later, one_by_one, Own()])
def test_a_function_is_given_the_name_of_the_conversation(understand: Any) -> None:
    with tw.open_sync(FLOW, understand=understand) as app:
        chat = app.chat("42")
        assert chat.say("x").state.values["r.city"].value == "42"


def test_the_rules_are_asked_where_the_own_rule_has_nothing() -> None:
    def own(message: str) -> list[c.AnyCommand]:
        return [c.Set(field="r.city", value="Bergen")] if "fjord" in message else []

    understand: Any = lambda message, allowed: own(message) or tw.understand_by_rules(message, allowed)  # noqa: E731
    with tw.open_sync(FLOW, understand=understand) as app:
        chat = app.chat("42")
        assert chat.say("the one at the fjord").state.values["r.city"].value == "Bergen"
        turn = chat.say("I am 38 years old")
        assert turn.state.values["r.age"].value == 38
        assert event_of(turn, Understood).by == "rules"


RETURNED: list[tuple[Any, str]] = [
    (None, "understand returned NoneType, expected a list of commands, [] where there is none"),
    ("yes", "understand returned str, expected a list of commands"),
    (["yes"], "understand returned a list with str, expected commands such as tw.commands.Set"),
]


@pytest.mark.parametrize(("returned", "told"), RETURNED)
def test_what_only_the_call_shows_fails_with_what_was_expected(returned: Any, told: str) -> None:
    with tw.open_sync(FLOW, understand=lambda message, allowed: returned) as app:
        chat = app.chat("42")
        assert told in event_of(chat.say("x"), UnderstandingFailed).reason


def test_a_guard_that_no_transition_uses_is_reported() -> None:
    @tw.guard
    def knows(r: Any) -> bool:
        return bool(r.city)

    assert [one.code for one in tw.check(FLOW, guards=[knows])] == ["TW079"]
    assert [one.code for one in tw.check(FLOW)] == []
