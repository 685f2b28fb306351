"""The result of a step in the notation of expectations."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from turnwise.api.open import Turn
from turnwise.core.guards.types import shown
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import Ended, Failed, Waiting
from turnwise.testing.notation import are_met, calls_text, read_value
from turnwise.testing.scenario import Line
from turnwise.testing.type_check import NO_CALL, NOT_JUDGED

NOTHING = "(nothing)"


class StepResult(NamedTuple):
    """The result of a step: its turn, and the requests to the model in it."""

    turn: Turn
    requests: tuple[ModelRequest, ...] = ()


def observed(line: Line, result: StepResult) -> str:
    """Return what a step did, in the notation of an expectation line."""
    if line.key in ("offered", "asked contains", "asked without"):
        return _of_request(line, result.requests)
    return _OF_TURN[line.key](result.turn, line)


def is_met(line: Line, result: StepResult) -> bool:
    """True if the result meets the expectation line."""
    match line.key:
        case "bot contains":
            return line.value in result.turn.text
        case "calls":
            return are_met(line.value, result.turn)
        case "field" | "artefact":
            found = observed(line, result)
            return found == line.value or _contains(read_value(found), read_value(line.value))
        case _:
            return observed(line, result) == line.value


def _contains(found: Any, expected: Any) -> bool:
    """Expected mappings may leave out keys; all else must be equal."""
    if isinstance(found, dict) and isinstance(expected, dict):
        return all(key in found and _contains(found[key], value) for key, value in expected.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return found == expected


# requests to the model ---------------------------------------------------------------------------


def _of_request(line: Line, requests: tuple[ModelRequest, ...]) -> str:
    """Return the part of a request that a line names; of the last request if the line has no number."""
    place = int(line.subject) - 1 if line.subject else len(requests) - 1
    if not 0 <= place < len(requests):
        return NO_CALL
    if line.key == "offered":
        return ", ".join(spec.name for spec in requests[place].tools) or "none"
    words = request_text(requests[place])
    is_wanted = line.key == "asked contains"
    return line.value if (line.value in words) == is_wanted else words


def request_text(request: ModelRequest) -> str:
    """Return a request without its tools as text: a line for each part, message and call of the transcript."""
    missing = [f"missing: {', '.join(request.missing)}"] if request.missing else []
    parts = [*request.instructions, *missing, *request.notes, request.question, request.wording]
    for message in request.transcript:
        if message.role == "tool":
            parts.append(f"{message.tool}: {json.dumps(message.result, ensure_ascii=False)}")
            continue
        parts.append(f"{message.role}: {message.text}" if message.text else "")
        parts += [f"-> {call.tool} {json.dumps(call.arguments, ensure_ascii=False)}" for call in message.calls]
    return "\n".join(part for part in parts if part)


# turns -------------------------------------------------------------------------------------------


def _status(turn: Turn, _line: Line) -> str:
    match turn.after.status if turn.after is not None else None:
        case Waiting(what):
            return f"waiting for {what}"
        case Ended(outcome):
            return f"ended {outcome}"
        case Failed(reason, message):
            return f"failed {reason}: {message}" if message else f"failed {reason}"
        case None:
            return NOTHING


def _form(turn: Turn, _line: Line) -> str:
    run = turn.after.frame.form if turn.after is not None else None
    return run.status if run is not None else "none"


def _field(turn: Turn, line: Line) -> str:
    state = turn.after
    found = state.values.get(line.subject) if state is not None else None
    if found is None:
        return "inactive" if state is not None and line.subject in state.shelved else "missing"
    return found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False)


def _decision(turn: Turn, line: Line) -> str:
    """Return the verdict lines, of one moment or of all."""
    return "\n".join(one.line for one in turn.decisions if line.subject in ("", one.moment)) or "none"


def _transition(turn: Turn, line: Line) -> str:
    """Return the outcome of a transition for each time it was judged."""
    found = [decision.candidate(line.subject) for decision in turn.decisions]
    return ", ".join(one.outcome for one in found if one is not None) or NOT_JUDGED


def _missing(turn: Turn, line: Line) -> str:
    found = [decision.candidate(line.subject) for decision in turn.decisions]
    return ", ".join(dict.fromkeys(name for one in found if one is not None for name in one.missing)) or "none"


def _artefact(turn: Turn, line: Line) -> str:
    made = [one.data for one in turn.artefacts if one.kind == line.subject]
    return json.dumps(made[-1], ensure_ascii=False) if made else "none"


def _person(turn: Turn, _line: Line) -> str:
    """Return who is in charge, or the queue in which the conversation waits."""
    person = turn.person
    if person is None:
        return "none"
    return f"{person.operator} in charge" if person.operator else f"awaited in {person.queue}"


_OF_TURN: dict[str, Callable[[Turn, Line], str]] = {
    "bot": lambda turn, _: turn.text or NOTHING,
    "bot contains": lambda turn, line: line.value if line.value in turn.text else turn.text or NOTHING,
    "buttons": lambda turn, _: " | ".join(button.label for button in turn.buttons) or "none",
    "node": lambda turn, _: turn.node or NOTHING,
    "status": _status,
    "form": _form,
    "field": _field,
    "decision": _decision,
    "transition": _transition,
    "missing": _missing,
    "artefact": _artefact,
    "events": lambda turn, _: " ".join(str(one.event.__struct_config__.tag) for one in turn.entries) or "none",
    "warning": lambda turn, _: ", ".join(warning.code for warning in turn.warnings) or "none",
    "refused": lambda turn, _: turn.refused or "no",
    "turn": lambda turn, _: shown(turn.number),
    "calls": lambda turn, _: calls_text(turn),
    "person": _person,
}
