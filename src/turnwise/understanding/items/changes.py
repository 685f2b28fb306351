"""Understands segments that give items values, and those that go on with the segment before."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.core.state.commands import ItemRef
from turnwise.understanding.items.additions import adds_to_drafts
from turnwise.understanding.items.marks import Unclear
from turnwise.understanding.items.plan import Adding, Changing, Copying, Removing, Swapping, Words
from turnwise.understanding.items.references import Found, named_by
from turnwise.understanding.items.removals import keep_or_remove_items
from turnwise.understanding.items.run import Operation, Run
from turnwise.understanding.items.segments import Phrase, Said, Segment
from turnwise.understanding.items.values import Value, only_entries, values_of


def change_items(run: Run, segment: Segment, own: Operation, operation: Operation, words: Words) -> None:
    """Add the step of a segment that changes items to `run`; items without a new value wait for the next segment. `own`
    is the operation of the segment's own verb, empty without one; `operation` is that, or the one that goes on from
    before.
    """
    named, others = run.phrases_with_items(segment), run.phrases_without_items(segment)
    if adds_to_drafts(run, named, _predicate(run, segment, others, own), segment):
        return
    found = [named_by(one, run.subject, is_whole=False) for one in named]
    said = [
        *_predicate(run, segment, others, own),
        *[Said(mark) for one in found for mark in one.rest],
        *segment.said,
    ]
    items = _without_excepted(named, found)
    if len([one for one in named if not one.is_excepted]) > 1 or operation in ("remove", "keep", "swap"):
        raise Unclear
    if not said:
        if own == "add" or "want" in segment.does or segment.labels or not named:
            raise Unclear
        run.pending = (*run.pending, *items)
        return
    values = values_of(said, segment.labels, run.subject)
    if own in ("add", "put") and any(not run.subject.is_list(one.name) for one in values):
        raise Unclear
    if len({str(item) for item in (*run.pending, *items)}) < len((*run.pending, *items)):
        raise Unclear
    run.steps.append(Changing(words, (*run.pending, *items), tuple(values)))
    run.pending = ()


def _without_excepted(named: Sequence[Phrase], found: Sequence[Found]) -> tuple[ItemRef, ...]:
    excepted = [item for one, items in zip(named, found, strict=True) if one.is_excepted for item in items.items]
    items = [item for one, some in zip(named, found, strict=True) if not one.is_excepted for item in some.items]
    if any(item not in items for item in excepted):
        raise Unclear
    return tuple(item for item in items if item not in excepted)


def _predicate(run: Run, segment: Segment, others: Sequence[Phrase], own: Operation) -> list[Said]:
    """Return the values of phrases that name no item: `make that a funghi`, `a window seat for Ada`."""
    said: list[Said] = []
    is_led = bool(own) or not segment.does.isdisjoint(("is", "to", "change", "put"))
    for one in others:
        is_entry = one.kind == "another" and one.count is None and only_entries(one.values, run.subject)
        is_plain = one.kind in ("new", "bare", "the") and one.count in (None, 1)
        if not (is_plain or is_entry) or not one.values or not is_led or one.is_excepted:
            raise Unclear
        said += [*map(Said, one.values), *one.having]
    return said


def replace_item(run: Run, segment: Segment, words: Words) -> None:
    """Add the step that gives an item the values of another, in the segment of the tokens `words`, to `run`: `replace
    the hawaii with a funghi`.
    """
    named, others = run.phrases_with_items(segment), run.phrases_without_items(segment)
    if "instead" in segment.does and any(not one.is_replaced for one in named):
        raise Unclear
    if len(named) != 1 or len(others) != 1 or others[0].kind not in ("new", "bare") or others[0].count not in (1, None):
        raise Unclear
    items = named_by(named[0], run.subject, is_whole=True).items
    values = values_of([*map(Said, others[0].values), *segment.said], segment.labels, run.subject)
    if not values:
        raise Unclear
    run.steps.append(Changing(words, items, tuple(values)))


def gives_another(run: Run, segment: Segment, own: Operation) -> bool:
    """Return whether a segment replaces what was said last by something new: `no, a funghi`, not `also a funghi`. `own`
    is the operation of its verb, empty without one.
    """
    is_instead = "rather" in segment.does or (run.takes_back and not run.steps)
    is_further = "also" in segment.does or any(one.kind == "another" for one in segment.phrases)
    return is_instead and own == "" and not is_further and (bool(run.subject.items) or run.subject.is_making)


def give_another(run: Run, segment: Segment, words: Words) -> None:
    """Add the step to `run` that gives the item that was changed last the values that are wanted instead; the machine
    asks if it may be several.
    """
    phrase = segment.phrases[0] if len(segment.phrases) == 1 else None
    if phrase is None or not run.is_single or run.subject.is_making:
        raise Unclear
    is_several = phrase.kind == "bare" and any(one.is_plural for one in phrase.values)  # `sorry, margheritas`
    is_thing = phrase.kind == "new" or (phrase.kind == "bare" and any(map(run.is_head, phrase.values)))
    if not is_thing or is_several or phrase.count not in (1, None) or only_entries(phrase.values, run.subject):
        raise Unclear
    said = [*map(Said, phrase.values), *phrase.having, *segment.said]
    values = tuple(values_of(said, segment.labels, run.subject))
    item = run.subject.changed_item()
    if (
        not values
        or item == ""
        or (isinstance(item, str) and item in run.subject.items_with({one.name: one.value for one in values}))
    ):
        raise Unclear  # nothing, or what it is already, takes no place
    run.steps.append(Changing(words, (item,), values))


def continue_step(run: Run, segment: Segment, operation: Operation, words: Words) -> None:
    """Give the items of the last step of `run` more values, or other values if the message corrects itself. `operation`
    is the one that goes on from before, empty without one.
    """
    marks = [mark for one in segment.phrases for mark in one.values]
    last = run.steps[-1]
    said = [*[Said(mark) for mark in marks], *segment.said]
    values = tuple(values_of(said, segment.labels, run.subject))
    head = run.subject.item_fields[0].name
    if isinstance(last, Copying | Changing) and not run.corrects and any(one.name == head for one in values):
        raise Unclear  # another item, of which nothing is said
    match last:
        case Adding() | Changing() | Copying() if not run.have_conflict(last.values, values) or run.corrects:
            kept = [one for one in last.values if not (run.corrects and _is_replaced(run, one, values))]
            if run.corrects and len(kept) == len(last.values):
                raise Unclear
            run.steps[-1] = replace(last, values=(*kept, *values), words=(last.words[0], words[1]))
        case Adding() if not segment.said:
            run.steps.append(Adding(words, values, is_bare=True))
        case Removing() | Swapping() if not segment.said and not run.corrects and not only_entries(marks, run.subject):
            keep_or_remove_items(run, segment, "", operation, words)
        case _:
            raise Unclear


def _is_replaced(run: Run, known: Value, values: Sequence[Value]) -> bool:
    return any(one.name == known.name and not run.subject.is_list(one.name) for one in values)
