"""Suggests values of which it is not certain that the user meant them: those that a model understood for other
questions than the open one and that the message does not name (law 7.1a), and texts that are rather no answer to the
open question (law 5.8).

They are not stored: when its question is asked, the user is asked whether the value is right.
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.forms import AT_REST
from turnwise.core.forms.direct import Commands
from turnwise.core.forms.interpreter import FormInterpreter
from turnwise.core.state import FormRun
from turnwise.core.state.commands import AnyCommand, Set
from turnwise.core.values import Refused


def suggest_values(interpreter: FormInterpreter, commands: Commands) -> FormRun:
    """Return the run of a form that suggests the values which were refused as doubtful or not named.
    Each is one that its field accepts. A secret is never suggested, nor an answer to a question that has right ones,
    and no field that has an answer; a coming question keeps the suggestion that it has.
    """
    run, step = interpreter.run, interpreter.step
    if run.status in AT_REST:
        return run
    for command in commands:
        if command.objection not in ("not_named", "doubtful") or not isinstance(command, Set):
            continue
        address, question = command.field, interpreter.form.by_address.get(command.field)
        is_asked = command.objection == "doubtful" and address == run.asked
        is_free = is_asked or address not in (*run.suggested, run.asked)
        if question is None or not is_free or question.field.secret or address in step.state.values:
            continue
        if question.right:  # of a quiz the suggestion may give the answer away
            continue
        if interpreter.fields.forbidden(address) or question.match == "direct" or question.item_of:
            continue
        value = interpreter.fields.accepted(address, command.value, question)
        if not isinstance(value, Refused):
            run = replace(run, suggested={**run.suggested, address: value})
    return run


def accept_repeated_texts(run: FormRun, commands: Commands) -> Commands:
    """Return the commands; a text that repeats the value suggested at the open question is no longer doubtful.
    The user says it again instead of yes.
    """
    return tuple([replace(one, objection="") if _is_suggested(one, run) else one for one in commands])


def _is_suggested(command: AnyCommand, run: FormRun) -> bool:
    if not isinstance(command, Set) or command.objection != "doubtful":
        return False
    return command.field == run.asked and bool(run.suggested.get(run.asked) == command.value)
