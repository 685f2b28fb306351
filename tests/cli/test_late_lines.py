"""A line of the terminal answers what was shown when it was typed (law 3.8)."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

import turnwise as tw
from support.tools import NOON_MS
from turnwise.cli.chat import TerminalTalk

FLOW = """
flow: news
start: ask
records: {user: {news: {type: boolean, about: newsletter}}}
tools: {pay: {about: pay, kind: effect, confirm: true, args: {to: string}}}
nodes:
  ask:
    form: {fields: [{field: user.news, ask: Newsletter?}]}
    transitions: [{at: timer, in: 1s, to: pay}, {to: end}]
  pay: {tool: {name: pay, with: {to: '"Bo"'}}, transitions: [{to: end}, {at: error, to: end}]}
  end: {say: Bye., end: done}
"""


@pytest.mark.law("3.8", "4.5")
@pytest.mark.parametrize("line", ["yes", "1", "Yes"])
def test_a_line_that_was_typed_before_a_timer_asked_approves_nothing(line: str) -> None:
    paid: list[str] = []

    def pay(to: str) -> str:
        paid.append(to)
        return "ok"

    clock, out = tw.ManualClock(NOON_MS), StringIO()
    with tw.open_sync(tw.loads(FLOW), tools={"pay": pay}, clock=clock) as app:
        talk = TerminalTalk(app.chat("main"), Console(file=out), debug=False)
        talk.begin()
        clock.move_s(2)
        app.tick()
        talk.mark_shown()
        talk.look()
        talk.answer(line)
        assert paid == []
        assert out.getvalue().count("Shall I do this: pay?") >= 1
        talk.mark_shown()
        talk.answer(line)
        assert paid == ["Bo"]
