"""The limit of conversations per owner holds over all servers of a store, and costs the same however many there are."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.served import ELIGIBILITY, Client, in_loop, served
from turnwise.api.open import open_store
from turnwise.core.state import State
from turnwise.server.conversation_limit import SHARE_PER_PROCESS
from turnwise.server.limits import ServerLimits
from turnwise.stores.memory import MemoryStore

BEGUN, REFUSED = 201, 429


async def begin(client: Client, name: str = "", *, owner: str = "ada") -> int:
    body = {"flow": "eligibility", **({"name": name} if name else {})}
    return (await client.post("/api/conversations", json=body, headers=client.as_(owner))).status_code


async def many(*begins: Any) -> Counter[int]:
    return Counter(await asyncio.gather(*begins))


@asynccontextmanager
async def two_servers(file: Path, most: int) -> AsyncGenerator[tuple[Client, Client]]:
    """Two servers whose stores are two processes of one file to each other."""
    apps = [tw.open(ELIGIBILITY, store=open_store(f"sqlite:///{file}")) for _ in range(2)]
    limits = ServerLimits(conversations=most)
    async with served(apps[0], keys=True, limits=limits) as one, served(apps[1], keys=True, limits=limits) as two:
        yield one, two


async def stored(client: Client, owner: str = "ada") -> int:
    return int((await client.get("/api/conversations", headers=client.as_(owner))).json()["total"])


@in_loop
async def test_two_servers_of_one_file_share_it(tmp_path: Path) -> None:
    async with two_servers(tmp_path / "x.db", 20) as (one, two):
        answers = [await begin((one, two)[number % 2], f"c{number}") for number in range(40)]
        assert answers == [BEGUN] * 20 + [REFUSED] * 20
        assert [await begin(server, owner="bob") for server in (one, two)] == [BEGUN, BEGUN]
        assert (await one.delete("/api/conversations/ada:c3", headers=one.as_("ada"))).status_code == 204
        assert [await begin(two), await begin(one), await begin(two)] == [BEGUN, REFUSED, REFUSED]
        assert await stored(one) == await stored(two) == 20


@pytest.mark.parametrize("most", [1, 20])
def test_two_servers_exceed_it_at_once_by_no_more_than_their_share(tmp_path: Path, most: int) -> None:
    @in_loop
    async def burst() -> None:
        async with two_servers(tmp_path / "x.db", most) as (one, two):
            answers = await many(*[begin(server) for _ in range(40) for server in (one, two)])
            assert answers.keys() == {BEGUN, REFUSED}
            assert most <= answers[BEGUN] <= most + max(1, most // SHARE_PER_PROCESS)
            assert await stored(one) == answers[BEGUN]
            assert [await begin(server) for server in (one, two)] == [REFUSED, REFUSED]

    burst()


class SlowStore(MemoryStore):
    """A store in which a turn begins when it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = asyncio.Event()

    async def load(self, conversation: str) -> State | None:
        await self.opened.wait()
        return await super().load(conversation)


@in_loop
async def test_conversations_that_are_being_begun_count() -> None:
    store = SlowStore()
    async with served(tw.open(ELIGIBILITY, store=store), keys=True, limits=ServerLimits(conversations=5)) as client:
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(many(*[begin(client) for _ in range(12)]))
            await asyncio.sleep(0.1)
            assert (await store.conversations(), waiting.done()) == ((), False)
            store.opened.set()
        assert waiting.result() == {BEGUN: 5, REFUSED: 7}
        assert await stored(client) == 5


@in_loop
async def test_one_that_exists_is_answered_at_the_limit_as_before() -> None:
    async with served(keys=True, limits=ServerLimits(conversations=1)) as client:
        headers = {**client.as_("ada"), "idempotency-key": "k"}
        both = [
            client.post("/api/conversations", json={"flow": "eligibility", "name": "x"}, headers=headers)
            for _ in range(2)
        ]
        answers = [answer.json() for answer in await asyncio.gather(*both)]
        assert sorted(answer["turn"]["is_duplicate"] for answer in answers) == [False, True]
        assert await begin(client, "x") == 409
        assert await begin(client, "y") == REFUSED


class NoLists(MemoryStore):
    """A store that does not list its conversations."""

    async def conversations(self, most: int | None = None) -> tuple[str, ...]:
        if most is None:
            raise AssertionError("all conversations were read")
        return await super().conversations(most)


@in_loop
async def test_no_other_conversation_is_read_when_one_is_begun() -> None:
    app = tw.open(ELIGIBILITY, store=NoLists())
    async with served(app, keys=True, limits=ServerLimits(conversations=3)) as client:
        assert [await begin(client, owner=owner) for owner in ("ada", "bob", "ada", "ada", "ada")] == [
            *[BEGUN] * 4,
            REFUSED,
        ]
