"""The replies of a form: acknowledgement, then the question, the summary, or the reason why it ends.

It changes no answer; wording never changes question, options or order (law 5.11).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.formatting import readable, refusal
from turnwise.core.forms import buttons, direct
from turnwise.core.forms import run as artefacts
from turnwise.core.forms.run import told
from turnwise.core.forms.summary import places_of, summary
from turnwise.core.machine import LinkedForm, Question
from turnwise.core.state import FormRun, QuestionKind
from turnwise.core.state.effects import CallModel, RecallWords
from turnwise.core.state.events import ArtefactMade, Button, Said
from turnwise.core.turn import Phase, Turn
from turnwise.core.values import Refused, read_value


class Utterance(Struct, frozen=True):
    """A text with its buttons and the question that it puts."""

    text: str
    kind: str
    buttons: tuple[Button, ...] = ()
    question: QuestionKind | None = None
    field: str = ""


def speak(
    turn: Turn,
    form: LinkedForm,
    aside: str | None = None,
    words: tuple[str | None, ...] | None = None,
    worded: str | None = None,
) -> Phase:
    """Say what the form has to say now. `aside` answers a question, `words` are recalled for the summary, `worded`
    is how the model puts the question.
    """
    run = turn.state.frame.form
    assert run is not None
    question = next((heard.text for heard in turn.doing.heard if heard.kind == "ask"), "")
    if question and aside is None and _has_voice(turn, form):
        return turn.ask(CallModel(turn.effect_id(), "aside", question))
    if words is None and _shows_summary(turn, run):
        places = places_of(turn.machine, form, run, turn.state)
        if places:
            return turn.ask(RecallWords(turn.effect_id(), places))
    if question and aside is None:
        aside = turn.machine.language.text("cannot_answer")
    if worded is None and _is_worded(turn, form, run):
        question = _question(turn, form, run).text
        if question:
            return turn.ask(CallModel(turn.effect_id(), "word", question))
    _make_draft(turn, form, run)
    said = _utterance(turn, form, run, words or ())
    said = replace(said, text=worded) if worded else said
    text = "\n\n".join(part for part in (*_notes(turn, form, run, aside), said.text) if part.strip())
    if text:
        turn.emit(Said(text, said.kind, said.buttons, said.question, said.field))
    return Phase.AFTER


def speak_again(turn: Turn) -> Phase:
    """Put the question that is open again, where a form has one; the turn then ends."""
    form = turn.node.form
    if form is None or turn.state.frame.form is None:
        return Phase.FINISH
    phase = speak(turn, form)
    return phase if phase is Phase.AWAIT else Phase.FINISH


def say_closed(turn: Turn) -> None:
    """The last word of a form that was confirmed or handed over in this turn, where nothing else was said."""
    doing = turn.doing
    if doing.closed and not doing.has_spoken and doing.kind in ("said", "chose", "commands"):
        turn.say(turn.machine.language.text(doing.closed), "done")


def _has_voice(turn: Turn, form: LinkedForm) -> bool:
    """True if a model may answer aside: the node has a prompt, and no question is open that no model may read."""
    return turn.node.prompt is not None and direct.needs_model(turn.state, form)


def _is_worded(turn: Turn, form: LinkedForm, run: FormRun) -> bool:
    """Law 5.11: the model puts the question in its words, unless no model may be called while it is asked."""
    is_asking = run.status == "collecting" and run.editing != "chooser"
    return form.form.wording == "model" and is_asking and direct.needs_model(turn.state, form)


def _heard(turn: Turn) -> set[str]:
    return {heard.kind for heard in turn.doing.heard}


def _is_missed(turn: Turn, field: str = "") -> bool:
    """True if an answer to this question was not understood; one to a question before it does not count."""
    return any(heard.kind == "missed" and heard.field == field for heard in turn.doing.heard)


def _is_open(turn: Turn, kind: QuestionKind, field: str = "") -> bool:
    """True if this question was open when the message came, and no answer has changed since."""
    question = turn.state.question
    is_same = question is not None and (question.kind, question.field) == (kind, field)
    return is_same and not _heard(turn) & {"set", "cleared"}


def _shows_summary(turn: Turn, run: FormRun) -> bool:
    if run.status != "awaiting_confirmation" or run.editing == "chooser":
        return False
    is_told = bool(_heard(turn) & {"help", "wait", "courtesy"}) or _is_missed(turn)
    return not (is_told and _is_open(turn, "confirmation"))


def _make_draft(turn: Turn, form: LinkedForm, run: FormRun) -> None:
    """The draft is renewed with every answer (law 5.9), where there is a statement, or somebody to hand over to."""
    changed = _heard(turn) & {"set", "cleared"} or turn.state.frame.entered_turn == turn.number
    if changed and (form.statement is not None or form.form.handoff):
        turn.emit(ArtefactMade("DRAFT_PLAN", artefacts.draft(form, run, turn.state)))


# what became of the message ----------------------------------------------------------------------


def _notes(turn: Turn, form: LinkedForm, run: FormRun, aside: str | None) -> list[str]:
    """Refusals, help and the like, in the order in which they were heard; then the acknowledgement."""
    language = turn.machine.language
    notes: list[str] = [aside] if aside else []
    for heard in turn.doing.heard:
        match heard.kind:
            case "refused" | "courtesy":
                notes.append(heard.text)
            case "help":
                notes.append(_help(turn, form, run, heard.field or run.asked))
            case "wait":
                notes.append(language.text("wait"))
            case "restart":
                notes.append(language.text("restarted"))
            case "hand_over":
                notes.append(language.text("handed_over"))
            case _:
                pass
    if form.acknowledge is not None and run.status == "collecting" and "set" in _heard(turn):
        notes.append(form.acknowledge(told(form, run, turn.state, run.asked)))
    return list(dict.fromkeys(notes))


def _help(turn: Turn, form: LinkedForm, run: FormRun, field: str) -> str:
    question = form.by_address.get(field)
    if question is not None and question.help is not None:
        return question.help(told(form, run, turn.state, field))
    return turn.machine.language.text("help")


# what comes next ---------------------------------------------------------------------------------


def _utterance(turn: Turn, form: LinkedForm, run: FormRun, words: tuple[str | None, ...]) -> Utterance:
    language = turn.machine.language
    match run.status:
        case "stopped":
            question = form.by_address[run.stopped_at]
            env = told(form, run, turn.state, question.address)
            text = question.stop_say(env) if question.stop_say else language.text("stopped")
            return Utterance(text, "stop", (buttons.restart(language),), "field", question.address)
        case "cancelled":
            text = language.text("cancelled" if "cancel" in _heard(turn) else "cancelled_still")
            return Utterance(text, "cancelled", (buttons.restart(language),))
        case "confirmed" | "handed_off":
            return Utterance("", "done")
        case "awaiting_confirmation" if run.editing != "chooser":
            return _confirmation(turn, form, run, words)
        case _:
            return _chooser(turn, form, run) if run.editing == "chooser" else _question(turn, form, run)


def _confirmation(turn: Turn, form: LinkedForm, run: FormRun, words: tuple[str | None, ...]) -> Utterance:
    language = turn.machine.language
    offered = buttons.of_confirmation(language, form)
    if _shows_summary(turn, run):
        said = artefacts.statement(form, run, turn.state)
        if said:
            turn.emit(ArtefactMade("PROBLEM_STATEMENT", {"statement": said}))
        text = summary(turn.machine, turn.state, form, run, words)
    elif _is_missed(turn):
        text = f"{language.text('not_understood')}\n\n{language.text('summary_question')}"
    else:
        text = "" if "wait" in _heard(turn) else language.text("summary_question")
    return Utterance(text, "summary", offered, "confirmation")


def _chooser(turn: Turn, form: LinkedForm, run: FormRun) -> Utterance:
    language = turn.machine.language
    text = language.text("chooser" if run.held is None else "ask_which")
    if _is_missed(turn) and _is_open(turn, "chooser"):
        text = f"{language.text('not_understood')}\n\n{text}"
    elif "wait" in _heard(turn) and _is_open(turn, "chooser"):
        text = ""
    return Utterance(text, "chooser", buttons.of_chooser(turn.machine, turn.state, form), "chooser")


def _question(turn: Turn, form: LinkedForm, run: FormRun) -> Utterance:
    question = form.by_address[run.asked]
    offered = buttons.offered(turn.machine, turn.state, form)
    return Utterance(_wording(turn, form, run, question), "question", offered, "field", question.address)


def _wording(turn: Turn, form: LinkedForm, run: FormRun, question: Question) -> str:
    """The question; after a miss its next rung; a suggestion where a value is known from elsewhere."""
    language = turn.machine.language
    if "wait" in _heard(turn) and _is_open(turn, "field", question.address):
        return ""
    if run.awaits_other:
        return language.text("other_prompt")
    ask = question.ask(told(form, run, turn.state, question.address))
    text = _rung(turn, form, run, question, ask) if _is_missed(turn, question.address) else ask
    suggested = run.suggested.get(question.address)
    if suggested is None:
        return text
    value = readable(language, turn.state.time_zone, question.field, suggested)
    return f"{text}\n{language.text('suggestion', value=value)}"


def _rung(turn: Turn, form: LinkedForm, run: FormRun, question: Question, ask: str) -> str:
    """Law 5.8: the next wording of the same question."""
    misses = run.misses.get(question.address, 1)
    if question.rephrase:
        env = told(form, run, turn.state, question.address)
        return question.rephrase[min(misses, len(question.rephrase)) - 1](env)
    language = turn.machine.language
    if question.buttons:
        return language.text("not_understood")
    return f"{_why_not(turn, question) or language.text('not_understood_open')}\n\n{ask}"


_TELLING = ("date", "datetime", "time", "duration", "email", "phone", "length", "ambiguous")
"""Why a value is refused, where the reason says what would be taken."""


def _why_not(turn: Turn, question: Question) -> str:
    """What a message lacks to be an answer of the question's type, empty where there is no more to say."""
    refused = read_value(question.field, turn.doing.message, turn.machine.rules)
    if not isinstance(refused, Refused) or refused.reason not in _TELLING:
        return ""
    return refusal(turn.machine.language, turn.state.time_zone, refused)
