"""What a list shows of a conversation, from its state."""

from __future__ import annotations

from typing import Literal, cast

from msgspec.structs import replace

from turnwise.archive.activity import activities_of
from turnwise.archive.activity_words import LANGUAGES
from turnwise.archive.conversation_names import conversation_name, flow_title, title_of_node
from turnwise.core.decision.judge import ERROR
from turnwise.core.explain.decision import disagreement
from turnwise.core.machine import Machine
from turnwise.core.secrets import secret_values, without_values
from turnwise.core.state import Ended, Failed, State, Waiting
from turnwise.core.state.events import Decided
from turnwise.core.step.receive import CONTINUATION_TIMER
from turnwise.flow.model import Moment
from turnwise.runner.ports import Store
from turnwise.server.wire.conversations import ConversationSummary, NextSchedule, PersonView, Status, TimerView

_USER = frozenset({"user", "message", "button"})
Mark = Literal["code_differs", "guard_error", "fork", "other_version"]
"""What a list points out about a conversation."""
MOST_DECISIONS = 8
"""How many decisions are looked at for the marks of a conversation: the last one of each moment."""


async def summary_of_stored(
    store: Store, conversation: str, state: State, machine: Machine, current: Machine, *, snippet: str = ""
) -> ConversationSummary:
    """Return the summary of a stored conversation, with the marks of its last decisions. `machine` is its flow version,
    `current` that of new conversations; `snippet` is the part of a message that a search found, or of the last message.
    """
    found = await decision_marks(store, conversation, state, machine)
    name = await conversation_name(store, conversation, state, machine)
    return summary_of(conversation, state, machine, current, marks=found, snippet=snippet, name=name)


async def decision_marks(store: Store, conversation: str, state: State, machine: Machine) -> tuple[Mark, ...]:
    """Return what a list points out about the last turn with decisions: a guard in error, or mirrors that disagree with
    the code.
    """
    positions = sorted(state.decided.values())[-MOST_DECISIONS:]
    entries = [one for one in (await store.at(conversation, positions)).values() if isinstance(one.event, Decided)]
    last = max((entry.turn for entry in entries), default=0)
    decided = [cast("Decided", entry.event) for entry in entries if entry.turn == last]
    found: list[Mark] = []
    if any(ERROR in one.outcomes for one in decided):
        found.append("guard_error")
    if any(_differs(machine, one) for one in decided):
        found.append("code_differs")
    return tuple(found)


def _differs(machine: Machine, decided: Decided) -> bool:
    if decided.node not in machine.nodes:  # the conversation was carried to another version since
        return False
    candidates = machine.candidates(decided.node, cast("Moment", decided.moment))
    return len(candidates.all) == len(decided.outcomes) and disagreement(candidates, decided) is not None


def summary_of(
    conversation: str,
    state: State,
    machine: Machine,
    current: Machine,
    *,
    marks: tuple[Mark, ...] = (),
    snippet: str = "",
    name: str = "",
) -> ConversationSummary:
    """Return the summary of a conversation. `machine` is its flow version, `current` that of new conversations. `marks`
    are those of its decisions, `snippet` is the part of a message to show, `name` is what people call it.
    """
    owner, colon, _ = conversation.partition(":")
    waiting = state.status if isinstance(state.status, Waiting) else None
    if state.is_bound:
        marks = (*marks, "fork")
    if state.fingerprint != current.fingerprint:
        marks = (*marks, "other_version")
    return ConversationSummary(
        *(conversation, state.flow, state.version, _status(state), state.node, state.turn, state.seq, state.at_ms),
        waits_for=waiting.what if waiting is not None else "",
        since_ms=waiting.since_ms if waiting is not None else state.at_ms,
        outcome=state.status.outcome if isinstance(state.status, Ended) else "",
        owner=owner if colon else "",
        snippet=snippet,
        timers=timers_of(state, machine),
        next_schedule=_next_schedule(state),
        person=person_view(machine, state),
        marks=marks,
        headline=(headlines := _headlines(machine, state))["en"],
        headlines=headlines,
        language=state.language or machine.language.code,
        name=name or conversation,
        flow_title=flow_title(machine.flow),
        node_title=title_of_node(machine, state.node),
    )


def _headlines(machine: Machine, state: State) -> dict[str, str]:
    """Return what a conversation does, in short, in each language of the page."""
    found = [one.short for one in activities_of(machine, state, state.at_ms, LANGUAGES)]
    return dict(zip(LANGUAGES, without_values(found, secret_values(machine, state)), strict=True))


def for_users(summary: ConversationSummary) -> ConversationSummary:
    """Return a summary as the conversation's user receives it: without timers, and of a person only the shown name."""
    person = summary.person
    if person is not None:
        name = person.display or person.operator
        person = PersonView("", "", person.since_ms, name, person.taken_ms, display=person.display)
    return replace(
        summary, timers=(), next_schedule=None, person=person, headline="", headlines={}, name="", node_title=""
    )


def person_view(machine: Machine, state: State) -> PersonView | None:
    """Return the person who is in charge, or the wait for one, as clients receive it; `None` where there is neither."""
    person = state.person
    if person is None:
        return None
    about, reason = without_values([person.about, person.reason], secret_values(machine, state))
    return PersonView(person.queue, about, person.since_ms, person.operator, person.taken_ms, reason, person.display)


def _status(state: State) -> Status:
    match state.status:
        case Ended():
            return "ended"
        case Failed():
            return "failed"
        case _ if state.person is not None:
            return "person"
        case Waiting(what=what):
            return "waiting" if state.doing is None and what in _USER else "working"


def _next_schedule(state: State) -> NextSchedule | None:
    """Return the schedule that fires next; `None` where none does, or the conversation has ended."""
    if state.schedules is None or isinstance(state.status, Ended):
        return None
    fires = [one for one in state.schedules.armed if one.at_ms > 0]
    first = min(fires, key=lambda one: one.at_ms, default=None)
    return NextSchedule(first.schedule, first.at_ms) if first is not None else None


def timers_of(state: State, machine: Machine) -> tuple[TimerView, ...]:
    """Return the armed timers of a conversation as clients receive them, the next one first."""
    found: list[TimerView] = []
    for timer in sorted(state.timers, key=lambda timer: timer.due_ms):
        if (
            timer.transition == CONTINUATION_TIMER
        ):  # it is armed by the runner, for an autonomous run that a crash cuts off
            continue
        ways = machine.candidates(timer.node, "timer").all if timer.node in machine.nodes else ()
        way = next((way for way in ways if way.id == timer.transition), None)
        because, target = (way.because, way.target) if way is not None else ("", "")
        found.append(TimerView(timer.transition, timer.node, timer.due_ms, because, target))
    return tuple(found)
