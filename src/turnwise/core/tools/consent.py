"""Handles calls that need the user's approval (law 4.5): asks in fixed words, and runs the call only after a yes."""

from __future__ import annotations

from typing import Any, Final, Literal
from unicodedata import category

from turnwise.core.decision import fail
from turnwise.core.decision.dropped import say_dropped, what_of
from turnwise.core.decision.faults import RefusedCall, call_fault
from turnwise.core.formatting import readable
from turnwise.core.forms.buttons import find
from turnwise.core.forms.speak import speak_again
from turnwise.core.language import Language
from turnwise.core.language.answers import Echo, echo_of, plain_answer
from turnwise.core.state import ApprovalRequest
from turnwise.core.state.effects import RunTool
from turnwise.core.state.events import Button, CallRefused, Said
from turnwise.core.toolbox import LinkedTool
from turnwise.core.tools.check_call import bound
from turnwise.core.turn import Phase, Turn
from turnwise.core.values import REDACTED

YES: Final = "affirm"
NO: Final = "deny"
_LONGEST = 400
"""How much of a value the question shows, in characters."""
_JOINERS = "\u200c\u200d"
"""What joins letters and pictures, or keeps them apart."""


def ask(turn: Turn, tool: LinkedTool, arguments: dict[str, Any]) -> None:
    """Ask the user to approve a call."""
    turn.emit(
        Said(
            question(turn.machine.language, turn.state.time_zone, tool, arguments),
            "consent",
            answers(turn.machine.language),
            "call",
        )
    )


def announce(turn: Turn, tool: LinkedTool, arguments: dict[str, Any]) -> None:
    """Tell the user that an operator has to approve a call."""
    turn.emit(
        Said(_worded(turn.machine.language, turn.state.time_zone, tool, arguments, "consent_operator"), "consent")
    )


def ask_again(turn: Turn) -> Phase:
    """Ask the open question again, about a call that waits for approval or in a form; the turn then ends."""
    request = turn.state.awaiting_approval
    if request is None:
        return speak_again(turn)
    ask(turn, turn.machine.tools[request.tool], request.arguments)
    return Phase.FINISH


def answers(language: Language) -> tuple[Button, ...]:
    """Return the yes and no buttons of the approval question."""
    return Button(language.text("buttons_yes"), YES), Button(language.text("buttons_no"), NO)


def question(language: Language, zone: str, tool: LinkedTool, arguments: dict[str, Any]) -> str:
    """Return the approval question: the action and its values. No model words it, so none can misstate it."""
    return f"{_worded(language, zone, tool, arguments, 'consent')}\n{language.text('consent_question')}"


def _worded(language: Language, zone: str, tool: LinkedTool, arguments: dict[str, Any], text: str) -> str:
    """Return a text about a call, with its values."""
    lines = [language.text(text, what=what_of(tool.tool))]
    for name, value in arguments.items():
        field = tool.args[name]
        shown = REDACTED if field.secret else _in_one_line(language, readable(language, zone, field, value))
        lines.append(f"- {field.about or name.replace('_', ' ')}: {shown}")
    return "\n".join(lines)


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


def answer_of_message(turn: Turn) -> Literal["affirm", "deny", ""]:
    """Return the user's answer to the approval question: `affirm`, `deny`, or empty if it is unclear."""
    language, doing = turn.machine.language, turn.doing
    if doing.button is not None:
        button = find(answers(language), doing.button)
        return "" if button is None else YES if button.value == YES else NO
    said = plain_answer(language, doing.message or "", "call", _echo(turn, turn.state.awaiting_approval))
    return "" if said is None else YES if said else NO


def _echo(turn: Turn, request: ApprovalRequest | None) -> Echo | None:
    """Return the words that a yes may repeat: those of what is done, and values of which there is one of their type."""
    if request is None:
        return None
    tool = turn.machine.tools[request.tool].tool
    scalars = [value for value in request.arguments.values() if isinstance(value, str | int | float)]
    kinds = [isinstance(value, str) for value in scalars]
    values = [str(value) for value in scalars if kinds.count(isinstance(value, str)) == 1]
    return echo_of((tool.name, tool.about), values, turn.machine.language)


def run(turn: Turn, request: ApprovalRequest) -> Phase:
    """Request an approved call."""
    return turn.ask(
        RunTool(request.id or turn.effect_id(), request.tool, request.arguments, request.call, request.was_begun)
    )


def resolve(turn: Turn, request: ApprovalRequest, *, is_edited: bool = False) -> Phase | None:
    """Run the call if the user approved it, else refuse it; return `None` if the node's work continues. Edited
    arguments make it another call, which was not approved.
    """
    answer = next((one.kind for one in turn.doing.outcomes if one.kind in (YES, NO)), "")
    wrong = bound(turn.machine, turn.state, request.tool)
    if answer == YES and not is_edited and wrong is None:
        return run(turn, request)
    if answer == NO:
        wrong = RefusedCall("declined", "the user said no")
    elif answer != YES or wrong is None:
        wrong = RefusedCall("dropped", "the user did not say yes, so it was not done")
    turn.emit(CallRefused(request.call, request.tool, wrong.reason, wrong.text))
    if wrong.reason == "dropped" and not is_edited:
        say_dropped(turn, request.tool)
    if request.call or is_edited:
        return None
    return fail(turn, call_fault(turn.machine, turn.state, request.tool, wrong))
