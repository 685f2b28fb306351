"""Facts about calls of models and tools, and about their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.json import encode

from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.machine import Work
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.prompts import schedules_left
from turnwise.core.secrets import redacted_call, redacted_result
from turnwise.core.state import Fault, KeptEffect
from turnwise.core.state import events as e
from turnwise.core.state.effects import NO_MODEL, Call, CallModel, RunTool, Understand
from turnwise.core.state.performed import kept_effect
from turnwise.core.values.json_data import as_object
from turnwise.flow.addresses import record_of
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.choices import ChoiceNotOffered, shut_choice
from turnwise.why.facts.values import STAND_IN
from turnwise.why.kinds import FactKind

_PURPOSE = {
    "reply": "reply",
    "aside": Phrase("answer a question aside"),
    "word": Phrase("word a question"),
    "choose": Phrase("choose a way out"),
    "summary": Phrase("write the summary"),
}


_Repeated = e.ModelReplied | e.ModelFailed | e.ToolReturned | e.ToolFailed


def _asked(builder: FactBuilder, event: e.EffectAsked) -> Iterator[Fact]:
    effect = event.effect
    match effect:
        case CallModel():
            about, purpose = (Subject("model"), Subject("node", builder.node)), _PURPOSE[effect.purpose]
            state = builder.state if effect.purpose == "reply" else None
            left = schedules_left(builder.machine, state) if state is not None else ()
            about = (*about, *[Subject("schedule", name) for name in left])
            values = {"purpose": purpose, "node": builder.node, "left": joined(left, ", ")}
            found = builder.fact("model_called", *about, causes=(beginning_of_turn(builder),), **values)
        case RunTool(tool=tool):
            by = Phrase("the model") if effect.call else phrase("the node {node}", node=builder.node)
            again = Phrase("it may have run before an undo, and has the same key as then") if effect.was_begun else ""
            before = None if again else _repeated(builder, tool, effect.arguments)
            again = _earlier(builder, before) if before is not None else again
            found = builder.fact(
                "tool_called",
                *_call(tool, effect.call),
                causes=(_why_called(builder, effect),),
                tool=tool,
                arguments=_given(builder, effect),
                by=by,
                again=again,
            )
        case Understand():
            return
        case _:
            return
    builder.by_effect[effect.id] = found
    yield found


def _repeated(builder: FactBuilder, tool: str, arguments: dict[str, Any]) -> KeptEffect | None:
    """Return the effect that a call would do once more, after an undo."""
    state = builder.state
    return kept_effect(state.kept_effects, tool, arguments) if state is not None and state.kept_effects else None


def _earlier(builder: FactBuilder, effect: KeptEffect) -> str:
    when = phrase("in turn {turn} ({at})", turn=effect.turn, at=builder.time(effect.at_ms))
    text = "it was done {when}, and an undo did not reverse that"
    doubtful = "it may have been done {when}, and an undo did not reverse that"
    return phrase(doubtful if effect.in_doubt else text, when=when)


def _why_called(builder: FactBuilder, effect: RunTool) -> Fact | None:
    """Return what caused a call: the approval of the user, the model, or the move into the node whose work it is."""
    if _waited(builder, effect.tool, effect.call):
        return builder.first("call_approved", "command_applied") or beginning_of_turn(builder)
    return builder.first("model_replied") if effect.call else builder.first("node_left") or beginning_of_turn(builder)


def _call(tool: str, call: str) -> tuple[Subject, ...]:
    return (Subject("tool", tool), *subjects_named("call", call))


def _given(builder: FactBuilder, effect: RunTool | e.CallHeld | e.CallApproved) -> str:
    return _shown(builder, Call("", effect.tool, effect.arguments))


def _shown(builder: FactBuilder, call: Call) -> str:
    found = redacted_call(builder.machine, call).arguments
    texts = {name: value if value and isinstance(value, str) else _result(value) for name, value in found.items()}
    return joined((phrase("{name} = {text}", name=name, text=text) for name, text in texts.items()), ", ")


def _replied(builder: FactBuilder, event: e.ModelReplied) -> Iterator[Fact]:
    yield from _attempts(builder, event, Phrase("the model call"), Subject("model"))
    about = (Subject("model"), *[Subject("tool", call.tool) for call in event.calls])
    calls = joined((call.tool for call in event.calls), ", ")
    yield builder.fact(
        "model_replied",
        *about,
        causes=(builder.by_effect.get(event.effect),),
        model=event.model if event.model != NO_MODEL else STAND_IN,
        calls=calls,
        said=event.text,
        tokens=event.tokens_in + event.tokens_out or None,
        tokens_in=event.tokens_in,
        tokens_out=event.tokens_out,
        prompt=event.prompt,
    )
    asked, text = builder.by_effect.get(event.effect), builder.machine.language.text
    is_notice = event.text.endswith((text("no_model"), text("no_model_aside")))
    is_needless = not event.text and asked is not None and asked.values["purpose"] == _PURPOSE["reply"]  # law 6.3
    if event.model == NO_MODEL and (is_notice or is_needless) and asked is not None:
        about = (Subject("model"), Subject("node", builder.node), Subject("turn", str(builder.entry.turn)))
        values: dict[str, Any] = {"purpose": asked.values["purpose"], "node": builder.node, "said": event.text}
        values["replied"] = builder.text_as_given(event.text)
        yield builder.fact("no_model_connected", *about, causes=(asked,), **values)


def _attempts(builder: FactBuilder, event: _Repeated, what: str, *about: Subject) -> Iterator[Fact]:
    """Yield the attempts of a call that failed and were repeated."""
    causes = (builder.by_effect.get(event.effect),)
    for number, one in enumerate(event.attempts, 1):
        values: dict[str, Any] = {
            "what": what,
            "reason": one.reason,
            "ms": one.ms,
            "time": builder.time(one.at_ms),
            "at": one.at,
        }
        yield builder.fact("attempt_failed", *about, causes=causes, number=number, **values)


def _model_failed(builder: FactBuilder, event: e.ModelFailed) -> Iterator[Fact]:
    yield from _attempts(builder, event, Phrase("the model call"), Subject("model"))
    causes = (builder.by_effect.get(event.effect),)
    asked = causes[0]
    purpose = asked.values["purpose"] if asked is not None else ""
    about = (Subject("model"), Subject("node", builder.node))
    named = builder.machine.nodes[builder.node].node.model or builder.machine.flow.model
    values = {"purpose": purpose, "node": builder.node, "reason": event.reason, "at": event.at}
    values["model"] = event.model or named
    yield builder.fact("model_failed", *about, causes=causes, **values)


def _returned(builder: FactBuilder, event: e.ToolReturned) -> Iterator[Fact]:
    about, causes = _call(event.tool, event.call), (builder.by_effect.get(event.effect),)
    yield from _attempts(builder, event, phrase("the call of {tool}", tool=event.tool), *about)
    result = redacted_result(builder.machine, event.tool, event.result)
    yield builder.fact("tool_returned", *about, causes=causes, tool=event.tool, result=_result(result), ms=event.ms)


def _result(value: Any) -> str:
    """Return what a tool returned: a text in quotes, anything else as JSON."""
    return phrase("“{value}”", value=value) if isinstance(value, str) else encode(value).decode()


def _failed(builder: FactBuilder, event: e.ToolFailed) -> Iterator[Fact]:
    doubt = Phrase("it may have done its work nevertheless") if event.in_doubt else ""
    values: dict[str, Any] = {"tool": event.tool, "reason": event.reason, "at": event.at, "doubt": doubt}
    about, causes = _call(event.tool, event.call), (builder.by_effect.get(event.effect),)
    yield from _attempts(builder, event, phrase("the call of {tool}", tool=event.tool), *about)
    yield builder.fact("tool_failed", *about, causes=causes, **values, ms=event.ms)


def _answered(builder: FactBuilder, event: e.CallAnswered) -> Iterator[Fact]:
    about, causes = _call(event.tool, event.call), (builder.first("model_replied"),)
    about += () if event.result["success"] else _not_written(builder, event)
    arguments = "" if event.result["success"] else _arguments(builder, event)
    values: dict[str, Any] = {"tool": event.tool, "arguments": arguments, "result": _result(event.result)}
    values["error"] = str(event.result.get("error", "")).rstrip(".")
    yield builder.fact("call_answered", *about, causes=causes, **values)


def _arguments(builder: FactBuilder, event: e.CallAnswered | e.CallRefused) -> str:
    """Return with what a model made a call that was answered or refused."""
    replies = (one for one in builder.turn.events if isinstance(one, e.ModelReplied))
    return next((_shown(builder, one) for given in replies for one in given.calls if one.id == event.call), "")


def _refused(builder: FactBuilder, event: e.CallRefused) -> Iterator[Fact]:
    reason = event.reason.replace("_", " ")
    values: dict[str, Any] = {
        "tool": event.tool,
        "arguments": _arguments(builder, event),
        "reason": reason,
        "said": event.text.rstrip("."),
        "code": event.reason,
        "by": event.by,
    }
    following = builder.following
    if isinstance(following, e.Faulted) and following.fault.kind == "refused" and following.fault.subject:
        fault = following.fault
        values |= {"argument": fault.subject, "value": fault.value, "bound": fault.bound, "arguments": ""}
    shut = shut_choice(builder, event.tool) if event.reason == "not_open" else ChoiceNotOffered()
    about = (*_call(event.tool, event.call), *_not_written(builder, event))
    target = event.tool.removeprefix(CHOICE_PREFIX)
    about += (Subject("node", target),) if target != event.tool and target in builder.machine.nodes else ()
    about += tuple([Subject("transition", one) for one in shut.transitions])
    causes = (_why_refused(builder, event), *shut.reads)
    yield builder.fact("call_refused", *about, causes=causes, shut=shut.reason, **values)


def refused_work(builder: FactBuilder, fault: Fault) -> Iterator[Fact]:
    """Yield the fact that a node's tool was not called: its arguments were refused, or the conversation is a copy that
    may not make effects. `fault` is the failure that the entry records.
    """
    last = builder.previous
    work = builder.machine.nodes[builder.node].tool
    if work is None or work.tool.tool.name != fault.tool or isinstance(last, e.ToolFailed | e.CallRefused):
        return
    code = "arguments" if fault.kind == "tool" else "fork"
    values: dict[str, Any] = {"tool": fault.tool, "reason": code, "code": code, "said": fault.message.rstrip(".")}
    values |= {"argument": fault.subject, "value": fault.value, "bound": fault.bound}
    about = (Subject("tool", fault.tool), Subject("node", builder.node))
    causes = (builder.first("node_left") or beginning_of_turn(builder),)
    yield builder.fact("call_refused", *about, causes=causes, source=fault.at, **values)


WRITE_PREFIX = "write_"
"""The prefix of the names of the tools by which a model writes a record."""


def _not_written(builder: FactBuilder, event: e.CallAnswered | e.CallRefused) -> tuple[Subject, ...]:
    """Return the fields that a refused call of a model would have written; all of the record where it names none."""
    record = event.tool.removeprefix(WRITE_PREFIX)
    if record == event.tool or event.tool in builder.machine.tools:
        return ()
    calls = (one for given in builder.turn.events if isinstance(given, e.ModelReplied) for one in given.calls)
    own = [one.arguments for one in calls if one.id == event.call]
    given = [as_object(value) or {} for arguments in own for value in arguments.values()]
    named = {f"{record}.{key}" for fields in given for key in fields}
    fields = [name for name in builder.machine.fields if record_of(name) == record]
    return tuple([Subject("field", name) for name in fields if name in named or named.isdisjoint(fields)])


def _why_refused(builder: FactBuilder, event: e.CallRefused) -> Fact | None:
    """Return what caused a refusal: the answer of the user to the question for approval, what came between, or the
    model that made the call.
    """
    if event.reason in ("declined", "expired", "fork") and _waited(builder, event.tool, event.call):
        return builder.first("calls_decided", "command_applied") or beginning_of_turn(builder)
    if event.reason == "dropped":
        return builder.first(
            "limit_reached", "tool_given_up", "node_left", "conversation_ended", "call_awaits_approval"
        )
    return builder.first("model_replied")


def _waited(builder: FactBuilder, tool: str, call: str) -> bool:
    """Return whether a call waited for approval until now."""
    waiting = builder.state.waiting_calls if builder.state is not None else ()
    return any((one.tool, one.call) == (tool, call) for one in waiting)


def _queued(builder: FactBuilder, event: e.CallQueued) -> Iterator[Fact]:
    causes = (builder.first("call_awaits_approval"),)
    yield builder.fact("call_queued", *_call(event.tool, event.call), causes=causes, tool=event.tool)


def _unclear(builder: FactBuilder, event: e.ApprovalUnclear) -> Iterator[Fact]:
    yield builder.fact(
        "approval_unclear", *_call(event.tool, event.call), causes=(beginning_of_turn(builder),), tool=event.tool
    )


def _approved(builder: FactBuilder, event: e.CallApproved) -> Iterator[Fact]:
    values: dict[str, Any] = {
        "by": event.by or _DECIDER[event.approver],
        "tool": event.tool,
        "arguments": _given(builder, event),
        "edited": Phrase("which were changed") if event.is_edited else "",
    }
    yield builder.fact("call_approved", *_call(event.tool, event.call), causes=(beginning_of_turn(builder),), **values)


_DECIDER = {"user": Phrase("the user"), "operator": Phrase("an operator")}


def _decided(builder: FactBuilder, event: e.CallsDecided) -> Iterator[Fact]:
    by = event.by or _DECIDER["operator" if event.is_operator else "user"]
    decided = joined(
        (phrase("{call} approved" if one.approve else "{call} declined", call=one.call) for one in event.decisions),
        ", ",
    )
    about = (Subject("turn", str(builder.entry.turn)), *[Subject("call", one.call) for one in event.decisions])
    yield builder.fact("calls_decided", *about, by=by, decided=decided)


def _put_off(builder: FactBuilder, event: e.MovePutOff) -> Iterator[Fact]:
    if event.transition:
        about = (Subject("transition", event.transition), Subject("tool", event.tool))
        values: dict[str, Any] = {"transition": event.transition, "target": event.target, "tool": event.tool}
        yield builder.fact("move_put_off", *about, causes=(builder.first("transition_judged"),), **values)


def _judging_planned(builder: FactBuilder, event: e.JudgingPlanned) -> Iterator[Fact]:
    moment: Moment = "calls" if event.reply else event.moment
    when = (
        Phrase("all calls of the reply have their results")
        if event.reply
        else Phrase("the person gives the conversation back")
    )
    ways = builder.machine.candidates(builder.node, moment).all
    about = (Subject("node", builder.node), *[Subject("transition", one.id) for one in ways])
    causes = (builder.first(*_RESULTS),)
    yield builder.fact("judging_planned", *about, causes=causes, node=builder.node, moment=moment, when=when)


_RESULTS: tuple[FactKind, ...] = ("tool_returned", "tool_failed", "call_answered")
"""What shows that a call of a model was made."""


def _held(builder: FactBuilder, event: e.CallHeld) -> Iterator[Fact]:
    about = (*_call(event.tool, event.call), Subject("question"))
    causes = (builder.first("model_replied") or builder.first("node_left") or beginning_of_turn(builder),)
    arguments = _given(builder, event)
    before = _repeated(builder, event.tool, event.arguments)
    tool = builder.machine.tools.get(event.tool)
    reasons = [Phrase("its `confirm` asks for one")] if tool is None or tool.tool.confirm or before is None else []
    reasons += [_earlier(builder, before)] if before is not None else []
    values: dict[str, Any] = {
        "reason": joined(reasons, " and "),
        "approver": Phrase("an operator") if event.approver == "operator" else "",
        "until": builder.time(event.due_ms) if event.due_ms is not None else "",
    }
    yield builder.fact("call_awaits_approval", *about, causes=causes, tool=event.tool, arguments=arguments, **values)


def _advanced(builder: FactBuilder, event: e.SequenceAdvanced) -> Iterator[Fact]:
    sequence = builder.machine.nodes[builder.node].toolbox.sequence
    about = [Subject("tool", tool) for position in sequence for tool in position.tools]
    causes = (builder.first("tool_returned", "tool_called", "call_answered", "tool_used_by_host"),)
    values: dict[str, Any] = {"node": builder.node, "to": event.to}
    yield builder.fact("sequence_advanced", Subject("node", builder.node), *about, causes=causes, **values)


_DOES: dict[Work, tuple[FactKind, ...]] = {
    "prompt": ("model_replied", "call_answered"),
    "tool": ("tool_returned",),
    "form": ("form_progressed",),
    "person": ("person_gave_back", "nobody_came"),
}
"""What does the work of a node; a `say` has a fact of its own."""


def _done(builder: FactBuilder, event: e.WorkDone) -> Iterator[Fact]:
    causes = (builder.first(*_DOES.get(builder.machine.nodes[event.node].work, ("text_said",))),)
    yield builder.fact("work_done", Subject("node", event.node), causes=causes, node=event.node)


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.EffectAsked: _asked,
    e.ModelReplied: _replied,
    e.ModelFailed: _model_failed,
    e.ToolReturned: _returned,
    e.ToolFailed: _failed,
    e.CallAnswered: _answered,
    e.CallRefused: _refused,
    e.CallHeld: _held,
    e.CallQueued: _queued,
    e.ApprovalUnclear: _unclear,
    e.CallApproved: _approved,
    e.CallsDecided: _decided,
    e.MovePutOff: _put_off,
    e.JudgingPlanned: _judging_planned,
    e.SequenceAdvanced: _advanced,
    e.WorkDone: _done,
}
"""The functions that yield the facts of an event, by the class of the event."""
