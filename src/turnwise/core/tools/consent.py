"""Handles calls that need the user's approval (law 4.5): asks in fixed words, and runs the call only after a yes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal
from unicodedata import category

from turnwise.core.decision import catch, fail
from turnwise.core.decision.dropped import say_dropped, tool_in_words
from turnwise.core.decision.faults import RefusedCall, call_fault
from turnwise.core.forms.buttons import button_with, suggestion_buttons
from turnwise.core.forms.speak import speak_again
from turnwise.core.guards import Env
from turnwise.core.language import Language
from turnwise.core.language.answers import (
    Echo,
    begins_with_no,
    cautions_of,
    echo_of,
    plain_answer,
    request_phrases,
    words_of,
)
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import ApprovalRequest, State
from turnwise.core.state.effects import RunTool
from turnwise.core.state.events import Button, CallRefused, CommandApplied, Failed, Said
from turnwise.core.state.proposals import open_offer
from turnwise.core.toolbox import ApprovalQuestion, LinkedTool, QuestionPart
from turnwise.core.tools import repeats
from turnwise.core.tools.check_call import fork_refusal
from turnwise.core.turn import Phase, StepBuilder
from turnwise.core.values import REDACTED

YES: Final = "affirm"
"""The value of the button that approves a call."""
NO: Final = "deny"
"""The value of the button that declines a call."""
_LONGEST = 400
"""How much of a value the question shows, in characters."""

_JOINERS = "\u200c\u200d"
"""What joins letters and pictures, or keeps them apart."""
_TIMES = ("date", "time", "datetime", "duration")


def ask(step: StepBuilder, request: ApprovalRequest) -> None:
    """Ask the user to approve a call."""
    text = question(step.machine, step.state, request)
    step.emit(Said(text, "consent", answer_buttons(step.machine.language), "call"))


def announce(step: StepBuilder, request: ApprovalRequest) -> None:
    """Send the user a text that an operator has to approve a call."""
    tool, before = step.machine.tools[request.tool], repeats.repeated_by(step.machine, step.state, request)
    head = step.machine.language.text("consent_operator", what=tool_in_words(tool.tool))
    notes = [repeats.note_of(step.machine, step.state, tool, before)] if before is not None else []
    values = _values(step.machine, step.state, tool, request.arguments)
    step.emit(Said("\n".join([*notes, head, *values]), "consent"))


def ask_again(step: StepBuilder) -> Phase:
    """Ask the open question of an approval or a form again; the turn then ends."""
    request = step.state.frame.awaiting_approval
    if request is None:
        offer = open_offer(step.state)
        if offer is None:
            return speak_again(step)
        step.emit(Said(offer.opener, "offer", suggestion_buttons(step.machine.language), "offer", offer.scope))
        return Phase.FINISH
    ask(step, request)
    return Phase.FINISH


def answer_buttons(language: Language) -> tuple[Button, ...]:
    """Return the buttons yes and no of the approval question."""
    return Button(language.text("buttons_yes"), YES), Button(language.text("buttons_no"), NO)


def question(machine: Machine, state: State, request: ApprovalRequest) -> str:
    """Return the text that asks to approve a call: the action and its values, never worded by a model.

    Below a question of the author stand the values that it does not name, so that none is approved unseen. What was
    done before an undo is said first.
    """
    tool, arguments, language = machine.tools[request.tool], request.arguments, machine.language
    before = repeats.repeated_by(machine, state, request)
    note = repeats.note_of(machine, state, tool, before) if before is not None else ""
    if tool.ask is not None:
        unnamed = {name: value for name, value in arguments.items() if name not in tool.ask.named}
        text = "".join([part for part, _ in authored_question(machine, state, tool.ask, arguments)])
        return "\n".join([*filter(None, [note]), text, *_values(machine, state, tool, unnamed)])
    head = note or language.text("consent", what=tool_in_words(tool.tool))
    last = language.text("consent_question")
    last = language.text("consent_once_more", question=last) if note else last
    return "\n".join([head, *_values(machine, state, tool, arguments), last])


def authored_question(
    machine: Machine, state: State, ask: ApprovalQuestion, arguments: dict[str, Any]
) -> list[tuple[str, QuestionPart]]:
    """Return the parts of an author's question, each with its text for these arguments."""
    env = Env(state.values, _CallSource(arguments, state))
    return [
        (part.text if isinstance(part.text, str) else _in_one_line(machine.language, part.text(env) or ""), part)
        for part in ask.parts
    ]


class _CallSource:
    """The roots that an approval question reads: the arguments of the call, then those of the state."""

    __slots__ = ("arguments", "state")

    def __init__(self, arguments: Mapping[str, Any], state: State) -> None:
        self.arguments = arguments
        self.state = state

    def get(self, key: str, read: Callable[[State], Any]) -> Any:
        """Return an argument, else a root of the state."""
        return self.arguments[key] if key in self.arguments else read(self.state)


