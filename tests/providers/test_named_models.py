"""Which model answers: the one that is given, else the node's, else the flow's; and the switch that forbids them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support import fake_server as fake
from support.asking import KEY
from support.chats import OneSyncChat, flow_of
from support.fake_server import FakeServer
from turnwise.api.open import SyncChat
from turnwise.core.state import events as e
from turnwise.errors import TurnwiseError, WrongArgument

FLOW = """
flow: two
start: first
MODEL
nodes:
  first:
    prompt: Speak.
    transitions: [{to: second, when: "turns > 1"}]
  second:
    prompt: Speak on.
    model: scripted:second.yaml
"""


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SyncChat]:
    """What opens the flow in a folder with scripts: each says its name."""
    monkeypatch.chdir(tmp_path)
    for name in ("flow", "second", "given"):
        (tmp_path / f"{name}.yaml").write_text(f"[{name}, {name}, {name}]")

    def chat(line: str, **more: object) -> SyncChat:
        return OneSyncChat(flow_of(FLOW.replace("MODEL", line)), **more)  # type: ignore[arg-type]

    return chat


CHOSEN = [
    ("model: scripted:flow.yaml", None, ["flow", "second"]),
    ("model: scripted:flow.yaml", "scripted:given.yaml", ["given", "given"]),
    ("", "scripted:given.yaml", ["given", "given"]),
]


@pytest.mark.parametrize(("flow", "given", "said"), CHOSEN)
def test_who_opens_a_flow_has_the_last_word(
    flow: str, given: str | None, said: list[str], opened: Callable[..., SyncChat]
) -> None:
    with opened(flow, model=given) as chat:
        assert [chat.say("a").text.split()[-1], chat.say("b").text.split()[-1]] == said


def test_a_node_without_a_model_has_none_where_the_flow_names_none(opened: Callable[..., SyncChat]) -> None:
    with opened("") as chat:
        assert "No model is connected" in chat.say("what is this about").text
        assert chat.say("b").text.split()[-1] == "second"


def test_offline_is_nobody_whatever_the_flow_names(opened: Callable[..., SyncChat]) -> None:
    with opened("model: openai:gpt-5", model="offline") as chat:
        assert "No model is connected" in chat.say("what is this about").text


def test_what_cannot_work_is_told_at_once(opened: Callable[..., SyncChat], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(TurnwiseError, match=r"^openai:gpt-5 needs a key: set OPENAI_API_KEY in the environment$"):
        opened("model: openai:gpt-5", real_models=True)
    with pytest.raises(TurnwiseError, match="no provider is called 'opnai'"):
        opened("model: opnai:gpt-5")
    with pytest.raises(TurnwiseError, match=r"^model '' names no provider"):
        opened("", model="")
    with pytest.raises(WrongArgument, match=r"^model must be a model, or the name of one, such as 'openai:gpt-5-mini'"):
        opened("", model=3)


def test_where_they_are_forbidden_no_real_model_is_asked(opened: Callable[..., SyncChat], server: FakeServer) -> None:
    name = f"compatible:fake@{server.address}/v1"
    with opened(f"model: {name}") as chat:
        (failed,) = [event for event in chat.say("a").events if isinstance(event, e.ModelFailed)]
    assert failed.reason == f"{name} was not asked: real models are forbidden here (TURNWISE_NO_MODELS)"
    assert server.asked == []


def test_a_flow_names_a_real_model_and_it_speaks_and_understands(
    opened: Callable[..., SyncChat], server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPATIBLE_API_KEY", KEY)
    server.answers(fake.words("I am real."))
    with opened(f"model: compatible:fake@{server.address}/v1", real_models=True) as chat:
        assert chat.say("a").text == "I am real."
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


COLLECTS = """
flow: names
start: ask
records:
  user: {name: string}
nodes:
  ask:
    prompt: Ask for the name.
    collect: [user.name]
"""


def test_a_real_model_reads_messages(server: FakeServer) -> None:
    said = {"commands": [{"command": "set", "field": "user.name", "value": "Ada", "words": "Ada"}]}
    server.answers(fake.calls(("understood", said)), fake.words("Hello Ada."))
    model = f"compatible:fake@{server.address}/v1"
    with tw.open_sync(flow_of(COLLECTS), model=model, real_models=True) as app:
        chat = app.chat("main")
        turn = chat.say("they call me Ada")
    assert turn.text == "Hello Ada."
    assert server.asked[0].body["tool_choice"] == "required"
    assert any(isinstance(event, e.Understood) and event.by == "model" for event in turn.events)


def test_a_model_of_a_name_has_a_patience_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURNWISE_MODEL_RETRIES", "7")
    model: Any = tw.model_named("openai:gpt-5-mini", patience=tw.Patience(silence_s=20))
    assert (model.reach.patience.silence_s, model.reach.patience.retries) == (20, 2)
    usual: Any = tw.model_named("openai:gpt-5-mini")
    assert usual.reach.patience.retries == 7
