"""A user's question of why is answered once: after a kill, for a repeated key, and where two processes serve it."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import turnwise as tw
from support.durable.peer import FLOWS, Peer
from support.served import in_loop
from support.shell import environment
from turnwise.core.state.codec import encode_state

ONCE = dedent(FLOWS["once"])
GIVEN = ("hello", "70")
DISCOUNT = "The reason is: people over 60 get a discount."
FROM_WORDS = "You answered “70” for your age."
ASKED = [("why?", DISCOUNT), ("Why do you know my age?", FROM_WORDS)]
KILLED = """
    import asyncio, os, signal, sqlite3, sys
    import turnwise as tw

    def is_committed():
        db = sqlite3.connect(sys.argv[2].removeprefix("sqlite:///"))
        try:
            return db.execute("SELECT count(*) FROM claim").fetchone()[0] == 1
        finally:
            db.close()

    with tw.open_sync(tw.loads(open(sys.argv[1]).read()), store=sys.argv[2]) as app:
        performer = app.app.runtime.performer
        answer = performer.answer_why

        async def die(conversation, question, turn):
            if sys.argv[3] == "answered":
                await answer(conversation, question, turn)
            while not is_committed():  # the first commit of the turn is written meanwhile
                await asyncio.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)

        performer.answer_why = die
        chat = app.chat("ada")
        for text in ("hello", "70", "Why do you know my age?"):
            chat.say(text, key=text)
