"""What conversations are called: in the list, in one conversation, in the stream of the terminal, and never by a secret."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from support.chats import flow_of
from support.served import in_loop, served
from support.shell import run
from turnwise.archive.conversation_names import LONGEST_NAME, conversation_name, is_generated
from turnwise.core.state.events import UserSaid
from turnwise.core.state.kinds import ERASED

FLOW = """
flow: desk
title: Front desk
start: ask
time_zone: Europe/Berlin
records:
  guest:
    first: {type: string, names: true}
    family: {type: string, names: true}
    room: {type: integer}
nodes:
  ask:
    form:
      fields: [{field: guest.room, ask: Which room?}, {field: guest.first, ask: Your first name?}, {field: guest.family, ask: Your family name?}]
    transitions: [{at: after, when: form.status == "confirmed", end: done}]
"""
RANDOM = "wN7PLGYnNx59"


async def names(client: Any) -> dict[str, str]:
    found = (await client.get("/api/conversations")).json()["conversations"]
    assert {one["flow_title"] for one in found} <= {"Front desk"}
    return {one["id"]: one["name"] for one in found}


@in_loop
async def test_a_marked_field_names_the_conversation_then_its_id_then_its_first_words() -> None:
    clock = tw.ManualClock(1_700_000_000_000)
    app = tw.open(flow_of(FLOW), clock=clock)
    async with served(app, clock=clock) as client:
        for conversation in ("case-7", RANDOM):
            await app.chat(conversation).start()
        assert await names(client) == {"case-7": "case-7", RANDOM: "Front desk, 14 Nov 23:13"}
        await app.chat(RANDOM).say("hello")
        assert (await names(client))[RANDOM] == "hello"
        await app.chat(RANDOM).say(
            "which room was it that I had booked for us, the blue one or the green one by the lake?"
        )
        words = (await names(client))[RANDOM]
        assert words == "which room was it that I had booked for us, the blue one…" and len(words) <= LONGEST_NAME
        for conversation in ("case-7", RANDOM):
            for line in ("12", "Ada", "Lovelace"):
                await app.chat(conversation).say(line)
        assert await names(client) == {"case-7": "Ada Lovelace", RANDOM: "Ada Lovelace"}
        one = (await client.get(f"/api/conversations/{RANDOM}")).json()
        assert (one["name"], one["node_title"]) == ("Ada Lovelace", "Ask")


@in_loop
async def test_no_secret_names_a_conversation() -> None:
    app = tw.open(flow_of(FLOW.replace("first: {type: string, names: true}", "first: {type: string, secret: true}")))
    async with served(app) as client:
        chat = app.chat(RANDOM)
        await chat.start()
        for line in ("12", "Rumpelstiltskin"):
            await chat.say(line)
        assert "Rumpel" not in (await names(client))[RANDOM]
        assert (await names(client))[RANDOM].startswith("Front desk, ")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (RANDOM, True),
        ("0123456789abcdef01", True),
        ("9f1c2d3e-1111-4222-8333-abcdefabcdef", True),
        ("conversation", False),
        ("customer-123", False),
        ("maria", False),
        ("Max Mustermann", False),
    ],
)
def test_generated_ids_are_told_from_chosen_ones(name: str, expected: bool) -> None:
    assert is_generated(name) is expected


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("first: {type: string, names: true}", "first: {type: string, names: true, secret: true}"), "TW047"),
        (("nodes:", "tools:\n  book: {kind: write, args: {room: {type: string, names: true}}}\nnodes:"), "TW041"),
        (
            (
                "room: {type: integer}",
                "others: {type: list, of: other}\n  other: {called: {type: string, names: true}}",
            ),
            "TW114",
        ),
    ],
)
def test_a_field_that_cannot_name_a_conversation_is_reported(
    change: tuple[str, str], code: str, tmp_path: Path
) -> None:
    file = tmp_path / "desk.flow.yaml"
    text = FLOW.replace("{field: guest.room, ask: Which room?}, ", "") if code == "TW114" else FLOW
    file.write_text(text.replace(*change).lstrip())
    assert code in run("check", file).out


def test_the_terminal_lists_conversations_by_name(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/kept.db"
    with tw.open_sync(flow_of(FLOW), store=address) as app:
        chat = app.chat(RANDOM)
        chat.start()
        for line in ("12", "Ada", "Lovelace"):
            chat.say(line)
    assert f"{RANDOM}\tAda Lovelace\tdesk" in run("store", "conversations", tmp_path / "kept.db").out


@in_loop
async def test_the_beginning_is_read_once_and_words_that_are_erased_name_nothing() -> None:
    app = tw.open(flow_of(FLOW.replace(", names: true", "")))
    chat = app.chat(RANDOM)
    await chat.start()
    await chat.say("is there a room by the lake?")
    store, state, machine = app.runtime.store, await chat.state(), app.machine
    read: list[int] = []
    entries = store.entries

    async def counted(conversation: str, after: int = 0, limit: int | None = None) -> Any:
        read.append(after)
        return await entries(conversation, after, limit)

    store.entries = counted  # type: ignore[method-assign]
    for _ in range(3):
        assert await conversation_name(store, RANDOM, state, machine) == "is there a room by the lake?"
    assert read == [0]
    place = next(one for one in await entries(RANDOM, 0, 40) if isinstance(one.event, UserSaid)).seq
    kept = store.at

    async def erased(conversation: str, places: Any) -> Any:
        found = await kept(conversation, places)
        return {seq: replace(one, event=replace(one.event, text=ERASED)) for seq, one in found.items() if seq == place}

    store.at = erased  # type: ignore[method-assign]
    store.entries = lambda *_: _nothing()  # type: ignore[method-assign]
    assert "lake" not in await conversation_name(store, RANDOM, state, machine)


async def _nothing() -> tuple[()]:
    return ()
