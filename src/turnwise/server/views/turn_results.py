"""The result of a turn as clients receive it."""

from __future__ import annotations

from msgspec import to_builtins

from turnwise.core.state import events as e
from turnwise.runner.result import Turn
from turnwise.server.views.turn_messages import TurnMessages, turn_messages
from turnwise.server.wire.turns import TurnResult, TurnWarning

_SHOWN = frozenset({e.Said, e.ArtefactMade, e.Warned})
"""The events that a result is made of, beside its messages."""


def result_of(turn: Turn, messages: TurnMessages | None = None) -> TurnResult:
    """Return a turn, or a refused event, as clients receive it; `messages` are those of the turn, if known."""
    state, entries = turn.after, turn.entries
    shown = messages or turn_messages(turn)
    found = [entry for entry in entries if type(entry.event) in _SHOWN]
    said = [(entry.seq, entry.event) for entry in found if isinstance(entry.event, e.Said)]
    offers = [seq for seq, one in said if one.buttons]
    text = turn.refusal if turn.refused else shown.redaction.text("\n\n".join([one.text for _, one in said]))
    return TurnResult(
        turn.conversation,
        turn.number,
        text,
        said[-1][1].buttons if said else (),
        turn.status or "",
        turn.node or "",
        turn.outcome or "",
        offers[-1] if offers else None,
        entries[-1].seq if entries else (state.seq if state is not None else 0),
        refused=turn.refused or "",
        is_duplicate=turn.is_duplicate,
        messages=shown.final,
        form=next((message.form for message in reversed(shown.final) if message.form is not None), None),
        artefacts=tuple(
            [to_builtins(shown.redaction.event(one)) for one in found if isinstance(one.event, e.ArtefactMade)]
        ),
        warnings=tuple([TurnWarning(entry.event.code) for entry in found if isinstance(entry.event, e.Warned)]),
        recovered=tuple([result_of(one) for one in turn.recovered]),
        unprompted=tuple([result_of(one) for one in turn.unprompted]),
        operator=(turn.person.display or turn.person.operator) if turn.person is not None else "",
        starts=turn.starts,
    )
