"""Applies the commands that change items of a list of records, each one by itself, or refuses it with a reason.

A command names an item by its id, its position, or values that the item has. A list may be shorter than its `min` while
it is built; it never exceeds its `max` and the limits of the flow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct
from msgspec.json import encode

from turnwise.core.addresses import scope_of
from turnwise.core.commands import refusal_by_validators
from turnwise.core.guards import Env, GuardFault
from turnwise.core.linked_form import Question
from turnwise.core.locale import refusal_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, State, ValueOrigin
from turnwise.core.state import commands as c
from turnwise.core.state.events import CommandRefused, ItemAdded, ItemChanged, ItemMoved, ItemRemoved
from turnwise.core.state.items import ID, Item, id_of, index_of, is_id
from turnwise.core.state.kinds import CommandRefusal
from turnwise.core.turn import StepBuilder
from turnwise.core.values import Refused, Rules, Value, read_value
from turnwise.core.values.from_model import as_declared, object_in
from turnwise.core.values.items import (
    beyond_limits,
    has_values,
    item_as_text,
    parts_by_name,
    read_parts,
    unknown_part,
)
from turnwise.core.values.json_data import as_object
from turnwise.flow.model import Field

_MOST_NAMED = 5
"""How many items a refusal names that all fit what was said."""


_BY_MODEL = ("understood", "tool")
"""How values come that a model may have sent."""


class Unresolved(Struct, frozen=True):
    """Why an item cannot be identified: the code, and a text for the user."""

    reason: CommandRefusal
    """The code of why no item was identified."""
    text: str
    """The reason in words, for the user."""


def resolve_item(field: Field, items: list[Item], ref: object, rules: Rules) -> int | Unresolved:
    """Return the index, from 0, of the item that `ref` names by id, position (from 1; -1 is the last) or values; else
    why it cannot be identified. `rules` are those for reading values.
    """
    if isinstance(ref, str):
        at = index_of(items, ref)
        return at if at >= 0 else Unresolved("no_item", rules.language.text("no_item_named", item=ref[:60]))
    if isinstance(ref, int) and not isinstance(ref, bool):
        return index_of_position(items, ref, rules)
    wanted, wrong = read_parts(field, ref, rules, read_value)
    if wrong:
        return Unresolved(wrong[0].refused.reason, wrong[0].text)
    found = [at for at, item in enumerate(items) if has_values(item, wanted)]
    if len(found) == 1:
        return found[0]
    if not found:
        return Unresolved("no_item", rules.language.text("no_item"))
    names = "; ".join(f"{at + 1}: {item_as_text(items[at])}" for at in found[:_MOST_NAMED])
    names += "; …" if len(found) > _MOST_NAMED else ""
    return Unresolved("several_items", rules.language.text("several_items", items=names))


def items_with_values(field: Field, items: list[Item], wanted: dict[str, Any], rules: Rules) -> list[int]:
    """Return the indexes, from 0, of the items that have the wanted values; none if a value is refused."""
    read, wrong = read_parts(field, wanted, rules, read_value)
    return [] if wrong else [at for at, item in enumerate(items) if has_values(item, read)]


def index_of_position(items: list[Item], number: int, rules: Rules) -> int | Unresolved:
    """Return the index, from 0, of the position `number`, which counts from 1, or from -1 at the end; else why there is
    no such item.
    """
    if 1 <= abs(number) <= len(items):
        return number - 1 if number > 0 else len(items) + number
    return Unresolved("no_position", rules.language.text("no_position", position=number, count=len(items)))


def failing_part(machine: Machine, state: State, address: str, item: Item, names: tuple[str, ...]) -> Refused | None:
    """Return the refusal of an item of the list at `address` by the first failing validator of the fields `names`;
    `None` if all pass. In such a guard the fields of the record are those of the item. An unknown result passes.
    """
    record = _record_of(machine, address)
    supposed = {
        f"{record}.{name}": FieldValue(value, "set", state.turn, state.at_ms)
        for name, value in item.items()
        if name != ID
    }
    others = {key: found for key, found in state.values.items() if not key.startswith(f"{record}.")}
    env = Env({**others, **supposed}, state)
    for name in names:
        for guard, text in machine.validators.get(f"{record}.{name}", ()):
            try:
                held = guard.test(env)
            except GuardFault:
                held = False
            if held is False:
                said = text(env) if text is not None else machine.language.text("refused")
                return Refused("validate", said, subject=name)
    return None


def _record_of(machine: Machine, address: str) -> str:
    """Return where the record of a list's items stands: in the scope of the list, or in one around it."""
    name, place = machine.fields[address].of or "", scope_of(address)
    while place and not any(known.startswith(f"{place}/{name}.") for known in machine.fields):
        place = scope_of(place)
    return f"{place}/{name}" if place else name


