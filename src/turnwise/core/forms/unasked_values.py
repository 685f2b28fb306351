"""Suggests values that a model understood for other questions than the open one, and that the message does not name.

They are not stored: when its question comes, the user is asked whether the value is right (law 7.1a).
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.forms import AT_REST, is_answered
from turnwise.core.forms.direct import Commands
from turnwise.core.forms.interpreter import FormInterpreter
from turnwise.core.state import FormRun
from turnwise.core.state.commands import Set
from turnwise.core.values import Refused


def suggested(interpreter: FormInterpreter, commands: Commands) -> FormRun:
    """Return the run of a form with the refused values that its coming questions suggest, each if its field accepts it.
    A secret is never suggested, nor an answer to a question that has right ones, and no field that has an answer or a
    suggestion.
    """
    run, step = interpreter.run, interpreter.step
    if run.status in AT_REST:
        return run
    for command in commands:
        if command.objection != "not_named" or not isinstance(command, Set):
            continue
        address, question = command.field, interpreter.form.by_address.get(command.field)
        is_open = question is not None and address not in (*run.suggested, *step.state.values, run.asked)
        if question is None or not is_open or question.field.secret or is_answered(run, step.state, address):
            continue
        if question.right:  # of a quiz the suggestion may give the answer away
            continue
        if interpreter.fields.forbidden(address) or question.match == "direct" or question.item_of:
            continue
        value = interpreter.fields.accepted(address, command.value, question)
        if not isinstance(value, Refused):
            run = replace(run, suggested={**run.suggested, address: value})
    return run
