"""Why a turn went as it did, and why the conversation waits, goes on, or ended."""

from __future__ import annotations

from typing import Any

from turnwise.core.explain.now import why_waiting
from turnwise.core.phrase import Phrase, listed, phrase
from turnwise.core.state import Ended, Failed
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.moves import is_lacking
from turnwise.why.facts.questions import FORM_BROKEN_OFF, why_form_asks
from turnwise.why.kinds import FactKind, words
from turnwise.why.query import Query
from turnwise.why.reasons import WAITS
from turnwise.why.subjects.models import under_way
from turnwise.why.subjects.origins import copies, migrations, with_lost_state

_MATTERS: tuple[FactKind, ...] = (
    "turn_failed",
    "conversation_ended",
    "turn_undone",
    "undo_refused",
    "migrated",
    "rules_disagree",
    "move_blocked",
    "move_undone",
    "node_left",
    "person_gave_back",
    "person_took_over",
    "person_said",
    "person_awaited",
    "command_applied",
    "call_awaits_approval",
    "understanding_failed",
    "not_understood",
    "message_not_interpreted",
    "button_stale",
    "value_refused",
    "command_refused",
    "model_failed",
    "tool_failed",
    "call_refused",
    "write_refused",
    "text_refused",
    "no_model_connected",
    "aside_not_answered",
    "timer_late",
    "reminder_said",
    "budget_reached",
    "budget_answered",
    "schedule_fired",
    "offer_closed",
    "decided",
    "warned",
    "forked",
)
"""What decides how a turn went, the first the most."""


async def answer_turn(query: Query) -> list[Fact]:
    """Return all facts of a turn, first the fact that decided how the turn went."""
    query.decisions += query.turn.decisions
    waits = under_way(query)
    if waits is not None:
        return [waits, *query.facts]
    for kind in _MATTERS:
        found = [fact for fact in query.facts if fact.kind == kind and _decides(query, fact)]
        if found:
            decisive = (decisions_without_taken(query) or found)[-1] if kind == "decided" else found[-1]
            first = _with_earlier_moves(await with_lost_state(query, decisive), found)
            which = asked_which(query, "form_stopped") if kind == "decided" else None
            leading = [which, first] if which is not None else [first]
            silent = [fact for fact in query.facts if is_silent(fact)]
            decided = [fact for fact in query.facts if silent and fact.kind == "decided" and fact != decisive]
            beside = [*decided, *silent, *[fact for fact in query.facts if fact.kind == "timer_armed"]]
            return [*leading, *beside, *[fact for fact in query.facts if fact not in (decisive, *beside)]]
    return list(query.facts)


def _with_earlier_moves(move: Fact, moves: list[Fact]) -> Fact:
    """Return the last move of a turn with the other moves of the turn in its text; any other fact unchanged."""
    if move.kind != "node_left" or len(moves) < 2:
        return move
    earlier = [words("node_left", {key: one.values[key] for key in ("node", "target", "transition")}) for one in moves]
    return move.with_values(because=str(move.values["because"]).rstrip("."), earlier=listed(earlier[:-1]))


def decisions_without_taken(query: Query) -> list[Fact]:
    """Return the decisions of the turn that judged a transition and took none."""
    return [fact for fact in query.facts if is_lacking(fact)]


def asked_which(query: Query, *others: FactKind) -> Fact | None:
    """Return why the form asked which answer to change; else a cause of its question that is of the kinds `others`, or
    `None`.
    """
    asked = [cause for fact in query.facts if fact.kind == "question_asked" for cause in fact.causes]
    return next(
        (cause for cause in asked if cause.kind in ("chooser_due", "correction_unclear", "item_unclear", *others)), None
    )


def is_silent(fact: Fact) -> bool:
    """Return whether a fact says that the machine sent no text in a turn, apart from the fallback text."""
    return fact.kind == "warned" and fact.values["code"] == "silent turn"


