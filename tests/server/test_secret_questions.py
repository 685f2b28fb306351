"""Searches and what-ifs do not reveal a secret piece by piece."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of, sets
from support.served import in_loop, served
from turnwise.server.routes import lists

FLOW = """\
flow: pins
start: ask
records:
  u:
    pin: {type: string, secret: true}
    age: integer
nodes:
  ask:
    form:
      fields:
        - {field: u.pin, ask: Your pin?, match: direct}
        - {field: u.age, ask: Your age?}
    transitions:
      - {id: done, at: before, when: u.age >= 18, to: end_}
  end_: {say: Thank you., end: done}
"""


async def told(client: Any) -> None:
    body = {"flow": "pins", "name": "x"}
    assert (await client.post("/api/conversations", json=body, headers=client.as_("ada"))).status_code == 201
    turn = await client.post("/api/conversations/ada:x/turns", json={"text": "QX7ZZ"}, headers=client.as_("ada"))
    assert turn.json()["text"].endswith("Your age?"), turn.text


@in_loop
async def test_a_search_finds_no_secret_and_everything_else() -> None:
    async with served(tw.open(flow_of(FLOW)), keys=True) as client:
        await told(client)

        async def total(text: str, *scopes: str) -> int:
            headers = client.as_("ada", *(scopes or ("chat",)))
            found = (await client.get(f"/api/conversations?text={text}", headers=headers)).json()
            assert len(found["conversations"]) == found["total"]
            return found["total"]

        assert [await total(text) for text in ("QX7ZZ", "QX", "QY", "your pin", "ada:x", "ask")] == [0, 0, 0, 1, 1, 1]
        assert await total("QX7ZZ", "admin") == 1


@in_loop
async def test_neither_the_count_nor_the_cursor_of_a_search_shows_that_a_secret_matched() -> None:
    app = tw.open(flow_of(FLOW), clock=tw.ManualClock(0))
    async with served(app, keys=True) as client:
        await told(client)
        operator = client.as_("otto", "chat", "operator")
        for name in ("qx1", "qx2", "qx3", "pins"):  # these match by their names
            await client.post("/api/conversations", json={"flow": "pins", "name": name}, headers=operator)
        await told_again(client, "bea")

        async def search(text: str, after: str = "", limit: int = 1) -> tuple[list[str], int, Any]:
            query = {"text": text, "limit": limit, **({"after": after} if after else {})}
            found = (await client.get("/api/conversations", params=query, headers=operator)).json()
            assert found["is_complete"]
            return [one["id"] for one in found["conversations"]], found["total"], found["next"]

        assert await search("X7ZZ") == ([], 0, None)
        found, after = list[str](), ""
        for counted in (3, 2, 1):
            names, total, following = await search("qx", after)
            assert (total, following is not None) == (counted, counted > 1)
            found, after = [*found, *names], following
        assert found == ["otto:qx3", "otto:qx2", "otto:qx1"]
        assert await search("qx", limit=3) == (found, 3, None)


@in_loop
async def test_a_search_without_admin_counts_all_that_match(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = "flow: plain\nstart: home\nnodes: {home: {say: Good morning.}}"
    store = tw.MemoryStore()
    apps = [tw.open(flow_of(one), store=store, clock=tw.ManualClock(0)) for one in (FLOW, plain)]
    async with served(*apps, keys=True) as client:
        owner = client.as_("otto")
        for number in range(4):
            for flow in ("pins", "plain"):
                body = {"flow": flow, "name": f"number {flow}{number}"}
                assert (await client.post("/api/conversations", json=body, headers=owner)).status_code == 201

        async def counted(text: str, limit: int, after: str = "") -> tuple[int, int, bool, str]:
            query = {"text": text, "limit": limit, **({"after": after} if after else {})}
            found = (await client.get("/api/conversations", params=query, headers=owner)).json()
            return len(found["conversations"]), found["total"], found["is_complete"], found["next"]

        assert [(await counted(text, 2))[:3] for text in ("number", "plain", "your pin", "absent")] == [
            (2, 8, True),
            (2, 4, True),
            (2, 4, True),
            (0, 0, True),
        ]
        assert (await counted("number", 8)) == (8, 8, True, None)
        monkeypatch.setattr(lists, "MOST_MATCHES_COUNTED", 3)
        shown, total, is_complete, following = await counted("pins", 2)
        assert (shown, total, is_complete) == (2, 3, False), "there are at least three"
        assert (await counted("pins", 2, following)) == (2, 2, True, None)
        assert (await counted("plain", 2))[:3] == (2, 4, True), "without secrets nothing is read to count"


async def told_again(client: Any, owner: str) -> None:
    """Another conversation with the same secret."""
    ada = client.as_(owner)
    await client.post("/api/conversations", json={"flow": "pins", "name": "y"}, headers=ada)
    await client.post(f"/api/conversations/{owner}:y/turns", json={"text": "QX7ZZ"}, headers=ada)


@in_loop
async def test_a_guard_over_a_secret_needs_an_admin() -> None:
    async with served(tw.open(flow_of(FLOW)), keys=True) as client:
        await told(client)
        path, body = "/api/conversations/ada:x/what-if", {"rules": {"done": 'u.pin.startsWith("Q")'}}
        refused = await client.post(path, json=body, headers=client.as_("ada", "chat", "debug:read"))
        assert (refused.status_code, refused.json()["errors"][0]["at"]) == (422, "/rules/done")
        assert (await client.post(path, json=body, headers=client.as_("root", "admin"))).status_code == 200
        allowed = {"rules": {"done": "u.age > 3"}}
        answer = await client.post(path, json=allowed, headers=client.as_("ada", "chat", "debug:read"))
        assert answer.status_code == 200


DERIVED = FLOW.replace("    age: integer", "    age: integer\n    shout: {type: string, value: u.pin + '!'}")


@pytest.mark.parametrize("rule", ['message.text.startsWith("Q")', 'u.shout.startsWith("Q")'])
def test_a_guard_over_what_may_be_a_secret_needs_an_admin(rule: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served(tw.open(flow_of(DERIVED)), keys=True) as client:
            await told(client)
            path, body = "/api/conversations/ada:x/what-if", {"rules": {"done": rule}}
            refused = await client.post(path, json=body, headers=client.as_("ada", "chat", "debug:read"))
            assert (refused.status_code, refused.json()["errors"][0]["at"]) == (422, "/rules/done")
            assert (await client.post(path, json=body, headers=client.as_("root", "admin"))).status_code == 200

    asks()


COMPARED = """\
flow: pins
start: ask
records:
  u:
    pin: {type: string, secret: true}
    guess: string
    other: string
    age: integer
    same: {type: boolean, value: u.pin == u.other}
