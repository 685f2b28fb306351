"""Each event of a journal names what it is about, and the question of why about that is answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from support.serving import Served
from turnwise.core.state import events as e
from turnwise.server.views.event_subjects import SUBJECTS

DEMO = ("maria", "case-1042", "greta", "romy", "lea", "job", "holiday", "run-1", "nora")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    store = f"sqlite:///{tmp_path_factory.mktemp('events')}/demo.db"
    with Served("demo", "--no-browser", "--port", "0", "--store", store) as served:
        yield served


@pytest.mark.parametrize("name", DEMO)
def test_every_event_of_the_demo_can_be_asked_about(demo: Served, name: str) -> None:
    events = demo.get(f"/api/conversations/{name}/events?limit=1000")["events"]
    asked = {(one["subject"], one["turn"]) for one in events}
    assert len(asked) > len({turn for _, turn in asked}), "they are only about their turns"
    for subject, turn in asked:
        question = subject.replace(" ", "+").replace("#", "%23")
        status, _, body = demo.fetch(f"/api/conversations/{name}/why?subject={question}&turn={turn}")
        assert status == 200, (subject, turn, body)


def test_events_are_about_what_they_changed(demo: Served) -> None:
    events = demo.get("/api/conversations/maria/events?limit=1000")["events"]
    found = {(one["kind"], one["subject"]) for one in events}
    assert found >= {
        ("user_said", "message 2"),
        ("field_set", "field user.age"),
        ("decided", "transition too_young"),
        ("decided", "node introduction"),
        ("moved", "transition complete"),
        ("model_replied", "the model"),
        ("ended", "the end"),
        ("turn_ended", "the conversation"),
    }


def test_only_events_without_a_subject_of_their_own_are_about_their_turn() -> None:
    others = {kind for kind in get_args(e.AnyEvent) if kind not in SUBJECTS}
    assert {kind.__name__ for kind in others} == {
        *("ArtefactMade", "CallerLeft", "CallsDecided", "Commands", "Continued", "Erased", "Faulted", "Forked"),
        *("LanguageChanged", "TimeZoneChanged"),  # what they read is reached by that of their turn
        *(
            "Migrated",
            "JudgingPlanned",
            "MovePutOff",
            "SequenceAdvanced",
            "Snapshot",
            "StateRecalled",
            "TurnRestarted",
            "UndoAsked",
            "Undone",
        ),
        *("Warned", "WordsHidden", "WordsRecalled"),
    }
