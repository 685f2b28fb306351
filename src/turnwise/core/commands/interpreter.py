"""The command interpreter: applies or refuses each command in order, with a reason (section 7 of the laws).

Buttons, offline rules, models and hosts all pass through here; none of them writes a field itself. What only a form
can do is in `core.forms.interpreter`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from turnwise.core.addresses import scope_of
from turnwise.core.commands import accept, is_not_held, refusal_by_validators
from turnwise.core.commands.allowed_input import AllowedField, AllowedInput, allowed_input, may_be_given
from turnwise.core.commands.reasons import reason
from turnwise.core.handover import hand_over
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.locale import refusal_for_user, written_for_user
from turnwise.core.options import fix_options
from turnwise.core.scopes import is_open
from turnwise.core.state import SAID_BY_USER, FieldValue, ValueOrigin
from turnwise.core.state import commands as c
from turnwise.core.state.events import (
    CommandApplied,
    CommandRefused,
    FieldCleared,
    FieldSet,
    WordsHidden,
)
from turnwise.core.state.kinds import CommandRefusal
from turnwise.core.turn import StepBuilder
from turnwise.core.values import Refused, is_free_text, item_field, read_value
from turnwise.core.values.from_model import as_declared

_LONGEST_EXAMPLE = 80
"""A longer message is not repeated as an example, in characters."""

_NOTHING_TO: Mapping[c.CommandName, CommandRefusal] = {
    "affirm": "nothing_to_affirm",
    "deny": "nothing_to_deny",
    "skip": "nothing_to_skip",
    "back": "nothing_before",
    "cancel": "nothing_to_cancel",
    "start": "nothing_to_start",
}
"""Why a command is refused where no form and no question is open for it."""


class CommandInterpreter:
    """Applies the commands of one message to the fields of the node in charge.

    `form` is the form that is open there. With `is_canonical`, values are already as their fields store them, and only
    the validators are asked.
    """

    def __init__(
        self, step: StepBuilder, how: ValueOrigin, form: LinkedForm | None = None, *, is_canonical: bool = False
    ) -> None:
        self.step = step
        self.machine = step.machine
        self.how: ValueOrigin = how
        self.form = form
        self.questions: Mapping[str, Question] = form.by_address if form is not None else {}
        self.before = step.state
        self.is_canonical = is_canonical
        self.is_correction = False

    @cached_property
    def allowed(self) -> AllowedInput:
        """The fields and commands that the understanding may use; hosts and buttons are not limited to them."""
        return allowed_input(self.machine, self.before)

    def apply_all(self, commands: tuple[c.AnyCommand, ...]) -> None:
        """Apply the commands in order; a `deny` or `edit` beside a new value makes it a correction (law 7.5)."""
        commands = self.without_objections(commands)
        has_set = any(isinstance(command, c.Set) for command in commands)
        self.is_correction = any(isinstance(command, c.Deny | c.Edit) for command in commands)
        for command in commands:
            if not (has_set and isinstance(command, c.Deny | c.Edit)):
                self.apply(command)

    def without_objections(self, commands: tuple[c.AnyCommand, ...]) -> tuple[c.AnyCommand, ...]:
        """Refuse the commands that the message does not support, and return the others (law 7.1a)."""
        kept: list[c.AnyCommand] = []
        for command in commands:
            if not command.objection:
                kept.append(command)
                continue
            field = str(getattr(command, "field", ""))
            self.hide(field, self.words_of(command))
            self.refuse(command, command.objection, field)
        return tuple(kept)

    def apply(self, command: c.AnyCommand) -> None:
        """Apply one command to the state, or record its refusal."""
        if self.how == "understood" and c.name_of(command) not in self.allowed.commands:
            self.refuse(command, "not_exposed", getattr(command, "field", ""))
            return
        match command:
            case c.Set(field=""):
                self._correct(command)
            case c.Set(field=field):
                self.set_field(command, field, self.words_of(command))
            case c.Clear(field=field):
                self.clear(command, field)
            case c.Add() | c.Change() | c.Remove() | c.Move() | c.Copy():
                self.change_list(command)
            case c.Edit(field=field):
                self.refuse_edit(command, field)
            case _:
                self.apply_spoken(command)

    def apply_spoken(self, command: c.AnyCommand) -> None:
        """Apply a command about the conversation, not about a field, such as `help` or `undo`."""
        name = c.name_of(command)
        match command:
            case c.Ask(text=text):
                self.step.emit(CommandApplied("ask", text=text[: self.machine.rules.max_chars]))
            case c.HandOver():
                self._hand_over()
            case c.Help(field=field):
                self.step.emit(CommandApplied("help", field))
            case c.Why(field=field):
                answer = command.answer if self.how != "command" else ""
                self.step.emit(CommandApplied("why", field, answer or reason(self.machine, self.step.state, field)))
            case c.Affirm() | c.Deny() | c.Cancel() | c.Restart() if self.step.state.awaiting_approval is not None:
                self.step.emit(CommandApplied("affirm" if name == "affirm" else "deny"))
            case c.Cancel() if self.step.state.frame.scope is not None:
                self.step.emit(CommandApplied("cancel"))
            case c.Start():
                self._start(command)
            case c.Repeat() | c.Wait() | c.Undo() | c.Restart():
                self.step.emit(CommandApplied(name))
            case _:
                self.refuse(command, _NOTHING_TO[name])

    # fields ----------------------------------------------------------------------------------

    def set_field(self, command: c.Set, address: str, words: tuple[int, int] | None) -> bool:
        """Validate and store the value of a command from the span `words`; return whether it was stored.
        The span is hidden if the field is secret.
        """
        reason = self.forbidden(address) or self.unasked_secret(address)
        if reason:
            self.hide(address, words)
            self.refuse(command, reason, address)
            return False
        has_options_of_list = address in self.machine.option_sources
        if has_options_of_list and self.how not in SAID_BY_USER:
            fix_options(self.step, address)  # only users answer what was shown to them
        value, question, state = command.value, self.questions.get(address), self.step.state
        if self.is_canonical and not has_options_of_list:
            has_validators = address in self.machine.validators or (question is not None and question.validators)
            refused = refusal_by_validators(self.machine, state, address, value, question) if has_validators else None
        else:
            value = self.accepted(address, value, question)
            refused = value if isinstance(value, Refused) else None
        if refused is not None:
            self.hide(address, words)
            self.refuse_value("set", address, refused)
            if has_options_of_list:
                fix_options(self.step, address)
        elif self.how == "understood" and self._is_known(command, address, value):
            self.hide(address, words)
            self._refuse_known(address, value)
        else:
            self.store(address, value, command.confidence, words)
            return True
        return False

    def accepted(self, address: str, value: Any, question: Question | None) -> Any:
        """Return the value as the field, or the answered `question`, would store it, or its refusal; a model's value
        may be JSON text.
        """
        if self.how == "understood":
            field = question.field if question is not None else self.machine.fields[address]
            value = as_declared(field, value, self.step.rules, may_split=True)
        if isinstance(value, Refused):
            return value
        return accept(self.machine, self.step.state, address, value, question)

    def store(self, address: str, value: Any, confidence: float | None, words: tuple[int, int] | None) -> None:
        """Record a value of a field with its source: how it was set, its confidence, its span `words` in the
        message.
        """
        if self.how in ("button", "direct"):
            confidence = 1.0
        self.step.emit(FieldSet(address, value, self.how, confidence, words))

    def hide(self, address: str, words: tuple[int, int] | None) -> None:
        """Record the span `words` of a secret that is not stored, so that models do not see it."""
        field, doing = self.machine.fields.get(address), self.step.doing
        if field is None or not field.secret or doing.message is None:
            return
        start, end = words if words is not None else (0, len(doing.message))
        self.step.emit(WordsHidden((doing.seq, start, end)))

    def hide_rest(self, address: str, commands: tuple[c.AnyCommand, ...]) -> None:
        """Hide the spans that no command used, if they may be an unread answer to a secret question:
        if no command answers the question of the field at `address`, and it is secret.
        """
        field, message = self.machine.fields.get(address), self.step.doing.message
        if field is None or not field.secret or message is None:
            return
        if any(isinstance(one, c.Set | c.ItemCommand) and one.field == address for one in commands):
            return
        begin, whole = 0, (0, len(message))
        for start, end in sorted([*(self.words_of(one) or whole for one in commands), (whole[1], whole[1])]):
            rest = message[begin:start]
            if any(map(str.isalnum, rest)):
                self.hide(address, (start - len(rest.lstrip()), begin + len(rest.rstrip())))
            begin = max(begin, end)

    def words_of(self, command: c.AnyCommand) -> tuple[int, int] | None:
        """Return the span (start, end) of the message that a command came from; `None` without one. For a command of a
        model that quoted nothing it is the whole message.
        """
        if command.words is not None or self.how != "understood":
            return command.words
        message = self.step.doing.message
        return None if message is None else (0, len(message))

    def _correct(self, command: c.Set) -> None:
        """Apply a correction that names no field to the last field, else to the only one that fits (law 7.3).

        A free text accepts any text, so it counts only if no other field accepts the value.
        """
        rules, fields = self.step.rules, self.machine.fields
        filled = [f.address for f in self.allowed.fields if f.value is not None]
        able = [a for a in filled if not isinstance(read_value(fields[a], command.value, rules), Refused)]
        fitting = [a for a in able if not is_free_text(fields[a])] or able
        last = self.step.state.frame.last_field
        chosen = [last] if last in fitting else fitting
        if len(chosen) == 1:
            self.is_correction = True
            self.set_field(command, chosen[0], self.words_of(command))
        else:
            self.refuse(command, "no_field")

    def forbidden(self, address: str) -> CommandRefusal | Literal[""]:
        """Return the code of why a field may not be written now; empty if it may."""
        field = self.machine.fields.get(address)
        if field is None or ("/" in address and not is_open(self.step.state, scope_of(address))):
            return "unknown_field"
        if field.value:
            return "derived"
        question = self.questions.get(address)
        if question is None and address not in self.step.node.collects and self._is_closed(address):
            return "form_closed"
        if self.how != "understood":
            return ""
        if self.allowed.field(address) is None:
            return "not_exposed"
        is_inactive = question is not None and is_not_held(question.ask_when, self.step.env)
        return "not_asked_here" if is_inactive else ""

    def unasked_secret(self, address: str) -> CommandRefusal | Literal[""]:
        """Return the code that refuses a secret not asked for, named or answered last, else empty (law 3.4)."""
        field = self.machine.fields[address]
        if not field.secret or self.how != "understood":
            return ""
        shown, message = self.allowed.field(address) or AllowedField(address, field), self.step.doing.message or ""
        return "" if may_be_given(self.machine, self.before, shown, message) else "secret_not_asked"

    def _is_known(self, command: c.Set, address: str, value: Any) -> bool:
        """Return whether a collected field already has another value than an understood one, which only a correction
        overwrites (law 5.16).
        """
        if address in self.questions or command.correction or self.is_correction:
            return False
        node, found = self.step.node, self.step.state.values.get(address)
        if node.node.collect is not None and node.node.collect.mode == "form":
            return False
        if found is None or found.turn == self.step.number:
            return False
        return address in node.collects and found.value != value

    def _is_closed(self, address: str) -> bool:
        """Return whether the field belongs to a form that was confirmed and left (law 5.12)."""
        closed = self.step.state.frame.closed_forms
        return any(node in closed for node in self.machine.forms_of.get(address, ()))

    def clear(self, command: c.Clear, address: str) -> bool:
        """Remove the value of a field; return whether it was removed."""
        reason = self.forbidden(address)
        if not reason and address not in self.step.state.values and address not in self.step.state.shelved:
            reason = "nothing_to_clear"
        if reason:
            self.refuse(command, reason, address)
            return False
        self.step.emit(FieldCleared(address, self.how))
        return True

    def change_list(self, command: c.ItemCommand) -> bool | None:
        """Change the items of a list; return whether it has items afterwards, `None` if the command was refused."""
        address, reason = command.field, self.forbidden(command.field)
        field = self.questions[address].field if address in self.questions else self.machine.fields.get(address)
        if reason or field is None or field.type != "list":
            return self.refuse(command, reason or "no_list", address)
        if field.parts:
            from turnwise.core.commands.items import ItemInterpreter

            return ItemInterpreter(self, address, field).apply(command)
        if not isinstance(command, c.Add | c.Remove):
            return self.refuse(command, "no_list", address)
        item = read_value(item_field(field), command.item, self.step.rules)
        if isinstance(item, Refused):
            return self.refuse_value(c.name_of(command), address, item)
        if self.was_changed_elsewhere(address):
            return self.refuse(command, "already_applied", address)
        found = self.step.state.values.get(address)
        items: list[Any] = list(found.value) if found is not None else []
        if isinstance(command, c.Remove) and item not in items:
            return self.refuse(command, "no_item", address)
        changed = [*items, item] if isinstance(command, c.Add) else [other for other in items if other != item]
        if not changed:
            self.step.emit(FieldCleared(address, self.how))
            return False
        whole = c.Set(command.words, command.confidence, value=changed, field=address, correction=True)
        return True if self.set_field(whole, address, self._words_of_list(command, found)) else None

    def was_changed_elsewhere(self, address: str) -> bool:
        """Return whether another node has already applied the same message to the field (law 2.7)."""
        found = self.before.values.get(address)
        is_understood = self.how == "understood"
        return is_understood and found is not None and (found.turn, found.how) == (self.step.number, self.how)

    def _words_of_list(self, command: c.Add | c.Remove, found: FieldValue | None) -> tuple[int, int] | None:
        """Return the span of the message that contains a whole list, `None` if its items came from several messages."""
        words = self.words_of(command)
        if isinstance(command, c.Remove):
            return None
        if found is None or words is None:
            return words
        place = found.place
        if place is None or place[0] != self.step.doing.seq:
            return None
        return min(place[1], words[0]), max(place[2], words[1])

    # refusals and handing over ---------------------------------------------------------------

    def refuse(self, command: c.AnyCommand, reason: CommandRefusal, field: str = "") -> None:
        """Record that a command is refused for the code `reason`, with a text for the user if the language has one for
        it.
        """
        texts = self.machine.language.texts
        text = texts.get(f"refused_{reason}") or texts.get(reason, "")
        self.step.emit(CommandRefused(c.name_of(command), reason, field, text))

    def refuse_value(self, command: c.CommandName, address: str, refused: Refused) -> None:
        """Record that a value is refused, with a text in the language and time zone of the conversation."""
        text = refusal_for_user(self.machine, self.step.state, refused)
        iso = refused.text if refused.text != text else ""
        self.step.emit(CommandRefused(command, refused.reason, address, text, iso))

    def _refuse_known(self, address: str, value: Any) -> None:
        """Refuse a value that differs from the stored one, with a text that shows the stored one and how to change it.
        The example is the message itself, unless the flow has secret fields.
        """
        machine, message = self.machine, (self.step.doing.message or "").strip()
        field, known = machine.fields[address], self.step.state.values[address].value
        is_example = 0 < len(message) <= _LONGEST_EXAMPLE and not any(one.secret for one in machine.fields.values())
        text = machine.language.text(
            "already_known_secret" if field.secret else "already_known",
            field=machine.short_title(address),
            known=written_for_user(machine, self.step.state, field, known),
            said=message if is_example else written_for_user(machine, self.step.state, field, value),
        )
        self.step.emit(CommandRefused("set", "already_known", address, text))

    def refuse_edit(self, command: c.Edit, field: str) -> None:
        """Record that editing an answer is refused, since this node does not ask for the answer."""
        if field and field not in self.machine.fields:
            self.refuse(command, "unknown_field", field)
        elif (field and self._is_closed(field)) or (not field and self.step.state.frame.closed_forms):
            self.refuse(command, "form_closed", field)
        else:
            self.refuse(command, "nothing_to_edit", field)

    def _start(self, command: c.Start) -> None:
        """Note that a scope is to be opened with its input; refuse one that may not be opened, or not now."""
        from turnwise.core.commands.starts import StartRefused, input_of_start

        given = input_of_start(self.machine, self.step.state, command, by_program=self.how == "command")
        if not isinstance(given, StartRefused):
            self.step.emit(CommandApplied("start", text=command.target, input=given))
        elif given.value is not None:
            self.refuse_value("start", given.field, given.value)
        else:
            self.refuse(command, given.code, given.field)

    def _hand_over(self) -> None:
        """Hand over to a person, unless the conversation waits for one or has one."""
        if self.step.state.frame.person is not None:
            self.refuse(c.HandOver(), "handed_over")
        else:
            self.step.emit(CommandApplied("hand_over"))
            hand_over(self.step)
