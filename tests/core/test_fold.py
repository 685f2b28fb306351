"""Every event has a change, and every list of kinds is the one that events and states declare."""

from __future__ import annotations

from typing import get_args

from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand, CommandName
from turnwise.core.state.fold import CHANGES


def test_every_event_but_the_first_has_a_change() -> None:
    assert CHANGES.keys() == {*get_args(e.AnyEvent)} - {e.Started}


def test_every_command_is_named() -> None:
    assert get_args(CommandName) == tuple(command.__struct_config__.tag for command in get_args(AnyCommand))
