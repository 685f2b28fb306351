"""A way out that the model chooses (law 2.14): the move is made at once, and `after` is not judged."""

from __future__ import annotations

from turnwise.core.decide import take
from turnwise.core.events import CallAnswered, Decided, WorkDone
from turnwise.core.judge import NOT_REACHED, OUTRANKED, TAKEN, read_all
from turnwise.core.messages import Call
from turnwise.core.tools.offered import CHOICE, judged
from turnwise.core.turn import Phase, Turn


def choose(turn: Turn, call: Call) -> Phase:
    """Take the way out that was chosen; it holds, for the call was checked."""
    target = call.tool.removeprefix(CHOICE)
    docket = turn.machine.docket(turn.state.node, "choice")
    judgement = judged(turn.machine, turn.state)
    held = [letter in (TAKEN, OUTRANKED) for letter in judgement.outcomes]
    place = next(n for n, one in enumerate(docket.candidates) if held[n] and one.target == target)
    letters = "".join(NOT_REACHED if is_held else one for is_held, one in zip(held, judgement.outcomes, strict=True))
    decided = Decided(
        node=turn.state.node,
        moment="choice",
        outcomes=letters[:place] + TAKEN + letters[place + 1 :],
        taken=place,
        reads=read_all(docket, turn.state),
        code=judgement.code,
    )
    turn.emit(CallAnswered(call.id, call.tool, {"success": True}))
    turn.emit(WorkDone(turn.state.node))
    return take(turn, "choice", docket.candidates[place], decided) or Phase.FINISH
