"""Makes the prompts of past model calls again, from the journal and the stored flow.

No prompt is stored. The journal has a hash of each, by which a prompt that was made again is proved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal, NamedTuple

from msgspec import Struct

from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.machine import Machine
from turnwise.core.prompts import (
    InstructionPart,
    ModelRequest,
    instructions,
    model_request,
    with_call_notice,
)
from turnwise.core.prompts.transcript import is_in_transcript
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, Message, Understand
from turnwise.core.state.fold import fold
from turnwise.errors import FlowUnavailable
from turnwise.runner.cache import SaidEntries, TranscriptWindows
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.result import Turn
from turnwise.runner.stored import StoredConversation

Purpose = Literal["reply", "aside", "word", "choose", "summary", "offer", "understand"]
"""The purposes for which a model is called."""
PromptSection = Literal[InstructionPart, "task", "transcript", "missing", "notes", "question", "wording", "must_call"]
"""The sections that a prompt can have."""

MOST_SEARCHED = 2000
"""How many entries before a turn are searched for an earlier prompt."""


class PromptPart(Struct, frozen=True):
    """A part of a prompt."""

    part: PromptSection
    """The section of the prompt that this part is."""
    text: str
    """The text of the part."""
    role: Literal["", "user", "agent", "tool", "person"] = ""
    """Who speaks, in a message of the transcript; `person` was in charge of the conversation. Empty for other parts."""


class Prompt(Struct, frozen=True):
    """A prompt that a model was sent."""

    seq: int
    """The position of the model call in the journal."""
    effect: str
    """The id of the model call."""
    node: str
    """The node that called the model."""
    purpose: Purpose
    """What the model was called for."""
    request: ModelRequest
    """The whole request that was sent to the model."""
    parts: tuple[PromptPart, ...]
    """The parts of the prompt, in order."""
    hash: str = ""
    """The hash of the prompt in the journal; empty if the call failed, as then there is none."""
    is_proved: bool = False
    """True if the hash of this rebuilt prompt equals the one in the journal."""
    begins: tuple[int, int] = (0, 0)
    """The position in the journal and the turn of the first message in the transcript; (0, 0) if there is none."""
    history: int = 0
    """The number of earlier turns that the transcript shows."""

    @property
    def text(self) -> str:
        """The texts of all parts, separated by blank lines; a message of the transcript begins with its role."""
        return "\n\n".join(f"{part.role}: {part.text}" if part.role else part.text for part in self.parts)


class Asked(NamedTuple):
    """A model call of a turn, with what the prompt was made from."""

    state: State
    """The state in which the call was made."""
    recent: tuple[e.Entry, ...]
    """The entries of the turn before the call."""
    effect: CallModel | Understand
    """The call: of the node's model, or to understand a message."""
    seq: int
    """The position of the model call in the journal."""
    result: e.Entry | None
    """The entry of the call's result; `None` if there is none."""


_ANSWERED = e.ModelReplied | e.Understood
Answered = e.ModelReplied | e.ModelFailed | e.Understood | e.UnderstandingFailed
"""Events that record the outcome of a model call."""


def model_calls(turn: Turn) -> Iterator[Asked]:
    """Yield the model calls of a turn, in order; understanding a message counts if a model did it."""
    results = {entry.event.effect: entry for entry in turn.entries if isinstance(entry.event, Answered)}
    state, recent = turn.before, list[e.Entry]()
    for entry in turn.entries:
        state = fold(state, entry)
        recent = [entry] if isinstance(entry.event, e.TurnRestarted) else [*recent, entry]
        effect = entry.event.effect if isinstance(entry.event, e.EffectAsked) else None
        if isinstance(entry.event, e.TurnRestarted) and state.doing is not None:
            effect = state.doing.awaited
        result = results.get(effect.id) if effect is not None else None
        is_read_by_model = isinstance(effect, Understand) and result is not None and _is_by_model(result.event)
        if isinstance(effect, CallModel) or (isinstance(effect, Understand) and is_read_by_model):
            yield Asked(state, tuple(recent), effect, entry.seq, result)


def _is_by_model(event: e.AnyEvent) -> bool:
    return isinstance(event, e.Understood) and event.by == "model"


async def prompts(store: Store, machines: AnyMachines, turn: Turn) -> tuple[Prompt, ...]:
    """Return the prompts that models were sent in a turn, in order."""
    asked = list(model_calls(turn))
    if not asked:
        return ()
    machine = turn.machine
    with suppress(FlowUnavailable):  # a guard that cannot run matters only where a model chose a transition
        machine = await machines.runnable_machine(turn.machine.fingerprint)
    return tuple([await _prompt(store, machine, turn.conversation, one) for one in asked])


