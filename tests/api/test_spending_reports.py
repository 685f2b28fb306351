"""What a conversation has spent, over the API, over HTTP and in the terminal."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

import turnwise as tw
from turnwise.cli.spending import print_spending

FLOW = """
flow: talk
start: a
settings: {max_tokens: 100}
limits:
  budgets: [{money: 0.01 USD, then: ask}]
  prices: {"*": {input: 10, output: 20}}
nodes:
  a: {prompt: Talk.}
"""


class Model:
    async def reply(self, request: object) -> tw.ModelReply:
        return tw.ModelReply("Hello.", "m", 50, 10)


def printed(chat: tw.SyncChat) -> str:
    out = StringIO()
    print_spending(Console(file=out, width=200, color_system=None), chat.spending())
    return out.getvalue()


def test_a_report_has_the_sums_and_how_each_budget_stands() -> None:
    chat = tw.open_sync(tw.loads(FLOW), model=Model()).chat("c")
    chat.say("hi")
    report = chat.spending()
    assert (report.conversation.money, report.turn.tokens, report.currency) == (0.0007, 60, "USD")
    [budget] = report.budgets
    assert (budget.allowed, budget.spent, round(budget.left, 4)) == (0.01, 0.0007, 0.0093)
    assert budget.text == "0.0007 USD of 0.01 USD per conversation"


def test_each_turn_has_what_its_calls_used() -> None:
    chat = tw.open_sync(tw.loads(FLOW), model=Model()).chat("c")
    first, second = chat.say("hi"), chat.say("again")
    assert (first.spending.money, first.spending.tokens) == (0.0007, 60)
    assert second.spending.tokens == chat.turn(2).spending.tokens == 60
    assert chat.spending().conversation.tokens == 120
    assert chat.choose("nothing", position=1).spending.tokens == 0
    bare = tw.open_sync(tw.loads("{flow: t, start: a, nodes: {a: {prompt: A.}}}"), model=Model()).chat("c")
    assert bare.say("hi").spending.money == 0.0


def test_the_terminal_prints_the_sums_and_the_budgets() -> None:
    chat = tw.open_sync(tw.loads(FLOW), model=Model()).chat("c")
    chat.say("hi")
    text = printed(chat)
    assert "conversation: 60 tokens, 0.0007 USD" in text
    assert "0.0007 USD of 0.01 USD per conversation (then: ask)" in text
    bare = tw.open_sync(tw.loads("{flow: t, start: a, nodes: {a: {say: A.}}}")).chat("c")
    bare.start()
    assert "no budgets" in printed(bare)
