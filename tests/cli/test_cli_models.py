"""`--model` on the command line: chat, test and demo, over a fake server; what is wrong with a name is one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support import fake_server as fake
from support.asking import KEY
from support.fake_server import FakeServer, fake_server
from support.shell import run

FLOW = """
flow: helper
start: help
nodes:
  help:
    prompt: Help the user.
"""
SCENARIO = "flow: helper.flow.yaml\n\nscenario: helps\n\nuser: hello\nbot: Hi from afar.\n"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A server that answers what is planned."""
    with fake_server() as one:
        yield one


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a flow and a scenario."""
    (tmp_path / "helper.flow.yaml").write_text(FLOW)
    (tmp_path / "helper.scenario").write_text(SCENARIO)
    return tmp_path


def test_chat_speaks_with_a_model(folder: Path, server: FakeServer) -> None:
    server.answers(fake.words("At your service."), fake.words("Hi from ", "afar."))
    name = f"compatible:fake@{server.address}/v1"
    done = run("chat", "helper.flow.yaml", "--model", name, given="hello\n", at=folder, COMPATIBLE_API_KEY=KEY)
    assert (done.code, done.err) == (0, "")
    assert "Hi from afar." in done.out
    assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}"


def test_a_key_that_is_refused_is_told_without_it(folder: Path, server: FakeServer) -> None:
    server.answers(*[fake.error(401, f"Incorrect API key provided: {KEY}")] * 2)
    name = f"compatible:fake@{server.address}/v1"
    done = run("chat", "helper.flow.yaml", "--model", name, given="hello\n", at=folder, COMPATIBLE_API_KEY=KEY)
    assert done.code == 0
    assert f"{name} does not accept the key (HTTP 401): Incorrect API key provided: [key]" in done.out.replace(
        "\n", " "
    )
    assert KEY not in done.out + done.err


def test_a_recording_is_made_once_and_played_in_tests(folder: Path, server: FakeServer) -> None:
    server.answers(fake.words("Hi from afar."))
    name = f"compatible:fake@{server.address}/v1"
    made = run("test", "helper.scenario", "--model", f"record:talk.json@{name}", at=folder)
    assert (made.code, made.out) == (0, "1 passed, 0 failed\n")
    played = run("test", "helper.scenario", "--model", "cassette:talk.json", at=folder, TURNWISE_NO_MODELS="1")
    assert (played.code, played.out) == (0, "1 passed, 0 failed\n")
    (folder / "helper.scenario").write_text(SCENARIO.replace("hello", "hey"))
    assert run("test", "helper.scenario", "--model", "cassette:talk.json", at=folder).code == 1


WRONG = [
    (["chat", "helper.flow.yaml", "--model", "opnai:x"], 1, "no provider is called 'opnai'; did you mean 'openai'?"),
    (["chat", "helper.flow.yaml", "--model", "groq:x"], 1, "groq:x needs a key: set GROQ_API_KEY in the environment"),
    (["test", "helper.scenario", "--model", "cassette:no.json"], 1, "no.json: there is no such recording"),
    (
        ["test", "helper.scenario", "--model", "groq:x", "--rewrite"],
        2,
        "cannot write a model's words into expectations",
    ),
    (["demo", "--model", "scripted:no.yaml"], 1, "no.yaml: the script cannot be read"),
]


@pytest.mark.parametrize(("command", "code", "said"), WRONG)
def test_a_wrong_model_is_one_line(command: list[str], code: int, said: str, folder: Path) -> None:
    done = run(*command, at=folder, GROQ_API_KEY="")
    assert done.code == code
    assert said in " ".join(done.err.replace("│", "").split())


def test_demo_speaks_with_a_script(tmp_path: Path) -> None:
    (tmp_path / "replies.yaml").write_text("[One., Two., Three.]")
    done = run("demo", "thinking_partner", "--model", "scripted:replies.yaml", "--play", at=tmp_path)
    assert done.code == 0
    assert "scripted:replies.yaml speaks" in done.out
    assert "One." in done.out


@pytest.mark.parametrize("name", ["", " "])
@pytest.mark.parametrize("command", ["chat helper.flow.yaml", "test helper.scenario", "demo"])
def test_a_model_without_a_name_is_wrong_usage(folder: Path, command: str, name: str) -> None:
    done = run(*command.split(), "--model", name, at=folder)
    assert (done.code, done.out) == (2, "")
    told = " ".join(done.err.replace("│", " ").split())
    assert "it is empty; name a model, such as openai:gpt-5-mini or offline, or leave it out" in told
