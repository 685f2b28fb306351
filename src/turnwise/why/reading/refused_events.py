"""Questions about an event that was refused and began no turn: a press, a message, an undo, an act of a person."""

from __future__ import annotations

import re

from turnwise.core.state import events as e
from turnwise.core.state.kinds import TurnKind
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.phrases import GIVE_BACK, PRESS, TAKE_OVER, UNDO
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.sentences import Sentence

_REFUSED = late_pattern(
    r"\b(?:refus\w+|reject\w+|declin\w+|turned away|busy|fail\w*|ignor\w+|abgelehnt|abgewiesen|ignoriert)\b"
    r"|\b(?:not|n't|never|cannot|nicht|nie)\b(?: \w+){0,3}? (?:accept\w*|taken?|work\w*|possible|count\w*|press\w*|undo"
    r"|go through|send|fire|angenommen|akzeptiert|möglich|übernehmen)\b"
    r"|\b(?:could|can|may|konnte|kann|darf)(?:n't| \w+)? (?:not|nicht)\b|\b(?:cannot|can't|couldn't)\b"
)
"""Words for what was not taken."""
_NOTHING = late_pattern(r"\bnothing (?:happen\w*|changed?)\b|\bnichts passiert\b|\bpassiert\w* nichts\b")
_KINDS: tuple[tuple[re.Pattern[str], tuple[TurnKind, ...]], ...] = (
    (late_pattern(rf"\b(?:{PRESS})\b"), ("chose",)),
    (late_pattern(rf"\b(?:{TAKE_OVER}|übernommen)\b"), ("taken_over",)),
    (late_pattern(rf"\b(?:{GIVE_BACK})\b"), ("given_back",)),
    (late_pattern(rf"\b(?:{UNDO})\b"), ("undo",)),
    (late_pattern(r"\b(?:messages?|wrote|write|sent|send|nachricht|geschrieben)\b"), ("said", "operator")),
    (late_pattern(r"\btimers?\b"), ("timer",)),
    (late_pattern(r"\bcommands?\b|\bbefehle?\b"), ("commands",)),
    (late_pattern(r"\btools?\b"), ("tool",)),
)
"""Words for each kind of event."""
_IN_A_TURN = (e.CommandRefused, e.CallRefused, e.ToolFailed, e.Missed)
"""What was not taken in a turn: the later one is meant."""


async def refused_before_turn(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last event that was refused and began no turn, where a question asks for it by its
    kind or name, or why nothing happened after the last turn; `None` where something was refused in a turn since.
    """
    is_nothing = _NOTHING.search(sentence.unquoted) is not None
    if not is_nothing and _REFUSED.search(sentence.unquoted) is None:
        return None
    kinds = {kind for words, own in _KINDS if words.search(sentence.unquoted) for kind in own}
    asked = {*sentence.words, *(word for quote in sentence.quotes for word in quote.words)}
    async for entry in query.back(e.EventRefused, e.TurnEnded, e.Warned, *_IN_A_TURN):
        match entry.event:
            case e.EventRefused(kind="said", code="conversation_ended"):
                return None  # the end of the conversation answers that
            case e.EventRefused(kind=kind, name=name):
                named = {*words_in(name)}
                is_named = bool(named) and named <= asked
                if kind in kinds or is_named or (is_nothing and not kinds):
                    found = (Subject("turn", str(entry.turn)), *reading.names.best)
                    return reading._replace(found=found, turn=entry.turn, refused=entry.seq)
            case e.TurnEnded() if is_nothing and not kinds:
                return None
            case e.Warned(code="stale_button" | "late"):
                return None
            case event if isinstance(event, _IN_A_TURN):
                return None
            case _:
                pass
    return None
