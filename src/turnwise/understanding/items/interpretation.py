"""Understands the segments of a message one after the other: what each does to the list, alone or with those before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from msgspec.structs import replace

from turnwise.core.state.commands import ItemRef
from turnwise.understanding.items.marks import Mark, Unclear
from turnwise.understanding.items.plan import (
    Adding,
    Changing,
    Clearing,
    Copying,
    Keeping,
    Moving,
    Removing,
    Step,
    Swapping,
    Words,
)
from turnwise.understanding.items.references import Found, named_by, names_items
from turnwise.understanding.items.segments import Phrase, Said, Segment
from turnwise.understanding.items.subject import Subject
from turnwise.understanding.items.values import Value, description_of, only_entries, values_of

Operation = Literal["", "add", "remove", "empty", "keep", "swap", "move", "put", "replace", "change", "not"]
_SUCH = TypeVar("_SUCH", bound=Step)


def steps_of(segments: Sequence[Segment], subject: Subject) -> list[Step]:
    """Return what a message does to a list. Raises `Unclear` unless each of its segments is explained."""
    run = _Interpretation(subject, is_single=len(segments) == 1)
    for segment in segments:
        run.take(segment)
    if run.pending or run.corrects:
        raise Unclear
    return run.steps


class _Interpretation:
    """The steps so far, and what the next segment may go on with: the operation, items without a value yet."""

    def __init__(self, subject: Subject, *, is_single: bool) -> None:
        self.subject, self.is_single = subject, is_single
        self.steps: list[Step] = []
        self.operation: Operation = ""
        self.pending: tuple[ItemRef, ...] = ()
        self.corrects = False

    def take(self, segment: Segment) -> None:
        """Understand one segment."""
        if _takes_back(segment):
            if self.corrects or not self.steps or self.pending:
                raise Unclear
            self.corrects = True
            return
        own = _operation(segment)
        operation = own or (self.operation if "want" not in segment.does else "")
        if self.corrects and (own or not self._is_continued(segment)):
            raise Unclear
        self._act(segment, own, operation)
        self.operation, self.corrects = operation, False
        self.subject = replace(self.subject, spoken_of=self._spoken_of())

    def _spoken_of(self) -> str | None:
        """Return the item that the steps so far spoke of last; empty where these are several, or none that stays."""
        items = self.pending
        if not items and self.steps:
            last = self.steps[-1]
            items = last.items if isinstance(last, Changing | Keeping) else ()
            items = (last.item,) if isinstance(last, Moving) else items
        only = items[0] if len(items) == 1 else ""
        return (only if isinstance(only, str) else "") if self.steps or items else self.subject.spoken_of

    def _act(self, segment: Segment, own: Operation, operation: Operation) -> None:
        words = (segment.first, segment.stop)
        if "again" in segment.does:
            raise Unclear
        is_final = own == "remove" and not segment.is_led and self._only_names(segment)
        if self.pending and own not in ("", "change") and not is_final:
            raise Unclear
        if operation == "not":
            self._negate(segment, words)
        elif self._copies(segment, own, words) or self._negates(segment, own, words):
            return
        elif self._is_continued(segment) and own in ("", "change"):
            self._continue(segment, operation, words)
        elif operation == "empty":
            self._empty(segment, words)
        elif "instead" in segment.does or own == "replace" or (own == "swap" and self._gets_new(segment)):
            self._replace(segment, words)
        elif operation in ("remove", "keep", "swap") and not self._begins_anew(segment, own):
            self._single_out(segment, own, operation, words)
        elif operation in ("move", "put") and self._moves(segment, words):
            return
        elif self._named(segment) or self.pending:
            self._change(segment, own, operation, words)
        else:
            self._add(segment, own, operation, words)

    # what a segment has -----------------------------------------------------------------------------

    def _named(self, segment: Segment) -> list[Phrase]:
        return [one for one in segment.phrases if names_items(one, self.subject)]

    def _others(self, segment: Segment) -> list[Phrase]:
        return [one for one in segment.phrases if not names_items(one, self.subject)]

    def _gets_new(self, segment: Segment) -> bool:
        return any(one.kind == "new" for one in segment.phrases)

    def _only_names(self, segment: Segment) -> bool:
        return bool(segment.phrases) and not segment.said and not self._others(segment)

    def _begins_anew(self, segment: Segment, own: Operation) -> bool:
        """True for a new item behind a segment that removes one: `remove the first, and another salami`."""
        kinds = {one.kind for one in segment.phrases}
        return not own and ("another" in kinds or "want" in segment.does)

    def _is_continued(self, segment: Segment) -> bool:
        """True for a segment that only has values, so that it goes on with what came before: `…, large, with olives`."""
        is_bare = all(
            one.kind == "bare" and not one.has_noun and not one.is_known and not one.is_replaced
            for one in segment.phrases
        )
        return bool(self.steps) and not self.pending and is_bare and bool(segment.phrases or segment.said)

    # steps -----------------------------------------------------------------------------------------

    def _continue(self, segment: Segment, operation: Operation, words: Words) -> None:
        marks = [mark for one in segment.phrases for mark in one.values]
        last = self.steps[-1]
        said = [*[Said(mark) for mark in marks], *segment.said]
        values = tuple(values_of(said, segment.labels, self.subject))
        match last:
            case Adding() | Changing() | Copying() if not self._clash(last.values, values) or self.corrects:
                kept = [one for one in last.values if not (self.corrects and self._is_replaced(one, values))]
                if self.corrects and len(kept) == len(last.values):
                    raise Unclear
                self.steps[-1] = replace(last, values=(*kept, *values), words=(last.words[0], words[1]))
            case Adding() if not segment.said:
                self.steps.append(Adding(words, values, is_bare=True))
            case Removing() | Swapping() if not segment.said and not only_entries(marks, self.subject):
                self._single_out(segment, "", operation, words)
            case _:
                raise Unclear

    def _clash(self, known: Sequence[Value], values: Sequence[Value]) -> bool:
        """True if two of the values are for a field that takes one."""
        names = {one.name for one in known if not self.subject.is_list(one.name)}
        return any(one.name in names for one in values)

    def _is_replaced(self, known: Value, values: Sequence[Value]) -> bool:
        return any(one.name == known.name and not self.subject.is_list(one.name) for one in values)

    def _empty(self, segment: Segment, words: Words) -> None:
        are_all = all(one.kind == "all" and not one.values for one in segment.phrases)
        if segment.said or not are_all or not ("list" in segment.does or segment.phrases):
            raise Unclear
        self.steps.append(Clearing(words))

    def _single_out(self, segment: Segment, own: Operation, operation: Operation, words: Words) -> None:
        """Remove items, keep only some, or swap two."""
        entries = [one for one in segment.phrases if only_entries(one.values, self.subject) and not self._is_named(one)]
        named = [one for one in segment.phrases if one not in entries]
        if operation == "remove" and entries:
            self._take_entries(segment, entries, named, words)
            return
        if operation == "keep" and (segment.said or segment.labels or not all(map(self._is_kept, segment.phrases))):
            raise Unclear
        if operation == "remove" and self._is_everything(segment, named):
            self.steps.append(Clearing(words))
            return
        if "deny" in segment.does and any(one.kind == "new" for one in named):
            raise Unclear
        items = self._whole(segment, named)
        if operation == "remove":
            self.steps.append(Removing(words, (*self.pending, *items)))
            self.pending = ()
        elif operation == "swap":
            self._extend(Swapping, items, words, own)
        elif own != "keep" or not segment.does.isdisjoint(("only", "just")):
            self._extend(Keeping, items, words, own)

    def _is_kept(self, phrase: Phrase) -> bool:
        """True for a phrase that only names items; `only the salami large` may also say what one shall be."""
        return self._is_named(phrase) and (len(phrase.values) < 2 or phrase.has_noun)

    def _is_named(self, phrase: Phrase) -> bool:
        return names_items(phrase, self.subject)

    def _is_everything(self, segment: Segment, named: Sequence[Phrase]) -> bool:
        is_all = len(named) == 1 and named[0].kind == "all" and not named[0].values and not named[0].having
        return is_all and not segment.said and bool(self.subject.items)

    def _extend(self, kind: type[Swapping] | type[Keeping], items: tuple[ItemRef, ...], words: Words, own: str) -> None:
        last = self.steps[-1] if self.steps else None
        if isinstance(last, kind) and not own:
            self.steps[-1] = replace(last, items=(*last.items, *items), words=(last.words[0], words[1]))
        elif any(not isinstance(item, str) for item in items):
            raise Unclear
        else:
            self.steps.append(kind(words, items))

    def _take_entries(
        self, segment: Segment, entries: Sequence[Phrase], named: Sequence[Phrase], words: Words
    ) -> None:
        """Take entries of lists out of items: `take the onions off the salami`."""
        said = [Said(mark, is_in=False) for one in entries for mark in one.values]
        if not named or segment.said:
            raise Unclear
        values = values_of(said, segment.labels, self.subject)
        self.steps.append(Changing(words, self._whole(segment, named), tuple(values)))

    def _whole(self, segment: Segment, named: Sequence[Phrase]) -> tuple[ItemRef, ...]:
        """Return the items that phrases name with all their words."""
        more = tuple(one.mark for one in segment.said if one.is_in and one.mark.does == "value")
        if len(more) != len(segment.said) or (more and (len(named) != 1 or named[0].nth is not None)):
            raise Unclear
        found: list[ItemRef] = []
        excepted: list[ItemRef] = []
        for phrase in named:
            self._check_whole(phrase)
            one = named_by(replace(phrase, values=(*phrase.values, *more)), self.subject, is_whole=True)
            (excepted if phrase.is_excepted else found).extend(one.items)
        if not found or any(not isinstance(item, str) or item not in found for item in excepted):
            raise Unclear
        return tuple(item for item in found if item not in excepted)

    def _check_whole(self, phrase: Phrase) -> None:
        """Raise `Unclear` for a phrase that counts things which an item has several of, or that names none."""
        is_counted = phrase.kind == "new" and (phrase.count != 1 or bool(self.subject.quantity()))
        is_nothing = phrase.kind == "bare" and not phrase.values and phrase.nth is None
        if is_counted or is_nothing or phrase.kind in ("another", "no") or phrase.is_replaced:
            raise Unclear

    def _moves(self, segment: Segment, words: Words) -> bool:
        """Move an item to a place; false for entries that are put on an item."""
        named = [one for one in segment.phrases if self._is_named(one) or self._is_bare_item(one)]
        ends = {"top": 1, "end": len(self.subject.items)}
        to = next((place for word, place in ends.items() if word in segment.does), 0)
        if not to and len(named) == 2 and named[1].nth is not None and not named[1].values and named[1].span == 1:
            nth = named[1].nth
            to, named = (nth if nth > 0 else len(self.subject.items) + nth + 1), named[:1]
        if not to and "put" in segment.does:
            return False
        if not to or len(named) != 1 or segment.said or segment.labels or len(segment.phrases) > 2:
            raise Unclear
        items = named_by(named[0], self.subject, is_whole=True).items
        if len(items) != 1 or not isinstance(items[0], str):
            raise Unclear
        self.steps.append(Moving(words, items[0], to))
        return True

    def _is_bare_item(self, phrase: Phrase) -> bool:
        return phrase.kind == "bare" and bool(phrase.values) and not only_entries(phrase.values, self.subject)

    def _replace(self, segment: Segment, words: Words) -> None:
        """Give an item the values of another: `replace the hawaii with a funghi`, `a funghi instead of the hawaii`."""
        named, others = self._named(segment), self._others(segment)
        if "instead" in segment.does and any(not one.is_replaced for one in named):
            raise Unclear
        if len(named) != 1 or len(others) != 1 or others[0].kind not in ("new", "bare") or others[0].count not in (1, None):
            raise Unclear
        items = named_by(named[0], self.subject, is_whole=True).items
        values = values_of([*map(Said, others[0].values), *segment.said], segment.labels, self.subject)
        if not values:
            raise Unclear
        self.steps.append(Changing(words, items, tuple(values)))

    # copies ----------------------------------------------------------------------------------------

    def _copies(self, segment: Segment, own: Operation, words: Words) -> bool:
        """Copy an item: `the same again`, `another one`, `two more of the second`, `two of those`."""
        if own not in ("", "add", "change"):
            return False
        subject, others = self.subject, self._others(segment)
        if "same" in segment.does:
            if segment.phrases or not subject.last():
                raise Unclear
            self._copy(subject.last(), 1, segment, words)
            return True
        if len(others) != 1 or others[0].values or others[0].is_record:
            return self._counts_pointed(segment, words)
        phrase, named = others[0], self._named(segment)
        is_counted = phrase.count is not None or phrase.has_noun
        if phrase.kind == "another" and is_counted and subject.items and len(named) <= 1 and (not named or "of" in segment.does):
            items = named_by(named[0], subject, is_whole=True).items if named else (subject.last(),)
            if len(items) != 1:
                raise Unclear
            if not named and subject.has_names():
                return False  # another one has another name
            if not items[0]:
                raise Unclear
            self._copy(items[0], phrase.count or 1, segment, words)
            return True
        if phrase.kind == "new" and "of_those" in segment.does and not named and not segment.said and subject.items:
            self._count(phrase.count or 1, words)
            return True
        return False

    def _counts_pointed(self, segment: Segment, words: Words) -> bool:
        """`Make that two`, where an item has no number of its own."""
        is_pointing = len(segment.phrases) == 1 and segment.phrases[0].kind in ("it", "that")
        numbers = [one.mark.value for one in segment.said if one.mark.does == "number"]
        is_count = len(numbers) == len(segment.said) == 1 and not self.subject.numbers() and not segment.labels
        if not (is_pointing and segment.phrases[0].is_empty and is_count and self.subject.items):
            return False
        self._count(numbers[0], words)
        return True

    def _copy(self, item: ItemRef, count: int, segment: Segment, words: Words) -> None:
        values = values_of(segment.said, segment.labels, self.subject)
        self.steps.append(Copying(words, item, count, tuple(values)))

    def _count(self, count: int, words: Words) -> None:
        """Let the item that was spoken of be there so many times."""
        item, quantity = self.subject.last(), self.subject.quantity()
        if item and quantity:
            self.steps.append(Changing(words, (item,), (Value(quantity, count),)))
        elif item and count > 1 and count == int(count):
            self.steps.append(Copying(words, item, int(count) - 1))
        else:
            raise Unclear

    # negations -------------------------------------------------------------------------------------

    def _negate(self, segment: Segment, words: Words) -> None:
        """`Not the second` removes it; `…, not large` only says what another value is not."""
        if self.is_single and self._only_names(segment) and not segment.verbs:
            self.steps.append(Removing(words, self._whole(segment, segment.phrases)))
            return
        last = self.steps[-1] if self.steps else None
        marks = [mark for one in segment.phrases for mark in one.values]
        if not isinstance(last, Changing | Adding) or segment.verbs or not self._is_continued(segment):
            raise Unclear
        values = values_of([*map(Said, marks), *segment.said], segment.labels, self.subject)
        known = {(one.name, one.value) for one in last.values}
        names = {name for name, _ in known}
        if any(one.name not in names or (one.name, one.value) in known for one in values):
            raise Unclear

    def _negates(self, segment: Segment, own: Operation, words: Words) -> bool:
        """`No olives on the first`, `no hawaii`: takes entries out of items, or items out of the list."""
        denied = [one for one in segment.phrases if one.kind == "no"]
        if not denied:
            return False
        rest = [one for one in segment.phrases if one.kind != "no"]
        if len(denied) != 1 or own or segment.said or not denied[0].values or any(not self._is_named(one) for one in rest):
            raise Unclear
        if only_entries(denied[0].values, self.subject):
            values = values_of([Said(mark, is_in=False) for mark in denied[0].values], segment.labels, self.subject)
            self._deny_entries(tuple(values), rest, words)
        elif self.is_single and not rest and any(self._is_head(one) for one in denied[0].values):
            if not self.subject.having(description_of(denied[0].values, self.subject)):
                raise Unclear
            self.steps.append(Removing(words, self._whole(segment, [replace(denied[0], kind="the")])))
        else:
            raise Unclear
        return True

    def _deny_entries(self, values: tuple[Value, ...], named: Sequence[Phrase], words: Words) -> None:
        last = self.steps[-1] if self.steps else None
        if named:
            found = [named_by(one, self.subject, is_whole=True) for one in named]
            self.steps.append(Changing(words, tuple(item for one in found for item in one.items), values))
        elif isinstance(last, Changing | Adding):
            self.steps[-1] = replace(last, values=(*last.values, *values), words=(last.words[0], words[1]))
        else:
            raise Unclear

    # changes ---------------------------------------------------------------------------------------

    def _change(self, segment: Segment, own: Operation, operation: Operation, words: Words) -> None:
        """Give items values; items without one wait for the next segment."""
        named, others = self._named(segment), self._others(segment)
        found = [named_by(one, self.subject, is_whole=False) for one in named]
        said = [*self._predicate(segment, others, own), *[Said(mark) for one in found for mark in one.rest], *segment.said]
        items = self._without_excepted(named, found)
        if any(one.rest for one in found[:-1]) or (operation in ("remove", "keep", "swap")):
            raise Unclear
        if self._adds_to_drafts(named, said, segment):
            return
        if not said:
            if own == "add" or "want" in segment.does or segment.labels or not named:
                raise Unclear
            self.pending = (*self.pending, *items)
            return
        values = values_of(said, segment.labels, self.subject)
        if own in ("add", "put") and any(not self.subject.is_list(one.name) for one in values):
            raise Unclear
        if len({str(item) for item in (*self.pending, *items)}) < len((*self.pending, *items)):
            raise Unclear
        self.steps.append(Changing(words, (*self.pending, *items), tuple(values)))
        self.pending = ()

    def _is_head(self, mark: Mark) -> bool:
        """True for a word that says what kind of thing an item is: a value of its first field."""
        return mark.does == "value" and self.subject.parts[0].name in mark.value

    def _without_excepted(self, named: Sequence[Phrase], found: Sequence[Found]) -> tuple[ItemRef, ...]:
        excepted = [item for one, items in zip(named, found, strict=True) if one.is_excepted for item in items.items]
        items = [item for one, some in zip(named, found, strict=True) if not one.is_excepted for item in some.items]
        if any(item not in items for item in excepted):
            raise Unclear
        return tuple(item for item in items if item not in excepted)

    def _predicate(self, segment: Segment, others: Sequence[Phrase], own: Operation) -> list[Said]:
        """Return the values of phrases that name no item: `make that a funghi`, `a window seat for Ada`."""
        said: list[Said] = []
        is_led = bool(own) or not segment.does.isdisjoint(("is", "to", "change", "put"))
        for one in others:
            is_entry = one.kind == "another" and one.count is None and only_entries(one.values, self.subject)
            is_plain = one.kind in ("new", "bare", "the") and one.count in (None, 1)
            if not (is_plain or is_entry) or not one.values or not is_led or one.is_excepted:
                raise Unclear
            said += [*map(Said, one.values), *one.having]
        return said

    def _adds_to_drafts(self, named: Sequence[Phrase], said: Sequence[Said], segment: Segment) -> bool:
        """Give the items that the same message adds their values: `a margherita and a salami, both large`."""
        drafts = [one for one in self.steps if isinstance(one, Adding)]
        if not drafts or any(one.kind not in ("all", "both", "it", "they", "that", "those") for one in named):
            return False
        kinds, count = {one.kind for one in named}, sum(one.count for one in drafts)
        is_all = kinds == {"all"} and not self.subject.items
        is_one = kinds <= {"it", "that"} and len(drafts) == 1 and len(self.steps) == 1
        if not (is_all or is_one or (kinds == {"both"} and count == 2)) or not said:
            raise Unclear
        values = values_of(said, segment.labels, self.subject)
        if any(self._clash(one.values, values) for one in drafts):
            raise Unclear
        self.steps = [
            replace(one, values=(*one.values, *values)) if isinstance(one, Adding) else one for one in self.steps
        ]
        return True

    # new items -------------------------------------------------------------------------------------

    def _add(self, segment: Segment, own: Operation, operation: Operation, words: Words) -> None:
        """Put new items into the list."""
        is_open = self.subject.is_open
        is_asked_for = operation == "add" or "want" in segment.does
        if own not in ("", "add", "change") or (own == "change" and "want" not in segment.does) or not segment.phrases:
            raise Unclear
        for phrase in segment.phrases:
            is_last = phrase is segment.phrases[-1]
            said = [*map(Said, phrase.values), *phrase.having, *(segment.said if is_last else ())]
            values = tuple(values_of(said, segment.labels if len(segment.phrases) == 1 else (), self.subject))
            self._check_new(phrase, values, segment, is_open=is_open, is_asked_for=is_asked_for)
            is_bare = phrase.kind == "bare" and not phrase.has_noun
            self._add_step(Adding(words, values, phrase.count or 1, is_bare=is_bare), phrase)

    def _check_new(
        self, phrase: Phrase, values: Sequence[Value], segment: Segment, *, is_open: bool, is_asked_for: bool
    ) -> None:
        """Raise `Unclear` for what may be no new item: words without an article, a value alone, more of what is there."""
        is_new = phrase.kind in ("new", "another")
        may_be_bare = phrase.kind == "bare" and (is_open or is_asked_for or isinstance(self._last(), Adding))
        has_head = any(one.name == self.subject.parts[0].name for one in values)
        is_further = phrase.kind == "another" or is_asked_for or is_open
        is_thing = is_further or has_head or (phrase.has_noun and "also" in segment.does)
        is_named = phrase.kind == "another" and self.subject.has_names() and bool(self.subject.items)
        is_something = bool(values) or (phrase.is_record and is_new) or is_named
        only_lists = bool(values) and all(self.subject.is_list(one.name) for one in values) and not phrase.has_noun
        is_labelled = bool(segment.labels) and not has_head and not phrase.has_noun
        if not (is_new or may_be_bare) or not is_thing or not is_something or only_lists or is_labelled:
            raise Unclear
        wanted = description_of(phrase.values, self.subject)
        may_be_total = bool(self.subject.quantity()) or ((phrase.count or 1) > 1 and not is_further)
        if may_be_total and wanted and self.subject.having(wanted):
            raise Unclear
        if not is_open and not segment.does.isdisjoint(("just", "only", "rather")):
            raise Unclear  # instead of what?

    def _last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    def _add_step(self, step: Adding, phrase: Phrase) -> None:
        """Add a step; a phrase without a kind of its own may only say of which sorts the items before are."""
        head = self.subject.parts[0].name
        last = next((one for one in reversed(self.steps) if isinstance(one, Adding)), None)
        is_part = last is not None and last.count > 1 and all(one.name != head for one in step.values)
        if not is_part or last is None or phrase.kind == "another":
            self.steps.append(step)
        elif self.subject.quantity() or self._clash(last.values, step.values) or last is not self.steps[-1]:
            raise Unclear
        else:
            self.steps[-1] = replace(last, parts=(*last.parts, step), words=(last.words[0], step.words[1]))


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
    order: tuple[tuple[Operation, str], ...] = (
        ("empty", "empty"),
        ("swap", "swap"),
        ("move", "move"),
        ("replace", "replace"),
        ("add", "add"),
        ("put", "put"),
        ("change", "change"),
        ("change", "is"),
    )
    return next((operation for operation, word in order if word in does), "")


def _only_names(segment: Segment) -> bool:
    """True for phrases that may name items, without a value said about them or a verb that changes them."""
    is_plain = all(one.kind not in ("new", "another", "no", "bare") for one in segment.phrases)
    return is_plain and bool(segment.phrases) and not segment.said and segment.does.isdisjoint(("change", "is", "put"))


__all__ = ["steps_of"]
