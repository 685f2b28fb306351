"""The frames of a conversation, and its transcript by frame."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.inner import FLOW, REPLIES, opened, talked


def in_chat(test: Callable[[tw.Chat], Awaitable[None]]) -> Callable[[], None]:
    """Run a test in a conversation that went through all scopes."""

    def run() -> None:
        async def whole() -> None:
            async with opened(*REPLIES) as app:
                chat = app.chat("a")
                await talked(chat)
                await test(chat)

        asyncio.run(whole())

    run.__name__, run.__doc__ = getattr(test, "__name__", "test"), test.__doc__
    return run


def rows(frames: tuple[tw.FrameInfo, ...], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(getattr(frame, name) for name in names) for frame in frames]


@in_chat
async def test_the_frames_that_are_open_and_those_that_were_closed(chat: tw.Chat) -> None:
    frames = await chat.frames()
    assert rows(frames, "scope", "title", "depth", "status", "outcome", "by", "transition", "tool") == [
        ("", "A lesson", 0, "open", "", "", "", ""),
        ("quiz", "Quiz", 1, "closed", "over", "tool", "", "open_quiz"),
        ("quiz/rest", "Rest", 2, "closed", "completed", "node", "pause", ""),
        ("survey", "A short survey", 1, "open", "", "call", "asks", ""),
    ]
    root, quiz, rest, survey = frames
    assert [frame.parent for frame in frames] == [None, 0, quiz.id, 0]
    assert [frame.node for frame in frames] == ["chat", "quiz/play", "quiz/rest/prompt", "survey/form"]
    assert [frame.summary for frame in frames] == ["", "Points: 3", "rest: completed", ""]
    assert (quiz.opened_turn, quiz.closed_turn, quiz.max_tokens) == (2, 5, 1000)
    assert (survey.max_turns, survey.idle_ms, survey.turns, survey.closed_turn) == (5, 3_600_000, 0, None)
    assert [frame.messages for frame in frames] == [5, 4, 2, 1]
    assert (survey.returns, quiz.inherits, quiz.message, survey.tokens_saved) == ("feedback", (), 0, None)
    assert (root.id, rest.turns, quiz.call != "", root.opened_ms) == (0, 1, True, 1_700_000_000_000)


@pytest.mark.requirement("003-08", "003-15")
@in_chat
async def test_the_transcript_is_one_and_each_frame_has_its_own_lines(chat: tw.Chat) -> None:
    whole = await chat.transcript()
    texts = [line.text for line in whole]
    assert texts == [
        *("hello", "Hello.", "a quiz", "First question?", "pause", "Nice weather.", "it rains", "Where were we?"),
        *("over", "Three points!", "feedback", "How was it?"),
    ]
    _, quiz, rest, survey = await chat.frames()
    outer = await chat.transcript(frame=0)
    assert [(line.by, line.text) for line in outer] == [
        *[("user", "hello"), ("model", "Hello."), ("user", "a quiz")],
        *[("summary", "Points: 3"), ("model", "Three points!"), ("user", "feedback")],
    ]
    inside = await chat.transcript(frame="quiz")
    assert [line.text for line in inside] == ["First question?", "pause", "rest: completed", "Where were we?", "over"]
    assert [line.text for line in await chat.transcript(frame=rest.id)] == ["Nice weather.", "it rains"]
    assert [line.text for line in await chat.transcript(frame=survey.id)] == ["How was it?"]
    parts = {line.seq for frame in (0, quiz.id, rest.id, survey.id) for line in await chat.transcript(frame=frame)}
    assert {line.seq for line in whole} <= parts
    assert {line.speaker for line in inside if line.by == "model"} == {"quiz/play"}


@pytest.mark.requirement("003-03")
@in_chat
async def test_what_closed_scopes_saved(chat: tw.Chat) -> None:
    _, quiz, rest, _ = await chat.frames()
    assert (quiz.later_requests, quiz.is_estimate) == (1, True)
    inside = ("First question?", "pause", "rest: completed", "Where were we?", "over")
    assert quiz.tokens_saved == sum(-(-len(text) // 4) for text in inside) - -(-len("Points: 3") // 4)
    assert (rest.later_requests, (rest.tokens_saved or 0) > 0) == (1, True)


@in_chat
async def test_an_undo_takes_an_opening_back_and_opens_what_it_closed(chat: tw.Chat) -> None:
    await chat.undo()
    _, quiz, rest, survey = await chat.frames()
    assert (survey.status, quiz.status) == ("undone", "closed")
    undone = [line.text for line in await chat.transcript() if line.is_undone]
    assert undone == ["feedback", "How was it?"]
    await chat.undo(to=4)
    again = await chat.frames()
    assert rows(again, "status", "outcome", "closed_seq")[:3] == [
        ("open", "", None),
        ("open", "", None),
        ("closed", "completed", rest.closed_seq),
    ]
    await chat.undo(to=1)
    assert [frame.status for frame in await chat.frames()] == ["open", "undone", "undone", "undone"]


@in_chat
async def test_a_copy_has_the_same_frames_and_an_unknown_one_is_named(chat: tw.Chat) -> None:
    copy = await chat.fork("b")
    assert await copy.frames() == await chat.frames()
    with pytest.raises(tw.UnknownFrame, match="no frame 'quizz'; did you mean 'quiz'"):
        await chat.transcript(frame="quizz")
    with pytest.raises(tw.UnknownFrame, match="no frame 7"):
        await chat.transcript(frame=7)
    with pytest.raises(tw.WrongArgument):
        await chat.transcript(frame=1.5)  # type: ignore[arg-type]
    with pytest.raises(tw.UnknownConversation):
        await tw.Chat(chat.runtime, "none").frames()


def test_a_scope_that_is_renamed_while_it_is_open_keeps_its_frame() -> None:
    async def whole() -> None:
        store = tw.MemoryStore()
        async with opened(*REPLIES, store=store) as app:
            await talked(app.chat("a"))
            before = await app.chat("a").frames()
        later = tw.loads(FLOW.replace("survey", "opinion").replace("flow: lesson", "flow: lesson\nversion: 2"))
        async with tw.open(later, store=store) as app:
            renaming = tw.Renaming(nodes={"survey": "opinion"})
            assert (await app.migrate(renaming=renaming)).moved
            after = await app.chat("a").frames()
        assert rows(after, "id", "status", "opened_turn") == rows(before, "id", "status", "opened_turn")
        assert rows(after, "scope", "node")[-1] == ("opinion", "opinion/form")

    asyncio.run(whole())


def test_words_that_retention_erased_are_said_as_erased() -> None:
    clock = tw.ManualClock(1_700_000_000_000)

    async def whole() -> None:
        async with opened(*REPLIES, clock=clock) as app:
            chat = app.chat("a")
            await talked(chat)
            clock.move_s(90 * 86_400)
            await app.retain(tw.Retention(events_days=30))
            frames = await chat.frames()
            assert rows(frames, "scope", "status", "depth", "is_erased") == [
                ("", "open", 0, True),
                ("", "closed", 1, True),
                ("", "closed", 2, True),
                ("survey", "open", 1, True),
            ]
            assert [frame.by for frame in frames] == ["", "", "", "call"]
            assert {frame.opened_ms for frame in frames} == {1_700_000_000_000}
            inside = [await chat.transcript(frame=frame.id) for frame in frames[1:]]
            assert [[line.speaker for line in lines] for lines in inside] == [
                ["text", "user", "text", "user"],
                ["text", "user"],
                ["text"],
            ]
            lines = await chat.transcript()
            assert {line.by for line in lines} == {"erased"}
            assert [line.speaker for line in lines[:2]] == ["user", "text"]
            expected = "erased by retention on 2024-02-12, which keeps events for 30 days"
            assert {line.text for line in lines} == {expected}
            assert [line.by for line in await chat.transcript(frame="survey")] == ["erased"]

    asyncio.run(whole())


@pytest.mark.law("6.4")
def test_words_that_a_scope_does_not_keep_are_said_as_erased() -> None:
    async def whole() -> None:
        kept = FLOW.replace("returns: score\n", "returns: score\n      keep: 0d\n")
        async with tw.open(
            flow_of(kept),
            model=tw.ScriptedModel([*REPLIES]),
            understand=tw.ScriptedUnderstanding([()] * 99),
            clock=tw.ManualClock(1_700_000_000_000),
        ) as app:
            chat = app.chat("a")
            await talked(chat)
            frames = await chat.frames()
            assert rows(frames, "scope", "is_erased", "keep_ms", "summary") == [
                ("", False, None, ""),
                ("quiz", True, 0, "Points: 3"),
                ("quiz/rest", True, None, "[erased]"),
                ("survey", False, None, ""),
            ]
            inside = await chat.transcript(frame="quiz")
            assert [(line.by, line.speaker) for line in inside] == [
                *[
                    ("erased", "model"),
                    ("erased", "user"),
                    ("erased", "summary"),
                    ("erased", "model"),
                    ("erased", "user"),
                ],
            ]
            assert {line.text for line in inside} == {"erased on 2023-11-14, which keeps the words inside for 0 days"}
            outside = await chat.transcript(frame=0)
            assert [line.text for line in outside][-3:] == ["Points: 3", "Three points!", "feedback"]
            assert {line.by for line in outside} == {"user", "model", "summary"}

    asyncio.run(whole())
