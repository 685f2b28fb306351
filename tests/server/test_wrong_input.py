"""Every refused request says what is wrong and where: places are JSON pointers, parameters or headers."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import Client, in_loop, served
from turnwise.errors import TurnwiseError
from turnwise.runner.clocks import ForwardClock
from turnwise.server.access import KeyFile
from turnwise.server.app import ROUTES
from turnwise.server.operation import Operation

FLOW = """
flow: clinic
start: desk
commands: [hand_over]
person: {queue: desk, about: help}
tools: {book: {about: book it, args: {day: string}}}
records: {u: {terms: boolean, name: string, age: {type: integer, min: 0, max: 120}}}
nodes:
  desk:
    say: What is your name?
    collect: [u]
    transitions:
      - {id: grown, at: before, when: u.age >= 18, because: grown up, to: done}
  done: {say: Done., end: completed}
"""
OPERATIONS = [one for operations in ROUTES for one in operations]
WITH_BODY = [one for one in OPERATIONS if one.body is not None]
WITH_QUERY = [one for one in OPERATIONS if one.query is not None]


def app_of_clinic(**more: Any) -> tw.App:
    return tw.open(flow_of(FLOW), clock=tw.ManualClock(1_700_000_000_000), **more)


def has_place(at: str, sent: Any) -> bool:
    """Return whether a JSON pointer leads to something that was sent, or to a key that is missing in it."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in at.split("/")[1:]]
    for place, part in enumerate(parts):
        if isinstance(sent, list):
            if not part.isdecimal() or int(part) >= len(sent):
                return False
            sent = sent[int(part)]
        elif isinstance(sent, dict):
            if part not in sent:
                return place == len(parts) - 1
            sent = sent[part]
        else:
            return False
    return True


async def ask(client: Client, one: Operation, body: Any = None, query: str = "") -> Any:
    path = one.path.replace("{id}", "x").replace("{flow}", "clinic").replace("{n}", "1")
    headers = {"content-type": "application/json"}
    return await client.request(
        one.method, f"/api{path}{query}", content=json.dumps(body) if body is not None else b"x", headers=headers
    )


@pytest.mark.parametrize("one", WITH_BODY, ids=lambda one: one.name)
def test_a_wrong_body_has_a_place_for_each_fault(one: Operation) -> None:
    @in_loop
    async def sends() -> None:
        async with served(app_of_clinic(), clock=ForwardClock()) as client:
            await client.post("/api/conversations", json={"flow": "clinic", "name": "x"})
            assert one.body is not None
            for value in (["a"], {"a/b": 1}, "\ud800", None):
                body = dict.fromkeys(one.body.__struct_fields__, value) | {"~no/such key": 1}
                answer = await ask(client, one, body)
                assert answer.status_code == 422, (one.name, value, answer.text)
                errors = answer.json()["errors"]
                assert errors, one.name
                for fault in errors:
                    assert fault["message"], fault
                    assert has_place(fault["at"], body), (fault, body)
                if value != "\ud800":
                    assert "/~0no~1such key" in [fault["at"] for fault in errors]
                else:
                    assert "half of a surrogate pair, \\ud800, at character 0" in errors[0]["message"]

    sends()


@pytest.mark.parametrize("one", WITH_QUERY, ids=lambda one: one.name)
def test_a_wrong_query_names_each_parameter(one: Operation) -> None:
    @in_loop
    async def sends() -> None:
        async with served(app_of_clinic()) as client:
            await client.post("/api/conversations", json={"flow": "clinic", "name": "x"})
            body = {"text": "x"} if one.body is not None else None
            answer = await ask(client, one, body, "?none=1")
            assert (answer.status_code, answer.json()["errors"][0]["at"]) == (422, "?none")

    sends()


@pytest.mark.parametrize("one", [*WITH_QUERY, *WITH_BODY], ids=lambda one: one.name)
def test_a_number_of_any_size_is_no_failure(one: Operation, tmp_path: Path) -> None:
    @in_loop
    async def sends() -> None:
        app = app_of_clinic(store=f"sqlite:///{tmp_path}/s.db")
        async with served(app, clock=ForwardClock()) as client:
            await client.post("/api/conversations", json={"flow": "clinic", "name": "x"})
            for query in one.query.__struct_fields__ if one.query is not None else ():
                for value in ("9" * 30, "9" * 30 + ".1", "-" + "9" * 30):
                    answer = await ask(
                        client, one, {"text": "x"} if one.body is not None else None, f"?{query}={value}"
                    )
                    assert answer.status_code < 500, (query, answer.text)
            for field in one.body.__struct_fields__ if one.body is not None else ():
                for value in (10**30, -(10**30), {"turn": 10**30, "to": 10**30}, {"u.age": 10**30}, str(10**30)):
                    answer = await ask(client, one, {field: value})
                    assert answer.status_code < 500, (field, answer.text)

    sends()


