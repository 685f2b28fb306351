"""Two processes on one file: in order, no error, no lost update; and one that is stopped in mid-turn and wakes up."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest

from support.chats import machine_of
from support.durable.opened import keep_address, store_at
from support.durable.peer import FLOWS, Peer
from support.durable.running import run
from support.postgres import server
from turnwise.core.replay import replay, rerun
from turnwise.core.state import events as e

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
MESSAGES = 5000 if IS_SOAK else 300
"""What each of two processes sends."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "two.db"


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, file: Path) -> Path:
    """A file, or a database."""
    return file if request.param == "sqlite" else keep_address(file, server().fresh())


def journal(file: Path, flow: str, conversation: str = "main") -> tuple[e.Entry, ...]:
    """The journal of a conversation, of which fold, state and a second run agree."""

    async def read() -> tuple[e.Entry, ...]:
        store = store_at(file)
        entries, state = await store.entries(conversation), await store.load(conversation)
        assert await store.claim(conversation) is None
        await store.close()
        assert state is not None
        assert state.doing is None
        assert replay(entries) == state
        assert rerun(machine_of(FLOWS[flow]), entries) == entries
        return entries

    return run(read())


def said(entries: tuple[e.Entry, ...]) -> list[str]:
    return [entry.event.text for entry in entries if isinstance(entry.event, e.UserSaid)]


def count(entries: tuple[e.Entry, ...]) -> Any:
    state = replay(entries)
    assert state is not None
    return state.values["r.n"].value


def in_order(texts: list[str]) -> bool:
    """Of each sender every message is there once, in its order."""
    senders = {text.partition(" ")[0] for text in texts}
    numbers = [[int(text.partition(" ")[2]) for text in texts if text.startswith(f"{name} ")] for name in senders]
    return all(one == sorted(set(one)) for one in numbers)


def test_two_processes_that_send_to_one_conversation_are_served_in_order(place: Path) -> None:
    with Peer("count", place) as one, Peer("count", place) as other:
        following = [peer.begin("follow", until=2 * MESSAGES) for peer in (one, other)]
        sending = [peer.begin("burst", name=name, messages=MESSAGES, conversations=["main"])
                   for peer, name in ((one, "a"), (other, "b"))]  # fmt: skip
        assert [one.wait(sending[0]), other.wait(sending[1])] == [{"served": MESSAGES}] * 2
        seen = [one.wait(following[0]), other.wait(following[1])]
    entries = journal(place, "count")
    assert len(said(entries)) == 2 * MESSAGES
    assert in_order(said(entries))
    assert count(entries) == 2 * MESSAGES
    last = max(entry.seq for entry in entries if isinstance(entry.event, e.UserSaid))
    assert seen == [list(range(1, last + 1))] * 2, "who follows it sees each event once, whoever wrote it"


