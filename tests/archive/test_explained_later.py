"""A past turn tells what it told when it was taken: after a restart, without the flow's document, with code as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.json import encode

import turnwise as tw
from support.chats import NOON_MS, sets
from support.stored import INTAKE, asked, stored
from turnwise.archive import Archive
from turnwise.archive.archive import TURNS_SEARCHED_BACK
from turnwise.core.state.retention import Retention
from turnwise.core.trace import Decision
from turnwise.errors import FlowUnavailable, UnknownConversation, UnknownTurn
from turnwise.runner.clocks import ManualClock

LINES = ("hello", "Ada", "40", "Basic", "no, Plus", "yes")


def talked(path: Path, flow: Path) -> list[bytes]:
    """A conversation with the flow of a document, and its decisions as they were told live."""
    with stored(path, flow) as chat:
        return [encode(chat.say(line).decisions) for line in LINES]


@pytest.fixture
def document(tmp_path: Path) -> Path:
    flow = tmp_path / "intake.flow.yaml"
    flow.write_text(INTAKE, "utf-8")
    return flow


def all_turns(archive: Archive) -> object:
    async def told() -> list[bytes]:
        return [encode((await archive.turn("main", number)).decisions) for number in range(1, len(LINES) + 1)]

    return told()


def test_later_is_as_live(tmp_path: Path, document: Path) -> None:
    live = talked(tmp_path / "x.db", document)
    assert b"intake.flow.yaml:" in live[3], "the place in the document is told"
    with stored(tmp_path / "x.db", document) as chat:
        assert [encode(chat.explain(turn=number)) for number in range(1, len(LINES) + 1)] == live
    assert asked(tmp_path / "x.db", all_turns) == live


def test_a_past_turn_has_the_earlier_entries_that_it_refers_to_and_no_others(tmp_path: Path, document: Path) -> None:
    with stored(tmp_path / "x.db", document) as chat:
        live = [chat.say(line) for line in LINES]
    assert [len(turn.earlier_entries) for turn in live] == [0, 1, 2, 3, 4, 4]

    def of_archive(archive: Archive) -> object:
        async def told() -> tuple[object, ...]:
            alone = [await archive.turn("main", number) for number in range(1, len(LINES) + 1)]
            return alone, await archive.turns.stored_turns("main", 1, len(LINES))

        return told()

    alone, together = asked(tmp_path / "x.db", of_archive)
    for turns in (alone, together):
        assert [sorted(one.earlier_entries) for one in turns] == [sorted(one.earlier_entries) for one in live]


def test_later_is_as_live_when_the_document_has_changed_or_is_gone(tmp_path: Path, document: Path) -> None:
    live = talked(tmp_path / "x.db", document)
    document.write_text(INTAKE.replace("user.age < 18", "user.age < 21").replace("served", "ready"), "utf-8")
    with stored(tmp_path / "x.db", document) as chat:
        assert chat.machine.nodes["ready"]
        assert [encode(chat.explain(turn=number)) for number in range(1, len(LINES) + 1)] == live
    document.unlink()
    assert asked(tmp_path / "x.db", all_turns) == live


GUARDED = """
flow: guarded
start: a
records: {user: {age: {type: integer}}}
nodes:
  a: {say: Hi., transitions: [{id: go, at: before, guard: route}]}
  b: {say: There., end: there}
  c: {say: Elsewhere., end: elsewhere}
"""


@tw.guard(to=["b", "c"], name="route")
def older(user: tw.Field) -> str | None:
    # forty is enough
    return "b" if user.age is not None and user.age >= 40 else None  # type: ignore[attr-defined]


@tw.guard(to=["c"], name="route")
def newer(user: tw.Field) -> str | None:
    return "c"


def test_code_is_told_as_it_was(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db", GUARDED, older) as chat:
        live = encode(chat.commands(sets(user__age=35)).decisions)
        assert b"forty is enough" in live
    with stored(tmp_path / "x.db", GUARDED, newer) as chat:
        assert encode(chat.explain(turn=1)) == live

    async def told(archive: Archive) -> tuple[Decision, ...]:
        return await archive.explain("main", 1)

    assert encode(asked(tmp_path / "x.db", told)) == live, "nobody supplies the code"


def test_what_needs_the_code_to_run_says_that_it_is_missing(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db", GUARDED, older) as chat:
        chat.commands(sets(user__age=35))
        assert chat.rerun().agrees

    async def rerun(archive: Archive) -> bool:
        return (await archive.replay("main", runs=True)).agrees

    with pytest.raises(FlowUnavailable, match="route"):
        asked(tmp_path / "x.db", rerun)
    assert asked(tmp_path / "x.db", rerun, older)


def test_the_last_turn_that_decided_is_told_where_none_is_named(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        first = chat.say("hello")
        last = chat.say("Ada")
        assert chat.explain() == last.decisions
        undone = chat.undo()
        assert undone.about == "turn 3, an undo back to turn 1"
        assert chat.explain() == first.decisions, "after an undo nothing is told of the turn that was undone"
        assert chat.explain(transition="young") == first.decisions
        (found,) = chat.explain(transition="done")
        assert (found.hypothetical, found.taken, found.turn) == (True, "", first.number)
        for _ in range(TURNS_SEARCHED_BACK + 1):
            chat.choose("gone", position=1)
        assert chat.explain() == (), "the search has an end"


def test_turns_and_conversations_that_are_not_there(tmp_path: Path) -> None:
    with stored(tmp_path / "x.db") as chat:
        chat.start()
        for turn in (0, -1, 2):
            with pytest.raises(UnknownTurn, match=f"no turn {turn}; there are 1 to 1"):
                chat.explain(turn=turn)
        with pytest.raises(UnknownConversation):
            chat.app.chat("nobody").explain()


def test_of_a_decision_whose_readings_were_dropped_the_outcomes_are_told(tmp_path: Path) -> None:
    clock = ManualClock(NOON_MS)
    with stored(tmp_path / "x.db", clock=clock) as chat:
        for line in LINES[:3]:
            chat.say(line)
        told = chat.explain(turn=3)
        clock.move_s(3 * 86_400)
        chat.app.retain(Retention(decisions_days=1))
        (later,) = chat.explain(turn=3)
        assert chat.replay()
        assert chat.rerun().agrees
    (before,) = told
    assert before.candidates[0].verdict is not None
    assert [(c.id, c.outcome) for c in later.candidates] == [(c.id, c.outcome) for c in before.candidates]
    assert [(c.verdict, c.needs, c.missing, c.changed) for c in later.candidates] == [(None, (), (), ())]
    assert later.line == "stayed in ask: 1 candidate, which did not hold"


def test_turns_whose_words_were_erased_are_no_longer_told_and_the_rest_runs_again(tmp_path: Path) -> None:
    clock = ManualClock(NOON_MS)
    with stored(tmp_path / "x.db", clock=clock) as chat:
        for line in LINES[:3]:
            chat.say(line)
        clock.move_s(3 * 86_400)
        chat.say("Basic")
        chat.app.retain(Retention(events_days=1))
        with pytest.raises(UnknownTurn):
            chat.explain(turn=2)
        assert chat.explain(turn=4)
        assert chat.rerun().agrees
        assert chat.what_if().judged == len(chat.explain(turn=4))
