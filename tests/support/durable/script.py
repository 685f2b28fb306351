"""The flow that is played while processes die, what is said in it, and an understanding and a model that take their time."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from support.chats import machine_of
from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.commands import Affirm, AnyCommand, Cancel, Set
from turnwise.runner.model_port import CallMade, ModelReply
from turnwise.runner.result import Turn

FLOW = """
    flow: durable
    start: intake
    persona: You talk.
    records: {user: {name: string, age: integer, wish: string}, bill: {receipt: string}}
    tools:
      look: {about: look something up}
      pay: {about: pay, kind: effect, args: {amount: integer}}
      send: {about: send something, kind: effect, on_crash: check}
      ring: {about: ring, kind: effect, on_crash: unknown}
      book: {about: book, kind: effect, on_crash: unknown, confirm: true}
      settle: {about: settle, kind: effect, on_crash: check}
    nodes:
      intake:
        form: {fields: [{field: user.name, ask: What is your name?}, {field: user.age, ask: How old are you?}], confirm: {}}
        transitions: [{to: pause}]
      pause:
        say: One moment.
        transitions: [{id: wake, at: timer, in: 5ms, to: talk}]
      talk:
        prompt: Talk about wishes.
        collect: [user.wish]
        tools: {allow: [look, pay, send, ring, book]}
        transitions: [{at: before, when: message.text == "done", to: settling}]
      settling:
        tool: {name: settle, into: bill}
        transitions: [{to: over}]
      over: {say: Goodbye., end: finished}
"""


_COMMANDS: dict[str, AnyCommand] = {"yes": Affirm(), "cancel": Cancel()}


class Line(NamedTuple):
    """One event of a script; what is later has to wait for the timer."""

    kind: Literal["say", "choose", "undo"]
    text: str = ""
    is_later: bool = False


class Play(NamedTuple):
    """A flow, and what is said in it from its beginning to its end."""

    machine: Machine
    lines: tuple[Line, ...]


LINES = (
    Line("say", "hello"),
    Line("say", "user.name: Ada"),
    Line("say", "41"),
    Line("choose", "confirm"),
    Line("say", "user.wish: one", is_later=True),
    Line("say", "user.wish: two", is_later=True),
    Line("say", "call pay, look, look", is_later=True),
    Line("undo", is_later=True),
    Line("say", "call send, ring, pay", is_later=True),
    Line("say", "call book", is_later=True),
    Line("say", "yes", is_later=True),
    Line("say", "user.wish: three", is_later=True),
    Line("say", "done", is_later=True),
)


NESTED = """
    flow: nested
    start: talk
    persona: You talk.
    commands: [cancel]
    records: {user: {wish: string}, result: {mood: string, note: string}, score: {points: integer}, bill: {receipt: string}}
    tools:
      look: {about: look something up}
      pay: {about: pay, kind: effect, args: {amount: integer}}
      settle: {about: settle, kind: effect, on_crash: check}
    nodes:
      talk:
        prompt: Talk about wishes.
        collect: [user.wish]
        tools: {allow: [look, pay, open_quiz]}
        transitions:
          - {id: survey, at: before, when: message.text == "begin survey", call: survey}
          - {id: over, at: before, when: message.text == "finish", to: over}
      survey:
        scope:
          returns: result
          records: {paper: {receipt: string}}
          summary: "{{ result.mood }}, {{ result.note }}"
          start: ask
          nodes:
            ask: {form: {fields: [{field: result.mood, ask: Mood?}, {field: result.note, ask: Note?}]}, transitions: [{to: save}]}
            save: {tool: {name: settle, into: paper}, transitions: [{return: true}]}
      quiz:
        scope:
          returns: score
          summary: "{{ score.points }} points"
          start: play
          nodes:
            play:
              prompt: Play.
              tools: {allow: [look, pay]}
              transitions:
                - {id: rest, at: before, when: message.text == "rest", call: rest}
                - {id: end, at: before, when: message.text == "enough", end: enough, set: {score.points: 3}}
            rest: {scope: {returns: score}, prompt: Rest.}
      over: {say: Goodbye., end: finished}
"""
NESTED_LINES = (
    Line("say", "hello"),
    Line("say", "begin survey"),
    Line("say", "survey/result.mood: good"),
    Line("undo"),
    Line("say", "survey/result.mood: fine"),
    Line("say", "survey/result.note: done"),
    Line("say", "user.wish: one"),
    Line("say", "call open_quiz"),
    Line("say", "call pay, look"),
    Line("say", "rest"),
    Line("say", "I rest"),
    Line("say", "call finish_rest"),
    Line("say", "enough"),
    Line("undo"),
    Line("say", "enough"),
    Line("say", "begin survey"),
    Line("say", "cancel"),
    Line("say", "user.wish: two"),
    Line("say", "finish"),
)
BOOKING = Play(machine_of(FLOW), LINES)
SCOPES = Play(machine_of(NESTED), NESTED_LINES)


class Slow:
    """Understands `field: value`, and replies with something that was never said before; both after a while. To
    `call a, b` it replies with calls first.
    """

    def __init__(self, chance: random.Random, longest_s: float = 0.004) -> None:
        self.chance = chance
        self.longest_s = longest_s

    async def understand(self, message: str, _allowed: AllowedInput) -> Sequence[AnyCommand]:
        """A yes, or a field where the message names one."""
        await asyncio.sleep(self.chance.uniform(0, self.longest_s))
        if message in _COMMANDS:
            return [_COMMANDS[message]]
        field, _, value = message.partition(": ")
        return [Set(field=field, value=value)] if value else []

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Words that occur once."""
        await asyncio.sleep(self.chance.uniform(0, self.longest_s))
        last = request.transcript[-1] if request.transcript else None
        is_asked = last is not None and last.role == "user" and last.text.startswith("call ")
        asked = last.text.removeprefix("call ") if last is not None and is_asked else ""
        amount = {"amount": 1 + asked.find("pay")}  # another one after the undo, else it would need approval
        calls = [CallMade(tool, amount if tool == "pay" else {}) for tool in asked.split(", ") if tool]
        return ModelReply(secrets.token_hex(8), "slow", calls=tuple(calls))


def proof(turn: Turn) -> str:
    """A hash of what was said in a turn."""
    return sha256(turn.text.encode()).hexdigest()[:16]
