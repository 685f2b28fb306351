"""What a model is shown for one call (law 3.6): built for this call, never stored.

Its parts stand in an order that changes as little as can be from call to call: first who speaks,
then what the node wants, then what is known, then what was said.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from msgspec import Struct
from msgspec.json import encode

from turnwise.core.guards.env import live
from turnwise.core.lacking import lacking
from turnwise.core.machine import Machine
from turnwise.core.state import State


class Line(Struct, frozen=True):
    """A line of the transcript: who spoke, and what."""

    role: Literal["user", "agent"]
    text: str


class ModelRequest(Struct, frozen=True, omit_defaults=True):
    """One call: instructions in their order, the transcript window, and what is still missing.

    `missing` are the titles of fields that the node collects and still lacks; `notes` say
    what the machine refused in this turn; `question` is to be answered aside, in a sentence or two.
    """

    node: str
    instructions: tuple[str, ...]
    transcript: tuple[Line, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    question: str = ""
    language: str = "en"

    def fingerprint(self) -> str:
        """A hash by which the same request is known again."""
        return sha256(encode(self)).hexdigest()[:16]


def model_request(machine: Machine, state: State, transcript: tuple[Line, ...], question: str = "") -> ModelRequest:
    """The request for the node in charge."""
    node = machine.nodes[state.node]
    env = live(state)
    is_entering = state.frame.entered_turn == state.turn
    parts = (
        node.persona(env) if node.persona is not None else "",
        node.prompt(env) if node.prompt is not None else "",
        node.entry(env) if node.entry is not None and is_entering else "",
    )
    heard = state.doing.heard if state.doing is not None else ()
    return ModelRequest(
        node=state.node,
        instructions=tuple(part for part in parts if part.strip()),
        transcript=transcript,
        missing=tuple(machine.title(address) for address in lacking(machine, state)),
        notes=tuple(item.text for item in heard if item.kind == "refused" and item.text and item.field),
        question=question,
        language=machine.language.code,
    )
