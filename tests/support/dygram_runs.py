"""The four listings of seed 002, and runs of documents in DyGram with scripted replies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import turnwise as tw
from turnwise.core.state.events import Moved

FIRST = """task start {
  prompt: "Update config.result with 'done'"
}

context config {
  result: ""
}

start -writes-> config;
start -when: "config.result"-> complete;
"""
SECOND = """machine "Context Test" {
  logLevel: "debug"
}

task write {
  prompt: "Set config.value to 'hello world'"
}

task read {
  prompt: "Read config.value and confirm it's 'hello world'"
}

context config {
  value: ""
}

write -writes-> config
read -reads-> config
write -> read
"""
THIRD = """machine "Prompt Priority Test" {
  logLevel: "debug"
}

task work {
  prompt: "Set result.done to true"
}

context result {
  done: false
}

work -writes-> result
work -when: "result.done"-> complete
"""
FOURTH = """machine "Error Test" {
  logLevel: "debug"
}

task risky {
  prompt: "Try to use a non-existent tool"
}

state failed "Error handler"

risky -catch-> failed
"""


class Played:
    """A run of a document with the replies of a script, and what its model was asked."""

    def __init__(self, text: str, replies: Iterable[Any]) -> None:
        self.model = tw.ScriptedModel(replies)
        with tw.open_sync(tw.loads(text, format="dygram"), model=self.model) as app:
            self.turns = app.chat("main").run()
        self.last = self.turns[-1]
        self.events = [event for turn in self.turns for event in turn.events]
        self.moves = [(one.source, one.target, one.because) for one in self.events if isinstance(one, Moved)]

    def tools_at(self, node: str) -> list[list[str]]:
        """The tools that the model was offered at a node, for each of its calls."""
        return [[tool.name for tool in call.tools] for call in self.model.calls if call.node == node]


def codes(text: str) -> list[tuple[str, int]]:
    """The codes and lines of what is reported of a document."""
    from turnwise.api.documents import check_text

    return [(one.code, one.span.line) for one in check_text(text.encode(), "flow.dy")]
