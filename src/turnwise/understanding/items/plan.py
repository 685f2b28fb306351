"""What a message does to a list, step by step, and the commands for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from turnwise.core.state import commands as c
from turnwise.core.state.commands import AnyCommand, ItemRef
from turnwise.core.values.json_data import as_list
from turnwise.understanding.items.marks import Unclear
from turnwise.understanding.items.subject import Subject
from turnwise.understanding.items.values import Value

MOST_COPIES = 20
"""How many items of one kind a message may put into a list at once."""
Words = tuple[int, int]
"""The tokens of a message that a step comes from: the index of the first, from 0, and the index behind the last."""


class Adding(Struct, frozen=True):
    """A step that puts new items into the list."""

    words: Words
    """The token indices of the step in the message, end exclusive."""
    values: tuple[Value, ...] = ()
    """The values that each new item has."""
    count: int = 1
    """The number of new items."""
    is_bare: bool = False
    """True for a value without an article (`large`), which makes an item only if it says of what kind the item is."""
    is_further: bool = False
    """True if the items come in addition to all that the list has (`another`, `also`)."""
    parts: tuple[Adding, ...] = ()
    """New items of this step that have values of their own (`one large, two small`)."""


class Changing(Struct, frozen=True):
    """A step that gives values to items."""

    words: Words
    """The token indices of the step in the message, end exclusive."""
    items: tuple[ItemRef, ...]
    """The items that are changed."""
    values: tuple[Value, ...]
    """The new values of the items."""


class Removing(Struct, frozen=True):
    """A step that takes items out of the list."""

    words: Words
    """The token indices of the step in the message, end exclusive."""
    items: tuple[ItemRef, ...]
    """The items that are taken out."""


class Keeping(Struct, frozen=True):
    """A step that takes all items except some out of the list."""

    words: Words
    """The token indices of the step in the message, end exclusive."""
    items: tuple[ItemRef, ...]
    """The items that stay in the list."""


class Clearing(Struct, frozen=True):
    """A step that takes all items out of the list."""

    words: Words
    """The token indices of the step in the message, end exclusive."""


class Moving(Struct, frozen=True):
    """A step that moves an item to another position."""

    words: Words
    """The token indices of the step in the message, end exclusive."""
    item: ItemRef
    """The item that is moved."""
    to: int
    """The new position of the item, from 1; -1 is the last."""


class Swapping(Struct, frozen=True):
    """A step in which two items exchange their positions."""

    words: Words
    """The token indices of the step in the message, end exclusive."""
    items: tuple[ItemRef, ...]
    """The two items that exchange their positions."""


class Copying(Struct, frozen=True):
    """A step that puts copies of an item into the list, which may differ from it in some values."""

    words: Words
    """The token indices of the step in the message, end exclusive."""
    item: ItemRef
    """The item that is copied."""
    count: int = 1
    """The number of copies."""
    values: tuple[Value, ...] = ()
    """The values in which the copies differ from the item."""


Step = Adding | Changing | Removing | Keeping | Clearing | Moving | Swapping | Copying
"""What a message does to a list, one thing at a time."""


def commands_of(steps: Sequence[Step], subject: Subject) -> Iterator[AnyCommand]:
    """Yield the commands for the steps of a message. Raises `Unclear` where they contradict each other."""
    if not _agree(steps, subject):
        raise Unclear
    lists: dict[tuple[str, str], list[Any]] = {}
    unknown = [one for one in subject.items if subject.item_fields[0].name not in one]
    for step in steps:
        match step:
            case Adding():
                yield from _with_unknown(_adding(step, subject), [] if step.is_further else unknown)
            case Changing():
                yield from _changing(step, subject, lists)
            case Removing() | Keeping():
                yield from _removing(step, subject)
            case _:
                yield from _placing(step, subject)


def _removing(step: Removing | Keeping, subject: Subject) -> Iterator[c.Remove]:
    items = step.items
    if isinstance(step, Keeping):
        items = [str(one["id"]) for one in subject.items if one["id"] not in step.items]
    yield from (c.Remove(words=step.words, field=subject.field.address, item=item) for item in items)


def _placing(step: Clearing | Moving | Swapping | Copying, subject: Subject) -> Iterator[AnyCommand]:
    address = subject.field.address
    match step:
        case Clearing():
            yield c.Clear(words=step.words, field=address)
        case Moving():
            yield c.Move(words=step.words, field=address, item=step.item, to=step.to)
        case Swapping():
            yield from _swapping(step, subject)
        case Copying():
            changes = dict(_with_entries(step.values, subject, step.item, {}))
            yield c.Copy(words=step.words, field=address, item=step.item, count=step.count, changes=changes)


def _agree(steps: Sequence[Step], subject: Subject) -> bool:
    """True unless an item is removed and also changed, or everything is removed beside other steps."""
    removed = [str(item) for step in steps if isinstance(step, Removing) for item in step.items]
    changed = [str(item) for step in steps if isinstance(step, Changing) for item in step.items]
    whole = [step for step in steps if isinstance(step, Keeping | Clearing | Moving | Swapping)]
    counts = [step.count for step in steps if isinstance(step, Copying)]
    counts += [step.count for step in steps if isinstance(step, Adding) and not subject.quantity_field()]
    is_alone = not whole or len(steps) == 1
    is_alone = is_alone and not _gives_two([step for step in steps if isinstance(step, Changing)], subject)
    return (
        is_alone
        and set(removed).isdisjoint(changed)
        and len(removed) == len(set(removed))
        and not any(count > MOST_COPIES or count < 1 for count in counts)
    )


def _gives_two(steps: Sequence[Changing], subject: Subject) -> bool:
    """True if two steps give a field of an item, which takes one value, different ones."""
    given: dict[tuple[str, str], Any] = {}
    for step in steps:
        for value in step.values:
            for item in step.items if not subject.is_list(value.name) else ():
                if given.setdefault((str(item), value.name), value.value) != value.value:
                    return True
    return False


def _adding(step: Adding, subject: Subject) -> Iterator[c.Add]:
    if step.parts:
        if sum(part.count for part in step.parts) != step.count:
            raise Unclear
        for part in step.parts:
            yield from _adding(Adding(part.words, (*step.values, *part.values), part.count), subject)
        return
    if step.is_bare and all(value.name != subject.item_fields[0].name for value in step.values):
        raise Unclear
    item, quantity = _new_item(step.values, subject), subject.quantity_field()
    if not item and step.count > 1:
        raise Unclear  # several things of which nothing is known are no items yet: `two pizzas please`
    if quantity and item and quantity not in item:
        item[quantity] = step.count
    for _ in range(1 if quantity else step.count):
        yield c.Add(words=step.words, field=subject.field.address, item=dict(item))


def _with_unknown(added: Iterable[c.Add], unknown: list[Mapping[str, Any]]) -> Iterator[c.Add | c.Change]:
    """Yield what adds items; the values of the first ones are for those of which it is not known yet what they are:
    `two pizzas` or `two large ones`, and then `a salami and a funghi`. Raises `Unclear` for other values than theirs.
    """
    for one in added:
        if not unknown:
            yield one
            continue
        known = unknown.pop(0)
        if not one.item or any(known.get(name, value) != value for name, value in one.item.items()):
            raise Unclear
        for name, value in one.item.items():
            if name not in known:
                yield c.Change(words=one.words, field=one.field, item=str(known["id"]), name=name, value=value)


def _new_item(values: Sequence[Value], subject: Subject) -> dict[str, Any]:
    item: dict[str, Any] = {}
    for value in values:
        if not value.is_in or (value.name in item and not subject.is_list(value.name)):
            raise Unclear
        is_list = subject.is_list(value.name)
        item[value.name] = [*item.get(value.name, []), value.value] if is_list else value.value
    return item


def _changing(step: Changing, subject: Subject, lists: dict[tuple[str, str], list[Any]]) -> Iterator[c.Change]:
    for item in step.items:
        for name, value in _with_entries(step.values, subject, item, lists):
            yield c.Change(words=step.words, field=subject.field.address, item=item, name=name, value=value)


def _with_entries(
    values: Sequence[Value], subject: Subject, item: ItemRef, lists: dict[tuple[str, str], list[Any]]
) -> Iterator[tuple[str, Any]]:
    """Yield the values of an item by name: of a list all that it has then."""
    entries: dict[str, list[Any]] = {}
    for value in values:
        if not subject.is_list(value.name):
            yield value.name, value.value
            continue
        if not isinstance(item, str):
            raise Unclear  # what its list has now is not known
        known = lists.setdefault((item, value.name), list(as_list(subject.item(item).get(value.name)) or ()))
        if value.is_in and value.value not in known:
            known.append(value.value)
        elif not value.is_in and value.value in known:
            known.remove(value.value)
        entries[value.name] = list(known)
    yield from entries.items()


def _swapping(step: Swapping, subject: Subject) -> Iterator[c.Move]:
    known = [str(one["id"]) for one in subject.items]
    if len(step.items) != 2 or any(item not in known for item in step.items):
        raise Unclear
    first, second = sorted(known.index(str(item)) for item in step.items)
    if first == second:
        raise Unclear
    address = subject.field.address
    yield c.Move(words=step.words, field=address, item=known[second], to=first + 1)
    if second - first > 1:
        yield c.Move(words=step.words, field=address, item=known[first], to=second + 1)
