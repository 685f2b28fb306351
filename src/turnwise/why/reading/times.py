"""A question for two times, `when did she take over, and when did she give back`: its parts, and one answer to them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Answer

_WHEN = late_pattern(r"(?i)\s*(?:when|wann)\b")
_AND = late_pattern(
    r"(?i)(?<=\w),?\s+(?:and|und)\s+(?:(?=(?:when|wann)\s+\S+\s+\S)"
    r"|(?=(?:hand\w*|g[ia]ven?|t(?:ake|aken|ook)|left|leave|end(?:ed)?|closed?|turned|let|rejected|refused|corrected|changed"
    r"|undone|removed|übergeben|zurückgegeben|beendet|geschlossen|abgelehnt|geändert|korrigiert|entfernt)\b))"
)
"""What stands between two questions for times, of which the second one may have only a verb."""
_QUOTES = late_pattern(r"[“”\"„«»]")


def times_asked(question: str) -> list[str]:
    """Return the questions of a sentence that asks for the times of several things, each beginning with `when`; else
    the sentence.
    """
    if _WHEN.match(question) is None or _QUOTES.search(question) is not None:
        return [question]
    return [one if _WHEN.match(one) is not None else f"when {one}" for one in _AND.split(question)]


def together(answers: Sequence[Answer]) -> Answer:
    """Return one answer: the first fact of each, then the rest of the first one, and the second fact of each other."""
    first = answers[0]
    if len(answers) == 1:
        return first
    facts = [fact for one in answers for fact in one.facts[:1]]
    facts += [*first.facts[1:], *(fact for one in answers[1:] for fact in one.facts[1:2])]
    return replace(
        first,
        read_as="; ".join(dict.fromkeys(one.read_as for one in answers)),
        facts=tuple([fact for at, fact in enumerate(facts) if fact not in facts[:at]]),
        plain=" ".join(dict.fromkeys(one.plain for one in answers if one.plain)),
        decisions=tuple([decision for one in answers for decision in one.decisions]),
        erased=tuple(dict.fromkeys(text for one in answers for text in one.erased)),
    )
