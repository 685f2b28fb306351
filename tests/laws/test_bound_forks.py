"""Law 6.9: a fork does nothing to the world, unless that was allowed when it was made."""

from __future__ import annotations

import pytest

from support.tools import Stage, facts, made, uses
from turnwise.core.state import Failed
from turnwise.core.state import events as e

FLOW = """
flow: f
start: a
tools: {book: {about: book, kind: effect}, look: {about: look}}
nodes:
  a:
    prompt: Help.
    tools: {allow: ["*"]}
    transitions: [{at: after, when: tools.used("look"), to: b}]
  b: {tool: book, transitions: [{at: error, to: c}]}
  c: {prompt: It did not work.}
"""


@pytest.mark.law("6.9")
@pytest.mark.parametrize("effects", [False, True])
def test_a_fork_uses_no_tool_that_changes_the_world_unless_it_may(effects: bool) -> None:
    model = ["Hello.", uses(made("book")), "As you see.", uses(made("look")), "Seen.", "Sorry."]
    made_ = Stage(FLOW, model, {"book": {"ok": True}, "look": 1})
    made_.say("hello")
    made_.fork("copy", effects=effects)
    turn = made_.on("copy").say("book it")
    assert [refused.reason for refused in facts(turn, e.CallRefused)] == ([] if effects else ["fork"])
    assert len(made_.tools["book"].calls) == (1 if effects else 0)
    turn = made_.on("copy").say("look")
    assert len(made_.tools["book"].calls) == (2 if effects else 0)
    assert turn.state.node == ("b" if effects else "c")
    assert not isinstance(turn.state.status, Failed)
    assert made_.on("copy").replay()


@pytest.mark.law("6.9")
def test_the_conversation_that_it_came_from_still_may() -> None:
    made_ = Stage(FLOW, ["Hello.", uses(made("book")), "Done."], {"book": 1, "look": 1})
    made_.say("hello")
    made_.fork("copy")
    made_.say("book it")
    assert len(made_.tools["book"].calls) == 1
