"""Ten minutes of the language buddy with a model over the wire: recorded once, and played again without a server.

No provider can be reached from the tests: a server of their own sends what one would send, in pieces, with calls, usage
and latency. `TURNWISE_REWRITE=1` records the conversation again.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
from collections import deque
from pathlib import Path
from typing import Any

import msgspec
import pytest

import turnwise as tw
from support import fake_server as fake
from support.asking import reach
from support.fake_server import Answer, FakeServer, fake_server
from support.shell import ROOT, run
from turnwise.core.state import events as e
from turnwise.models import call_settings, model_named
from turnwise.stores.sqlite import SqliteStore

FOLDER = ROOT / "examples" / "language_buddy"
FLOW = FOLDER / "language_buddy.flow.yaml"
CASSETTE = Path(__file__).parent / "recorded_lesson.json"
BEGAN_MS = 1_767_261_600_000
STEP_MS = 15_000
"""Between two messages."""

LINES = """Hello|Ada|English|German|what does Dativ mean?|order food in Berlin|Berlin|football, music|das Haus|ich habe
what does weil mean?|weil ich müde bin|Ich esse gern Pizza|Ich trinke Wasser|what does gern mean?|Das Brot is bread
I am so frustrated!!|what does Haus mean?|I always forget the articles|Das Haus ist groß|Der Hund ist klein
Do you want to know something from me?|Reading pictures|what does müde mean?|Too fast|more songs|Was machst du gern?
Ich lese gern|I am ready for questions|das|habe|what does Dativ mean?|dem|bin müde|gern|Ich bin müde|Ich gehe nach Hause
Wie heißt du?|I love this!!|the quiz was fun|Danke|Tschüss"""
MESSAGES = LINES.replace("\n", "|").split("|")
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "Do you want to know something from me?": ("startFeedbackSession", {"type": "survey"}),
    "I am ready for questions": ("startQuiz", {}),
}
_OPEN = re.compile(r"The question that is open is for: (\S+)")


class Provider(deque[Answer]):
    """Plans the next answer when it is asked for, by what is asked: as a provider sends it, in pieces."""

    def __init__(self, server: FakeServer) -> None:
        super().__init__()
        self.server = server

    def __len__(self) -> int:
        return 1

    def popleft(self) -> Answer:
        """Answer the last request: what a message means, a call, or a reply."""
        body = self.server.asked[-1].body
        said = [one["content"] for one in body["messages"] if one["role"] == "user"][-1]
        if body.get("tool_choice") not in (None, "auto"):
            return _call(body["tools"][0]["function"]["name"], _meaning(body, said))
        if said in CALLS and body["messages"][-1]["role"] != "tool":
            return _call(*CALLS[said])
        words = f"Gut! Du sagst: {said} Und was noch?".split(" ")
        pieces = [fake.chunk(role="assistant", content="")]
        pieces += [fake.chunk(content=word + " " * (at + 1 < len(words))) for at, word in enumerate(words)]
        return Answer((*pieces, fake.chunk("stop"), _usage(body, len(words)), fake.DONE), late_s=0.002)


def _call(name: str, arguments: Any) -> Answer:
    """A call, its arguments in pieces, as OpenAI's server sends them."""
    text = json.dumps(arguments)
    parts = [text[at : at + 12] for at in range(0, len(text), 12)]
    pieces = [fake.piece(0, "call_1", name), *(fake.piece(0, arguments=part) for part in parts)]
    sent = [fake.chunk(tool_calls=[one]) for one in pieces]
    return Answer((*sent, fake.chunk("tool_calls"), fake.usage(300, len(parts)), fake.DONE), late_s=0.002)


