"""A decision told in full, from what the journal keeps of it and the machine that made it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from msgspec import Struct, convert
from msgspec.structs import astuple

from turnwise.core.decision.judge import (
    BLOCKED,
    ERROR,
    FAILED,
    FALSE,
    MIRROR,
    NOT_REACHED,
    OUTRANKED,
    REENTRY,
    SKIPPED,
    TAKEN,
    UNKNOWN,
    is_whole,
    why_blocked,
)
from turnwise.core.explain.hiding import Hide, as_it_is
from turnwise.core.explain.limits import Limits
from turnwise.core.explain.needs import NeedsPlan
from turnwise.core.explain.text import OFFERED, verdict_line
from turnwise.core.explain.tree import plan
from turnwise.core.guards import Env, Recorded
from turnwise.core.guards.scope import root_shown
from turnwise.core.machine import MESSAGE, Block, Candidate, Candidates, End, Go, Machine, Stay
from turnwise.core.state import Fault, FieldValue, State
from turnwise.core.state.events import CodeRun, Decided, Entry, NothingSet
from turnwise.core.trace import (
    Change,
    Code,
    Considered,
    Decision,
    Disagreement,
    Failure,
    Need,
    Outcome,
    Verdict,
    VerdictKind,
)
from turnwise.core.values import REDACTED
from turnwise.flow.code import PythonGuard
from turnwise.flow.model import Moment

_OUTCOMES: dict[str, Outcome] = {
    TAKEN: "taken",
    FALSE: "false",
    UNKNOWN: "unknown",
    OUTRANKED: "outranked",
    MIRROR: "outranked",
    NOT_REACHED: "not_reached",
    SKIPPED: "not_reached",
    BLOCKED: "blocked",
    REENTRY: "blocked",
    FAILED: "blocked",
    ERROR: "error",
}


_NOT_HELD = FALSE + UNKNOWN + ERROR
_CHOSEN = TAKEN + OUTRANKED + BLOCKED + REENTRY + FAILED


class CandidatePlan:
    """What of a candidate's explanation is the same every time, and how the rest is found."""

    __slots__ = ("action", "candidate", "needs", "plan", "source", "target")

    def __init__(self, candidate: Candidate, machine: Machine, node: str) -> None:
        guard = candidate.guard
        self.candidate = candidate
        self.action = action_of(candidate)
        self.target = candidate.target
        self.source = str(candidate.span) if candidate.span.line else ""
        self.plan = plan(guard.expression, machine.names) if guard is not None else None
        self.needs: NeedsPlan | None = None
        if guard is not None and self.plan is not None:
            limits = Limits(machine, node, [ref.address for ref in guard.refs if ref.address])
            self.needs = NeedsPlan(self.plan, guard.test, machine.rules, limits)


def plans(machine: Machine, node: str, moment: Moment) -> tuple[CandidatePlan, ...]:
    """How the candidates of a moment are explained: made at the first asking."""
    found = machine.explainers.get((node, moment))
    if found is None:
        candidates = machine.candidates(node, moment)
        found = tuple([CandidatePlan(candidate, machine, node) for candidate in candidates.all])
        machine.explainers[node, moment] = found
    return found


class Move(NamedTuple):
    """The result of the move that a decision chose: the failure that undid it, the fields in which it set nothing."""

    undone_by: Fault | None = None
    nothing_set: tuple[NothingSet, ...] = ()


_NO_MOVE = Move()


class _Telling(Struct):
    """A decision that is being told."""

    machine: Machine
    decided: Decided
    candidates: Candidates
    env: Env
    calls: dict[str, CodeRun]
    before: Decided | None
    texts: Mapping[int, str]
    is_whole: bool
    undone_by: Fault | None
    state: State | None


