"""Reports turns, model calls and tool calls as telemetry spans, with decisions as span events.

Names and keys of calls are those of OpenTelemetry's GenAI conventions; those of turnwise begin with `turnwise.`. No
span holds what was said, or the arguments of tools.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from turnwise.core.machine import Machine
from turnwise.core.state import Fault
from turnwise.core.state import events as e

if TYPE_CHECKING:
    from turnwise.core.trace import Outcome
    from turnwise.runner.model_port import Usage

Attributes = Mapping[str, Any]
"""Attributes of a span, by name."""

_OUTCOMES: dict[str, Outcome] = {
    "t": "taken",
    "f": "false",
    "u": "unknown",
    "o": "outranked",
    "n": "not_reached",
    "-": "not_reached",
    "b": "blocked",
    "r": "blocked",
    "x": "blocked",
    "e": "error",
    "m": "false",
}


class Span(Protocol):
    """A telemetry span: work that is in progress."""

    def add(self, attributes: Attributes) -> None:
        """Add attributes to the span."""
        ...

    def event(self, name: str, attributes: Attributes) -> None:
        """Add an event to the span."""
        ...

    def fail(self, kind: str, reason: str) -> None:
        """Mark the work as failed, with the `kind` of the error and its reason."""
        ...


class Spans(Protocol):
    """Creates spans; a span that is entered inside another one is its child."""

    def span(self, name: str, attributes: Attributes, *, is_call: bool = False) -> AbstractContextManager[Span]:
        """Return a span to use as a context manager; `is_call` marks calls of other services."""
        ...


class _NoSpan:
    """A span that does nothing, used if telemetry is off."""

    def add(self, attributes: Attributes) -> None:
        pass

    def event(self, name: str, attributes: Attributes) -> None:
        pass

    def fail(self, kind: str, reason: str) -> None:
        pass


NO_SPAN: AbstractContextManager[Span] = nullcontext(_NoSpan())
"""The context manager that stands for a span where none are recorded."""


def turn_span(
    spans: Spans, machine: Machine, conversation: str, event: e.OutsideEvent | None
) -> AbstractContextManager[Span]:
    """Return the span of a turn; `event` is `None` if the turn starts a conversation or continues after a crash."""
    flow = machine.flow
    attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": flow.name,
        "gen_ai.conversation.id": conversation,
        "turnwise.flow.version": flow.version,
        "turnwise.flow.fingerprint": machine.fingerprint,
        "turnwise.event": "" if event is None else str(event.__struct_config__.tag),
    }
    return spans.span(f"invoke_agent {flow.name}", attributes)


def turn_ended(span: Span, machine: Machine, node: str, entries: Sequence[e.Entry]) -> None:
    """Add the result of a turn to its span: number, the `node` in charge, decisions, failure."""
    span.add({"turnwise.turn": entries[0].turn, "turnwise.node": node})
    for entry in entries:
        match entry.event:
            case e.Decided() as decided:
                span.event("turnwise.decision", _decision(machine, entry.seq, decided))
            case e.Faulted(fault):
                span.event("turnwise.fault", _fault(fault))
            case e.Failed(reason=reason, message=message):
                span.fail(reason, message)
            case e.TakenOver(operator=operator) | e.OperatorSaid(operator=operator) | e.GivenBack(operator=operator):
                span.add({"turnwise.operator": operator})
            case _:
                pass


def _fault(fault: Fault) -> Attributes:
    """Return the attributes of a failure, without message and values, which may contain user data."""
    found = {"error.type": fault.kind, "turnwise.tool": fault.tool}
    more = {"turnwise.subject": fault.subject, "turnwise.at": fault.at, "turnwise.transition": fault.transition}
    return found | {key: value for key, value in more.items() if value}


def _decision(machine: Machine, position: int, decided: e.Decided) -> Attributes:
    candidates = machine.candidates(decided.node, decided.moment).all  # type: ignore[arg-type]
    outcomes = [f"{c.id}: {_OUTCOMES[letter]}" for c, letter in zip(candidates, decided.outcomes, strict=True)]
    return {
        "turnwise.node": decided.node,
        "turnwise.moment": decided.moment,
        "turnwise.taken": candidates[decided.taken].id if decided.taken >= 0 else "",
        "turnwise.outcomes": outcomes,
        "turnwise.position": position,
        **({"turnwise.operator": decided.operator} if decided.operator else {}),
    }


def model_span(spans: Spans | None, model: str, node: str, purpose: str) -> AbstractContextManager[Span]:
    """Return the span of a model call; `purpose` is what the reply is for, such as `understand`.
    `node` is empty for a model call that reads a question to `why`.
    """
    if spans is None:
        return NO_SPAN
    provider, _, name = model.rpartition(":")
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider or "unknown",
        "gen_ai.request.model": name,
        "turnwise.purpose": purpose,
        **({"turnwise.node": node} if node else {}),
    }
    return spans.span(f"chat {name}".rstrip(), attributes, is_call=True)


def model_answered(span: Span, event: e.ModelReplied | e.Understood | Usage) -> None:
    """Add model, tokens and cost of a model call to its span."""
    span.add(
        {
            "gen_ai.response.model": event.model,
            "gen_ai.usage.input_tokens": event.tokens_in,
            "gen_ai.usage.output_tokens": event.tokens_out,
        }
        | ({} if event.cost is None else {"turnwise.cost_usd": event.cost})
    )


def tool_span(spans: Spans | None, tool: str, call: str, kind: str) -> AbstractContextManager[Span]:
    """Return the span of a tool call with the id `call`; `kind` is that of the tool, such as `effect`."""
    if spans is None:
        return NO_SPAN
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call,
        "turnwise.kind": kind,
    }
    return spans.span(f"execute_tool {tool}", attributes)
