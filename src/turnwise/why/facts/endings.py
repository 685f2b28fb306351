"""Makes facts of events about a whole turn or conversation: a turn's end, its timers and failures, an undo, a restart,
a fork and a migration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from turnwise.core.candidates import PERSON_TIMEOUT
from turnwise.core.explain.text import lacking_in_words
from turnwise.core.explain.warning_words import warning_in_words
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import Ended, FieldValue, Timer
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.core.state.overlays import NO_OVERLAYS
from turnwise.core.step.receive import CONTINUATION_TIMER
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.moves import DID_NOT_HOLD
from turnwise.why.facts.values import value_read
from turnwise.why.kinds import FactKind
from turnwise.why.reasons import WAITS


def _timer(timer: Timer) -> tuple[Subject, ...]:
    own = _WITHOUT_TRANSITION.get(timer.transition) or subjects_named("transition", timer.transition)
    return (Subject("timer", timer.transition), *own)


_WITHOUT_TRANSITION = {PERSON_TIMEOUT: (Subject("person"),), CONTINUATION_TIMER: (Subject("conversation"),)}


def _turn_ended(builder: FactBuilder, event: e.TurnEnded) -> Iterator[Fact]:
    assert builder.state is not None
    waits = WAITS[event.waits_for] if event.waits_for else ""
    yield builder.fact("turn_ended", Subject("turn", str(builder.entry.turn)), waits=waits)
    yield from _run(builder, event)
    yield from _timers(builder, event.timers)


def _run(builder: FactBuilder, event: e.TurnEnded) -> Iterator[Fact]:
    """Yield why the run of an autonomous flow goes on by itself after the turn, or does not."""
    if not builder.machine.flow.autonomous:
        return
    turn, limit = Subject("turn", str(builder.entry.turn)), Subject("limit", "run_moves")
    about = (turn, Subject("conversation"), Subject("node", builder.node), limit)
    if event.waits_for == CONTINUATION_TIMER:
        cause = builder.first("move_blocked", "node_left")
        is_blocked = cause is not None and cause.kind == "move_blocked"
        reason = (
            Phrase("the turn made all its moves, and the rest follows")
            if is_blocked
            else Phrase("the work of the node follows")
        )
        yield builder.fact("run_went_on", *about, causes=(cause,), node=builder.node, reason=reason)
        return
    cause = builder.first("conversation_ended", "turn_failed", "person_awaited", "call_awaits_approval")
    reason = _why_stopped(builder, event, cause)
    yield builder.fact("run_stopped", *about, causes=(cause,), node=builder.node, reason=reason)


def _why_stopped(builder: FactBuilder, event: e.TurnEnded, cause: Fact | None) -> str:
    if cause is not None and cause.kind == "turn_failed":
        return phrase("the turn failed ({reason})", reason=cause.values["reason"])
    if cause is not None and cause.kind == "conversation_ended":
        return cause.text
    if builder.state is not None and isinstance(builder.state.status, Ended):
        return Phrase("the conversation has ended")
    match event.waits_for:
        case "person":
            return phrase("a person is awaited or in charge in {node}", node=builder.node)
        case "button":
            return phrase("{node} waits for an answer of the user", node=builder.node)
        case _:
            return phrase("{node} waits for a message of the user", node=builder.node)


def _timers(builder: FactBuilder, now: tuple[Timer, ...]) -> Iterator[Fact]:
    """Yield which timers the turn armed or dropped."""
    before = builder.turn.before.timers if builder.turn.before is not None else ()
    fired = builder.latest.get("timer_fired")
    for timer in before:
        is_fired = fired is not None and fired.values["timer"] == timer.transition
        if timer not in now and not is_fired:
            moves = (fact for fact in builder.facts if fact.kind == "node_left")
            left = next((fact for fact in moves if fact.values["node"] == timer.node), None)  # others may follow
            values = {"timer": timer.transition, "reason": _why(builder, timer, now, left)}
            yield builder.fact("timer_dropped", *_timer(timer), causes=(left or beginning_of_turn(builder),), **values)
    causes = (builder.first("node_left") or beginning_of_turn(builder),)
    for timer in now:
        if timer not in before:
            due = builder.time(timer.due_ms)
            anew = Phrase("anew") if any(one.transition == timer.transition for one in before) else ""
            yield builder.fact("timer_armed", *_timer(timer), causes=causes, timer=timer.transition, anew=anew, due=due)


def _why(builder: FactBuilder, timer: Timer, now: tuple[Timer, ...], left: Fact | None) -> str:
    """Return why a timer was dropped; `left` is the fact that its node was left."""
    assert builder.state is not None
    if any(other.transition == timer.transition for other in now):
        return Phrase("it was armed anew")
    if builder.latest.get("conversation_ended") is not None:
        return Phrase("the conversation ended")
    if (timer.node, timer.visit) != (builder.state.node, builder.state.frame.visit):
        by = left.values["transition"] if left is not None else ""
        return phrase("{node} was left[ by {transition}]", node=timer.node, transition=by)
    person = builder.state.person
    if person is not None:
        return (
            phrase("{operator} is in charge", operator=person.operator)
            if person.operator
            else Phrase("a person is awaited")
        )
    return Phrase("the turn did not arm it again")


def _failed(builder: FactBuilder, event: e.Failed) -> Iterator[Fact]:
    about = (Subject("turn", str(builder.entry.turn)), Subject("node", builder.node))
    faults: tuple[FactKind, ...] = (
        *("model_failed", "tool_failed", "tool_given_up", "write_refused", "limit_reached"),
        "guard_failed",
        "text_refused",
    )
    causes = (builder.first("move_undone") or builder.first(*faults) or builder.first("decided"),)
    needs = _needs(builder, causes[0]) if event.reason == "stuck" else ""
    yield builder.fact("turn_failed", *about, causes=causes, reason=event.reason, said=event.message, needs=needs)


def _needs(builder: FactBuilder, cause: Fact | None) -> str:
    """Return what each way out of the node needs that was judged last, and the write that was refused before."""
    decision = builder.decision
    judged = decision.candidates if decision is not None and decision.node == builder.node else ()
    ways = [one for one in judged if one.outcome in ("false", "unknown", "error") and not one.is_mirror]
    found = [phrase("{transition} {did}", transition=one.id, did=lacking_in_words(one) or DID_NOT_HOLD) for one in ways]
    is_refused = cause is not None and cause.kind == "write_refused" and cause is builder.first(cause.kind, "field_set")
    return joined([*found, *([cause.text] if cause is not None and is_refused else [])], "; ")


def _warned(builder: FactBuilder, event: e.Warned) -> Iterator[Fact]:
    fired = builder.latest.get("timer_fired")
    if event.code == "late" and fired is not None:
        yield builder.fact(
            "timer_late", *fired.about, causes=(fired,), timer=fired.values["timer"], reason=_why_late(builder, fired)
        )
        return
    about = Subject("turn", str(builder.entry.turn))
    pressed = builder.latest.get("button_pressed")
    if event.code == "stale_button" and pressed is not None:
        yield builder.fact("button_stale", about, *pressed.about, causes=(pressed,), said=pressed.values["said"])
        return
    if event.code == "result_not_stored":
        used = builder.first("tool_returned", "tool_used_by_host")
        fields = [Subject("field", field) for field in event.fields]
        tool = used.about[:1] if used is not None else ()
        yield builder.fact(event.code, about, *fields, *tool, causes=(used,), reason=event.message.rstrip("."))
        return
    if event.code == "text_gap":
        fields = [Subject("field", field) for field in event.fields]
        missing = [fact for field in event.fields for fact in value_read(builder, field)]
        about_gap = (about, Subject("node", builder.node), *fields)
        yield builder.fact(event.code, *about_gap, causes=(*missing, beginning_of_turn(builder)), reason=event.message)
        return
    blocked = builder.first("move_blocked", "move_undone") if event.code == "silent_turn" else None
    code = event.code.replace("_", " ")
    yield builder.fact(
        "warned",
        about,
        causes=(blocked or beginning_of_turn(builder),),
        code=code,
        reason=warning_in_words(event.message),
    )


def _why_late(builder: FactBuilder, fired: Fact) -> str:
    """Return why a timer that came due changed nothing."""
    before, timer = builder.turn.before, fired.values["timer"]
    assert before is not None, "a timer comes due in a conversation that has begun"
    if before.person is not None and before.person.operator:
        return phrase("{operator} is in charge", operator=before.person.operator)
    if all(one.id != timer for one in builder.machine.candidates(before.node, "timer").all):
        return phrase("{node} is in charge, which has no such timer", node=before.node)
    if any(one.transition == timer for one in before.timers):
        return Phrase("it was armed anew since")
    return phrase("it was armed for an earlier visit of {node}, or dropped since", node=before.node)


def _undone(builder: FactBuilder, event: e.Undone) -> Iterator[Fact]:
    before = builder.state
    known = {**event.state.values, **(before.values if before is not None else {})}
    names = [name for name in known if _differs(builder, event, name)]
    about = (
        Subject("turn", str(builder.entry.turn)),
        *[Subject("turn", str(number)) for number in range(event.to + 1, builder.entry.turn)],
        Subject("conversation"),
        Subject("node", event.state.node),
        *[Subject("field", name) for name in names],
        *[Subject("tool", name) for name in dict.fromkeys(event.kept)],
    )
    causes = (builder.first("undo_asked", "command_applied", "message_received"),)
    kept = joined(dict.fromkeys(event.kept), ", ")
    moves = (
        [phrase("the move {node} → {target}", node=event.state.node, target=builder.node)]
        if builder.node != event.state.node
        else []
    )
    was_awaited = before is not None and before.person is not None and event.state.person is None
    moves += [Phrase("the wait for a person")] if was_awaited else []
    given = listed([*filter(None, (_taken_back(builder, event, name) for name in names)), *moves])
    given = given or (Phrase("no value and no move") if not kept else "")
    yield builder.fact("turn_undone", *about, causes=causes, to=event.to, given=given, kept=kept)


def _taken_back(builder: FactBuilder, event: e.Undone, name: str) -> str:
    """Return the value that an undo took away, and the one that it brought back: `user.age = 45 (44 again)`; nothing
    where both are the same.
    """
    before = builder.state.values.get(name) if builder.state is not None else None
    after = event.state.values.get(name)
    if before is not None and after is not None and before.value == after.value:
        return ""
    was = (
        phrase("{field} = {value}", field=name, value=builder.value(name, before.value))
        if before is not None
        else phrase("the removal of {field}", field=name)
    )
    return was if after is None else phrase("{was} ({value} again)", was=was, value=builder.value(name, after.value))


def undo_refused(builder: FactBuilder, event: e.Said) -> Iterator[Fact]:
    """Yield facts about why an undo changed nothing; `event` is the reply that says so."""
    recalled = next((one for one in builder.turn.events if isinstance(one, e.StateRecalled)), None)
    if recalled is not None:
        to, reason = recalled.turn, phrase("the state of the end of turn {turn} cannot be restored", turn=recalled.turn)
    else:
        to, reason = 0, _nothing_before(builder)
    about = (Subject("turn", str(builder.entry.turn)), Subject("conversation"))
    causes = (builder.first("undo_asked", "command_applied", "message_received"),)
    values: dict[str, Any] = {"to": to, "reason": reason, "said": event.text, "replied": event.text}
    yield builder.fact("undo_refused", *about, causes=causes, **values)


def _nothing_before(builder: FactBuilder) -> str:
    """Return why an undo that names no turn has no earlier state to restore."""
    before = builder.turn.before
    last = before.turn if before is not None else 0
    if last <= 1:
        return Phrase("the conversation began with turn 1, and there is no state before it")
    if builder.machine.flow.autonomous:
        return Phrase("an undo takes back a whole run, and the run began with the conversation")
    return Phrase("the conversation is at the end of its first turn again, and there is no state before it")


def _differs(builder: FactBuilder, event: e.Undone, name: str) -> bool:
    before, after = builder.state, event.state
    return before is not None and before.values.get(name) != after.values.get(name)


def _restarted(builder: FactBuilder, _event: e.TurnRestarted) -> Iterator[Fact]:
    yield builder.fact("turn_recovered", Subject("turn", str(builder.entry.turn)))
    doing = builder.state.doing if builder.state is not None else None
    effect = doing.awaited if doing is not None else None
    if isinstance(effect, RunTool):
        declared = builder.machine.tools[effect.tool].tool
        policy = _AFTER_CRASH[declared.on_crash] if declared.kind == "effect" else _READ_AGAIN
        about = (Subject("tool", effect.tool), *subjects_named("call", effect.call))
        causes = (builder.by_effect.get(effect.id),)
        yield builder.fact("call_made_again", *about, causes=causes, tool=effect.tool, policy=policy)


_READ_AGAIN = Phrase("it only reads, so it was called again")
_AFTER_CRASH = {
    "again": Phrase("it was called again with the same key, as its on_crash says"),
    "check": Phrase("its check was asked whether it had been done, as its on_crash says"),
    "unknown": Phrase("it was not called again, as its on_crash says, so whether it was done is unknown"),
}
"""What follows for a tool with side effects that ran when a turn was cut off, by its policy."""


def _left(builder: FactBuilder, event: e.CallerLeft) -> Iterator[Fact]:
    numbers = event.turns + event.unprompted
    turns = joined(map(str, numbers), ", ") or Phrase("before")
    about = [Subject("turn", str(number)) for number in numbers]
    yield builder.fact("caller_left", *about, turns=turns)


def _forked(builder: FactBuilder, event: e.Forked) -> Iterator[Fact]:
    effects = "" if event.effects else Phrase("tools with side effects do not run here")
    values: dict[str, Any] = {"origin": event.source, "to": event.turn, "effects": effects}
    values["at"] = builder.time(builder.entry.at_ms)
    yield builder.fact(
        "forked", Subject("origin"), Subject("conversation"), Subject("turn", str(builder.entry.turn)), **values
    )


def _migrated(builder: FactBuilder, event: e.Migrated) -> Iterator[Fact]:
    before = builder.state.values if builder.state is not None else {}
    after = event.state.values
    differ = dict.fromkeys(name for name in (*before, *after) if (name in before) != (name in after))
    gone = [Subject("field", name) for name in differ if name in builder.machine.fields]
    about = (
        Subject("origin"),
        Subject("conversation"),
        Subject("node", event.state.node),
        Subject("turn", str(builder.entry.turn)),
        *gone,
    )
    values: dict[str, Any] = {"fingerprint": event.fingerprint, **_carried(builder, event)}
    values["version"] = event.state.version
    yield builder.fact("migrated", *about, **values)


def _were(names: list[str]) -> Phrase:
    return phrase("{names} was" if len(names) == 1 else "{names} were", names=listed(names))


def _carried(builder: FactBuilder, event: e.Migrated) -> dict[str, Any]:
    """Return the version that a conversation left, and which names its node and its fields have in the new one."""
    old, new = builder.state, event.state
    if old is None:
        return {}
    names = {name: _name_of(old.values, new.values, name) for name in old.values if name not in new.values}
    names = {**({old.node: new.node} if old.node != new.node else {}), **names}
    dropped = [name for name, now in names.items() if not now]
    forced = (new.overlays or NO_OVERLAYS).forced
    kept = {(one.by, one.at_ms) for one in forced}
    own = (old.overlays or NO_OVERLAYS).forced
    dropped += [phrase("the forcing of {overlay}", overlay=one.name) for one in own if (one.by, one.at_ms) not in kept]
    return {
        "old": old.version if old.version != new.version else None,
        "renamed": listed(phrase("{name} is called {now}", name=name, now=now) for name, now in names.items() if now),
        "dropped": _were(dropped) if dropped else "",
    }


def _name_of(old: Mapping[str, FieldValue], new: Mapping[str, FieldValue], name: str) -> str:
    """Return the name under which a value of the old version is in the new one; empty where it is not, or not clearly
    the same.
    """
    found = [one for one, value in new.items() if one not in old and value == old[name]]
    return found[0] if len(found) == 1 else ""


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.TurnEnded: _turn_ended,
    e.Failed: _failed,
    e.Warned: _warned,
    e.Undone: _undone,
    e.TurnRestarted: _restarted,
    e.CallerLeft: _left,
    e.Forked: _forked,
    e.Migrated: _migrated,
}
"""The functions that yield the facts of an event, by the class of the event."""
