"""Laws 3.8 and 4.5: a yes decides nothing about a question that a timer asked a moment before, unless it was shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import turnwise as tw
from support.tools import NOON_MS
from turnwise.core.state import events as e

FLOW = """
flow: news
start: ask
records: {user: {news: {type: boolean, about: newsletter}, town: {type: string, about: town}}}
tools: {pay: {about: pay, kind: effect, confirm: true, args: {to: string}}}
nodes:
  ask:
    form: {fields: [{field: user.news, ask: Newsletter?}]}
    transitions: [TIMERS {to: end}]
  pay: {tool: {name: pay, with: {to: '"Bo"'}}, transitions: [{to: end}, {at: error, to: end}]}
  check:
    set: {user.town: '"Rome"', user.news: "true"}
    transitions: [{to: summary}]
  summary:
    form: {fields: [{field: user.town, ask: Town?}], confirm: {}}
    transitions: [{when: form.status == "confirmed", to: pay}]
  end: {say: Bye., end: done}
"""
APPROVAL = FLOW.replace("TIMERS", "{at: timer, in: 1s, to: pay},")
SUMMARY = FLOW.replace("TIMERS", "{at: timer, in: 1s, to: check},").replace("confirm: true,", "")
REMINDED = FLOW.replace("TIMERS", "{at: timer, in: 1s, stay: true, say: Still there?, repeat: 1},")
Send = Callable[[tw.Chat], Awaitable[tw.Turn]]


def play(text: str, *steps: Send) -> tuple[list[str], list[tw.Turn]]:
    """Let a timer come due, and then take each step."""
    paid: list[str] = []

    def pay(to: str) -> str:
        paid.append(to)
        return "ok"

    async def played() -> list[tw.Turn]:
        clock = tw.ManualClock(NOON_MS)
        async with tw.open(tw.loads(text), tools={"pay": pay}, clock=clock) as app:
            chat = app.chat("main")
            await chat.start()
            clock.move_s(2)
            await app.tick()
            turns = [await step(chat) for step in steps]
            assert (await chat.rerun()).agrees
            return turns

    return paid, asyncio.run(played())


def says(text: str, **more: Any) -> Send:
    return lambda chat: chat.say(text, **more)


def presses(label: str, **more: Any) -> Send:
    return lambda chat: chat.choose(label, **more)


async def says_with_what_was_shown(chat: tw.Chat) -> tw.Turn:
    return await chat.say("yes", position=(await chat.state()).seq)


async def presses_with_what_was_shown(chat: tw.Chat) -> tw.Turn:
    return await chat.choose("Yes", position=(await chat.turn()).position)


async def streams(chat: tw.Chat) -> tw.Turn:
    pieces = [one async for one in chat.stream("yes")]
    assert isinstance(pieces[-1], tw.Turn)
    return pieces[-1]


@pytest.mark.law("3.8", "4.5")
@pytest.mark.parametrize("first", [says("yes"), says("no"), says("yes", key="k"), presses("Yes"), streams])
def test_an_answer_decides_nothing_about_an_approval_that_a_timer_asked_for(first: Send) -> None:
    paid, (late, seen) = play(APPROVAL, first, says("yes"))
    assert late.text.startswith("This came up in the meantime:\n\nShall I do this: pay?")
    assert [one.code for one in late.warnings] == ["late"]
    assert [one.text for one in late.unprompted] == ["Shall I do this: pay?\n- to: Bo\nYes or no?"]
    assert (paid, seen.text) == (["Bo"], "Bye.")


@pytest.mark.law("3.8", "5.5")
def test_a_yes_confirms_no_summary_that_a_timer_showed() -> None:
    paid, (late, _) = play(SUMMARY, says("yes"), says("yes"))
    assert "Is this correct?" in late.text
    assert late.warnings[0].code == "late"
    assert paid == ["Bo"]


@pytest.mark.law("3.8", "4.5")
@pytest.mark.parametrize("first", [says_with_what_was_shown, presses_with_what_was_shown])
def test_a_client_that_showed_the_question_of_a_timer_is_believed(first: Send) -> None:
    paid, (turn,) = play(APPROVAL, first)
    assert (paid, turn.text) == (["Bo"], "Bye.")


@pytest.mark.law("3.8", "4.5")
def test_a_position_before_the_question_is_refused() -> None:
    paid, (stale, _) = play(APPROVAL, says("yes", position=3), says("yes"))
    assert (stale.refused, len(paid)) == ("stale", 1), "the refusal reported the question"
    assert [len(one.unprompted) for one in (stale,)] == [1]


@pytest.mark.law("3.8", "2.15")
def test_a_reminder_leaves_the_question_to_be_answered() -> None:
    _, (turn,) = play(REMINDED, says("yes"))
    assert (turn.value("user.news"), turn.text) == (True, "Bye.")


@pytest.mark.law("3.8")
def test_a_timer_that_the_host_fires_reports_its_question_to_the_host() -> None:
    async def fires(chat: tw.Chat) -> tw.Turn:
        await chat.undo(to=1)
        return await chat.fire((await chat.state()).timers[0].transition)

    paid, _ = play(APPROVAL, fires, says("yes"))
    assert paid == ["Bo"]


DEADLINE = """
flow: desk
start: desk
tools:
  pay: {about: pay, kind: effect, confirm: true, approve_within: 1s, args: {to: string}}
  send: {about: send, kind: effect, confirm: true, args: {to: string}}
