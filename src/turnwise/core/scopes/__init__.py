"""Opens and closes scopes: pushes a frame on the stack or removes it, with its input and its result (laws 6.1 to 6.4).

What the conversation does next is decided in `core.decision`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.addresses import ROOT, local_name
from turnwise.core.guards import Env
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.machine import Machine
from turnwise.core.state import Fault, FieldValue, OpenedBy, State
from turnwise.core.state.events import FieldCleared, FieldSet, KeptWords, QuestionsFixed, ScopeClosed, ScopeOpened
from turnwise.core.turn import StepBuilder, TextRefused
from turnwise.core.values.schema import is_needed
from turnwise.flow.addresses import answer_address
from turnwise.flow.model import Field

IDLE_TIMER: Final = "scope idle"
"""The name of the timer that closes a scope in which nothing is said. No transition can have this name."""

WITHOUT_RESULT = frozenset(("cancelled", "limit", "timeout", "failed"))
"""The outcomes after which the records outside keep what they had."""

Obstacle = Literal["already_open", "frames", "closed_now", "held", "person"]
"""Why a scope cannot be opened now."""


class Opening(Struct, frozen=True):
    """How a scope is opened: by whom, by which transition or call, and with which input."""

    scope: str
    """The address of the scope."""
    by: OpenedBy
    """Who opens the scope."""
    input: Mapping[str, Any] = {}
    """The input of the scope, by field address."""
    transition: str = ""
    """The transition that opens the scope; empty if none does."""
    call: str = ""
    """The id of the model's call that opens the scope; empty if none does."""
    tool: str = ""
    """The tool that opens the scope; empty if none does."""
    note: str = ""
    """The text that the transition passes to the model inside; empty if none."""


def why_not_opened(machine: Machine, state: State, scope: str) -> Obstacle | None:
    """Return why a scope cannot be opened now; `None` if it can be opened."""
    frame, doing, most = state.frame, state.doing, machine.flow.limits.frames
    if is_open(state, scope):
        return "already_open"
    if frame.waiting_calls:
        return "held"
    if frame.person is not None:
        return "person"
    if doing is not None and scope in doing.closed_scopes:
        return "closed_now"
    opened = doing.opened if doing is not None else 0
    return "frames" if len(state.frames) >= most or opened >= most else None


def is_open(state: State, scope: str) -> bool:
    """Return whether a scope is open; the outermost conversation (empty name) always is."""
    return scope == ROOT or any(one.scope is not None and one.scope.name == scope for one in state.frames)


def continues_after_scope(state: State) -> bool:
    """Return whether the node in charge continues in this turn after a closed scope or a declined offer.
    Otherwise it was entered anew.
    """
    doing = state.doing
    if doing is None or state.frame.entered_turn == state.turn:
        return False
    return doing.has_declined or bool(doing.closed_scopes)


def refusal_code(why: Obstacle) -> Literal["already_open", "cannot_open"]:
    """Return the code with which a command or call that would open a scope is refused."""
    return "already_open" if why == "already_open" else "cannot_open"


def obstacle_text(why: Obstacle, scope: str, machine: Machine) -> str:
    """Return in a sentence why (`why`) a scope cannot be opened."""
    name = local_name(scope)
    match why:
        case "already_open":
            return f"'{name}' is open already"
        case "held":
            return f"'{name}' cannot begin while a call waits for approval"
        case "person":
            return f"'{name}' cannot begin while a person takes part"
        case "closed_now":
            return f"'{name}' was closed in this turn, and begins again with the next message at the earliest"
        case "frames":
            return f"frames: {machine.flow.limits.frames} at a time and in one turn, with the conversation itself"


