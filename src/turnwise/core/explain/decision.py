"""Explains one recorded decision in full.

It never decides anew: the outcome is the recorded one, and the verdicts come from the closures that decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from msgspec import convert
from msgspec.structs import astuple, replace

from turnwise.core.candidates import MESSAGE, Action, Block, Candidate, Candidates, End, GoTo, Open, Return, Stay
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
    has_stored_reads,
    why_blocked,
)
from turnwise.core.explain.hiding import Hide, hide_nothing
from turnwise.core.explain.inactive import needs_of_answers
from turnwise.core.explain.needs import Needed, NeedsPlan
from turnwise.core.explain.overlay_needs import with_days
from turnwise.core.explain.text import BROKEN_OFF, OFFERED, verdict_line
from turnwise.core.explain.tree import plan
from turnwise.core.explain.witness import limits_of
from turnwise.core.guards import Env, Recorded
from turnwise.core.guards.scope import root_shown
from turnwise.core.machine import Machine
from turnwise.core.state import Fault, FieldValue, State
from turnwise.core.state.events import CodeRun, Decided, Entry, NothingSet
from turnwise.core.state.read_lists import with_lists
from turnwise.core.state.retention import erasure_text
from turnwise.core.trace import (
    ActionName,
    Considered,
    Decision,
    Disagreement,
    Failure,
    GuardCode,
    JudgingChange,
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
_SKIPPED_BY: dict[VerdictKind, str] = {
    "held": "; it held then",
    "not_held": "; it did not hold then",
    "unknown": "; it was unknown then",
    "error": "; it was in error then",
}
"""The verdict of a candidate that was not judged again: the same values give the same one."""


_COMES = {"event": "event that came"}
"""What is judged at a moment that one thing begins, beside timers."""


def outcome_of(letter: str) -> Outcome:
    """Return the outcome, such as `taken`, for a letter that a decision records."""
    return _OUTCOMES[letter]


def action_of(action: Action) -> ActionName:
    """Return the key with which flows write an action."""
    match action:
        case GoTo():
            return "to"
        case Stay():
            return "stay"
        case Block():
            return "block"
        case End():
            return "end"
        case Open():
            return "call"
        case Return():
            return "return"


class CandidatePlan:
    """The parts of a candidate's explanation that are the same in every state, computed once."""

    __slots__ = ("action", "candidate", "needs", "plan", "source")

    def __init__(self, candidate: Candidate, machine: Machine, node: str) -> None:
        guard = candidate.guard
        self.candidate = candidate
        self.action: ActionName = action_of(candidate.action)
        self.source = str(candidate.span) if candidate.span.line else ""
        self.plan = plan(guard.expression, machine.names) if guard is not None else None
        self.needs: NeedsPlan | None = None
        if guard is not None and self.plan is not None:
            limits = limits_of(machine, node, [ref.address for ref in guard.refs if ref.address])
            self.needs = NeedsPlan(self.plan, guard.test, machine.rules, limits)


def plans_of(machine: Machine, node: str, moment: Moment) -> tuple[CandidatePlan, ...]:
    """Return the explanation plans of the candidates of a moment; the machine caches them."""
    found = machine.explain_cache.get((node, moment))
    if found is None:
        found = tuple([CandidatePlan(candidate, machine, node) for candidate in machine.candidates(node, moment).all])
        machine.explain_cache[node, moment] = found
    return found


class Move(NamedTuple):
    """The result of a move: the failure that undid it, and the fields for which it computed no value."""

    undone_by: Fault | None = None
    """The failure that undid the move; `None` if it was made."""
    nothing_set: tuple[NothingSet, ...] = ()
    """The fields for which the move computed no value."""


_NO_MOVE = Move()


def explain(  # noqa: PLR0913  what was recorded, and what surrounds it
    machine: Machine,
    entry: Entry,
    conversation: str = "",
    texts: Mapping[int, str] | None = None,
    before: Decided | None = None,
    *,
    judged_for: Fault | None = None,
    move: Move = _NO_MOVE,
    hide: Hide = hide_nothing,
    state: State | None = None,
    is_brief: bool = False,
) -> Decision:
    """Explain a recorded decision, which was made on `state`: each candidate, its guard, the reasons.
    `texts` are messages by position, `before` the judging before, `judged_for` the failure that it answers, `move` the
    result of its move. Where a candidate held, `is_brief` leaves out conditions and needs of the others.
    """
    assert isinstance(entry.event, Decided)
    entry = replace(entry, event=(decided := with_lists(entry.event, state)))
    explanation = _Explanation(machine, entry, texts or {}, before, move.undone_by, state, is_brief=is_brief)
    considered, failure = hide(explanation.all()), hide(_failure(judged_for))
    result = failure, move.nothing_set, decided.operator, decided.because
    return Decision(
        conversation,
        entry.seq,
        entry.turn,
        entry.at_ms,
        decided.node,
        decided.moment,
        str(verdict_line(decided.node, decided.moment, considered, *result)),
        considered,
        considered[decided.taken].id if decided.taken >= 0 else "",
        state.overlays.active if state is not None and state.overlays is not None else (),
        disagreement(explanation.candidates, decided),
        failure,
        nothing_set=move.nothing_set,
        operator=decided.operator,
        reason=decided.because,
        erased=_erased(decided),
    )