nodes:
  ask:
    say: Your age?
    collect: [u.age]
    transitions:
      - {id: right, at: before, when: u.pin == u.guess, to: end_}
  end_: {say: Thank you., end: done}
"""


@in_loop
async def test_nobody_guesses_a_secret_by_trying_what_the_flow_compares_with_it() -> None:
    async with served(tw.open(flow_of(COMPARED)), keys=True) as client:
        reader, admin = client.as_("ada", "chat", "debug:read"), client.as_("ada", "admin")
        await client.post("/api/conversations", json={"flow": "pins", "name": "x"}, headers=reader)
        path = "/api/conversations/ada:x"
        await client.patch(f"{path}/records", json={"set": {"u.pin": "QX7ZZ"}}, headers=admin)
        for url in (f"{path}/what-if", "/api/flows/pins/what-if"):
            for field in ("u.guess", "u.other", "u.pin"):
                refused = await client.post(url, json={"values": {field: "QX7ZZ"}}, headers=reader)
                assert (refused.status_code, refused.json()["errors"][0]["at"]) == (422, f"/values/{field}")
                assert (await client.post(url, json={"values": {field: "QX7ZZ"}}, headers=admin)).status_code == 200
        assert (await client.post(url, json={"values": {"u.age": 3}}, headers=reader)).status_code == 200
        tried = await client.post(f"{path}/dry-run", json={"text": "QX7ZZ"}, headers=reader)
        assert (tried.status_code, tried.json()["code"]) == (403, "missing_scope")
        assert (await client.post(f"{path}/dry-run", json={"text": "QX7ZZ"}, headers=admin)).status_code == 200


ASIDE = """\
flow: pins
start: ask
records:
  u:
    pin: {type: string, secret: true}
    guess: string
    raw: string
    shaped: {type: string, value: u.raw + ""}
    same: {type: boolean, value: u.pin == u.compared}
    word: string
    kept: {type: string, validate: u.kept != u.pin}
    compared: string
    age: integer
  free: {color: string}
nodes:
  ask:
    form:
      fields:
        - {field: u.age, ask: Your age?}
        - {field: u.word, ask: Your word?, validate: u.word != u.pin}
    transitions:
      - {id: right, at: before, when: u.pin == u.guess, to: end_}
      - {id: shaped, at: before, when: u.pin == u.shaped, to: end_}
  end_: {say: Thank you., end: done}
