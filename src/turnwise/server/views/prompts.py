"""The prompts, model calls and tools of a turn as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, RunTool
from turnwise.core.tools.standing import ToolAvailability, tool_standings
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.result import Turn
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire.trace import CallView, ModelCallView, PromptPart, PromptView, ToolView
from turnwise.why.prompts import Asked, Prompt, last_prompt_before, model_calls, prompts


async def prompt_views(store: Store, machines: AnyMachines, turn: Turn, redaction: Redaction) -> tuple[PromptView, ...]:
    """Return the prompts of a turn, each with the text of the prompt before it in the conversation."""
    found = await prompts(store, machines, turn)
    if not found:
        return ()
    earlier = await last_prompt_before(store, machines, turn)
    before = [earlier, *found[:-1]]
    return tuple([_prompt(one, previous, redaction) for one, previous in zip(found, before, strict=True)])


def _prompt(prompt: Prompt, previous: Prompt | None, redaction: Redaction) -> PromptView:
    return PromptView(
        prompt.effect,
        prompt.node,
        prompt.purpose,
        _parts(prompt, redaction),
        redaction.text(prompt.text),
        redaction.text(previous.text) if previous is not None else None,
        _parts(previous, redaction) if previous is not None else None,
        prompt.hash,
        prompt.is_proved,
    )


def _parts(prompt: Prompt, redaction: Redaction) -> tuple[PromptPart, ...]:
    return tuple(
        [PromptPart(_PARTS.get(one.part, one.part), redaction.text(one.text), one.role) for one in prompt.parts]  # type: ignore[arg-type]
    )


_PARTS = {"task": "instructions"}


def model_call_views(turn: Turn, redaction: Redaction) -> tuple[ModelCallView, ...]:
    """Return the model calls of a turn, with model, tokens, cost and time."""
    return tuple([_model_call(asked, redaction) for asked in model_calls(turn)])


def _model_call(asked: Asked, redaction: Redaction) -> ModelCallView:
    purpose = asked.effect.purpose if isinstance(asked.effect, CallModel) else "understand"
    result = asked.result.event if asked.result is not None else None
    took_ms = asked.result.at_ms - asked.recent[-1].at_ms if asked.result is not None else None
    node = asked.state.node
    if isinstance(result, e.ModelReplied | e.Understood):
        usage = (result.tokens_in or None, result.tokens_out or None, result.cost)
        return ModelCallView(asked.effect.id, node, purpose, result.model, asked.seq, *usage, took_ms)
    error = redaction.text(result.reason) if isinstance(result, e.ModelFailed | e.UnderstandingFailed) else ""
    return ModelCallView(asked.effect.id, node, purpose, "", asked.seq, took_ms=took_ms, error=error)


# tools -------------------------------------------------------------------------------------------


def tool_views(turn: Turn) -> tuple[ToolView, ...]:
    """Return every tool of the flow and whether it is offered, at the turn's last model call or else at its end."""
    asked = [one.state for one in model_calls(turn) if isinstance(one.effect, CallModel)]
    state = asked[-1] if asked else turn.state
    counts = turn.state.tools.counts
    return tuple([_tool(one, counts.get(one.name, 0)) for one in tool_standings(turn.machine, state)])


def _tool(tool: ToolAvailability, used: int) -> ToolView:
    parameters = tool.spec.parameters if tool.spec is not None else {}
    return ToolView(
        tool.name, tool.about, tool.is_offered, tool.text, tool.detail, tool.is_effect, used, parameters, tool.reason
    )


def call_views(entries: Sequence[e.Entry], redaction: Redaction) -> tuple[CallView, ...]:
    """Return the tool calls of a turn with their results, in the order in which they were made."""
    made: dict[str, tuple[str, dict[str, object], int, int]] = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, e.ModelReplied):
            for call in event.calls:
                made.setdefault(call.id, (call.tool, call.arguments, entry.seq, entry.at_ms))
        elif isinstance(event, e.EffectAsked) and isinstance(event.effect, RunTool):
            effect = event.effect
            made[effect.call or effect.id] = (effect.tool, effect.arguments, entry.seq, entry.at_ms)
        elif isinstance(event, e.CallHeld):
            made[event.call or event.effect] = (event.tool, event.arguments, entry.seq, entry.at_ms)
        elif isinstance(event, e.ToolUsed):
            made[f"host-{entry.seq}"] = (event.tool, event.arguments, entry.seq, entry.at_ms)
    results = _results(entries)
    return tuple([_call(id_, made[id_], results.get(id_), redaction) for id_ in made])


Outcome = e.ToolReturned | e.ToolFailed | e.CallRefused | e.CallAnswered | e.CallHeld | e.ToolUsed
"""Events that record the outcome of a tool call."""


def _results(entries: Iterable[e.Entry]) -> dict[str, e.Entry]:
    found: dict[str, e.Entry] = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, e.ToolReturned | e.ToolFailed):
            found[event.call or event.effect] = entry
        elif isinstance(event, e.CallRefused | e.CallAnswered):
            found[event.call] = entry
        elif isinstance(event, e.CallHeld):
            found[event.call or event.effect] = entry
        elif isinstance(event, e.ToolUsed):
            found[f"host-{entry.seq}"] = entry
    return found


def _call(
    id_: str, made: tuple[str, dict[str, object], int, int], result: e.Entry | None, redaction: Redaction
) -> CallView:
    tool, given, seq, _ = made
    arguments = redaction.data(redaction.by_field({"tool": tool, "arguments": given}))["arguments"]
    event = result.event if result is not None else None
    match event:
        case e.ToolReturned(result=data, ms=ms):
            return CallView(id_, tool, arguments, "returned", redaction.result(tool, data), seq=seq, took_ms=ms)
        case e.ToolFailed(reason=reason, ms=ms):
            return CallView(id_, tool, arguments, "failed", error=redaction.text(reason), seq=seq, took_ms=ms)
        case e.CallRefused(reason=code, text=text):
            return CallView(id_, tool, arguments, "refused", error=redaction.text(text), reason=code, seq=seq)
        case e.CallAnswered(result=data):
            return CallView(id_, tool, arguments, "answered", redaction.data(data), seq=seq)
        case e.CallHeld():
            return CallView(id_, tool, arguments, "waiting", seq=seq)
        case e.ToolUsed(result=data):
            return CallView(id_, tool, arguments, "returned", redaction.data(data), reason="host", seq=seq)
        case _:
            return CallView(id_, tool, arguments, "unknown", seq=seq)
