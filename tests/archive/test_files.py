"""Conversations as files: whole and under any name, or refused in one line and nothing written."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode
from msgspec.structs import replace

from support.chats import NOON_MS
from support.stored import asked, stored
from support.tools import FakeTool, Stage
from turnwise.archive import Archive
from turnwise.archive.transfer import FORMAT
from turnwise.core.state.events import Forked
from turnwise.core.state.retention import Retention
from turnwise.errors import ConversationExists, ImportRefused, TurnwiseError, UnknownConversation, UnknownFormat
from turnwise.runner.clocks import ManualClock


@pytest.fixture
def data(tmp_path: Path) -> bytes:
    with stored(tmp_path / "x.db") as chat:
        for line in ("hello", "Ada", "40"):
            chat.app.chat("42").say(line)
        return chat.app.chat("42").export()


def signed(lines: list[Any]) -> bytes:
    """Lines with a last one that fits them."""
    body = b"".join(encode(line) + b"\n" for line in lines)
    return body + encode({"entries": len(lines) - 1, "sha256": sha256(body).hexdigest()}) + b"\n"


def lines_of(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()][:-1]


def test_a_file_goes_into_another_store_and_the_conversation_goes_on_there(tmp_path: Path, data: bytes) -> None:
    with stored(tmp_path / "x.db") as chat:
        state, told = chat.app.chat("42").state(), encode(chat.app.chat("42").explain(turn=2))

    async def import_it(archive: Archive) -> None:
        assert await archive.import_conversation(data) == "42"
        assert await archive.import_conversation(data, "43") == "43"
        for name in ("42", "43"):
            assert (await archive.replay(name, runs=True)).agrees
        assert await archive.state("42") == state
        copy = replace(state, seq=state.seq + 1, is_bound=True, forked=state.seq + 1)
        assert await archive.state("43") == replace(copy, at_ms=(await archive.state("43")).at_ms)
        assert encode(await archive.explain("42", 2)) == told
        assert await archive.export("42") == data

    asked(tmp_path / "y.db", import_it)
    with stored(tmp_path / "y.db") as chat:
        assert chat.app.chat("43").say("Plus").text.endswith("Is this correct?")
        assert chat.app.chat("42").state().seq == state.seq


HELD = """
flow: f
start: a
tools: {book: {about: book, kind: effect, confirm: true}}
nodes:
  a: {tool: book, transitions: [{to: b}, {at: error, to: c}]}
  b: {say: Booked., end: booked}
  c: {say: "Not booked.", end: refused}
