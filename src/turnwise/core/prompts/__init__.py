"""Builds the request to a model for one call (law 3.6). It is never stored.

Its parts stand in an order that changes as little as can be from call to call: first who speaks,
then what the node wants, then what is known, then what was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.call_names import CHOICE_PREFIX, NO_NAMES, CallNames
from turnwise.core.commands.allowed_input import fields_to_collect
from turnwise.core.guards import env_of
from turnwise.core.language.codes import speak_in
from turnwise.core.machine import Machine
from turnwise.core.offers.asking import is_next
from turnwise.core.overlays import overlay_instructions, persona_of
from turnwise.core.prompts.markers import without_marks
from turnwise.core.scopes import continues_after_scope
from turnwise.core.scopes.summaries import summary_instructions
from turnwise.core.state import CommandOutcome, State
from turnwise.core.state.effects import CallModel, Message, ToolSpec
from turnwise.core.tools.offered import offered_tools

_PART = 2047
"""How many bytes are hashed at a time: with more the interpreter goes to another thread in the middle of a turn."""


class ModelRequest(Struct, frozen=True, gc=False, omit_defaults=True):
    """A request to a model: the instructions, the part of the transcript, the tools that may be used now."""

    node: str
    """The node for which the model speaks."""
    instructions: tuple[str, ...]
    """The instructions to the model, in their order."""
    transcript: tuple[Message, ...] = ()
    """The messages of the conversation that the model sees."""
    tools: tuple[ToolSpec, ...] = ()
    """The tools that the model may call now."""
    missing: tuple[str, ...] = ()
    """The titles of fields that the node collects and still lacks."""
    notes: tuple[str, ...] = ()
    """Sentences about what the machine refused or needs in this turn."""
    question: str = ""
    """A question of the user to answer aside, in one or two sentences; empty if none."""
    wording: str = ""
    """A question of a form that the model should rephrase; empty if none."""
    must_call: str = ""
    """The tool that the model has to call; empty if none."""
    language: str = "en"
    """The code of the conversation's language."""
    model: str = ""
    """The model that the flow or node names; empty if they name none."""
    spoken_notes: tuple[str, ...] = ()
    """`notes` as users read them, if that differs: texts said where there is no model; else empty."""
    settings: dict[str, Any] = {}
    """The model settings that the flow or node asks for, by name."""
    after_scope: bool = False
    """True if the node continues after a closed scope or declined offer; not sent to the model.
    Without a model and missing fields the node has nothing to say then.
    """
    call_names: CallNames = NO_NAMES
    """All tools of the flow, to detect a call that the model writes as text; not sent to the model."""

    def as_sent(self) -> ModelRequest:
        """Return the request without the parts that are not sent to a model."""
        is_bare = self.call_names is NO_NAMES and not self.after_scope
        return self if is_bare else replace(self, call_names=NO_NAMES, after_scope=False)

    def fingerprint(self) -> str:
        """Return a hash of the request, which is the same for equal requests."""
        found, data = sha256(), encode(self.as_sent())
        for start in range(0, len(data), _PART):
            found.update(data[start : start + _PART])
        return found.hexdigest()[:16]


_OFFERED = (
    "Right after your reply the application asks the user a question with yes and no. So ask no question of your own in"
    " this reply."
)
_GIVEN_BACK = (
    "A person was in charge of this conversation until now; the person's words are marked. Go on from there, and do not"
    " ask again what was agreed."
)


def model_request(machine: Machine, state: State, transcript: tuple[Message, ...], effect: CallModel) -> ModelRequest:
    """Return the request to the model for the node in charge, for the purpose of the call `effect`, with the lines of
    the transcript.
    """
    if effect.purpose == "summary":
        return _summary_request(machine, state, transcript, effect.about)
    frame = state.frame
    node = machine.nodes[frame.node]
    outcomes, purpose = state.doing.outcomes if state.doing is not None else (), effect.purpose
    notes, spoken = _notes(outcomes) if outcomes else ([], ())
    tools = offered_tools(machine, state) if purpose in ("reply", "choose") else ()
    if purpose == "choose":
        ways = [spec.name for spec in tools if spec.name.startswith(CHOICE_PREFIX)]
        notes.append(f"Your work here is done. Go on by calling one of: {', '.join(ways)}.")
    return ModelRequest(
        node=frame.node,
        instructions=tuple(instructions(machine, state).values()),
        transcript=transcript,
        missing=tuple(map(machine.title, fields_to_collect(machine, state))),
        tools=tools,
        notes=tuple(map(without_marks, notes)),
        spoken_notes=spoken,
        question=without_marks(effect.about) if purpose == "aside" else "",
        wording=without_marks(effect.about) if purpose in ("word", "offer") else "",
        language=machine.language.code,
        model=node.node.model or machine.flow.model,
        settings=node.settings,
        after_scope=machine.has_scopes and purpose == "reply" and continues_after_scope(state),
        call_names=machine.call_names,
    )


