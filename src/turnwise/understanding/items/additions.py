"""Understands segments that put new items into the list."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.understanding.items.marks import Unclear
from turnwise.understanding.items.plan import Adding, Words
from turnwise.understanding.items.run import Operation, Run
from turnwise.understanding.items.segments import Phrase, Said, Segment
from turnwise.understanding.items.values import Value, description_of, values_of


def add_items(run: Run, segment: Segment, own: Operation, operation: Operation, words: Words) -> None:
    """Add the step of a segment that puts new items into the list to `run`. `own` is the operation of the segment's own
    verb, empty without one; `operation` is that, or the one that goes on from before.
    """
    is_open = run.subject.is_open
    is_asked_for = operation == "add" or "want" in segment.does
    if own not in ("", "add", "change") or (own == "change" and "want" not in segment.does) or not segment.phrases:
        raise Unclear
    starts = [*[phrase.first for phrase in segment.phrases[1:]], segment.stop]
    begin = segment.first
    for phrase, stop in zip(segment.phrases, starts, strict=True):
        behind = [one for one in segment.said if begin <= one.mark.first < stop]
        begin = stop
        said = [*map(Said, phrase.values), *phrase.having, *behind]
        values = tuple(values_of(said, segment.labels if len(segment.phrases) == 1 else (), run.subject))
        _check_new(run, phrase, values, segment, is_open=is_open, is_asked_for=is_asked_for)
        is_bare = phrase.kind == "bare" and not phrase.has_noun
        is_beside = phrase.kind == "another" or "also" in segment.does
        step = Adding(words, values, phrase.count or 1, is_bare=is_bare, is_further=is_beside)
        _add_step(run, step, is_further=phrase.kind == "another" or bool(own) or "want" in segment.does)


def _check_new(
    run: Run, phrase: Phrase, values: Sequence[Value], segment: Segment, *, is_open: bool, is_asked_for: bool
) -> None:
    """Raise `Unclear` for what may be no new item: words without an article, a value alone, more of what is there."""
    is_new = phrase.kind in ("new", "another")
    may_be_bare = phrase.kind == "bare" and (is_open or is_asked_for or isinstance(run.last, Adding))
    has_head = any(one.name == run.subject.item_fields[0].name for one in values)
    is_further = phrase.kind == "another" or is_asked_for or is_open
    is_thing = is_further or has_head or (phrase.has_noun and "also" in segment.does)
    is_named = phrase.kind == "another" and run.subject.has_names() and bool(run.subject.items)
    is_something = bool(values) or (phrase.is_record and is_new) or is_named
    only_lists = bool(values) and all(run.subject.is_list(one.name) for one in values) and not phrase.has_noun
    is_labelled = bool(segment.labels) and not has_head and not phrase.has_noun
    if not (is_new or may_be_bare) or not is_thing or not is_something or only_lists or is_labelled:
        raise Unclear
    wanted = description_of(phrase.values, run.subject)
    may_be_total = bool(run.subject.quantity_field()) or ((phrase.count or 1) > 1 and not is_further)
    if may_be_total and wanted and run.subject.items_with(wanted):
        raise Unclear
    if not segment.does.isdisjoint(("just", "only", "rather")) and (not is_open or _is_there(run, values)):
        raise Unclear  # instead of what?


def _is_there(run: Run, values: Sequence[Value]) -> bool:
    """True if the list has such a thing, so that `just one salami` may say how many there shall be."""
    head = run.subject.item_fields[0].name
    return any(bool(run.subject.items_with({head: one.value})) for one in values if one.name == head)


def _add_step(run: Run, step: Adding, *, is_further: bool) -> None:
    """Add a step; a phrase without a kind of its own may only say of which sorts the items before are, and so may all
    behind several things without one: `4 large pizzas, 2 salami and 2 funghi`.
    """
    head = run.subject.item_fields[0].name
    last = next((one for one in reversed(run.steps) if isinstance(one, Adding)), None)
    is_part = last is not None and last.count > 1 and (_has_no(head, step) or _has_no(head, last))
    if not is_part or last is None or is_further:
        run.steps.append(step)
    elif run.subject.quantity_field() or run.have_conflict(last.values, step.values) or last is not run.steps[-1]:
        raise Unclear
    else:
        run.steps[-1] = replace(last, parts=(*last.parts, step), words=(last.words[0], step.words[1]))


def _has_no(head: str, step: Adding) -> bool:
    return all(one.name != head for one in step.values)


def adds_to_drafts(run: Run, named: Sequence[Phrase], said: Sequence[Said], segment: Segment) -> bool:
    """Give values (`said`, and those of the segment) to items that the same message adds, if the phrases `named` mean
    these (`a margherita and a salami, both large`); return whether it did.
    """
    drafts = [one for one in run.steps if isinstance(one, Adding)]
    if not drafts or any(one.kind not in ("all", "both", "it", "they", "that", "those") for one in named):
        return False
    kinds, count = {one.kind for one in named}, sum(one.count for one in drafts)
    is_all = kinds == {"all"} and not run.subject.items
    is_one = kinds <= {"it", "that"} and len(drafts) == 1 and len(run.steps) == 1
    said = [*said, *[Said(mark) for one in named for mark in one.values], *segment.said]
    is_plain = not any(one.values and one.has_noun for one in named) and not any(one.having for one in named)
    if not (is_all or is_one or (kinds == {"both"} and count == 2)) or not said or not is_plain:
        raise Unclear
    values = values_of(said, segment.labels, run.subject)
    if any(run.have_conflict(one.values, values) for one in drafts):
        raise Unclear
    run.steps = [replace(one, values=(*one.values, *values)) if isinstance(one, Adding) else one for one in run.steps]
    return True
