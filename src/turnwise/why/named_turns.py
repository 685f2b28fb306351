"""What a question names with the number of a turn: the turn, a message, or the model in a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwise.core.phrase import Phrase
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject, SubjectKind
from turnwise.why.kind_words import KIND_WORDS

_TURN = late_pattern(r"(?i)\b(?:turn|runde|zug)\s+(\d+)\b")
_MESSAGE = late_pattern(r"(?i)\b(?:message|nachricht)\s+(\d+)\b")
_NAMED, _IN_TURN = 8.0, 14.0
"""How much a turn or message by its number counts, and the model in that turn, which is more than the turn."""


def named_turns(question: str, said: Sequence[str]) -> Iterator[tuple[Subject, float, str, int]]:
    """Yield each subject that a question names by a turn, with its weight, the reason and the number of the turn.
    `said` are the words of the question. A question about the model in a turn (`what did the model see in turn 4?`) is
    about that turn's call; one about several turns is left to the turns.
    """
    found: Sequence[tuple[SubjectKind, str]] = [
        *(("turn", number) for number in map(str, _TURN.findall(question))),
        *(("message", number) for number in map(str, _MESSAGE.findall(question))),
    ]
    for kind, number in found:
        yield Subject(kind, number), _NAMED, Phrase("the question has its number"), int(number)
    if len(found) == 1 and not KIND_WORDS["model"].isdisjoint(said):
        yield Subject("model"), _IN_TURN, Phrase("the question names it, and its turn"), int(found[0][1])
