"""Why where a limit of stored values refused something: the refusal is whole, and the limit leads to it."""

from __future__ import annotations

from support.why_cases import Talk
from support.whys import Chat, lines_of

SMALL = """
flow: small
start: talk
limits: {lists: 3, strings: 20}
records:
  r: {note: {type: string, about: a note}, days: {type: list, of: integer, about: days}}
nodes:
  talk:
    prompt: Talk.
    transitions: [{id: keep, at: before, when: message.text.startsWith("y"), set: {r.note: message.text}, to: kept}]
  kept: {say: Kept.}
"""
LONG = "y" * 50


def talk() -> Chat:
    return Talk(SMALL, ["Well."] * 9).did("hi").chat


def written() -> Chat:
    """A transition sets a text that is too long."""
    chat = talk()
    chat.say(LONG)
    return chat


def test_a_message_of_the_machine_is_not_cut_to_the_limit_of_values() -> None:
    told = lines_of(written().why("turn 2"))
    assert "r.note: That text is too long: 20 characters are allowed" in told, told
