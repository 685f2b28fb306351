"""Accepts or refuses an event from outside (law 3.1). A refused event changes nothing."""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec.json import Decoder, encode
from msgspec.structs import replace

from turnwise.core.candidates import APPROVAL_DEADLINE, PERSON_TIMEOUT
from turnwise.core.decision.faults import RefusedCall
from turnwise.core.external_events import HELD_EVENT, checked_event
from turnwise.core.forms import buttons, is_question_asked
from turnwise.core.machine import Machine
from turnwise.core.schedules.firing import refuse
from turnwise.core.scopes import IDLE_TIMER
from turnwise.core.state import Ended, State, Waiting
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.proposals import open_offer
from turnwise.core.step.approving import refuse_decisions
from turnwise.core.step.begin_buttons import begun_by
from turnwise.core.step.person import refuse_given_back, refuse_operator, refuse_taken_over, refuse_unknown
from turnwise.core.tools import consent
from turnwise.core.tools.check_call import reported_arguments, too_long
from turnwise.core.turn import Refusal
from turnwise.core.values.json_data import NotJson, dump_model, repair
from turnwise.core.values.nesting import MOST_STORED, TOO_DEEP, is_text_too_deep
from turnwise.flow.diagnostic import LONGEST_SHOWN, nearest, nearest_name
from turnwise.flow.late_pattern import late_pattern

_CONTROL = late_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_Host = (
    e.Commands
    | e.ToolUsed
    | e.TimerFired
    | e.ScheduleDue
    | e.EventReceived
    | e.Continued
    | e.CallsDecided
    | e.UndoAsked
    | e.TakenOver
    | e.OperatorSaid
    | e.GivenBack
)
MOST_COMMANDS = 1000
"""How many commands an event may have (`commands`)."""
LONGEST_NAME = 100
"""How many characters the name of an operator or of an outcome may have."""


@cache
def _host_events() -> Decoder[_Host]:
    return Decoder(_Host)


def admit(machine: Machine, state: State | None, event: e.OutsideEvent) -> e.OutsideEvent | Refusal:
    """Return an event from outside in the form in which it is recorded, or its refusal."""
    if state is None and _needs_conversation(event):
        return Refusal("unknown_conversation", f"{_NOT_BEGUN}; {_BEGINNING}")
    if state is not None and state.doing is not None:
        return Refusal("busy", machine.language.text("busy"))
    if state is not None and type(state.status) is Ended and not isinstance(event, e.UndoAsked):
        return Refusal("conversation_ended", machine.language.text("conversation_ended"))
    if isinstance(event, e.UserSaid):
        cleaned = _text(machine, event.text)
        return e.UserSaid(cleaned, event.is_new and _counts(state)) if isinstance(cleaned, str) else cleaned
    if isinstance(event, e.UserChose):
        cleaned = _text(machine, event.value)
        if not isinstance(cleaned, str):
            return cleaned
        return _chose(machine, state, e.UserChose(cleaned, event.position, event.is_new and _counts(state)))
    kept = _as_kept(event)
    return kept if isinstance(kept, Refusal) else _host(machine, state, kept)


TIMED_EVENTS: Final = frozenset((e.TimerFired, e.ScheduleDue))
"""The classes of the events that the clock causes: of timers and schedules."""


def is_early(event: e.OutsideEvent, at_ms: int) -> bool:
    """Return whether a timer or schedule fires before its time, as when a clock was set back meanwhile."""
    match event:
        case e.TimerFired(due_ms=due_ms) | e.ScheduleDue(at_ms=due_ms):
            return due_ms is not None and due_ms > at_ms
        case _:
            return False


def _counts(state: State | None) -> bool:
    """True if it decides something that an event may answer a question which no caller received."""
    return state is not None and state.may_question_be_unseen


_NOT_BEGUN = "this conversation has not begun"
_BEGINNING = "a start, a message, a button without a position, commands or the use of a tool would begin it"


def _needs_conversation(event: e.OutsideEvent) -> bool:
    """True for what only means something in a conversation that has begun."""
    match event:
        case e.TimerFired() | e.ScheduleDue() | e.EventReceived() | e.UndoAsked() | e.Continued() | e.CallsDecided():
            return True
        case e.TakenOver() | e.OperatorSaid() | e.GivenBack():
            return True
        case e.UserChose(position=position):
            return position is not None
        case _:
            return False


