"""Questions of why as tables: what is asked of a conversation, and which facts the answer must have, or must not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import turnwise as tw
from support.chats import NOON_MS, flow_of
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.clocks import ManualClock
from turnwise.why.answer import Answer, Fact


class Case(NamedTuple):
    """One question. `line` is how the first fact begins, in words; `facts` are kinds with some of their values, which
    must be in the answer or among its causes; `never` are kinds that must not.
    """

    question: str
    line: str
    facts: Mapping[str, Mapping[str, Any]] = {}
    never: tuple[str, ...] = ()
    turn: int | None = None


class Talk:
    """A conversation with a scripted model, tools that are functions, and a clock that the test moves."""

    def __init__(self, flow: str, plan: Iterable[Any] = (), **more: Any) -> None:
        self.clock: ManualClock = more.pop("clock", None) or ManualClock(NOON_MS)
        model = more.pop("model", None) or ScriptedModel(plan, understands=bool(more.pop("understands", False)))
        self.app = tw.open_sync(flow_of(flow), model=model, clock=self.clock, **more)
        self.chat = self.app.chat("main")

    def did(self, *steps: Callable[[tw.SyncChat], Any] | str) -> Talk:
        """Take these steps: a text is said, a function is called with the chat."""
        for step in steps:
            if isinstance(step, str):
                self.chat.say(step)
            else:
                step(self.chat)
        return self

    def later(self, seconds: float) -> Callable[[tw.SyncChat], None]:
        """A step in which the time passes."""
        return lambda _chat: self.clock.move_s(seconds)


def gives(**values: Any) -> Callable[[tw.SyncChat], Any]:
    """A step in which the program sets fields of the record `r`."""
    return lambda chat: chat.commands(
        [tw.commands.Set(field=f"r.{name}", value=value) for name, value in values.items()]
    )


def every(answer: Answer) -> list[Fact]:
    """Every fact of an answer, with those that caused it."""
    return [one for fact in answer.facts for one in fact.walk()]


def check(chat: tw.SyncChat, case: Case) -> Answer:
    """Ask a question, and fail unless the answer is as the case says."""
    answer = chat.why(case.question, turn=case.turn)
    told = "\n".join(f"{fact.kind}: {fact.text}" for fact in every(answer))
    assert answer.line.startswith(case.line), f"{answer.line!r}\n{told}"
    for kind, values in case.facts.items():
        found = [fact for fact in every(answer) if fact.kind == kind]
        is_there = any(all(fact.values.get(name) == value for name, value in values.items()) for fact in found)
        assert is_there, f"no {kind} with {values}:\n{told}\n{[fact.values for fact in found]}"
    assert not {fact.kind for fact in every(answer)} & {*case.never}, told
    assert answer.to_dict()["line"] == answer.line
    for place, fact in enumerate(answer.facts):
        before = [(one.text, one.turn, one.seq) for other in answer.facts[:place] for one in other.walk()]
        assert (fact.text, fact.turn, fact.seq) not in before, f"{fact.text} stands before, too\n{told}"
    return answer
