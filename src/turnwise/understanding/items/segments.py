"""Divides a message, which was read as marks (`marks.py`: what its tokens mean), into segments, and each segment into
phrases (`the small one`, `two salamis`) and what is said about them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.understanding.items.marks import Does, Mark, Unclear
from turnwise.understanding.items.subject import Subject

Kind = Literal["bare", "the", "that", "those", "it", "they", "all", "both", "new", "another", "no"]
"""The ways in which a phrase can name items."""
VERBS: frozenset[Does] = frozenset(
    ("add", "want", "remove", "take", "off", "deny", "change", "keep", "empty", "swap", "move", "put", "replace")
)
"""The kinds of words about items that are verbs."""
_POINTING: frozenset[Does] = frozenset(("it", "that", "those", "they"))


class Said(Struct, frozen=True):
    """A value that a segment gives to items."""

    mark: Mark
    """The tokens of the value, with its meaning."""
    is_in: bool = True
    """False if the value is to be removed from a list field."""


class Phrase(Struct, frozen=True):
    """A part of a sentence that names items, or describes a new one."""

    kind: Kind = "bare"
    """How the phrase names items: by an article, a pronoun, `all`, `another` and so on."""
    first: int = 0
    """The index of the first token of the phrase in the message, from 0."""
    count: int | None = None
    """The number of items that the phrase is about; `None` if it says none."""
    nth: int | None = None
    """The position that the phrase names, from 1 (-1 is the last); `None` if it names none."""
    span: int = 1
    """The number of positions from `nth` on: 2 for `the first two`."""
    values: tuple[Mark, ...] = ()
    """The values before the noun of the phrase."""
    having: tuple[Said, ...] = ()
    """The values behind the noun of the phrase (`the one with olives`)."""
    has_noun: bool = False
    """True if the phrase has a noun."""
    is_record: bool = False
    """True if the noun of the phrase means an item of this list (`pizza`)."""
    is_several: bool = False
    """True for the plural: the phrase means several items."""
    is_known: bool = False
    """True if the phrase is a text that an item of the list already has."""
    is_excepted: bool = False
    """True if the phrase stands behind `except`."""
    is_replaced: bool = False
    """True if the phrase stands behind `instead of`."""

    @property
    def is_empty(self) -> bool:
        """True if the phrase has no position, noun or value so far."""
        return self.nth is None and not self.values and not self.has_noun and not self.having


class Segment(Struct, frozen=True):
    """A part of a message between joints such as commas and `and`."""

    first: int
    """The index of the first token of the segment in the message, from 0."""
    stop: int
    """The index of the token after the last one of the segment."""
    phrases: tuple[Phrase, ...] = ()
    """The phrases of the segment that name items, in order."""
    said: tuple[Said, ...] = ()
    """The values that the segment gives to its items."""
    does: frozenset[Does] = frozenset()
    """What the other words of the segment do, such as its verbs."""
    labels: tuple[frozenset[str], ...] = ()
    """The names of fields that the words of the segment name; one set for each word, as it may name several fields."""
    is_led: bool = False
    """True if the segment begins with its verb."""
    joint: str = ""
    """The mark or word that joins the segment to the one before; empty for the first segment."""

    @property
    def verbs(self) -> frozenset[Does]:
        """The verbs among the words of the segment."""
        return self.does & VERBS


def segments_of(marks: Sequence[Mark], subject: Subject) -> list[Segment]:
    """Return the segments of a message. Raises `Unclear` if the marks of a segment do not belong together."""
    found: list[Segment] = []
    piece: list[Mark] = []
    joint = ""
    for mark in (*marks, None):
        if mark is not None and mark.does != "joint":
            piece.append(mark)
            continue
        if piece:
            found.append(replace(_Builder(piece, subject).built(), joint=joint))
            piece, joint = [], ""
        joint = "and" if "and" in (joint, mark.value if mark is not None else "") else ","
    return found


class _Builder:
    """Reads the marks of one segment from left to right."""

    def __init__(self, marks: list[Mark], subject: Subject) -> None:
        self.marks, self.subject = marks, subject
        self.phrases: list[Phrase] = []
        self.said: list[Said] = []
        self.does: set[Does] = set()
        self.labels: list[frozenset[str]] = []
        self.at = 0
        self.is_tail = False
        self.is_in = True
        self.is_excepted = self.is_replaced = False

    def built(self) -> Segment:
        """Return the segment."""
        if self.marks[0].does == "is":
            raise Unclear  # a question: `is the second large`
        for at, mark in enumerate(self.marks):
            self.at = at
            _READERS.get(mark.does, _Builder.word)(self, mark, at)
        phrases = tuple(one for one in self.phrases if not self._is_idle(one))
        return Segment(
            self.marks[0].first,
            self.marks[-1].stop,
            phrases,
            tuple(self.said),
            frozenset(self.does),
            tuple(self.labels),
            self.marks[0].does in VERBS,
        )

    def _is_idle(self, phrase: Phrase) -> bool:
        """True for an article before the name of a field: `the size of the third`."""
        return phrase.is_empty and phrase.kind in ("the", "new") and phrase.count in (None, 1) and bool(self.labels)

    def before(self, at: int) -> Does | None:
        """What the mark before one does."""
        return self.marks[at - 1].does if at else None

    def after(self, at: int) -> Mark | None:
        """The mark behind one."""
        return self.marks[at + 1] if at + 1 < len(self.marks) else None

    def open(self, phrase: Phrase) -> None:
        """Begin a phrase."""
        first = self.marks[self.at].first
        self.phrases.append(replace(phrase, first=first, is_excepted=self.is_excepted, is_replaced=self.is_replaced))
        self.is_tail, self.is_in = False, True

    def last(self) -> Phrase | None:
        """The phrase that may go on."""
        return self.phrases[-1] if self.phrases and not self.is_tail else None

    def change(self, phrase: Phrase) -> None:
        """Put a phrase in place of the one that goes on."""
        self.phrases[-1] = phrase

    # readers ---------------------------------------------------------------------------------------

    def word(self, mark: Mark, _at: int) -> None:
        """A word that only does something; a verb or a word such as `should be` ends a phrase."""
        self.does.add(mark.does)
        self.is_tail = True

    def small(self, mark: Mark, _at: int) -> None:
        """A word that ends no phrase."""
        self.does.add(mark.does)

    def the(self, mark: Mark, at: int) -> None:
        kinds: dict[Does, Kind] = {"the": "the", "that": "that", "those": "those"}
        after = self.after(at)
        if after is not None and after.does in ("list", "top", "end"):
            return
        is_between = mark.does == "the" and self.phrases and self.phrases[-1].kind in ("all", "both")
        if is_between and self.before(at) in ("all", "both", "of"):
            return
        self.open(Phrase(kinds[mark.does]))

    def pointing(self, mark: Mark, _at: int) -> None:
        kinds: dict[Does, Kind] = {"it": "it", "they": "they"}
        self.open(Phrase(kinds[mark.does]))
        self.is_tail = True

    def new(self, _mark: Mark, _at: int) -> None:
        last = self.last()
        if last is not None and last.kind == "another" and last.is_empty and last.count is None:
            self.change(replace(last, count=1))
        else:
            self.open(Phrase("new", count=1))

    def another(self, _mark: Mark, _at: int) -> None:
        last = self.last()
        if last is not None and last.kind == "new" and last.is_empty:
            self.change(replace(last, kind="another"))
        else:
            self.open(Phrase("another"))

    def more(self, _mark: Mark, _at: int) -> None:
        last = self.last()
        if last is None or last.kind != "new" or last.count is None:
            raise Unclear
        self.change(replace(last, kind="another"))

    def every(self, mark: Mark, _at: int) -> None:
        last = self.last()
        if mark.does == "both" and last is not None and last.nth is not None and last.span == 1 and not last.values:
            self.change(replace(last, span=2))  # `die ersten beiden`
            return
        if last is not None and last.kind in ("they", "it", "those") and last.is_empty:
            self.phrases.pop()
        self.open(Phrase("all" if mark.does == "all" else "both"))

    def nth(self, mark: Mark, _at: int) -> None:
        last = self.last()
        if last is not None and last.kind in ("the", "that", "bare") and last.is_empty and last.count is None:
            self.change(replace(last, kind="the", nth=mark.value))
        else:
            self.open(Phrase("the", nth=mark.value))

    def number(self, mark: Mark, at: int) -> None:
        last, before = self.last(), self.before(at)
        if isinstance(mark.value, float) or self._is_value(at):
            self.said.append(Said(mark))
            self.is_tail = True
        elif before == "place" or (
            before == "noun" and last is not None and last.kind in ("bare", "the") and last.is_record
        ):
            is_noun = before == "noun"
            if is_noun:
                self.phrases.pop()
            self.open(Phrase("the", nth=mark.value))
        elif last is not None and last.nth is not None and not last.values and not last.has_noun:
            self.change(replace(last, span=mark.value))
        elif last is not None and last.kind in ("the", "those", "another") and last.is_empty:
            self.change(replace(last, count=mark.value))
        else:
            self.open(Phrase("new", count=mark.value))

    def _is_value(self, at: int) -> bool:
        """True for a number that is a value: beside the name of its field, or behind what leads to one."""
        after, numbers = self.after(at), set(self.subject.number_fields())
        sides = [one for one in (self.marks[at - 1] if at else None, after) if one is not None and one.does == "label"]
        if any(not numbers.isdisjoint(one.value) for one in sides):
            return True
        is_led = self.before(at) in ("is", "to", "it", "that") or (self.before(at) == "label" and bool(self.said))
        is_followed = after is not None and after.does in ("value", "noun", "one", "of_those", "more", "another")
        return is_led and bool(self.phrases) and not is_followed

    def value(self, mark: Mark, _at: int) -> None:
        last = self.last()
        if mark.is_known and (last is None or last.values or last.kind not in ("the", "bare")):
            self.open(Phrase("bare", values=(mark,), is_known=True))
            self.is_tail = True
        elif last is None:
            if self.is_tail and self._takes_values():
                self._tail_value(mark)
            else:
                self.open(Phrase("bare", values=(mark,)))
        else:
            self.change(replace(last, values=(*last.values, mark)))

    def _takes_values(self) -> bool:
        """True where values are said about phrases before, or led by a word such as `in` or `without`."""
        return bool(self.phrases) or not self.is_in or not self.does.isdisjoint(("with", "same"))

    def _tail_value(self, mark: Mark) -> None:
        last = self.phrases[-1] if self.phrases else None
        is_description = last is not None and last.has_noun and last.nth is None and not last.values
        if last is not None and is_description and "with" in self.does and last.kind in ("the", "that"):
            self.phrases[-1] = replace(last, having=(*last.having, Said(mark, self.is_in)))
        else:
            self.said.append(Said(mark, self.is_in))

    def noun(self, mark: Mark, at: int) -> None:
        last, is_record = self.last(), mark.does == "noun"
        if mark.does == "one" and not mark.is_plural and self._counts_one(at):
            self.number(replace(mark, does="number", value=1), at)
            return
        if last is None:
            if self.is_tail and self.phrases:
                raise Unclear
            last = Phrase("bare")
            self.open(last)
        is_record = last.is_record or is_record
        self.change(replace(last, has_noun=True, is_record=is_record, is_several=mark.is_plural))
        if not is_record or not self._goes_on(at):
            self.is_tail = True

    def _goes_on(self, at: int) -> bool:
        """True for a noun before the place that it counts: `line 2`."""
        after = self.after(at)
        return after is not None and after.does == "number"

    def _counts_one(self, at: int) -> bool:
        """True for a `one` that counts: before a value or `more`, where it ends no phrase."""
        after, before = self.after(at), self.before(at)
        if before == "value" and self._is_whole_thing():
            return after is not None and after.does == "value"
        if before in ("the", "that", "those", "another", "new", "a", "nth", "all", "value", "number", "both"):
            return False
        return (after is not None and after.does in ("value", "more", "noun", "of_those", "another")) or before is None

    def _is_whole_thing(self) -> bool:
        """True where the phrase before is complete, so that a new one may follow: `a salami one hawaii`."""
        last, head = self.last(), self.subject.item_fields[0].name
        return last is None or (last.kind == "new" and any(head in mark.value for mark in last.values))

    def joins(self, mark: Mark, _at: int) -> None:
        """`in`, `on`, `of`: ends a phrase, and leads to a value or to another phrase."""
        self.does.add(mark.does)
        self.is_tail = True

    def sign(self, mark: Mark, at: int) -> None:
        after = self.after(at)
        if mark.does == "no" and not self.phrases and not self.said and (after is None or after.does != "label"):
            self.open(Phrase("no"))
            return
        if mark.does == "without" and at == 0:
            self.does.add("without")
        if mark.does == "with":
            self.does.add("with")
        self.is_tail, self.is_in = True, mark.does == "with"

    def label(self, mark: Mark, at: int) -> None:
        fields = [name for name in mark.value if self.subject.is_yes_or_no(name)]
        if len(fields) == 1 and self.before(at) in ("with", "without", "no"):
            self.said.append(Said(replace(mark, does="value", value={fields[0]: self.before(at) == "with"})))
        self.labels.append(mark.value)

    def flag(self, mark: Mark, _at: int) -> None:
        self.does.add(mark.does)
        self.is_excepted = self.is_excepted or mark.does == "except"
        self.is_replaced = mark.does == "instead"
        self.is_tail = True


_READERS: Mapping[Does, Callable[[_Builder, Mark, int], None]] = {
    "the": _Builder.the,
    "that": _Builder.the,
    "those": _Builder.the,
    "it": _Builder.pointing,
    "they": _Builder.pointing,
    "a": _Builder.new,
    "another": _Builder.another,
    "more": _Builder.more,
    "all": _Builder.every,
    "both": _Builder.every,
    "nth": _Builder.nth,
    "number": _Builder.number,
    "value": _Builder.value,
    "noun": _Builder.noun,
    "one": _Builder.noun,
    "to": _Builder.joins,
    "of": _Builder.joins,
    "no": _Builder.sign,
    "without": _Builder.sign,
    "with": _Builder.sign,
    "label": _Builder.label,
    "except": _Builder.flag,
    "instead": _Builder.flag,
    "place": _Builder.small,
    "rather": _Builder.small,
    "also": _Builder.small,
    "list": _Builder.small,
}