def _usage(body: Any, words: int) -> bytes:
    return fake.usage(sum(len(str(one["content"])) for one in body["messages"]) // 4, words)


def _meaning(body: Any, said: str) -> dict[str, Any]:
    """What a model would propose: a message answers the open question, unless it is one."""
    asked = _OPEN.search(json.dumps(body["messages"][0]["content"]))
    if asked is None or said.endswith("?") or said == MESSAGES[0]:
        return {"commands": []}
    address = asked[1].partition("\\n")[0].strip('"')
    value = said.split(", ") if address.endswith("interests") else said
    return {"commands": [{"command": "set", "field": address, "value": value, "words": said, "confidence": 0.97}]}


def _tools() -> list[Any]:
    spec = importlib.util.spec_from_file_location("language_buddy_tools", FOLDER / "tools.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [module.look_up, module.create_profile, module.save_feedback]


async def talk(model: Any, store: tw.Store) -> tuple[e.Entry, ...]:
    """The whole conversation; gives its journal."""
    clock = tw.ManualClock(BEGAN_MS)
    parts = _tools()
    async with tw.open(FLOW, store=store, tools=parts, model=model, clock=clock) as app:
        chat = app.chat("ada")
        for message in MESSAGES:
            clock.move_s(STEP_MS / 1000)
            await chat.say(message)
        return await chat.journal()


def recorded(path: Path, store: tw.Store) -> tuple[e.Entry, ...]:
    """Record the conversation over the adapter, with the server of these tests."""
    with fake_server() as server:
        server.plan = Provider(server)
        return asyncio.run(talk(model_named(f"record:{path}@compatible:fake@{server.address}/v1", reach()), store))


def played(path: Path, store: tw.Store) -> tuple[e.Entry, ...]:
    """Play the recording; no network is allowed."""
    model = model_named(f"cassette:{path}", call_settings({"TURNWISE_NO_MODELS": "1"}))
    return asyncio.run(talk(model, store))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path / "kept"))


def test_ten_minutes_are_recorded_and_replayed_without_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lesson.json"
    live = recorded(path, tw.MemoryStore())
    monkeypatch.setenv("LANGUAGE_BUDDY", str(tmp_path / "again"))
    again = played(path, tw.MemoryStore())
    assert again == live
    assert (live[-1].at_ms - live[0].at_ms) / 60_000 >= 10
    prompts = [entry.event.prompt for entry in live if isinstance(entry.event, e.ModelReplied)]
    assert len(prompts) > 15
    assert all(prompts)
    if os.environ.get("TURNWISE_REWRITE"):
        CASSETTE.write_bytes(msgspec.json.format(path.read_bytes(), indent=0))


def test_the_kept_recording_goes_through_every_inner_conversation(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "lesson.db")
    journal = played(CASSETTE, store)
    closed = [(one.event.scope, one.event.outcome) for one in journal if isinstance(one.event, e.ScopeClosed)]
    opened = [(one.event.scope, one.event.by) for one in journal if isinstance(one.event, e.ScopeOpened)]
    assert [one for one in closed if "/" not in one[0]] == [
        ("onboarding", "profile_created"),
        ("feedback", "saved"),
        ("feedback", "saved"),
        ("quiz", "finished"),
        ("feedback", "saved"),
    ]
    assert {("feedback", "call"), ("feedback", "tool"), ("quiz", "tool")} <= {*opened}
    digressions = [scope for scope, outcome in closed if outcome == "explained"]
    assert {*digressions} == {"onboarding/explain", "feedback/explain", "quiz/explain"}
    assert not [one for one in journal if isinstance(one.event, e.ModelFailed | e.UnderstandingFailed | e.Failed)]


def test_the_kept_recording_runs_again_as_a_scenario(tmp_path: Path) -> None:
    played(CASSETTE, SqliteStore(tmp_path / "lesson.db"))
    made = run(
        "export", "ada", tmp_path / "lesson.scenario", "--scenario", "--store", f"sqlite:///{tmp_path}/lesson.db"
    )
    assert made.code == 0, made.err
    ran = run("test", tmp_path / "lesson.scenario")
    assert (ran.code, ran.out) == (0, "1 passed, 0 failed\n")
