"""A stored conversation is saved as a scenario, and the scenario passes offline."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, OneSyncChat, flow_of
from support.shell import run
from support.stored import INTAKE
from turnwise.archive import Archive
from turnwise.runner.clocks import ManualClock
from turnwise.testing import play as playing
from turnwise.testing.play import link_scenarios, play
from turnwise.testing.recorded import checked_scenario, record_scenario
from turnwise.testing.scenario import read_scenarios

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "examples").glob("*/*.scenario"), *(ROOT / "tests/transcripts").glob("*.scenario")])


def recorded(archive: Archive, name: str = "main", **more: Any) -> str:
    return asyncio.run(record_scenario(archive, name, **more))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_scenario_plays_is_recorded_and_passes_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apps: list[tw.App] = []
    opened = playing.open_flow
    monkeypatch.setattr(playing, "open_flow", lambda *args, **more: apps.append(opened(*args, **more)) or apps[-1])
    file = read_scenarios(path)
    python = path.parent / file.header["python"].value if "python" in file.header else None
    parts = link_scenarios(file)
    for scenario in file.scenarios:
        apps.clear()
        if not play(file, scenario, parts).passed or not asyncio.run(apps[0].conversations()):
            continue
        text = recorded(apps[0].runtime.archive, python=str(python) if python else "")
        checked, differences = checked_scenario(text, path, python)
        assert differences == [], f"{scenario.title}\n{text}"
        kept, wanted = checked.count("\nbot:"), text.count("\nbot:")
        assert kept >= wanted - _words_of_models(text), f"{scenario.title}\n{text}"


def _words_of_models(text: str) -> int:
    """How many replies may come out in other words: those after a scripted understanding."""
    return text.count("\nunderstand:") * 3


# errors and the command -----------------------------------------------------------------------------------


def test_what_no_scenario_can_tell_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        clock = ManualClock(NOON_MS)
        async with tw.open(flow_of(INTAKE), clock=clock) as app:
            archive = app.runtime.archive
            with pytest.raises(tw.UnknownConversation):
                await record_scenario(archive, "nobody")
            await app.chat("x").say("Ada")
            clock.move_s(9 * 86_400)
            await app.chat("x").say("30")
            await app.retain(tw.Retention(events_days=5))
            with pytest.raises(tw.TurnwiseError, match="erased by retention"):
                await record_scenario(archive, "x")

    asyncio.run(run())


def test_time_passes_between_the_steps_as_it_did(tmp_path: Path) -> None:
    clock = ManualClock(NOON_MS)
    with OneSyncChat(flow_of(INTAKE), clock=clock) as chat:
        chat.start()
        clock.move_s(90.5)
        chat.say("Ada")
        clock.move_s(1800)
        chat.fire("reminder")
        found = chat.app.loop.wait(record_scenario(chat.app.app.runtime.archive, "main"))
    assert "\nwait: 1m30s500ms\n" in found
    assert "\nwait: 30m\nbot: You are too young." in found
    checked, differences = checked_scenario(found, tmp_path / "x.scenario")
    assert (checked, differences) == (found, [])


def test_a_move_that_waits_for_the_next_message_is_not_told_as_taken_before_it(tmp_path: Path) -> None:
    flow = "flow: f\nstart: f\nnodes:\n  f: {say: Hello., once: bye}\n  bye: {say: Bye., end: bye}\n"
    with OneSyncChat(flow_of(flow)) as chat:
        chat.start()
        chat.say("on")
        found = chat.app.loop.wait(record_scenario(chat.app.app.runtime.archive, "main"))
    assert "once_bye" not in found.partition("scenario:")[2], found
    assert "\nnode: bye" in found.partition("user: on")[2]
    assert checked_scenario(found, tmp_path / "x.scenario")[1] == []


def test_the_command_writes_a_scenario_that_passes(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/c.db"
    with tw.open_sync(ROOT / "examples/eligibility/eligibility.flow.yaml", store=store) as app:
        for line in ("hello", "yes", "Partial", "it is for billing"):
            app.chat("42").say(line)
    file = tmp_path / "42.scenario"
    done = run("export", "--store", store, "42", file, "--scenario")
    assert (done.code, done.err) == (0, ""), done
    assert run("test", file).code == 0
    taken = run("export", "--store", store, "42", file, "--scenario")
    assert taken.code != 0


def test_a_summary_that_no_model_wrote_is_recorded_as_its_template() -> None:
    flow = """
    flow: lesson
    start: talk
    records: {feedback: {mood: {type: choice, options: [good, bad]}}}
    nodes:
      talk: {say: Hello., transitions: [{id: asks, at: before, when: message.text == "survey", call: survey}]}
      survey:
        scope: {returns: feedback, summary: {prompt: Sum up., fallback: "It was {{ feedback.mood }}."}}
        form: {fields: [{field: feedback.mood, ask: How was it?}]}
    """
    chat = OneSyncChat(flow_of(flow), clock=ManualClock(NOON_MS))
    with chat:
        for text in ("hello", "survey", "good"):
            chat.say(text)
        text = recorded(chat.runtime.archive)
    assert "model: It was good." in text
    assert "scope summary survey: It was good." in text
    assert checked_scenario(text, Path("recorded.scenario"))[1] == []
