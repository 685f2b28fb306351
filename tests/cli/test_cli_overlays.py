"""`/overlay` in the terminal: how overlays stand, and forcing one on or off (law 6.6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.shell import run

pytestmark = pytest.mark.law("6.6")

FLOW = """
flow: tutor
start: chat
overlays:
  viking_weekend: {from: 1999-11-20, to: 1999-11-22, name: Ragnar}
  holiday: {from: 2000-01-01, addendum: The school is closed.}
records: {u: {a: boolean}}
nodes: {chat: {transitions: [{when: u.a, end: over}], say: "{{ default(persona.name, 'Maya') }} is here."}}
"""


def talked(tmp_path: Path, *lines: str) -> list[str]:
    """What is printed for some lines."""
    path = tmp_path / "tutor.flow.yaml"
    path.write_text(FLOW.replace("'Maya'", '\\"Maya\\"'), "utf-8")
    ran = run("chat", path, given="".join(f"{line}\n" for line in lines).encode())
    assert (ran.code, ran.err) == (0, "")
    return ran.lines


def test_an_overlay_is_forced_in_the_terminal(tmp_path: Path) -> None:
    lines = talked(tmp_path, "/overlay", "/overlay viking_weekend on; by(Lena)", "/overlay viking_weekend auto")
    assert lines[1:] == [
        "  viking_weekend: not active; no date is to come",
        "  holiday: active; its dates have no end",
        "  viking_weekend: not active, active from the next turn on; forced on by Lena",
        "  holiday: active; its dates have no end",
        "  viking_weekend: not active; no date is to come",
        "  holiday: active; its dates have no end",
    ]
    assert lines[0] == "Maya is here."


def test_wrong_lines_are_explained(tmp_path: Path) -> None:
    lines = talked(
        tmp_path, "/overlay viking_weekend", "/overlay viking on", "/overlay holiday off for all", "/overlai"
    )
    assert lines[1].startswith(
        "'viking_weekend' does not say how an overlay is forced; write it like viking_weekend on"
    )
    assert lines[2] == "no overlay is called 'viking'; did you mean 'viking_weekend'?"
    assert lines[4] == "  holiday: active, not active from the next turn on; forced off for all"
    assert lines[5] == "there is no /overlai; did you mean '/overlay'?"
