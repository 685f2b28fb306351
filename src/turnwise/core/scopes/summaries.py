"""The summary that a model writes of a scope: when it is asked for, the request, and the text that is kept."""

from __future__ import annotations

from msgspec.json import encode

from turnwise.core.addresses import local_name
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.machine import Machine
from turnwise.core.scopes import WITHOUT_RESULT, env_at_outcome
from turnwise.core.state import State
from turnwise.core.turn import StepBuilder, TextRefused
from turnwise.core.values import REDACTED

_CUT = "…"


def is_by_model(step: StepBuilder, outcome: str) -> bool:
    """Return whether a model writes the summary of the scope in charge, in place of its template.
    After a failure, at the limit of calls in a turn, and where the instructions require a value that is missing, it
    does not.
    """
    opened = step.state.frame.scope
    assert opened is not None
    prompt = step.machine.scopes[opened.name].summary_prompt
    if prompt is None or outcome == "failed" or step.doing.model_calls >= step.machine.flow.limits.model_calls:
        return False
    try:
        step.fill(
            prompt, env_at_outcome(step.state, outcome), of=f"the prompt for the summary of '{local_name(opened.name)}'"
        )
    except TextRefused as refusal:
        step.warn("summary_failed", refusal.fault.message)
        return False
    return True


def summary_text(step: StepBuilder, reply: str) -> str:
    """Return a model's summary as it is stored: one line, cut to `limits.summary_chars`."""
    most, line = step.machine.flow.limits.summary_chars, " ".join(reply.split())
    if len(line) <= most:
        return line
    step.warn("summary_failed", f"the summary is longer than {most:,} characters (summary_chars), so it was cut")
    head = line[: most - len(_CUT)]
    return (head.rpartition(" ")[0] or head) + _CUT


def summary_instructions(machine: Machine, state: State, outcome: str) -> tuple[str, ...]:
    """Return the instructions to a model for the summary of the scope in charge.
    They are those of its author, then who reads it, and the result of the scope.
    """
    opened = state.frame.scope
    assert opened is not None
    scope = machine.scopes[opened.name]
    assert scope.summary_prompt is not None
    found = _result(machine, scope, state) if outcome not in WITHOUT_RESULT else {}
    return (
        scope.summary_prompt(env_at_outcome(state, outcome)),
        f"The conversation '{local_name(scope.name)}' is over, with the outcome '{outcome}'. Your reply is the only"
        " line of it that the agent of the conversation around it will read; the user does not see it. Write what"
        f" happened, in at most {machine.flow.limits.summary_chars} characters: address no one, ask nothing, and add"
        " nothing.",
        *((f"Its result: {encode(found).decode()}",) if found else ()),
    )


def _result(machine: Machine, scope: LinkedScope, state: State) -> dict[str, object]:
    """Return the values that a scope gives back, by field, without secrets."""
    values = {one.inside: state.values[one.inside].value for one in scope.returned if one.inside in state.values}
    return {
        name.rpartition(".")[2]: REDACTED if machine.fields[name].secret else value for name, value in values.items()
    }
