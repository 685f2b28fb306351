"""A model reads questions of why in plain words: it chooses the subject and the turn, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from turnwise.errors import NoClearSubject
from turnwise.models import NamedModels
from turnwise.models.scripted import call
from turnwise.why import model_reader

FLOW: dict[str, Any] = {
    "flow": "table",
    "start": "ask",
    "records": {
        "guest": {
            "people": {"type": "integer", "min": 1, "max": 40, "about": "how many of you there are"},
            "day": {"type": "choice", "options": ["Friday", "Saturday"], "about": "the day"},
            "pin": {"type": "string", "secret": True, "about": "your pin"},
        }
    },
    "nodes": {
        "ask": {
            "form": {
                "fields": [
                    {"field": "guest.people", "ask": "For how many?"},
                    {"field": "guest.day", "ask": "Friday or Saturday?"},
                    {"field": "guest.pin", "ask": "Your pin?"},
                ],
                "confirm": {},
            },
            "transitions": [{"id": "booked", "at": "after", "when": "form.status == 'confirmed'", "to": "booked"}],
        },
        "booked": {"say": "See you!", "end": "booked"},
    },
}
UNCLEAR = "what on earth became of the folks who wanted to come along?"


def choice(subject: str, turn: int = 0) -> tw.ModelReply:
    """Return the call by which a model chooses a subject."""
    return call("subject", subject=subject, turn=turn)


@pytest.fixture(name="talk")
def _talk() -> Iterator[Any]:
    apps: list[tw.SyncApp] = []

    def talk(model: Any, *messages: str) -> tw.SyncChat:
        app = tw.open_sync(FLOW, clock=tw.ManualClock(), question_model=model)
        apps.append(app)
        chat = app.chat("1")
        chat.say("hello")
        for one in messages:
            chat.say(one)
        return chat

    yield talk
    for app in apps:
        app.close()


def test_the_model_chooses_the_subject_and_the_answer_is_that_of_its_name(talk: Any) -> None:
    chat = talk(tw.ScriptedModel([choice("field guest.people")]), "200")
    by_model, by_name = chat.why(UNCLEAR), chat.why("guest.people")
    assert by_model.subject == by_name.subject
    assert by_model.facts == by_name.facts
    assert by_model.read_as == "why field guest.people, at the end of turn 2 (as the model read it)"
    assert "as the model" not in by_name.read_as


def test_the_model_chooses_the_turn(talk: Any) -> None:
    chat = talk(tw.ScriptedModel([choice("field guest.people", 2)]), "200", "4")
    answer = chat.why(UNCLEAR)
    assert answer.turn == 2
    assert "200 was refused" in answer.line


@pytest.mark.parametrize("subject", ["turn 2", "message 2"])
def test_a_turn_is_chosen_by_its_number(talk: Any, subject: str) -> None:
    chat = talk(tw.ScriptedModel([choice(subject)]), "200", "4")
    answer = chat.why(UNCLEAR)
    assert (str(answer.subject), answer.turn) == (subject, 2)


def test_a_name_asks_no_model(talk: Any) -> None:
    model = tw.ScriptedModel()
    chat = talk(model, "4")
    for name in ("guest.people", "turn 2", "2", "end", "booked", ""):
        chat.why(name)
    assert model.calls == []


BAD: list[tuple[str, Any]] = [
    ("the script has no further reply", None),
    ("the network is down", tw.ProviderFailed("the network is down")),
    ("there is no such subject", choice("field guest.hat")),
    ("the model chose turn 9 of 2", choice("field guest.people", 9)),
    ("the model chose turn 'two' of 2", call("subject", subject="field guest.people", turn="two")),
    ("the model did not call subject", "It is about the guests."),
    ("the model did not call subject", call("other", subject="field guest.people")),
    ("boom", RuntimeError("boom")),
]


@pytest.mark.parametrize(("reason", "reply"), BAD)
def test_where_the_model_fails_the_question_is_refused_with_the_reason(talk: Any, reason: str, reply: Any) -> None:
    chat = talk(tw.ScriptedModel([] if reply is None else [reply]), "200")
    with pytest.raises(NoClearSubject) as refused:
        chat.why(UNCLEAR)
    assert "the model failed: " in refused.value.hint
    assert reason in refused.value.hint


def test_no_secret_reaches_the_model(talk: Any) -> None:
    model = tw.ScriptedModel([choice("field guest.pin")])
    chat = talk(model, "4", "Friday", "swordfish")
    chat.why("what on earth became of the swordfish and of those folks?")
    (request,) = model.calls
    assert "swordfish" not in str(request)


def test_the_model_is_shown_subjects_and_turns_and_must_choose(talk: Any) -> None:
    model = tw.ScriptedModel([choice("field guest.people")])
    chat = talk(model, "200")
    chat.why(UNCLEAR)
    (asked,) = model.calls
    shown = asked.instructions[1]
    assert "- field guest.people: how many of you there are" in shown
    assert "- field guest.day: the day (Friday, Saturday)" in shown
    assert "- node booked" in shown
    assert "turn 2: the user said “200”" in shown
    assert asked.must_call == "subject"
    assert asked.transcript[0].text == UNCLEAR


def test_a_model_that_does_not_answer_in_time_is_left(talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        async def reply(self, _request: Any) -> tw.ModelReply:
            await asyncio.Event().wait()
            raise AssertionError

    monkeypatch.setattr(model_reader, "MOST_SECONDS", 0.01)
    with pytest.raises(NoClearSubject) as refused:
        talk(Slow(), "200").why(UNCLEAR)
    assert "the model did not answer within 0.01 s" in refused.value.hint


def test_persons_can_be_chosen() -> None:
    model = tw.ScriptedModel([choice("person CRM")])
    with tw.open_sync(FLOW, clock=tw.ManualClock(), question_model=model) as app:
        chat = app.chat("1")
        chat.say("hello")
        chat.commands([tw.commands.Set(field="guest.people", value=6)], by="CRM")
        assert str(chat.why("who meddled?").subject) == "person CRM"


def test_an_archive_takes_a_model_too() -> None:
    store = tw.MemoryStore()
    with tw.open_sync(FLOW, store=store, clock=tw.ManualClock()) as app:
        app.chat("1").say("hello")

        async def ask() -> tw.Answer:
            model = tw.ScriptedModel([choice("node ask")])
            return await tw.open_archive(store, question_model=model).why("1", UNCLEAR)

        assert str(asyncio.run(ask()).subject) == "node ask"


def test_an_archive_closes_a_model_that_it_made_and_leaves_one_of_the_caller_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[object] = []

    class Own(tw.ScriptedModel):
        async def close(self) -> None:
            closed.append(self)

    async def use(model: object) -> None:
        archive = tw.open_archive(tw.MemoryStore(), question_model=model)  # type: ignore[arg-type]
        await archive.close()

    asyncio.run(use(Own([])))
    assert closed == []
    monkeypatch.setattr(NamedModels, "close", Own.close)
    (tmp_path / "script.yaml").write_text("[Hello.]")
    asyncio.run(use(f"scripted:{tmp_path / 'script.yaml'}"))
    assert len(closed) == 1


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(tw.WrongArgument, match="question_model"):
        tw.open_sync(FLOW, question_model=7)  # type: ignore[arg-type]