def _summary_request(machine: Machine, state: State, transcript: tuple[Message, ...], outcome: str) -> ModelRequest:
    """Return the request for the summary of the scope in charge, which closes with an outcome."""
    frame = state.frame
    assert frame.scope is not None
    node, scope = machine.nodes[frame.node], machine.scopes[frame.scope.name].scope
    assert scope is not None
    return ModelRequest(
        node=frame.node,
        instructions=tuple(map(without_marks, summary_instructions(machine, state, outcome))),
        transcript=transcript,
        language=machine.language.code,
        model=scope.summary.model or node.node.model or machine.flow.model,
        settings=node.settings,
        call_names=machine.call_names,
    )


def _notes(outcomes: Sequence[CommandOutcome]) -> tuple[list[str], tuple[str, ...]]:
    """Return what was refused in the turn as notes for a model, and as people read it where that is another text."""
    refused = [item for item in outcomes if item.kind == "refused" and item.text and item.field]
    spoken = tuple([item.text for item in refused]) if any(item.iso for item in refused) else ()
    return [item.iso or item.text for item in refused], spoken


def with_call_notice(request: ModelRequest, tool: str) -> ModelRequest:
    """Return a request with the notice that the last reply wrote a call of `tool` as text and was rejected."""
    note = (
        f"Your last reply was discarded: it had a call of the tool {tool} written as text. To use a tool, make a tool"
        " call; else answer the user in words."
    )
    if request.must_call:
        note = f"Your last reply was discarded: it had a call of the tool {tool} written as text. Make a tool call."
    return request if note in request.notes else replace(request, notes=(*request.notes, note))


InstructionPart = Literal["persona", "overlay", "prompt", "entry", "note", "schedule", "instructions"]
"""What an instruction comes from: the key of its node, its flow or the transition that entered the node, or the machine
itself, such as after a person gave back.
"""


def instructions(machine: Machine, state: State) -> dict[InstructionPart, str]:
    """Return the instructions for the node in charge by part, in their order, without empty ones."""
    frame = state.frame
    node, env = machine.nodes[frame.node], env_of(state)
    persona = node.persona if state.overlays is None else persona_of(machine, state, node)
    is_entering = frame.entered_turn == state.turn
    own = [_GIVEN_BACK] if state.doing is not None and state.doing.kind == "given_back" else []
    if machine.languages and machine.language.code == "en":  # other languages are always named, and it spoke one
        own.append(speak_in("en"))
    awaited = state.doing.awaited if state.doing is not None else None
    is_reply = isinstance(awaited, CallModel) and awaited.purpose == "reply"
    if is_reply and (state.offers or node.offer is not None) and is_next(machine, state):
        own.append(_OFFERED)
    parts: dict[InstructionPart, str] = {
        "persona": persona(env) if persona is not None else "",
        "overlay": overlay_instructions(machine, state, node) if state.overlays is not None else "",
        "prompt": node.prompt(env) if node.prompt is not None else "",
        "entry": node.entry(env) if node.entry is not None and is_entering else "",
        "note": f"A note from the part of the conversation before: {frame.note}" if frame.note else "",
        "schedule": _of_schedules(machine, state) if state.schedules is not None else "",
        "instructions": " ".join(own),
    }
    return {part: without_marks(text) for part, text in parts.items() if text.strip()}


def schedules_left(machine: Machine, state: State) -> tuple[str, ...]:
    """Return the names of the schedules whose texts still go into the next reply, the oldest first."""
    known = state.schedules
    left = [one.schedule for one in known.instructions if one.until_ms > state.at_ms] if known is not None else []
    return tuple([one for one in left if one in machine.schedules and machine.schedules[one].reaches(state)])


def _of_schedules(machine: Machine, state: State) -> str:
    """Return the texts that schedules left for the next reply of the frame in charge."""
    texts = [machine.schedules[name].instruct for name in schedules_left(machine, state)]
    return "\n".join([text(env_of(state)) for text in texts if text is not None])
