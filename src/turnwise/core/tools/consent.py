"""Calls that need the user's approval (law 4.5): asks in fixed words, and runs the call only on a yes."""

from __future__ import annotations

from typing import Any
from unicodedata import category

from turnwise.core.decision.decide import fail
from turnwise.core.decision.faults import call_refused
from turnwise.core.formatting import readable
from turnwise.core.forms.buttons import find
from turnwise.core.forms.speak import speak_again
from turnwise.core.language import Language, is_question
from turnwise.core.machine import LinkedTool
from turnwise.core.state import Held
from turnwise.core.state.effects import RunTool
from turnwise.core.state.events import Button, CallHeld, CallRefused, Said
from turnwise.core.tools.check_call import bound
from turnwise.core.turn import Phase, Turn
from turnwise.core.values import REDACTED, Refused

YES, NO = "affirm", "deny"
_LONGEST = 400
"""How much of a value the question tells, in characters."""
_JOINERS = "\u200c\u200d"
"""What joins letters and pictures, or keeps them apart."""


def hold(turn: Turn, tool: LinkedTool, arguments: dict[str, Any], call: str = "", effect: str = "") -> Phase:
    """Keep a call back, and ask: what will be done, with which values, yes or no. The turn ends with it. `effect` is
    the id of a call that was made before.
    """
    turn.emit(CallHeld(tool.tool.name, arguments, call, effect or turn.effect_id()))
    ask(turn, tool, arguments)
    return Phase.FINISH


def ask(turn: Turn, tool: LinkedTool, arguments: dict[str, Any]) -> None:
    """Put the question."""
    turn.emit(
        Said(
            question(turn.machine.language, turn.state.time_zone, tool, arguments),
            "consent",
            answers(turn.machine.language),
            "call",
        )
    )


def put_again(turn: Turn) -> Phase:
    """Put the question that is open again, about a held call or in a form; the turn then ends."""
    held = turn.state.held
    if held is None:
        return speak_again(turn)
    ask(turn, turn.machine.tools[held.tool], held.arguments)
    return Phase.FINISH


def answers(language: Language) -> tuple[Button, ...]:
    """The two buttons of the question."""
    return Button(language.text("buttons_yes"), YES), Button(language.text("buttons_no"), NO)


def question(language: Language, zone: str, tool: LinkedTool, arguments: dict[str, Any]) -> str:
    """What will be done and with which values, in the machine's words, so that no model can tell it otherwise."""
    what = (tool.tool.about or tool.tool.name.replace("_", " ")).rstrip(".")
    lines = [language.text("consent", what=what)]
    for name, value in arguments.items():
        field = tool.args[name]
        told = REDACTED if field.secret else _in_one_line(language, readable(language, zone, field, value))
        lines.append(f"- {field.about or name.replace('_', ' ')}: {told}")
    return "\n".join([*lines, language.text("consent_question")])


def _in_one_line(language: Language, value: str) -> str:
    """A value that can look like no line of ours: marks that break lines, turn the direction or are not seen stand
    in letters, and of what is long there is the beginning and its length.
    """
    shown = "".join([letter if letter.isprintable() else _in_letters(letter) for letter in value[:_LONGEST]])
    if len(value) <= _LONGEST:
        return shown
    return language.text("consent_cut", told=shown, count=f"{len(value):,}")


def _in_letters(letter: str) -> str:
    if category(letter) == "Zs":
        return " "
    return letter if letter in _JOINERS else letter.encode("unicode_escape").decode("ascii")


def heard(turn: Turn) -> str:
    """What the message says to the held call without a model: `affirm`, `deny`, or nothing. Doubt is no yes."""
    language, doing = turn.machine.language, turn.doing
    if doing.button is not None:
        button = find(answers(language), doing.button)
        return button.value if button is not None else ""
    message = doing.message or ""
    if language.all_mean("affirm", message) and not is_question(message):
        return YES
    return NO if language.means("false", message) else ""


def answered(turn: Turn) -> str:
    """What the message said to the held call: `affirm`, `deny`, or nothing."""
    return next((heard.kind for heard in turn.doing.heard if heard.kind in (YES, NO)), "")


def settle(turn: Turn, held: Held, *, is_edited: bool = False) -> Phase | None:
    """Run the very call that was consented to; or let it go, and tell the model. `None` where its work goes on.
    What was edited beside the answer is another call than the one that was asked for.
    """
    answer = answered(turn)
    wrong = bound(turn.machine, turn.state, held.tool)
    if answer == YES and not is_edited and wrong is None:
        return turn.ask(RunTool(held.id or turn.effect_id(), held.tool, held.arguments, held.call, held.was_begun))
    if answer == YES and wrong is not None:
        reason, text = wrong.reason, wrong.text
    elif answer == NO:
        reason, text = "declined", "the user said no"
    else:
        reason, text = "dropped", "the user did not say yes, so it was not done"
    turn.emit(CallRefused(held.call, held.tool, reason, text))
    if held.call or reason == "dropped":
        return None
    return fail(turn, call_refused(turn.machine, turn.state, held.tool, Refused(reason, text)))
