"""Understands an answer to the open question of a form without a model and without rules of a language (laws 3.4, 5.2,
5.5, 5.10).

Buttons, exact options and typed answers, for the asked field only; whole phrases for commands.
"""

from __future__ import annotations

from turnwise.core.commands.phrases import command_phrase
from turnwise.core.forms import answered, buttons, item_choice, items
from turnwise.core.forms.buttons import CONFIRM, NO, OTHER, RESTART, YES
from turnwise.core.forms.lists import is_at_list
from turnwise.core.language import is_question, normalized
from turnwise.core.language.answers import Kind, hesitates, plain_answer
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.state import FormRun, State
from turnwise.core.state.commands import Affirm, AnyCommand, Deny, Edit, Restart, Set, Skip
from turnwise.core.state.events import Button
from turnwise.core.values import Refused, Value, is_read_as_text, match_option, read_value
from turnwise.core.values.yes_no import answer_options

_TOLD = ("min", "max", "ambiguous", "fraction", "repeated", "skipped")
"""Reasons for which a typed value is proposed all the same: its refusal tells what is wrong."""
Commands = tuple[AnyCommand, ...]
"""Commands, in the order in which they are applied."""


def needs_model(form: LinkedForm, run: FormRun) -> bool:
    """Return whether a model may read the answer to the open question: not if it is `match: direct` (law 5.2)."""
    question = form.by_address.get(run.asked)
    return question is None or question.match != "direct"


