"""Which tool a question means that asks whether something is still done after an undo."""

from __future__ import annotations

from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.sentences import Sentence
from turnwise.why.reading.titles import is_alike
from turnwise.why.reading.words import LITTLE

_STILL = late_pattern(r"\b(?:still|stay\w*|remain\w*|noch|bleib\w*|geblieben)\b")
_UNDO = late_pattern(r"\b(?:undo|undone|undid|taken? back|took back|rückgängig\w*|zurückgenommen\w*|rücknahme)\b")


async def after_undo(query: Query, reading: Reading) -> Reading | None:
    """Return a reading about a tool as it stands now: the one whose effect the last undo kept and that the question
    names best, by its name or description; else the one that the question names. `None` for any other question.
    """
    sentence = reading.sentence
    if sentence is None or _STILL.search(sentence.text) is None or _UNDO.search(sentence.text) is None:
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
    return reading._replace(found=tuple(dict.fromkeys((*named, *reading.found))), turn=None) if named else None


def _named(query: Query, tool: str, sentence: Sentence) -> int:
    """Return how many words of a question are in the name or the description of a tool, or alike."""
    found = query.machine.tools.get(tool)
    words = {*words_in(tool), *words_in(found.tool.about if found is not None else "")} - LITTLE
    return sum(any(is_alike(word, one) for one in words) for word in sentence.words if word not in LITTLE)