def explain(  # noqa: PLR0913  what was recorded, and what surrounds it
    machine: Machine,
    entry: Entry,
    conversation: str = "",
    texts: Mapping[int, str] | None = None,
    before: Decided | None = None,
    *,
    judged_for: Fault | None = None,
    move: Move = _NO_MOVE,
    hide: Hide = as_it_is,
    state: State | None = None,
) -> Decision:
    """The decision of a journal entry, judged on `state`. `texts` are messages by position, `before` is the judging
    before, `judged_for` the failure that it answers, `move` the result of its move. `hide` hides secrets.
    """
    decided = entry.event
    assert isinstance(decided, Decided)
    candidates = machine.candidates(decided.node, cast("Moment", decided.moment))
    calls, texts, whole = {run.guard: run for run in decided.code}, texts or {}, is_whole(candidates, decided)
    before = before if before is not None and whole and is_whole(candidates, before) else None
    env = recorded(candidates, decided, texts)
    telling = _Telling(machine, decided, candidates, env, calls, before, texts, whole, move.undone_by, state)
    considered: tuple[Considered, ...] = hide(_all_considered(telling))
    failure = hide(_failure(judged_for))
    return Decision(
        conversation,
        entry.seq,
        entry.turn,
        entry.at_ms,
        decided.node,
        decided.moment,
        verdict_line(decided.node, decided.moment, considered, failure, move.nothing_set),
        considered,
        considered[decided.taken].id if decided.taken >= 0 else "",
        (),
        _disagreement(telling) if telling.calls else None,
        failure,
        nothing_set=move.nothing_set,
    )


def _all_considered(telling: _Telling) -> tuple[Considered, ...]:
    how = plans(telling.machine, telling.decided.node, cast("Moment", telling.decided.moment))
    return tuple([_considered(telling, *one) for one in enumerate(how)])


def _failure(fault: Fault | None) -> Failure | None:
    return None if fault is None else Failure(*astuple(fault))


def recorded(candidates: Candidates, decided: Decided, texts: Mapping[int, str]) -> Env:
    """The surroundings as they were when the decision was made; nothing where they are no longer kept."""
    if not is_whole(candidates, decided):
        return Env({}, Recorded({}))
    fields = {
        address: value if value.__class__ is FieldValue else convert(value, FieldValue)
        for address, value in zip(candidates.addresses, decided.reads, strict=False)
        if value is not None
    }
    roots: dict[str, Any] = {}
    for (key, _), value in zip(candidates.roots, decided.reads[len(candidates.addresses) :], strict=True):
        roots[key] = texts.get(value) if key == MESSAGE and value is not None else value
    return Env(fields, Recorded(roots))


# one candidate -----------------------------------------------------------------------------------


def _considered(telling: _Telling, place: int, how: CandidatePlan) -> Considered:
    candidate, env = how.candidate, telling.env
    letter = telling.decided.outcomes[place]
    tree: Verdict | None = None
    missing: tuple[str, ...] = ()
    needs: tuple[tuple[Need, ...], ...] = ()
    in_words: tuple[str, ...] = ()
    if how.plan is not None and how.needs is not None and letter != NOT_REACHED and telling.is_whole:
        kinds: list[VerdictKind] = []
        tree = how.plan.tell(env, kinds)
        missing = how.needs.missing(tree)
        if letter in _NOT_HELD or (letter == SKIPPED and tree.verdict != "held"):
            needs, in_words = how.needs.tell(env, tuple(kinds), telling.state)
    code = candidate.code
    return Considered(
        candidate.id,
        _OUTCOMES[letter],
        how.action,
        how.target,
        candidate.level,
        candidate.priority,
        candidate.because,
        how.source,
        candidate.is_mirror,
        "" if letter in _NOT_HELD or letter == TAKEN else _by(telling, place) + _then(letter, tree),
        tree,
        missing if code is None or letter not in _NOT_HELD else _missing_in_code(code, telling.calls),
        needs,
        in_words,
        () if telling.before is None else _changed(telling, place, telling.before),
        None if code is None else _code(telling, code, letter),
        _failure(telling.undone_by) if letter == FAILED else None,
        letter == TAKEN and candidate.reply == "next" and isinstance(candidate.action, Go),
    )


def outcome_of(letter: str) -> Outcome:
    """The outcome that a letter of a decision stands for."""
    return _OUTCOMES[letter]


def action_of(candidate: Candidate) -> str:
    """The action of a candidate, as in flows."""
    match candidate.action:
        case Go():
            return "to"
        case Stay():
            return "stay"
        case Block():
            return "block"
        case End():
            return "end"


