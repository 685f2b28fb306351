"""Understands segments that copy an item: `the same again`, `another one`, `two of those`."""

from __future__ import annotations

from turnwise.core.state.commands import ItemRef
from turnwise.understanding.items.marks import Unclear
from turnwise.understanding.items.plan import Changing, Copying, Words
from turnwise.understanding.items.references import named_by
from turnwise.understanding.items.run import Operation, Run
from turnwise.understanding.items.segments import Segment
from turnwise.understanding.items.values import Value, values_of


def copy_item(run: Run, segment: Segment, own: Operation, words: Words) -> bool:
    """Add the step of a segment that copies an item (`the same again`) to `run`, and return whether it did; false if
    the segment copies none. `own` is the operation of the segment's verb, empty without one.
    """
    if own not in ("", "add", "change"):
        return False
    subject, others = run.subject, run.phrases_without_items(segment)
    if "same" in segment.does:
        if segment.phrases or not subject.items or subject.item_pointed_at() == "":
            raise Unclear
        _copy(run, subject.item_pointed_at(), 1, segment, words)
        return True
    if len(others) != 1 or others[0].values or others[0].is_record:
        return _counts_pointed(run, segment, words)
    phrase, named = others[0], run.phrases_with_items(segment)
    is_counted = phrase.count is not None or phrase.has_noun
    if (
        phrase.kind == "another"
        and is_counted
        and subject.items
        and len(named) <= 1
        and (not named or "of" in segment.does)
    ):
        items = named_by(named[0], subject, is_whole=True).items if named else (subject.item_pointed_at(),)
        if len(items) != 1:
            raise Unclear
        if not named and subject.has_names():
            return False  # another one has another name
        if items[0] == "":
            raise Unclear
        _copy(run, items[0], phrase.count or 1, segment, words)
        return True
    if phrase.kind == "new" and "of_those" in segment.does and not named and not segment.said and subject.items:
        _count(run, phrase.count or 1, words)
        return True
    return False


def _counts_pointed(run: Run, segment: Segment, words: Words) -> bool:
    """`Make that two`, where an item has no number of its own."""
    is_pointing = len(segment.phrases) == 1 and segment.phrases[0].kind in ("it", "that")
    numbers = [one.mark.value for one in segment.said if one.mark.does == "number"]
    is_count = len(numbers) == len(segment.said) == 1 and not run.subject.number_fields() and not segment.labels
    if not (is_pointing and segment.phrases[0].is_empty and is_count and run.subject.items):
        return False
    _count(run, numbers[0], words)
    return True


def _copy(run: Run, item: ItemRef, count: int, segment: Segment, words: Words) -> None:
    values = values_of(segment.said, segment.labels, run.subject)
    run.steps.append(Copying(words, item, count, tuple(values)))


def _count(run: Run, count: int, words: Words) -> None:
    """Let the item that was spoken of be there so many times."""
    item, quantity = run.subject.last_item(), run.subject.quantity_field()
    if item and quantity:
        run.steps.append(Changing(words, (item,), (Value(quantity, count),)))
    elif item and count > 1 and count == int(count):
        run.steps.append(Copying(words, item, int(count) - 1))
    else:
        raise Unclear