"""


def store_of(folder: Path) -> str:
    return f"sqlite:///{folder / 'talks.db'}"


@pytest.mark.law("3.8")
@pytest.mark.parametrize("place", ["asked", "answered"])
def test_a_process_that_is_killed_before_it_answers_owes_the_same_answer(tmp_path: Path, place: str) -> None:
    flow, life = tmp_path / "once.flow.yaml", tmp_path / "life.py"
    flow.write_text(ONCE, "utf-8")
    life.write_text(dedent(KILLED), "utf-8")
    ran = subprocess.run(
        [sys.executable, life, flow, store_of(tmp_path), place], env=environment(), timeout=60, check=False
    )
    assert ran.returncode == -signal.SIGKILL
    with tw.open_sync(tw.load(flow), store=store_of(tmp_path)) as app:
        chat = app.chat("ada")
        turn = chat.say("Why do you know my age?", key="Why do you know my age?")
        assert (turn.number, turn.text, turn.is_duplicate) == (3, FROM_WORDS, True)
        assert [type(one) for one in turn.events].count(tw.events.Understood) == 1
        assert chat.state().pending is not None
        assert chat.rerun().agrees
        last = chat.say("no", key="no")
        assert (last.number, last.text) == (4, "Take care.")


@in_loop
async def _a_caller_leaves(path: Path) -> None:
    async with tw.open(tw.loads(ONCE), store=store_of(path)) as app:
        chat, performer = app.chat("ada"), app.runtime.performer
        for text in GIVEN:
            await chat.say(text)
        answer, is_asked, may_answer = performer.answer_why, asyncio.Event(), asyncio.Event()
        assert answer is not None

        async def answer_late(conversation: str, question: str, turn: int) -> str:
            is_asked.set()
            await may_answer.wait()
            return await answer(conversation, question, turn)

        performer.answer_why = answer_late
        for question, following, recovered in (
            ("Why do you know my age?", "no", [(3, FROM_WORDS)]),
            ("why?", "hello?", list[tuple[int, str]]()),  # after the end it begins no turn
        ):
            is_asked.clear()
            may_answer.clear()
            caller = asyncio.create_task(chat.say(question))
            await is_asked.wait()
            caller.cancel()
            may_answer.set()
            turn = await chat.say(following)
            assert [(one.number, one.text) for one in turn.recovered] == recovered
        assert turn.refused == "conversation_ended"
        assert (await chat.rerun()).agrees


@pytest.mark.law("3.8")
def test_an_answer_whose_caller_left_is_reported_with_the_next_turn(tmp_path: Path) -> None:
    _a_caller_leaves(tmp_path)


@pytest.mark.law("3.1")
@pytest.mark.parametrize(("question", "answer"), ASKED)
def test_a_repeated_key_gives_the_recorded_answer_although_it_would_be_another_one_now(
    tmp_path: Path, question: str, answer: str
) -> None:
    with tw.open_sync(tw.loads(ONCE), store=store_of(tmp_path)) as app:
        chat = app.chat("ada")
        for text in GIVEN:
            chat.say(text)
        assert chat.say(question, key="why").text == answer
        chat.say("no")
        journal = len(chat.journal())
    with tw.open_sync(tw.loads(ONCE), store=store_of(tmp_path)) as app:
        chat = app.chat("ada")
        again = chat.say(question, key="why")
        assert (again.number, again.text, again.is_duplicate, again.refused) == (3, answer, True, None)
        assert len(chat.journal()) == journal
        assert chat.say("why did it end?", key="why").refused == "key_reused"


@pytest.mark.law("3.1")
def test_a_why_after_the_end_may_be_repeated_with_its_key(tmp_path: Path) -> None:
    with tw.open_sync(tw.loads(ONCE), store=store_of(tmp_path)) as app:
        chat = app.chat("ada")
        for text in (*GIVEN, "no"):
            chat.say(text)
        turns = [chat.say("why?", key="why") for _ in range(3)]
        assert {turn.text for turn in turns} == {f"{DISCOUNT} This conversation has ended."}
        assert {turn.refused for turn in turns} == {"conversation_ended"}
        assert [type(one.event) for one in chat.journal()].count(tw.events.EventRefused) == 1


@pytest.mark.parametrize(("question", "answer"), ASKED)
def test_two_processes_answer_whys_at_once_in_order(tmp_path: Path, question: str, answer: str) -> None:
    path, count = tmp_path / "talks.db", 20
    with Peer("once", path, has_model=False) as one, Peer("once", path, has_model=False) as other:
        for text in GIVEN:
            one.do("say", text=text)
        asked = [
            (peer, [peer.begin("say", text=question, key=f"{name}{number}") for number in range(count)])
            for name, peer in (("a", one), ("b", other))
        ]
        turns = [peer.wait(number) for peer, numbers in asked for number in numbers]
        assert sorted(turn["turn"] for turn in turns) == list(range(3, 3 + 2 * count))
        assert {turn["text"] for turn in turns} == {answer}
        assert one.do("say", text="no")["text"] == "Take care."
        late = [peer.begin("say", text=question) for peer in (one, other) for _ in range(count)]
        ends = [peer.wait(number) for peer, number in zip([one] * count + [other] * count, late, strict=True)]
    assert {(turn["refused"], turn["text"]) for turn in ends} == {
        ("conversation_ended", f"{answer} This conversation has ended.")
    }
    with tw.open_sync(tw.loads(ONCE), store=f"sqlite:///{path}") as app:
        chat = app.chat("main")
        assert chat.rerun().agrees
        assert [type(one.event) for one in chat.journal()].count(tw.events.EventRefused) == 1


@pytest.mark.law("1.1")
def test_whys_while_a_decided_move_waits_grow_the_journal_as_any_message_does_and_not_the_state() -> None:
    chat = tw.open_sync(tw.loads(ONCE), clock=tw.ManualClock(1_767_225_600_000)).chat("ada")
    for text in GIVEN:
        chat.say(text)
    sizes, added = list[int](), set[int]()
    for _ in range(100):
        turn = chat.say("Why do you know my age?")
        sizes.append(len(encode_state(chat.state())))
        added.add(sum(not isinstance(event, tw.events.Snapshot) for event in turn.events))
    assert max(sizes) - min(sizes) < 50  # positions and turn numbers get more digits
    assert len(added) == 1
    assert chat.say("no").text == "Take care."
