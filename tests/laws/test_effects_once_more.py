"""Laws 4.5 and 6.9: an effect that an undo did not reverse is asked about before it runs once more."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import Failed
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.errors import InDoubt

DESK = """
    flow: notes
    start: desk
    language: LANGUAGE
    tools:
      save: {about: save the note, kind: effect, args: {text: string}}
      send: {about: send the note, kind: effect, confirm: true, args: {text: string}}
      look: {about: look at the notes, args: {text: string}}
    nodes:
      desk: {prompt: Help with notes., tools: {allow: ['*']}}
"""
WORK = """
    flow: seats
    start: ask
    records: {order: {seats: integer, code: CODE}}
    tools: {book: {about: book seats, kind: effect, args: {seats: integer}}}
    nodes:
      ask: {say: How many?, transitions: [{at: before, when: has(order.seats), to: book}]}
      book: {tool: {name: book, with: {seats: order.seats}, into: order.code}, transitions: [{to: done}]}
      done: {say: Booked.}
"""
MILK = made("save", text="milk")


def desk(*model: Any, language: str = "en", **more: Any) -> Stage:
    tools = {name: FakeTool(f"{name} done") for name in ("save", "send", "look")}
    return Stage(DESK.replace("LANGUAGE", language), model, tools, **more)


def work(tool: Any = "R1", code: str = "string") -> Stage:
    stage = Stage(WORK.replace("CODE", code), tools={"book": tool})
    stage.start()
    return stage


def booked(code: str = "string") -> Stage:
    """A conversation in which a node has booked, and an undo took the turn back."""
    stage = work(code=code)
    stage.commands([c.Set(field="order.seats", value=2)])
    stage.undo()
    return stage


def again(stage: Stage) -> Any:
    return stage.commands([c.Set(field="order.seats", value=2)])


# calls of a model ----------------------------------------------------------------------------------


@pytest.mark.law("4.5", "6.9")
def test_the_same_call_of_a_model_is_asked_about_after_an_undo() -> None:
    stage = desk("Hello.", uses(MILK), "Saved.", uses(MILK), "Saved again.", uses(MILK), "Saved thrice.")
    stage.say("hello")
    stage.say("note milk")
    stage.undo()
    turn = stage.say("note milk")
    assert turn.text == (
        "That was done already at 12:00 PM (save done): save the note.\n- text: milk\nShall I do it once more? Yes or no?"
    )
    assert [button.label for button in turn.buttons] == ["Yes", "No"]
    assert len(stage.tools["save"].calls) == 1
    assert stage.say("yes please, once more").text == "Saved again."
    assert len(set(stage.tools["save"].keys)) == 2
    assert stage.say("note milk").text == "Saved thrice.", "it was done again since, so it is a call as any other"
    assert stage.rerun().agrees


@pytest.mark.law("4.5", "6.9")
def test_other_arguments_reads_and_calls_without_an_undo_are_not_asked_about() -> None:
    look = made("look", text="milk")
    stage = desk("Hi.", uses(MILK, look), "One.", uses(MILK), "Two.", uses(made("save", text="tea"), look), "Three.")
    stage.say("hello")
    stage.say("note milk")
    assert stage.say("note milk").text == "Two."
    stage.undo(to=1)
    assert stage.say("note tea").text == "Three."
    assert len(stage.tools["save"].calls) == 3


@pytest.mark.law("4.5", "6.9")
def test_a_no_to_a_call_of_a_model_keeps_it_done_once() -> None:
    stage = desk("Hello.", uses(MILK), "Saved.", uses(MILK), "Not again.", uses(MILK), "Not again.")
    stage.say("hello")
    stage.say("note milk")
    stage.undo()
    stage.say("note milk")
    assert stage.say("no").text == "Not again."
    assert "once more" in stage.say("note milk").text
    assert len(stage.tools["save"].calls) == 1


@pytest.mark.law("4.5", "6.9")
def test_an_approval_says_in_german_that_it_was_done_before() -> None:
    send = made("send", text="Milch")
    stage = desk("Hallo.", uses(send), "Gesendet.", uses(send), "Noch einmal.", language="de")
    stage.say("hallo")
    stage.say("sende Milch")
    stage.say("ja")
    stage.clock.move_s(86_400)
    stage.undo(to=1)
    turn = stage.say("sende Milch")
    assert turn.text == (
        "Das ist schon am 09.01.2026 um 12:00 erledigt worden (send done): send the note.\n"
        "- text: Milch\nSoll ich es noch einmal tun? Ja oder nein?"
    )
    assert stage.say("ja, noch einmal").text == "Noch einmal."


@pytest.mark.law("4.5", "6.9", "2.8")
def test_an_autonomous_run_waits_with_the_question() -> None:
    flow = DESK.replace("start: desk", "start: rest\n    autonomous: true").replace(
        "tools: {allow: ['*']}}",
        "tools: {allow: ['*']}, transitions: [{to: rest}]}\n"
        '      rest: {say: What now?, transitions: [{at: before, when: message.text == "go", to: desk}]}',
    )
    tools = {name: FakeTool("done") for name in ("save", "send", "look")}
    stage = Stage(flow.replace("LANGUAGE", "en"), [uses(MILK), "Saved.", uses(MILK), "Saved."], tools)
    stage.run()
    stage.following(stage.say("go"))
    assert len(tools["save"].calls) == 1
    stage.undo()
    turn = stage.following(stage.say("go"))[-1]
    assert "once more" in turn.text
    assert turn.state.status.what == "button"
    stage.following(stage.say("yes"))
    assert len(tools["save"].calls) == 2


# the work of a node --------------------------------------------------------------------------------


@pytest.mark.law("4.5", "6.9")
def test_a_no_to_the_work_of_a_node_says_that_it_was_not_done() -> None:
    stage = booked()
    assert "(R1)" in again(stage).text
    turn = stage.say("no")
    assert turn.text == "That was not done: book seats."
    assert turn.state.status == Failed("refused", "the user said no")
    assert "once more" in stage.say("hello").text
    assert len(stage.tools["book"].calls) == 1


def undone_after(fault: Exception) -> Stage:
    """A stage on which the first booking had a fault, and was undone."""
    plan = iter([fault, "R2"])

    def books(**_given: Any) -> Any:
        found = next(plan)
        if isinstance(found, Exception):
            raise found
        return found

    stage = work()
    stage.tools["book"].does = books
    again(stage)
    stage.undo(to=1)
    return stage


@pytest.mark.law("4.5", "6.9")
def test_what_is_in_doubt_may_have_been_done_and_keeps_its_key() -> None:
    stage = undone_after(InDoubt("no answer"))
    turn = again(stage)
    assert turn.text.startswith("That may have been done already at 12:00 PM: book seats.")
    assert stage.say("yes").text == "Booked."
    assert len(set(stage.tools["book"].keys)) == 1


@pytest.mark.law("4.5", "6.9")
def test_an_effect_that_failed_is_not_asked_about() -> None:
    stage = undone_after(OSError("sold out"))
    assert again(stage).text == "Booked."


@pytest.mark.law("4.5", "6.9")
@pytest.mark.parametrize("result", ["x" * 41, "two\nlines", {"code": "R1"}, None])
def test_a_result_that_is_not_short_is_not_shown(result: Any) -> None:
    stage = Stage(WORK.replace(", into: order.code", "").replace("CODE", "string"), tools={"book": FakeTool(result)})
    stage.start()
    again(stage)
    stage.undo()
    assert again(stage).text.startswith("That was done already at 12:00 PM: book seats.")


@pytest.mark.law("4.5", "6.9", "5.2")
def test_no_result_is_shown_in_a_flow_with_secrets() -> None:
    stage = booked("{type: string, secret: true}")
    assert again(stage).text.startswith("That was done already at 12:00 PM: book seats.")


@pytest.mark.law("6.9")
def test_a_use_that_the_host_reports_counts_as_done() -> None:
    stage = work()
    stage.tool_used("book", {"seats": 2}, "R0")
    stage.undo()
    assert "(R0)" in again(stage).text


@pytest.mark.law("4.5", "6.9")
def test_why_says_that_it_was_done_before_an_undo() -> None:
    stage = booked()
    again(stage)
    line = "it was done in turn 2 (2026-01-09 12:00:00 UTC), and an undo did not reverse that"
    assert f"because {line}" in str(stage.why("tool book"))
    turn = stage.say("yes")
    assert facts(turn, e.ToolReturned)
    assert line in str(stage.why("tool book"))


# kept over restarts, in copies and files ------------------------------------------------------------


@pytest.mark.law("4.5", "6.9", "3.8")
@pytest.mark.parametrize("way", ["restart", "fork", "import"])
def test_it_is_asked_about_in_another_process_in_a_copy_and_in_an_import(way: str, tmp_path: Path) -> None:
    ran: list[int] = []

    def book(seats: int) -> str:
        ran.append(seats)
        return "R1"

    async def play() -> None:
        flow, store = tw.loads(WORK.replace("CODE", "string")), f"sqlite:///{tmp_path / 'a.db'}"
        async with tw.open(flow, tools={"book": book}, store=store) as app:
            chat = app.chat("main")
            await chat.start()
            await chat.commands([c.Set(field="order.seats", value=2)])
            await chat.undo()
            if way == "fork":
                await chat.fork("copy", effects=True)
            data = await chat.export()
        store = f"sqlite:///{tmp_path / 'b.db'}" if way == "import" else store
        async with tw.open(flow, tools={"book": book}, store=store) as app:
            if way == "import":
                await app.import_(data)
            chat = app.chat("copy" if way == "fork" else "main")
            turn = await chat.commands([c.Set(field="order.seats", value=2)])
            assert "Shall I do it once more?" in turn.text
            assert ran == [2]
            assert (await chat.say("yes")).text == "Booked."
            assert ran == [2, 2]
            assert (await chat.rerun()).agrees

    asyncio.run(play())