def _decides(query: Query, fact: Fact) -> bool:
    """Return whether a fact can have decided how the turn went: no call that was made again and succeeded, and no
    command that left the form as it was.
    """
    later = [one for one in query.facts if one.seq > fact.seq]
    match fact.kind:
        case "model_failed":
            return all(one.kind != "model_replied" for one in later)
        case "tool_failed" | "call_refused":
            done = [one for one in later if one.kind in ("tool_returned", "call_answered")]
            return all(one.values["tool"] != fact.values["tool"] for one in done)
        case "write_refused":
            fields = {one for one in fact.about if one.kind == "field"}
            written = [one for one in later if one.kind == "field_set"]
            return all(fields and fields.isdisjoint(one.about) for one in written)
        case "warned":
            return is_silent(fact)
        case "move_blocked" | "move_undone":
            return any(is_silent(one) and fact in one.causes for one in later)
        case "command_applied":
            return fact.values["command"] in ("restart", "cancel")
        case "offer_closed":
            return fact.values["outcome"] != "lapsed"
        case _:
            return True


def why_waits(query: Query) -> Fact:
    """Return what the conversation waits for, or how it ended."""
    waits = under_way(query)
    if waits is not None:
        return waits
    state, end, about = query.state, query.end, Subject("conversation")
    match state.status:
        case Ended(outcome):
            return end.fact_of_state("conversation_ended", about, Subject("end"), outcome=outcome)
        case Failed(reason):
            stuck = phrase("the run has stopped, and the next message or command goes on in {node}", node=state.node)
            again = stuck if query.machine.flow.autonomous else Phrase("the next message tries again")
            return end.fact_of_state("conversation_failed", about, reason=reason, again=again)
        case _:
            person, form = why_waiting(state), why_form_asks(end)
            stopped = form if form is not None and form.kind in FORM_BROKEN_OFF and not person else None
            values: dict[str, Any] = {
                "person": person,
                "operator": state.person.operator if state.person is not None else "",
                "what": WAITS[state.status.what] if not person else "",
                "since": end.time(state.status.since_ms),
                "reason": stopped.text if stopped is not None else "",
            }
            return end.fact_of_state("conversation_waits", about, causes=(stopped,), **values)


async def answer_conversation(query: Query) -> list[Fact]:
    """Return what the conversation waits for, and what happened to it as a whole."""
    waits = await what_waits(query)
    armed = [fact for fact in query.facts if fact.kind == "timer_armed" and not isinstance(query.state.status, Ended)]
    if waits.kind == "conversation_ended":
        waits = await query.last(e.Ended) or waits
    goes_on = waits.kind == "conversation_waits"
    faults = [fact for fact in query.facts if fact.kind in _FAULTS] if goes_on else []
    refused = [fact for fact in query.facts if fact.kind == "undo_refused"]
    first = [await with_lost_state(query, fact) for fact in refused[-1:]] or faults[-1:]
    origin = [*await copies(query), *await migrations(query)]
    leading = [*first, *refused, waits]
    others = [*armed, *origin, *[one for one in query.facts_about if one not in origin]]
    return [*first, waits, *[fact for fact in others if fact not in leading and fact.kind != waits.kind]]


async def what_waits(query: Query) -> Fact:
    """Return what the conversation waits for, or how it ended; if it failed, with the cause."""
    waits = why_waits(query)
    if waits.kind != "conversation_failed":
        return waits
    failed = await query.last(e.Failed)
    if failed is None:
        return waits
    values: dict[str, Any] = {**waits.values, "said": failed.values["said"], "needs": failed.values["needs"]}
    return query.end.fact_of_state("conversation_failed", *waits.about, causes=(failed,), **values)


_FAULTS: frozenset[FactKind] = frozenset(
    ("guard_failed", "code_failed", "tool_failed", "model_failed", "understanding_failed", "turn_failed")
)
"""What may have gone wrong in a turn."""
