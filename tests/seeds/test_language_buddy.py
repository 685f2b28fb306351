"""What seed 003 asks of its example: the picture of its inner conversations, and a profile that stays."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.served import served
from support.shell import ROOT
from turnwise.models.scripted import ScriptedModel
from turnwise.stores.sqlite import SqliteStore

FOLDER = ROOT / "examples" / "language_buddy"
FLOW = FOLDER / "language_buddy.flow.yaml"
PUPIL = ("Max", "English", "German", "order food in Berlin", "London", "football, music")
ANSWERS = ("das Haus", "ich habe", "weil ich müde bin")
LESSONS = 1000


def opened(store: SqliteStore, clock: tw.ManualClock) -> tw.App:
    """The example with a model that always says the same, and its tools."""
    spec = importlib.util.spec_from_file_location("language_buddy_tools", FOLDER / "tools.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tools = [module.look_up, module.create_profile, module.save_feedback]
    model = ScriptedModel(["Weiter!"] * (LESSONS + 10))
    return tw.open(FLOW, store=store, tools=tools, model=model, understand=tw.understand_by_rules, clock=clock)


@pytest.mark.requirement("003-05")
def test_the_picture_has_the_lesson_and_every_inner_conversation() -> None:
    picture = tw.draw(FLOW)
    for scope in ("onboarding", "feedback", "quiz"):
        assert f'["{scope}"]' in picture
    for inside in ("<b>rapid</b>", "<b>survey</b>", "<b>assess</b>", "<b>score</b>", "<b>maya</b>"):
        assert inside in picture


@pytest.mark.requirement("003-13", "003-30", "003-31")
def test_the_profile_stays_over_a_restart_and_a_thousand_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path))
    clock = tw.ManualClock(1_700_000_000_000)

    async def profile(client: Any) -> dict[str, Any]:
        state = (await client.get("/api/conversations/max/state")).json()
        return {one["field"]: one["value"] for one in state["values"] if one["field"].startswith("user.")}

    async def play() -> None:
        async with served(opened(SqliteStore(tmp_path / "s.db"), clock), clock=clock) as client:
            await client.post("/api/conversations", json={"flow": "language_buddy", "name": "max"})
            for text in (*PUPIL, *ANSWERS):
                await client.post("/api/conversations/max/turns", json={"text": text})
            known = await profile(client)
        assert known["user.level"] == "B1"
        assert len(known) == 7
        async with opened(SqliteStore(tmp_path / "s.db"), clock) as app:
            for _ in range(LESSONS):
                await app.chat("max").say("Ich esse Pizza")
        async with served(opened(SqliteStore(tmp_path / "s.db"), clock), clock=clock) as client:
            assert await profile(client) == known

    asyncio.run(play())