class FormReader:
    """Reads a message or button of the user for a form, without a model.

    `is_canonical` is true after reading a value that is already as its field stores it.
    """

    def __init__(self, machine: Machine, state: State, form: LinkedForm, run: FormRun) -> None:
        self.machine = machine
        self.language = machine.language
        self.state = state
        self.form = form
        self.run = run
        self.question = form.by_address.get(run.asked)
        open_question = state.frame.question
        self.open = open_question.kind if open_question is not None else ""
        self.is_asked = open_question is not None and self.open == "field" and open_question.field == run.asked
        self.is_suggested = run.asked in run.suggested and self.is_asked and not run.awaits_other
        self.is_at_list = form.has_items and is_at_list(form, run, state)
        self.is_canonical = False

    def commands_of_button(self, value: str) -> Commands:
        """Return the command of a button; none if no such button is offered."""
        button = buttons.button_with(buttons.form_buttons(self.machine, self.state, self.form), value)
        if button is None:
            return ()
        words = (0, len(value))
        if button.value == RESTART and self.run.status in ("stopped", "cancelled"):
            return (Restart(),)
        if self.open == "confirmation":
            return (Affirm(words),) if button.value == CONFIRM else (Edit(words),)
        if self.open == "chooser" and self.run.choosing:
            return (item_choice.command_of_chooser(self.run, button.value, words),)
        if self.open == "chooser":
            question = self._answered_question(button.value)
            return (Edit(words, field=question.address),) if question else ()
        if self.is_suggested or self.is_at_list:
            return (Affirm(words),) if button.value == YES else (Deny(words),)
        question = self.form.by_address[self.run.asked]
        return (Set(words, 1.0, value=_sent(question, button), field=question.address),)

    def commands_of_text(self, text: str) -> Commands | None:
        """Return the commands of a message that the rules can read; `None` if a model has to read it."""
        question, found = self.question, None
        if self.run.status == "stopped" and question is not None and plain_answer(self.language, text):
            is_named = match_option(question.field.options, text) is not None
            return (
                self._answer(text) if is_named or buttons.button_with(self._buttons(question), text) is not None else ()
            )
        if self.is_at_list:
            found = self._more_or_not(text)
        elif self.open == "confirmation" or self.is_suggested:
            found = self._yes_or_no(text)
        elif self.open == "chooser":
            found = self._choice(text)
        if found is None and self.open != "confirmation":
            found = self._answer(text) or self._no_other(text) or self._left_out(text)
        if found is not None:
            return found
        command = command_phrase(self.machine, self.state, text)
        return (command,) if command is not None else self._counted_button(text)

    def asks_for_other(self, value: str) -> bool:
        """Return whether a button or text is *Other*: the user wants to answer in free text."""
        question = self.question
        if question is None or not question.form_field.other or not self.is_asked:
            return False
        button = buttons.button_with(self._buttons(question), value)
        return button is not None and button.value == OTHER

    def courtesy(self, text: str) -> str:
        """Return the kind, such as `greeting`, if the message is only a courtesy; else empty.
        Empty, too, if the question accepts any text.
        """
        found = self.language.courtesy(text)
        if self.state.frame.question is None and self.run.status != "cancelled":
            return found if found == "greeting" else ""
        question = self.question
        is_answer = question is not None and question.form_field.anything and self.is_asked
        return "" if is_answer else found

    def _counted_button(self, text: str) -> Commands | None:
        """Return the command of the button at a position (`2` is the second), unless labels or answers are numbers."""
        question, number = self.question, text.strip()
        is_number = question is not None and question.field.type in ("integer", "number") and not self.is_suggested
        if is_number or self.run.awaits_other or not (number.isdecimal() and number.isascii() and len(number) <= 3):
            return None
        shown = buttons.form_buttons(self.machine, self.state, self.form) if self.open else ()
        is_of_items = self.open == "chooser" and bool(self.run.choosing)  # whose values are ids, which no user sees
        texts = [one.label if is_of_items else one.label + one.value for one in shown]
        has_numbers = any(char.isdecimal() for text in texts for char in text)
        if has_numbers or not 1 <= int(number) <= len(shown):
            return None
        button = shown[int(number) - 1]
        return self.commands_of_button(button.value) if button.value != OTHER else None

    def _buttons(self, question: Question) -> tuple[Button, ...]:
        return buttons.question_buttons(self.form, self.run, self.state, question)

    def _yes_or_no(self, text: str, kind: Kind = "affirm") -> Commands | None:
        """Return the command of a message that only means yes, no or edit, without any doubt (law 5.5)."""
        if is_question(text) or hesitates(text):
            return None
        words, said = (0, len(text)), plain_answer(self.language, text, kind)
        if said is not None:
            return (Affirm(words, 1.0),) if said else (Deny(words, 1.0),)
        if self.language.all_mean("edit", text):
            return (Deny(words, 1.0),) if self.is_suggested else (Edit(words, 1.0),)
        return self.commands_of_button(text) or None

    def _more_or_not(self, text: str) -> Commands | None:
        """Return the command of a message that only says whether a list gets another item."""
        if self._says_no_more(text):
            return (Deny((0, len(text)), 1.0),)
        return self._yes_or_no(text, "true")  # what confirms a summary, as `nothing else, thanks`, is no wish for more

    def _no_other(self, text: str) -> Commands | None:
        """Return the command of a message to the first question of another item that wants none after all."""
        if not self.is_asked or not self._says_no_more(text):
            return None
        is_end = items.may_end(self.form, self.run, self.state) or items.needs_more(self.form, self.run, self.state)
        return (Deny((0, len(text)), 1.0),) if is_end else None

    def _left_out(self, text: str) -> Commands | None:
        """Return the command of a message that only says no at an optional question which no text answers."""
        question = self.question
        if question is None or question.form_field.required or not self.is_asked or self.run.awaits_other:
            return None
        field = question.field
        is_answer = field.type in ("boolean", "list") or answer_options(field.options, self.language.code)
        if is_answer or self.is_suggested or (is_read_as_text(field) and not field.options) or is_question(text):
            return None
        counts = field.type in ("integer", "number")  # none of them is 0
        says_none = not counts and self.language.says_none(text, field.name)
        is_no = says_none or plain_answer(self.language, text) is False
        return (Skip((0, len(text)), 1.0),) if is_no else None

    def _says_no_more(self, text: str) -> bool:
        """Return whether a message only says that nothing else follows: also behind a yes or a no, with thanks, and
        without apostrophes (`nope thats it`).
        """
        if is_question(text):
            return False
        said = normalized(text)
        for courtesy in self.language.phrases["polite"]:
            said = said.removesuffix(f" {courtesy}")
        first, _, rest = said.partition(" ")
        behind = rest if rest and plain_answer(self.language, first, "true") is not None else said
        known = {_without_apostrophes(one) for one in self.language.phrases["no_more"]}
        is_known = any(_without_apostrophes(one) in known for one in (said, behind))
        return is_known or any(self.language.all_mean("no_more", one) for one in (text, said))

    def _choice(self, text: str) -> Commands | None:
        """Return the command of a message to the chooser: edit the named answer, or leave the chooser."""
        words = (0, len(text))
        button = buttons.button_with(buttons.form_buttons(self.machine, self.state, self.form), text)
        if self.run.choosing:
            if button is not None:
                return (item_choice.command_of_chooser(self.run, button.value, words),)
            return (Deny(words, 1.0),) if self.language.all_mean("leave_chooser", text) else None
        question = self._answered_question(button.value if button else text)
        if question is not None:
            return (Edit(words, 1.0, field=question.address),)
        return (Deny(words, 1.0),) if self.language.all_mean("leave_chooser", text) else None

    def _answered_question(self, name: str) -> Question | None:
        """Return the answered question that has this key, field name or address."""
        wanted = normalized(name)
        for question in answered(self.form, self.run, self.state):
            names = (question.key, question.address, question.field.name, question.field.name.replace("_", " "))
            if wanted in {normalized(known) for known in names}:
                return question
        return None

    def _answer(self, text: str) -> Commands | None:
        """Return the command that sets the asked question to an exact option or a typed value."""
        question = self.question
        if question is None or question.items or self.run.awaits_other or question.match == "model":
            return None
        is_free = not question.field.options and is_read_as_text(question.field)
        value = self._plain(question, text) if is_free else self._typed(question, text)
        return None if value is None else (Set((0, len(text)), 1.0, value=value, field=question.address),)

    def _plain(self, question: Question, text: str) -> Value:
        """Return the value of a message that can mean nothing but a text with a pattern, or a list without items: one
        word with a digit that the field takes, or a button; `None` for all others (law 7.3a).
        """
        field, word = question.field, text.strip()
        button = buttons.button_with(self._buttons(question), text)
        if button is not None and button.value != OTHER:
            return _sent(question, button)
        if self._has_no_items(question, text):
            return []
        if not field.pattern or field.type == "list" or " " in word or not any(map(str.isdigit, word)):
            return None
        value = read_value(field, word, rules_of(self.machine, self.state))
        self.is_canonical = not isinstance(value, Refused)
        return None if isinstance(value, Refused) else value

    def _typed(self, question: Question, text: str) -> Value:
        """Return the value of a text, or of the button with that label; `None` if it is no answer. A number beyond a
        bound, or an ambiguous one, is returned as text, so that it is refused with a reason.
        """
        field = question.field
        if field.type == "boolean" and not self.is_asked:
            return None
        if field.options and field.type != "list" and text in [one.value for one in field.options]:
            self.is_canonical = True
            return text
        if is_question(text) and (field.options or field.type == "boolean"):
            found = match_option(field.options, text)  # an option with a question mark; `Yes?` doubts what it says
            return found if found is not None and is_question(found) else None
        if self._has_no_items(question, text):
            return []
        is_yes_or_no = field.type == "boolean" or bool(answer_options(field.options, self.language.code))
        if is_yes_or_no and hesitates(text):
            return None
        value = read_value(field, text, rules_of(self.machine, self.state))
        if not isinstance(value, Refused):
            self.is_canonical = True
            return value
        button = buttons.button_with(self._buttons(question), text)
        if button is not None and button.value != OTHER:
            return _sent(question, button)
        return text if self.is_asked and value.reason in _TOLD else None

    def _has_no_items(self, question: Question, text: str) -> bool:
        """Return whether a text answers the question for a list by saying that there is nothing to list (law 1.3)."""
        field = question.field
        if not self.is_asked or field.type != "list" or match_option(field.options, text) is not None:
            return False
        return self.language.says_none(text, f"{field.name} {self.machine.short_title(question.address)}")


def _sent(question: Question, button: Button) -> Value:
    """Return the value that a button answers with."""
    sends = {YES: True, NO: False} if question.field.type == "boolean" else {}
    return sends.get(button.value, button.value)


def _without_apostrophes(text: str) -> str:
    return text.replace("'", "")
