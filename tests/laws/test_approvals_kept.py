"""Law 4.5 beyond one process: calls that wait are kept, exported, migrated, and refused where they cannot be made."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import turnwise as tw
from support.chats import flow_of
from support.tools import FakeTool, Stage, made, uses
from turnwise.core.state.codec import decode_state, encode_state
from turnwise.models.scripted import ScriptedModel
from turnwise.testing.approval_lines import read_decisions
from turnwise.testing.notation import NotationError

FLOW = """
    flow: depot
    start: desk
    tools:
      ship: {about: ship a crate, kind: effect, confirm: true, args: {to: string, crates: integer}}
      label: {about: print a label, kind: effect, args: {to: string}}
      scrap: {about: scrap a crate, kind: effect, confirm: true, approver: operator, approve_within: 10m, args: {crate: string}}
    nodes: {desk: {prompt: Run the depot., tools: {allow: ['*']}}}
"""
CALLS = uses(made("ship", to="Bo", crates=1), made("label", to="Bo"), made("scrap", crate="7"))
TOOLS = ("ship", "label", "scrap")


@pytest.mark.law("4.5", "3.8")
def test_calls_that_wait_are_there_after_a_restart(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/depot.db"
    clock = tw.ManualClock(1_700_000_000_000)

    async def first() -> None:
        async with tw.open(flow_of(FLOW), store=store, model=ScriptedModel(["Hello.", CALLS]), clock=clock) as app:
            await app.chat("ada").say("hi")
            await app.chat("ada").say("go")

    async def second() -> list[str]:
        tools = {name: FakeTool("done") for name in TOOLS}
        async with tw.open(flow_of(FLOW), store=store, model=ScriptedModel(["All done."]), clock=clock) as app:
            chat = app.chat("ada")
            chat.runtime.performer.tools = tools
            state = await chat.state()
            assert [(one.tool, [call.tool for call in one.behind]) for one in state.waiting_calls] == [
                ("ship", ["label"]),
                ("scrap", []),
            ]
            assert decode_state(encode_state(state)) == state
            await chat.say("yes")
            clock.move_s(600)
            await app.tick()
            assert (await chat.turn()).state.waiting_calls == ()
            assert await chat.replay()
            return [name for name in TOOLS if tools[name].calls]

    asyncio.run(first())
    assert asyncio.run(second()) == ["ship", "label"]


def parked(flow: str = FLOW) -> Stage:
    stage = Stage(flow, ["Hello.", CALLS, "All done."], {name: FakeTool("done") for name in TOOLS})
    stage.say("hi")
    stage.say("go")
    return stage


@pytest.mark.law("4.5", "6.8")
@pytest.mark.parametrize(
    ("old", "new", "fits"),
    [
        ("prompt: Run the depot.", "prompt: Run it.", True),
        ("crates: integer", "crates: {type: integer, max: 0}", False),
        (
            "ship: {about: ship a crate, kind: effect, confirm: true, args: {to: string, crates: integer}}\n",
            "\n",
            False,
        ),
        ("approver: operator, ", "", False),
    ],
)
def test_a_parked_conversation_migrates_only_if_each_call_could_still_be_made(old: str, new: str, fits: bool) -> None:
    stage = parked()
    changed = flow_of(FLOW.replace(old, new).replace("flow: depot", "flow: depot\n    version: 2"))
    app = tw.open(changed, store=stage.store, model=ScriptedModel(["All done."]), clock=stage.clock)
    migration = asyncio.run(app.chat("main").migrate(dry_run=True))
    assert (migration.conversations[0].outcome == "compatible") is fits, migration


@pytest.mark.law("4.5", "4.3")
def test_a_tool_that_is_gone_when_its_call_is_approved_is_a_failure_that_the_model_is_told() -> None:
    stage = parked()
    del stage.chat.runtime.performer.tools["ship"]
    turn = stage.say("yes")
    assert stage.tools.get("label", FakeTool()).calls
    assert [one.tool for one in turn.state.waiting_calls] == ["scrap"]
    turn = stage.approve(operator="Lena")
    assert turn.text == "All done."
    assert "error" in str(stage.transcript())


@pytest.mark.law("4.5")
def test_an_exported_conversation_has_its_calls_that_wait() -> None:
    stage = parked()
    data = stage.export()
    other = Stage(FLOW, ["All done."], {name: FakeTool("done") for name in TOOLS})
    asyncio.run(other.app.import_(data))
    assert [one.tool for one in other.state().waiting_calls] == ["ship", "scrap"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("approve ship", [("approve", "ship", 1, {}, "")]),
        ('approve ship#2 {"crates": 3}', [("approve", "ship", 2, {"crates": 3}, "")]),
        ("decline scrap; because(not today)\nby(Lena)", [("decline", "scrap", 1, {}, "not today")]),
        ("approve", [("approve", "", 1, {}, "")]),
        ("decline because(no)", [("decline", "", 1, {}, "no")]),
        ("perhaps ship", None),
        ("", None),
        ('decline ship {"crates": 3}', None),
        ("approve ship; because(x)", None),
        ("approve ship {crates}", None),
    ],
)
def test_lines_of_decisions_are_read(text: str, found: list[tuple[object, ...]] | None) -> None:
    if found is None:
        with pytest.raises(NotationError):
            read_decisions(text)
    else:
        assert [
            (one.does, one.tool, one.number, dict(one.arguments), one.reason) for one in read_decisions(text).choices
        ] == found
