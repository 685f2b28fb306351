"""Declares the expectations of scenarios, each with the function that returns what a step did in the same notation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import eq
from typing import Any, NamedTuple, get_args

from turnwise.api.open import Turn
from turnwise.core.costs import used_text
from turnwise.core.guards.types import value_text
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import Ended, Failed, FormStatus, Waiting, value_at
from turnwise.core.state.events import AnyEvent, BudgetReached, CallSettled
from turnwise.core.state.kinds import ArtefactKind, RefusalCode, WarningCode
from turnwise.core.state.spending import sum_of
from turnwise.core.trace import Outcome
from turnwise.flow.model import Moment
from turnwise.testing.frame_lines import (
    NOT_OPENED,
    OUTERMOST_FRAME,
    check_offers,
    check_openings,
    check_request,
    closed_in,
    offers_text,
    open_scopes,
    opened_text,
    outcomes_of,
    request_of,
    scope_names,
)
from turnwise.testing.key_checks import (
    NO_REPLY,
    check_artefact,
    check_calls,
    check_person,
    check_status,
    known_name,
    not_empty,
    whole_number,
)
from turnwise.testing.keys import Line, ScenarioKey, Subject
from turnwise.testing.notation import NONE, calls_text, read_calls, read_value

_NOT_JUDGED = "not a candidate"
_NO_CALL = "no call"
_EVENTS = tuple(str(event.__struct_config__.tag) for event in get_args(AnyEvent))


class StepResult(NamedTuple):
    """The result of a played step."""

    turn: Turn
    """The turn of the step."""
    requests: tuple[ModelRequest, ...] = ()
    """The requests to the model in the step, in order."""
    transcripts: Mapping[str, str] = {}
    """The transcripts that the step's lines name, keyed by scope."""


_Observe = Callable[[StepResult, Line], str]


@dataclass(frozen=True, slots=True)
class Expectation(ScenarioKey):
    """A key of scenario files that compares what a step did with the text of its line."""

    observe: _Observe = field(kw_only=True)
    """Returns what a step did, as a text in the notation of the line."""
    meets: Callable[[str, str], bool] = eq
    """Returns whether what the step did meets what the line expects."""
    why: str = ""
    """The question whose answer explains an unmet expectation; empty if there is none."""
    of_state: bool = False
    """True if the key is about the state, not about texts and calls.

    So it is compared even if a model speaks in place of the script.
    """


# how an expectation is compared ------------------------------------------------------------------


def _has_value(expected: str, found: str) -> bool:
    """Return whether a value is as expected; expected mappings may leave out keys."""
    return found == expected or _contains(read_value(found), read_value(expected))


