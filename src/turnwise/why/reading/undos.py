"""What a question about an undo means: a tool whose effect was kept, or the field of a value that was taken back."""

from __future__ import annotations

from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.phrases import UNDO
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.echoes import shown_values
from turnwise.why.reading.repeated_words import is_quoted
from turnwise.why.reading.sentences import Sentence
from turnwise.why.reading.titles import is_alike
from turnwise.why.reading.words import LITTLE

_STILL = late_pattern(r"\b(?:still|stay\w*|remain\w*|noch|bleib\w*|geblieben)\b")
_UNDO = late_pattern(rf"\b(?:{UNDO})\b")


async def after_undo(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about a tool as it stands now: the one whose effect the last undo kept and that the question
    names best, by its name or description; else the one that the question names. `None` for any other question.
    """
    if _STILL.search(sentence.text) is None or _UNDO.search(sentence.text) is None:
        return None
    named = [one for one in reading.found if one.kind == "tool"]
    if reading.names.best and not named:
        return None
    async for entry in query.back(e.Undone):
        if isinstance(entry.event, e.Undone):
            counts = {name: _named(query, name, sentence) for name in dict.fromkeys(entry.event.kept)}
            best = max(counts, key=counts.__getitem__, default="")
            named = [Subject("tool", best), *named] if counts.get(best) else named
            break
    return reading.about(*named)._replace(turn=None) if named else None


_GONE = late_pattern(
    rf"\b(?:happen\w* (?:to|with)|bec[ao]mes?|forg[eo]t\w*|lo(?:st|se|ses)|gone|disappear\w*|{UNDO}"
    r"|vergess\w*|geworden|passiert|weg|verloren|verschwunden)\b"
)


async def undone_value(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the field of a value that the question repeats and that an undo took back; `None` for a
    question that names something else, or does not ask what became of it.
    """
    if reading.names.best or _GONE.search(sentence.text) is None or not sentence.quotes:
        return None
    async for entry in query.back(e.Undone):
        turn = await query.history.turn(entry.turn)
        before = turn.before if turn is not None else None
        if not isinstance(entry.event, e.Undone) or before is None:
            continue
        now = entry.event.state.values
        had = shown_values(query.machine, before.values)
        gone = {name: value for name, value in had.items() if name not in now or now[name].value != value}
        own = [name for name, value in gone.items() if is_quoted(value, sentence)]
        if own:
            return reading.about(Subject("field", own[0]))._replace(turn=None)
    return None


def _named(query: Query, tool: str, sentence: Sentence) -> int:
    """Return how many words of a question are in the name or the description of a tool, or alike."""
    found = query.machine.tools.get(tool)
    words = {*words_in(tool), *words_in(found.tool.about if found is not None else "")} - LITTLE
    return sum(any(is_alike(word, one) for one in words) for word in sentence.words if word not in LITTLE)
