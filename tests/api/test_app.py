"""The public API: an app of many conversations, its chats, and the same without a loop."""

from __future__ import annotations

import gc
import inspect
import threading
import time
from operator import gt
from pathlib import Path

import pytest

import turnwise as tw


class U(tw.Record):
    name: str | None = None
    age: int | None = tw.field(default=3)


def flow() -> tw.Flow:
    form = tw.Form(fields=(tw.FormField("u.name", ask="Your name?"),))
    return tw.Flow("f", start="a", records=[U], nodes=(tw.Node("a", form=form),))


def methods(of: type) -> dict[str, inspect.Signature]:
    """The public methods of a class, without what a loop needs."""
    found = inspect.getmembers(of, inspect.isfunction)
    return {name: inspect.signature(method) for name, method in found if not name.startswith("_")}


def spelled(signature: inspect.Signature) -> list[str]:
    return [str(one).replace("e.Button", "Button") for one in signature.parameters.values()]


@pytest.mark.parametrize(("of", "sync"), [(tw.App, tw.SyncApp), (tw.Chat, tw.SyncChat)])
def test_every_method_has_its_sync_form_with_the_same_parameters(of: type, sync: type) -> None:
    here, there = methods(of), methods(sync)
    endless = {"events"} if of is tw.Chat else set[str]()
    assert set(here) - set(there) == endless, "only what never ends has no sync form"
    for name, signature in there.items():
        if name in here:
            assert spelled(signature) == spelled(here[name]), name
    assert inspect.signature(tw.open_sync).parameters == inspect.signature(tw.open).parameters


def test_conversations_of_an_app_are_told_apart_by_their_names() -> None:
    with tw.open_sync(flow()) as app:
        app.chat("one").start()
        app.chat("two").start()
        turn = app.chat("two").say("Ada")
        assert app.conversations() == ("one", "two")
        assert (turn.node, turn.status, turn.outcome) == ("a", "ended", "confirmed")
        assert (turn.value("u.name"), turn.value("u.age")) == ("Ada", 3)
        waiting = app.chat("one").turn()
        assert (waiting.status, waiting.value("u.name"), waiting.outcome, waiting.refused) == (
            "waiting",
            None,
            None,
            None,
        )
        with pytest.raises(tw.UnknownField, match=r"no field is called 'u.nme'; did you mean 'u.name'"):
            turn.value("u.nme")


def open_threads_and_files() -> tuple[int, int]:
    return threading.active_count(), len([*Path("/proc/self/fd").iterdir()])


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts the open files of Linux")
@pytest.mark.parametrize("store", ["memory", "sqlite:///{folder}/own.db"])
@pytest.mark.parametrize("is_used", [True, False])
def test_an_app_that_nothing_refers_to_is_closed_in_the_background(store: str, is_used: bool, tmp_path: Path) -> None:
    gc.collect()
    before, address = open_threads_and_files(), store.format(folder=tmp_path)
    chats = [tw.open_sync(flow(), store=address).chat(f"c{number}") for number in range(5)]
    while chats:
        chat = chats.pop(0)  # it refers to its app
        if is_used:
            chat.start()
        del chat
    deadline = time.monotonic() + 30
    while any(map(gt, open_threads_and_files(), before)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(gt, open_threads_and_files(), before))
    if is_used and store != "memory":
        with tw.open_sync(flow(), store=address) as app:
            assert app.conversations() == tuple([f"c{number}" for number in range(5)])


def test_a_first_event_that_is_refused_has_no_state() -> None:
    with tw.open_sync(flow()) as app:
        turn = app.chat("one").start(time_zone="Mars/X")
        assert (turn.refused, turn.node, turn.status, turn.after) == ("unknown_time_zone", None, None, None)
        with pytest.raises(tw.UnknownConversation, match="its first event was refused: unknown_time_zone"):
            _ = turn.state


@pytest.mark.parametrize("name", ["say", "choose", "start", "state", "explain", "forget", "fork"])
def test_a_call_of_a_conversation_is_not_one_of_the_app(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"app\.chat\(…\)\.{name}\(…\)"):
        getattr(tw.open(flow()), name)


def test_the_old_way_without_a_loop_names_the_new_one() -> None:
    with pytest.raises(AttributeError, match=r"tw\.open_sync"):
        _ = tw.open(flow()).blocking


def test_a_stream_without_a_loop_gives_the_pieces_and_the_turn() -> None:
    node = tw.Node("talk", prompt="Talk.")
    model = tw.ScriptedModel(["Hello there."])
    with tw.open_sync(tw.Flow("f", start="talk", nodes=(node,)), model=model) as app:
        *pieces, turn = app.chat("one").stream("hi")
        assert isinstance(turn, tw.Turn)
        assert "".join(piece.text for piece in pieces) == turn.text == "Hello there."
