"""Data that is nested deeply is refused by name where it enters, and makes no conversation unusable."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import decode, encode

import turnwise as tw
from support.chats import flow_of
from support.served import Client, in_loop, served
from turnwise.archive.transfer import checksum
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call
from turnwise.core.values.json_data import NotJson, to_json_data
from turnwise.core.values.nesting import MOST_NESTED, MOST_STORED, flatten_deep_data, is_text_too_deep, is_too_deep
from turnwise.models.redaction import hide_keys_in_data
from turnwise.stores.encoded import event_of

FLOW = """
flow: desk
start: main
records: {user: {age: integer}}
tools:
  act: {about: acts, args: {q: string}}
  note: {about: notes}
nodes:
  main: {prompt: Help., tools: {allow: [act, note]}}
"""


def nested(depth: int, kind: type = list) -> Any:
    found: Any = "x"
    for _ in range(depth):
        found = [found] if kind is list else {"a": found}
    return found


DEPTHS = (10, MOST_NESTED - 2, MOST_NESTED + 1, 200, 400, 900)


def opened(depth: int, form: Callable[[Any], Any], store: Any = None) -> tw.App:
    calls = [tw.CallMade("act", form({"q": nested(depth)})), tw.CallMade("note", form({"q": nested(depth, dict)}))]
    model = tw.ScriptedModel([[calls[0]], "one", [calls[1]], "two", "three", "four", "five", "six"])
    tools = {"act": lambda q: q, "note": lambda **_: "noted"}
    return tw.open(flow_of(FLOW), model=model, tools=tools, **({"store": store} if store else {}))


async def asked_everything(client: Client) -> None:
    """Ask whatever a client can ask of the conversation; nothing fails inside of the server."""
    chat = "/api/conversations/c"
    turns = (await client.get(chat)).json()["turn"]
    for turn in range(1, turns + 1):
        for path in (f"trace?turn={turn}", f"decisions?turn={turn}", f"turns/{turn}"):
            answer = await client.get(f"{chat}/{path}")
            assert answer.status_code == 200, (path, answer.text)
        answer = await client.get(f"{chat}/why", params={"subject": "act", "turn": turn})
        assert answer.status_code < 500, answer.text
    for path in ("transcript", "events", "state", "scenario", "export", "why", "timeline"):
        assert (await client.get(f"{chat}/{path}")).status_code < 500, path


@pytest.mark.parametrize("form", [json.dumps, dict], ids=["text", "data"])
@pytest.mark.parametrize("depth", DEPTHS)
def test_a_call_with_deep_arguments_leaves_the_conversation_usable(depth: int, form: Callable[[Any], Any]) -> None:
    @in_loop
    async def asks() -> None:
        async with served(opened(depth, form)) as client:
            await client.post("/api/conversations", json={"flow": "desk", "name": "c"})
            for text in ("deep", "deeper", "hello"):
                answer = await client.post(
                    "/api/conversations/c/turns?debug=true",
                    json={"text": text},
                    headers={"accept": "text/event-stream"},
                )
                assert answer.status_code == 200
                assert "event: turn" in answer.text, answer.text[-400:]
            await asked_everything(client)
            turn = await client.server.service.apps["desk"].chat("c").turn(2)
            assert list(turn.debug_events) is not None
            replied = [one.event for one in turn.entries if isinstance(one.event, e.ModelReplied)]
            if depth > MOST_NESTED:
                assert "data_depth" in replied[0].calls[0].wrong

    asks()


@pytest.mark.parametrize("depth", [200, 700])
def test_a_journal_of_an_earlier_version_with_deep_data_stays_usable(tmp_path: Path, depth: int) -> None:
    """The journal is written as the earlier version did: without the limit."""
    address = f"sqlite:///{tmp_path / 'old.db'}"

    async def begin() -> None:
        async with opened(3, dict, address) as app:
            chat = app.chat("c")
            await chat.say("deep")
            await chat.say("deeper")

    in_loop(begin)()
    deepen(tmp_path / "old.db", depth)

    @in_loop
    async def asks() -> None:
        async with served(opened(3, dict, address)) as client:
            await asked_everything(client)
            for text in ("hello", "and now?"):
                answer = await client.post(
                    "/api/conversations/c/turns?debug=true",
                    json={"text": text},
                    headers={"accept": "text/event-stream"},
                )
                assert "event: turn" in answer.text, answer.text[-400:]
            await asked_everything(client)
            listed = await client.get("/api/conversations/c/events", headers={"accept": "application/json"})
            assert "[[[[" in listed.text

    asks()


def deepen(path: Path, depth: int) -> None:
    """Replace the arguments and results of stored calls by data of a depth."""
    import sqlite3

    from turnwise.stores.encoded import unpack

    with sqlite3.connect(path) as database:
        table, column = next(
            (table, column)
            for (table,) in database.execute("select name from sqlite_master where type = 'table'").fetchall()
            for _, column, *_ in database.execute(f"pragma table_info({table})").fetchall()
            if column == "body"
        )
        changed = 0
        for number, body in database.execute(f"select rowid, {column} from {table}").fetchall():
            text = unpack(body)
            for short in (b'"q":[[["x"]]]', b'"q":{"a":{"a":{"a":"x"}}}'):
                deep = b'"q":' + encode(nested(20)).replace(b'"x"', b"[" * (depth - 20) + b'"x"' + b"]" * (depth - 20))
                changed += text.count(short)
                text = text.replace(short, deep)
            database.execute(f"update {table} set {column} = ? where rowid = ?", (text, number))
        assert changed


# where data enters -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [list, dict])
def test_the_limit_is_exact_and_survives_data_in_itself(kind: type) -> None:
    assert not is_too_deep(nested(MOST_NESTED, kind))
    assert is_too_deep(nested(MOST_NESTED + 1, kind))
    assert not is_text_too_deep(encode(nested(MOST_NESTED, kind)))
    assert is_text_too_deep(encode(nested(MOST_NESTED + 1, kind)))
    itself: list[Any] = []
    itself += [itself, itself]
    assert is_too_deep(itself)
    shared: Any = []
    for _ in range(500):
        shared = [shared, shared]
    assert is_too_deep(shared)


@pytest.mark.parametrize("depth", [1, MOST_STORED, MOST_STORED + 1, 300, 50_000])
@pytest.mark.parametrize("text", ["x", ']]}"\\', "[[[{{{", "é😀["])
def test_stored_data_that_is_too_deep_is_read_as_its_text(depth: int, text: str) -> None:
    inner = json.dumps(text, ensure_ascii=False)
    stored = (f'{{"a": {inner}, "deep": ' + "[" * (depth - 1) + inner + "]" * (depth - 1) + ', "z": [1]}').encode()
    found = decode(flatten_deep_data(stored))
    assert (found["a"], found["z"]) == (text, [1])
    assert (flatten_deep_data(stored) == stored) == (depth <= MOST_STORED)
    assert not is_text_too_deep(flatten_deep_data(stored), MOST_STORED)
    assert flatten_deep_data(flatten_deep_data(stored)) == flatten_deep_data(stored)


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 500, 3000])
def test_a_result_of_a_tool_or_of_a_program_is_refused_by_name(depth: int) -> None:
    with pytest.raises(NotJson, match=r"data_depth|nested too deeply"):
        to_json_data(nested(depth))
    assert "data_depth" in hide_keys_in_data(nested(depth), ("key",))


@in_loop
async def test_what_programs_send_is_refused_by_name() -> None:
    async with opened(3, dict) as app:
        chat = app.chat("c")
        await chat.start()
        with pytest.raises(tw.WrongArgument, match="data_depth"):
            await chat.tool_used("note", {"q": nested(100)})
        with pytest.raises(tw.WrongArgument, match="data_depth"):
            await chat.tool_used("note", {}, nested(100))
        refused = await chat.commands([tw.commands.Set(field="user.age", value=nested(100))])
        assert (refused.refused, "data_depth" in refused.refusal) == ("not_json", True)
        with pytest.raises(tw.WrongArgument, match="data_depth"):
            await chat.what_if(values={"user.age": nested(400)})


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 400, 900, 5000, 200_000])
@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("turns", '{{"text": {}}}'),
        ("turns", '{{"tool": {{"name": "note", "arguments": {{"q": {}}}}}}}'),
        ("turns", '{{"commands": [{{"type": "set", "field": "user.age", "value": {}}}]}}'),
        ("what-if", '{{"values": {{"user.age": {}}}}}'),
        ("fork", '{{"name": {}}}'),
        ("turns", "{}"),
    ],
)
def test_a_deep_body_is_malformed_by_name(path: str, form: str, depth: int) -> None:
    @in_loop
    async def asks() -> None:
        async with served(opened(3, dict)) as client:
            await client.post("/api/conversations", json={"flow": "desk", "name": "c"})
            body = form.format("[" * depth + '"\\ud800"' + "]" * depth)
            answer = await client.post(
                f"/api/conversations/c/{path}", content=body, headers={"content-type": "application/json"}
            )
            expected = (400, "malformed", "data_depth")
            found = answer.json()
            assert (answer.status_code, found["code"], found.get("limit")) == expected or path + form == "turns{}"
            assert answer.status_code in (400, 422)

    asks()


@in_loop
async def test_an_imported_file_with_deep_data_is_refused_by_name() -> None:
    async with served(opened(3, dict)) as client:
        await client.post("/api/conversations", json={"flow": "desk", "name": "c"})
        await client.post("/api/conversations/c/turns", json={"text": "deep"})
        file = (await client.get("/api/conversations/c/export")).content
        *lines, foot = file.replace(b'[[["x"]]]', encode(nested(300))).splitlines(keepends=True)
        body = b"".join(lines)
        deep = body + encode({**decode(foot), "sha256": checksum(body)}) + b"\n"
        assert len(deep) > len(file)
        answer = await client.post("/api/conversations/import?name=d", content=deep)
        assert (answer.status_code, answer.json()["code"]) == (422, "import_refused")
        assert "data_depth" in answer.text
        assert (await client.post("/api/conversations/import?name=d", content=file)).status_code == 201


def test_a_stored_event_of_any_depth_is_read() -> None:
    found = encode(e.Entry(1, 1, 1, e.ModelReplied("1", calls=(Call("1-1", "act", {"q": ["x"]}),))))
    event = decode(found)["event"]
    event["calls"][0]["arguments"]["q"] = "DEEP"
    text = encode(event).replace(b'"DEEP"', b"[" * 30_000 + b"]" * 30_000)
    replied = event_of(text)
    assert isinstance(replied, e.ModelReplied)
    assert not is_too_deep(replied.calls[0].arguments, MOST_STORED)