def _text(machine: Machine, text: str) -> str | Refusal:
    """Return a text as it will be recorded: not too long, not empty, without control characters."""
    limit = machine.flow.limits.message_chars
    text = text.strip() if text.isascii() else repair(text.strip()).data
    if len(text) > limit:
        words = machine.language.text("message_too_long", found=f"{len(text):,}", allowed=f"{limit:,}")
        return Refusal("message_too_long", words)
    cleaned = text if text.isprintable() else _CONTROL.sub("", text).strip()
    return cleaned or Refusal("message_empty", machine.language.text("message_empty"))


def _as_kept(event: _Host) -> _Host | Refusal:
    """Return an event of the host as the journal will give it back; what is no JSON data is refused."""
    try:
        kept = encode(event, enc_hook=dump_model)
        if is_text_too_deep(kept, MOST_STORED):
            return Refusal("not_json", f"this event cannot be kept: {TOO_DEEP}")
        return _host_events().decode(kept)
    except (NotJson, TypeError, ValueError, OverflowError, RecursionError) as error:
        return Refusal("not_json", f"this event cannot be kept: {error}")


def _host(machine: Machine, state: State | None, event: _Host) -> _Host | Refusal:
    match event:
        case e.Commands(commands):
            return _commands(machine, commands) or event
        case e.ToolUsed():
            return _tool(machine, event)
        case e.TimerFired(timer):
            return _timer(machine, timer) or event
        case e.ScheduleDue():
            assert state is not None, "schedules are due in a conversation that has begun"
            return refuse(machine, state, event) or replace(event, by=_line(event.by))
        case e.EventReceived():
            assert state is not None, "an event comes to a conversation that has begun"
            found = checked_event(machine, state, event)
            return replace(found, by=_line(event.by)) if isinstance(found, e.EventReceived) else found
        case e.Continued():
            return event if awaits_continuation(state) else Refusal("not_going_on", "nothing goes on by itself here")
        case e.CallsDecided():
            assert state is not None, "calls wait in a conversation that has begun"
            return refuse_decisions(machine, state, event) or replace(event, by=_line(event.by))
        case e.UndoAsked(to):
            return _turn(state.turn if state is not None else 0, to) or event
        case e.TakenOver() | e.OperatorSaid() | e.GivenBack():
            assert state is not None, "a person takes part in a conversation that has begun"
            return _operator(machine, state, event)


CONTINUATION_TIMER: Final = "continuation"
"""What an autonomous flow waits for between two turns that it starts itself."""
MACHINE_TIMERS: Final = (CONTINUATION_TIMER, PERSON_TIMEOUT, APPROVAL_DEADLINE, IDLE_TIMER, HELD_EVENT)
"""The names of the timers of the machine itself, which belong to no transition of the flow."""


def awaits_continuation(state: State | None) -> bool:
    """Return whether an autonomous flow is to continue by itself (law 2.8)."""
    return state is not None and isinstance(state.status, Waiting) and state.status.what == CONTINUATION_TIMER


def _chose(machine: Machine, state: State | None, event: e.UserChose) -> e.UserChose | Refusal:
    """A button that is offered now, or one that was: the turn will say that it is stale."""
    if state is None or state.frame.person is not None or begins_scope(machine, state, event) is not None:
        return event
    if is_stale(machine, state, event):
        return event
    offered = offered_now(machine, state)
    if not offered:
        return Refusal("unknown_button", machine.language.text("nothing_offered"))
    if buttons.button_with(offered, event.value) is None:
        shown = event.value[:60]
        alike = nearest_name(shown, [button.label for button in offered])
        hint = machine.language.text("button_alike", label=alike) if alike else ""
        text = machine.language.text("button_unknown", value=shown)
        return Refusal("unknown_button", f"{text} {hint}".rstrip())
    return event


def offered_now(machine: Machine, state: State) -> tuple[e.Button, ...]:
    """Return the buttons that the user may press now."""
    if state.frame.awaiting_approval is not None or (state.spending is not None and state.spending.asked):
        return consent.answer_buttons(machine.language)
    if state.offers and open_offer(state) is not None:
        return buttons.suggestion_buttons(machine.language)
    form, run = machine.nodes[state.frame.node].form, state.frame.form
    return buttons.form_buttons(machine, state, form) if form is not None and run is not None else ()


def begins_scope(machine: Machine, state: State, event: e.UserChose) -> c.Start | None:
    """Return the command of a button press that begins a scope; `None` for any other press, also for that of a button
    which an earlier question offered at its position.
    """
    if not machine.flow.commands.start and not state.offers:
        return None
    is_closed = is_stale(machine, state, event)
    if is_closed and event.position is not None:
        return None
    return begun_by(machine, state, event.value, () if is_closed else offered_now(machine, state))


