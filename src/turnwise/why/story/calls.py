"""What models and tools were asked, and what they answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.json import encode

from turnwise.core.machine import Work
from turnwise.core.secrets import redacted_call
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call, CallModel, RunTool, Understand
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.story.beginnings import began
from turnwise.why.story.telling import Telling, of
from turnwise.why.story.values import STAND_IN

_PURPOSE = {
    "reply": "reply",
    "aside": "answer a question aside",
    "word": "word a question",
    "choose": "choose a way out",
}


_Repeated = e.ModelReplied | e.ModelFailed | e.ToolReturned | e.ToolFailed


def _asked(telling: Telling, event: e.EffectAsked) -> Iterator[Fact]:
    effect = event.effect
    match effect:
        case CallModel():
            about, purpose = (Subject("model"), Subject("node", telling.node)), _PURPOSE[effect.purpose]
            found = telling.fact("model_called", *about, causes=(began(telling),), purpose=purpose, node=telling.node)
        case RunTool(tool=tool):
            by = "the model" if effect.call else f"the node {telling.node}"
            again = "it may have run before an undo, and has the same key as then" if effect.was_begun else ""
            found = telling.fact(
                "tool_called",
                *_call(tool, effect.call),
                causes=(_why_called(telling, effect),),
                tool=tool,
                arguments=_given(telling, effect),
                by=by,
                again=again,
            )
        case Understand():
            return
        case _:
            return
    telling.by_effect[effect.id] = found
    yield found


def _why_called(telling: Telling, effect: RunTool) -> Fact | None:
    """Return what caused a call: the approval of the user, the model, or the move into the node whose work it is."""
    request = telling.state.awaiting_approval if telling.state is not None else None
    if request is not None and (request.tool, request.call) == (effect.tool, effect.call):
        return telling.first("command_applied") or began(telling)
    return telling.first("model_replied") if effect.call else telling.first("node_left") or began(telling)


def _call(tool: str, call: str) -> tuple[Subject, ...]:
    return (Subject("tool", tool), *of("call", call))


def _given(telling: Telling, effect: RunTool | e.CallHeld) -> str:
    found = redacted_call(telling.machine, Call("", effect.tool, effect.arguments)).arguments
    return ", ".join(f"{name} = {value}" for name, value in found.items())


_NO_MODEL = "none"
"""The name under which the reply is recorded that stands for a model where none is connected."""


def _replied(telling: Telling, event: e.ModelReplied) -> Iterator[Fact]:
    yield from _attempts(telling, event, "the model call", Subject("model"))
    about = (Subject("model"), *[Subject("tool", call.tool) for call in event.calls])
    calls = ", ".join(call.tool for call in event.calls)
    yield telling.fact(
        "model_replied",
        *about,
        causes=(telling.by_effect.get(event.effect),),
        model=event.model if event.model != _NO_MODEL else STAND_IN,
        calls=calls,
        said=event.text,
        tokens=event.tokens_in + event.tokens_out or None,
        tokens_in=event.tokens_in,
        tokens_out=event.tokens_out,
        prompt=event.prompt,
    )


def _attempts(telling: Telling, event: _Repeated, what: str, *about: Subject) -> Iterator[Fact]:
    """Yield the attempts of a call that failed and were repeated."""
    causes = (telling.by_effect.get(event.effect),)
    for number, one in enumerate(event.attempts, 1):
        values: dict[str, Any] = {
            "what": what,
            "reason": one.reason,
            "ms": one.ms,
            "time": telling.time(one.at_ms),
            "at": one.at,
        }
        yield telling.fact("attempt_failed", *about, causes=causes, number=number, **values)


def _model_failed(telling: Telling, event: e.ModelFailed) -> Iterator[Fact]:
    yield from _attempts(telling, event, "the model call", Subject("model"))
    causes = (telling.by_effect.get(event.effect),)
    asked = causes[0]
    purpose = asked.values["purpose"] if asked is not None else ""
    about = (Subject("model"), Subject("node", telling.node))
    values = {"purpose": purpose, "node": telling.node, "reason": event.reason, "at": event.at}
    yield telling.fact("model_failed", *about, causes=causes, **values)


def _returned(telling: Telling, event: e.ToolReturned) -> Iterator[Fact]:
    about, causes = _call(event.tool, event.call), (telling.by_effect.get(event.effect),)
    yield from _attempts(telling, event, f"the call of {event.tool}", *about)
    yield telling.fact(
        "tool_returned", *about, causes=causes, tool=event.tool, result=_result(event.result), ms=event.ms
    )


def _result(value: Any) -> str:
    """Return what a tool returned: a text in quotes, anything else as JSON."""
    return f"“{value}”" if isinstance(value, str) else encode(value).decode()


def _failed(telling: Telling, event: e.ToolFailed) -> Iterator[Fact]:
    doubt = "it may have done its work nevertheless" if event.in_doubt else ""
    values: dict[str, Any] = {"tool": event.tool, "reason": event.reason, "at": event.at, "doubt": doubt}
    about, causes = _call(event.tool, event.call), (telling.by_effect.get(event.effect),)
    yield from _attempts(telling, event, f"the call of {event.tool}", *about)
    yield telling.fact("tool_failed", *about, causes=causes, **values, ms=event.ms)


def _answered(telling: Telling, event: e.CallAnswered) -> Iterator[Fact]:
    about, causes = _call(event.tool, event.call), (telling.first("model_replied"),)
    yield telling.fact("call_answered", *about, causes=causes, tool=event.tool, result=_result(event.result))


def _refused(telling: Telling, event: e.CallRefused) -> Iterator[Fact]:
    reason = event.reason.replace("_", " ")
    values: dict[str, Any] = {
        "tool": event.tool,
        "reason": reason,
        "said": event.text.rstrip("."),
        "code": event.reason,
    }
    following = telling.following
    if isinstance(following, e.Faulted) and following.fault.kind == "refused" and following.fault.subject:
        fault = following.fault
        values |= {"argument": fault.subject, "value": fault.value, "bound": fault.bound}
    about = _call(event.tool, event.call)
    yield telling.fact("call_refused", *about, causes=(_why_refused(telling, event),), **values)


def _why_refused(telling: Telling, event: e.CallRefused) -> Fact | None:
    """Return what caused a refusal: the answer of the user to the question for approval, what came between, or the
    model that made the call.
    """
    request = telling.state.awaiting_approval if telling.state is not None else None
    if request is not None and (request.tool, request.call) == (event.tool, event.call):
        return telling.first("command_applied") or began(telling)
    if event.reason == "dropped":
        return telling.first(
            "limit_reached", "tool_given_up", "node_left", "conversation_ended", "call_awaits_approval"
        )
    return telling.first("model_replied")


def _held(telling: Telling, event: e.CallHeld) -> Iterator[Fact]:
    about = (*_call(event.tool, event.call), Subject("question"))
    causes = (telling.first("model_replied") or telling.first("node_left") or began(telling),)
    arguments = _given(telling, event)
    yield telling.fact("call_awaits_approval", *about, causes=causes, tool=event.tool, arguments=arguments)


def _advanced(telling: Telling, event: e.SequenceAdvanced) -> Iterator[Fact]:
    sequence = telling.machine.nodes[telling.node].toolbox.sequence
    about = [Subject("tool", tool) for position in sequence for tool in position.tools]
    causes = (telling.first("tool_returned", "tool_called", "call_answered", "tool_used_by_host"),)
    values: dict[str, Any] = {"node": telling.node, "to": event.to}
    yield telling.fact("sequence_advanced", Subject("node", telling.node), *about, causes=causes, **values)


_DOES: dict[Work, tuple[FactKind, ...]] = {
    "prompt": ("model_replied", "call_answered"),
    "tool": ("tool_returned",),
    "form": ("form_progressed",),
    "person": ("person_gave_back", "nobody_came"),
}
"""What does the work of a node; a `say` is told itself."""


def _done(telling: Telling, event: e.WorkDone) -> Iterator[Fact]:
    causes = (telling.first(*_DOES.get(telling.machine.nodes[event.node].work, ("text_said",))),)
    yield telling.fact("work_done", Subject("node", event.node), causes=causes, node=event.node)


TELLERS: dict[type, Callable[[Telling, Any], Iterator[Fact]]] = {
    e.EffectAsked: _asked,
    e.ModelReplied: _replied,
    e.ModelFailed: _model_failed,
    e.ToolReturned: _returned,
    e.ToolFailed: _failed,
    e.CallAnswered: _answered,
    e.CallRefused: _refused,
    e.CallHeld: _held,
    e.SequenceAdvanced: _advanced,
    e.WorkDone: _done,
}