async def last_prompt_before(store: Store, machines: AnyMachines, turn: Turn) -> Prompt | None:
    """Return the last prompt before a turn; `None` if none of the `MOST_SEARCHED` entries before it belongs to one."""
    from turnwise.runner.turn_result import TurnResults

    first = turn.entries[0].seq
    async for entry in StoredConversation(store, turn.conversation).backwards(first - 1, first - 1 - MOST_SEARCHED):
        if isinstance(entry.event, e.ModelReplied | e.ModelFailed) or _is_by_model(entry.event):
            earlier = await TurnResults(machines, store).stored_turn(turn.conversation, entry.turn)
            return next(reversed(await prompts(store, machines, earlier)), None)
    return None


async def _prompt(store: Store, machine: Machine, conversation: str, asked: Asked) -> Prompt:
    state, effect, machine = asked.state, asked.effect, machine.for_conversation(asked.state)
    windows = TranscriptWindows(store_before(store, asked.recent[0].seq))
    lines = await windows.lines(machine, conversation, state, asked.recent)
    window = tuple([line.message for line in lines])
    if isinstance(effect, CallModel):
        request, purpose = _as_answered(model_request(machine, state, window, effect), asked.result), effect.purpose
        parts = _parts(request, instructions(machine, state) if purpose != "summary" else {})
    else:
        from turnwise.runner.model_calls import request_to_understand

        message = state.doing.message if state.doing is not None else None
        shown = allowed_input(machine, state, conversation, has_model=True)
        secrets = await windows.secrets(machine, conversation, state, asked.recent)
        request = request_to_understand(machine, state, window, message or "", shown, secrets)
        request = _as_answered(request, asked.result)
        purpose = "understand"
        parts = _parts(request, {})
    event = asked.result.event if asked.result is not None else None
    proof = event.prompt if isinstance(event, e.ModelReplied | e.Understood) else ""
    is_proved = bool(proof) and proof == request.fingerprint()
    begins = (lines[0].seq, lines[0].turn) if lines else (0, 0)
    history = len({line.turn for line in lines} - {state.turn})
    return Prompt(asked.seq, effect.id, request.node, purpose, request, tuple(parts), proof, is_proved, begins, history)


def _as_answered(request: ModelRequest, result: e.Entry | None) -> ModelRequest:
    """Return a request as the model got it that answered: after replies that called tools in their text."""
    attempts = result.event.attempts if result is not None and isinstance(result.event, _ANSWERED) else ()
    for attempt in attempts:
        if attempt.tool:
            request = with_call_notice(request, attempt.tool)
    chars = result.event.request_chars if result is not None and isinstance(result.event, _ANSWERED) else 0
    if not chars:
        return request
    from turnwise.core.prompts.shortening import shortened

    return shortened(request, chars)


def _parts(request: ModelRequest, of_node: dict[InstructionPart, str]) -> Iterator[PromptPart]:
    """Yield the parts of a request in the order in which a model reads them."""
    if of_node:
        yield from (PromptPart(part, text) for part, text in of_node.items())
    else:
        yield from (PromptPart("task", text) for text in request.instructions)
    if request.missing:
        yield PromptPart("missing", ", ".join(request.missing))
    yield from (PromptPart("notes", note) for note in request.notes)
    if request.question:
        yield PromptPart("question", request.question)
    if request.wording:
        yield PromptPart("wording", request.wording)
    if request.must_call:
        yield PromptPart("must_call", request.must_call)
    for message in request.transcript:
        yield PromptPart("transcript", message_text(message), "person" if message.person else message.role)


def message_text(message: Message) -> str:
    """Return a message of a transcript as text: what was said, then a line for each call; a result as JSON."""
    if message.role == "tool":
        return f"{message.tool}: {json.dumps(message.result, ensure_ascii=False)}"
    calls = [f"-> {call.tool} {json.dumps(call.arguments, ensure_ascii=False)}" for call in message.calls]
    return "\n".join([*([message.text] if message.text else []), *calls])


def store_before(store: Store, seq: int) -> SaidEntries:
    """Return a view of a store that ends before a position, for the transcript of a past turn."""
    return _StoreBefore(store, seq)


class _StoreBefore:
    """A store as it was before a position, for the transcript of a past turn."""

    def __init__(self, store: Store, seq: int) -> None:
        self.store = store
        self.seq = seq

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[e.Entry, ...]:
        """Return the last `limit` entries after a position, and before that of this store, that hold something said."""
        found: list[e.Entry] = []
        async for entry in StoredConversation(self.store, conversation).backwards(self.seq - 1, after):
            if is_in_transcript(entry.event) and frame in (None, entry.frame):
                found.append(entry)
            if len(found) >= limit:
                break
        return tuple(reversed(found))

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[e.Entry, ...]:
        """Return the entries between two positions that are before that of this store."""
        last = self.seq - 1
        return await self.store.entries(conversation, after, last if until is None else min(until, last))
