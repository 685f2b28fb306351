"""The place where a program makes a part of a flow, also where Python knows less about it."""

from __future__ import annotations

import subprocess
import sys

import pytest

import turnwise as tw

PROGRAM = """
import turnwise as tw
node = tw.Node("a", say="Hi!",
               timeout_s=[])
print(node.span, node.span.of("timeout_s"), node.span.of("timeout"))
"""


@pytest.mark.parametrize(("option", "places"), [("utf8", "3:8"), ("no_debug_ranges", "3:1")])
def test_the_place_is_that_of_the_call_or_of_its_line(option: str, places: str) -> None:
    done = subprocess.run([sys.executable, "-X", option, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == f"<string>:{places}"


def test_an_argument_has_its_own_place() -> None:
    node = tw.Node("a", say="Hi!", timeout_s="30m", collect=["user.name", "user.age"])
    line = node.span.line
    assert (node.span.of("timeout").line, node.span.of("timeout").column) == (line, 47)
    assert node.span.of("collect.1").column > node.span.of("collect").column
    assert node.collect is not None
    assert node.collect.span.of("fields")[:3] == node.span.of("collect")[:3]


def test_without_frames_the_place_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.delattr(sys, "_getframe")
        node = tw.Node("a", timeout_s="30m")
    assert str(node.span) == "flow"
    assert node.timeout_s == 1800