@pytest.mark.parametrize("depth", [100, 100_000])
def test_a_file_that_is_nested_deep_is_no_export(depth: int) -> None:
    @in_loop
    async def sends() -> None:
        async with served(app_of_clinic()) as client:
            made = client.post("/api/conversations", json={"flow": "clinic", "name": "x"})
            lines = (await made).status_code == 201 and (await client.get("/api/conversations/x/export")).content
            deep = b'{"a":' * depth + b"1" + b"}" * depth
            assert isinstance(lines, bytes)
            head, _, *rest = lines.rstrip(b"\n").split(b"\n")
            for data in (deep, with_foot([head, deep, *rest]), b"\n".join([head, deep, b""])):
                path = "/api/conversations/import?name=y"
                answer = await client.post(path, content=data, headers={"content-type": "application/x-ndjson"})
                assert (answer.status_code, answer.json()["code"]) == (422, "import_refused"), answer.text

    sends()


WRONG: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("POST", "", {"flow": "clinic", "time_zone": "Mars"}, ["/time_zone"]),
    ("POST", "/x/turns", {"text": " "}, ["/text"]),
    ("POST", "/x/turns", {"text": "x" * 15_000}, ["/text"]),
    ("POST", "/x/turns", {"text": "a", "undo": {}}, ["/undo"]),
    ("POST", "/x/turns", {}, [""]),
    ("POST", "/x/turns", {"text": "a", "timer": {"transition": "x", "visit": "y"}}, ["/timer/visit"]),
    ("POST", "/x/turns", {"tool": {"name": "boo"}}, ["/tool/name"]),
    ("POST", "/x/turns", {"tool": {"name": "book", "arguments": {"hour": 1}}}, ["/tool/arguments"]),
    ("POST", "/x/turns", {"timer": {"transition": "grown"}}, ["/timer/transition"]),
    ("POST", "/x/turns", {"commands": [{"type": "set", "field": "u.agee", "value": 1}]}, ["/commands/0/field"]),
    ("PATCH", "/x/records", {"set": {"u.age": 700, "u.terms": "maybe"}}, ["/set/u.age", "/set/u.terms"]),
    ("PATCH", "/x/records", {"set": {"a/b": 1}}, ["/set/a~1b"]),
    ("PATCH", "/x/records", {}, ["/set"]),
    ("PATCH", "/x/records", {"clear": ["u.name", "u.nam"], "set": {"u.age": 3}}, ["/clear/0", "/clear/1"]),
    ("POST", "/y/person/give-back", {"set": {"u.age": 700, "u.terms": "maybe"}}, ["/set/u.age", "/set/u.terms"]),
    ("POST", "/y/person/give-back", {"set": {"u.agee": 1, "a/b": 2}}, ["/set/u.agee", "/set/a~1b"]),
    ("POST", "/y/person/give-back", {"transition": "grown", "end": "x"}, ["/end"]),
    ("POST", "/y/person/say", {"text": ""}, ["/text"]),
    ("POST", "/x/person/take-over", {"operator": "\x07"}, ["/operator"]),
    ("POST", "/x/dry-run", {"text": "a", "position": 1}, ["/position"]),
    ("GET", "/x/why?to=nowhere", {}, ["?to"]),
    ("POST", "/x/what-if", {"rules": {"grown": 1, "b/c": 2}}, ["/rules/grown", "/rules/b~1c"]),
    ("POST", "/x/fork", {"name": "a\u202eb"}, ["/name"]),
    ("GET", "/x/decisions?transition=grow", {}, ["?transition"]),
    ("GET", "/x/events?limit=0", {}, ["?limit"]),
    ("GET", "?after=x", {}, ["?after"]),
]


@pytest.mark.parametrize(("method", "path", "body", "places"), WRONG)
def test_what_does_not_fit_has_its_place(method: str, path: str, body: dict[str, Any], places: list[str]) -> None:
    @in_loop
    async def sends() -> None:
        async with served(app_of_clinic(model=tw.ScriptedModel([]))) as client:
            for name in ("x", "y"):
                await client.post("/api/conversations", json={"flow": "clinic", "name": name})
            await client.post("/api/conversations/y/person/take-over", json={"operator": "Lena"})
            answer = await client.request(method, f"/api/conversations{path}", json=body if method != "GET" else None)
            problem = answer.json()
            assert answer.status_code == 422, problem
            assert [fault["at"] for fault in problem["errors"]] == places, problem
            assert all(fault["message"] for fault in problem["errors"])

    sends()


@in_loop
async def test_an_unknown_button_has_its_place() -> None:
    async with served() as client:
        await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"})
        answer = await client.post("/api/conversations/x/turns", json={"button": "nothing like it"})
        assert (answer.status_code, answer.json()["errors"][0]["at"]) == (422, "/button")


