"""Why an overlay is active or not: by its dates, or forced by whom; what it changed in a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.api.sync import SyncApp, SyncChat

FLOW = """
flow: tutor
start: chat
time_zone: Europe/Berlin
persona: You are Maya.
overlays:
  viking_weekend: {from: 2026-11-20, to: 2026-11-22, name: Ragnar, persona: You are Ragnar.}
  holiday: {addendum: The school is closed.}
nodes:
  chat:
    prompt: Teach German.
    transitions: [{at: before, when: 'overlay.active("viking_weekend") && message.text == "go"', end: gone}]
"""


class Asked:
    """A conversation at the times of the weekend, and what it answers."""

    def __init__(self) -> None:
        self.clock = tw.ManualClock(0)
        self.app: SyncApp = tw.open_sync(flow_of(FLOW), model=tw.ScriptedModel(["…"] * 9), clock=self.clock)
        self.chat: SyncChat = self.app.chat("a")

    def say(self, at: str, text: str = "hello") -> None:
        self.clock.set_ms(round(datetime.fromisoformat(f"{at}+01:00").timestamp() * 1000))
        self.chat.say(text)

    def why(self, question: str, turn: int | None = None) -> list[str]:
        return [fact.text for fact in self.chat.why(question, turn=turn).facts]


@pytest.fixture
def asked() -> Iterator[Asked]:
    found = Asked()
    yield found
    found.app.close()


@pytest.mark.law("6.6")
def test_before_during_and_after(asked: Asked) -> None:
    asked.say("2026-11-19T12:00")
    asked.say("2026-11-21T12:00")
    asked.say("2026-11-21T13:00")
    asked.say("2026-11-24T12:00")
    begins = "viking_weekend is not active, because it begins at 2026-11-20 00:00:00 CET"
    assert asked.why("overlay.viking_weekend", 1)[0] == begins
    dates = "because its dates are from 2026-11-20 00:00:00 CET until 2026-11-23 00:00:00 CET"
    for turn in (2, 3):
        assert asked.why("viking_weekend", turn)[0] == f"viking_weekend is active since turn 2, {dates}"
    ended = "viking_weekend is not active, because it ended at 2026-11-23 00:00:00 CET"
    assert asked.why("overlay viking_weekend")[0] == ended
    assert asked.why("holiday")[0] == "holiday is not active, because it has no dates, and was not forced on"
    kinds = {fact.kind for turn in (2, 4) for fact in asked.chat.why(f"turn {turn}").facts}
    assert {"overlay_began", "overlay_ended"} <= kinds
    first = asked.chat.why("viking_weekend", turn=2).facts[0]
    assert (first.kind, first.source) == ("overlay_is_active", "flow.yaml:7")
    (cause,) = first.causes
    assert (cause.kind, cause.values["persona"]) == ("overlay_began", "Ragnar")
    assert asked.chat.why("viking_weekend").facts[0].kind == "overlay_not_active"


def test_the_user_gets_a_sentence_without_names(asked: Asked) -> None:
    asked.say("2026-11-19T12:00")
    assert asked.chat.why("viking_weekend").plain == "I speak as usual at the moment."
    asked.say("2026-11-21T12:00")
    assert asked.chat.why("viking_weekend").plain == "For a limited time I speak differently than usual."


@pytest.mark.law("6.6")
def test_who_forced_it(asked: Asked) -> None:
    asked.say("2026-11-19T12:00")
    asked.chat.force_overlay("viking_weekend", True, by="Lena")
    first = asked.chat.why("viking_weekend").facts[0]
    assert first.text == (
        "viking_weekend is not active, because it begins at 2026-11-20 00:00:00 CET; in the next turn it is active,"
        " because it was forced on by Lena at 2026-11-19 12:00:00 CET"
    )
    assert [cause.kind for cause in first.causes] == ["overlay_forced"]
    asked.say("2026-11-19T13:00")
    because = "because it was forced on by Lena at 2026-11-19 12:00:00 CET"
    assert asked.why("viking_weekend")[0] == f"viking_weekend is active since turn 2, {because}"
    asked.app.force_overlay("holiday", True, by="Max")
    asked.chat.force_overlay("viking_weekend", None)
    asked.say("2026-11-19T14:00")
    assert asked.why("holiday")[0] == (
        "holiday is active since turn 3, because it was forced on by Max for all conversations at 2026-11-19 13:00:00 CET"
    )
    forced = "the overlay viking_weekend goes by its dates again at 2026-11-19 13:00:00 CET"
    assert forced in [fact.text for fact in asked.chat.why("viking_weekend").facts[0].walk()] + asked.why(
        "viking_weekend"
    )


@pytest.mark.law("6.6")
def test_a_reply_names_the_overlays_of_its_prompt(asked: Asked) -> None:
    asked.say("2026-11-21T12:00")
    asked.chat.force_overlay("holiday", True)
    asked.say("2026-11-21T13:00")
    found = [fact for fact in asked.chat.why("the model").facts if fact.kind == "overlay_in_prompt"]
    assert [fact.text for fact in found] == [
        "the overlay viking_weekend was in the instructions for the model: its persona, its name",
        "the overlay holiday was in the instructions for the model: what it adds",
    ]
    shown = next(fact for fact in asked.chat.why("the model").facts if fact.kind == "prompt_shown")
    assert shown.values["is_proved"]
    assert [part["part"] for part in shown.values["parts"]][:3] == ["persona", "overlay", "prompt"]
    assert "overlay_in_prompt" not in {fact.kind for fact in asked.chat.why("the model", turn=1).facts} - {
        fact.kind for fact in found
    }


@pytest.mark.law("6.6")
def test_a_decision_names_the_active_overlays(asked: Asked) -> None:
    asked.say("2026-11-19T12:00")
    asked.say("2026-11-21T12:00")
    assert {one.overlays for one in asked.chat.explain(turn=1)} == {()}
    assert {one.overlays for one in asked.chat.explain(turn=2)} == {("viking_weekend",)}
    asked.say("2026-11-21T12:01", "go")
    assert asked.why("end")[0].startswith("the conversation ended with the outcome gone")


@pytest.mark.law("6.6")
def test_what_it_waits_for_names_the_day(asked: Asked) -> None:
    asked.say("2026-11-19T12:00", "go")
    (first, *_) = asked.chat.explain()
    (candidate,) = first.candidates
    way = 'overlay.active("viking_weekend")'
    assert candidate.in_words == (f"{way} (would hold on 2026-11-20)",)
    assert asked.why("to_gone" if candidate.id == "to_gone" else candidate.id)[0].endswith(
        f"it needs {way} (would hold on 2026-11-20)"
    )
    asked.chat.force_overlay("viking_weekend", False)
    asked.say("2026-11-19T12:01", "go")
    (first, *_) = asked.chat.explain()
    assert first.candidates[0].in_words == (way,)  # no date ends what is forced


@pytest.mark.law("6.6")
@pytest.mark.parametrize(
    "now", ["2026-11-21", "2026-11-20T00:00", "2026-11-22T22:59:59+00:00", datetime.fromisoformat("2026-11-21T03:00")]
)
def test_another_date_may_be_supposed(asked: Asked, now: object) -> None:
    asked.say("2026-11-19T12:00", "go")
    (found,) = asked.chat.what_if(values={"now": now}).otherwise
    assert (str(found.was), found.would.transition) == ("stayed", found.decision.taken)
    assert found.decision.overlays == ("viking_weekend",)
    assert not asked.chat.what_if(values={"now": "2026-11-23"}).otherwise


@pytest.mark.parametrize("now", ["tomorrow", 3, "2026-13-01", "0001-01-01", None])
def test_what_is_no_time_is_refused(asked: Asked, now: object) -> None:
    asked.say("2026-11-19T12:00")
    with pytest.raises(tw.TurnwiseError, match="is no time; write a day"):
        asked.chat.what_if(values={"now": now})


@pytest.mark.law("6.6")
def test_two_conversations_part_where_an_overlay_was_active_in_one(asked: Asked) -> None:
    other = asked.app.chat("b")
    asked.say("2026-11-19T12:00", "go")
    other.say("hello")
    other.force_overlay("viking_weekend", True, by="Lena")
    other.say("go")
    asked.say("2026-11-19T12:02", "go")
    texts = [fact.text for fact in asked.chat.compare("b").facts]
    assert any('overlay.active("viking_weekend")' in text for text in texts), texts


@pytest.mark.law("6.6")
def test_what_retention_erased_leaves_the_state(asked: Asked) -> None:
    asked.say("2026-11-21T12:00")
    asked.chat.force_overlay("holiday", True, by="Lena")
    asked.say("2026-11-21T13:00")
    asked.clock.move_s(60 * 86_400)
    asked.app.retain(tw.Retention(events_days=30))
    dates = "because its dates are from 2026-11-20 00:00:00 CET until 2026-11-23 00:00:00 CET"
    assert asked.why("viking_weekend")[0] == f"viking_weekend is active, {dates}"
    assert asked.why("holiday")[0] == ("holiday is active, because it was forced on by Lena at 2026-11-21 12:00:00 CET")
    asked.chat.say("hello")
    assert asked.why("viking_weekend")[0] == "viking_weekend is not active, because it ended at 2026-11-23 00:00:00 CET"
    assert asked.why("holiday")[0].startswith("holiday is active, because it was forced on by Lena")
    assert asked.chat.rerun().difference is None


@pytest.mark.law("6.6")
def test_an_unknown_overlay_is_refused_with_the_nearest_name(asked: Asked) -> None:
    asked.say("2026-11-19T12:00")
    with pytest.raises(tw.UnknownSubject, match="viking_weekend"):
        asked.chat.why("overlay viking_weekned")
