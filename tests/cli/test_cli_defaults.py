"""What `/state` prints of fields that have a default, and no value of their own."""

from __future__ import annotations

import pytest

from support.chats import OneSyncChat, flow_of, machine_of
from turnwise.cli.show import plain_console, print_state

FLOW = """
flow: f
start: a
records: {ticket: {urgent: {type: boolean, default: false}, pin: {type: string, default: "77", secret: true}, note: string}}
nodes: {a: {say: A.}}
"""


def test_a_default_is_a_value_of_the_state(capsys: pytest.CaptureFixture[str]) -> None:
    with OneSyncChat(flow_of(FLOW)) as chat:
        state = chat.start().state
    print_state(plain_console(), machine_of(FLOW), state)
    shown = capsys.readouterr().out
    assert "ticket.urgent = false   (default)" in shown
    assert "77" not in shown
    assert "no fields yet" not in shown
