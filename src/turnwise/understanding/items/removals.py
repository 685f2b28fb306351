"""Understands segments that take something out: items, all items but some, or entries of a list in an item."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.core.state.commands import ItemRef
from turnwise.understanding.items.marks import Unclear
from turnwise.understanding.items.plan import Adding, Changing, Clearing, Keeping, Removing, Swapping, Words
from turnwise.understanding.items.references import named_by
from turnwise.understanding.items.run import Operation, Run
from turnwise.understanding.items.segments import Phrase, Said, Segment
from turnwise.understanding.items.values import Value, description_of, only_entries, values_of

_POINTING = ("it", "that", "those", "they")


def empty_list(run: Run, segment: Segment, words: Words) -> None:
    """Add the step that removes all items to `run`. `words` are the tokens of the segment; raises `Unclear` if it says
    anything else.
    """
    are_all = all(one.kind == "all" and not one.values for one in segment.phrases)
    if segment.said or not are_all or not ("list" in segment.does or segment.phrases):
        raise Unclear
    run.steps.append(Clearing(words))


def keep_or_remove_items(run: Run, segment: Segment, own: Operation, operation: Operation, words: Words) -> None:
    """Add the step of a segment that removes items, keeps only some, or swaps two, to `run`. `own` is the operation of
    the segment's own verb, empty without one; `operation` is that, or the one that goes on from before.
    """
    if not own and not _goes_on(run, segment):
        raise Unclear
    entries = [one for one in segment.phrases if only_entries(one.values, run.subject) and not run.is_named(one)]
    named = [one for one in segment.phrases if one not in entries]
    if operation == "remove" and entries:
        _take_entries(run, segment, entries, named, words)
        return
    if operation == "keep" and (
        segment.said or segment.labels or not all(_is_kept(run, one) for one in segment.phrases)
    ):
        raise Unclear
    if operation == "remove" and _is_everything(run, segment, named):
        run.steps.append(Clearing(words))
        return
    if "deny" in segment.does and any(one.kind == "new" for one in named):
        raise Unclear
    items = run.items_named_fully(segment, named)
    if operation == "remove":
        run.steps.append(Removing(words, (*run.pending, *items)))
        run.pending = ()
    elif operation == "swap":
        _extend(run, Swapping, items, words, own)
    elif own != "keep" or not segment.does.isdisjoint(("only", "just")):
        _extend(run, Keeping, items, words, own)


def _goes_on(run: Run, segment: Segment) -> bool:
    """True if a segment without a verb names one more item for the verb before it, and may say nothing else."""
    phrase = segment.phrases[0] if len(segment.phrases) == 1 else None
    if run.is_denied and segment.joint != "and":
        return False  # `I don't want the first, the second one please`
    if phrase is None or (phrase.kind == "bare" and not phrase.is_known and not any(map(run.is_head, phrase.values))):
        return False
    is_plain = phrase.kind in ("the", "that", "bare") and len(phrase.values) < 2
    return is_plain and not segment.said and not segment.labels and segment.does <= {"also", "rather", "list"}


def _is_kept(run: Run, phrase: Phrase) -> bool:
    """True for a phrase that only names items; `only the salami large` may also say what one shall be."""
    return run.is_named(phrase) and (len(phrase.values) < 2 or phrase.has_noun)


def _is_everything(run: Run, segment: Segment, named: Sequence[Phrase]) -> bool:
    is_all = len(named) == 1 and named[0].kind == "all" and not named[0].values and not named[0].having
    return is_all and not segment.said and bool(run.subject.items)


def _extend(run: Run, kind: type[Swapping] | type[Keeping], items: tuple[ItemRef, ...], words: Words, own: str) -> None:
    last = run.last
    if isinstance(last, kind) and not own:
        run.steps[-1] = replace(last, items=(*last.items, *items), words=(last.words[0], words[1]))
    elif any(not isinstance(item, str) for item in items):
        raise Unclear
    else:
        run.steps.append(kind(words, items))


def _take_entries(run: Run, segment: Segment, entries: Sequence[Phrase], named: Sequence[Phrase], words: Words) -> None:
    """Take entries of lists out of items: `take the onions off the salami`."""
    said = [Said(mark, is_in=False) for one in entries for mark in one.values]
    if not named or segment.said:
        raise Unclear
    values = values_of(said, segment.labels, run.subject)
    run.steps.append(Changing(words, run.items_named_fully(segment, named), tuple(values)))


def negated_items(run: Run, segment: Segment, words: Words) -> None:
    """Explain a negated segment, the tokens `words`, to `run`: `not the second` adds a step that removes it; `…, not
    large` adds none. Raises `Unclear` for any other.
    """
    is_statement = not segment.does.isdisjoint(("is", "yes"))  # `the salami is not right`
    if run.subject.is_choice or is_statement or any(one.kind in _POINTING and one.is_empty for one in segment.phrases):
        raise Unclear
    if run.is_single and run.only_names(segment) and not segment.verbs:
        run.steps.append(Removing(words, run.items_named_fully(segment, segment.phrases)))
        return
    last = run.last
    marks = [mark for one in segment.phrases for mark in one.values]
    if not isinstance(last, Changing | Adding) or segment.verbs or not run.is_continued(segment):
        raise Unclear
    values = values_of([*map(Said, marks), *segment.said], segment.labels, run.subject)
    known = {(one.name, one.value) for one in last.values}
    names = {name for name, _ in known}
    if any(one.name not in names or (one.name, one.value) in known for one in values):
        raise Unclear


def negates(run: Run, segment: Segment, own: Operation, words: Words) -> bool:
    """Add the step of a segment that denies something (`no olives on the first`) to `run`, and return whether it did;
    false if the segment denies nothing. `segment` is a part of the message, the tokens `words`; `own` is the operation
    of its verb, empty without one.
    """
    denied = [one for one in segment.phrases if one.kind == "no"]
    if not denied:
        return False
    rest = [one for one in segment.phrases if one.kind != "no"]
    if len(denied) != 1 or own or segment.said or not denied[0].values or any(not run.is_named(one) for one in rest):
        raise Unclear
    if only_entries(denied[0].values, run.subject):
        values = values_of([Said(mark, is_in=False) for mark in denied[0].values], segment.labels, run.subject)
        _deny_entries(run, tuple(values), rest, words)
    elif run.is_single and not rest and any(run.is_head(one) for one in denied[0].values):
        if not run.subject.items_with(description_of(denied[0].values, run.subject)):
            raise Unclear
        run.steps.append(Removing(words, run.items_named_fully(segment, [replace(denied[0], kind="the")])))
    else:
        raise Unclear
    return True


def _deny_entries(run: Run, values: tuple[Value, ...], named: Sequence[Phrase], words: Words) -> None:
    last = run.last
    if named:
        found = [named_by(one, run.subject, is_whole=True) for one in named]
        run.steps.append(Changing(words, tuple(item for one in found for item in one.items), values))
    elif isinstance(last, Changing | Adding):
        run.steps[-1] = replace(last, values=(*last.values, *values), words=(last.words[0], words[1]))
    else:
        raise Unclear