def _by(telling: _Telling, place: int) -> str:
    """Who outranked a candidate, or why it was not reached or was refused."""
    decided, candidates = telling.decided, telling.candidates.all
    match decided.outcomes[place]:
        case "o":
            is_blocked = not {BLOCKED, REENTRY, FAILED}.isdisjoint(decided.outcomes)
            nobody = "a transition that was blocked" if is_blocked else OFFERED
            return candidates[decided.taken].id if decided.taken >= 0 else nobody
        case "m":
            return "a mirror only describes, it never fires"
        case "n" if decided.firing:
            return f"the timer that fired is {decided.firing}"
        case "n":
            return f"judging ended at {candidates[decided.taken].id}" if decided.taken >= 0 else "judging had ended"
        case "-":
            return "nothing that it reads has changed since it was judged"
        case "x":
            return telling.undone_by.message if telling.undone_by is not None else "the move failed"
        case letter:
            return why_blocked(letter, candidates[place].target, telling.machine.flow.limits.moves)


_THEN: dict[VerdictKind, str] = {
    "held": "; it held then",
    "not_held": "; it did not hold then",
    "unknown": "; it was unknown then",
    "error": "; it was in error then",
}


def _then(letter: str, tree: Verdict | None) -> str:
    """The verdict of a candidate that was not judged again: the same values give the same one."""
    return _THEN[tree.verdict] if letter == SKIPPED and tree is not None else ""


def _missing_in_code(code: PythonGuard, calls: Mapping[str, CodeRun]) -> tuple[str, ...]:
    run = calls.get(code.name)
    return tuple(name for name, value in run.reads.items() if value is None) if run is not None else ()


def _changed(telling: _Telling, place: int, before: Decided) -> tuple[Change, ...]:
    """What this candidate read that was different when it was last judged, and its outcome."""
    decided = telling.decided
    old, new = _reads(telling, place, before), _reads(telling, place, decided)
    changes = [
        Change(key, *_as_told(telling, key, old[key], value))
        for key, value in new.items()
        if key in old and old[key] != value and _can_be_told(telling, key, old[key])
    ]
    was, is_now = _OUTCOMES[before.outcomes[place]], _OUTCOMES[decided.outcomes[place]]
    if was != is_now:
        changes.append(Change("outcome", was, is_now))
    return tuple(changes)


def _reads(telling: _Telling, place: int, decided: Decided) -> dict[str, Any]:
    """What a candidate read in a judging, as it was recorded."""
    candidate = telling.candidates.all[place]
    if candidate.code is not None:
        return next((run.reads for run in decided.code if run.guard == candidate.code.name), dict[str, Any]())
    keys = {ref.key for ref in candidate.guard.refs} if candidate.guard is not None else set[str]()
    read = zip(telling.candidates.keys, decided.reads, strict=True)
    return {key: _bare(value) for key, value in read if key in keys}


def _can_be_told(telling: _Telling, key: str, value: Any) -> bool:
    """False for a message of which only the place is known."""
    return key != MESSAGE or not isinstance(value, int) or value in telling.texts


def _as_told(telling: _Telling, key: str, *values: Any) -> tuple[Any, ...]:
    """Recorded values as they are shown: a message by its text, a secret not at all."""
    field = telling.machine.fields.get(key)
    if field is not None and field.secret:
        return tuple(None if value is None else REDACTED for value in values)
    if key == MESSAGE:
        return tuple(telling.texts.get(value, value) for value in values)
    return tuple(root_shown(key, value) for value in values)


def _bare(value: Any) -> Any:
    if isinstance(value, FieldValue):
        return value.value
    return value[0] if isinstance(value, list) and len(value) >= 4 else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


# Python guards -----------------------------------------------------------------------------------


def _code(telling: _Telling, guard: PythonGuard, letter: str) -> Code:
    run = telling.calls.get(guard.name)
    source = guard.name, guard.source, guard.has_source, guard.file, guard.line
    if run is None:
        return Code(*source, call="not_called" if letter in (NOT_REACHED, SKIPPED) else "forgotten")
    fields = telling.machine.fields
    reads = {name: REDACTED if name in fields and fields[name].secret else value for name, value in run.reads.items()}
    return Code(*source, run.returned, reads, run.error)


def _disagreement(telling: _Telling) -> Disagreement | None:
    """Law 2.16: what the mirrors would have chosen, where the code chose otherwise."""
    judged = list(zip(telling.candidates.all, telling.decided.outcomes, strict=True))
    mirrors = [(candidate, letter) for candidate, letter in judged if candidate.is_mirror]
    if not mirrors:
        return None
    rules = next((candidate.target for candidate, letter in mirrors if letter == MIRROR), "")
    chosen = [c.target for c, letter in judged if c.code is not None and letter in _CHOSEN]
    code = chosen[0] if chosen else ""
    return None if rules == code else Disagreement(rules or "(stay)", code or "(stay)")