class FieldRules(Protocol):
    """What the interpreter of a message lets the interpreter of list items use: its rules for writing fields."""

    step: StepBuilder
    """The step in progress, which records events."""
    how: ValueOrigin
    """How the values of this message are set, such as by the user or a button."""
    questions: Mapping[str, Question]
    """The questions of the form in charge, by field address; empty outside of forms."""

    def unasked_secret(self, address: str) -> CommandRefusal | Literal[""]:
        """Return the code for refusing a secret that was not asked for; empty if it is not refused."""
        ...

    def was_changed_elsewhere(self, address: str) -> bool:
        """Return whether another node has already applied the same message to the field."""
        ...

    def words_of(self, command: c.AnyCommand) -> tuple[int, int] | None:
        """Return the span (start, end) of the message that a command came from; `None` if there is none."""
        ...

    def hide(self, address: str, words: tuple[int, int] | None) -> None:
        """Record the span `words` of a secret that is not stored, so that models do not see it."""
        ...

    def refuse(self, command: c.AnyCommand, reason: CommandRefusal, field: str = "") -> None:
        """Record that a command is refused, for the code `reason`, at the field with the address `field`, if any."""
        ...


class ItemInterpreter:
    """Applies the commands of one message to the items of one list of records."""

    def __init__(self, fields: FieldRules, address: str, field: Field) -> None:
        self.fields = fields
        self.step = fields.step
        self.address = address
        self.field = field
        self.parts = parts_by_name(field)

    @property
    def items(self) -> list[Item]:
        """The current items of the list."""
        found = self.step.state.values.get(self.address)
        return found.value if found is not None else []

    def apply(self, command: c.ItemCommand) -> bool | None:
        """Apply a command; return whether the list has items afterwards, `None` if the command was refused."""
        is_late = self.fields.was_changed_elsewhere(self.address)
        reason = self.fields.unasked_secret(self.address) or ("already_applied" if is_late else "")
        if reason:
            self._hide(command)
            return self.fields.refuse(command, reason, self.address)
        match command:
            case c.Add(item=item):
                is_done = self._add(command, item)
            case c.Change():
                is_done = self._change(command)
            case c.Remove(item=item):
                is_done = self._remove(command, item)
            case c.Move():
                is_done = self._move(command)
            case c.Copy():
                is_done = self._copy(command)
        return bool(self.items) if is_done else None

    # one function for each command -------------------------------------------------------------

    def _add(self, command: c.Add, raw: object) -> bool:
        item = self._read(command, raw)
        if item is None:
            return False
        return self._appended(command, [item])

    def _change(self, command: c.Change) -> bool:
        at = self._resolved(command, command.item)
        if at is None:
            return False
        item, part = self.items[at], self.parts.get(command.name)
        if part is None:
            return self._refuse(
                command, unknown_part(self.field, command.name, self.step.rules), item[ID], command.name
            )
        is_cleared = command.value is None or (isinstance(command.value, str) and not command.value.strip())
        value = None if is_cleared else self._value(part, command.value, self.step.rules)
        if isinstance(value, Refused):
            return self._refuse(command, value, item[ID], command.name)
        changed = {name: one for name, one in {**item, command.name: value}.items() if one is not None}
        changed = {ID: item[ID], **{name: changed[name] for name in self.parts if name in changed}}
        names = () if value is None else (command.name,)
        items = [*self.items[:at], changed, *self.items[at + 1 :]]
        is_longer = len(encode(changed)) > len(encode(item))
        refused = self._failing(changed, names) or self._refusing(items, is_longer=is_longer)
        if refused is not None:
            return self._refuse(command, refused, item[ID], command.name)
        words = self.fields.words_of(command)
        how, confidence = self._how(command)
        self.step.emit(ItemChanged(self.address, item[ID], command.name, value, how, confidence, words))
        return True

    def _remove(self, command: c.Remove, ref: object) -> bool:
        at = self._resolved(command, ref)
        if at is None:
            return False
        left = [*self.items[:at], *self.items[at + 1 :]]
        refused = self._refusing(left, is_longer=False) if left else None
        if refused is not None:
            return self._refuse(command, refused, self.items[at][ID])
        self.step.emit(ItemRemoved(self.address, self.items[at][ID], self.fields.how))
        return True

    def _move(self, command: c.Move) -> bool:
        at = self._resolved(command, command.item)
        if at is None:
            return False
        items = self.items
        to = index_of_position(items, command.to, self.step.rules)
        if isinstance(to, Unresolved):
            return self._unresolved(command, to, items[at][ID])
        moved = [*items[:at], *items[at + 1 :]]
        moved.insert(to, items[at])
        refused = self._refusing(moved, is_longer=False)
        if refused is not None:
            return self._refuse(command, refused, items[at][ID])
        self.step.emit(ItemMoved(self.address, items[at][ID], to, self.fields.how))
        return True

    def _copy(self, command: c.Copy) -> bool:
        next_id = id_of(self.step.state.last_item + 1)
        is_described = as_object(command.item) is not None
        full = self._refusing([*self.items, {ID: next_id}], is_longer=True) if is_described else None
        if full is not None:  # before it is asked which of several items is meant
            return self._refuse(command, full, "", full.subject)
        at = self._resolved(command, command.item)
        if at is None:
            return False
        item = self.items[at]
        if command.count < 1:
            return self._refuse(command, self.step.rules.refused("min", bound=1), item[ID])
        changes = self._read(command, command.changes, item[ID])
        if changes is None:
            return False
        cleared = [name for name, value in command.changes.items() if value is None]
        values = {name: one for name, one in {**item, **changes}.items() if name != ID and name not in cleared}
        values = {name: values[name] for name in self.parts if name in values}
        count = min(command.count, self.step.rules.max_items + 1)  # one more than fit is refused
        return self._appended(command, [values] * count, item[ID])

    # what they share ---------------------------------------------------------------------------

    def _appended(self, command: c.Add | c.Copy, added: list[Item], copy_of: str = "") -> bool:
        """Add items at the end, all of them or none."""
        next_ = self.step.state.last_item + 1
        numbered = [{ID: id_of(next_ + number), **item} for number, item in enumerate(added)]
        refused = self._failing(added[0], tuple(added[0])) or self._refusing([*self.items, *numbered], is_longer=True)
        if refused is not None:
            return self._refuse(command, refused, copy_of, refused.subject)
        words = self.fields.words_of(command)
        how, confidence = self._how(command)
        for item, values in zip(numbered, added, strict=True):
            self.step.emit(ItemAdded(self.address, item[ID], values, how, confidence, words, copy_of))
        return True

    def _read(self, command: c.ItemCommand, raw: object, id_: str = "") -> Item | None:
        """Return the values of an item without an id; `None` if one was refused. A model's may be JSON text."""
        raw = raw if self.fields.how not in _BY_MODEL else object_in(raw) or raw
        found, wrong = read_parts(self.field, raw, self.step.rules, self._value)
        for one in wrong:
            self._refuse(command, one.refused, id_, one.name)
        return None if wrong else {name: value for name, value in found.items() if name != ID}

    def _value(self, part: Field, raw: Any, rules: Rules) -> Value | Refused:
        """Return a value of an item; what was understood may be JSON text of its type."""
        if self.fields.how in _BY_MODEL:
            raw = as_declared(part, raw, rules, may_split=self.fields.how == "understood")
        return raw if isinstance(raw, Refused) else read_value(part, raw, rules)

    def _failing(self, item: Item, names: tuple[str, ...]) -> Refused | None:
        return failing_part(self.step.machine, self.step.state, self.address, item, names)

    def _refusing(self, items: list[Item], *, is_longer: bool) -> Refused | None:
        """Return the refusal of a whole list: by its `max` and the limits of the flow, where it grew, and by its
        validators.
        """
        step, rules = self.step, self.step.rules
        most = self.field.max
        if is_longer and isinstance(most, int | float) and len(items) > most:
            text = rules.language.text("list_full", bound=f"{most:g}")
            return Refused("max", text, most, kind="list")
        question = self.fields.questions.get(self.address)
        beyond = beyond_limits(items, rules) if is_longer else None
        return beyond or refusal_by_validators(step.machine, step.state, self.address, items, question)

    def _how(self, command: c.ItemCommand) -> tuple[Any, float | None]:
        """Return how a value comes, and how sure it is."""
        how = self.fields.how
        return how, 1.0 if how in ("button", "direct") else command.confidence

    def _resolved(self, command: c.ItemCommand, ref: object) -> int | None:
        """Return where the item stands that a command names; refuse a command that names none, or several."""
        at = resolve_item(self.field, self.items, ref, self.step.rules)
        if isinstance(at, Unresolved):
            self._unresolved(command, at, ref if is_id(ref) else "")
            return None
        return at

    def _unresolved(self, command: c.ItemCommand, why: Unresolved, ref: Any) -> bool:
        self._hide(command)
        self.step.emit(CommandRefused(c.name_of(command), why.reason, self.address, why.text, item=ref))
        return False

    def _refuse(self, command: c.ItemCommand, refused: Refused, id_: str, name: str = "") -> bool:
        """Refuse a command because of a value."""
        self._hide(command)
        text, iso = refusal_for_user(self.step.machine, self.step.state, refused), refused.text
        about = f"{name}: " if name else ""
        iso = f"{about}{iso}" if iso != text else ""
        reason, command_name = refused.reason, c.name_of(command)
        self.step.emit(CommandRefused(command_name, reason, self.address, f"{about}{text}", iso, item=id_, name=name))
        return False

    def _hide(self, command: c.ItemCommand) -> None:
        self.fields.hide(self.address, self.fields.words_of(command))
