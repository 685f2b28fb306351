"""Scripts in files: replies in YAML or JSON, and what is said about a file that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.asking import ask, request
from turnwise.errors import TurnwiseError
from turnwise.models import call_settings, model_named
from turnwise.runner.model_port import CallMade, TextDelta, Usage

SCRIPT = """
- Hello.
- {text: Let me see., calls: [{tool: search, arguments: {q: x}}, {tool: think}]}
- fails: no network
"""


def test_replies_come_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "replies.yaml"
    path.write_text(SCRIPT)
    assert ask(model_named(f"scripted:{path}", call_settings({})), *[request("x")] * 3) == [
        TextDelta("Hello."),
        Usage("scripted"),
        TextDelta("Let me see."),
        CallMade("search", {"q": "x"}),
        CallMade("think", {}),
        Usage("scripted"),
        "no network",
    ]


REPLY = "a text, or {text, calls: [{tool, arguments}], finish: length}, or {fails: reason}"
DIALOGUE = "{start, lines: [{node, say, replies}], otherwise: [{node, matches, replies}]}"
HOW = f"a script is a list of replies: {REPLY}; or a dialogue: {DIALOGUE}; a reply is {REPLY}"
WRONG = [
    (None, ": the script cannot be read: No such file or directory"),
    (b"\xff", ": the script is no text in UTF-8"),
    (b"- a\n- [", ":2:4: the script is no YAML: expected the node content, but found '<stream end>'"),
    (b"hello", f": Expected `object | array`, got `str`; {HOW}"),
    (b"- {text: a, cals: []}", f": Object contains unknown field `cals` - at `$[0]`; {HOW}"),
    (b"- a\n- {calls: [{arguments: {}}]}", f": Object missing required field `tool` - at `$[1].calls[0]`; {HOW}"),
]


@pytest.mark.parametrize(("written", "said"), WRONG)
def test_what_is_no_script_is_told_with_its_place(written: bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "replies.yaml"
    if written is not None:
        path.write_bytes(written)
    with pytest.raises(TurnwiseError) as failure:
        model_named(f"scripted:{path}", call_settings({}))
    assert str(failure.value) == f"{path}{said}"
