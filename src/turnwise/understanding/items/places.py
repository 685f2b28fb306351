"""Understands parts of a message that move an item to another place of its list."""

from __future__ import annotations

from turnwise.understanding.items.marks import Unclear
from turnwise.understanding.items.plan import Moving, Words
from turnwise.understanding.items.references import named_by
from turnwise.understanding.items.run import Run
from turnwise.understanding.items.segments import Phrase, Segment
from turnwise.understanding.items.values import only_entries


def move_item(run: Run, segment: Segment, words: Words) -> bool:
    """Add the step of a segment that moves an item to `run`, and return whether it did; false if the segment puts
    entries on an item instead.
    """
    named = [one for one in segment.phrases if run.is_named(one) or _is_bare_item(run, one)]
    ends = {"top": 1, "end": len(run.subject.items)}
    to = next((place for word, place in ends.items() if word in segment.does), 0)
    if not to and len(named) == 2 and named[1].nth is not None and not named[1].values and named[1].span == 1:
        nth = named[1].nth
        to, named = (nth if nth > 0 else len(run.subject.items) + nth + 1), named[:1]
    if not to and "put" in segment.does:
        return False
    if not to or len(named) != 1 or segment.said or segment.labels or len(segment.phrases) > 2:
        raise Unclear
    items = named_by(named[0], run.subject, is_whole=True).items
    if len(items) != 1 or not isinstance(items[0], str):
        raise Unclear
    run.steps.append(Moving(words, items[0], to))
    return True


def _is_bare_item(run: Run, phrase: Phrase) -> bool:
    return phrase.kind == "bare" and bool(phrase.values) and not only_entries(phrase.values, run.subject)