nodes:
  desk: {prompt: Help., tools: {allow: [pay, send]}}
"""


@pytest.mark.law("3.8", "4.5")
@pytest.mark.parametrize("is_fired", [True, False], ids=["the timer fired", "noticed with the yes"])
def test_a_yes_at_the_deadline_of_one_approval_is_none_to_the_next(is_fired: bool) -> None:
    ran: list[str] = []

    def tool(to: str) -> str:
        ran.append(to)
        return "ok"

    calls = (tw.CallMade("pay", {"to": "Bo"}), tw.CallMade("send", {"to": "Eve"}))

    async def played() -> None:
        clock = tw.ManualClock(NOON_MS)
        model = tw.ScriptedModel([tw.ModelReply("", calls=calls), "Done."])
        async with tw.open(
            tw.loads(DEADLINE),
            tools={"pay": tool, "send": tool},
            model=model,
            clock=clock,
            understand=tw.understand_by_rules,
        ) as app:
            chat = app.chat("main")
            await chat.say("pay Bo, and send it to Eve")
            clock.move_s(2)
            if is_fired:
                await app.tick()
            turn = await chat.say("yes")
            assert "send" in turn.said[-1].text
            assert ran == []
            await chat.say("yes")
            assert ran == ["Eve"]
            assert not [one for one in (await chat.turn()).events if isinstance(one, e.Failed)]

    asyncio.run(played())


OPERATED = """
flow: desk
start: desk
person: {queue: desk}
commands: [hand_over]
records: {user: {town: {type: string, about: town}}}
tools:
  send: {about: send, kind: effect, confirm: true, args: {to: string}}
nodes:
  desk: {prompt: Help., tools: {allow: [send]}, transitions: [{at: before, when: has(user.town), to: check}]}
  check: {tool: {name: send, with: {to: user.town}}, transitions: [{to: end}, {at: error, to: end}]}
  end: {say: Bye.}
"""


@pytest.mark.law("3.8", "4.5", "6.10")
@pytest.mark.parametrize("way", ["declines", "gives back"])
def test_a_yes_approves_nothing_that_came_up_by_an_operator_a_moment_before(way: str) -> None:
    ran: list[str] = []

    def send(to: str) -> str:
        ran.append(to)
        return "ok"

    async def played() -> None:
        calls = (tw.CallMade("send", {"to": "Bo"}), tw.CallMade("send", {"to": "Eve"}))
        model = tw.ScriptedModel([tw.ModelReply("", calls=calls), "Done."])
        async with tw.open(
            tw.loads(OPERATED), tools={"send": send}, model=model, understand=tw.understand_by_rules
        ) as app:
            chat = app.chat("main")
            if way == "declines":
                turn = await chat.say("send it to Bo and Eve")
                await chat.decline(turn.state.waiting_calls[0].name, operator="Lena")
            else:
                await chat.start()
                await chat.take_over("Lena")
                await chat.give_back(set={"user.town": "Eve"})
            turn = await chat.say("yes")
            assert turn.text.startswith("This came up in the meantime:\n\nShall I do this: send?\n- to: Eve")
            assert ran == []
            await chat.say("yes")
            assert ran == ["Eve"]
            assert (await chat.rerun()).agrees

    asyncio.run(played())
