"""Handles a message that neither approves nor declines a call: answers it and asks for the approval again (law 4.5)."""

from __future__ import annotations

from typing import Any, Final

from turnwise.core.decision.dropped import say_dropped
from turnwise.core.state import ApprovalRequest
from turnwise.core.state.events import ApprovalUnclear, CallRefused
from turnwise.core.state.kinds import BY_USER
from turnwise.core.toolbox import LinkedTool
from turnwise.core.tools.check_call import fork_refusal
from turnwise.core.tools.consent import NO, YES, declines
from turnwise.core.turn import StepBuilder

MOST_UNCLEAR: Final = 2
"""How often an approval is asked again; after the next unclear message the call is dropped."""
_ASIDE: Final = frozenset(("help", "repeat", "wait", "why"))
"""Commands that are neither an answer to an approval nor a message that is not understood."""


def is_unclear(step: StepBuilder, request: ApprovalRequest) -> bool:
    """Return whether a message answers an approval question with neither yes nor no, and it may be asked again."""
    is_answered = any(one.kind in (YES, NO) for one in step.doing.outcomes)
    may_run = fork_refusal(step.machine, step.state, request.tool) is None
    if is_answered or not may_run or step.doing.kind not in BY_USER or declines(step, request):
        return False
    return request.unclear < MOST_UNCLEAR or is_no_answer(step)


def is_no_answer(step: StepBuilder) -> bool:
    """Return whether a message does not answer, but does not count as a miss either: a greeting, thanks, or a wish.
    The wish is for help, for time, for the question or for the reason.
    """
    kinds = {one.kind for one in step.doing.outcomes}
    return kinds <= _ASIDE if kinds else bool(_courtesy(step))


def _courtesy(step: StepBuilder) -> str:
    return step.machine.language.courtesy(step.doing.message or "")


def note_unclear(step: StepBuilder, request: ApprovalRequest) -> None:
    """Record that a message did not answer the approval, so that it is asked again at the end of the turn."""
    step.emit(ApprovalUnclear(request.call, request.tool, not is_no_answer(step)))


def only_asks_again(step: StepBuilder) -> bool:
    """Return whether a message only asks to repeat the question."""
    return {one.kind for one in step.doing.outcomes} == {"repeat"}


def say_nothing_done(step: StepBuilder) -> None:
    """Send the fixed text that nothing was done, unless something was sent."""
    if step.doing.has_spoken or only_asks_again(step):
        return
    courtesy = _courtesy(step)
    step.say(step.machine.language.text(courtesy or "consent_unclear"), "consent")


def supersede_unclear_call(step: StepBuilder, tool: LinkedTool, arguments: dict[str, Any]) -> None:
    """Replace the call that the user was asked about and did not answer with a new call.
    That is the same call with other arguments, or another effect.
    """
    request = step.state.frame.awaiting_approval
    if request is None or not request.call or not request.unclear or request.call.startswith(f"{step.number}-"):
        return
    if tool.tool.name == request.tool and arguments != request.arguments:
        step.emit(
            CallRefused(request.call, request.tool, "replaced", "not run: a call with other arguments replaces it")
        )
    elif tool.tool.name != request.tool and tool.tool.kind == "effect":
        step.emit(CallRefused(request.call, request.tool, "dropped", "not run: the user wants something else"))
        say_dropped(step, request.tool)
