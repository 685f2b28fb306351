"""`turnwise chat` with a person: one terminal plays the user and the operator (law 6.10)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.shell import run

pytestmark = pytest.mark.law("6.10")

FLOW = """
flow: support
start: ask
records:
  case: {code: {type: integer, max: 99}}
nodes:
  ask: {say: What is it about?, transitions: [{at: before, when: turns > 0, to: desk}]}
  desk:
    person: {queue: billing, about: a refund, timeout: 1h}
    transitions: [{id: solved, when: person.outcome == "solved", to: done}, {to: coded}]
  done: {say: Thank you., end: solved}
  coded: {say: "The code is {{case.code}}.", end: coded}
"""


@pytest.fixture
def flow(tmp_path: Path) -> Path:
    """The flow as a file."""
    path = tmp_path / "support.flow.yaml"
    path.write_text(FLOW, "utf-8")
    return path


def talked(flow: Path, *lines: str, args: tuple[str, ...] = ()) -> list[str]:
    """What is printed for some lines."""
    ran = run("chat", flow, *args, given="".join(f"{line}\n" for line in lines).encode())
    assert (ran.code, ran.err) == (0, "")
    return ran.lines


def test_one_person_plays_both_sides(flow: Path) -> None:
    lines = talked(
        flow,
        "my bill",
        "hello?",
        "/take-over Lena; because(on shift)",
        "/operator Hi.",
        "hi Lena",
        "/state",
        "/why",
        "/give-back solved",
    )
    assert lines[:8] == [
        "What is it about?",
        "One moment: I am getting a person for you.",
        "  (waits for a person: queue billing, a refund)",
        "I have passed that on. A person will answer you here.",
        "  (not interpreted while a person is awaited)",
        "  (Lena has taken over: nothing is interpreted until they give back)",
        "Lena › Hi.",
        "  (not interpreted while a person is in charge)",
    ]
    assert lines[8].startswith("node desk, turn 6, with Lena, who is in charge since ")
    assert lines[8].endswith(", on shift; nothing is interpreted or judged")
    assert lines[-3:] == ["  (Lena has given back: solved)", "Thank you.", "  (ended: solved)"]


def test_why_says_for_whom_it_waits(flow: Path) -> None:
    lines = talked(flow, "my bill", "/why", "/why-not solved")
    head = "solved was not judged in turn 2: it is judged when the work of the node is done, and its work is a person"
    assert any(line.startswith(head) for line in lines)
    assert any(line.startswith("waiting for a person in the queue billing (a refund) since ") for line in lines)


def test_values_and_transitions_are_given_back(flow: Path) -> None:
    lines = talked(
        flow, "my bill", "/take-over Lena", "/give-back x; set(case.code, 100)", "/give-back x; set(case.code, 7)"
    )
    assert lines[-5:] == [
        "case.code: That is more than 99.",
        "  (Lena stays in charge: nothing was given back)",
        "  (Lena has given back: x)",
        "The code is 7.",
        "  (ended: coded)",
    ]
    lines = talked(flow, "my bill", "/take-over Lena", "/give-back x; take(solved); because(agreed)", "/why")
    assert "after: desk → done by solved; chosen by Lena, a person: agreed" in lines


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/take-over", "'' does not say who takes over; write it like Lena; because(on shift)"),
        ("/operator Hello.", "no person is in charge of this conversation: take it over first"),
        ("/give-back x; nonsense", "'nonsense' is no command; write it like set(user.age, 45)"),
        (
            "/give-back x; affirm",
            "'affirm' sets no field; write it like solved; set(user.age, 45); take(TRANSITION); because(we agreed)",
        ),
        ("/take-ovr Lena", "there is no /take-ovr; did you mean '/take-over'?"),
    ],
)
def test_a_wrong_line_is_explained(flow: Path, line: str, said: str) -> None:
    assert talked(flow, line)[-1] == said


def test_a_turn_as_json_has_the_person(flow: Path) -> None:
    found = [json.loads(line) for line in talked(flow, "my bill", "hello?", args=("--json",))]
    assert found[1]["person"]["queue"] == "billing"
    assert found[2]["note"] == "not interpreted while a person is awaited"


def test_a_second_terminal_plays_the_operator(flow: Path, tmp_path: Path) -> None:
    """On the same store; the first one shows what the operator says when it looks again."""
    store = ("--store", f"sqlite:///{tmp_path / 'talks.db'}", "--conversation", "ada")
    talked(flow, "my bill", args=store)
    lines = talked(flow, "/take-over Lena", "/operator Hi.", args=store)
    assert lines[-1] == "Lena › Hi."
    assert talked(flow, "/give-back solved", args=store)[-2:] == ["Thank you.", "  (ended: solved)"]
