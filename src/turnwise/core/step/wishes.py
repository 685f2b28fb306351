"""Opens the scopes that a message asked for beside the one that was opened first (law 7.2)."""

from __future__ import annotations

from turnwise.core.addresses import local_name
from turnwise.core.decision.frames import open_scope
from turnwise.core.offers import requested_opening
from turnwise.core.scopes import why_not_opened
from turnwise.core.state.events import CommandRefused
from turnwise.core.turn import StepBuilder


def open_wished(step: StepBuilder) -> bool:
    """Open the first scope that waits to be opened, if possible; return whether one was opened.
    One that cannot be opened in this turn keeps waiting. One that cannot be opened at all is dropped with a reply that
    says so, and the next is tried.
    """
    for scope in step.state.frame.wishes:
        if scope not in step.machine.scopes:
            _drop(step, scope, f"the flow has no scope '{local_name(scope)}'")
        elif why_not_opened(step.machine, step.state, scope) is not None:
            return False
        else:
            by = "program" if scope in step.state.frame.program_wishes else "user"
            refused = open_scope(step, requested_opening(step.state, scope, by))
            if refused is None:
                return True
            _drop(step, scope, refused.message)
    return False


def _drop(step: StepBuilder, scope: str, reason: str) -> None:
    machine = step.machine
    title = machine.node_title(scope) if scope in machine.scopes else local_name(scope)
    text = machine.language.text("start_dropped", title=title)
    step.warn("scope_not_opened", reason)
    step.emit(CommandRefused("start", "cannot_open", text=text, scope=scope))
    step.say(text, "refused")
