"""Laws 3.2 and 6.6: overlays are fixed for a turn, and change who speaks by date or by force."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.core.state import events as e

FLOW = """
flow: tutor
start: chat
time_zone: Europe/Berlin
persona: You are Maya.
overlays:
  viking_weekend: {from: 2026-11-20, to: 2026-11-22, name: Ragnar, persona: "You are {{ persona.name }}."}
  advent: {from: 2026-11-22, to: 2026-12-24, name: Nick, persona: You are merry., addendum: Wish a good Advent., priority: 9}
  holiday: {addendum: The school is closed.}
nodes:
  chat:
    prompt: Teach German.
    transitions:
      - {at: before, when: 'overlay.active("holiday")', call: game}
      - {at: before, when: message.text == "quiz", call: quiz}
  game: {scope: {}, prompt: Play.}
  quiz: {persona: You ask questions., scope: {}, prompt: Ask.}
"""


def ms(text: str) -> int:
    """A local time in Berlin in winter, in milliseconds."""
    return round(datetime.fromisoformat(f"{text}+01:00").timestamp() * 1000)


class Play:
    """A chat with a clock and a scripted model."""

    def __init__(self, text: str = FLOW, store: Any = None, at: str = "2026-11-19T12:00") -> None:
        self.clock = tw.ManualClock(ms(at))
        self.model = tw.ScriptedModel(["…"] * 40)
        self.app = tw.open_sync(flow_of(text), model=self.model, clock=self.clock, store=store or tw.MemoryStore())
        self.chat = self.app.chat("main")

    def say(self, at: str = "", text: str = "hello") -> tuple[str, ...]:
        """Say something at a time; return the instructions for the model."""
        if at:
            self.clock.set_ms(ms(at))
        self.chat.say(text)
        return self.model.calls[-1].instructions

    @property
    def active(self) -> tuple[str, ...]:
        """The overlays of the last turn."""
        overlays = self.chat.state().overlays
        return overlays.active if overlays is not None else ()

    def changes(self) -> list[tuple[int, tuple[str, ...]]]:
        """The turns in which others were active than before."""
        journal = self.chat.journal()
        return [(one.turn, one.event.active) for one in journal if isinstance(one.event, e.OverlaysChanged)]


@pytest.fixture
def play() -> Iterator[Play]:
    found = Play()
    yield found
    replayed = found.chat.rerun()
    assert replayed.folds
    assert replayed.difference is None
    found.app.close()


@pytest.mark.law("3.2")
@pytest.mark.law("6.6")
def test_it_is_active_by_its_dates_in_the_zone_of_the_conversation(play: Play) -> None:
    assert play.say() == ("You are Maya.", "Teach German.")
    assert play.say("2026-11-19T23:59") == ("You are Maya.", "Teach German.")
    persona, added, prompt = play.say("2026-11-20T00:00")
    assert (persona, prompt) == ("You are Ragnar.", "Teach German.")
    assert added.startswith("Your name is Ragnar.\n\nEarlier replies in this conversation may be in another voice")
    assert play.say("2026-11-21T12:00") == (persona, added, prompt)
    assert play.say("2026-12-25T00:00") == ("You are Maya.", "Teach German.")
    assert play.changes() == [(3, ("viking_weekend",)), (5, ())]


@pytest.mark.law("6.6")
def test_it_follows_the_zone_of_each_conversation(play: Play) -> None:
    play.clock.set_ms(ms("2026-11-20T01:00"))
    for zone, active in (("Asia/Tokyo", ("viking_weekend",)), ("America/New_York", ())):
        chat = play.app.chat(zone)
        chat.start(time_zone=zone)
        overlays = chat.state().overlays
        assert (overlays.active if overlays is not None else ()) == active
    play.chat.start()


@pytest.mark.law("6.6")
def test_of_two_the_lower_priority_number_gives_persona_and_name_and_both_are_added(play: Play) -> None:
    persona, added, _ = play.say("2026-11-22T12:00")
    assert play.active == ("advent", "viking_weekend")
    assert persona == "You are merry."
    assert added.startswith("Your name is Nick.\n\nWish a good Advent.\n\nEarlier replies")


@pytest.mark.law("6.6")
def test_a_persona_of_the_node_or_scope_goes_first_and_what_is_added_stays(play: Play) -> None:
    play.say("2026-11-22T12:00")
    persona, added, prompt = play.say(text="quiz")
    assert (persona, prompt) == ("You ask questions.", "Ask.")
    assert added.startswith("Wish a good Advent.\n\nEarlier replies")


@pytest.mark.law("3.2")
def test_a_turn_that_goes_over_midnight_keeps_its_overlays() -> None:
    play = Play()

    def late(_: Any) -> str:
        play.clock.set_ms(ms("2026-11-20T00:10"))
        return "Well."

    flow = FLOW.replace("prompt: Teach German.", "prompt: Teach German.\n    tools: {allow: [look]}")
    flow = flow.replace("nodes:\n  chat", "tools: {look: {}}\nnodes:\n  chat", 1)
    play = Play(flow, at="2026-11-19T23:59")
    play.model.plan.clear()
    play.model.plan.extend([tw.call("look"), "Done.", "SKÅL!"])
    app = tw.open_sync(flow_of(flow), model=play.model, clock=play.clock, tools={"look": lambda: late(None)})
    chat = app.chat("late")
    chat.say("hello")
    assert [one.instructions[0] for one in play.model.calls] == ["You are Maya.", "You are Maya."]
    chat.say("hello")
    assert play.model.calls[-1].instructions[0] == "You are Ragnar."
    app.close()


@pytest.mark.law("6.6")
def test_forcing_goes_before_dates_and_a_conversation_before_all(play: Play) -> None:
    play.say()
    standing = play.chat.force_overlay("viking_weekend", True, by="Lena")
    assert (standing.is_active, standing.is_next) == (False, True)  # it holds from the next turn on
    assert play.say()[0] == "You are Ragnar."
    play.app.force_overlay("viking_weekend", False, by="Max")
    assert play.say()[0] == "You are Ragnar."
    play.chat.force_overlay("viking_weekend", None)
    assert play.say()[0] == "You are Maya."
    assert play.say("2026-11-21T12:00")[0] == "You are Maya."
    play.app.force_overlay("viking_weekend", None)
    assert play.say()[0] == "You are Ragnar."
    play.chat.force_overlay("viking_weekend", False)
    assert play.say()[0] == "You are Maya."
    assert [one.name for one in play.app.forced_overlays()] == []


@pytest.mark.law("6.6")
def test_what_is_forced_for_all_reaches_a_conversation_with_its_next_turn(play: Play) -> None:
    play.app.force_overlay("viking_weekend", True, by="Max")
    assert play.say()[0] == "You are Ragnar."  # it begins with it
    other = play.app.chat("other")
    other.start()
    play.app.force_overlay("viking_weekend", None)
    before = other.journal()
    other.say("hello")
    note, said, changed = [one.event for one in other.journal()[len(before) :]][:3]
    assert isinstance(note, e.OverlayForced)
    assert (note.name, note.on, note.for_all) == ("viking_weekend", None, True)
    assert (type(said), changed) == (e.UserSaid, e.OverlaysChanged(()))
    assert other.rerun().difference is None


@pytest.mark.law("6.6")
def test_a_guard_may_ask_and_open_a_scope(play: Play) -> None:
    play.say()
    assert len(play.chat.state().frames) == 1
    play.app.force_overlay("holiday", True)
    instructions = play.say()
    assert [frame.scope for frame in play.chat.frames()] == ["", "game"]
    assert instructions[1].startswith("The school is closed.")


@pytest.mark.law("6.6")
def test_nothing_is_recorded_while_nothing_changes(play: Play) -> None:
    for _ in range(3):
        play.say()
    state = play.chat.state()
    assert (state.overlays, play.changes()) == (None, [])


@pytest.mark.law("6.6")
def test_an_undo_takes_back_neither_the_forcing_nor_the_date(play: Play) -> None:
    play.say("2026-11-19T12:00")
    play.say("2026-11-21T12:00")
    play.chat.force_overlay("advent", True, by="Lena")
    play.say()
    assert play.active == ("advent", "viking_weekend")
    play.chat.undo(to=1)
    assert play.active == ("advent", "viking_weekend")
    play.chat.force_overlay("advent", None)
    assert play.say()[0] == "You are Ragnar."


@pytest.mark.law("6.6")
def test_copies_and_imports_keep_what_is_forced(play: Play) -> None:
    play.say()
    play.chat.force_overlay("viking_weekend", True, by="Lena")
    copy = play.chat.fork("copy")
    moved = play.app.import_(play.chat.export(), "moved")
    for chat in (copy, moved):
        chat.say("hello")
        assert play.model.calls[-1].instructions[0] == "You are Ragnar."
        assert chat.rerun().difference is None


@pytest.mark.law("6.6")
def test_an_unknown_name_and_an_unknown_conversation_are_refused(play: Play) -> None:
    with pytest.raises(tw.UnknownConversation):
        play.app.chat("nobody").force_overlay("viking_weekend", True)
    play.say()
    with pytest.raises(tw.UnknownOverlay, match="no overlay is called 'viking'; did you mean 'viking_weekend'"):
        play.chat.force_overlay("viking", True)
    with pytest.raises(tw.UnknownOverlay):
        play.app.force_overlay("viking", None)
    with pytest.raises(tw.WrongArgument, match="True, False, or None"):
        play.chat.force_overlay("viking_weekend", 1)  # type: ignore[arg-type]


@pytest.mark.law("6.6")
@pytest.mark.parametrize(
    ("mapped", "persona"), [({}, "You are Maya."), ({"viking_weekend": "vikings"}, "You are Ragnar.")]
)
def test_a_migration_carries_what_is_forced_under_its_new_name(mapped: dict[str, str], persona: str) -> None:
    store = tw.MemoryStore()
    old = Play(store=store)
    old.say()
    old.chat.force_overlay("viking_weekend", True, by="Lena")
    old.say()
    new = Play(FLOW.replace("viking_weekend", "vikings"), store=store)
    found = new.app.migrate(tw.Renaming(overlays=mapped))
    assert [one.outcome for one in found.conversations] == ["compatible"]
    assert new.say()[0] == persona
    assert new.chat.rerun().difference is None
    facts = new.chat.why("turn 3").facts
    dropped = "the forcing of viking_weekend was not kept"
    assert any(dropped in one.text for one in facts) is not bool(mapped)


@pytest.mark.law("6.6")
def test_a_flow_without_overlays_ends_those_of_the_version_before() -> None:
    store = tw.MemoryStore()
    old = Play(store=store)
    old.chat.start()
    old.chat.force_overlay("holiday", True)
    old.app.force_overlay("viking_weekend", True)
    old.say()
    text = FLOW[: FLOW.index("overlays:")] + "nodes: {chat: {prompt: Teach German.}, game: {scope: {}, prompt: Play.}}"
    new = Play(text, store=store)
    new.app.migrate()
    new.say()
    assert new.active == ()
    assert new.chat.rerun().difference is None


@pytest.mark.law("6.6")
def test_a_zone_that_a_field_names_counts_from_the_next_turn_on() -> None:
    text = FLOW.replace("Europe/Berlin", '"{{ user.zone }}"').replace(
        "nodes:\n", "records: {user: {zone: string}}\nnodes:\n"
    )
    play = Play(text, at="2026-11-19T21:00")  # in UTC it is 20:00
    play.say()
    play.chat.commands([tw.commands.Set(field="user.zone", value="Asia/Tokyo")])  # where it is the 20th
    assert play.active == ()  # fixed for the turn that changes it
    assert play.say()[0] == "You are Ragnar."
    assert play.chat.rerun().difference is None
    play.app.close()


@pytest.mark.law("6.6")
def test_a_turn_that_the_clock_begins_has_the_overlays_of_its_time() -> None:
    way = "{at: timer, in: 12h, to: away}"
    text = FLOW.replace(
        "    transitions:\n      - {at: before, when: 'overlay",
        f"    transitions:\n      - {way}\n      - {{at: before, when: 'overlay",
        1,
    )
    text += '  away: {say: "{{ persona.name }} waits."}\n'
    play = Play(text, at="2026-11-19T18:00")
    play.say()
    play.clock.set_ms(ms("2026-11-20T06:00"))
    play.app.tick()
    assert play.active == ("viking_weekend",)
    assert play.chat.turn().text == "Ragnar waits."
    play.app.close()


@pytest.mark.law("6.6")
def test_overlays_are_imported_by_name_and_written_in_python(tmp_path: Path) -> None:
    (tmp_path / "events.flow.yaml").write_text(FLOW, "utf-8")
    main = tmp_path / "main.flow.yaml"
    main.write_text(
        "flow: other\nstart: n\npersona: You are Max.\nimports: [{from: events.flow.yaml, names: [viking_weekend]}]\n"
        "nodes: {n: {prompt: Talk.}}\n",
        "utf-8",
    )
    weekend = tw.Overlay("viking_weekend", starts="2026-11-20", ends="2026-11-22", persona="You are Ragnar.")
    flow = tw.Flow(
        "python", start="n", persona="You are Max.", nodes=[tw.Node("n", prompt="Talk.")], overlays=[weekend]
    )
    for one in (tw.load(main), flow):
        model = tw.ScriptedModel(["…"] * 2)
        with tw.open_sync(one, model=model, clock=tw.ManualClock(ms("2026-11-21T12:00"))) as app:
            app.chat("x").say("hello")
            assert model.calls[-1].instructions[0] == "You are Ragnar."


@pytest.mark.law("6.6")
def test_a_record_that_is_called_persona_keeps_its_name() -> None:
    text = FLOW.replace("nodes:\n", "records: {persona: {name: {type: string, default: Ann}}}\nnodes:\n")
    play = Play(text, at="2026-11-21T12:00")
    assert play.say()[0] == "You are Ann."
    play.app.close()
