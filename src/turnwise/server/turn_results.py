"""The result of a turn as clients receive it."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from turnwise.core.state import events as e
from turnwise.runner.result import Turn
from turnwise.server.transcript import messages_of
from turnwise.server.wire.conversations import Message, TurnResult

_BY_MODEL = frozenset({"reply", "cut"})


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


def node_after(entry: e.Entry, node: str) -> str:
    """Return the node in charge after an entry."""
    match entry.event:
        case e.Started(node=first):
            return first
        case e.Moved(target=entered):
            return entered
        case e.Undone(state=state):
            return state.node
        case _:
            return node


def message_of(entry: e.Entry, node: str) -> Message | None:
    """Return the message of an entry, `None` if it is none; `node` was in charge."""
    event = entry.event
    if isinstance(event, e.Said):
        return Message(
            entry.seq,
            entry.turn,
            entry.at_ms,
            "model" if event.kind in _BY_MODEL else "text",
            event.text,
            speaker=node,
            kind=event.kind,
            buttons=event.buttons,
        )
    if isinstance(event, e.UserSaid):
        return Message(entry.seq, entry.turn, entry.at_ms, "user", event.text)
    if isinstance(event, e.UserChose):
        return Message(entry.seq, entry.turn, entry.at_ms, "button", event.value)
    return None


def _data(event: Any) -> dict[str, Any]:
    return to_builtins(event)
