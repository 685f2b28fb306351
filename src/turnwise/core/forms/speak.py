"""Builds the replies of a form: acknowledgement, then the question, the summary, or the reason why it ends.

It changes no answer. A model may reword a question, never its options or their order (law 5.11).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from turnwise.core import forms as runs
from turnwise.core.answers import is_right
from turnwise.core.commands import with_authored_refusal
from turnwise.core.forms import buttons, item_choice, lists, text_env
from turnwise.core.forms.direct import needs_model
from turnwise.core.forms.nothing_taken import not_taken_beside_question, nothing_taken
from turnwise.core.forms.shown_items import question_of_items
from turnwise.core.forms.summary import places_of, summary
from turnwise.core.linked_form import Acknowledgement, LinkedForm, Question
from turnwise.core.locale import refusal_for_user, written_for_user
from turnwise.core.options import fix_options
from turnwise.core.state import FormRun, QuestionKind
from turnwise.core.state.effects import RecallWords
from turnwise.core.state.events import ArtefactMade, Button, Said
from turnwise.core.state.items import index_of
from turnwise.core.state.kinds import ReplyKind
from turnwise.core.template import Template
from turnwise.core.turn import Phase, StepBuilder, TextRefused
from turnwise.core.values import Refused, is_free_text, read_value

_EXPLAINED = (
    "date",
    "datetime",
    "time",
    "duration",
    "email",
    "phone",
    "length",
    "ambiguous",
    "fraction",
    "repeated",
    "skipped",
)
"""Reasons of refused values whose text says what would be accepted."""


class Utterance(Struct, frozen=True):
    """A text to the user: its text, what it is for (`kind`), its buttons in order, and the question that it asks."""

    text: str
    kind: ReplyKind
    buttons: tuple[Button, ...] = ()
    question: QuestionKind | None = None
    """What kind of question the text asks; `None` if none."""
    field: str = ""
    """The address of the field that the text asks for; empty if none."""


def speak(
    step: StepBuilder,
    form: LinkedForm,
    aside: str | None = None,
    words: tuple[str | None, ...] | None = None,
    worded: str | None = None,
) -> Phase:
    """Send the whole reply of a form, or nothing if one of its texts requires a missing value; return the phase.
    `aside` answers a question of the user, `words` are quoted in the summary, `worded` is the open question as a model
    words it; each is `None` until it was requested.
    """
    mark = step.savepoint()
    try:
        return _speak(step, form, aside, words, worded)
    except TextRefused:
        step.roll_back_to(mark)
        raise


def _speak(
    step: StepBuilder,
    form: LinkedForm,
    aside: str | None = None,
    words: tuple[str | None, ...] | None = None,
    worded: str | None = None,
) -> Phase:
    """Say the reply of a form. `aside` answers a user's question, `words` are quoted in the summary, `worded` is the
    question as the model words it. Each is `None` until it was requested.
    """
    asking = step.state.frame.form
    if asking is not None and asking.asked in step.machine.option_sources:
        fix_options(step, asking.asked)
        form = step.node.form or form
    reply = FormReply(step, form, is_repeated=worded is not None)
    run, question = reply.run, reply.texts.get("ask", "")
    if aside is None and question:
        if step.node.prompt is not None and needs_model(form, run):
            return step.ask_model("aside", question)
        aside = step.machine.language.text("cannot_answer")
    if words is None and run.status == "awaiting_confirmation" and reply.shows_summary():
        places = places_of(step.machine, form, run, step.state)
        if places:
            return step.ask(RecallWords(step.effect_id(), places))
    is_asking = run.status == "collecting" and run.editing != "chooser"
    if worded is None and form.form.wording == "model" and is_asking and needs_model(form, run):
        text = reply.question().text
        if text and step.may_call_model("word"):
            return step.ask_model("word", text)
    is_changed = "set" in reply.texts or "cleared" in reply.texts or step.state.frame.entered_turn == step.number
    if (form.statement is not None or form.form.handoff) and is_changed:
        step.emit(ArtefactMade("DRAFT_PLAN", runs.draft_values(form, run, step.state)))
    utterance = reply.utterance(words or ())
    text = "\n\n".join(filter(str.strip, (*reply.notes(aside), worded or utterance.text)))
    if text:
        step.emit(Said(text, utterance.kind, utterance.buttons, utterance.question, utterance.field))
    return Phase.AFTER


def speak_again(step: StepBuilder) -> Phase:
    """Ask the open question of a form again; the turn then ends."""
    form = step.node.form
    if form is None or step.state.frame.form is None:
        return Phase.FINISH
    phase = speak(step, form)
    return phase if phase is Phase.AWAIT else Phase.FINISH


def say_limit(step: StepBuilder, form: LinkedForm) -> None:
    """Send the text that a scope has reached its limit of turns, after the reaction to the last answer."""
    reply = FormReply(step, form)
    noted = reply.acknowledgement()
    step.say("\n\n".join(filter(None, (noted, step.machine.language.text("scope_limit")))), "done")


def say_closed(step: StepBuilder) -> None:
    """Send the closing text of a form that was confirmed or handed over in this turn, if nothing else was sent."""
    doing = step.doing
    if doing.closed and not doing.has_spoken and doing.kind in ("said", "chose", "commands", "given_back"):
        step.say(step.machine.language.text(doing.closed), "done")


class FormReply:
    """Builds the reply of a form at the end of a turn: notes about the message, and the next utterance."""

    def __init__(self, step: StepBuilder, form: LinkedForm, *, is_repeated: bool = False) -> None:
        state = step.state
        run = state.frame.form
        assert run is not None
        self.step = step
        self.form = form
        self.is_repeated = is_repeated
        self.run: FormRun = run
        self.machine = step.machine
        self.language = step.machine.language
        self.outcomes = step.doing.outcomes
        self.texts: dict[str, str] = {}
        self.missed: set[str] = set()
        for outcome in self.outcomes:
            self.texts.setdefault(outcome.kind, outcome.text)
            if outcome.kind == "missed":
                self.missed.add(outcome.field)

    # the message -----------------------------------------------------------------------------

    def notes(self, aside: str | None) -> list[str]:
        """Return the notes about the message: refusals, answers and help in command order, then the acknowledgement.
        `aside` is the answer to a question of the user, if any.
        """
        notes: list[str] = [aside, not_taken_beside_question(self.step)] if aside else []
        for outcome in self.outcomes:
            match outcome.kind:
                case "refused" | "courtesy" | "why":
                    notes.append(outcome.text)
                case "help":
                    notes.append(self._help(outcome.field or self.run.asked))
                case "missed" if not outcome.field and self.step.state.frame.question is None:
                    notes.append(nothing_taken(self.step))
                case "wait":
                    notes.append(self.language.text("wait"))
                case "restart":
                    notes.append(self.language.text("restarted"))
                case "hand_over" if self.step.state.frame.person is None:
                    notes.append(self.language.text("handed_over"))
                case _:
                    pass
        if self.form.has_items:
            notes += self._lists()
        if self.form.acknowledge is not None:
            notes.append(self.acknowledgement())
        return list(dict.fromkeys(filter(None, notes)))

    def _lists(self) -> Iterator[str]:
        """Yield the lists of records that this turn changed, with reached bounds; the summary shows them anyway."""
        state, language = self.step.state, self.language
        whole = [one.address for one in self.form.questions if one.items]
        if any(one.kind == "cancel" and one.field in whole for one in self.outcomes):
            yield language.text("item_dropped")
        changed = {one.field for one in self.outcomes if one.kind in ("set", "cleared")}
        for question in self.form.questions if self.run.status == "collecting" else ():
            if not question.items or question.address not in changed:
                continue
            yield lists.numbered_lines(self.machine, state, question)
            if lists.is_full(question, state):
                yield language.text("list_full", bound=f"{question.field.max:g}")
            elif lists.needs_items(question, state):
                yield language.text("list_needs", bound=lists.least_items(question))

    def acknowledgement(self) -> str:
        """Return the text that confirms the answers of this turn; empty if there are none."""
        texts = self.form.acknowledge
        return self._acknowledged(texts) if texts is not None and "set" in self.texts else ""

    def _acknowledged(self, texts: Acknowledgement) -> str:
        """Return what is said after the answers of this turn: of several that may be right, a wrong one decides."""
        given = [self.form.by_address.get(one.field) for one in self.outcomes if one.kind == "set"]
        if not any(given):
            return ""  # what was set is no answer of this form, as the input of a scope
        values = self.step.state.values
        judged = [
            (is_right(one.right, values[one.address].value), one.address)
            for one in given
            if one is not None and one.right and one.address in values
        ]
        is_all_right, address = min(judged, default=(False, ""))
        is_judged_aloud = bool(judged) and self._answers_open_question()
        if judged and not is_judged_aloud and texts.say is None:
            ask = self._filled(self.form.by_address[address].ask, address)
            return self.language.text("noted_for", question=ask)
        text = (texts.right if is_all_right else texts.wrong) if is_judged_aloud else None
        if text is not None:
            return self._filled(text, address)
        return self._filled(texts.say, self.run.asked) if texts.say and self.run.status == "collecting" else ""

    def _answers_open_question(self) -> bool:
        """Return whether an answer of this turn is one to the question that was open, if one was."""
        question = self.step.state.frame.question
        asked = question.field if question is not None and question.kind == "field" else ""
        return not asked or any(one.kind == "set" and one.field == asked for one in self.outcomes)

    def _help(self, address: str) -> str:
        question = self.form.by_address.get(address)
        if question is None or question.help is None:
            if question is None or address != self.run.asked or runs.may_skip(self.run, self.step.state, question):
                return self.language.text("help")
            return self.language.text("help_required")
        return self._filled(question.help, address)

    def _filled(self, template: Template, address: str) -> str:
        if template.fixed is not None:
            return template.fixed
        env = text_env(self.form, self.run, self.step.state, address)
        return self.step.fill(template, env, is_repeated=self.is_repeated)

    def _was_open(self, kind: QuestionKind, field: str = "") -> bool:
        """Return whether this question was open when the message came, and no answer has changed since."""
        question = self.step.state.frame.question
        is_same = question is not None and (question.kind, question.field) == (kind, field)
        return is_same and "set" not in self.texts and "cleared" not in self.texts

    # the next utterance ----------------------------------------------------------------------

    def utterance(self, words: tuple[str | None, ...]) -> Utterance:
        """Return the next text of the form, which depends on the status of its run; `words` are quoted in a summary."""
        run, language = self.run, self.language
        match run.status:
            case "collecting" | "awaiting_confirmation" if run.editing == "chooser":
                return self._chooser()
            case "collecting":
                return self.question()
            case "awaiting_confirmation":
                return self._confirmation(words)
            case "stopped":
                question = self.form.by_address[run.stopped_at]
                own = question.stop_say
                text = self._filled(own, question.address) if own is not None else language.text("stopped")
                return Utterance(text, "stop", (buttons.restart_button(language),), "field", question.address)
            case "cancelled":
                text = language.text("cancelled" if "cancel" in self.texts else "cancelled_still")
                return Utterance(text, "cancelled", (buttons.restart_button(language),))
            case "confirmed" | "handed_off":
                return Utterance("", "done")

    def shows_summary(self) -> bool:
        """Return whether the confirmation shows the whole summary, not only its question."""
        if self.run.editing == "chooser":
            return False
        is_answered = "" in self.missed or not self.texts.keys().isdisjoint(("help", "why", "wait", "courtesy"))
        return not (is_answered and self._was_open("confirmation"))

    def _confirmation(self, words: tuple[str | None, ...]) -> Utterance:
        step, language = self.step, self.language
        if self.shows_summary():
            statement = runs.problem_statement(self.form, self.run, step.state)
            if statement:
                step.emit(ArtefactMade("PROBLEM_STATEMENT", {"statement": statement}))
            text = summary(step, self.form, self.run, words)
        elif "" in self.missed:
            text = f"{language.text('not_understood')}\n\n{language.text('summary_question')}"
        else:
            text = "" if "wait" in self.texts else language.text("summary_question")
        offered = buttons.confirmation_buttons(language, self.form, self.run, self.step.state)
        return Utterance(text, "summary", offered, "confirmation")

    def _chooser(self) -> Utterance:
        language = self.language
        text = language.text("chooser" if self.run.correction is None else "ask_which")
        if self.run.choosing:
            text = item_choice.item_chooser_text(self.machine, self.step.state, self.form, self.run)
        if "" in self.missed and self._was_open("chooser"):
            text = f"{language.text('not_understood')}\n\n{text}"
        elif ("wait" in self.texts and self._was_open("chooser")) or (self.run.asks_which_item and self._names_items()):
            text = ""
        return Utterance(text, "chooser", buttons.chooser_buttons(self.machine, self.step.state, self.form), "chooser")

    def _names_items(self) -> bool:
        """Return whether the reply asks already which item is meant, with the items."""
        asked = question_of_items(self.machine, self.step.state, self.form, self.run)
        return any(one.kind == "refused" and one.text == asked for one in self.outcomes)

    def question(self) -> Utterance:
        """Return the open question, rephrased if the last answer was not understood, with a suggested value if any."""
        run, language, state = self.run, self.language, self.step.state
        question = self.form.by_address[run.asked]
        suggested = run.suggested.get(run.asked)
        if "wait" in self.texts and self._was_open("field", run.asked):
            text = ""
        elif run.awaits_other:
            text = language.text("other_prompt")
        else:
            if run.asked in self.missed:
                text = self._rung(question)
            elif self.form.has_items:
                text = self._asked_of_item(question)
            else:
                text = self._filled(question.ask, question.address)
            if suggested is not None:
                text = self._suggesting(question, text, suggested)
        offered = question.buttons
        if run.asked in run.suggested and not run.awaits_other:
            offered = buttons.suggestion_buttons(language)
        elif question.labels or question.items:
            offered = buttons.question_buttons(self.form, run, state, question)
        return Utterance(text, "question", offered, "field", run.asked)

    def _suggesting(self, question: Question, text: str, suggested: Any) -> str:
        """Return a question with the value that it suggests; alone what a message names that was not understood."""
        value = written_for_user(self.machine, self.step.state, question.field, suggested)
        slot = self.step.state.values.get(question.address)
        known = slot.value if slot is not None else question.field.default
        if question.address not in self.missed or suggested == known:
            return f"{text}\n{self.language.text('suggestion', value=value)}"
        if is_free_text(question.field):
            ask = self._filled(question.ask, question.address)
            return f"{ask}\n{self.language.text('doubtful_text', value=value)}"
        return self.language.text("named_option", value=value)

    def _asked_of_item(self, question: Question) -> str:
        """Return a question's text; where a sentence added several items, with the number of the one it is for."""
        text, run, state = self._filled(self._wording(question), question.address), self.run, self.step.state
        whole = self.form.by_address.get(question.item_of)
        items = lists.items_of(state, whole) if whole is not None and run.item and not run.editing else []
        at = index_of(items, run.item)
        if whole is None or at < 0 or len(items) < 2:
            return text
        known = lists.item_text(self.machine, state, whole, items[at])
        name = (whole.field.of or "").replace("_", " ").capitalize()
        kind = "item_number" if known == lists.NO_VALUES else "item_number_known"
        return self.language.text(kind, item=name, number=at + 1, count=len(items), known=known, ask=text)

    def _wording(self, question: Question) -> Template:
        """Return the text of a question: that of a list with items asks whether another one follows."""
        has_items = question.more is not None and lists.items_of(self.step.state, question)
        return question.more if has_items and question.more is not None else question.ask

    def _rung(self, question: Question) -> str:
        """Return a question's wording after a miss: the next `rephrase`, else the reason before it (law 5.8)."""
        misses = self.run.misses.get(question.address, 1)
        if question.rephrase:
            return self._filled(question.rephrase[min(misses, len(question.rephrase)) - 1], question.address)
        if question.buttons:
            return self.language.text("not_understood")
        ask = self._filled(question.ask, question.address)
        return f"{self._refusal(question) or self.language.text('not_understood_open')}\n\n{ask}"

    def _refusal(self, question: Question) -> str:
        """Return why a message is no answer of the question's type, empty if the type has no explanation."""
        refused = read_value(question.field, self.step.doing.message, self.step.rules)
        if not isinstance(refused, Refused):
            return ""
        authored = with_authored_refusal(self.machine, self.step.state, question.address, refused, question)
        if authored is not refused:
            return authored.text
        if refused.reason not in _EXPLAINED:
            return ""
        return refusal_for_user(self.machine, self.step.state, refused)