@in_loop
async def test_half_of_a_surrogate_pair_is_named_with_its_place() -> None:
    async with served() as client:
        body = b'{"flow": "eligibility", "name": "a\\ud83d b"}'
        headers = {"content-type": "application/json"}
        problem = (await client.post("/api/conversations", content=body, headers=headers)).json()
        assert (problem["status"], problem["errors"][0]["at"]) == (422, "/name")
        assert problem["detail"] == "/name: the text has half of a surrogate pair, \\ud83d, at character 1"
        pair = body.replace(b"\\ud83d b", b"\\ud83d\\ude00")
        assert (await client.post("/api/conversations", content=pair, headers=headers)).status_code == 201


# the ids of imported files -----------------------------------------------------------------------


def renamed(file: bytes, name: str) -> bytes:
    """Return an exported file under another name, with a correct checksum."""
    head, *lines = file.rstrip(b"\n").split(b"\n")
    head = json.dumps({**json.loads(head), "conversation": name}, separators=(",", ":"), ensure_ascii=False).encode()
    return with_foot([head, *lines])


def with_foot(lines: list[bytes]) -> bytes:
    """Return the lines of an exported file with a correct checksum in the last one."""
    body = b"".join(line + b"\n" for line in lines[:-1])
    foot = {**json.loads(lines[-1]), "sha256": sha256(body).hexdigest()}
    return body + json.dumps(foot).encode() + b"\n"


@pytest.mark.parametrize(
    ("name", "is_fine_with_keys", "is_fine_without"),
    [
        ("ada:x", True, True),
        ("ada:" + "x" * 200, True, True),
        ("x", False, True),
        ("a/b:x", False, True),
        ("ada:", False, True),
        (":x", False, True),
        ("a\0", False, False),
        ("ada:a\0", False, False),
        ("ada:a\u202eb", False, False),
        ("a" * 5_000, False, False),
        ("ada:" + "x" * 201, False, False),
        ("  ", False, False),
        ("", False, False),
    ],
)
def test_the_id_in_an_imported_file_is_checked(name: str, is_fine_with_keys: bool, is_fine_without: bool) -> None:
    @in_loop
    async def sends() -> None:
        for keys, is_fine in ((True, is_fine_with_keys), (False, is_fine_without)):
            async with served(app_of_clinic(), keys=keys) as client:
                headers = {**client.as_("root", "admin"), "content-type": "application/x-ndjson"}
                app = next(iter(client.server.service.apps.values()))
                await app.chat("made").start()
                file = renamed(await app.chat("made").export(), name)
                answer = await client.post("/api/conversations/import", content=file, headers=headers)
                assert answer.status_code == (201 if is_fine else 422), (keys, answer.text)
                places = [fault["at"] for fault in answer.json().get("errors", [])]
                assert places == ([] if is_fine else ["/0/conversation"])
                if not is_fine:
                    assert await app.runtime.store.load(name) is None
                query = "?name=root%3Acopy" if keys else "?name=copy"
                good = await client.post(f"/api/conversations/import{query}", content=file, headers=headers)
                assert good.status_code == 201, good.text
                bad = await client.post("/api/conversations/import?name=a%00", content=file, headers=headers)
                assert (bad.status_code, bad.json()["errors"][0]["at"]) == (422, "?name")

    sends()


@in_loop
async def test_a_line_that_cannot_be_read_and_a_flow_that_is_not_served_have_their_places() -> None:
    other = tw.open(flow_of(FLOW.replace("clinic", "ward")), clock=tw.ManualClock(1_700_000_000_000))
    async with served(app_of_clinic()) as client, other:
        app = next(iter(client.server.service.apps.values()))
        for made in (app, other):
            await made.chat("made").start()
        file = await app.chat("made").export()
        broken = file.replace(b'"started"', b'"strated"')
        *lines, foot = broken.rstrip(b"\n").split(b"\n")
        body = b"".join(line + b"\n" for line in lines)
        broken = body + json.dumps({**json.loads(foot), "sha256": sha256(body).hexdigest()}).encode() + b"\n"
        for data, place in ((broken, "/1"), (b"{}", "/0"), (file[:-9], ""), (await other.chat("made").export(), "/0")):
            answer = await client.post("/api/conversations/import?name=new", content=data)
            assert (answer.status_code, answer.json()["errors"][0]["at"]) == (422, place), answer.text
        assert await app.runtime.store.load("new") is None


def test_a_file_of_keys_with_an_owner_that_owns_everything_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "keys.json"
    KeyFile(path).add("ada", ["chat"], 0)
    path.write_text(path.read_text().replace('"ada"', '""'))
    with pytest.raises(TurnwiseError, match="has no valid owner"):
        KeyFile(path).keys()
