"""Understands what a message does to lists of records: add, change, remove, keep, copy, move (law 7.3b).

Everything that a message says must be explained, else it proposes nothing here. The way of a message:

1. `subject`: a list as it stands, with readers of the fields of an item;
2. `marks`: each word by what it does;
3. `segments`: the phrases between joints, and what is said about them;
4. `references`: the items that a phrase names; `values`: what is said as values of fields;
5. `interpretation`: what each segment does, alone or with those before;
6. `plan`: these steps as commands.
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.commands.item_support import items_of
from turnwise.core.state.commands import Add, AnyCommand, Set, name_of
from turnwise.understanding.items.dropped import with_dropped_items
from turnwise.understanding.items.interpretation import steps_of
from turnwise.understanding.items.marks import Does, Mark, Unclear, known_marks, marks_of
from turnwise.understanding.items.plan import commands_of
from turnwise.understanding.items.segments import VERBS, segments_of
from turnwise.understanding.items.subject import Subject, subjects_of
from turnwise.understanding.labels import option_at
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation

__all__ = ["asks_for_items", "item_commands", "with_dropped_items", "without_other_items"]

_ASKING: frozenset[Does] = VERBS.union(("same", "another", "of_those"))
_SEVERAL: frozenset[Does] = frozenset({"they", "those", "both", "of_those", "same"})


def item_commands(text: Text, situation: Situation) -> list[AnyCommand]:
    """Return the commands of a message that is only about the items of one list; empty for any other message."""
    found = [commands for subject in subjects_of(situation, text.message) if (commands := _commands(text, subject))]
    if len(found) != 1 or not all(situation.allows(name_of(one)) for one in found[0]):
        return []
    return _as_answer(found[0], situation) if _may_answer(found[0], text, situation) else found[0]


def asks_for_items(text: Text, situation: Situation) -> bool:
    """Return whether a message only asks to change the items of a list, but not clearly: `noch eine`, `add another`."""
    for subject in subjects_of(situation, text.message):
        try:
            does = {one.does for one in marks_of(text, subject)}
        except Unclear:
            continue
        if not does.isdisjoint(_ASKING):
            return True
        if "value" in does and not does.isdisjoint(("no", "without", "no_cue")):  # `no onions`, `I said large`
            return True
    return False


def without_other_items(found: list[AnyCommand], text: Text, situation: Situation) -> list[AnyCommand]:
    """Return the commands `found`, without values for the item that is being made if the message is about several items
    or another one.

    Such as `make one of them small`, `a large hawaii and a small salami`, or `a small funghi` while a large one is
    made.
    """
    fields = [situation.allowed.field(str(getattr(one, "field", ""))) for one in found]
    of_item = [one is not None and not one.field.parts and situation.is_of_item(one) for one in fields]
    if not any(of_item):
        return found
    marks = [(one, known_marks(text, one)) for one in subjects_of(situation, text.message)]
    if not any(_names_several(said, one) or _is_of_other(said, found, situation) for one, said in marks):
        return found
    return [one for one, is_of_item in zip(found, of_item, strict=True) if not is_of_item]


def _names_several(marks: list[Mark], subject: Subject) -> bool:
    """True for words for several items, or for one like another; a number counts them, unless an item has a number of
    its own.
    """
    does = [one.does for one in marks]
    is_counted = not subject.number_fields() and any(one.does == "number" and one.value > 1 for one in marks)
    return is_counted or not _SEVERAL.isdisjoint(does) or does.count("a") > 1


def _is_of_other(marks: list[Mark], found: list[AnyCommand], situation: Situation) -> bool:
    """True for a new thing (`a small funghi`) with another value than the item that is being made has, which no command
    changes.
    """
    asked = situation.asked
    if asked is None or "a" not in [one.does for one in marks]:
        return False
    record, set_now = asked.address.rpartition(".")[0], [one.field for one in found if isinstance(one, Set)]
    said = [(f"{record}.{name}", value) for one in marks if one.does == "value" for name, value in one.value.items()]
    known = [(situation.allowed.field(address), value) for address, value in said if address not in set_now]
    return any(one is not None and one.field.type != "list" and one.value not in (None, value) for one, value in known)


def _may_answer(found: list[AnyCommand], text: Text, situation: Situation) -> bool:
    """True for new items that may be the answer to another question, since the message has an option of it. At a
    question for an item that is being made this is one item; several are no answer, and neither is one that differs
    from what is known of it.
    """
    asked = situation.asked
    if asked is None or asked.field.parts or not all(isinstance(one, Add) for one in found):
        return False
    if situation.is_of_item(asked) and (len(found) > 1 or _is_another(found, asked, situation)):
        return False
    readings = [option_at(text, at, situation.options) for at in range(len(text.tokens))]
    return any(one is not None and asked.address in one.value for one in readings)


def _as_answer(found: list[AnyCommand], situation: Situation) -> list[AnyCommand]:
    """Return the values of one new item as those of the item that is being made; none at any other question."""
    asked, item = situation.asked, found[0] if len(found) == 1 else None
    if asked is None or not isinstance(item, Add) or not situation.is_of_item(asked):
        return []
    shown = situation.allowed.field(item.field)
    if shown is not None and any(shown.field.parts[0].name not in one for one in items_of(shown)):
        return []  # it may be one of those that are in the list, of which it is not known yet what they are
    record = asked.address.rpartition(".")[0]
    values = {f"{record}.{name}": value for name, value in item.item.items()}
    if any(situation.allowed.field(address) is None for address in values) or not situation.allows("set"):
        return []
    return [
        Set(field=address, value=value, words=item.words, confidence=item.confidence)
        for address, value in values.items()
    ]


def _is_another(found: list[AnyCommand], asked: AllowedField, situation: Situation) -> bool:
    """True for a new item that has other values than those that the item that is being made has already."""
    record = asked.address.rpartition(".")[0]
    given = {name: value for one in found if isinstance(one, Add) for name, value in one.item.items()}
    known = {name: situation.allowed.field(f"{record}.{name}") for name in given}
    return any(one is not None and one.value not in (None, given[name]) for name, one in known.items())


def _commands(text: Text, subject: Subject) -> list[AnyCommand]:
    try:
        marks, takes_back = _stated(marks_of(text, subject))
        steps = steps_of(segments_of(marks, subject), subject, takes_back=takes_back)
        found = list(commands_of(steps, subject))
    except Unclear:
        return []
    sure = min([one.similarity for one in marks], default=1.0)
    return [replace(one, words=text.span(*one.words or (0, len(text.tokens))), confidence=sure) for one in found]


def _stated(marks: list[Mark]) -> tuple[list[Mark], bool]:
    """Return the marks without a yes or no before them, and whether these take back what was said before. Raises
    `Unclear` for a question, unless it is a request.
    """
    is_joined, before = False, set[Does]()
    while marks and (marks[0].does in ("yes", "joint", "no_cue") or _is_bare(marks, "no") or _is_bare(marks, "rather")):
        is_joined = marks[0].does == "joint" and marks[0].value == "and"
        before.add(marks[0].does)
        marks = marks[1:]
    if is_joined:  # `and a small one`
        marks = [Mark("also", marks[0].first, marks[0].first), *marks]
    stated = [one for one in marks if one.does not in ("also", "rather")]
    is_request = bool(stated) and stated[0].does in ("request", "want", "subject")
    has_mark = bool(marks) and marks[-1].does == "joint" and marks[-1].value == "?"
    if not stated or stated[0].does == "is" or (has_mark and not is_request):
        raise Unclear
    return marks, "yes" not in before and not before.isdisjoint(("no", "no_cue", "rather"))


def _is_bare(marks: list[Mark], does: Does) -> bool:
    return marks[0].does == does and len(marks) > 1 and marks[1].does == "joint"
