"""The examples with a model over a wire, by `--model`: what it does leads where the scenarios say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support import fake_server as fake
from support.fake_server import Answer, FakeServer, fake_server
from support.shell import CLIENTS, ROOT, Ran, run

EXAMPLES = ROOT / "examples"
MACHINES = EXAMPLES / "context_machine"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A server that answers what is planned."""
    with fake_server() as one:
        yield one


def with_model(server: FakeServer, *command: str | Path, at: Path | None = None) -> Ran:
    """Run a command with the model of the server."""
    return run(*command, "--model", f"compatible:fake@{server.address}/v1", at=at, modules=CLIENTS)


def writes(record: str, **values: object) -> Answer:
    """A call that writes fields of a record."""
    return fake.calls((f"write_{record}", {"set": values}))


def offered(server: FakeServer) -> list[list[str]]:
    """The names of the tools in each request."""
    return [[one["function"]["name"] for one in asked.body.get("tools", [])] for asked in server.asked]


def test_a_model_does_the_work_of_a_machine_in_its_own_words(server: FakeServer) -> None:
    server.answers(writes("config", result="done"), fake.words("Written."))
    ran = with_model(server, "demo", "context_machine", "--play")
    assert (ran.code, ran.err) == (0, "")
    assert {"Written.", 'The result is "done".', "  (ended: complete)"} <= {*ran.lines}
    assert offered(server) == [["write_config"], ["write_config"]]


def test_what_a_model_gets_to_is_held_against_the_scenarios(server: FakeServer) -> None:
    done = [writes("config", result="done"), fake.words("Written.")]
    server.answers(*done, *done)
    ran = with_model(server, "test", MACHINES / "context_machine.scenario")
    assert (ran.code, ran.out) == (0, "2 passed, 0 failed\n")
    server.answers(fake.words("I would rather not."), *done)
    ran = with_model(server, "test", MACHINES / "context_machine.scenario")
    assert (ran.code, ran.lines[-1]) == (1, "1 passed, 1 failed")
    assert "    found:    start" in ran.lines
    assert not any("I would rather not" in line for line in ran.lines if line.startswith("    found:"))


def test_two_tasks_hand_over_by_a_record(server: FakeServer) -> None:
    task = [writes("config", value="hello world"), fake.words("Set.")]
    reading = [fake.calls(("read_config", {})), fake.words("It is.")]
    server.answers(*task, *reading, *task, *reading)
    ran = with_model(server, "test", MACHINES / "write_and_read.scenario")
    assert (ran.code, ran.out) == (0, "2 passed, 0 failed\n")
    assert offered(server)[:4] == [["write_config"], ["write_config"], ["read_config"], ["read_config"]]
    (result,) = [one for one in server.asked[3].body["messages"] if one["role"] == "tool"][-1:]
    assert "hello world" in result["content"]


def test_freya_saves_what_she_is_told(server: FakeServer, tmp_path: Path) -> None:
    text = (EXAMPLES / "health_intake" / "health_intake.scenario").read_text("utf-8")
    scenario = (
        "scenario: the model saves" + text.partition("scenario: the model saves")[2].partition("\nscenario:")[0] + "\n"
    )
    flow = EXAMPLES / "health_intake" / "health_intake.flow.yaml"
    (tmp_path / "freya.scenario").write_text(f"flow: {flow}\n{scenario}", "utf-8")
    server.answers(
        writes("user", name="Mo", age=52, tos_acknowledged=True),
        fake.words("Hello Mo!"),
        writes("symptoms", groups=["sleep"]),
        fake.words("And your mood?"),
        fake.calls(("write_symptoms", {"add": {"groups": ["mood", "memory"]}})),
        fake.words("I see."),
    )
    ran = with_model(server, "test", "freya.scenario", at=tmp_path)
    assert (ran.code, ran.out) == (0, "1 passed, 0 failed\n")
    assert [names[0] for names in offered(server)] == ["write_user"] * 2 + ["write_symptoms"] * 4
