"""The calls of a reply that wait for approval (law 4.5): each is decided by itself, and the model receives all results
in one request.
"""

from __future__ import annotations

from typing import Any

from turnwise.core.decision.dropped import tool_in_words
from turnwise.core.decision.faults import RefusedCall
from turnwise.core.state.approvals import number_of, reply_of
from turnwise.core.state.effects import Call
from turnwise.core.state.events import CallHeld, Said
from turnwise.core.toolbox import LinkedTool
from turnwise.core.tools import consent
from turnwise.core.tools.check_call import read_arguments
from turnwise.core.tools.check_call import refusal as refused_now
from turnwise.core.turn import Phase, StepBuilder


def await_approval(
    step: StepBuilder, tool: LinkedTool, arguments: dict[str, Any], call: str = "", effect: str = ""
) -> None:
    """Record that a call waits for approval. `call` is its id, empty for a node's own call; `effect` is the id of an
    identical earlier call, if any.
    """
    within_s = tool.tool.approve_within_s
    step.emit(
        CallHeld(
            tool.tool.name,
            arguments,
            call,
            effect or call or step.effect_id(),
            tool.tool.approver,
            step.at_ms,
            None if within_s is None else step.at_ms + round(within_s * 1000),
        )
    )
    if tool.tool.approver == "operator":
        consent.announce(step, next(one for one in step.state.frame.waiting_calls if one.call == call))


def waits_behind(step: StepBuilder, call: Call) -> bool:
    """Return whether a call has to wait since an earlier call of its reply waits for approval.
    Calls that need approval do not: they are held together with it.
    """
    earlier = (one for one in step.state.frame.waiting_calls if reply_of(one.call) == reply_of(call.id))
    if not any(number_of(one.call) < number_of(call.id) for one in earlier):
        return False
    tool = step.machine.tools.get(call.tool)
    if tool is None or not tool.tool.confirm or call.wrong:
        return True
    arguments = read_arguments(tool, call.arguments, step.rules)
    return isinstance(arguments, RefusedCall) or refused_now(step.machine, step.state, call) is not None


def waits_already(step: StepBuilder, call: Call, arguments: dict[str, Any]) -> bool:
    """Return whether the same call, of an earlier reply, already waits for approval."""
    return any(
        (one.tool, one.arguments) == (call.tool, arguments) and reply_of(one.call) != reply_of(call.id)
        for one in step.state.frame.waiting_calls
    )


def too_many(limit: int) -> str:
    """Return why a call is refused, in words: the limit of calls that wait for approval is reached."""
    return f"at most {limit} calls are handled in a turn, or wait for approval (tool_calls); make it again later"


def go_on(step: StepBuilder, last: str = "") -> Phase | None:
    """Run approved calls, or ask for the next approval; return the next phase, `None` if the model is to be called.
    `last` is the id of the call that was handled last: if its reply has no call that waits and was made in this turn,
    the model gets its results at once, whatever else waits.
    """
    waiting = step.state.frame.waiting_calls
    if not waiting:
        # The model gets the results later: a deadline does not call it, nor does a turn of a person.
        is_deadline = step.doing.kind == "timer" and not step.machine.flow.autonomous
        is_later = is_deadline or step.state.frame.person is not None
        return Phase.FINISH if is_later and not _is_of_turn(step, last) else None
    approved = next((one for one in waiting if one.is_approved), None)
    if approved is not None:
        return consent.run(step, approved)
    is_open = any(reply_of(one.call) == reply_of(last) for one in waiting)
    return None if _is_of_turn(step, last) and not is_open else ask_next(step)


def _is_of_turn(step: StepBuilder, call: str) -> bool:
    """Return whether the reply that made a call was made in this turn."""
    return reply_of(call).startswith(f"{step.number}-")


def ask_next(step: StepBuilder) -> Phase:
    """Ask the user to approve the next call, unless that question is open already; the turn then ends."""
    question, request = step.state.frame.question, step.state.frame.awaiting_approval
    if request is not None and (question is None or question.kind != "call"):
        consent.ask(step, request)
    return Phase.FINISH


def say_waiting(step: StepBuilder) -> bool:
    """Send what was done of approved calls and what waits for an operator, if nothing else was sent.
    The model replies only when all calls of its reply are decided. Return whether there is a call that waits for an
    operator.
    """
    machine, frame = step.machine, step.state.frame
    waiting = [machine.tools[one.tool].tool for one in frame.waiting_calls if one.tool in machine.tools]
    if not waiting or frame.awaiting_approval is not None:
        return False
    used = [use.tool for use in frame.tools.last if use.turn == step.number and use.tool not in step.doing.failures]
    done = [machine.tools[name].tool for name in dict.fromkeys(used) if name in machine.tools]
    lines = [machine.language.text("consent_done", what=tool_in_words(one)) for one in done if one.confirm]
    what = ", ".join(dict.fromkeys(map(tool_in_words, waiting)))
    step.emit(Said("\n".join([*lines, machine.language.text("consent_still_waits", what=what)]), "consent"))
    return True
