"""The result of a turn as clients receive it."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from turnwise.runner.result import Turn
from turnwise.server.transcript import messages_of
from turnwise.server.wire.conversations import TurnResult


def result_of(turn: Turn) -> TurnResult:
    """Return a turn, or a refused event, as clients receive it."""
    state, messages = turn.after, messages_of(turn)
    return TurnResult(
        turn.conversation,
        turn.number,
        turn.text,
        turn.buttons,
        turn.status or "",
        turn.node or "",
        turn.outcome or "",
        turn.position,
        turn.entries[-1].seq if turn.entries else (state.seq if state is not None else 0),
        refused=turn.refused or "",
        is_duplicate=turn.is_duplicate,
        messages=messages,
        form=next((message.form for message in reversed(messages) if message.form is not None), None),
        artefacts=tuple([_data(one) for one in turn.artefacts]),
        warnings=tuple([_data(one) for one in turn.warnings]),
        recovered=tuple([result_of(one) for one in turn.recovered]),
        unprompted=tuple([result_of(one) for one in turn.unprompted]),
    )


def _data(event: Any) -> dict[str, Any]:
    return to_builtins(event)
