"""Applies commands to a form: answers, corrections, confirmation, cancel and others (laws 5.4 to 5.10)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.commands.accept import accept, is_not_held
from turnwise.core.commands.interpreter import Hearing
from turnwise.core.forms import run as artefacts
from turnwise.core.forms.buttons import can_take
from turnwise.core.forms.run import SETTLED, allowed, answered, cleared, in_order, is_answered, standing
from turnwise.core.guards import live
from turnwise.core.machine import LinkedForm, Question
from turnwise.core.state import FormRun, FormStatus, How
from turnwise.core.state import commands as c
from turnwise.core.state.events import A_PERSON, CommandApplied, FieldCleared, FieldSet
from turnwise.core.turn import Turn
from turnwise.core.values import Refused, is_free_text

_CHANGES = (c.Set, c.Clear, c.Add, c.Remove, c.Edit)
"""Commands that change an answer, or ask to."""

_CLOSED = ("confirmed", "handed_off")


class FormHearing(Hearing):
    """The commands of one message, applied to a form in order; `run` is where they lead."""

    def __init__(self, turn: Turn, form: LinkedForm, run: FormRun, how: How) -> None:
        super().__init__(turn, how)
        self.form = form
        self.run = run
        self.questions = form.by_address
        self.edited: tuple[str, ...] = ()

    def apply_all(self, commands: tuple[c.AnyCommand, ...]) -> None:
        """Apply each in order, those aside that only announce another."""
        commands = self.in_sequence(commands)
        for command in commands:
            others = [other for other in commands if other is not command]
            if not self.is_announcing(command, others):
                self.apply(command)

    def in_sequence(self, commands: tuple[c.AnyCommand, ...]) -> tuple[c.AnyCommand, ...]:
        """The commands, with values for inactive questions last: what precedes may make them active."""
        if self.how != "understood" or not self.form.has_conditions:
            return commands
        late = [one for one in commands if self.is_inactive(getattr(one, "field", ""))]
        return (*(one for one in commands if one not in late), *late)

    def is_inactive(self, address: str) -> bool:
        """True if the condition of a question is not held; one that is still unknown may come to hold."""
        question = self.questions.get(address)
        return question is not None and is_not_held(question.ask_when, live(self.turn.state))

    def forbidden(self, address: str) -> str:
        """Why a field may not be written now; an inactive question takes nothing from understanding (law 5.4)."""
        is_closed = self.how == "understood" and self.form.has_conditions and self.is_inactive(address)
        return super().forbidden(address) or ("not_asked_here" if is_closed else "")

    def is_announcing(self, command: c.AnyCommand, others: list[c.AnyCommand]) -> bool:
        """Law 7.5: a no, or an edit, beside a new value is one correction. A yes beside anything but a
        question does not confirm: what it is a yes to has just been changed, or left.
        """
        named = {str(getattr(other, "field", "")) for other in others if isinstance(other, _CHANGES)}
        match command:
            case c.Affirm() | c.Deny() if self.suggestion is not None:
                return self.run.asked in named or "" in named
            case c.Affirm():
                return any(not isinstance(other, c.Affirm | c.Ask) for other in others)
            case c.Deny():
                return bool(named)
            case c.Edit(field=field):
                values = {other.field for other in others if isinstance(other, c.Set)}
                return field in values or (not field and bool(named))
            case _:
                return False

    @property
    def suggestion(self) -> Any:
        """The value from elsewhere that is being put to the user, `None` where there is none."""
        question = self.turn.state.question
        is_open = question is not None and question.field == self.run.asked and not self.run.awaits_other
        return self.run.suggested.get(self.run.asked) if is_open else None

    def apply(self, command: c.AnyCommand) -> None:
        """Apply one command, or refuse it."""
        reason = self.out_of_place(command)
        if reason:
            self.refuse(command, reason, getattr(command, "field", ""))
            return
        match command:
            case c.Affirm():
                self.affirm(command)
            case c.Deny():
                self.deny(command)
            case c.Edit(field=field):
                self.edit(command, field)
            case c.Skip() | c.Cancel() | c.Restart() | c.HandOver():
                self.run = self.left(command)
            case _:
                super().apply(command)

    def left(self, command: c.Skip | c.Cancel | c.Restart | c.HandOver) -> FormRun:
        """Where a command leads that leaves the question or the form."""
        match command:
            case c.Skip():
                return self.skip()
            case c.Cancel():
                return self.cancel()
            case c.Restart():
                return self.restart()
            case c.HandOver():
                return self.hand_over()

    def out_of_place(self, command: c.AnyCommand) -> str:
        """Why a command is not taken: the form was cancelled, or the command was understood but is not exposed."""
        if self.run.status == "cancelled" and isinstance(command, _CHANGES):
            return "form_cancelled"
        is_exposed = self.how != "understood" or c.name_of(command) in self.exposed.commands
        return "" if is_exposed else "not_exposed"

    # values ----------------------------------------------------------------------------------

    def correct(self, command: c.Set) -> None:
        """Law 7.3: a value without a field goes to the last field, else the only one; else ask which.

        A free text can take any text, so it counts only if no other answer can take the value.
        """
        turn, value = self.turn, command.value
        last = self.questions.get(turn.state.last_field)
        is_there = last is not None and last.address not in turn.state.shelved
        can_last = last is not None and is_there and can_take(turn.machine, turn.state, last, value)
        filled = answered(self.form, self.run, turn.state)
        able = [question for question in filled if can_take(turn.machine, turn.state, question, value)]
        typed = [question for question in able if not is_free_text(question.field)]
        fitting = typed or able
        can_last = can_last and not (typed and last is not None and is_free_text(last.field))
        if last is not None and can_last and (last in fitting or not fitting):
            self.set(command, last.address)
        elif len(fitting) == 1 and not can_last:
            self.set(command, fitting[0].address)
        elif fitting:
            said = self.said(command.words)
            place = (turn.doing.seq, *said) if said is not None else None
            self.run = replace(self.run, editing="chooser", held=value, held_place=place, asked="")
            turn.emit(CommandApplied("edit"))
        else:
            self.refuse(command, "no_field", "")

    def was_set(self, address: str) -> None:
        """An answer is there: what waited for it no longer does."""
        run = self.run
        suggested = {key: value for key, value in run.suggested.items() if key != address}
        misses = {key: value for key, value in run.misses.items() if key != address}
        walk = tuple(name for name in run.walk if name != address)
        run = replace(run, suggested=suggested, misses=misses, walk=walk, held=None, held_place=None)
        if run.asked == address:
            run = replace(run, awaits_other=False, editing="walk" if run.editing == "walk" and walk else "")
        elif run.editing == "chooser" or (run.editing == "walk" and not walk):
            run = replace(run, editing="")
        self.run = replace(run, status="collecting") if run.status in _CLOSED else run

    def was_cleared(self, address: str) -> None:
        """An answer was taken away: a confirmation of it no longer stands, and nothing is suggested for it."""
        suggested = {key: value for key, value in self.run.suggested.items() if key != address}
        self.run = replace(self.run, suggested=suggested)
        if self.run.status in _CLOSED:
            self.run = replace(self.run, status="collecting")

    def take_default(self, question: Question) -> FormRun:
        """The default stands in for an answer that was not understood."""
        value = accept(self.turn.machine, self.turn.state, question.address, question.field.default, question)
        if not isinstance(value, Refused):
            self.store(question.address, value, None, None)
            self.was_set(question.address)
        return self.run

    # confirming and editing ------------------------------------------------------------------

    def affirm(self, command: c.Affirm) -> None:
        """Yes: to a suggestion, else to the summary, where its question is open."""
        question, asked = self.turn.state.question, self.run.asked
        if self.suggestion is not None:
            self.set(c.Set(command.words, command.confidence, value=self.suggestion, field=asked), asked)
        elif self.run.status == "awaiting_confirmation" and question is not None and question.kind == "confirmation":
            self.turn.emit(CommandApplied("affirm"))
            self.run = self.at_rest("confirmed")
        else:
            self.refuse(command, "nothing_to_confirm", "")

    def deny(self, command: c.Deny) -> None:
        """No: to a suggestion, to a chooser, or to the summary, which opens the edit."""
        if self.suggestion is not None:
            asked = self.run.asked
            if asked in self.turn.state.values:
                self.turn.emit(FieldCleared(asked, self.how))
            self.was_cleared(asked)
            self.turn.emit(CommandApplied("deny", asked))
        elif self.run.editing == "chooser":
            self.turn.emit(CommandApplied("deny"))
            self.run = replace(self.run, editing="", held=None, held_place=None)
        elif self.run.status == "awaiting_confirmation":
            self.turn.emit(CommandApplied("deny"))
            self.run = self.open_edit()
        else:
            self.refuse(command, "nothing_to_deny", "")

    def edit(self, command: c.Edit, field: str) -> None:
        """Change a named answer, or ask which (law 5.6)."""
        question = self.questions.get(field)
        if question is not None and self.run.held is not None:
            self.set_held(field)
        elif question is not None and question in allowed(self.form, live(self.turn.state)):
            self.turn.emit(CommandApplied("edit", field))
            self.run = self.edit_one(field)
        elif question is not None:
            self.refuse(command, "nothing_to_edit", field)
        elif field:
            self.refuse_elsewhere(command, field)
        elif not answered(self.form, self.run, self.turn.state):
            self.refuse(command, "nothing_to_edit", "")
        else:
            self.turn.emit(CommandApplied("edit"))
            self.run = self.open_edit()

    def edit_one(self, field: str) -> FormRun:
        """Ask a named answer again; of several in one message, one after another (law 7.2)."""
        self.edited = tuple(dict.fromkeys((*self.edited, field)))
        status = "collecting" if self.run.status in _CLOSED else self.run.status
        run = replace(self.run, status=status, asked=self.edited[0], awaits_other=False, walk=())
        return replace(run, editing="walk", walk=self.edited) if len(self.edited) > 1 else replace(run, editing="one")

    def set_held(self, field: str) -> None:
        """A value that was corrected without its field goes to the one that was chosen, with its own words."""
        value = accept(self.turn.machine, self.turn.state, field, self.run.held, self.questions[field])
        if isinstance(value, Refused):
            self.refuse_value("set", field, value)
            return
        self.turn.emit(FieldSet(field, value, self.how, 1.0, place=self.run.held_place))
        self.was_set(field)

    def open_edit(self) -> FormRun:
        """A chooser of answers, or all of them again in order (`confirm.edit: first`)."""
        run = replace(self.run, status="collecting", asked="", held=None, held_place=None, awaits_other=False)
        if self.form.form.confirm is None or self.form.form.confirm.edit == "chooser":
            return replace(run, editing="chooser", walk=())
        names = [question.address for question in in_order(self.form, self.turn.state)]
        is_open = [not is_answered(run, self.turn.state, name) and name not in run.skipped for name in names]
        return replace(run, editing="walk", walk=tuple(names[is_open.index(True) if any(is_open) else 0 :]))

    # leaving ---------------------------------------------------------------------------------

    def skip(self) -> FormRun:
        """Leave out an optional question; in a walk, keep the old answer."""
        run = self.run
        if not run.editing and is_answered(run, self.turn.state, run.asked):
            run = standing(self.form, run, self.turn.state)
        asked = run.asked
        question = self.questions.get(asked)
        if question is None:
            self.refuse(c.Skip(), "nothing_to_skip", "")
            return run
        has_answer = is_answered(run, self.turn.state, asked)
        if run.editing == "walk":
            walk = tuple(name for name in run.walk if name != asked)
            run = replace(run, walk=walk, editing="walk" if walk else "")
        elif run.editing == "one" and has_answer:
            run = replace(run, editing="")
        elif question.form_field.required and self.how != "default":
            self.refuse(c.Skip(), "required", asked)
            return run
        if not has_answer:
            skipped = tuple(dict.fromkeys((*run.skipped, asked)))
            run = replace(run, skipped=skipped, editing="" if run.editing == "one" else run.editing)
        self.turn.emit(CommandApplied("skip", asked))
        misses = {key: value for key, value in run.misses.items() if key != asked}
        return replace(run, awaits_other=False, misses=misses)

    def cancel(self) -> FormRun:
        """Stop this form; the answers are kept. What is confirmed cannot be cancelled."""
        if self.run.status in SETTLED:
            self.refuse(c.Cancel(), "nothing_to_cancel", "")
            return self.run
        self.turn.emit(CommandApplied("cancel"))
        return self.at_rest("cancelled")

    def restart(self) -> FormRun:
        """Clear the answers and begin again."""
        self.turn.emit(CommandApplied("restart"))
        return cleared(self.turn, self.form)

    def hand_over(self) -> FormRun:
        """Let a person take over, with the answers so far."""
        if self.run.status == "handed_off":
            self.refuse(c.HandOver(), "handed_over", "")
            return self.run
        self.turn.emit(CommandApplied("hand_over"))
        artefacts.hand_over(self.turn, self.form, self.run, self.form.form.handoff or A_PERSON)
        return self.at_rest("handed_off")

    def at_rest(self, status: FormStatus) -> FormRun:
        """The run with nothing asked any more."""
        run = replace(self.run, status=status, asked="", editing="", walk=(), awaits_other=False)
        return replace(run, held=None, held_place=None)
