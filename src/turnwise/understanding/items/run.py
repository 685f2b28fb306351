"""How far the understanding of a message has come: its steps so far, and what the next segment may refer to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from turnwise.core.state.commands import ItemRef
from turnwise.understanding.items.marks import Mark, Unclear
from turnwise.understanding.items.plan import Changing, Keeping, Moving, Step
from turnwise.understanding.items.references import named_by, names_items
from turnwise.understanding.items.segments import Phrase, Segment
from turnwise.understanding.items.subject import Subject
from turnwise.understanding.items.values import Value

Operation = Literal["", "add", "remove", "empty", "keep", "swap", "move", "put", "replace", "change", "not"]
"""The operations of a segment on a list; empty if the segment has none."""


class Run:
    """The state of reading one message about a list: the steps so far, and what the next segment may refer to.

    `operation` and `pending` are the operation and the items without a value that the next segment may continue;
    `corrects`: it replaces what came before. `takes_back`: the message begins by taking back what was said before it.
    """

    def __init__(self, subject: Subject, *, is_single: bool, takes_back: bool = False) -> None:
        self.subject, self.is_single, self.takes_back = subject, is_single, takes_back
        self.steps: list[Step] = []
        self.operation: Operation = ""
        self.pending: tuple[ItemRef, ...] = ()
        self.is_pending_led = self.is_denied = False
        self.corrects = False

    @property
    def last(self) -> Step | None:
        """The last step that was found so far; `None` before the first one."""
        return self.steps[-1] if self.steps else None

    def item_spoken_of(self) -> str | None:
        """Return the id of the item that the message spoke of last; empty if there were none or several, `None` if it
        spoke of no item yet.
        """
        items = self.pending
        if not items and self.steps:
            last = self.steps[-1]
            items = last.items if isinstance(last, Changing | Keeping) else ()
            items = (last.item,) if isinstance(last, Moving) else items
        only = items[0] if len(items) == 1 else ""
        return (only if isinstance(only, str) else "") if self.steps or items else self.subject.spoken_of

    def phrases_with_items(self, segment: Segment) -> list[Phrase]:
        """Return the phrases of a segment that name items of the list."""
        return [one for one in segment.phrases if names_items(one, self.subject)]

    def phrases_without_items(self, segment: Segment) -> list[Phrase]:
        """Return the phrases of a segment that name no items of the list."""
        return [one for one in segment.phrases if not names_items(one, self.subject)]

    def brings_new(self, segment: Segment) -> bool:
        """Return whether a segment speaks of a new item."""
        return any(one.kind == "new" for one in segment.phrases)

    def only_names(self, segment: Segment) -> bool:
        """Return whether a segment only names items."""
        return bool(segment.phrases) and not segment.said and not self.phrases_without_items(segment)

    def begins_anew(self, segment: Segment, own: Operation) -> bool:
        """Return whether a segment adds an item after one that removes an item: `remove the first, and a salami`. `own`
        is the operation of its verb, empty without one.
        """
        kinds = {one.kind for one in segment.phrases}
        return not own and ("another" in kinds or "want" in segment.does)

    def is_continued(self, segment: Segment) -> bool:
        """Return whether a segment has only values, so that it continues the segment before: `…, large`."""
        is_bare = all(
            one.kind == "bare" and not one.has_noun and not one.is_known and not one.is_replaced
            for one in segment.phrases
        )
        return bool(self.steps) and not self.pending and is_bare and bool(segment.phrases or segment.said)

    def have_conflict(self, known: Sequence[Value], values: Sequence[Value]) -> bool:
        """Return whether a field that can have only one value gets one in `known` and one in `values`."""
        names = {one.name for one in known if not self.subject.is_list(one.name)}
        return any(one.name in names for one in values)

    def is_named(self, phrase: Phrase) -> bool:
        """Return whether a phrase names items of the list."""
        return names_items(phrase, self.subject)

    def items_named_fully(self, segment: Segment, named: Sequence[Phrase]) -> tuple[ItemRef, ...]:
        """Return the items that phrases name, if each word of a phrase fits them. Raises `Unclear` otherwise."""
        more = tuple(one.mark for one in segment.said if one.is_in and one.mark.does == "value")
        may_describe = len(named) == 1 and bool(named[0].values or named[0].has_noun) and named[0].nth is None
        if len(more) != len(segment.said) or (more and ("deny" in segment.does or not may_describe)):
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
        is_counted = phrase.kind == "new" and (phrase.count != 1 or bool(self.subject.quantity_field()))
        is_nothing = phrase.kind == "bare" and not phrase.values and phrase.nth is None
        if is_counted or is_nothing or phrase.kind in ("another", "no") or phrase.is_replaced:
            raise Unclear

    def is_head(self, mark: Mark) -> bool:
        """Return whether a mark is a value of the items' first field, which says what kind of thing an item is."""
        return mark.does == "value" and self.subject.item_fields[0].name in mark.value
