"""Makes the move that was decided for the next user event (law 3.3), unless the message is read before it."""

from __future__ import annotations

from turnwise.core.commands.reasons import may_ask_why
from turnwise.core.decision import fail
from turnwise.core.decision.moves import move
from turnwise.core.language import begins_with_why, is_question
from turnwise.core.turn import Phase, StepBuilder


def make_pending_move(step: StepBuilder) -> Phase:
    """Make the move that was planned for the next user event, before its message is read (law 3.3); return the next
    phase.
    """
    pending = step.state.frame.pending
    if pending is None:
        return Phase.UNDERSTAND
    planned = (pending.transition, pending.target)
    after = step.machine.candidates(step.state.frame.node, "after").all
    candidate = [one for one in after if (one.id, one.target) == planned][0]  # noqa: RUF015  `next` calls a generator
    refused = move(step, candidate, candidate.because)
    return fail(step, refused) if refused is not None else Phase.UNDERSTAND


def may_ask_only_why(step: StepBuilder) -> bool:
    """Return whether the message may only ask why; then it is read first, and the planned move waits.
    What stands before or after a question is for the next node.
    """
    if "why" not in step.machine.flow.commands.names:
        return False
    text = (step.doing.message or "").rstrip()
    if not may_ask_why(step.machine, text):
        return False
    return (is_question(text[-1:]) and begins_with_why(text)) or step.machine.language.asks_why(text)
