"""Talking with flows in tests: scripted, offline, or step by step without any runner."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from support.one_chat import OneSyncChat
from turnwise.api.open import Turn
from turnwise.authoring.document import read_document
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.commands import Set
from turnwise.core.step import start, step
from turnwise.core.trace import Considered, Decision
from turnwise.core.turn import Step
from turnwise.flow.diagnostic import has_errors
from turnwise.flow.model import Flow
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding

FLOWS = Path(__file__).parents[1] / "flows"
INTAKE = FLOWS / "health_intake.flow.yaml"
REPLY = "…"


def read(text: str) -> Flow:
    """The flow of a YAML text that has no errors."""
    flow, diagnostics = read_document(text, "test.flow.yaml")
    assert not has_errors(diagnostics), diagnostics
    return flow


def talk(
    flow: Flow | str | Path, *guards: Any, understood: Iterable[Any] = (), replies: Iterable[Any] = (REPLY,) * 60
) -> OneSyncChat:
    """A conversation whose understanding and model are scripted. A text is a YAML document."""
    of = read(flow) if isinstance(flow, str) else flow
    model, understanding = ScriptedModel(replies), ScriptedUnderstanding(understood)
    return OneSyncChat(of, guards=guards, understand=understanding, model=model)


def offline(flow: Flow | str | Path = INTAKE, *guards: Any) -> OneSyncChat:
    """A conversation that the shipped rules understand, without a model."""
    return OneSyncChat(read(flow) if isinstance(flow, str) else flow, guards=guards)


def sets(**values: Any) -> tuple[Set, ...]:
    """Commands that set fields: `user__age=45` is `user.age`."""
    return tuple(Set(field=name.replace("__", "."), value=value) for name, value in values.items())


def node_of(turn: Turn) -> str:
    """The node in charge after a turn."""
    assert turn.node is not None
    return turn.node


def candidate(decision: Decision, transition: str) -> Considered:
    """A candidate of a decision."""
    found = decision.candidate(transition)
    assert found is not None, f"{transition} is no candidate of {decision.line}"
    return found


def outcomes(decision: Decision) -> dict[str, str]:
    """What became of each candidate."""
    return {one.id: one.outcome for one in decision.candidates}


def at_rest(machine: Machine) -> State:
    """The state after the first turn, in which the model said something if it was asked."""
    done = start(machine, 0)
    assert isinstance(done, Step)
    while done.effects:
        following = step(machine, done.state, e.ModelReplied(done.effects[0].id, REPLY), 0)
        assert isinstance(following, Step)
        done = following
    return done.state
