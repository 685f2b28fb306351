"""What sections 1, 3 and 6 promise where a conversation is kept in a file and several processes serve it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from support.chats import NOON_MS, OneChat, machine_of
from support.durable.running import run
from support.engines import local
from support.refused import without_refused
from turnwise.api.chat import Chat
from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.codec import encode_state
from turnwise.core.state.fold import fold_all
from turnwise.errors import Conflict, Superseded, UnknownFormat
from turnwise.runner.cache import Cache
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import ModelReply
from turnwise.runner.ports import Commit, Receipt
from turnwise.stores.encoded import pack, unpack
from turnwise.stores.sqlite import SqliteStore

FORM = """
    flow: form
    start: intake
    records: {user: {name: string, size: {type: choice, options: [small, large]}, note: string}}
    nodes:
      intake:
        form: {fields: [{field: user.name}, {field: user.size}], confirm: {}}
        transitions: [{to: talk}]
      talk:
        form: {fields: [{field: user.note}], confirm: {}}
"""
TALK = """
    flow: talk
    start: a
    persona: You talk.
    nodes: {a: {prompt: Talk.}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "laws.db"


Play = Callable[[], Coroutine[Any, Any, None]]


class Model:
    """Answers when it is let."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.opened, self.asked = asyncio.Event(), asyncio.Event()
        self.calls = 0
        if is_open:
            self.opened.set()

    async def reply(self, _request: ModelRequest) -> ModelReply:
        """The number of the call."""
        self.calls += 1
        self.asked.set()
        await self.opened.wait()
        return ModelReply(f"Reply {self.calls}.")


def opened(file: Path, flow: str | Machine, model: Model | None = None, **settings: Any) -> OneChat:
    """A chat as a process of its own would open it: with its own connections, caches and claims."""
    machine = flow if isinstance(flow, Machine) else machine_of(flow)
    store = SqliteStore(file, **settings)
    return OneChat(machine, store=store, model=model or Model(), clock=ManualClock(NOON_MS))


def row(file: Path) -> tuple[int, bytes | None]:
    """The position and the state that are kept of the only conversation."""
    db = sqlite3.connect(file)
    try:
        return db.execute("SELECT seq, state FROM conversation").fetchone()
    finally:
        db.close()


def write(file: Path, sql: str, *values: object) -> None:
    db = sqlite3.connect(file)
    with db:
        db.execute(sql, values)
    db.close()


# 1.1 ---------------------------------------------------------------------------------------------


@pytest.mark.law("1.1")
def test_what_is_kept_of_a_state_does_not_grow_with_the_conversation(file: Path) -> None:
    async def play() -> None:
        chat = opened(file, TALK)
        sizes: dict[int, int] = {}
        for number in range(1, 301):
            await chat.say(f"{number} " + "words " * 200)
            sizes[number] = len(row(file)[1] or b"")
        assert max(sizes.values()) < 1.1 * sizes[5] < 1000
        await chat.close()

    run(play())


@pytest.mark.law("1.1")
def test_conversations_that_are_parked_cost_no_memory(file: Path) -> None:
    async def play() -> None:
        chat = opened(file, FORM)
        local(chat).turns.states = Cache(most=10)
        for number in range(30):
            await Chat(chat.runtime, f"c{number}").start()
        assert len(local(chat).turns.states._values) == 10
        assert not local(chat).locks.busy()
        turn = await Chat(chat.runtime, "c0").say("Ada")
        assert (turn.number, turn.state.values["user.name"].value) == (2, "Ada")  # type: ignore[union-attr]
        await chat.close()

    run(play())


# 1.4 ---------------------------------------------------------------------------------------------


def with_format(blob: bytes, number: int) -> bytes:
    return pack(json.dumps({**json.loads(unpack(blob)), "format": number}).encode())


@pytest.mark.law("1.4")
@pytest.mark.parametrize("is_cached", [False, True])
def test_a_kept_state_of_an_unknown_format_is_refused_by_name(file: Path, is_cached: bool) -> None:
    async def play() -> None:
        chat = opened(file, FORM)
        await chat.start()
        if is_cached:
            newer = opened(file, FORM)
            await newer.say("Ada")
            await newer.close()
        else:
            local(chat).turns.states = Cache()
        seq, blob = row(file)
        assert blob is not None
        write(file, "UPDATE conversation SET state = ?", with_format(blob, 99))
        for asked in (chat.say("Bob"), chat.start(), chat.state(), chat.replay()):
            with pytest.raises(UnknownFormat, match=r"the state has format 99; this version of turnwise reads 1 and 2"):
                await asked
        assert len(await chat.journal()) == seq, "nothing was written"
        write(file, "UPDATE conversation SET state = ?", blob)
        assert (await chat.say("Bob")).refused is None
        assert await chat.replay()
        await chat.close()

    run(play())


@pytest.mark.law("1.4")
def test_a_conversation_goes_on_with_the_flow_that_it_began_with(file: Path) -> None:
    changed = FORM.replace("options: [small, large]", "options: [tiny, huge]")

    async def play() -> None:
        chat = opened(file, FORM)
        await chat.say("Ada")
        await chat.close()
        chat = opened(file, changed)
        turn = await chat.say("Ada")
        turn = await chat.say("large")
        assert turn.state is not None
        assert turn.state.values["user.size"].value == "large"
        assert turn.state.fingerprint == turn.machine.fingerprint == machine_of(FORM).fingerprint
        await Chat(chat.runtime, "new").say("Ada")
        assert (await Chat(chat.runtime, "new").state()).fingerprint == machine_of(changed).fingerprint
        await chat.close()

    run(play())


@pytest.mark.law("1.4")
def test_a_conversation_whose_flow_is_gone_is_refused_and_stays_as_it_was(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        chat = opened(file, FORM)
        await chat.say("Ada")
        await chat.close()
        write(file, "DELETE FROM flow")
        chat = opened(file, FORM.replace("small", "tiny"))
        journal = await chat.journal()
        assert (await chat.say("large")).refused == "flow_unavailable"
        assert await chat.journal() == journal
        await chat.close()

    run(play())
    assert machine_of(FORM).fingerprint in caplog.text


# 3.1 ---------------------------------------------------------------------------------------------


@pytest.mark.law("3.1")
@pytest.mark.parametrize("where", ["here", "elsewhere", "later"])
def test_a_key_is_one_turn_whichever_process_is_given_it(file: Path, where: str) -> None:
    async def play() -> None:
        chat = opened(file, FORM)
        await chat.start()
        other = opened(file, FORM)
        await Chat(other.runtime, "main").say("hello", key="k0")
        first = await chat.say("Ada", key="k1")
        assert (first.number, first.is_duplicate) == (3, False)
        if where == "later":
            await chat.close()
        again = chat if where == "here" else other if where == "elsewhere" else opened(file, FORM)
        journal = await again.journal()
        turn = await again.say("Ada", key="k1")
        assert (turn.number, turn.is_duplicate, turn.text, turn.events) == (3, True, first.text, first.events)
        refused = await again.say("Bob", key="k1")
        assert (refused.refused, refused.is_duplicate) == ("key_reused", False)
        assert without_refused(await again.journal()) == journal
        await Chat(again.runtime, "other").start()
        assert (await Chat(again.runtime, "other").say("Ada", key="k1")).number == 2, "a key is of its conversation"
        await again.close()

    run(play())


@pytest.mark.law("3.1")
def test_nothing_is_refused_because_of_what_this_process_knew_before(file: Path) -> None:
    async def play() -> None:
        here, elsewhere = opened(file, FORM), opened(file, FORM)
        await here.say("Ada")
        assert (await here.choose("confirm")).refused == "unknown_button"
        await elsewhere.say("Ada")
        turn = await elsewhere.say("large")
        assert turn.buttons
        assert (await here.choose("confirm")).refused is None, "the button is offered since"
        await elsewhere.say("a note")
        ended = await elsewhere.choose("confirm")
        assert ended.outcome == "confirmed"
        assert (await here.say("more")).refused == "conversation_ended"
        assert (await elsewhere.say("more")).refused == "conversation_ended"
        await here.undo()
        assert (await elsewhere.say("another note")).refused is None, "it has not ended any more"
        assert await here.replay()
        await here.close()
        await elsewhere.close()

    run(play())


@pytest.mark.law("3.1")
def test_what_is_given_for_a_start_that_came_before_is_the_state_as_it_is_now(file: Path) -> None:
    async def play() -> None:
        here, elsewhere = opened(file, FORM), opened(file, FORM)
        await here.start()
        last = await elsewhere.say("Ada")
        turn = await here.start()
        assert turn.is_duplicate
        assert turn.state == last.state
        await here.say("large")
        assert await elsewhere.runtime.store.forget("main")
        turn = await here.start()
        assert (turn.number, turn.is_duplicate) == (1, False), "it was forgotten elsewhere, and begins anew"
        await here.close()
        await elsewhere.close()

    run(play())


# 3.8 ---------------------------------------------------------------------------------------------


@pytest.mark.law("3.8")
def test_the_state_is_written_at_the_end_and_is_the_fold_of_all_up_to_it(file: Path) -> None:
    async def play() -> None:
        model = Model()
        chat = opened(file, TALK, model)
        await chat.say("first")
        before = row(file)
        model.opened.clear()
        model.asked.clear()
        caller = asyncio.create_task(chat.say("second"))
        await model.asked.wait()
        await chat.runtime.store.write(lambda _: None)  # type: ignore[attr-defined]
        assert row(file) == before
        cut = await chat.state()
        assert (cut.seq, cut.turn, cut.doing is None) == (before[0] + 3, 2, False)
        assert encode_state(cut) == encode_state(fold_all(await chat.journal()))  # type: ignore[arg-type]
        model.opened.set()
        await caller
        state = await chat.state()
        seq, blob = row(file)
        assert (seq, unpack(blob or b"")) == (state.seq, encode_state(state))
        assert encode_state(state) == encode_state(fold_all(await chat.journal()))  # type: ignore[arg-type]
        await chat.close()

    run(play())


def entry(seq: int, turn: int, event: e.AnyEvent) -> e.Entry:
    return e.Entry(seq, turn, NOON_MS, event)


@pytest.mark.law("3.8")
def test_one_process_runs_a_turn_and_who_lost_it_cannot_write(file: Path) -> None:
    async def play() -> None:
        chat = opened(file, TALK)
        await chat.say("first")
        state = await chat.state()
        owner, other = chat.runtime.store, SqliteStore(file)
        at = state.seq + 1
        await owner.commit("main", Commit((entry(at, 2, e.UserSaid("x")),), receipt=Receipt("k", "b", 2)))
        for part, refusal in (("first", Conflict), ("next", Superseded)):
            with pytest.raises(refusal):
                await other.commit("main", Commit((entry(at + 1, 2, e.UserSaid("y")),), part))  # type: ignore[arg-type]
        for claim, is_mine in ((await owner.claim("main"), True), (await other.claim("main"), False)):
            assert claim is not None
            assert (claim.is_mine, claim.is_alive) == (is_mine, True)
        with pytest.raises(Conflict):  # who is alive is not overtaken
            await other.commit("main", Commit((entry(at + 1, 2, e.TurnRestarted()),), "takeover"))
        owner.process.close()  # type: ignore[attr-defined]  the other takes it for dead
        await other.commit("main", Commit((entry(at + 1, 2, e.TurnRestarted()),), "takeover"))
        for seq in (at + 1, at + 2):
            with pytest.raises(Superseded):
                await owner.commit("main", Commit((entry(seq, 2, e.UserSaid("z")),), "next"))
        with pytest.raises(Conflict):
            await owner.commit("main", Commit((entry(at + 1, 2, e.TurnRestarted()),), "takeover"))
        await other.commit("main", Commit((entry(at + 2, 2, e.TurnEnded()),), "next", state=state))
        assert await other.claim("main") is None
        with pytest.raises(Superseded):
            await owner.commit("main", Commit((entry(at + 3, 2, e.UserSaid("z")),), "next"))
        events = [x.event for x in await owner.entries("main", state.seq)]
        assert events == [e.UserSaid("x"), e.TurnRestarted(), e.TurnEnded()]
        await owner.close()
        await other.close()

    run(play())


@pytest.mark.law("3.8")
def test_a_turn_that_another_process_took_over_is_told_to_its_caller_as_it_ended_there(file: Path) -> None:
    async def play() -> None:
        slow, quick = Model(is_open=False), Model()
        here = opened(file, TALK, slow)
        caller = asyncio.create_task(here.say("first", key="k1"))
        await slow.asked.wait()
        await here.runtime.store.write(lambda _: None)  # type: ignore[attr-defined]
        write(file, "UPDATE process SET pid = 0, beat_s = -1e9")
        there = opened(file, TALK, quick)
        assert (await there.say("second", key="k2")).number == 2
        slow.opened.set()
        turn = await caller
        assert (turn.number, turn.text, turn.is_duplicate) == (1, "Reply 1.", False)
        assert turn.state is not None
        assert (turn.state.turn, turn.state.doing) == (1, None)
        journal = await here.journal()
        assert sum(isinstance(x.event, e.TurnRestarted) for x in journal) == 1
        assert sum(isinstance(x.event, e.ModelReplied) for x in journal) == 2
        assert await here.replay()
        await here.close()
        await there.close()

    run(play())


@pytest.mark.law("3.8")
def test_a_turn_that_a_store_left_when_it_was_closed_is_free_at_once(file: Path) -> None:
    async def play() -> None:
        slow = Model(is_open=False)
        here = opened(file, TALK, slow)
        caller = asyncio.create_task(here.say("first", key="k1"))
        await slow.asked.wait()
        await here.runtime.store.close()
        write(file, "UPDATE process SET pid = 1")  # another process, as the claim sees it, which still lives
        there = opened(file, TALK)
        assert await there.runtime.store.cut_off() == ("main",)
        assert (await there.say("first", key="k1")).text == "Reply 1."
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)
        await there.close()

    run(play())


# 3.10 --------------------------------------------------------------------------------------------


@pytest.mark.law("3.10")
@pytest.mark.parametrize("busy", ["queue", "reject"])
@pytest.mark.parametrize("is_known", [False, True])
def test_a_message_to_two_processes_at_once_waits_or_is_refused(file: Path, busy: str, is_known: bool) -> None:
    async def play() -> None:
        slow = Model()
        here, there = opened(file, f"busy: {busy}\n{TALK}".replace("\n    ", "\n"), slow), None
        there = opened(file, here.machine)
        if is_known:
            await there.say("zero")
        slow.opened.clear()
        slow.asked.clear()
        first = asyncio.create_task(here.say("first"))
        await slow.asked.wait()
        await here.runtime.store.write(lambda _: None)  # type: ignore[attr-defined]
        second = asyncio.create_task(there.say("second"))
        if busy == "reject":
            assert (await second).refused == "busy"
        slow.opened.set()
        begin = 2 if is_known else 1
        assert (await first).number == begin
        if busy == "queue":
            assert ((await second).number, (await second).refused) == (begin + 1, None)
        assert (await there.say("third")).refused is None
        texts = [x.event.text for x in await here.journal() if isinstance(x.event, e.UserSaid)]
        assert texts == ["zero"] * is_known + ["first", *["second"] * (busy == "queue"), "third"]
        assert await here.replay()
        await here.close()
        await there.close()

    run(play())


# 6.9 ---------------------------------------------------------------------------------------------


@pytest.mark.law("6.9")
def test_an_undo_goes_back_over_restarts_and_turn_numbers_never_do(file: Path) -> None:
    async def play() -> None:
        chat = opened(file, FORM)
        await chat.start()
        for number in range(120):
            await chat.commands([c.Set(field="user.name", value=f"name {number}")])
            await chat.undo()
        await chat.say("Ada")
        last = (await chat.state()).turn
        await chat.close()
        chat = opened(file, FORM)
        before = await chat.turn(2)
        undone = await chat.undo(to=2)
        assert undone.number == last + 1
        assert undone.state is not None
        assert before.state is not None
        assert undone.state.values == before.state.values
        assert undone.state.values["user.name"].value == "name 0"
        await chat.close()
        chat = opened(file, FORM)
        turn = await chat.undo()
        assert (turn.number, turn.state.values) == (last + 2, {}), "one undo more goes further back"  # type: ignore[union-attr]
        journal = await chat.journal()
        assert [x.seq for x in journal] == list(range(1, len(journal) + 1))
        assert [x.turn for x in journal] == sorted(x.turn for x in journal)
        assert any(isinstance(x.event, e.Snapshot) for x in journal)
        assert await chat.replay()
        await chat.close()

    run(play())
