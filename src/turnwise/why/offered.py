"""Offers what an unclear question may be about: each subject as it can be asked for, with its title and the reason."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import events as e
from turnwise.errors import SubjectCandidate
from turnwise.why.answer import Subject
from turnwise.why.candidates import Candidate
from turnwise.why.names import title_of
from turnwise.why.query import Query

MOST_OFFERED = 6
"""How many subjects are offered for a question."""
_MOST_CHARS = 80


async def offered_subjects(query: Query, ranked: Sequence[Candidate]) -> tuple[SubjectCandidate, ...]:
    """Return the likeliest candidates as subjects that the caller can choose from, without secrets."""
    found = [
        SubjectCandidate(str(one.subject), await _title(query, one.subject), one.because)
        for one in ranked[:MOST_OFFERED]
    ]
    return tuple(found)


async def _title(query: Query, subject: Subject) -> str:
    match subject.kind:
        case "turn" | "message":
            hide, turn = await query.history.hide(), await query.history.turn(int(subject.name))
            events = [entry.event for entry in turn.entries] if turn is not None else []
            said = next((one for one in events if isinstance(one, e.UserSaid | e.UserChose | e.OperatorSaid)), None)
            text = said.value if isinstance(said, e.UserChose) else said.text if said is not None else ""
            found = f"“{hide(text)}”" if text else Phrase("the turn") if subject.kind == "turn" else ""
        case "question" if subject.name:
            found = phrase("why it is asked: {field}", field=query.machine.title(subject.name))
        case _:
            found = title_of(query.machine, subject)
    return found if len(found) <= _MOST_CHARS else f"{found[: _MOST_CHARS - 1]}…"
