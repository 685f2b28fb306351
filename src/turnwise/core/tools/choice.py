"""A way out that the model chooses (law 2.14): the move is made at once, and `after` is not judged."""

from __future__ import annotations

from typing import Any

from turnwise.core.decide import blocking, take
from turnwise.core.events import CallAnswered, Decided, WorkDone
from turnwise.core.judge import OUTRANKED, TAKEN, read_all, why_blocked
from turnwise.core.machine import Candidate
from turnwise.core.messages import Call
from turnwise.core.tools.offered import CHOICE, judged
from turnwise.core.turn import Phase, Turn


def choose(turn: Turn, call: Call) -> Phase:
    """Take the way out that was chosen; it holds, for the call was checked. The others that hold are outranked by
    the choice.
    """
    target = call.tool.removeprefix(CHOICE)
    docket = turn.machine.docket(turn.state.node, "choice")
    judgement = judged(turn.machine, turn.state)
    held = [letter in (TAKEN, OUTRANKED) for letter in judgement.outcomes]
    place = next(n for n, one in enumerate(docket.candidates) if held[n] and one.target == target)
    letters = "".join(OUTRANKED if is_held else one for is_held, one in zip(held, judgement.outcomes, strict=True))
    decided = Decided(
        node=turn.state.node,
        moment="choice",
        outcomes=letters[:place] + TAKEN + letters[place + 1 :],
        taken=place,
        reads=read_all(docket, turn.state),
        code=judgement.code,
    )
    turn.emit(CallAnswered(call.id, call.tool, _answer(turn, docket.candidates[place])))
    turn.emit(WorkDone(turn.state.node))
    return take(turn, "choice", docket.candidates[place], decided) or Phase.FINISH


def _answer(turn: Turn, way: Candidate) -> dict[str, Any]:
    """What the model is told: that it moves, or why a limit keeps it here."""
    blocked = blocking(turn.machine, turn.state, way)
    if not blocked:
        return {"success": True}
    return {"success": False, "error": why_blocked(blocked, way.target, turn.machine.flow.limits.moves)}