def is_stale(machine: Machine, state: State, event: e.UserChose) -> bool:
    """Return whether the question that offered the pressed button is no longer open."""
    question = state.frame.question
    is_asked = state.spending is not None and bool(state.spending.asked)
    if (state.frame.awaiting_approval is not None or is_asked) and question is not None:
        return event.position is not None and not question.first <= event.position <= question.last
    if state.offers and open_offer(state) is not None and question is not None:
        return event.position is not None and not question.first <= event.position <= question.last
    run = state.frame.form
    if run is None or machine.nodes[state.frame.node].form is None or run.status in ("confirmed", "handed_off"):
        return True
    if run.status == "cancelled":
        return event.position is not None and question is not None and event.position < question.first
    if question is None or not is_question_asked(run, state):
        return True
    return event.position is not None and not question.first <= event.position <= question.last


def _commands(machine: Machine, commands: tuple[c.AnyCommand, ...]) -> Refusal | None:
    """Commands of which each names a field that there is not: a slip of the host. Where only some do, they are
    refused in the turn, and the others applied (law 7.1).
    """
    if len(commands) > MOST_COMMANDS:
        return Refusal("arguments", f"there are {len(commands):,} commands, and {MOST_COMMANDS} are allowed (commands)")
    fields = [getattr(command, "field", "") for command in commands]
    unknown = [field for field in fields if field and field not in machine.fields]
    if not unknown or len(unknown) < len(fields):
        return None
    return refuse_unknown(machine, unknown)


def _tool(machine: Machine, event: e.ToolUsed) -> e.ToolUsed | Refusal:
    """Check a tool use that the host reports: the flow declares the tool, and the tool takes the arguments."""
    tool = machine.tools.get(event.tool)
    if tool is None:
        hint = nearest(event.tool, machine.tools)
        return Refusal("unknown_tool", f"no tool is called '{event.tool[:LONGEST_SHOWN]}'; {hint}".rstrip("; "))
    arguments = reported_arguments(tool, event.arguments, machine.rules)
    if isinstance(arguments, RefusedCall):
        return Refusal("arguments", f"'{event.tool}' was not used so: {arguments.text}")
    wrong = too_long(len(encode(event.result)), machine.flow.limits.result_chars)
    if wrong:
        return Refusal("result_too_long", wrong)
    return e.ToolUsed(event.tool, arguments, event.result)


def _operator(machine: Machine, state: State, event: e.TakenOver | e.OperatorSaid | e.GivenBack) -> _Host | Refusal:
    """An act of an operator, with their name; refused where another person is in charge (law 6.10)."""
    name = _line(event.operator)
    if isinstance(event, e.TakenOver):
        before, display = _line(event.instead_of), _line(event.display)
        refused = refuse_taken_over(state, name, before)
        shown = display if display != name else ""
        return refused or e.TakenOver(name, _shortened(machine, event.reason), before, shown)
    refused = refuse_operator(state, name)
    if refused is not None:
        return refused
    assert state.frame.person is not None, "an operator in charge is a person"
    name, display = state.frame.person.operator, state.frame.person.display
    if isinstance(event, e.OperatorSaid):
        text = _text(machine, event.text)
        return e.OperatorSaid(text, name, display) if isinstance(text, str) else text
    outcome, reason = _line(event.outcome), _shortened(machine, event.reason)
    event = replace(event, outcome=outcome, reason=reason, operator=name, display=display)
    return refuse_given_back(machine, state, event) or event


def _line(text: str) -> str:
    """A name as it is recorded: one line without control characters, cut to a limit."""
    return " ".join(_CONTROL.sub("", text).split())[:LONGEST_NAME]


def _shortened(machine: Machine, text: str) -> str:
    return _CONTROL.sub("", text).strip()[: machine.rules.max_chars]


def _timer(machine: Machine, timer: str) -> Refusal | None:
    """A timer of the host is a transition of the flow, of whatever node (law 2.15), or the wait for a person."""
    known = machine.transitions("timer")
    if timer in known or timer in (PERSON_TIMEOUT, APPROVAL_DEADLINE, IDLE_TIMER, HELD_EVENT):
        return None
    is_other, shown = timer in machine.transitions(), timer[:LONGEST_SHOWN]
    problem = f"'{shown}' is a transition that no timer fires" if is_other else f"no timer is called '{shown}'"
    names = [*known, *machine.schedules]
    hint = nearest(timer, names) if names else "the flow has no timers"
    return Refusal("unknown_timer", f"{problem}; {hint}".rstrip("; "))


def _turn(last: int, to: int | None) -> Refusal | None:
    """Nothing goes back to a turn that has not been (law 6.9)."""
    if to is None or 1 <= to <= last:
        return None
    return Refusal("unknown_turn", f"there is no turn {to} to go back to; there are 1 to {last}")