def _values(machine: Machine, state: State, tool: LinkedTool, arguments: Mapping[str, Any]) -> list[str]:
    """Return the values of a call, each on a line."""
    lines: list[str] = []
    for name, value in arguments.items():
        field = tool.args[name]
        written = REDACTED if field.secret else written_for_user(machine, state, field, value)
        lines.append(f"- {field.about or name.replace('_', ' ')}: {_in_one_line(machine.language, written)}")
    return lines


def _in_one_line(language: Language, value: str) -> str:
    """Return a value on one line that cannot imitate a line of the question. Line breaks, direction marks and invisible
    characters are escaped; a long value is cut and its length added.
    """
    shown = "".join([letter if letter.isprintable() else _in_letters(letter) for letter in value[:_LONGEST]])
    if len(value) <= _LONGEST:
        return shown
    return language.text("consent_cut", told=shown, count=f"{len(value):,}")


def _in_letters(letter: str) -> str:
    if category(letter) == "Zs":
        return " "
    return letter if letter in _JOINERS else letter.encode("unicode_escape").decode("ascii")


def answer_of_message(step: StepBuilder) -> Literal["affirm", "deny", ""]:
    """Return the user's answer to the approval question: `affirm`, `deny`, or empty if it is unclear."""
    language, doing = step.machine.language, step.doing
    if doing.button is not None:
        button = button_with(answer_buttons(language), doing.button)
        return "" if button is None else YES if button.value == YES else NO
    said = plain_answer(language, doing.message or "", "call", _echo(step, step.state.frame.awaiting_approval))
    return "" if said is None else YES if said else NO


def declines(step: StepBuilder, request: ApprovalRequest) -> bool:
    """Return whether a message begins with a no and then says what is wanted instead of the call."""
    doing = step.doing
    if doing.message is None or doing.button is not None or any(one.kind in (YES, NO) for one in doing.outcomes):
        return False
    return begins_with_no(step.machine.language, doing.message, _echo(step, request))


def _echo(step: StepBuilder, request: ApprovalRequest | None) -> Echo | None:
    """Return what a yes may repeat: the words of what is done and of its arguments, the values of which there is one of
    their type, and "now" where the call has no time of its own.
    """
    if request is None:
        return None
    linked = step.machine.tools[request.tool]
    tool, parts = linked.tool, linked.ask.parts if linked.ask is not None else ()
    asked = [part.text for part in parts if isinstance(part.text, str)]
    if repeats.repeated_by(step.machine, step.state, request) is not None:
        asked.append(step.machine.language.text("consent_once_more", question=""))
    scalars = [value for value in request.arguments.values() if isinstance(value, str | int | float)]
    kinds = [isinstance(value, str) for value in scalars]
    values = [str(value) for value in scalars if kinds.count(isinstance(value, str)) == 1]
    language, fields = step.machine.language, [(name, linked.args[name]) for name in request.arguments]
    labels = [word for name, field in fields for word in words_of((field.about or name).replace("_", " "))]
    asked += [word for word in labels if word not in cautions_of(language)]
    is_timed = any(field.type in _TIMES for _, field in fields)
    phrases = () if is_timed else request_phrases(language)
    return echo_of((tool.name, tool.about, *asked), values, language, phrases=phrases)


def run(step: StepBuilder, request: ApprovalRequest) -> Phase:
    """Request the effect that runs an approved call; return the next phase."""
    return step.ask(
        RunTool(request.id or step.effect_id(), request.tool, request.arguments, request.call, request.was_begun)
    )


def resolve(step: StepBuilder, request: ApprovalRequest, *, is_edited: bool = False) -> Phase | None:
    """Run a call that the user approved, or refuse it; return the next phase, `None` if the node's work continues.
    Edited arguments make it another call, which was not approved.
    """
    if not is_edited and declines(step, request):
        step.emit(CommandApplied(NO))
    answer = next((one.kind for one in step.doing.outcomes if one.kind in (YES, NO)), "")
    wrong = fork_refusal(step.machine, step.state, request.tool)
    if answer == YES and not is_edited and wrong is None:
        return run(step, request)
    if answer == NO:
        wrong = RefusedCall("declined", "the user said no")
    elif answer != YES or wrong is None:
        wrong = RefusedCall("dropped", "the user did not say yes, so it was not done")
    step.emit(CallRefused(request.call, request.tool, wrong.reason, wrong.text))
    if wrong.reason == "dropped" and not is_edited:
        say_dropped(step, request.tool)
    return None if request.call or is_edited else fail_unapproved(step, request.tool, wrong)


def fail_unapproved(step: StepBuilder, tool: str, wrong: RefusedCall) -> Phase:
    """Handle a call of the node's own work that was not approved as a failure; return the next phase.
    If nothing catches it, the user reads that it was not done.
    """
    fault = call_fault(step.machine, step.state, tool, wrong)
    if wrong.reason not in ("declined", "dropped", "expired"):
        return fail(step, fault)
    phase = catch(step, fault)
    if phase is not None:
        return phase
    if wrong.reason == "declined":
        say_dropped(step, tool)
    step.emit(Failed(fault.kind, fault.message[: step.machine.rules.max_chars]))
    return Phase.FINISH