"""


@pytest.mark.law("6.9", "4.5")
@pytest.mark.parametrize(
    ("name", "effects", "keys"),
    [
        (None, None, ["42/1.1", "42/1.1"]),
        (None, False, ["42/1.1"]),
        ("43", None, ["42/1.1"]),
        ("43", False, ["42/1.1"]),
        ("43", True, ["42/1.1", "43/1.1"]),
    ],
)
def test_a_held_call_is_made_by_no_copy_and_by_a_moved_conversation_under_its_key(
    name: str | None, effects: bool | None, keys: list[str]
) -> None:
    book = FakeTool("booked")
    here, there = Stage(HELD, tools={"book": book}), Stage(HELD, tools={"book": book})
    here.on("42").start()
    taken = there.import_(here.on("42").export(), name, effects=effects).name
    assert here.on("42").say("yes").outcome == "booked"
    turn = there.on(taken).say("yes")
    assert turn.outcome == ("booked" if len(keys) == 2 else "refused")
    assert book.keys == keys
    forks = [entry.event for entry in there.on(taken).journal() if isinstance(entry.event, Forked)]
    assert forks == ([] if (name, effects) == (None, None) else [Forked("42", 1, bool(effects))])
    assert there.on(taken).rerun().agrees


def test_a_name_that_is_taken_is_refused(tmp_path: Path, data: bytes) -> None:
    with stored(tmp_path / "x.db") as chat:
        with pytest.raises(ConversationExists, match="'42' already; choose another name"):
            chat.app.import_(data)
        assert chat.app.import_(data, "43").name == "43"
        with pytest.raises(ConversationExists):
            chat.app.import_(data, "43")


def test_every_file_that_is_cut_is_refused(tmp_path: Path, data: bytes) -> None:
    with stored(tmp_path / "y.db") as chat:
        for length in [*range(200), *range(200, len(data), 97), len(data) - 1]:
            with pytest.raises(ImportRefused):
                chat.app.import_(data[:length])
        assert chat.app.conversations() == ()


def test_every_file_in_which_a_byte_is_another_is_refused(tmp_path: Path, data: bytes) -> None:
    with stored(tmp_path / "y.db") as chat:
        for place in range(0, len(data), 41):
            changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
            with pytest.raises((ImportRefused, UnknownFormat)):
                chat.app.import_(changed)
        assert chat.app.conversations() == ()


def _without(data: bytes, place: int) -> bytes:
    lines = lines_of(data)
    return signed(lines[:place] + lines[place + 1 :])


def _head(data: bytes, **parts: Any) -> bytes:
    head, *rest = lines_of(data)
    return signed([{**head, **parts}, *rest])


BAD = {
    "empty": (lambda _: b"", "no conversation that turnwise exported"),
    "a picture": (lambda _: b"\x89PNG\r\n\x1a\n" * 20, "no conversation that turnwise exported"),
    "other JSON": (lambda _: b'{"messages": []}\n', "no conversation that turnwise exported"),
    "a list": (lambda _: b"[1, 2]\n", "no conversation that turnwise exported"),
    "half": (lambda data: data[: len(data) // 2], "it is cut"),
    "without the last line": (lambda data: data[: data.rindex(b"\n", 0, -1) + 1], "it is cut"),
    "edited": (lambda data: data.replace(b"Ada", b"Eve"), "it was changed since it was written"),
    "other line ends": (lambda data: data.replace(b"\n", b"\r\n"), "it was changed since it was written"),
    "two in one": (lambda data: data + data, "it was changed since it was written"),
    "newer": (lambda data: _head(data, format=FORMAT + 1), f"has format {FORMAT + 1}; this version of turnwise reads"),
    "of another flow": (lambda data: _head(data, flow="other"), "names another flow"),
    "without its flow": (lambda data: _head(data, flows={}), "the flow with fingerprint"),
    "with a flow that is none": (
        lambda data: _head(data, flows=dict.fromkeys(lines_of(data)[0]["flows"], "{}")),
        "damaged",
    ),
    "with a gap": (lambda data: _without(data, 4), "its entries have gaps"),
    "without its beginning": (lambda data: _without(data, 1), "its entries have gaps"),
    "without its end": (lambda data: signed(lines_of(data)[:-1]), "does not end with a whole turn"),
    "with an event of tomorrow": (
        lambda data: signed([*lines_of(data)[:-1], {"seq": 1, "turn": 1, "at_ms": 0, "event": {"type": "flown"}}]),
        "is no entry of a journal",
    ),
    "without entries": (lambda data: signed(lines_of(data)[:1]), "does not end with a whole turn"),
    "with what does not follow": (
        lambda data: signed(
            [
                *lines_of(data)[:2],
                {"seq": 2, "turn": 1, "at_ms": 0, "event": {"type": "form_closed", "node": "a", "status": "confirmed"}},
                {"seq": 3, "turn": 1, "at_ms": 0, "event": {"type": "field_shelved", "field": "a.b"}},
            ]
        ),
        "do not follow from one another",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_whole_conversation_is_refused_in_one_line(tmp_path: Path, data: bytes, case: str) -> None:
    make, reason = BAD[case]
    with stored(tmp_path / "y.db") as chat:
        with pytest.raises(TurnwiseError) as refused:
            chat.app.import_(make(data))
        assert reason in str(refused.value)
        assert "\n" not in str(refused.value)
        assert chat.app.conversations() == ()


def test_a_conversation_in_the_middle_of_a_turn_is_exported_up_to_the_turn_before(tmp_path: Path, data: bytes) -> None:
    from turnwise.core.state.events import UserSaid
    from turnwise.core.step import step
    from turnwise.runner.ports import Commit

    with stored(tmp_path / "x.db") as chat:
        begun = step(chat.machine, chat.app.chat("42").state(), UserSaid("the plan that my friend has"), 0)
        chat.app.loop.wait(_commit(chat.runtime.store, Commit(begun.entries)))
        assert chat.app.chat("42").state().doing is not None
        assert chat.app.chat("42").export() == data


async def _commit(store: Any, commit: Any) -> None:
    await store.commit("42", commit)


def test_what_was_erased_stays_erased(tmp_path: Path, data: bytes) -> None:
    clock = ManualClock(NOON_MS)
    with stored(tmp_path / "x.db", clock=clock) as chat:
        clock.move_s(3 * 86_400)
        chat.app.chat("42").say("Basic")
        chat.app.retain(Retention(events_days=1))
        later = chat.app.chat("42").export()
        state = chat.app.chat("42").state()
        assert chat.app.import_(later, "43").name == "43"
        assert chat.app.chat("43").state().values == state.values
        assert chat.app.chat("43").journal()[:-1] == chat.app.chat("42").journal()
        assert chat.app.chat("43").rerun().agrees
        assert chat.app.chat("43").say("yes").state.node == "served"
    assert later.count(b'"type":"erased"') > 10
    assert b'"text":"Ada"' in data
    assert b'"text":"Ada"' not in later


def test_who_is_not_there_cannot_be_exported(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat, pytest.raises(UnknownConversation):
        chat.app.chat("nobody").export()
