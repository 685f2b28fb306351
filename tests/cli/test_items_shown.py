"""The terminal says in `/why` what became of the items that a message is about; of a secret list no value."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from support.chats import talk
from turnwise.cli.show import print_why
from turnwise.core.state import commands
from turnwise.core.state import commands as c

FLOW = """
    flow: shop
    start: cart
    records:
      pizza: {kind: string, size: {type: choice, options: [Small, Large]}}
      order: {items: {type: list, of: pizza, secret: SECRET}}
    nodes: {cart: {say: "Yes?", collect: [order], transitions: [{when: size(order.items) > 9, end: done}]}}
"""
ITEMS = "order.items"
ADDED = c.Add(field=ITEMS, item={"kind": "Salami", "size": "Small"})
LINES = (
    (c.Change(field=ITEMS, item=1, name="size", value="Large"), "order.items[i1].size = Large"),
    (c.Change(field=ITEMS, item=1, name="size", value=None), "order.items[i1].size = nothing"),
    (c.Move(field=ITEMS, item=1, to=2), "order.items[i1] moved to position 2"),
    (c.Remove(field=ITEMS, item=2), "order.items[i2] removed"),
    (ADDED, "order.items[i3] added: Salami, Small"),
)


def lines_of(*said: commands.AnyCommand, secret: str = "false") -> str:
    made = talk(FLOW.replace("SECRET", secret))
    made.chat.start()
    made.chat.commands([ADDED, c.Copy(field=ITEMS, item=1)])
    console = Console(file=StringIO(), width=200)
    print_why(console, made.chat.commands(said))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(("command", "line"), LINES)
def test_a_line_says_what_became_of_an_item(command: commands.AnyCommand, line: str) -> None:
    assert f"set by a command: {line}\n" in lines_of(command)


def test_of_a_secret_list_no_value_is_printed() -> None:
    printed = lines_of(LINES[0][0], ADDED, secret="true")
    assert "order.items[i1].size = [secret]" in printed
    assert "Salami" not in printed
    assert "Large" not in printed
