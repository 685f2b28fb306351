"""Understands the segments of a message one after the other: what each does to the list, alone or with those before."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.understanding.items.additions import add_items
from turnwise.understanding.items.changes import change_items, continue_step, give_another, gives_another, replace_item
from turnwise.understanding.items.copies import copy_item
from turnwise.understanding.items.marks import Does, Unclear
from turnwise.understanding.items.places import move_item
from turnwise.understanding.items.plan import Adding, Step
from turnwise.understanding.items.removals import empty_list, keep_or_remove_items, negated_items, negates
from turnwise.understanding.items.run import Operation, Run
from turnwise.understanding.items.segments import Segment
from turnwise.understanding.items.subject import Subject


def steps_of(segments: Sequence[Segment], subject: Subject, *, takes_back: bool = False) -> list[Step]:
    """Return what a message does to a list, in order. With `takes_back` the message begins by taking back an earlier
    one. Raises `Unclear` unless each segment is explained.
    """
    run = Run(subject, is_single=len(segments) == 1, takes_back=takes_back)
    for segment in segments:
        _take(run, segment)
    if run.pending or run.corrects:
        raise Unclear
    return run.steps


def _take(run: Run, segment: Segment) -> None:
    """Understand one segment."""
    if _takes_back(segment):
        if run.corrects or not run.steps or run.pending:
            raise Unclear
        run.corrects = True
        return
    own = _operation(segment)
    operation = own or (run.operation if "want" not in segment.does else "")
    if "again" in segment.does or (run.corrects and (own or not run.is_continued(segment))):
        raise Unclear
    if run.pending and not _may_go_on(run, segment, own):
        raise Unclear
    run.is_denied = "deny" in segment.does if own else run.is_denied
    had_pending = bool(run.pending)
    _act(run, segment, own, operation)
    run.is_pending_led = bool(run.pending) and (bool(own) or (had_pending and run.is_pending_led))
    run.operation = "" if isinstance(run.last, Adding) and operation in ("remove", "keep", "swap") else operation
    run.corrects = False
    run.subject = replace(run.subject, spoken_of=run.item_spoken_of())


def _may_go_on(run: Run, segment: Segment, own: Operation) -> bool:
    """True if a segment may say what becomes of the items before it: `Bob and Ada are vegan`, `the first and the last
    one weg`. A second verb behind a first one, or behind a comma, says something else.
    """
    if own == "remove":
        return not segment.is_led and run.only_names(segment)
    is_second = own == "change" and (run.is_pending_led or segment.joint != "and")
    return own in ("", "change") and not is_second


def _act(run: Run, segment: Segment, own: Operation, operation: Operation) -> None:
    """Do what a segment says: by the first way to read it that applies."""
    words = (segment.first, segment.stop)
    if operation == "not":
        negated_items(run, segment, words)
    elif copy_item(run, segment, own, words) or negates(run, segment, own, words):
        return
    elif run.is_continued(segment) and own in ("", "change"):
        continue_step(run, segment, operation, words)
    elif operation not in ("move", "put") or not move_item(run, segment, words):
        _act_anew(run, segment, own, operation)


def _act_anew(run: Run, segment: Segment, own: Operation, operation: Operation) -> None:
    """Remove, change or add items, as a segment says by itself."""
    words = (segment.first, segment.stop)
    if operation == "empty":
        empty_list(run, segment, words)
    elif _is_replacement(run, segment, own):
        replace_item(run, segment, words)
    elif operation in ("remove", "keep", "swap") and not run.begins_anew(segment, own):
        keep_or_remove_items(run, segment, own, operation, words)
    elif run.phrases_with_items(segment) or run.pending:
        change_items(run, segment, own, operation, words)
    elif gives_another(run, segment, own):
        give_another(run, segment, words)
    else:
        add_items(run, segment, own, operation, words)


def _is_replacement(run: Run, segment: Segment, own: Operation) -> bool:
    """True for `replace … with`, `instead of`, and for a swap with something new."""
    return "instead" in segment.does or own == "replace" or (own == "swap" and run.brings_new(segment))


def _takes_back(segment: Segment) -> bool:
    """True for a segment that only says no: what comes next takes the place of what came before."""
    only_no = len(segment.phrases) == 1 and segment.phrases[0].kind == "no" and segment.phrases[0].is_empty
    has_cue = "no_cue" in segment.does and not segment.phrases
    return not segment.said and not segment.verbs and (only_no or has_cue)


def _operation(segment: Segment) -> Operation:
    """Return what the words of a segment ask for; empty where they have no verb for it."""
    does = segment.does
    is_from = "list" in does or len(segment.phrases) == 2
    is_taken = "take" in does and ("off" in does or (is_from and not does.isdisjoint(("of", "to"))))
    removes = bool({"remove", "off", "deny"} & does) or is_taken
    if "not" in does:
        return "not"
    if "subject" in does and not segment.verbs:
        raise Unclear
    if "no_cue" in does or ("remove" in does and "deny" in does) or ("take" in does and not removes):
        raise Unclear
    if removes or ("without" in does and bool(segment.phrases)):
        return "remove"
    return _plain_operation(segment)


def _plain_operation(segment: Segment) -> Operation:
    does = segment.does
    if "keep" in does or "only" in does or ("just" in does and _only_names(segment)):
        is_new = any(one.kind in ("new", "another") for one in segment.phrases)
        return "" if is_new and "keep" not in does else "keep"
    order: tuple[tuple[Operation, Does], ...] = (
        ("empty", "empty"),
        ("swap", "swap"),
        ("move", "move"),
        ("replace", "replace"),
        ("add", "add"),
        ("put", "put"),
        ("change", "change"),
        ("change", "is"),
    )
    for operation, word in order:
        if word in does:
            return operation
    return ""


def _only_names(segment: Segment) -> bool:
    """True for phrases that may name items, without a value said about them or a verb that changes them."""
    is_plain = all(one.kind not in ("new", "another", "no", "bare") for one in segment.phrases)
    return is_plain and bool(segment.phrases) and not segment.said and segment.does.isdisjoint(("change", "is", "put"))
