"""Dry run: what an event would do to a conversation, without doing it.

The pure core takes the turn on a copy of the state. Nothing is stored; no model, tool or understanding of the host is
called. Where one of them would decide what follows, the dry run stops and says so.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.machine import Machine
from turnwise.core.prompts import model_request
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect, CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.state.kinds import RefusalCode
from turnwise.core.step import start, step
from turnwise.core.turn import Refusal, Step
from turnwise.core.values import REDACTED
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Clock
from turnwise.runner.result import Turn
from turnwise.runner.services import Task

Decider = Literal["", "model", "tool", "understanding"]
"""What would have to be asked before more is known; empty if nothing."""
_REPLY = "…"
"""The words of a model's reply that is supposed, where they decide nothing."""
_MOST_EFFECTS = 200


class DryRun(Struct, frozen=True):
    """The result of trying an event without effects. `refused` is the code of its refusal, `refusal` the text."""

    turn: Turn
    """The turn that the event would begin, up to the call at which the dry run stops."""
    refused: RefusalCode | None = None
    """The code of the refusal; `None` where the event would be accepted."""
    refusal: str = ""
    """The reason for which the event would be refused, in words; empty where it would not be."""
    decided_by: Decider = ""
    """What would have to be called: a model, a tool, or the host's understanding; empty where the outcome is known.
"""
    asked: AnyEffect | None = None
    """The call at which the dry run stopped; `None` if it did not stop."""
    supposes_reply: bool = False
    """True where a model would speak whose words decide nothing: only these words are not known."""

    @property
    def is_known(self) -> bool:
        """True if it is known whether the event would be accepted, and where it would lead."""
        return not self.decided_by

    @property
    def text(self) -> str:
        """The replies that would follow, as far as they are known; for a refusal, its reason."""
        return self.refusal or "\n\n".join(said.text for said in self.turn.said if said.text != _REPLY)

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the transitions that would be taken, in order."""
        made = (one for one in self.turn.events if isinstance(one, e.Moved | e.ScopeOpened))
        return tuple(one.transition for one in made if isinstance(one, e.Moved) or one.transition)

    @property
    def values(self) -> dict[str, Any]:
        """The new values that would result, by field; `None` for a field that would lose its value.
        Secrets are redacted.
        """
        before, after = _values(self.turn.before), _values(self.turn.after)
        fields = self.turn.machine.fields
        changed = [name for name in (*before, *after) if before.get(name) != after.get(name)]
        return {
            name: REDACTED if fields[name].secret and name in after else after.get(name)
            for name in dict.fromkeys(changed)
            if name in fields
        }

    @property
    def why(self) -> str:
        """Why the outcome is not known, or what is not known of it; empty where everything is."""
        node = self.turn.node or ""
        match self.decided_by:
            case "model":
                return f"the model of {node} would be called, and what it calls or chooses decides what follows"
            case "tool":
                assert isinstance(self.asked, RunTool)
                return f"the tool {self.asked.tool} would run, and what follows depends on its result"
            case "understanding":
                return "the message would be read by a model or a function of the host, not by the offline rules"
            case "":
                return f"a model would speak in {node}; its words are not known" if self.supposes_reply else ""


def _values(state: State | None) -> dict[str, Any]:
    return {name: found.value for name, found in state.values.items()} if state is not None else {}


async def dry_run(
    performer: Performer, machine: Machine, conversation: str, state: State | None, event: e.OutsideEvent, clock: Clock
) -> DryRun:
    """Return what an event would do in a state; the state `None` is a conversation that has not begun.
    `performer` performs effects that need no model or tool.
    """
    now_ms = clock.now_ms()
    done = start(machine, now_ms, event) if state is None else step(machine, state, event, now_ms)
    if isinstance(done, Refusal):
        turn = Turn(conversation, machine, state, before=state, refused_fields=done.fields)
        return DryRun(turn, done.code, done.text)
    entries, supposes_reply = list(done.entries), False
    for _ in range(_MOST_EFFECTS):
        if not done.effects:
            break
        (effect,) = done.effects
        decided_by = _decider(performer, machine, done.state, effect)
        if decided_by:
            turn = Turn(conversation, machine, done.state, tuple(entries), state)
            return DryRun(turn, decided_by=decided_by, asked=effect, supposes_reply=supposes_reply)
        if isinstance(effect, CallModel):
            result, supposes_reply = e.ModelReplied(effect.id, _REPLY), True
        else:
            result = await performer.perform(effect, Task(machine, conversation, done.state, entries))
        following = step(machine, done.state, result, now_ms)
        assert isinstance(following, Step), "the result of an awaited effect is accepted"
        done = following
        entries += done.entries
    return DryRun(Turn(conversation, machine, done.state, tuple(entries), state), supposes_reply=supposes_reply)


def _decider(performer: Performer, machine: Machine, state: State, effect: AnyEffect) -> Decider:
    """Return who would have to be asked for the result of an effect; empty where reading or the rules give it."""
    match effect:
        case RecallWords() | RecallState():
            return ""
        case Understand(field=field):
            return "" if field or performer.understands_by_rules else "understanding"
        case RunTool():
            return "tool"
        case CallModel():
            return "model" if model_request(machine, state, (), effect).tools else ""
