"""A talk with a model becomes a test without one: `chat --record`, the header `recording`, and how both are renewed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import fake_server as fake
from support.fake_server import FakeServer, fake_server
from support.shell import CLIENTS, Ran, run

FLOW = """flow: talk
start: ask
records: {user: {name: string}}
nodes:
  ask:
    form: {fields: [{field: user.name, ask: Your name?}]}
    transitions: [{at: after, to: free}]
  free: {prompt: Be KIND.}
"""
NAMED: dict[str, Any] = {"commands": [{"command": "set", "field": "user.name", "value": "Ada", "words": "Ada"}]}
PLAYED = "1 passed, 0 failed"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A server that answers what is planned."""
    with fake_server() as one:
        yield one


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a talk that was recorded over the wire, with its recording."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "talk.flow.yaml").write_text(FLOW)
    with fake_server() as server:
        server.answers(fake.calls(("understood", NAMED)), fake.words("Hi Ada!"))
        done = record(folder, server, "Ada\n")
    assert (done.code, done.err) == (0, "wrote talk.scenario and talk.recording.json\n")
    return folder


@pytest.fixture
def talk(recorded: Path, tmp_path: Path) -> Path:
    """The scenario of that talk, in a copy of the folder."""
    return shutil.copytree(recorded, tmp_path, dirs_exist_ok=True) / "talk.scenario"


def record(folder: Path, server: FakeServer, said: str, *options: str) -> Ran:
    name = f"compatible:fake@{server.address}/v1"
    command = ("chat", "talk.flow.yaml", "--model", name, "--record", "talk.scenario", *options)
    return run(*command, at=folder, given=said, modules=CLIENTS)


def test_a_talk_is_recorded_and_played_without_a_server(talk: Path) -> None:
    written = talk.read_text()
    assert "recording: talk.recording.json\n" in written
    assert "flow: talk.flow.yaml\n" in written
    assert "user: Ada\nbot: Hi Ada!\nnode: free\n" in written
    assert not [line for line in written.splitlines() if line.startswith(("model:", "understand:"))]
    assert "127.0.0.1" not in talk.with_name("talk.recording.json").read_text()
    assert run("test", talk).lines == [PLAYED]


def change_prompt(talk: Path) -> None:
    talk.with_name("talk.flow.yaml").write_text(FLOW.replace("KIND", "brief"))


def test_a_changed_prompt_is_noticed_and_rewritten_with_the_same_answers(talk: Path) -> None:
    change_prompt(talk)
    stale = run("test", talk)
    assert (stale.code, stale.lines[-1]) == (1, "0 passed, 1 failed")
    assert "talk.recording.json is stale: call 2 asks something else now" in stale.out
    assert "Be brief." in stale.out
    written = talk.read_text()
    ran = run("test", talk, "--rewrite")
    assert (ran.code, ran.lines) == (0, [PLAYED])
    assert ran.err == f"rewrote {talk.with_name('talk.recording.json')}\n"
    assert talk.read_text() == written
    assert "Be brief." in talk.with_name("talk.recording.json").read_text()
    assert run("test", talk).lines == [PLAYED]


def test_nothing_is_rewritten_where_nothing_changed(talk: Path) -> None:
    before, text = talk.with_name("talk.recording.json").read_bytes(), talk.read_text()
    ran = run("test", talk, "--rewrite")
    assert talk.read_text() == text
    assert (ran.code, ran.err) == (0, "")
    assert talk.with_name("talk.recording.json").read_bytes() == before


def test_it_is_recorded_anew_with_a_model(talk: Path, server: FakeServer) -> None:
    server.answers(fake.calls(("understood", NAMED)), fake.words("Hello again, Ada!"))
    ran = run("test", talk, "--rewrite", "--model", f"compatible:other@{server.address}/v1", modules=CLIENTS)
    assert (ran.code, ran.lines) == (0, [PLAYED])
    assert "bot: Hello again, Ada!" in talk.read_text()
    assert run("test", talk).lines == [PLAYED]


def test_calls_that_are_not_asked_for_any_more_fail_until_they_are_left_out(talk: Path) -> None:
    talk.write_text(talk.read_text().partition("user: Ada")[0].rstrip().rpartition("wait:")[0])
    ran = run("test", talk)
    assert ran.code == 1
    assert "2 recorded calls were never asked for" in ran.out
    assert run("test", talk, "--rewrite").lines == [PLAYED]
    assert json.loads(talk.with_name("talk.recording.json").read_bytes())["exchanges"] == []


WRONG = [
    ("user: Ada", "model: Hi\nuser: Ada", "the recording has what the model said; leave out 'model'"),
    ("user: Ada", "understand: nothing\nuser: Ada", "leave out 'understand', or 'recording' in the header"),
    ("scenario: talk", "scenario: a\nuser: Ada\nnode: free\nscenario: talk", "has one scenario"),
    ("talk.recording.json", "gone.json", "there is no such recording"),
]


@pytest.mark.parametrize(("old", "new", "told"), WRONG)
def test_what_cannot_be_played_from_a_recording_is_refused(old: str, new: str, told: str, talk: Path) -> None:
    talk.write_text(talk.read_text().replace(old, new))
    ran = run("test", talk)
    assert ran.code == 1
    assert told in ran.out


def test_words_of_a_model_are_not_written_where_nothing_is_recorded(tmp_path: Path, server: FakeServer) -> None:
    (tmp_path / "talk.flow.yaml").write_text(FLOW)
    (tmp_path / "a.scenario").write_text("flow: talk.flow.yaml\n\nscenario: a\nuser: Ada\nnode: free\n")
    ran = run("test", "a.scenario", "--rewrite", "--model", f"compatible:fake@{server.address}/v1", at=tmp_path)
    assert ran.code != 0
    assert "but for a file with a recording" in ran.out + ran.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--record", "talk.scenario"), "name one of a provider"),
        (("--record", "talk.scenario", "--model", "offline"), "name one of a provider"),
        (("--record", "talk.json", "--model", "ollama:a"), "name it talk.scenario"),
        (("--record", "talk.scenario", "--model", "ollama:a", "--store", "sqlite:///a.db"), "leave --store out"),
    ],
)
def test_what_cannot_be_recorded_is_refused(options: tuple[str, ...], told: str, tmp_path: Path) -> None:
    (tmp_path / "talk.flow.yaml").write_text(FLOW)
    ran = run("chat", "talk.flow.yaml", *options, at=tmp_path)
    assert ran.code != 0
    assert told in ran.out + ran.err
