"""The command interpreter: applies or refuses each command in order, with a reason (section 7 of the laws).

A form adds its own commands; whoever understood, only the machine decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from turnwise.core.commands.accept import accept
from turnwise.core.commands.exposure import Exposed, asked, exposed
from turnwise.core.formatting import readable, refusal
from turnwise.core.machine import Question
from turnwise.core.secrets import is_meant
from turnwise.core.state import FieldValue, How
from turnwise.core.state import commands as c
from turnwise.core.state.events import (
    A_PERSON,
    ArtefactMade,
    CommandApplied,
    CommandRefused,
    FieldCleared,
    FieldSet,
    WordsHidden,
)
from turnwise.core.turn import Turn
from turnwise.core.values import Refused, is_free_text, item_field, read_value

_LONGEST_SAID = 80
"""A longer message is not repeated as an example, in characters."""


class Hearing:
    """The commands of one message, applied in order at a node."""

    def __init__(self, turn: Turn, how: How) -> None:
        self.turn = turn
        self.how: How = how
        self.questions: Mapping[str, Question] = {}
        self.seen = turn.state
        self.is_correction = False

    @cached_property
    def exposed(self) -> Exposed:
        """What understanding was shown; a host is bound by it only where the node's own fields end."""
        return exposed(self.turn.machine, self.seen)

    def apply_all(self, commands: tuple[c.AnyCommand, ...]) -> None:
        """Apply each in order; a no, or an edit, beside a new value makes it a correction (law 7.5)."""
        announcing = (c.Deny, c.Edit)
        has_set = any(isinstance(command, c.Set) for command in commands)
        self.is_correction = any(isinstance(command, announcing) for command in commands)
        for command in commands:
            if not (has_set and isinstance(command, announcing)):
                self.apply(command)

    def apply(self, command: c.AnyCommand) -> None:
        """Apply one command, or refuse it."""
        name = c.name_of(command)
        if self.how == "understood" and name not in self.exposed.commands:
            self.refuse(command, "not_exposed", getattr(command, "field", ""))
            return
        match command:
            case c.Set(field=""):
                self.correct(command)
            case c.Set(field=field):
                self.set(command, field)
            case c.Clear(field=field):
                self.clear(command, field)
            case c.Add() | c.Remove():
                self.change_list(command)
            case c.Edit(field=field):
                self.refuse_elsewhere(command, field)
            case _:
                self.apply_spoken(command, name)

    def apply_spoken(self, command: c.AnyCommand, name: str) -> None:
        """Apply a command that is about the conversation rather than a field."""
        match command:
            case c.Ask(text=text):
                self.turn.emit(CommandApplied("ask", text=text[: self.turn.machine.rules.max_chars]))
            case c.HandOver():
                self.hand_over_all()
            case c.Help(field=field):
                self.turn.emit(CommandApplied("help", field))
            case c.Repeat() | c.Wait() | c.Undo() | c.Restart():
                self.turn.emit(CommandApplied(name))
            case c.Affirm() | c.Deny() if self.turn.state.held is not None:
                self.turn.emit(CommandApplied(name))
            case _:
                reason = "nothing_to_cancel" if isinstance(command, c.Cancel) else f"nothing_to_{name}"
                self.refuse(command, reason, "")

    # fields ----------------------------------------------------------------------------------

    def set(self, command: c.Set, address: str) -> None:
        """Give a field a value by the one path that all values take."""
        self.take(command, address, self.said(command.words))

    def take(self, command: c.Set, address: str, words: tuple[int, int] | None) -> None:
        """Give a field the value of a command; `words` is what of the message says all of it. Those of a secret are
        hidden whether or not it is stored.
        """
        reason = self.forbidden(address) or self.unasked_secret(address)
        if reason:
            self.hide(address, words)
            self.refuse(command, reason, address)
            return
        question = self.questions.get(address)
        value = accept(self.turn.machine, self.turn.state, address, command.value, question)
        if isinstance(value, Refused):
            self.hide(address, words)
            self.refuse_value("set", address, value)
            return
        if self.is_known(command, address, value):
            self.hide(address, words)
            self.refuse_known(address, value)
            return
        self.store(address, value, command.confidence, words)
        self.was_set(address)

    def store(self, address: str, value: Any, confidence: float | None, words: tuple[int, int] | None) -> None:
        """Record a value with where it came from."""
        if self.how in ("button", "direct"):
            confidence = 1.0
        self.turn.emit(FieldSet(address, value, self.how, confidence, words))

    def hide(self, address: str, words: tuple[int, int] | None) -> None:
        """Record where the words of a secret stand that is not stored: they are hidden all the same."""
        field, doing = self.turn.machine.fields.get(address), self.turn.doing
        if field is None or not field.secret or doing.message is None:
            return
        start, end = words if words is not None else (0, len(doing.message))
        self.turn.emit(WordsHidden((doing.seq, start, end)))

    def said(self, words: tuple[int, int] | None) -> tuple[int, int] | None:
        """The words that a command came from; of an understanding that does not say, the whole message."""
        message = self.turn.doing.message
        return (0, len(message)) if words is None and self.how == "understood" and message is not None else words

    def correct(self, command: c.Set) -> None:
        """Law 7.3 outside a form: the field set last, else the only filled one that can take the value.

        A free text can take any text, so it counts only if no other field can take the value.
        """
        rules, fields = self.turn.machine.rules, self.turn.machine.fields
        filled = [f.address for f in self.exposed.fields if f.value is not None]
        able = [a for a in filled if not isinstance(read_value(fields[a], command.value, rules), Refused)]
        fitting = [a for a in able if not is_free_text(fields[a])] or able
        last = self.turn.state.last_field
        chosen = [last] if last in fitting else fitting
        if len(chosen) == 1:
            self.is_correction = True
            self.set(command, chosen[0])
        else:
            self.refuse(command, "no_field", "")

    def forbidden(self, address: str) -> str:
        """Why a field may not be written now, empty where it may."""
        if address not in self.turn.machine.fields:
            return "unknown_field"
        if self.turn.machine.fields[address].value:
            return "derived"
        is_own = address in self.questions or address in self.turn.node.collects
        if not is_own and self.is_closed(address):
            return "form_closed"
        if self.how == "understood" and self.exposed.field(address) is None:
            return "not_exposed"
        return ""

    def unasked_secret(self, address: str) -> str:
        """A secret is understood only where it is asked for, or named, or was the last answer (law 3.4)."""
        machine, state = self.turn.machine, self.seen
        field = machine.fields[address]
        if not field.secret or self.how != "understood" or address in (asked(state), state.last_field):
            return ""
        if address in self.turn.node.collects and state.question is None:
            return ""  # the node asks for it in its own words
        shown = self.exposed.field(address)
        is_named = is_meant(field, shown.title if shown else "", self.turn.doing.message or "")
        return "" if is_named else "secret_not_asked"

    def is_known(self, command: c.Set, address: str, value: Any) -> bool:
        """Law 5.16: while a conversation collects, only a correction overwrites."""
        if self.how != "understood" or address in self.questions or command.correction or self.is_correction:
            return False
        node = self.turn.node
        if node.node.collect is not None and node.node.collect.mode == "form":
            return False
        found = self.turn.state.values.get(address)
        if found is None or found.turn == self.turn.number:
            return False
        return address in node.collects and found.value != value

    def is_closed(self, address: str) -> bool:
        """True if the field was confirmed in a form that is left (law 5.12)."""
        closed = self.turn.state.closed_forms
        return any(node in closed for node in self.turn.machine.forms_of.get(address, ()))

    def clear(self, command: c.Clear, address: str) -> None:
        """Take a value away."""
        reason = self.forbidden(address)
        if not reason and address not in self.turn.state.values and address not in self.turn.state.shelved:
            reason = "nothing_to_clear"
        if reason:
            self.refuse(command, reason, address)
            return
        self.turn.emit(FieldCleared(address, self.how))
        self.was_cleared(address)

    def change_list(self, command: c.Add | c.Remove) -> None:
        """Put an item into a list, or take one out."""
        address = command.field
        reason = self.forbidden(address)
        machine = self.turn.machine
        field = self.questions[address].field if address in self.questions else machine.fields.get(address)
        if not reason and (field is None or field.type != "list"):
            reason = "no_list"
        if reason or field is None:
            self.refuse(command, reason, address)
            return
        item = read_value(item_field(field), command.item, machine.rules)
        if isinstance(item, Refused):
            self.refuse_value(c.name_of(command), address, item)
            return
        found = self.turn.state.values.get(address)
        if self.was_changed_elsewhere(address):
            self.refuse(command, "already_applied", address)
            return
        items: list[Any] = list(found.value) if found is not None else []
        if isinstance(command, c.Add):
            changed = [*items, item]
        elif item in items:
            changed = [other for other in items if other != item]
        else:
            self.refuse(command, "no_item", address)
            return
        if changed:
            whole = c.Set(command.words, command.confidence, value=changed, field=address, correction=True)
            self.take(whole, address, self.words_of_list(command, found))
        else:
            self.turn.emit(FieldCleared(address, self.how))
            self.was_cleared(address)

    def was_changed_elsewhere(self, address: str) -> bool:
        """True if a node that was in charge before understood the same message and changed the field (law 2.7)."""
        found = self.seen.values.get(address)
        return (
            self.how == "understood" and found is not None and (found.turn, found.how) == (self.turn.number, self.how)
        )

    def words_of_list(self, command: c.Add | c.Remove, found: FieldValue | None) -> tuple[int, int] | None:
        """The words that say a whole list: none where items came, or left, in several messages."""
        said = self.said(command.words)
        if found is None or said is None or isinstance(command, c.Remove):
            return None if isinstance(command, c.Remove) else said
        place = found.place
        if place is None or place[0] != self.turn.doing.seq:
            return None
        return min(place[1], said[0]), max(place[2], said[1])

    def was_set(self, address: str) -> None:
        """What follows from a value that was set; forms have more to do."""

    def was_cleared(self, address: str) -> None:
        """What follows from a value that was taken away; forms have more to do."""

    # others ----------------------------------------------------------------------------------

    def refuse(self, command: c.AnyCommand, reason: str, field: str) -> None:
        """Refuse a command; the user is told where the language has words for the reason."""
        texts = self.turn.machine.language.texts
        text = texts.get(f"refused_{reason}") or texts.get(reason, "")
        self.turn.emit(CommandRefused(c.name_of(command), reason, field, text))

    def refuse_value(self, command: str, address: str, refused: Refused) -> None:
        """Refuse a value; the user is told why in the language and the time zone of the conversation."""
        text = refusal(self.turn.machine.language, self.turn.state.time_zone, refused)
        iso = refused.text if refused.text != text else ""
        self.turn.emit(CommandRefused(command, refused.reason, address, text, iso))

    def refuse_known(self, address: str, value: Any) -> None:
        """Refuse another value than the one that is known; the user is told which that is, and how to change it. The
        example is the message itself, unless it may tell a secret.
        """
        machine, message = self.turn.machine, (self.turn.doing.message or "").strip()
        field, known = machine.fields[address], self.turn.state.values[address].value
        zone = self.turn.state.time_zone
        is_said = 0 < len(message) <= _LONGEST_SAID and not any(one.secret for one in machine.fields.values())
        said = message if is_said else readable(machine.language, zone, field, value)
        key = "already_known_secret" if field.secret else "already_known"
        words = {"field": machine.title(address), "known": readable(machine.language, zone, field, known), "said": said}
        self.turn.emit(CommandRefused("set", "already_known", address, machine.language.text(key, **words)))

    def refuse_elsewhere(self, command: c.AnyCommand, field: str) -> None:
        """An edit of an answer that this node does not ask for."""
        if field and field not in self.turn.machine.fields:
            self.refuse(command, "unknown_field", field)
        elif (field and self.is_closed(field)) or (not field and self.turn.state.closed_forms):
            self.refuse(command, "form_closed", field)
        else:
            self.refuse(command, "nothing_to_edit", field)

    def hand_over_all(self) -> None:
        """Let a person take over, with everything that is known and not secret."""
        self.turn.emit(CommandApplied("hand_over"))
        state, fields = self.turn.state, self.turn.machine.fields
        known = {address: found.value for address, found in state.values.items() if not fields[address].secret}
        self.turn.emit(ArtefactMade("HANDOFF", {"to": A_PERSON, "payload": known}))
