"""Conversations inside a scope are imported, copied, taken back and counted as any other."""

from __future__ import annotations

import asyncio

import turnwise as tw
from support.chats import flow_of
from turnwise.core.state.in_charge import entered_node, in_charge
from turnwise.runner.lasting_effects import own_calls

FLOW = """
flow: shop
start: order
records: {order: {size: {type: choice, options: [S, M]}}}
tools: {save: {about: save it, kind: effect, args: {note: string}}}
nodes:
  order:
    form: {fields: [{field: order.size, ask: Which size?}]}
    transitions: [{id: advise, at: before, when: 'message.text == "advise me"', call: advice}]
  advice:
    scope:
      start: ask
      records: {talk: {height: integer}}
      nodes:
        ask: {form: {fields: [{field: talk.height, ask: How tall are you?}]}, transitions: [{to: keep}]}
        keep: {tool: {name: save, with: {note: '"kept"'}}, transitions: [{return: true}]}
"""


def save(note: str) -> str:
    return note


async def talked(app: tw.App) -> tw.Chat:
    chat = app.chat("a")
    await chat.start()
    await chat.say("advise me")
    return chat


def opened() -> tw.App:
    return tw.open(flow_of(FLOW), tools=[tw.tool(save, kind="effect", about="save it")])


def test_a_copy_and_an_import_go_on_inside_the_scope() -> None:
    async def whole() -> None:
        async with opened() as app:
            chat = await talked(app)
            imported = await app.import_(await chat.export(), conversation="b", effects=True)
            copy = await chat.fork("c", effects=True)
            for one in (chat, imported, copy):
                assert (await one.state()).node == "advice/ask"
                assert (await one.say("180")).text.endswith("Which size?")
                assert await one.replay()

    asyncio.run(whole())


def test_the_nodes_in_charge_are_followed_over_openings_and_closings() -> None:
    async def whole() -> None:
        async with opened() as app:
            chat = await talked(app)
            await chat.say("180")
            journal = await chat.journal()
        nodes, stacks, come = tuple[str, ...](), list[tuple[str, ...]](), list[str]()
        for entry in journal:
            nodes = in_charge(nodes, entry.event)
            stacks.append(nodes)
            come += [node] if (node := entered_node(entry.event)) else []
        assert come == ["order", "advice/ask", "advice/keep"]
        assert nodes == ("order",)
        assert {("order", "advice/ask"), ("order", "advice/keep")} <= {*stacks}
        calls = own_calls([one.event for one in journal], (), {"save"})
        assert [(one.node, one.tool) for one in calls] == [("advice/keep", "save")]

    asyncio.run(whole())


def test_an_undo_of_a_closing_names_what_the_scope_did() -> None:
    async def whole() -> None:
        async with opened() as app:
            chat = await talked(app)
            await chat.say("180")
            turn = await chat.undo()
            assert "save" in turn.text
            state = await chat.state()
            assert [frame.node for frame in state.frames] == ["order", "advice/ask"]
            assert [one.node for one in state.taken_back] == ["advice/keep"]

    asyncio.run(whole())


AROUND = """
flow: careful
start: guarded
tools: {save: {about: save it, kind: effect, args: {a: string}}}
nodes:
  guarded:
    scope: {start: only, nodes: {only: {tool: {name: save, with: {a: '"x"'}}}}}
    transitions: [{id: broken, at: error, when: 'scope.outcome == "failed" && error.message.contains("disk")', to: sorry}]
  sorry: {say: Sorry.}
"""


def test_a_failure_that_nothing_around_the_scope_takes_over_is_recorded_as_judged() -> None:
    reasons = iter(["the network is gone", "the network is gone", "the disk is full"])

    def fails(a: str) -> str:
        raise OSError(next(reasons) + a[:0])

    async def whole() -> None:
        async with tw.open(flow_of(AROUND), tools=[tw.tool(fails, name="save", kind="effect", about="save")]) as app:
            chat = app.chat("a")
            turn = await chat.start()
            judged = [(one.node, one.moment, one.line) for one in turn.decisions if one.moment == "error"]
            assert [one[0] for one in judged] == ["guarded/only", "guarded"]
            (around,) = [one for one in turn.decisions if one.node == "guarded" and one.moment == "error"]
            assert around.candidates[0].outcome == "false"
            assert [frame.node for frame in (await chat.state()).frames] == ["guarded", "guarded/only"]
            turn = await chat.say("again")
            facts = (await chat.why("transition broken")).facts
            assert facts[0].kind == "transition_judged"
            assert "needs error.message.contains" in facts[0].text
            assert (await chat.say("once more")).text == "Sorry."
            assert await chat.replay()

    asyncio.run(whole())
