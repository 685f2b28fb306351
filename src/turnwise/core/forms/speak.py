"""What a form says: what became of the message, then the question, the summary, or why it ends.

It changes no answer; wording never changes question, options or order (law 5.11).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from turnwise.core.effects import CallModel, RecallWords
from turnwise.core.events import ArtefactMade, Button, Said
from turnwise.core.forms import artefacts, buttons
from turnwise.core.forms.run import allowed, progress
from turnwise.core.forms.summary import places_of, summary
from turnwise.core.guards.env import Env, live
from turnwise.core.guards.types import shown
from turnwise.core.machine import LinkedForm, Question
from turnwise.core.state import FormRun, QuestionKind, State
from turnwise.core.turn import Phase, Turn


class Utterance(Struct, frozen=True):
    """A text with its buttons and the question that it puts."""

    text: str
    kind: str
    buttons: tuple[Button, ...] = ()
    question: QuestionKind | None = None
    field: str = ""


def speak(turn: Turn, form: LinkedForm, aside: str | None = None, words: tuple[str | None, ...] | None = None) -> Phase:
    """Say what the form has to say now. `aside` answers a question, `words` are recalled for the summary."""
    run = turn.state.frame.form
    assert run is not None
    question = next((heard.text for heard in turn.doing.heard if heard.kind == "ask"), "")
    if question and aside is None and _has_voice(turn):
        return turn.ask(CallModel(turn.effect_id(), "aside", question))
    if words is None and _shows_summary(turn, run):
        places = places_of(form, turn.state)
        if places:
            return turn.ask(RecallWords(turn.effect_id(), places))
    if question and aside is None:
        aside = turn.machine.language.text("no_model_aside")
    _make_draft(turn, form)
    said = _utterance(turn, form, run, words or ())
    text = "\n\n".join(part for part in (*_notes(turn, form, run, aside), said.text) if part.strip())
    if text:
        turn.emit(Said(text, said.kind, said.buttons, said.question, said.field))
    return Phase.AFTER


def _has_voice(turn: Turn) -> bool:
    return turn.node.prompt is not None


def _heard(turn: Turn) -> set[str]:
    return {heard.kind for heard in turn.doing.heard}


def _shows_summary(turn: Turn, run: FormRun) -> bool:
    if run.status != "awaiting_confirmation" or run.editing == "chooser":
        return False
    return not _heard(turn) & {"missed", "help", "wait"}


def _make_draft(turn: Turn, form: LinkedForm) -> None:
    """The draft is renewed with every answer (law 5.9)."""
    changed = _heard(turn) & {"set", "cleared"} or turn.state.frame.entered_turn == turn.number
    if form.statement is not None and changed:
        turn.emit(ArtefactMade("DRAFT_PLAN", artefacts.draft(form, turn.state)))


# what became of the message ----------------------------------------------------------------------


def _notes(turn: Turn, form: LinkedForm, run: FormRun, aside: str | None) -> list[str]:
    """Refusals, help and the like, in the order in which they were heard; then the acknowledgement."""
    language = turn.machine.language
    notes: list[str] = [aside] if aside else []
    for heard in turn.doing.heard:
        match heard.kind:
            case "refused":
                notes.append(heard.text)
            case "help":
                notes.append(_help(turn, form, heard.field or run.asked))
            case "wait":
                notes.append(language.text("wait"))
            case "restart":
                notes.append(language.text("restarted"))
            case "hand_over":
                notes.append(language.text("handed_over"))
            case _:
                pass
    if form.acknowledge is not None and run.status == "collecting" and "set" in _heard(turn):
        notes.append(form.acknowledge(_told(turn, form, run)))
    return list(dict.fromkeys(notes))


def _help(turn: Turn, form: LinkedForm, field: str) -> str:
    question = form.by_address.get(field)
    if question is not None and question.help is not None:
        return question.help(turn.env)
    return turn.machine.language.text("help")


# what comes next ---------------------------------------------------------------------------------


def _utterance(turn: Turn, form: LinkedForm, run: FormRun, words: tuple[str | None, ...]) -> Utterance:
    language = turn.machine.language
    match run.status:
        case "stopped":
            question = form.by_address[run.stopped_at]
            text = question.stop_say(turn.env) if question.stop_say else language.text("stopped")
            return Utterance(text, "stop", (buttons.restart(language),), "field", question.address)
        case "cancelled":
            return Utterance(language.text("cancelled"), "cancelled", (buttons.restart(language),))
        case "confirmed" | "handed_off":
            return Utterance("", "done")
        case "awaiting_confirmation" if run.editing != "chooser":
            return _confirmation(turn, form, words)
        case _:
            return _chooser(turn, form, run) if run.editing == "chooser" else _question(turn, form, run)


def _confirmation(turn: Turn, form: LinkedForm, words: tuple[str | None, ...]) -> Utterance:
    language = turn.machine.language
    offered = buttons.of_confirmation(language, form)
    heard = _heard(turn)
    if "missed" in heard:
        text = f"{language.text('not_understood')}\n\n{language.text('summary_question')}"
    elif heard & {"help", "wait"}:
        text = "" if "wait" in heard else language.text("summary_question")
    else:
        said = artefacts.statement(form, turn.state)
        if said:
            turn.emit(ArtefactMade("PROBLEM_STATEMENT", {"statement": said}))
        text = summary(turn.machine, turn.state, form, words)
    return Utterance(text, "summary", offered, "confirmation")


def _chooser(turn: Turn, form: LinkedForm, run: FormRun) -> Utterance:
    language = turn.machine.language
    heard = _heard(turn)
    text = language.text("chooser" if run.held is None else "ask_which")
    if "missed" in heard:
        text = f"{language.text('not_understood')}\n\n{text}"
    elif "wait" in heard:
        text = ""
    return Utterance(text, "chooser", buttons.of_chooser(turn.machine, turn.state, form), "chooser")


def _question(turn: Turn, form: LinkedForm, run: FormRun) -> Utterance:
    question = form.by_address[run.asked]
    offered = buttons.offered(turn.machine, turn.state, form)
    return Utterance(_wording(turn, form, run, question), "question", offered, "field", question.address)


def _wording(turn: Turn, form: LinkedForm, run: FormRun, question: Question) -> str:
    """The question; after a miss its next rung; a suggestion where a value is known from elsewhere."""
    language = turn.machine.language
    ask = question.ask(_told(turn, form, run))
    heard = _heard(turn)
    if run.awaits_other:
        return language.text("other_prompt")
    if "wait" in heard and "set" not in heard:
        return ""
    suggested = run.suggested.get(question.address)
    if suggested is not None:
        ask = f"{ask}\n{language.text('suggestion', value=shown(suggested, question.field))}"
    if "missed" not in heard:
        return ask
    return _rung(turn, form, run, question, ask)


def _rung(turn: Turn, form: LinkedForm, run: FormRun, question: Question, ask: str) -> str:
    """Law 5.8: the next wording of the same question."""
    misses = run.misses.get(question.address, 1)
    if question.rephrase:
        return question.rephrase[min(misses, len(question.rephrase)) - 1](_told(turn, form, run))
    language = turn.machine.language
    if question.buttons:
        return language.text("not_understood")
    return f"{language.text('not_understood_open')}\n\n{ask}"


def _told(turn: Turn, form: LinkedForm, run: FormRun) -> Env:
    """What the form's texts may read: fields, roots, and the numbers of the form."""
    return Env(turn.state.values, _Numbers(turn.state, form, run))


class _Numbers:
    """The number of the question, of how many, and the progress; counted when a text reads them."""

    __slots__ = ("form", "run", "state")

    def __init__(self, state: State, form: LinkedForm, run: FormRun) -> None:
        self.state = state
        self.form = form
        self.run = run

    def get(self, key: str, read: Callable[[State], Any]) -> Any:
        """The value of a root, `None` where it is missing."""
        if key == "form.progress":
            return progress(self.form, self.state)
        if key not in ("form.number", "form.total"):
            return read(self.state)
        names = [q.address for q in allowed(self.form, live(self.state)) if q.form_field.asked]
        if key == "form.total":
            return len(names)
        return names.index(self.run.asked) + 1 if self.run.asked in names else len(names)