def test_two_processes_that_serve_many_conversations_keep_each_in_order(place: Path) -> None:
    names = [f"c{number}" for number in range(25)]
    with Peer("count", place) as one, Peer("count", place) as other:
        sending = [peer.begin("burst", name=name, messages=MESSAGES, conversations=names)
                   for peer, name in ((one, "a"), (other, "b"))]  # fmt: skip
        assert [one.wait(sending[0]), other.wait(sending[1])] == [{"served": MESSAGES}] * 2
    journals = [journal(place, "count", name) for name in names]
    assert all(in_order(said(entries)) for entries in journals)
    assert [count(entries) for entries in journals] == [2 * MESSAGES // 25] * 25


def test_a_flow_that_rejects_while_it_is_busy_does_so_in_both_processes(place: Path) -> None:
    with Peer("reject", place) as one, Peer("reject", place) as other:
        sending = [peer.begin("burst", name=name, messages=100, conversations=["main"])
                   for peer, name in ((one, "a"), (other, "b"))]  # fmt: skip
        done = [one.wait(sending[0]), other.wait(sending[1])]
    assert [one["served"] for one in done] == [100, 100]
    assert sum(one.get("busy", 0) for one in done) > 0
    entries = journal(place, "reject")
    assert (len(said(entries)), count(entries), in_order(said(entries))) == (200, 200, True)


# stopped in mid-turn -----------------------------------------------------------------------------


def stop_while_it_holds_no_lock(peer: Peer, file: Path) -> None:
    """A process that is stopped while it writes would hold up everybody; to a database it sends its transactions whole."""
    if file.with_suffix(".address").exists():
        peer.stop()
        return
    while True:
        peer.stop()
        db = sqlite3.connect(file, timeout=0, isolation_level=None)
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
            return
        except sqlite3.OperationalError:
            peer.go_on()
        finally:
            db.close()


def until(condition: Callable[[], bool]) -> None:
    """Look until something is so."""
    while not condition():
        Event().wait(0.002)


def claims(file: Path) -> int:
    named = file.with_suffix(".address")
    if named.exists():
        with psycopg.connect(named.read_text()) as opened:
            return opened.execute("SELECT count(*) FROM claim").fetchone()[0]  # type: ignore[index]
    db = sqlite3.connect(file)
    try:
        return db.execute("SELECT count(*) FROM claim").fetchone()[0]
    finally:
        db.close()


def test_processes_that_only_run_short_turns_see_each_other(file: Path) -> None:
    """Else one takes itself for alone: its streams lack turns of the other, and work is done twice (R1)."""
    with Peer("count", file) as one, Peer("count", file) as other:
        one.do("say", text="one", conversation="a")
        other.do("say", text="other", conversation="b")
        db = sqlite3.connect(file)
        assert db.execute("SELECT count(*) FROM process").fetchone() == (2,)
        db.close()
        one.do("wait", seconds=0.1)
        assert one.do("is_shared")
        assert other.do("is_shared")
        one.do("close")
        other.do("wait", seconds=0.1)
        assert not other.do("is_shared")


def test_a_process_that_was_killed_and_not_reaped_counts_as_ended(file: Path) -> None:
    """In a container whose first process reaps nothing, its turns would wait for the beat to expire (R3)."""
    with (
        Peer("talk", file, claim_timeout_s=90, is_open=False) as dying,
        Peer("talk", file, claim_timeout_s=90, words="Hello.") as other,
    ):
        dying.begin("say", text="first", key="k1")
        dying.wait("asked")
        until(lambda: claims(file) == 1)
        dying.kill(is_reaped=False)
        begun_s = time.monotonic()
        assert other.do("say", text="first", key="k1")["text"] == "Hello."
        assert time.monotonic() - begun_s < 60, "the beat expires after ninety seconds"


@pytest.mark.law("3.8")
def test_a_turn_that_was_taken_over_and_reported_is_not_reported_again(place: Path) -> None:
    """Its caller left before its process was stopped, and the process goes on after the report (R2)."""
    with (
        Peer("talk", place, claim_timeout_s=0.4, is_open=False, words="From the dead.") as sleeper,
        Peer("talk", place, claim_timeout_s=0.4, words="Hello.") as other,
    ):
        asked = sleeper.begin("say", text="first", key="k1", leaves_after_s=0.05)
        sleeper.wait("asked")
        assert sleeper.wait(asked) == "TimeoutError: "
        until(lambda: claims(place) == 1)
        stop_while_it_holds_no_lock(sleeper, place)
        assert other.do("say", text="first", key="k1")["again"]
        assert other.do("say", text="second")["recovered"] == [1]
        sleeper.go_on()
        sleeper.do("open_gate")
        sleeper.do("wait", seconds=0.3)
        assert other.do("say", text="third")["recovered"] == []
        assert sleeper.do("say", text="fourth")["recovered"] == []


@pytest.mark.parametrize("second", ["same", "other"])
def test_who_is_stopped_in_mid_turn_and_wakes_up_late_cannot_write(place: Path, second: str) -> None:
    with (
        Peer("talk", place, claim_timeout_s=0.4, is_open=False, words="From the dead.") as sleeper,
        Peer("talk", place, claim_timeout_s=0.4, words="Hello.") as other,
    ):
        asked = sleeper.begin("say", text="first", key="k1")
        sleeper.wait("asked")
        until(lambda: claims(place) == 1)
        stop_while_it_holds_no_lock(sleeper, place)
        taken = other.do("say", text="first" if second == "same" else "second", key="k1" if second == "same" else "k2")
        assert taken == {
            "turn": 1 if second == "same" else 2,
            "text": "Hello.",
            "refused": None,
            "again": second == "same",
            "recovered": [1] * (second == "other"),
        }
        sleeper.go_on()
        sleeper.do("open_gate")
        assert sleeper.wait(asked) == {"turn": 1, "text": "Hello.", "refused": None, "again": False, "recovered": []}
        assert sleeper.do("say", text="first", key="k1") == {
            "turn": 1,
            "text": "Hello.",
            "refused": None,
            "again": True,
            "recovered": [],
        }
        last = sleeper.do("say", text="third", key="k3")
        assert (last["turn"], last["text"]) == (taken["turn"] + 1, "From the dead.")
    entries = journal(place, "talk")
    assert [type(x.event).__name__ for x in entries].count("TurnRestarted") == 1
    assert said(entries) == (["first", "third"] if second == "same" else ["first", "second", "third"])
    replies = [entry.event.text for entry in entries if isinstance(entry.event, e.ModelReplied)]
    assert replies == ["Hello.", *["Hello."] * (second == "other"), "From the dead."]


def test_a_slow_turn_of_a_process_that_lives_is_not_taken_over(place: Path) -> None:
    with (
        Peer("talk", place, claim_timeout_s=2, is_open=False, words="One.") as slow,
        Peer("talk", place, claim_timeout_s=2, words="Two.") as other,
    ):
        asked = slow.begin("say", text="first")
        slow.wait("asked")
        until(lambda: claims(place) == 1)
        waiting = other.begin("say", text="second")
        assert other.do("wait", seconds=4) is None
        slow.do("open_gate")
        assert (slow.wait(asked)["text"], other.wait(waiting)["text"]) == ("One.", "Two.")
    assert [entry.turn for entry in journal(place, "talk") if isinstance(entry.event, e.TurnRestarted)] == []


def test_a_turn_whose_model_blocks_the_event_loop_is_not_taken_over(place: Path) -> None:
    """The heartbeats come from the thread that writes."""
    with (
        Peer("talk", place, claim_timeout_s=2, blocks_s=5, words="One.") as blocked,
        Peer("talk", place, claim_timeout_s=2, words="Two.") as other,
    ):
        asked = blocked.begin("say", text="first")
        blocked.wait("asked")
        assert claims(place) == 1
        assert other.do("say", text="second")["text"] == "Two."
        assert blocked.wait(asked)["text"] == "One."
    assert [entry.turn for entry in journal(place, "talk") if isinstance(entry.event, e.TurnRestarted)] == []


def test_a_turn_of_a_process_that_is_killed_goes_on_elsewhere_though_nobody_sends(place: Path) -> None:
    with (
        Peer("talk", place, claim_timeout_s=1, is_open=False) as dying,
        Peer("talk", place, claim_timeout_s=1, words="Hello.") as other,
    ):
        other.do("enter")
        dying.begin("say", text="first", key="k1")
        dying.wait("asked")
        until(lambda: claims(place) == 1)
        dying.kill()
        until(lambda: claims(place) == 0)
        assert other.do("say", text="first", key="k1") == {
            "turn": 1,
            "text": "Hello.",
            "refused": None,
            "again": True,
            "recovered": [],
        }
    assert [type(x.event).__name__ for x in journal(place, "talk")].count("TurnRestarted") == 1


def test_what_is_due_is_leased_by_one_process_until_it_ends(place: Path) -> None:
    names = {f"c{number}" for number in range(30)}
    with Peer("timer", place) as one, Peer("timer", place, claim_timeout_s=0.5) as other:
        for name in sorted(names):
            one.do("say", conversation=name)
        other.do("say", conversation="another")
        for peer in (one, other):
            peer.do("clock", moves_s=1)
        asked = [peer.begin("due", limit=20) for peer in (one, other)]
        first, second = set(one.wait(asked[0])), set(other.wait(asked[1]))
        assert first.isdisjoint(second)
        first |= set(one.do("due", limit=40))
        assert first.isdisjoint(second)
        assert first | second == {*names, "another"}
        other.kill()
        while set(one.do("due", limit=40)) != {*names, "another"}:
            time.sleep(0.05)
