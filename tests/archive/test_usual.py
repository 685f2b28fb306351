"""How usual something is: counted over all conversations of a store, by version, in every door."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import in_loop, served
from support.shell import run
from support.stored import reads_of
from turnwise.archive import edge_counts
from turnwise.archive.edge_counts import EdgeCounts
from turnwise.runner.machines import KeptMachines
from turnwise.stores.sqlite import SqliteStore, connect
from turnwise.why.answer import Answer

SHOP = """
flow: shop
version: 1
start: ask
records: {guest: {people: integer}}
tools: {look: {about: looks, args: {}}}
nodes:
  ask:
    form: {fields: [{field: guest.people, ask: "How many?"}], confirm: {}}
    transitions:
      - {id: large, at: before, when: guest.people > 12, because: a large group, to: host}
      - {id: remind, at: timer, in: 10m, stay: true}
  host: {say: "Wait.", end: host}
"""
NOW_MS = 1_700_000_000_000
NEWER = SHOP.replace("version: 1", "version: 2").replace("a large group", "many people")


def look() -> int:
    return 1


def shop(text: str, store: str) -> tw.SyncApp:
    return tw.open_sync(flow_of(text), store=store, tools=[look], clock=tw.ManualClock(NOW_MS))


def talk(app: tw.SyncApp, name: str, people: str) -> tw.SyncChat:
    chat = app.chat(name)
    chat.start()
    chat.say(people)
    return chat


@pytest.fixture
def store(tmp_path: Path) -> str:
    """Four conversations of version 1, of which one went to the host, and two of version 2."""
    store = f"sqlite:///{tmp_path / 's.db'}"
    with shop(SHOP, store) as app:
        for number, people in enumerate(("4", "thirty", "5", "6")):
            talk(app, f"old{number}", people)
        app.chat("old0").fire("remind")
    with shop(NEWER, store) as app:
        for number in range(2):
            talk(app, f"new{number}", "7")
    return store


def usual(answer: Answer) -> str:
    fact = answer.facts[1]
    assert fact.kind in ("usual", "usual_not_counted")
    return fact.text


ASKED = [
    ("large", "large was taken in 17 % of 6 conversations (1), never since version 2"),
    ("host", "host was entered in 17 % of 6 conversations (1), never since version 2"),
    ("ask", "ask was entered in all of 6 conversations, and in all of 2 conversations of version 2"),
    ("guest.people", "guest.people was set in all of 6 conversations, and in all of 2 conversations of version 2"),
    ("remind", "remind came due in 17 % of 6 conversations (1), never since version 2"),
    ("look", "look was called in none of 6 conversations"),
    ("end", "how usual this is is not counted; it is for nodes, transitions, tools, timers and fields"),
]


@pytest.mark.parametrize(("subject", "said"), ASKED, ids=[subject for subject, _ in ASKED])
def test_every_kind_is_counted_by_conversation_and_version(store: str, subject: str, said: str) -> None:
    with shop(NEWER, store) as app:
        chat = app.chat("new0")
        found = chat.why(subject, usual=True)
        assert usual(found) == said
        assert found.facts[0] == chat.why(subject).facts[0]
        assert all(fact.kind not in ("usual", "usual_not_counted") for fact in chat.why(subject).facts)


def test_what_retention_erased_is_said(store: str, tmp_path: Path) -> None:
    kept = ("--events", "0", "--decisions", "0")
    assert run("store", "retain", str(tmp_path / "s.db"), *kept).code == 0
    with shop(NEWER, store) as app:
        found = app.chat("new0").why("large", usual=True)
    assert usual(found).endswith("; retention erased a part of 6 conversations, of which only the rest is counted")


def test_the_figures_are_data(store: str) -> None:
    with shop(NEWER, store) as app:
        values = app.chat("new0").why("large", usual=True).facts[1].values
    assert (values["count"], values["total"], values["since"]) == (1, 6, 2)
    assert values["by_version"] == {"1": [1, 4], "2": [0, 2]}


def test_what_was_taken_in_the_latest_version_has_its_share_there(store: str) -> None:
    with shop(NEWER, store) as app:
        talk(app, "new2", "thirty")
        found = usual(app.chat("new2").why("large", usual=True))
    assert found == ("large was taken in 29 % of 7 conversations (2), and in 33 % of 3 conversations (1) of version 2")


def test_the_only_conversation_is_called_that(tmp_path: Path) -> None:
    with shop(SHOP, f"sqlite:///{tmp_path / 's.db'}") as app:
        chat = talk(app, "x", "4")
        assert usual(chat.why("ask", usual=True)) == "ask was entered in the only conversation so far"
        assert usual(chat.why("large", usual=True)) == "large was taken in no conversation so far"
        chat.fork("y")
        assert usual(chat.why("ask", usual=True)) == "ask was entered in 50 % of 2 conversations (1)"


def test_the_terminal_counts_where_it_is_asked_to(store: str) -> None:
    said = "large was taken in 17 % of 6 conversations (1), never since version 2"
    ran = run("explain", "--store", store, "old1", "large", "--usual")
    assert ran.code == 0
    assert f"· {said}" in ran.lines
    data = json.loads(run("explain", "--store", store, "old1", "large", "--usual", "--json").out)
    assert data["facts"][1]["text"] == said
    assert run("explain", "--store", store, "old1", "--to", "host", "--usual").code == 2
    assert said not in run("explain", "--store", store, "old1", "large").out


def test_a_talk_counts_where_it_is_asked_to(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP.replace("tools: {look: {about: looks, args: {}}}\n", ""), "utf-8")
    ran = run("chat", path, given="thirty\n/why large --usual\n")
    assert "· large was taken in the only conversation so far" in ran.lines


@in_loop
async def test_the_server_counts_where_it_is_asked_to() -> None:
    app = tw.open(flow_of(SHOP), tools=[look], clock=tw.ManualClock(NOW_MS))
    async with served(app) as client:
        for name, people in (("a", "4"), ("b", "thirty")):
            await app.chat(name).start()
            await app.chat(name).say(people)
        answer = (await client.get("/api/conversations/a/why?subject=large&usual=true")).json()
        assert answer["facts"][1]["text"] == "large was taken in 50 % of 2 conversations (1)"
        assert answer["facts"][1]["about"] == [{"kind": "transition", "name": "large"}]
        without = (await client.get("/api/conversations/a/why?subject=large")).json()
        assert [fact["kind"] for fact in without["facts"]].count("usual") == 0


def test_a_store_of_many_conversations_is_counted_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_counts, "MOST_PER_REFRESH", 3)
    monkeypatch.setattr(edge_counts, "BATCH_SIZE", 2)
    clock = tw.ManualClock(NOW_MS)

    async def work() -> Any:
        async with tw.open(flow_of(SHOP), tools=[look], clock=clock, store=f"sqlite:///{tmp_path / 's.db'}") as app:
            for number in range(11):
                clock.move_s(300)
                await app.chat(f"c{number}").start()
            counts = EdgeCounts(app.runtime.store, app.runtime.machines)
            for _ in range(4):
                await counts.refresh()
            by_parts = (await counts.flow_counts("shop")).conversations()
            found = await app.chat("c0").why("ask", usual=True)
            return by_parts, found.facts[1].values["total"]

    assert asyncio.run(work()) == (11, 11)


def test_asking_again_reads_only_what_changed() -> None:
    async def work() -> list[str]:
        app = tw.open(flow_of(SHOP), tools=[look], clock=tw.ManualClock(NOW_MS))
        for name in ("a", "b", "c"):
            await app.chat(name).start()
        await app.chat("a").why("ask", usual=True)
        reads = reads_of(app.runtime.store)
        await app.chat("b").say("4")
        await app.chat("a").why("ask", usual=True)
        return reads

    assert set(asyncio.run(work())) == {"a", "b"}  # the answer itself reads its own conversation


def test_another_process_reads_only_what_nobody_has_counted(store: str) -> None:
    async def reads() -> list[str]:
        clock = tw.ManualClock(NOW_MS)  # no timer is due, and none fires beside the question
        async with tw.open(flow_of(NEWER), tools=[look], store=store, clock=clock) as app:
            found = reads_of(app.runtime.store)
            await app.chat("new0").why("large", usual=True)
            return found

    assert len(set(asyncio.run(reads()))) == 6
    assert set(asyncio.run(reads())) == {"new0"}  # the answer itself reads its own conversation


def test_a_file_that_can_only_be_read_is_counted(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked(file: Path) -> str:
        kept = SqliteStore(file, may_only_read=True)
        counts = EdgeCounts(kept, KeptMachines(kept))
        await counts.refresh_all()
        await counts.refresh_all()
        found = await counts.flow_counts("shop")
        await kept.close()
        return f"{found.count_of('transition', 'large')} of {found.conversations()}, {found.versions()}"

    with shop(NEWER, store):
        copy = tmp_path / "copy.db"
        copy.write_bytes((tmp_path / "s.db").read_bytes())
    copy.chmod(0o444)
    monkeypatch.setattr(connect.os, "access", lambda *_: False)  # root may write every file
    assert asyncio.run(asked(copy)) == "1 of 6, {1: 4, 2: 2}"
