"""Applies commands to a form: answers, corrections, confirmation, cancel and others (laws 5.4 to 5.10). Fields are
written by the `CommandInterpreter` of all nodes; here is what only a form does before and after.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core import forms as runs
from turnwise.core.commands import accept, is_not_held
from turnwise.core.commands.interpreter import CommandInterpreter
from turnwise.core.forms import AT_REST, answered, earlier, is_answered, item_choice, items, lists, may_skip
from turnwise.core.forms.buttons import accepts_value
from turnwise.core.forms.direct import Commands
from turnwise.core.forms.lists import is_at_list
from turnwise.core.forms.shown_items import question_of_items
from turnwise.core.guards import env_of
from turnwise.core.handover import await_person
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.scopes.persons import reaches_a_person
from turnwise.core.state import FormRun, FormStatus, ValueOrigin
from turnwise.core.state import commands as c
from turnwise.core.state.events import A_PERSON, CommandApplied, CommandRefused, FieldCleared, FieldSet
from turnwise.core.turn import StepBuilder
from turnwise.core.values import Refused, is_free_text

_CHANGES = (c.Set, c.Clear, c.Add, c.Change, c.Remove, c.Move, c.Copy, c.Edit)
"""Commands that change an answer, or ask to."""
_CLOSED = ("confirmed", "handed_off")


class FormInterpreter:
    """Applies the commands of one message to a form, in order; `run` is the resulting progress of the form."""

    def __init__(
        self, step: StepBuilder, form: LinkedForm, run: FormRun, how: ValueOrigin, *, is_canonical: bool = False
    ) -> None:
        self.step = step
        self.form = form
        self.run: FormRun = run
        self.how: ValueOrigin = how
        self.fields = CommandInterpreter(step, how, form, is_canonical=is_canonical)
        self.edited: tuple[str, ...] = ()
        self.asks_which = False  # whether a command of this message waits for the choice of an item
        self.chosen_from: FormRun | None = None  # the run that asked which is meant, once one was chosen

    def apply_all(self, commands: tuple[c.AnyCommand, ...]) -> None:
        """Apply the commands in order; values for inactive questions come last, as an earlier value may activate one.
        Commands that only announce another one are left out.
        """
        if self.how == "understood" and self.form.has_conditions:
            commands = tuple(sorted(commands, key=self._is_for_inactive))
        for command in commands:
            if len(commands) == 1 or not self._is_announcing(command, commands):
                self.apply(command)

    def _is_for_inactive(self, command: c.AnyCommand) -> bool:
        question = self.form.by_address.get(getattr(command, "field", ""))
        return question is not None and is_not_held(question.ask_when, env_of(self.step.state))

    def _is_announcing(self, command: c.AnyCommand, commands: Commands) -> bool:
        """Return whether another command makes this one redundant (law 7.5): a `deny` or `edit` beside a new value, or
        an `affirm` beside anything but a question.
        """
        others = [other for other in commands if other is not command]
        named = {str(getattr(other, "field", "")) for other in others if isinstance(other, _CHANGES)}
        match command:
            case c.Affirm() | c.Deny() if self._suggestion is not None:
                return self.run.asked in named or "" in named
            case c.Affirm():
                return any(not isinstance(other, c.Affirm | c.Ask | c.Why) for other in others)
            case c.Deny():
                return bool(named)
            case c.Edit(field=field):
                values = {other.field for other in others if isinstance(other, c.Set)}
                return field in values or (not field and bool(named))
            case _:
                return False

    @property
    def _suggestion(self) -> Any:
        """The value that the open question suggests, `None` if it suggests none."""
        question = self.step.state.frame.question
        is_open = question is not None and question.field == self.run.asked and not self.run.awaits_other
        return self.run.suggested.get(self.run.asked) if is_open else None

    def apply(self, command: c.AnyCommand) -> None:
        """Apply one command to the form, or record its refusal."""
        if self.run.status == "cancelled" and isinstance(command, _CHANGES):
            return self.fields.refuse(command, "form_cancelled", getattr(command, "field", ""))
        if self.how == "understood" and c.name_of(command) not in self.fields.allowed.commands:
            return self.fields.refuse(command, "not_exposed", getattr(command, "field", ""))
        match command:
            case c.Set(field=field) if field:
                self._answer(command, field)
            case c.Set() | c.Clear() | c.Add() | c.Change() | c.Remove() | c.Move() | c.Copy():
                self._change_answer(command)
            case c.Affirm():
                self._affirm(command)
            case c.Deny():
                self._deny(command)
            case c.Edit(field=field):
                self._edit(command, field)
            case c.Skip() | c.Back() | c.Cancel() | c.Restart() | c.HandOver():
                self._leave(command)
            case _:
                self.fields.apply_spoken(command)
        return None

    def _change_answer(self, command: c.Set | c.Clear | c.ItemCommand) -> None:
        match command:
            case c.Set():
                self._correct(command)
            case c.Clear(field=field):
                if self.fields.clear(command, field):
                    self._answer_removed(field)
            case _:
                if self._asks_which_item(command):
                    return
                before = items.item_of(self.step.state, self.form, self.run)
                has_items = self.fields.change_list(command)
                self.run = items.follow_item_change(self.step, self.form, self.run, before)
                if has_items:
                    self._answer_stored(command.field)
                elif has_items is not None:
                    self._answer_removed(command.field)

    def _asks_which_item(self, command: c.ItemCommand) -> bool:
        """Let the user choose the item that a command means if several fit; return whether it now waits for that."""
        question, step = self.form.by_address.get(command.field), self.step
        if question is None or not question.items or self.run.status in AT_REST:
            return False
        earlier = self.run if self.asks_which else replace(self.run, waiting=(), candidates=())
        run = item_choice.ask_which_item(step, earlier, question, command)
        if run is None or self.fields.forbidden(command.field):
            return False
        self.run, self.asks_which = run, True
        text = question_of_items(step.machine, step.state, self.form, run)
        step.emit(CommandRefused(c.name_of(command), "several_items", command.field, text))
        return True

    def _leave(self, command: c.Skip | c.Back | c.Cancel | c.Restart | c.HandOver) -> None:
        match command:
            case c.Skip():
                self.skip()
            case c.Back():
                self._back(command)
            case c.Cancel() if self.run.asks_which_item:
                self._deny(c.Deny())
            case c.Cancel():
                self._cancel()
            case c.Restart():
                self.step.emit(CommandApplied("restart"))
                self.run = runs.clear_answers(self.step, self.form, self.form.questions)
            case c.HandOver():
                self.hand_over(command)

    # answers ---------------------------------------------------------------------------------

    def _answer(self, command: c.Set, address: str) -> None:
        if self.fields.set_field(command, address, self.fields.words_of(command)):
            self._answer_stored(address)

    def _correct(self, command: c.Set) -> None:
        """Apply a correction that names no field to the last field, else to the only one that fits; else ask (law 7.3).

        A free text accepts any text, so it counts only if no other answer accepts the value.
        """
        step, value = self.step, command.value
        last = self.form.by_address.get(step.state.frame.last_field)
        filled = answered(self.form, self.run, step.state)
        able = [question for question in filled if accepts_value(step.machine, step.state, question, value)]
        typed = [question for question in able if not is_free_text(question.field)]
        fitting = typed or able
        if last is not None and (
            last.address in step.state.shelved
            or not accepts_value(step.machine, step.state, last, value)
            or (typed and is_free_text(last.field))
        ):
            last = None
        if last is not None and (last in fitting or not fitting):
            self._answer(command, last.address)
        elif len(fitting) == 1 and last is None:
            self._answer(command, fitting[0].address)
        elif fitting:
            words = self.fields.words_of(command)
            place = (step.doing.seq, *words) if words is not None else None
            self.run = replace(self.run, editing="chooser", correction=value, correction_place=place, asked="")
            step.emit(CommandApplied("edit"))
        else:
            self.fields.refuse(command, "no_field")

    def _answer_stored(self, address: str) -> None:
        """Update the run after an answer was stored: end its suggestion, its misses, and any pending correction."""
        run = runs.without_offers(self.run, address)
        walk = tuple([name for name in run.walk if name != address]) if run.walk else ()
        is_asked = run.asked == address
        is_chosen = run.editing == "chooser" and not self.asks_which
        goes_on = bool(walk) if run.editing == "walk" else not (is_asked or is_chosen)
        self.run = replace(
            run,
            status="collecting" if run.status in _CLOSED else run.status,
            editing=run.editing if goes_on else "",
            walk=walk,
            awaits_other=run.awaits_other and not is_asked,
            correction=None,
            correction_place=None,
        )

    def _answer_removed(self, address: str) -> None:
        """Update the run after an answer was removed: drop its suggestion, and reopen a confirmed form."""
        suggested = {key: value for key, value in self.run.suggested.items() if key != address}
        status = "collecting" if self.run.status in _CLOSED else self.run.status
        self.run = replace(self.run, suggested=suggested, status=status)

    def set_default(self, question: Question) -> None:
        """Store the default of a question whose answer was not understood."""
        value = accept(self.step.machine, self.step.state, question.address, question.field.default, question)
        if not isinstance(value, Refused):
            self.fields.store(question.address, value, None, None)
            self._answer_stored(question.address)

    # confirming and editing ------------------------------------------------------------------

    def _affirm(self, command: c.Affirm) -> None:
        """Accept the suggestion, or confirm the summary if its question is open."""
        question, asked, suggestion = self.step.state.frame.question, self.run.asked, self._suggestion
        choosing = "" if self.run.asks_which_item else self.run.choosing
        at_list = choosing or (asked if is_at_list(self.form, self.run, self.step.state) else "")
        if at_list:
            self.step.emit(CommandApplied("affirm", at_list))
            self.run = items.begin_item(self.step, self.form, self.run, self.form.by_address[at_list])
        elif suggestion is not None:
            self._answer(c.Set(command.words, command.confidence, value=suggestion, field=asked), asked)
        elif self.run.status == "awaiting_confirmation" and question is not None and question.kind == "confirmation":
            self.step.emit(CommandApplied("affirm"))
            self._rest("confirmed")
        else:
            self.fields.refuse(command, "nothing_to_confirm")

    def _deny(self, command: c.Deny) -> None:
        """Reject the suggestion, close the chooser, or start editing the summary."""
        asked = self.run.asked
        if is_at_list(self.form, self.run, self.step.state):
            self.step.emit(CommandApplied("deny", asked))
            self.run = items.close_list(self.run, self.step.state, self.form.by_address[asked])
        elif self._suggestion is not None:
            if asked in self.step.state.values:
                self.step.emit(FieldCleared(asked, self.how))
            self._answer_removed(asked)
            self.step.emit(CommandApplied("deny", asked))
        elif items.may_end(self.form, self.run, self.step.state):
            self.run = items.decline_more_items(self.step, self.form, self.run)
        elif items.needs_more(self.form, self.run, self.step.state):
            least = lists.least_items(self.form.by_address[self.run.filling])
            text = self.step.machine.language.text("list_needs", bound=least)
            self.step.emit(CommandRefused("deny", "required", self.run.filling, text))
        elif self.run.editing == "chooser":
            self.step.emit(CommandApplied("deny"))
            self.run = replace(self.run, editing="", correction=None, correction_place=None)
        elif self.run.status == "awaiting_confirmation":
            self.step.emit(CommandApplied("deny"))
            self._open_edit()
        else:
            self.fields.refuse(command, "nothing_to_deny")

    def _edit(self, command: c.Edit, field: str) -> None:
        """Ask a named answer again, or let the user choose which answer to change (law 5.6)."""
        asking = self.run if self.run.asks_which_item else self.chosen_from
        commands = item_choice.chosen_commands(asking, field) if asking is not None else ()
        if self.run.asks_which_item:
            if not commands and field in ("", self.run.choosing):  # no choice: it is asked again
                return
            self.run = replace(self.run, editing="", choosing="", waiting=(), candidates=())
        if commands:
            self.chosen_from = asking
            self.step.emit(CommandApplied("edit", field))
            for one in commands:
                self._change_answer(one)
            return
        question = self.form.by_address.get(field)
        of_items = self.form.has_items and self.run.correction is None
        run = item_choice.run_after_edit(self.step, self.form, self.run, field) if of_items else None
        if run is not None:
            self.step.emit(CommandApplied("edit", field))
            self.run = run
        elif question is not None and self.run.correction is not None:
            self._set_correction(question)
        elif question is not None and question in runs.active_questions(self.form, self.step.state, self.run):
            self.step.emit(CommandApplied("edit", field))
            self._ask_again(field)
        elif question is None and field:
            self.fields.refuse_edit(command, field)
        elif question is not None or not answered(self.form, self.run, self.step.state):
            self.fields.refuse(command, "nothing_to_edit", field)
        else:
            self.step.emit(CommandApplied("edit"))
            self._open_edit()

    def _ask_again(self, field: str) -> None:
        """Ask a named answer again; if one message names several, ask them one after another (law 7.2)."""
        self.edited = tuple(dict.fromkeys((*self.edited, field)))
        status = "collecting" if self.run.status in _CLOSED else self.run.status
        run = replace(self.run, status=status, asked=field, awaits_other=False, editing="one", walk=())
        if len(self.edited) > 1:
            run = replace(run, editing="walk", asked=self.edited[0], walk=self.edited)
        self.run = run

    def _set_correction(self, question: Question) -> None:
        """Store the pending correction in the field that the user chose, with the place of its original words."""
        value = accept(self.step.machine, self.step.state, question.address, self.run.correction, question)
        if not isinstance(value, Refused):
            self.step.emit(FieldSet(question.address, value, self.how, 1.0, place=self.run.correction_place))
            return self._answer_stored(question.address)
        return self.fields.refuse_value("set", question.address, value)

    def _open_edit(self) -> None:
        """Open the chooser of answers, or ask all questions again in order (`confirm.edit: first`)."""
        run = replace(
            self.run, status="collecting", asked="", correction=None, correction_place=None, awaits_other=False
        )
        if self.form.form.confirm is None or self.form.form.confirm.edit == "chooser":
            self.run = replace(run, editing="chooser", walk=())
            return
        names = [question.address for question in runs.questions_in_order(self.form, self.step.state, run)]
        is_open = [not is_answered(run, self.step.state, name) and name not in run.skipped for name in names]
        walk = tuple(names[is_open.index(True) if any(is_open) else 0 :])
        self.run = replace(run, editing="walk", walk=walk)

    # leaving ---------------------------------------------------------------------------------

    def skip(self) -> None:
        """Skip an optional question; if all answers are being asked again, keep the old answer."""
        run = self.run
        if not run.editing and is_answered(run, self.step.state, run.asked):
            self.run = run = runs.with_status(self.form, run, self.step.state)
        asked = run.asked
        question = self.form.by_address.get(asked)
        if question is None:
            return self.fields.refuse(c.Skip(), "nothing_to_skip")
        if is_at_list(self.form, run, self.step.state):
            self.step.emit(CommandApplied("skip", asked))
            self.run = items.close_list(run, self.step.state, question)
            return None
        has_answer = is_answered(run, self.step.state, asked)
        if self.how != "default" and not may_skip(run, self.step.state, question):
            return self.fields.refuse(c.Skip(), "required", asked)
        if run.editing == "walk":
            walk = tuple([name for name in run.walk if name != asked])
            run = replace(run, walk=walk, editing="walk" if walk else "")
        elif run.editing == "one" and has_answer:
            run = replace(run, editing="")
        if not has_answer:
            skipped = tuple(dict.fromkeys((*run.skipped, asked)))
            run = replace(run, skipped=skipped, editing="" if run.editing == "one" else run.editing)
        self.step.emit(CommandApplied("skip", asked))
        misses = {key: value for key, value in run.misses.items() if key != asked}
        self.run = replace(run, awaits_other=False, misses=misses)
        return None

    def _back(self, command: c.Back) -> None:
        """Ask the question before the open one again; its answer stays until it is replaced (law 7.3a)."""
        if (run := earlier.step_back(self.form, self.run, self.step.state)) is None:
            return self.fields.refuse(command, "nothing_before")
        self.step.emit(CommandApplied("back", run.asked))
        self.run = run
        return None

    def _cancel(self) -> None:
        """Stop this form and keep the answers. A confirmed form cannot be cancelled."""
        if self.run.status in AT_REST:
            self.fields.refuse(c.Cancel(), "nothing_to_cancel")
            return
        if items.may_drop(self.form, self.run, self.step.state):
            self.run = items.leave_out_item(self.step, self.form, self.run, self.how)
            return
        self.step.emit(CommandApplied("cancel"))
        self._rest("cancelled")

    def hand_over(self, wish: c.HandOver | None = None) -> None:
        """Hand over to a person, with the answers so far; if the flow has persons, the form continues afterwards.
        `wish` is the command by which the user asked for it, if any.
        """
        person = self.step.machine.person
        if self.run.status == "handed_off" or self.step.state.frame.person is not None:
            return self.fields.refuse(c.HandOver(), "handed_over")
        if wish is not None and not reaches_a_person(self.step.machine, self.step.state, self.form):
            return self.fields.refuse(wish, "no_person")
        self.step.emit(CommandApplied("hand_over"))
        to = self.form.form.handoff or A_PERSON
        runs.hand_over(self.step, self.form, self.run, to if person is None else person.queue)
        return self._rest("handed_off") if person is None else await_person(self.step, person)

    def _rest(self, status: FormStatus) -> None:
        was_confirmed = status == "handed_off" and self.run.status == "confirmed"
        run = replace(self.run, status=status, asked="", editing="", walk=(), awaits_other=False)
        self.run = replace(run, correction=None, correction_place=None, was_confirmed=was_confirmed)
