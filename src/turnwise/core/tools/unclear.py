"""A message to an approval that is neither yes nor no: it is answered, and the approval asked again (law 4.5)."""

from __future__ import annotations

from typing import Any, Final

from turnwise.core.decision.dropped import say_dropped
from turnwise.core.state import ApprovalRequest
from turnwise.core.state.events import ApprovalUnclear, CallRefused
from turnwise.core.toolbox import LinkedTool
from turnwise.core.tools.check_call import bound
from turnwise.core.tools.consent import NO, YES
from turnwise.core.turn import Turn

MOST_UNCLEAR: Final = 2
"""How often an approval is asked again; after the next unclear message the call is dropped."""
_BY_USERS = ("said", "chose", "commands")


def is_unclear(turn: Turn, request: ApprovalRequest) -> bool:
    """Return whether a message answers an approval neither way, and the approval may be asked again."""
    is_answered = any(one.kind in (YES, NO) for one in turn.doing.outcomes)
    may_run = bound(turn.machine, turn.state, request.tool) is None
    return not is_answered and may_run and turn.doing.kind in _BY_USERS and request.unclear < MOST_UNCLEAR


def note_unclear(turn: Turn, request: ApprovalRequest) -> None:
    """Record an unclear message, so that the approval is asked again at the end of the turn."""
    turn.emit(ApprovalUnclear(request.call, request.tool))


def say_nothing_done(turn: Turn) -> None:
    """Say the fixed text in place of an answer, unless something was said."""
    if not turn.doing.has_spoken:
        turn.say(turn.machine.language.text("consent_unclear"), "consent")


def supersede(turn: Turn, tool: LinkedTool, arguments: dict[str, Any]) -> None:
    """Let a call take the place of the one that the user was asked about, and did not answer: it is the same with other
    arguments, or another effect that the user wants instead.
    """
    request = turn.state.awaiting_approval
    if request is None or not request.call or not request.unclear or request.call.startswith(f"{turn.number}-"):
        return
    if tool.tool.name == request.tool and arguments != request.arguments:
        turn.emit(
            CallRefused(request.call, request.tool, "replaced", "not run: a call with other arguments replaces it")
        )
    elif tool.tool.name != request.tool and tool.tool.kind == "effect":
        turn.emit(CallRefused(request.call, request.tool, "dropped", "not run: the user wants something else"))
        say_dropped(turn, request.tool)