def _contains(found: Any, expected: Any) -> bool:
    if isinstance(found, dict) and isinstance(expected, dict):
        return all(key in found and _contains(found[key], value) for key, value in expected.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return found == expected


def _has_calls(expected: str, found: str) -> bool:
    """Return whether calls are as expected, in their order; expected calls may leave out arguments and ends."""
    wanted, made = read_calls(expected), read_calls(found)
    return len(wanted) == len(made) and all(one.is_met_by(other) for one, other in zip(wanted, made, strict=True))


# what a step did ---------------------------------------------------------------------------------


def _part_of_reply(step: StepResult, line: Line) -> str:
    """Return the expected part if the reply contains it, else the reply."""
    return line.value if line.value in step.turn.text else step.turn.text or NO_REPLY


def _buttons(step: StepResult, _line: Line) -> str:
    return " | ".join(button.label for button in step.turn.buttons) or NONE


def _node(step: StepResult, _line: Line) -> str:
    return step.turn.node or NO_REPLY


def _turn(step: StepResult, _line: Line) -> str:
    return value_text(step.turn.number)


def _event_names(step: StepResult, _line: Line) -> str:
    return " ".join(str(one.event.__struct_config__.tag) for one in step.turn.entries) or NONE


def _warning(step: StepResult, _line: Line) -> str:
    return ", ".join(warning.code for warning in step.turn.warnings) or NONE


def _refused(step: StepResult, _line: Line) -> str:
    return step.turn.refused or "no"


def _status(step: StepResult, _line: Line) -> str:
    """Return the status of the conversation, and why it ended or failed."""
    match step.turn.after.status if step.turn.after is not None else None:
        case Waiting(what):
            return f"waiting for {what}"
        case Ended(outcome):
            return f"ended {outcome}"
        case Failed(reason, message):
            return f"failed {reason}: {message}" if message else f"failed {reason}"
        case None:
            return NO_REPLY


def _form(step: StepResult, _line: Line) -> str:
    """Return the status of the open form."""
    run = step.turn.after.frame.form if step.turn.after is not None else None
    return run.status if run is not None else NONE


def _field(step: StepResult, line: Line) -> str:
    """Return the value of a field."""
    state = step.turn.after
    found = value_at(state.values, line.subject) if state is not None else None
    if found is None:
        return "inactive" if state is not None and line.subject in state.shelved else "missing"
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _artefact(step: StepResult, line: Line) -> str:
    """Return the data of the last artefact of a kind."""
    made = [one.data for one in step.turn.artefacts if one.kind == line.subject]
    return json.dumps(made[-1], ensure_ascii=False) if made else NONE


def _person(step: StepResult, _line: Line) -> str:
    """Return who is in charge, or the queue in which the conversation waits."""
    person = step.turn.person
    if person is None:
        return NONE
    return f"{person.operator} in charge" if person.operator else f"awaited in {person.queue}"


def _decision(step: StepResult, line: Line) -> str:
    """Return the verdict lines, of one moment or of all."""
    return "\n".join(one.line for one in step.turn.decisions if line.subject in ("", one.moment)) or NONE


def _transition(step: StepResult, line: Line) -> str:
    """Return the outcome for each time that the transition was judged."""
    found = [decision.candidate(line.subject) for decision in step.turn.decisions]
    return ", ".join(one.outcome for one in found if one is not None) or _NOT_JUDGED


def _missing(step: StepResult, line: Line) -> str:
    """Return the fields that the guard of a transition lacked."""
    found = [decision.candidate(line.subject) for decision in step.turn.decisions]
    return ", ".join(dict.fromkeys(name for one in found if one is not None for name in one.missing)) or NONE


def _offered(step: StepResult, line: Line) -> str:
    request = request_of(step.requests, line.subject)
    return _NO_CALL if request is None else ", ".join(spec.name for spec in request.tools) or NONE


def _asked(step: StepResult, line: Line) -> str:
    """Return the text of a line if the request contains it, or does not, as the line expects; else the request."""
    request = request_of(step.requests, line.subject)
    return _NO_CALL if request is None else _kept_or_not(request_text(request), line)


def _kept_or_not(words: str, line: Line) -> str:
    """Return the text of a line if some words contain it, or do not, as the line expects; else the words."""
    if (line.value in words) == line.key.endswith(" contains"):
        return line.value
    return words if words != line.value else f"{words}\n"  # a miss that does not read as a match


def _frame(step: StepResult, _line: Line) -> str:
    return (open_scopes(step.turn) or [NONE])[-1]


def _frames(step: StepResult, _line: Line) -> str:
    return " > ".join(open_scopes(step.turn)) or NONE


def _scope_outcome(step: StepResult, line: Line) -> str:
    closed = closed_in(step.turn, line.subject)
    return closed.outcome if closed is not None else NONE


def _scope_summary(step: StepResult, line: Line) -> str:
    closed = closed_in(step.turn, line.subject)
    return closed.summary if closed is not None else NONE


def _starts(step: StepResult, _line: Line) -> str:
    return " | ".join(button.label for button in step.turn.starts) or NONE


def _spent(step: StepResult, _line: Line) -> str:
    """Return what the calls of the turn used."""
    used = [one.event.used for one in step.turn.entries if isinstance(one.event, CallSettled)]
    currency = next((one.currency for one in step.turn.machine.budgets if one.currency), "")
    return used_text(sum_of(used), currency)


def _limit(step: StepResult, _line: Line) -> str:
    """Return the budgets that were reached, and what was done."""
    found = [one.event for one in step.turn.entries if isinstance(one.event, BudgetReached)]
    return ", ".join(f"{one.budget}: {one.then}" for one in found) or NONE


def _transcript(step: StepResult, line: Line) -> str:
    words = step.transcripts.get(line.subject, NOT_OPENED)
    return words if words == NOT_OPENED else _kept_or_not(words, line)


def _overlays(step: StepResult, _: Line) -> str:
    overlays = step.turn.state.overlays
    return ", ".join(overlays.active if overlays is not None else ()) or NONE


def request_text(request: ModelRequest) -> str:
    """Return a request as text without its tools: a line for each part, message and call of the transcript."""
    missing = [f"missing: {', '.join(request.missing)}"] if request.missing else []
    parts = [*request.instructions, *missing, *request.notes, request.question, request.wording]
    for message in request.transcript:
        if message.role == "tool":
            parts.append(f"{message.tool}: {json.dumps(message.result, ensure_ascii=False)}")
            continue
        parts.append(f"{message.role}: {message.text}" if message.text else "")
        parts += [f"-> {call.tool} {json.dumps(call.arguments, ensure_ascii=False)}" for call in message.calls]
    return "\n".join(part for part in parts if part)


# the expectations --------------------------------------------------------------------------------

_FIELD = Subject("NAME", known_name("field", of=lambda machine: machine.fields))
_MOMENT = Subject("[MOMENT]", known_name("moment", *get_args(Moment)))
_TRANSITION = Subject("ID", known_name("transition", of=lambda machine: machine.transitions()))
_ARTEFACT = Subject("KIND", known_name("artefact", *get_args(ArtefactKind)))
_REQUEST = Subject("[NUMBER or SCOPE]", check_request)
_SCOPE = Subject("[SCOPE]", known_name("scope", of=scope_names))
_TRANSCRIPT = Subject("[SCOPE]", known_name("scope", OUTERMOST_FRAME, of=scope_names))

_a_node = known_name("node", of=lambda machine: machine.nodes)
_a_form_status = known_name("status of a form", NONE, *get_args(FormStatus))
_a_refusal = known_name("refusal", "no", *get_args(RefusalCode))
_outcomes = known_name("outcome", _NOT_JUDGED, *get_args(Outcome), separator=",")
_fields = known_name("field", NONE, of=lambda machine: machine.fields, separator=",")
_events = known_name("event", NONE, *_EVENTS, separator=" ")
_tools = known_name("tool", NONE, _NO_CALL, of=lambda machine: sorted(machine.names.tools), separator=",")
_warnings = known_name("warning", NONE, *get_args(WarningCode), separator=",")
_frame_name = known_name("scope", NONE, of=scope_names)
_stack = known_name("scope", NONE, of=scope_names, separator=">")
_outcome = known_name("outcome of a scope", NONE, of=outcomes_of)
_overlays_known = known_name("overlay", NONE, of=lambda machine: machine.overlays, separator=",")
_some_text = not_empty("every text contains nothing; write what must be in it")

_OVERLAYS = "those that were active in the last turn, the lowest priority number first; `none`"
_OUTCOME = "its outcome: `taken` (also if the move is made with the next message), `false`, `unknown`, `outranked`, …"
_STATUS = "`waiting for button`, `ended OUTCOME`, `failed REASON`"
_VALUE = "its value, `missing`, or `inactive`"
_DATA = "its data; keys may be left out"
_PERSON = "`awaited in QUEUE`, `Lena in charge`, or `none`"
_SPENT = "what the calls of the turn used: `60 tokens and 0.0007 USD`; `nothing`"
_LIMIT = "the budgets that were reached, and what was done: `money per day: ask`; `none`"
_DECISION = "the verdict lines, of all moments or of one: `decision before`"
_CALLS = "every tool call, one per line: the tool, its arguments, its result; `none`"
_OFFERED = (
    "the tools that the last request to the model offered, or the numbered one of the step, or the last one in a scope "
    "(`.`: outside of all); `none`, or `no call`"
)
_STACK = "all scopes that are open, the outermost first: `quiz > quiz/rest`; `none`"
_OPENED = "the scopes that were opened, and by whom: `survey by user`, `quiz by call`, …; `none`"
_OFFERS = "the scopes that are offered: `survey open`, `survey waiting`, or `survey passed`; `none`"
_TRANSCRIPT_OF = (
    "a text that the transcript of the scope contains; of `.` what is outside of all; else of all that was said"
)
_ASKED = "a text that this request contains (instructions, notes, transcript)"

_DECLARED = (
    Expectation("bot", f"the whole reply; `{NO_REPLY}` for none", observe=lambda step, _: step.turn.text or NO_REPLY),
    Expectation("bot contains", "a part of the reply", _some_text, observe=_part_of_reply),
    Expectation("buttons", "their labels, ` | ` between them; `none`", observe=_buttons, of_state=True),
    Expectation("node", "the current node", _a_node, observe=_node, why="node {value}", of_state=True),
    Expectation("status", _STATUS, check_status, observe=_status, why="the conversation", of_state=True),
    Expectation("form", "the status of the form; `none`", _a_form_status, observe=_form, why="the form", of_state=True),
    Expectation("field", _VALUE, None, _FIELD, observe=_field, meets=_has_value, why="field {subject}", of_state=True),
    Expectation("decision", _DECISION, None, _MOMENT, observe=_decision),
    Expectation("transition", _OUTCOME, _outcomes, _TRANSITION, observe=_transition, why="transition {subject}"),
    Expectation("missing", "the fields that its guard lacked", _fields, _TRANSITION, observe=_missing),
    Expectation("artefact", _DATA, check_artefact, _ARTEFACT, observe=_artefact, meets=_has_value, of_state=True),
    Expectation("events", "the names of the turn's events", _events, observe=_event_names),
    Expectation("calls", _CALLS, check_calls, observe=lambda step, _: calls_text(step.turn), meets=_has_calls),
    Expectation("offered", _OFFERED, _tools, _REQUEST, observe=_offered),
    Expectation("asked contains", _ASKED, _some_text, _REQUEST, observe=_asked),
    Expectation("asked without", "a text that it does not contain", _some_text, _REQUEST, observe=_asked),
    Expectation("warning", "codes of warnings; `none`", _warnings, observe=_warning, of_state=True),
    Expectation("refused", "the code of the refusal; `no`", _a_refusal, observe=_refused, of_state=True),
    Expectation("turn", "the number of the turn", whole_number("number of a turn"), observe=_turn, of_state=True),
    Expectation("frame", "the scope in charge; `none`", _frame_name, observe=_frame, why="node {value}", of_state=True),
    Expectation("frames", _STACK, _stack, observe=_frames, of_state=True),
    Expectation("opened", _OPENED, check_openings, observe=lambda step, _: opened_text(step.turn), of_state=True),
    Expectation(
        "scope outcome", "with what it was closed; `none`", _outcome, _SCOPE, observe=_scope_outcome, of_state=True
    ),
    Expectation("scope summary", "what stays of it; `none`", None, _SCOPE, observe=_scope_summary),
    Expectation("offers", _OFFERS, check_offers, observe=lambda step, _: offers_text(step.turn), of_state=True),
    Expectation("starts", "the buttons that begin scopes, as in `buttons`", observe=_starts, of_state=True),
    Expectation("transcript contains", _TRANSCRIPT_OF, _some_text, _TRANSCRIPT, observe=_transcript),
    Expectation("transcript without", "a text that it does not contain", _some_text, _TRANSCRIPT, observe=_transcript),
    Expectation("overlays", _OVERLAYS, _overlays_known, observe=_overlays, why="overlay {value}", of_state=True),
    Expectation("spent", _SPENT, observe=_spent),
    Expectation("limit", _LIMIT, observe=_limit, why="limit {value}"),
    Expectation("person", _PERSON, check_person, observe=_person, why="the person", of_state=True),
)
TRANSCRIPTS = ("transcript contains", "transcript without")
"""The keys that need a transcript."""
EXPECTATIONS: Mapping[str, Expectation] = {one.name: one for one in _DECLARED}
"""Every expectation, by its key."""


def observed(line: Line, step: StepResult) -> str:
    """Return what a step did, in the notation of the expectation line."""
    return EXPECTATIONS[line.key].observe(step, line)


def is_met(line: Line, step: StepResult) -> bool:
    """Return whether a step did what the expectation line expects."""
    return EXPECTATIONS[line.key].meets(line.value, observed(line, step))
