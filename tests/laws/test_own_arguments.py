"""A tool may do what it likes with its arguments: they are a copy, made anew for each attempt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import events as e
from turnwise.errors import InDoubt, NotDone
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore

ORDER = """
flow: order
start: shop
prompt: Be kind.
tools:
  order:
    about: Order things.
    kind: {kind}
    args: {{things: {{type: list, of: string}}, notes: {{type: list, of: string, default: [soon]}}}}
    retry: {{times: 1}}
    confirm: {confirm}
    on_crash: {on_crash}
nodes:
  shop: {{prompt: Sell., tools: {{allow: [order]}}}}
"""


def flow(kind: str = "read", confirm: str = "false", on_crash: str = "again") -> str:
    return ORDER.format(kind=kind, confirm=confirm, on_crash=on_crash)


class Greedy:
    """Takes everything out of its arguments; the first attempt fails after that."""

    def __init__(self, failure: Exception) -> None:
        self.failure: Exception | None = failure
        self.seen: list[tuple[list[str], list[str]]] = []

    def __call__(self, things: list[str], notes: list[str]) -> dict[str, int]:
        self.seen.append((list(things), list(notes)))
        things.clear()
        notes += ["never"]
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure
        return {"left": len(things)}


@pytest.mark.law("4.3", "1.2")
@pytest.mark.parametrize("store", ["memory", "sqlite"])
@pytest.mark.parametrize("confirm", ["false", "true"])
def test_a_tool_that_changes_its_arguments_changes_nothing_else(store: str, confirm: str, tmp_path: Path) -> None:
    greedy = Greedy(ValueError("again"))
    kept = MemoryStore() if store == "memory" else SqliteStore(tmp_path / "order.db")
    model = [uses(made("order", things=["pen", "ink"])), "Done."]
    stage = Stage(flow("effect", confirm), model=model, tools={"order": greedy}, store=kept)
    turn = stage.say("a pen and ink")
    if confirm == "true":
        turn = stage.choose("yes")
    assert greedy.seen == [(["pen", "ink"], ["soon"])] * 2
    (asked,) = [one.effect for one in facts(turn, e.EffectAsked) if hasattr(one.effect, "arguments")]
    assert asked.arguments == {"things": ["pen", "ink"], "notes": ["soon"]}
    journal = stage.journal()
    assert stage.replay()
    (call,) = [one for entry in journal if isinstance(entry.event, e.ModelReplied) for one in entry.event.calls]
    assert call.arguments == {"things": ["pen", "ink"]}
    default = stage.chat.machine.tools["order"].args["notes"].default
    assert default == ["soon"], "the flow's own default is shared by all conversations"


@pytest.mark.law("4.5", "4.3")
def test_a_check_sees_the_arguments_that_the_call_was_asked_with() -> None:
    checked: list[dict[str, Any]] = []

    class Checked(FakeTool):
        async def check(self, arguments: Any, call: Any) -> Any:
            checked.append({name: list(value) for name, value in arguments.items()})
            arguments["things"].clear()
            raise NotDone

    greedy = Greedy(InDoubt("the line went dead"))
    model = [uses(made("order", things=["pen"])), "Done."]
    stage = Stage(flow("effect", on_crash="check"), model=model, tools={"order": Checked(greedy)})
    stage.say("a pen")
    assert checked == [{"things": ["pen"], "notes": ["soon"]}]
    assert greedy.seen == [(["pen"], ["soon"])] * 2


LOOK = """
flow: look
start: ask
tools: {look: {about: Look.}}
records: {user: {name: string, tags: {type: list, of: string}, age: integer}}
nodes:
  ask: {say: "What?", transitions: [{at: before, when: has(message.text), to: look}]}
  look: {tool: {name: look, into: user}, transitions: [{to: ask, reply: next}]}
"""


@pytest.mark.law("4.4", "1.3")
@pytest.mark.parametrize("blank", ["", "  ", [], "missing"])
def test_a_blank_in_the_result_of_a_tool_clears_its_field(blank: Any) -> None:
    second = {} if blank == "missing" else {"name": blank, "tags": blank}
    results = iter([{"name": "Ada", "tags": ["a"], "age": 3}, second])
    stage = Stage(LOOK, tools={"look": lambda: next(results)})
    stage.start()
    turn = stage.say("look")
    assert turn.state.values["user.name"].value == "Ada"
    turn = stage.say("look again")
    if blank == []:
        assert not facts(turn, e.WorkDone), "a text takes no list"
        return
    left = {"user.name", "user.tags", "user.age"} if blank == "missing" else {"user.age"}
    assert set(turn.state.values) == left
    assert stage.replay()
