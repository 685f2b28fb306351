"""What-if over HTTP: other values, other guards, problems of what was typed; nothing is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of, sets
from support.served import in_loop, served

FLOW = """
flow: f
start: home
records: {user: {age: integer, pin: {type: string, secret: true}}}
nodes:
  home:
    say: Hello.
    transitions:
      - {id: young, at: before, when: user.age < 38, to: out, because: under 38}
      - {id: old, at: before, when: user.age >= 60, to: out, because: over 60}
  out: {say: Bye., end: done}
"""


async def ask(client: Any, **question: Any) -> dict[str, Any]:
    answer = await client.post("/api/conversations/x/what-if", json=question)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def told(app: tw.App) -> None:
    await app.chat("x").commands(sets(user__age=48))
    await app.chat("x").say("well")


@in_loop
async def test_a_value_is_supposed_in_one_turn_and_in_all() -> None:
    app = tw.open(flow_of(FLOW), clock=tw.ManualClock(1))
    async with served(app) as client:
        await told(app)
        before = await app.runtime.store.entries("x")
        found = await ask(client, turn=1, values={"user.age": 30})
        assert (found["judged"], found["differs"], found["problems"]) == (2, 1, [])
        first = next(one for one in found["decisions"] if one["was"]["moment"] == "before")
        assert [one["outcome"] for one in first["was"]["candidates"]] == ["false", "false"]
        assert [one["outcome"] for one in first["would"]["candidates"]] == ["taken", "false"]
        assert (first["differs"], first["turn"], first["would"]["taken"]) == (True, 1, "young")
        whole = await ask(client, values={"user.age": 30})
        assert [one["turn"] for one in whole["decisions"]] == [1, 2]
        assert await app.runtime.store.entries("x") == before


@in_loop
async def test_a_guard_is_supposed_and_named() -> None:
    app = tw.open(flow_of(FLOW), clock=tw.ManualClock(1))
    async with served(app) as client:
        await told(app)
        found = await ask(client, turn=1, rules={"young": "user.age < 50"})
        changed = next(one for one in found["decisions"] if one["differs"])
        assert (changed["replaced"], changed["would"]["taken"]) == (["young"], "young")


@in_loop
async def test_a_decision_that_comes_out_as_it_did_is_shown_for_one_turn_only() -> None:
    app = tw.open(flow_of(FLOW), clock=tw.ManualClock(1))
    async with served(app) as client:
        await told(app)
        found = await ask(client, turn=1, values={"user.age": 40})
        assert found["differs"] == 0
        assert [one["differs"] for one in found["decisions"]] == [False] * found["judged"]
        assert (await ask(client, values={"user.age": 40}))["decisions"] == []


@in_loop
async def test_problems_say_where_and_nothing_is_judged() -> None:
    app = tw.open(flow_of(FLOW), clock=tw.ManualClock(1))
    async with served(app) as client:
        await told(app)
        found = await ask(client, rules={"young": "user.agee < 5", "old": "user.age >"}, values={})
        assert found["judged"] == 0
        places = {one["transition"]: (one["line"], one["column"]) for one in found["problems"]}
        assert places == {"young": (1, 6), "old": (1, 11)}
        assert "'age'" in next(one["hint"] for one in found["problems"] if one["transition"] == "young")
        value = await ask(client, values={"user.age": "many", "user.aeg": 4})
        found = sorted((one["transition"], one["code"]) for one in value["problems"])
        assert found == [("user.aeg", "value"), ("user.age", "value")]
        unknown = await ask(client, rules={"yuong": "true"})
        assert [one["transition"] for one in unknown["problems"]] == ["yuong"]
        assert "young" in unknown["problems"][0]["message"]


@in_loop
async def test_a_supposed_secret_is_hidden() -> None:
    of = FLOW.replace("user.age >= 60", 'user.pin == "4711"')
    app = tw.open(flow_of(of), clock=tw.ManualClock(1))
    async with served(app) as client:
        await told(app)
        found = await client.post("/api/conversations/x/what-if", json={"turn": 1, "values": {"user.pin": "4711"}})
        assert found.json()["differs"] == 1
        assert "4711" not in found.text


@in_loop
async def test_only_a_reader_with_the_right_may_ask_and_only_about_own_conversations() -> None:
    app = tw.open(flow_of(FLOW), clock=tw.ManualClock(1))
    async with served(app, keys=True) as client:
        await app.chat("ada:x").commands(sets(user__age=48))
        path = "/api/conversations/ada:x/what-if"

        async def status(*scopes: str, owner: str = "ada", body: Any = None) -> int:
            answer = await client.post(path, json=body or {"turn": 1}, headers=client.as_(owner, *scopes))
            return answer.status_code

        assert await status("chat") == 403
        assert await status("chat", "debug:read") == 200
        assert await status("chat", "debug:read", owner="bob") == 404
        assert await status("chat", "debug:read", body={"turn": 9}) == 404
        assert await status("chat", "debug:read", body={"turns": 1}) == 422


@in_loop
async def test_only_local_readers_learn_where_the_store_is(tmp_path: Path) -> None:
    app = tw.open(flow_of(FLOW), store=f"sqlite:///{tmp_path}/talks.db", clock=tw.ManualClock(1))
    async with served(app) as client:
        await told(app)
        local = await ask(client, turn=1, values={"user.age": 30})
        assert (
            local["command"] == f"turnwise what-if --store sqlite:///{tmp_path}/talks.db --turn 1 --set user.age=30 x"
        )
        wrong = await ask(client, values={"user.agee": 30})
        assert wrong["command"] == ""
    app = tw.open(flow_of(FLOW), store=f"sqlite:///{tmp_path}/talks.db", clock=tw.ManualClock(1))
    async with served(app, keys=True) as client:
        headers = client.as_("ada", "admin")
        question = {"values": {"user.age": None}, "rules": {"old": "user.age > 3"}}
        answer = await client.post("/api/conversations/x/what-if", json=question, headers=headers)
        assert answer.json()["command"] == "turnwise what-if --set user.age= --rule 'old=user.age > 3' x"


@in_loop
async def test_a_store_in_memory_has_no_command() -> None:
    app = tw.open(flow_of(FLOW), clock=tw.ManualClock(1))
    async with served(app) as client:
        await told(app)
        assert (await ask(client, turn=1, values={"user.age": 30}))["command"] == ""


@in_loop
async def test_all_conversations_of_a_flow_are_judged_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwise.server.routes.what_if.PAGE_CONVERSATIONS", 2)
    app = tw.open(flow_of(FLOW), clock=tw.ManualClock(1))

    async def ask_all(client: Any, headers: dict[str, str], **question: Any) -> list[dict[str, Any]]:
        pages: list[dict[str, Any]] = []
        while not pages or pages[-1]["next"]:
            after = pages[-1]["next"] if pages else ""
            answer = await client.post("/api/flows/f/what-if", json={**question, "after": after}, headers=headers)
            assert answer.status_code == 200, answer.text
            pages.append(answer.json())
        return pages

    async with served(app, keys=True) as client:
        for number, age in enumerate((48, 20, 48)):
            await app.chat(f"ada:{number}").commands(sets(user__age=age))
        await app.chat("bob:x").commands(sets(user__age=48))
        pages = await ask_all(client, client.as_("root", "admin"), rules={"young": "user.age < 50"})
        assert [page["conversations"] for page in pages] == [2, 2]
        assert {page["total"] for page in pages} == {4}
        changed = [(one["conversation"], one["differs"], one["turn"]) for page in pages for one in page["changed"]]
        assert sorted(changed) == [("ada:0", 1, 1), ("ada:2", 1, 1), ("bob:x", 1, 1)]
        assert sum(page["differs"] for page in pages) == 3
        own = await ask_all(client, client.as_("ada", "chat", "debug:read"), values={"user.age": 30})
        assert {page["total"] for page in own} == {3}
        assert sum(page["differs"] for page in own) == 2
        (wrong,) = await ask_all(client, client.as_("root", "admin"), rules={"young": "user.agee < 50"})
        assert (wrong["judged"], [one["transition"] for one in wrong["problems"]]) == (0, ["young"])
        secret = {"rules": {"young": "user.pin == '1234'"}}
        refused = await client.post(
            "/api/flows/f/what-if", json=secret, headers=client.as_("ada", "chat", "debug:read")
        )
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
        cursor = await client.post("/api/flows/f/what-if", json={"after": "x"}, headers=client.as_("root", "admin"))
        assert (cursor.status_code, cursor.json()["errors"][0]["at"]) == (422, "/after")