def _erased(decided: Decided) -> str:
    """Return that retention erased what a decision read; empty where it did not."""
    by = decided.trimmed
    return f"what this decision read was erased by retention{erasure_text(by, 'what decisions read')}" if by else ""


def disagreement(candidates: Candidates, decided: Decided) -> Disagreement | None:
    """Return what the mirrors of a Python guard and the guard chose, if they differ, else `None` (law 2.16).

    Mirrors are conditions that only describe what the code does.
    """
    if not decided.code:
        return None
    judged = list(zip(candidates.all, decided.outcomes, strict=True))
    if not any(candidate.is_mirror for candidate, _ in judged):
        return None
    rules = next((one.target for one, letter in judged if one.is_mirror and letter == MIRROR), "")
    code = next((one.target for one, letter in judged if one.code is not None and letter in _CHOSEN), "")
    return None if rules == code else Disagreement(rules or "(stay)", code or "(stay)")


def recorded_env(candidates: Candidates, decided: Decided, texts: Mapping[int, str]) -> Env:
    """Return the environment of a recorded decision, with its lists; empty if retention erased the values. `texts` are
    the messages by position.
    """
    if not has_stored_reads(candidates, decided):
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


class _Explanation:
    """One decision that is being explained."""

    def __init__(
        self,
        machine: Machine,
        entry: Entry,
        texts: Mapping[int, str],
        before: Decided | None,
        undone_by: Fault | None,
        state: State | None,
        *,
        is_brief: bool,
    ) -> None:
        decided = entry.event
        assert isinstance(decided, Decided)
        self.machine = machine
        self.decided = decided
        self.texts = texts
        self.undone_by = undone_by
        self.state = replace(state, at_ms=entry.at_ms) if state is not None else None
        self.candidates = machine.candidates(decided.node, cast("Moment", decided.moment))
        self.calls = {run.guard: run for run in decided.code}
        self.env = recorded_env(self.candidates, decided, texts)
        self.is_whole = has_stored_reads(self.candidates, decided)
        can_compare = before is not None and self.is_whole and has_stored_reads(self.candidates, before)
        self.before = before if can_compare else None
        self.left_out = _NOT_HELD + SKIPPED if is_brief and not set(_CHOSEN).isdisjoint(decided.outcomes) else ""

    def all(self) -> tuple[Considered, ...]:
        """Return every candidate, explained, in the order of judging."""
        plans = plans_of(self.machine, self.decided.node, cast("Moment", self.decided.moment))
        return tuple([self.candidate(place, how) for place, how in enumerate(plans)])

    def candidate(self, place: int, how: CandidatePlan) -> Considered:
        """Return the candidate at a place in the order of judging, explained."""
        candidate, letter = how.candidate, self.decided.outcomes[place]
        code = candidate.code
        tree: Verdict | None = None
        missing: tuple[str, ...] = ()
        needs: tuple[tuple[Need, ...], ...] = ()
        in_words: tuple[str, ...] = ()
        is_judged = letter != NOT_REACHED and letter not in self.left_out
        if how.plan is not None and how.needs is not None and is_judged and self.is_whole:
            tree = how.plan.verdict(self.env)
            missing = how.needs.missing(self.env, tree)
            if letter in _NOT_HELD or (letter == SKIPPED and tree.verdict != "held"):
                of_answers = self._needs_of_answers(candidate)
                needs, in_words = of_answers or how.needs.explain(self.env, tree, self.state)
                in_words = with_days(self.machine, self.state, in_words)
        if code is not None and letter in _NOT_HELD:
            run = self.calls.get(code.name)
            missing = tuple(name for name, value in run.reads.items() if value is None) if run is not None else ()
        return Considered(
            candidate.id,
            _OUTCOMES[letter],
            how.action,
            candidate.target,
            candidate.level,
            candidate.priority,
            candidate.because,
            how.source,
            candidate.is_mirror,
            "" if letter in _NOT_HELD or letter == TAKEN else self._by(place, tree),
            tree,
            missing,
            needs,
            in_words,
            () if self.before is None else self._changes(place, self.before),
            None if code is None else self._code(code, letter),
            _failure(self.undone_by) if letter == FAILED else None,
            letter == TAKEN and candidate.reply == "next" and isinstance(candidate.action, GoTo),
            candidate.is_exception,
        )

    def _needs_of_answers(self, candidate: Candidate) -> Needed | None:
        """Return what a candidate needs that reads answers which count only under a condition."""
        node, state, guard = self.decided.node, self.state, candidate.guard
        if state is None or guard is None or node != state.node:
            return None
        return needs_of_answers(self.machine, node, guard, state)

    def _by(self, place: int, tree: Verdict | None) -> str:
        """Return which candidate outranked this one, or why it was not reached, or what blocked it."""
        decided, candidates = self.decided, self.candidates.all
        taken = candidates[decided.taken].id if decided.taken >= 0 else ""
        match decided.outcomes[place]:
            case "o":
                is_blocked = not {BLOCKED, REENTRY, FAILED}.isdisjoint(decided.outcomes)
                return taken or ("a transition that was blocked" if is_blocked else OFFERED)
            case "m":
                return "a mirror only describes, it never fires"
            case "n" if decided.broken_off and not candidates[place].follows_any:
                return BROKEN_OFF[decided.broken_off]
            case "n" if decided.firing:
                return f"the {_COMES.get(decided.moment, 'timer that fired')} is {decided.firing}"
            case "n":
                return f"judging ended at {taken}" if taken else "judging had ended"
            case "-":
                then = _SKIPPED_BY[tree.verdict] if tree is not None else ""
                return f"nothing that it reads has changed since it was judged{then}"
            case "x":
                return self.undone_by.message if self.undone_by is not None else "the move failed"
            case letter:
                return why_blocked(letter, candidates[place].target, self.machine.flow.limits.moves)

    def _changes(self, place: int, before: Decided) -> tuple[JudgingChange, ...]:
        """Return what is different from the judging before: the values that this candidate read, and its outcome."""
        old, new = self._reads(place, before), self._reads(place, self.decided)
        changes = [
            JudgingChange(key, self._shown(key, old[key]), self._shown(key, value))
            for key, value in new.items()
            if key in old and old[key] != value
            # of a message only the position may be known
            if key != MESSAGE or not isinstance(old[key], int) or old[key] in self.texts
        ]
        was, is_now = _OUTCOMES[before.outcomes[place]], _OUTCOMES[self.decided.outcomes[place]]
        if was != is_now:
            changes.append(JudgingChange("outcome", was, is_now))
        return tuple(changes)

    def _reads(self, place: int, decided: Decided) -> dict[str, Any]:
        """Return the values that a candidate read in a judging, as they were recorded."""
        candidate = self.candidates.all[place]
        if candidate.code is not None:
            return next((run.reads for run in decided.code if run.guard == candidate.code.name), dict[str, Any]())
        keys = {ref.key for ref in candidate.guard.refs} if candidate.guard is not None else set[str]()
        read = zip(self.candidates.keys, decided.reads, strict=True)
        return {key: _bare(value) for key, value in read if key in keys}

    def _shown(self, key: str, value: Any) -> Any:
        """Return a recorded value as it is shown: a message by its text, a secret not at all."""
        field = self.machine.fields.get(key)
        if field is not None and field.secret:
            return None if value is None else REDACTED
        return self.texts.get(value, value) if key == MESSAGE else root_shown(key, value)

    def _code(self, guard: PythonGuard, letter: str) -> GuardCode:
        run: CodeRun | None = self.calls.get(guard.name)
        source = guard.name, guard.source, guard.has_source, guard.file, guard.line
        if run is None:
            return GuardCode(*source, call="not_called" if letter in (NOT_REACHED, SKIPPED) else "forgotten")
        fields = self.machine.fields
        reads = {key: REDACTED if key in fields and fields[key].secret else value for key, value in run.reads.items()}
        return GuardCode(*source, run.returned, reads, run.error, at=run.at)


def _failure(fault: Fault | None) -> Failure | None:
    return None if fault is None else Failure(*astuple(fault))


def _bare(value: Any) -> Any:
    """Return the value of a recorded field, which is a `FieldValue` or its stored form."""
    if isinstance(value, FieldValue):
        return value.value
    return value[0] if isinstance(value, list) and len(value) >= 4 else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
