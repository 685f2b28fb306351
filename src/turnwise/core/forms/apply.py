"""The commands of section 7 as a form applies them (laws 5.4 to 5.10)."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core import commands as c
from turnwise.core.accept import accept
from turnwise.core.apply import Hearing
from turnwise.core.events import A_PERSON, ArtefactMade, CommandApplied
from turnwise.core.forms import artefacts
from turnwise.core.forms.buttons import can_take
from turnwise.core.forms.opening import clear_answers
from turnwise.core.forms.run import allowed, answered
from turnwise.core.guards.env import live
from turnwise.core.machine import LinkedForm, Question
from turnwise.core.state import FormRun, How
from turnwise.core.turn import Turn
from turnwise.core.values import Refused, is_free_text

_EXACT = (c.Skip, c.Help, c.Repeat, c.Wait, c.Cancel, c.Restart, c.HandOver, c.Undo)
"""Commands that a free-text question takes from an exact phrase or a button only."""


class FormHearing(Hearing):
    """The commands of one message, applied to a form in order; `run` is where they lead."""

    def __init__(self, turn: Turn, form: LinkedForm, run: FormRun, how: How) -> None:
        super().__init__(turn, how)
        self.form = form
        self.run = run
        self.questions = form.by_address

    def apply_all(self, commands: tuple[c.AnyCommand, ...]) -> None:
        """Apply each in order. A yes, no or edit beside a new value only announces it (law 7.5)."""
        sets = [command for command in commands if isinstance(command, c.Set)]
        for command in commands:
            if sets and isinstance(command, c.Deny | c.Affirm):
                continue
            if isinstance(command, c.Edit) and any(command.field in ("", s.field) for s in sets):
                continue
            self.apply(command)

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
        """Why a command is not taken: the form was cancelled; or it was understood, but is not exposed,
        or is made of the words of a free answer (law 5.10).
        """
        if self.run.status == "cancelled" and isinstance(command, c.Set | c.Clear | c.Add | c.Remove | c.Edit):
            return "form_cancelled"
        if self.how != "understood":
            return ""
        if c.name_of(command) not in self.exposed.commands:
            return "not_exposed"
        question = self.questions.get(self.run.asked)
        is_free = question is not None and is_free_text(question.field) and self.exposed.asked == question.address
        return "free_text" if is_free and isinstance(command, _EXACT) else ""

    # values ----------------------------------------------------------------------------------

    def correct(self, command: c.Set) -> None:
        """Law 7.3: a value without a field goes to the last field, else the only one; else ask which."""
        state, value = self.turn.state, command.value
        last = self.questions.get(state.last_field)
        if last is not None and can_take(self.turn.machine, last, value):
            self.set(command, last.address)
            return
        fitting = [q for q in answered(self.form, state) if can_take(self.turn.machine, q, value)]
        if len(fitting) == 1:
            self.set(command, fitting[0].address)
        elif fitting:
            self.run = replace(self.run, editing="chooser", held=value, asked="")
            self.turn.emit(CommandApplied("edit"))
        else:
            self.refuse(command, "no_field", "")

    def was_set(self, address: str) -> None:
        """An answer is there: what waited for it no longer does."""
        run = self.run
        suggested = {key: value for key, value in run.suggested.items() if key != address}
        misses = {key: value for key, value in run.misses.items() if key != address}
        walk = tuple(name for name in run.walk if name != address)
        run = replace(run, suggested=suggested, misses=misses, walk=walk, held=None)
        if run.asked == address:
            run = replace(run, awaits_other=False, editing="walk" if run.editing == "walk" and walk else "")
        elif run.editing == "chooser" or (run.editing == "walk" and not walk):
            run = replace(run, editing="")
        if run.status in ("confirmed", "handed_off", "stopped"):
            run = replace(run, status="collecting")
        self.run = run

    def was_cleared(self, address: str) -> None:
        """An answer was taken away: a confirmation of it no longer stands."""
        del address
        if self.run.status in ("confirmed", "handed_off"):
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
        question = self.turn.state.question
        suggested = self.run.suggested.get(self.run.asked)
        if suggested is not None and question is not None and question.field == self.run.asked:
            asked = self.run.asked
            self.set(c.Set(command.words, command.confidence, value=suggested, field=asked), asked)
        elif self.run.status == "awaiting_confirmation" and question is not None and question.kind == "confirmation":
            self.turn.emit(CommandApplied("affirm"))
            self.run = self.confirmed()
        else:
            self.refuse(command, "nothing_to_confirm", "")

    def confirmed(self) -> FormRun:
        """The answers are confirmed; with `handoff` they are handed over at once (law 5.9)."""
        self.emit_handoff(self.form.form.handoff)
        status = "handed_off" if self.form.form.handoff else "confirmed"
        return replace(self.run, status=status, asked="", editing="", walk=())

    def deny(self, command: c.Deny) -> None:
        """No: to a suggestion, to a chooser, or to the summary, which opens the edit."""
        if self.run.suggested.get(self.run.asked) is not None:
            asked = self.run.asked
            suggested = {key: value for key, value in self.run.suggested.items() if key != asked}
            self.run = replace(self.run, suggested=suggested)
            self.turn.emit(CommandApplied("deny", asked))
        elif self.run.editing == "chooser":
            self.turn.emit(CommandApplied("deny"))
            self.run = replace(self.run, editing="", held=None)
        elif self.run.status == "awaiting_confirmation":
            self.turn.emit(CommandApplied("deny"))
            self.run = self.open_edit()
        else:
            self.refuse(command, "nothing_to_deny", "")

    def edit(self, command: c.Edit, field: str) -> None:
        """Change a named answer, or ask which (law 5.6)."""
        question = self.questions.get(field)
        if question is not None and self.run.held is not None:
            self.set(c.Set(command.words, command.confidence, value=self.run.held, field=field), field)
        elif question is not None:
            self.turn.emit(CommandApplied("edit", field))
            status = "collecting" if self.run.status in ("confirmed", "handed_off") else self.run.status
            self.run = replace(self.run, status=status, editing="one", asked=field, awaits_other=False)
        elif field:
            self.refuse_elsewhere(command, field)
        elif not answered(self.form, self.turn.state):
            self.refuse(command, "nothing_to_edit", "")
        else:
            self.turn.emit(CommandApplied("edit"))
            self.run = self.open_edit()

    def open_edit(self) -> FormRun:
        """A chooser of answers, or all of them again in order (`confirm.edit: first`)."""
        run = replace(self.run, status="collecting", asked="", held=None)
        if self.form.form.confirm is None or self.form.form.confirm.edit == "chooser":
            return replace(run, editing="chooser")
        names = [q.address for q in allowed(self.form, live(self.turn.state)) if q.form_field.asked]
        values = self.turn.state.values
        first = next((number for number, name in enumerate(names) if name not in values), 0)
        return replace(run, editing="walk", walk=tuple(names[first:]))

    # leaving ---------------------------------------------------------------------------------

    def skip(self) -> FormRun:
        """Leave out an optional question; in a walk, keep the old answer."""
        run, asked = self.run, self.run.asked
        question = self.questions.get(asked)
        if question is None:
            self.refuse(c.Skip(), "nothing_to_skip", "")
            return run
        has_answer = asked in self.turn.state.values
        if run.editing == "walk":
            walk = tuple(name for name in run.walk if name != asked)
            run = replace(run, walk=walk, editing="walk" if walk else "")
        elif run.editing == "one" and has_answer:
            run = replace(run, editing="")
        elif question.form_field.required and self.how != "default":
            self.refuse(c.Skip(), "required", asked)
            return run
        if not has_answer:
            run = replace(run, skipped=(*run.skipped, asked), editing="" if run.editing == "one" else run.editing)
        self.turn.emit(CommandApplied("skip", asked))
        return replace(run, awaits_other=False)

    def cancel(self) -> FormRun:
        """Stop this form; the answers are kept."""
        self.turn.emit(CommandApplied("cancel"))
        return replace(self.run, status="cancelled", asked="", editing="", walk=(), held=None, awaits_other=False)

    def restart(self) -> FormRun:
        """Clear the answers and begin again."""
        self.turn.emit(CommandApplied("restart"))
        clear_answers(self.turn, self.form)
        return FormRun()

    def hand_over(self) -> FormRun:
        """Let a person take over, with the answers so far."""
        self.turn.emit(CommandApplied("hand_over"))
        self.emit_handoff(self.form.form.handoff or A_PERSON)
        return replace(self.run, status="handed_off", asked="", editing="", walk=(), held=None)

    def emit_handoff(self, to: str) -> None:
        """The artefact that goes along, where somebody takes over."""
        if to:
            payload = artefacts.payload(self.form, self.turn.state)
            self.turn.emit(ArtefactMade("HANDOFF", {"to": to, "payload": payload}))
