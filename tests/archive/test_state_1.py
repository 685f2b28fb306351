"""States of format 1, which kept what belongs to a frame beside the frames, are read and go on.

Version 0.1 and its successors up to format 2 wrote them: a form that asks, one that confirms, a move that waits for the next
message, a call that waits for approval, a person who is awaited and one in charge, an undo, a snapshot.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from turnwise.core.state.events import Snapshot
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.clocks import ManualClock

OLD = Path(__file__).parent / "state_1"
WRITTEN_MS = 1_795_386_556_733
NAMES = ("approval", "confirming", "form", "person", "planned", "taken", "undone")
"""The conversations that were exported as well."""


class Desk:
    """The tool of the flow, and what was ordered."""

    def __init__(self) -> None:
        self.ordered: list[str] = []

    def order(self, colour: str) -> dict[str, bool]:
        self.ordered.append(colour)
        return {"ok": True}


def opened(desk: Desk, **more: Any) -> Any:
    clock = ManualClock(WRITTEN_MS)
    return tw.open_sync(OLD / "desk.flow.yaml", model=ScriptedModel([]), clock=clock, tools=[desk.order], **more)


@pytest.fixture(params=["database", "exports"])
def desk_and_app(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    desk = Desk()
    if request.param == "database":
        file = tmp_path / "store.db"
        file.write_bytes(gzip.decompress((OLD / "store.db.gz").read_bytes()))
        with opened(desk, store=f"sqlite:///{file}") as app:
            yield desk, app
        return
    with opened(desk) as app:
        for name in NAMES:
            app.import_((OLD / f"{name}.turnwise").read_bytes())
        yield desk, app


def test_every_journal_is_read_and_replays(desk_and_app: Any) -> None:
    _, app = desk_and_app
    assert set(NAMES) <= set(app.conversations())
    for name in app.conversations():
        chat = app.chat(name)
        assert chat.replay(), name
        assert chat.rerun().difference is None, name
        last = chat.state().turn
        assert [chat.turn(number).number for number in range(1, last + 1)] == list(range(1, last + 1)), name


def test_a_form_goes_on_with_its_question_and_timer(desk_and_app: Any) -> None:
    _, app = desk_and_app
    form = app.chat("form")
    state = form.state()
    assert (state.question.field, state.last_field, state.visits) == ("c.colour", "c.colour", {"ask": 1})
    assert form.why("question").facts
    assert form.say("red").text.startswith("## Summary")
    confirming = app.chat("confirming")
    assert [timer.transition for timer in confirming.state().timers] == ["late"]
    assert confirming.say("yes").node == "thanks"
    late = app.chat("planned").fire("late")
    assert (late.node, late.text) == ("done", "You took long.\n\nBye Bo.")


def test_a_planned_move_is_taken_with_the_next_message(desk_and_app: Any) -> None:
    _, app = desk_and_app
    planned = app.chat("planned")
    assert planned.state().closed_forms == {"ask": "confirmed"}
    assert planned.say("go on").text == "A nurse, an order, or nothing?"


def test_a_held_call_is_made_once_when_it_is_approved(desk_and_app: Any) -> None:
    desk, app = desk_and_app
    approval = app.chat("approval")
    assert approval.state().awaiting_approval.tool == "order"
    assert approval.say("yes").node == "done"
    assert desk.ordered == ["red"]
    assert approval.replay()


def test_persons_stay_awaited_and_in_charge(desk_and_app: Any) -> None:
    _, app = desk_and_app
    person = app.chat("person")
    assert person.state().person.queue == "nurses"
    person.take_over("Mia")
    assert person.give_back("helped").node == "done"
    taken = app.chat("taken")
    assert taken.state().person.operator == "Lena"
    assert taken.give_back("").text == "Red or blue?"


def test_an_undo_stays_undone_and_goes_further_back(desk_and_app: Any) -> None:
    _, app = desk_and_app
    undone = app.chat("undone")
    assert undone.state().question.kind == "confirmation"
    undone.undo()
    assert undone.state().question.field == "c.colour"
    assert undone.replay()


def test_a_snapshot_of_format_1_begins_the_folding(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    file.write_bytes(gzip.decompress((OLD / "store.db.gz").read_bytes()))
    with opened(Desk(), store=f"sqlite:///{file}") as app:
        long = app.chat("long")
        assert any(isinstance(entry.event, Snapshot) for entry in long.journal())
        assert long.turn(60).node == "ask"
        assert long.say("7").text == "Red or blue?"


def test_lists_find_conversations_of_format_1_by_node_and_person(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    file.write_bytes(gzip.decompress((OLD / "store.db.gz").read_bytes()))
    with opened(Desk(), store=f"sqlite:///{file}") as app:
        assert {one.conversation for one in app.queue()} == {"person", "taken"}