def push(step: StepBuilder, opening: Opening) -> Fault | None:
    """Open a scope with its input and copies of the records that it takes; return the failure if input is missing, else
    `None`.
    """
    scope, doing = step.machine.scopes[opening.scope], step.doing
    message = doing.seq if scope.takes_message and doing.kind in ("said", "chose") else 0
    note = opening.note or (step.state.frame.note if opening.by == "node" else "")
    parts = (opening.by, opening.transition, message, opening.call, opening.tool, note)
    step.emit(ScopeOpened(scope.name, scope.start, *parts))
    for address, field in scope.input.items():
        value = opening.input.get(address, field.default)
        if value is not None:
            step.emit(FieldSet(address, value, "scope"))
        elif is_needed(field):
            return _without_input(scope, address, field)
    for copied in scope.copied_in:
        _copy(step, copied.inside, copied.outside, step.state)
    if step.state.question_lists or step.state.option_lists:
        step.speak()
    return None


def lacking_input(machine: Machine, opening: Opening) -> Fault | None:
    """Return the failure if a required input of a scope is missing; `None` if there is none missing."""
    scope = machine.scopes[opening.scope]
    for address, field in scope.input.items():
        if opening.input.get(address, field.default) is None and is_needed(field):
            return _without_input(scope, address, field)
    return None


def _without_input(scope: LinkedScope, address: str, field: Field) -> Fault:
    what = f"the scope '{local_name(scope.name)}' needs the input '{field.name}', which has no value"
    return Fault("write", what, subject=address)


def _copy(step: StepBuilder, address: str, source: str, state: State) -> None:
    """Copy the value that a field has in a state. Answers to questions that are data take these along."""
    questions = (state.question_lists or {}).get(source)
    if questions is not None:
        if address in step.state.values:
            step.emit(FieldCleared(address, "scope"))
        step.emit(QuestionsFixed(address, questions.source, questions.node, questions.items))
        answers = [(one.id, state.values.get(answer_address(source, one.id))) for one in questions.items]
        for id_, answer in answers:
            _copy_value(step, answer_address(address, id_), answer)
        if any(answer is not None for _, answer in answers):
            return
    _copy_value(step, address, state.values.get(source))


def _copy_value(step: StepBuilder, address: str, found: FieldValue | None) -> None:
    if found is not None:
        step.emit(FieldSet(address, found.value, "scope", found.confidence, place=found.place))


def pop(step: StepBuilder, outcome: str, written: str = "") -> LinkedScope:
    """Close the scope in charge; put its summary and results into the frame around it, and return the scope.
    The summary is `written` by a model, or by its template.
    """
    opened = step.state.frame.scope
    assert opened is not None
    scope = step.machine.scopes[opened.name]
    inside = step.state
    summary = written or _summary(step, scope, outcome)
    kept_words = KeptWords(step.state.frame.id, scope.keep_ms) if scope.keep_ms is not None else None
    closed = ScopeClosed(opened.name, outcome, summary, opened.by, opened.call, opened.tool, bool(written), kept_words)
    step.emit(closed, frame=step.state.outer[-1].id)
    returned = () if scope.target_list else scope.returned
    for one in returned if outcome not in WITHOUT_RESULT else ():
        if one.inside in inside.values:
            _copy(step, one.outside, one.inside, inside)
        elif one.outside in step.state.values:
            step.emit(FieldCleared(one.outside, "scope"))
    if inside.question_lists or inside.option_lists:
        step.speak()
    return scope


def _summary(step: StepBuilder, scope: LinkedScope, outcome: str) -> str:
    """Return what stays of a scope: its summary, else its name and outcome."""
    default = f"{local_name(scope.name)}: {outcome}"
    if scope.summary is None:
        return default
    try:
        of = f"the summary of '{local_name(scope.name)}'"
        return " ".join(step.fill(scope.summary, env_at_outcome(step.state, outcome), of=of).split()) or default
    except TextRefused:
        return default


def env_at_outcome(state: State, outcome: str) -> Env:
    """Return the environment for the texts of a scope that closes with an outcome."""
    state = replace(state, doing=replace(state.current, scope_outcome=outcome))
    return Env(state.values, state)


def limit_reached(step: StepBuilder) -> bool:
    """Return whether the open scope has used up its limit of user turns or tokens."""
    opened = step.state.frame.scope
    if opened is None:
        return False
    scope = step.machine.scopes[opened.name]
    has_turns = scope.turns is not None and opened.turns >= scope.turns and opened.turn != step.number
    return has_turns or (scope.tokens is not None and opened.tokens >= scope.tokens)
