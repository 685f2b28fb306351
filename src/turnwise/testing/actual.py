"""What came out of a step, in the words in which scenarios expect it: one function per key."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from turnwise.api.open import Turn
from turnwise.core.guards.types import shown
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import Ended, Failed, State, Waiting
from turnwise.core.state.events import Entry
from turnwise.testing import calls
from turnwise.testing import model_requests as asked
from turnwise.testing.notation import read_value
from turnwise.testing.scenario import Line
from turnwise.testing.type_check import NOT_JUDGED

NOTHING = "(nothing)"


class CameOut(NamedTuple):
    """What came out of a step: its turn, and what the model was asked in it."""

    turn: Turn
    asked: tuple[ModelRequest, ...] = ()


def actual(line: Line, came_out: CameOut) -> str:
    """The value that the line should have."""
    if line.key in _OF_REQUESTS:
        return _OF_REQUESTS[line.key](came_out.asked, line)
    return _OF_TURN[line.key](came_out.turn, line)


def is_met(line: Line, came_out: CameOut) -> bool:
    """True if what came out is what the line expects."""
    match line.key:
        case "bot contains":
            return line.value in came_out.turn.text
        case "calls":
            return calls.are_met(line.value, came_out.turn)
        case "field" | "artefact":
            found = actual(line, came_out)
            return found == line.value or _contains(_parsed(found), _parsed(line.value))
        case _:
            return actual(line, came_out) == line.value


def _parsed(text: str) -> Any:
    return read_value(text)


def _contains(found: Any, expected: Any) -> bool:
    """Expected mappings may leave out keys; all else must be equal."""
    if isinstance(found, dict) and isinstance(expected, dict):
        return all(key in found and _contains(found[key], value) for key, value in expected.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return found == expected


def _bot(turn: Turn, _line: Line) -> str:
    return turn.text or NOTHING


def _bot_contains(turn: Turn, line: Line) -> str:
    return line.value if line.value in turn.text else turn.text or NOTHING


def _buttons(turn: Turn, _line: Line) -> str:
    return " | ".join(button.label for button in turn.buttons) or "none"


def _node(turn: Turn, _line: Line) -> str:
    return turn.node or NOTHING


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
    state: State | None = turn.after
    found = state.values.get(line.subject) if state is not None else None
    if found is None:
        return "inactive" if state is not None and line.subject in state.shelved else "missing"
    return found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False)


def _decision(turn: Turn, line: Line) -> str:
    """The verdict lines, of one moment or of all."""
    lines = [d.line for d in turn.decisions if line.subject in ("", d.moment)]
    return "\n".join(lines) or "none"


def _transition(turn: Turn, line: Line) -> str:
    """What became of a transition, at each time it was judged."""
    found = [d.candidate(line.subject) for d in turn.decisions]
    return ", ".join(c.outcome for c in found if c is not None) or NOT_JUDGED


def _missing(turn: Turn, line: Line) -> str:
    found = [d.candidate(line.subject) for d in turn.decisions]
    names = [name for c in found if c is not None for name in c.missing]
    return ", ".join(dict.fromkeys(names)) or "none"


def _artefact(turn: Turn, line: Line) -> str:
    made = [a.data for a in turn.artefacts if a.kind == line.subject]
    return json.dumps(made[-1], ensure_ascii=False) if made else "none"


def _events(turn: Turn, _line: Line) -> str:
    return " ".join(event_name(entry) for entry in turn.entries) or "none"


def event_name(entry: Entry) -> str:
    """The name of an event, as in the journal."""
    return str(entry.event.__struct_config__.tag)


def _warning(turn: Turn, _line: Line) -> str:
    return ", ".join(warning.code for warning in turn.warnings) or "none"


def _refused(turn: Turn, _line: Line) -> str:
    return turn.refused or "no"


def _turn(turn: Turn, _line: Line) -> str:
    return shown(turn.number)


def _calls(turn: Turn, _line: Line) -> str:
    return calls.told(turn)


def _offered(requests: tuple[ModelRequest, ...], line: Line) -> str:
    request = asked.asked(requests, line.subject)
    return asked.offered(request) if request is not None else asked.NO_CALL


def _asked(requests: tuple[ModelRequest, ...], line: Line) -> str:
    request = asked.asked(requests, line.subject)
    if request is None:
        return asked.NO_CALL
    words = asked.words(request)
    is_wanted = line.key == "asked contains"
    return line.value if (line.value in words) == is_wanted else words


_OF_REQUESTS: dict[str, Callable[[tuple[ModelRequest, ...], Line], str]] = {
    "offered": _offered,
    "asked contains": _asked,
    "asked without": _asked,
}
_OF_TURN: dict[str, Callable[[Turn, Line], str]] = {
    "bot": _bot,
    "bot contains": _bot_contains,
    "buttons": _buttons,
    "node": _node,
    "status": _status,
    "form": _form,
    "field": _field,
    "decision": _decision,
    "transition": _transition,
    "missing": _missing,
    "artefact": _artefact,
    "events": _events,
    "warning": _warning,
    "refused": _refused,
    "turn": _turn,
    "calls": _calls,
}