"""


@in_loop
async def test_an_operator_guesses_no_secret_by_trying_what_to_give_back() -> None:
    by_outcome = ASIDE.replace("u.pin == u.shaped", "u.pin == person.outcome").replace("flow: pins", "flow: outcomes")
    store = tw.MemoryStore()
    apps = [tw.open(flow_of(one), store=store) for one in (ASIDE, by_outcome)]
    async with served(*apps, keys=True) as client:
        otto, admin = client.as_("otto", "operator", "debug:read"), client.as_("otto", "admin")
        await client.post("/api/conversations", json={"flow": "pins", "name": "x"}, headers=client.as_("ada"))
        path = "/api/conversations/ada:x"
        await client.patch(f"{path}/records", json={"set": {"u.pin": "QX7ZZ"}}, headers=admin)
        taken = await client.post(f"{path}/person/take-over", json={"operator": "Otto"}, headers=otto)
        assert taken.status_code == 200, taken.text

        async def previews(body: dict[str, Any]) -> list[dict[str, Any]]:
            answers = [await client.post(f"{path}/person/preview", json=body, headers=one) for one in (otto, admin)]
            assert [one.status_code for one in answers] == [200, 200], answers[0].text
            return [one.json() for one in answers]

        for field in ("u.pin", "u.guess", "u.raw", "u.word", "u.kept", "u.compared"):
            for guess in ("QX7ZZ", "QX7ZA"):
                hidden, _ = await previews({"set": {field: guess}})
                assert (hidden["is_known"], hidden["moves"], hidden["values"]) == (False, [], {}), field
                assert f"'{field}' with a secret" in hidden["why"]
        _, known = await previews({"set": {"u.guess": "QX7ZZ"}})
        assert known["moves"] == ["right"]
        allowed, _ = await previews({"set": {"u.age": 9, "free.color": "red"}})
        assert (allowed["is_known"], allowed["values"]["u.age"]) == (True, 9)
        await client.post("/api/conversations", json={"flow": "outcomes", "name": "y"}, headers=client.as_("ada"))
        tried = await client.post("/api/conversations/ada:y/person/preview", json={"outcome": "QX7ZZ"}, headers=otto)
        assert "'person.outcome' with a secret" in tried.json()["why"]
        stored = await client.post(f"{path}/person/give-back", json={"set": {"u.guess": "QX7ZZ"}}, headers=otto)
        assert stored.status_code == 200, stored.text


@in_loop
async def test_the_reason_of_an_operator_shows_no_secret() -> None:
    async with served(tw.open(flow_of(FLOW)), keys=True) as client:
        await told(client)
        otto, path = client.as_("otto", "operator", "debug:read"), "/api/conversations/ada:x"
        body = {"operator": "Otto", "reason": "the pin is QX7ZZ"}
        assert (await client.post(f"{path}/person/take-over", json=body, headers=otto)).status_code == 200
        for place in (path, f"{path}/state", f"{path}/trace", f"{path}/transcript", "/api/queue", "/api/conversations"):
            answer = await client.get(place, headers=otto)
            assert "the pin is [secret]" in answer.text, place
            assert "QX7ZZ" not in answer.text, place


@in_loop
async def test_a_supposed_value_is_shown_also_where_it_is_a_secret() -> None:
    """A value that is hidden only where it is right would tell a secret guess by guess."""
    app = tw.open(flow_of(FLOW_OF_NAMES), clock=tw.ManualClock(1))
    async with served(app) as client:
        await app.chat("x").commands(sets(user__name="Ada", user__pin="swordfish"))
        await app.chat("x").say("well")
        for guess in ("catfish", "swordfish"):
            asked = {"turn": 2, "values": {"user.name": guess}}
            answer = await client.post("/api/conversations/x/what-if", json=asked)
            would = answer.json()["decisions"][0]["would"]
            assert f"(is {guess})" in would["line"]
            assert would["candidates"][0]["verdict"]["operands"][0]["value"] == guess
            assert would["candidates"][0]["needs"][0][0]["now"] == guess


FLOW_OF_NAMES = """
flow: f
start: home
records: {user: {name: string, pin: {type: string, secret: true}}}
nodes:
  home:
    say: Hello.
    transitions:
      - {id: bob, at: before, when: user.name == "Bob", to: out, because: it is Bob}
  out: {say: Bye., end: done}
"""
