"""The frames of a conversation over HTTP: who may see them, and what the transcript shows of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.inner import FLOW, REPLIES, opened, talked
from support.served import Client, Listening, in_loop, served

PATH = "/api/conversations/ada:x"


async def begun(app: tw.App) -> None:
    await talked(app.chat("ada:x"))


async def got(client: Client, path: str, *scopes: str, owner: str = "ada") -> Any:
    answer = await client.get(PATH + path, headers=client.as_(owner, *scopes))
    return answer.json() if answer.status_code == 200 else (answer.status_code, answer.json()["code"])


@in_loop
async def test_frames_need_a_scope_that_sees_inside() -> None:
    app = opened(*REPLIES)
    async with served(app, keys=True) as client:
        await begun(app)
        frames = await got(client, "/frames", "chat", "debug:read")
        about = [(one["scope"], one["depth"], one["status"], one["by"], one["outcome"]) for one in frames]
        assert about == [
            ("", 0, "open", "", ""),
            ("quiz", 1, "closed", "tool", "over"),
            ("quiz/rest", 2, "closed", "node", "completed"),
            ("survey", 1, "open", "call", ""),
        ]
        assert frames[1]["summary"] == "Points: 3"
        assert await got(client, "/frames", "operator", owner="lena") == frames
        for path in ("/frames", "/transcript?frame=0", "/transcript?frame=quiz"):
            assert await got(client, path, "chat") == (403, "missing_scope")
            assert await got(client, path, "chat", "debug:read", owner="bob") == (404, "unknown_conversation")
        assert await got(client, "/transcript?frame=quizz", "chat", "debug:read") == (404, "unknown_frame")
        assert await got(client, "/transcript?frame=", "chat", "debug:read") == (422, "invalid")


@pytest.mark.law("6.3")
@in_loop
async def test_a_user_sees_one_transcript_and_no_summary() -> None:
    app = opened(*REPLIES)
    async with served(app, keys=True) as client:
        await begun(app)
        seen = await got(client, "/transcript", "chat")
        texts = [one["text"] for one in seen["messages"]]
        assert texts == [line.text for line in await app.chat("ada:x").transcript()]
        frames = [(one["text"], one["frame"]) for one in seen["messages"]]
        assert frames == [(line.text, line.frame) for line in await app.chat("ada:x").transcript()]
        for words in ("Points: 3", "rest: completed"):
            assert words not in json.dumps(seen)


@pytest.mark.requirement("003-15")
@in_loop
async def test_the_transcript_of_a_frame_has_its_own_lines() -> None:
    app = opened(*REPLIES)
    async with served(app, keys=True) as client:
        await begun(app)
        scopes = ("chat", "debug:read")
        _, quiz, rest, survey = await got(client, "/frames", *scopes)
        whole = await got(client, "/transcript", *scopes)
        closings = {one["closes"]: (one["text"], one["note"]) for one in whole["messages"] if one["closes"] is not None}
        assert closings == {quiz["id"]: ("Points: 3", "over"), rest["id"]: ("rest: completed", "completed")}
        assert {one["frame"] for one in whole["messages"]} == {0, quiz["id"], rest["id"], survey["id"]}
        parts: list[Any] = []
        for frame in (0, quiz["id"], rest["id"], survey["id"]):
            own = await got(client, f"/transcript?frame={frame}", *scopes)
            assert {one["frame"] for one in [*own["messages"], *own["seams"]]} == {frame}
            parts += own["messages"]
        assert sorted(parts, key=lambda one: one["seq"]) == whole["messages"]
        own = await got(client, "/transcript?frame=quiz", *scopes)
        spoken = [one["text"] for one in own["messages"] if one["by"] in ("user", "model")]
        assert spoken == ["First question?", "pause", "Where were we?", "over"]
        by_operator = await got(client, "/transcript?frame=quiz", "operator", owner="lena")
        assert by_operator["seams"] == []
        assert [one["text"] for one in by_operator["messages"] if one["by"] != "system"] == spoken


@pytest.mark.requirement("003-14", "003-55")
@in_loop
async def test_the_timeline_and_the_state_have_frames_and_depths() -> None:
    app = opened(*REPLIES)
    async with served(app) as client:
        await talked(app.chat("ada:x"))
        frames = await got(client, "/frames")
        timeline = await got(client, "/timeline")
        assert dict(zip(timeline["lanes"], timeline["depths"], strict=True)) == {
            "chat": 0,
            "survey": 0,
            "survey/form": 1,
            "quiz": 0,
            "quiz/play": 1,
            "quiz/rest": 1,
            "quiz/rest/prompt": 2,
        }
        ids = [frame["id"] for frame in frames]
        assert [turn[-2:] for turn in timeline["turns"]] == [
            *([0, 0], [ids[1], 1], [ids[2], 2], [ids[1], 1], [0, 0], [ids[3], 1]),
        ]
        assert {tuple(mark[-3:-1]) for mark in timeline["marks"]} == {(0, 0), (ids[1], 1), (ids[2], 2), (ids[3], 1)}
        lanes = timeline["lanes"]
        moves = [(lanes[before], lanes[after]) for _, before, after in timeline["moves"]]
        assert moves == [
            *[("chat", "quiz/play"), ("quiz/play", "quiz/rest"), ("quiz/rest", "quiz/rest/prompt")],
            *[("quiz/rest/prompt", "quiz/rest"), ("quiz/rest", "quiz/play")],
            *[("quiz/play", "chat"), ("chat", "survey/form")],
        ]
        state = await got(client, "/state?turn=3")
        assert state["frames"] == ids[:3]
        assert state["stack"] == ["chat", "quiz/rest", "quiz/rest/prompt"]


@in_loop
async def test_a_stream_has_frames_for_all_and_summaries_for_those_who_may_see_inside() -> None:
    app = opened(*REPLIES)
    async with served(app, keys=True) as client:
        await begun(app)
        found: dict[bool, list[Any]] = {}
        results: dict[bool, list[Any]] = {}
        for is_debug in (False, True):
            scopes = ("chat", "debug:read") if is_debug else ("chat",)
            path = f"/api/stream?conversation=ada:x&after=0&debug={str(is_debug).lower()}"
            listening = Listening(client.server, path, client.as_("ada", *scopes))
            await listening.until(lambda _, own=listening: len(own.named("turn")) == 6)
            await listening.leave()
            found[is_debug] = [json.loads(one["data"])["message"] for one in listening.named("message")]
            results[is_debug] = [json.loads(one["data"])["turn"] for one in listening.named("turn")]
        frames = {one["seq"]: one["frame"] for one in found[True]}
        seen = [(one["seq"], one["frame"]) for one in found[False]]
        assert seen == [(seq, frames[seq]) for seq, _ in seen]
        assert len({frame for _, frame in seen}) == 4
        assert seen == [(one["seq"], one["frame"]) for result in results[False] for one in result["messages"]]
        assert results[False] == results[True]
        assert all(one["closes"] is None for one in found[False])
        assert len({one["frame"] for one in found[True]}) == 4
        assert sum(one["closes"] is not None for one in found[True]) == 2


@in_loop
async def test_the_result_of_a_turn_has_the_frame_of_each_message() -> None:
    app = opened(*REPLIES)
    async with served(app, keys=True) as client:
        await begun(app)
        lines = await app.chat("ada:x").transcript()
        for number in range(1, 7):
            for scopes in (("chat",), ("chat", "debug:read")):
                messages = (await got(client, f"/turns/{number}", *scopes))["messages"]
                expected = [(line.seq, line.frame) for line in lines if line.turn == number]
                assert [(one["seq"], one["frame"]) for one in messages] == expected
        assert len({line.frame for line in lines if line.turn == 2}) > 1


@in_loop
async def test_a_user_begins_a_scope_by_its_button() -> None:
    async with served(opened("Hello."), keys=True) as client:
        ada = client.as_("ada", "chat")
        begun = await client.post("/api/conversations", json={"flow": "lesson", "name": "x"}, headers=ada)
        survey = {"label": "A short survey", "value": "A short survey"}
        assert begun.json()["turn"]["starts"] == [survey]
        assert (await got(client, "/transcript", "chat"))["starts"] == [survey]
        pressed = await client.post(f"{PATH}/turns", json={"button": survey["value"]}, headers=ada)
        assert (pressed.json()["text"], pressed.json()["starts"]) == ("How was it?", [])
        assert (await got(client, "/transcript", "chat"))["starts"] == []
        again = await client.post(f"{PATH}/turns", json={"button": survey["value"]}, headers=ada)
        assert (again.status_code, again.json()["code"]) == (422, "unknown_button")


@in_loop
async def test_a_secret_in_a_summary_is_not_sent() -> None:
    app = tw.open(
        tw.loads(
            """
            flow: locker
            start: chat
            records: {key: {pin: {type: string, secret: true}}}
            nodes:
              chat:
                say: Hello.
                transitions: [{at: before, when: message.text == "open", call: ask}]
              ask:
                scope: {returns: key, summary: "The pin is {{ key.pin }}."}
                form: {fields: [{field: key.pin, ask: Which pin?}]}
            """
        ),
        clock=tw.ManualClock(1_700_000_000_000),
    )
    async with served(app) as client:
        chat = app.chat("ada:x")
        for text in ("hello", "open", "mango-17"):
            await chat.say(text)
        frames = await got(client, "/frames")
        assert frames[1]["status"] == "closed"
        seen = json.dumps([frames, await got(client, "/transcript"), await got(client, "/transcript?frame=ask")])
        assert "mango-17" not in seen


@in_loop
async def test_a_flow_has_a_drawing_of_each_level() -> None:
    async with served(opened(), keys=True) as client:
        for scopes in (("chat", "debug:read"), ("chat",)):
            page = (await client.get("/api/flows/lesson", headers=client.as_("ada", *scopes))).json()
            levels = {level["scope"]: level for level in page["levels"]}
            assert {scope: level["parent"] for scope, level in levels.items()} == {
                "": None,
                "survey": "",
                "quiz": "",
                "quiz/rest": "quiz",
            }
            inside = {
                scope: [(node["address"], node["opens"]) for node in level["graph"]["nodes"] if node["address"]]
                for scope, level in levels.items()
            }
            assert inside == {
                "": [("chat", ""), ("survey", "survey"), ("quiz", "quiz")],
                "survey": [("survey/form", "")],
                "quiz": [("quiz/play", ""), ("quiz/rest", "quiz/rest")],
                "quiz/rest": [("quiz/rest/prompt", "")],
            }
            assert [node["name"] for node in page["nodes"] if node["scope"] == "quiz"] == ["quiz/play", "quiz/rest"]
            for level in levels.values():
                ids = {node["id"] for node in level["graph"]["nodes"]}
                assert {end for edge in level["graph"]["edges"] for end in (edge["source"], edge["target"])} <= ids
            edges = [(edge["node"], edge["transition"]) for edge in levels["quiz"]["graph"]["edges"]]
            if "debug:read" in scopes:
                own = [("quiz/play", "pause"), ("quiz/play", "over"), ("quiz/rest", "to_play")]
                assert [one for one in edges if one[1]] == own
                play = next(node for node in page["nodes"] if node["name"] == "quiz/play")
                assert [one["target"] for one in play["transitions"]] == ["quiz/rest", "over"]
            else:
                assert not any(node or transition for node, transition in edges)
                assert "A short survey" not in json.dumps(page)


@in_loop
async def test_what_stands_inside_a_scope_has_its_line_in_the_document(tmp_path: Path) -> None:
    own = "      transitions: [{id: enough, at: before, when: message.text == 'stop', end: stopped}]\n"
    text = FLOW.strip().replace("      start: play\n", f"      start: play\n{own}")
    file = tmp_path / "lesson.flow.yaml"
    file.write_text(text, "utf-8")
    async with served(tw.open(file, model=tw.ScriptedModel([]))) as client:
        page = (await client.get("/api/flows/lesson")).json()
        lines = text.splitlines()
        quiz = next(level["graph"] for level in page["levels"] if level["scope"] == "quiz")
        found = {node["address"]: lines[node["line"] - 1].strip() for node in quiz["nodes"] if node["line"]}
        assert found == {"quiz/play": "play:", "quiz/rest": "rest:"}
        edges = {edge["transition"]: lines[edge["line"] - 1] for edge in quiz["edges"] if edge["line"]}
        assert set(edges) == {"pause", "over", "enough", "to_play"}
        assert all(f"id: {name}" in line for name, line in edges.items() if name != "to_play")


@in_loop
async def test_erased_words_are_marked_for_every_caller() -> None:
    kept = FLOW.replace("returns: score\n", "returns: score\n      keep: 0d\n")
    app = tw.open(flow_of(kept), model=tw.ScriptedModel([*REPLIES]), understand=tw.ScriptedUnderstanding([()] * 99))
    async with served(app, keys=True) as client:
        chat, scopes = app.chat("ada:x"), ("chat", "debug:read")
        for text in ("hello", "a quiz", "pause", "it rains", "over", "feedback"):
            await chat.say(text)
            frames = await got(client, "/frames", *scopes)
        assert [one["is_erased"] for one in frames] == [False, True, True, False]
        for scopes in (("chat",), ("chat", "debug:read")):
            seen = (await got(client, "/transcript", *scopes))["messages"]
            assert [one["is_erased"] for one in seen if one["by"] in ("user", "model")] == [
                *([False] * 3 + [True] * 6 + [False] * 2)
            ]
        inside = (await got(client, "/transcript?frame=quiz", *scopes))["messages"]
        assert {one["is_erased"] for one in inside if one["by"] != "tool"} == {True}
