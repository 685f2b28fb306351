"""Judges a moment: evaluates every candidate in order, and determines the outcome of each (law 2.4).

It does not act: a letter per candidate and the winner's index are all that comes out.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.addresses import local_name
from turnwise.core.candidates import PERSON_TIMEOUT, Candidate, Candidates, Guard, Open, Stay
from turnwise.core.guards import Env, GuardFault
from turnwise.core.guards.python import call_guard, returned_undeclared
from turnwise.core.guards.scope import CLOCK_ROOTS
from turnwise.core.machine import Machine
from turnwise.core.state import BrokenOff, Fault, State
from turnwise.core.state.events import CodeRun, Decided
from turnwise.core.state.kinds import Letter
from turnwise.core.state.read_lists import as_recorded
from turnwise.flow.model import Moment

TAKEN: Final[Letter] = "t"
"""The letter of a candidate whose guard held, and that was taken."""
FALSE: Final[Letter] = "f"
"""The letter of a candidate whose guard did not hold."""
UNKNOWN: Final[Letter] = "u"
"""The letter of a candidate whose guard reads a value that is missing."""
OUTRANKED: Final[Letter] = "o"
"""The letter of a candidate whose guard held, while another one was taken."""
NOT_REACHED: Final[Letter] = "n"
"""The letter of a candidate that was not judged, since an earlier one ended the judging."""
BLOCKED: Final[Letter] = "b"
"""The letter of a candidate whose guard held, where the limit of moves was reached."""
REENTRY: Final[Letter] = "r"
"""The letter of a candidate whose guard held, where the turn had entered its target before."""
FAILED: Final[Letter] = "x"
"""The letter of a candidate whose guard held and whose move failed."""
ERROR: Final[Letter] = "e"
"""The letter of a candidate whose guard failed."""
MIRROR: Final[Letter] = "m"
"""The letter of a candidate that held and only describes a Python guard, so that it is never taken."""
SKIPPED: Final[Letter] = "-"
"""The letter of a candidate that was left out of this judging."""


class Judgement(Struct, frozen=True, gc=False):
    """The result of judging a moment: one letter per candidate, the winner, and the calls of Python guards."""

    outcomes: str
    """One letter per candidate, in their order, as in `Decided.outcomes`: `t` taken, `f` false, `u` unknown."""
    winner: int = -1
    """The index, from 0, of the candidate that is taken; -1 for none."""
    code: tuple[CodeRun, ...] = ()
    """The calls of Python guards that judging made."""
    marks: dict[str, int] = {}
    """Hashes of the values that judged `enter_when` guards read, by the node that each of them enters."""
    raised: tuple[BaseException, ...] = ()
    """The exceptions that Python guards raised."""
    broken_off: BrokenOff = ""
    """How a form was left unfinished, so that only its own exits were judged; empty if none was."""
    calls: dict[str, int] | None = None
    """Hashes of the values that judged `call` transitions read, by transition; `None` if none was judged."""


def judge(
    candidates: Candidates, env: Env, machine: Machine, state: State, firing: str = "", *, every: bool = False
) -> Judgement:
    """Judge all candidates of a moment, or only those of the timer or event `firing`. `every` also calls Python guards
    that come after the winner.
    """
    if candidates.is_plain and not firing and not (candidates.follows_work and _broken_off(candidates, state)):
        return _judge_rules(candidates, env)
    return _Judging(candidates, env, machine, state, firing, every=every).run()


def _broken_off(candidates: Candidates, state: State) -> BrokenOff:
    """Return how the work broke off that candidates follow: then no effect may run by omission (law 5.1). A node
    without a form breaks off for the turn whose message wanted to stop, or a person.
    """
    if not candidates.follows_work:
        return ""
    form, doing = state.frame.form, state.doing
    if form is not None:
        return form.broken_off
    return "left" if doing is not None and doing.wants_out and not doing.entered else ""


def decided_event(
    judgement: Judgement, candidates: Candidates, moment: Moment, state: State, firing: str = ""
) -> Decided:
    """Return the event that records a judgement of the node in charge, with the values that were read. `firing` is the
    timer or external event that was judged, if any.
    """
    return Decided(
        node=state.frame.node,
        moment=moment,
        outcomes=judgement.outcomes,
        taken=judgement.winner,
        reads=read_all(candidates, state),
        code=judgement.code,
        marks=judgement.marks,
        firing=firing,
        broken_off=judgement.broken_off,
        calls=judgement.calls,
    )


def judgement_by_person(judgement: Judgement, candidates: Candidates, index: int, env: Env, state: State) -> Judgement:
    """Return the judgement after an operator chose the candidate at `index`, from 0, whatever its guard says.

    The machine's own winner is outranked.
    """
    letters: list[str] = [OUTRANKED if letter == TAKEN else letter for letter in judgement.outcomes]
    letters[index] = TAKEN
    marks = dict(judgement.marks)
    for place in (judgement.winner, index):
        candidate = candidates.all[place]
        if place >= 0 and candidate.level == "enter" and candidate.guard is not None:
            mark = _mark(candidate.guard, env, state)
            marks[candidate.target] = _entered(mark) if place == index else mark
    return replace(judgement, outcomes="".join(letters), winner=index, marks=marks)


def why_blocked(letter: str, target: str, moves: int) -> str:
    """Return why a transition to the node `target` whose guard held did not move, in words, by the letter of its
    outcome; `moves` is the limit of moves per turn.
    """
    if letter == REENTRY:
        return f"{target} was entered before in this turn"
    return f"the limit of {moves} moves in a turn was reached"


def read_all(candidates: Candidates, state: State) -> tuple[object, ...]:
    """Return the values that the candidates read, as they are recorded, in the order of `Candidates.keys`."""
    found: list[object] = list(map(state.values.get, candidates.addresses))
    for place in candidates.lists:
        found[place] = as_recorded(candidates.addresses[place], found[place])
    for _, read in candidates.roots:
        found.append(read(state))
    return tuple(found)


def _judge_rules(candidates: Candidates, env: Env) -> Judgement:
    """Judge candidates that are all plain rules or `else`: the fast path."""
    outcomes = ""
    winner = -1
    for test in candidates.tests:
        try:
            held = test(env)
        except GuardFault:
            outcomes += ERROR
            continue
        if held is False:
            outcomes += FALSE
        elif held is None:
            outcomes += UNKNOWN
        elif winner >= 0:
            outcomes += OUTRANKED
        else:
            winner = len(outcomes)
            outcomes += TAKEN
            if type(candidates.all[winner].action) is Stay:
                outcomes += NOT_REACHED * (len(candidates.tests) - len(outcomes))
                break
    return Judgement(outcomes, winner)


class _Judging:
    """Judges candidates that include Python guards, mirrors, timers, or `enter_when`."""

    def __init__(
        self, candidates: Candidates, env: Env, machine: Machine, state: State, firing: str, *, every: bool = False
    ) -> None:
        self.candidates = candidates.all
        self.env = env
        self.machine = machine
        self.state = state
        self.firing = firing
        self.every = every
        self.runs: dict[str, CodeRun] = {}
        self.raised: list[BaseException] = []
        self.winner = -1
        self.is_over = False
        self.broken_off: BrokenOff = _broken_off(candidates, state)

    def run(self) -> Judgement:
        """Judge all candidates in order."""
        outcomes = ""
        marks: dict[str, int] = {}
        calls: dict[str, int] = {}
        for place, candidate in enumerate(self.candidates):
            mark = self.mark_of(candidate)
            letter = SKIPPED if mark is not None and self.is_unchanged(candidate, mark) else self.letter(candidate)
            if letter == TAKEN:
                self.winner = place
                self.is_over = isinstance(candidate.action, Stay)
            if mark is not None and letter in (TAKEN, OUTRANKED, FALSE, UNKNOWN, ERROR):
                if isinstance(candidate.action, Open):
                    calls[candidate.id] = mark
                else:
                    is_entering = letter == TAKEN and candidate.target != self.state.frame.node
                    marks[candidate.target] = _entered(mark) if is_entering else mark
            outcomes += letter
        runs, raised = tuple(self.runs.values()), tuple(self.raised)
        return Judgement(outcomes, self.winner, runs, marks, raised, self.broken_off, calls or None)

    def letter(self, candidate: Candidate) -> Letter:
        """Return the outcome letter of one candidate."""
        if self.broken_off and not candidate.follows_any:
            return NOT_REACHED
        if self.is_over or (self.firing and not self.is_fired(candidate)):
            return NOT_REACHED
        is_behind = self.winner >= 0 and not self.every
        if candidate.code is not None and is_behind and candidate.code.name not in self.runs:
            return NOT_REACHED
        held = self.held(candidate)
        if held is not True:
            return ERROR if held == ERROR else UNKNOWN if held is None else FALSE
        if candidate.is_mirror:
            return MIRROR
        return OUTRANKED if self.winner >= 0 else TAKEN

    def is_fired(self, candidate: Candidate) -> bool:
        """Return whether a candidate belongs to the timer that fired, or the event that came; the wait for a person has
        those without delay.
        """
        if candidate.moment == "event":
            return not candidate.events or self.firing in candidate.events
        return candidate.id == self.firing or (self.firing == PERSON_TIMEOUT and candidate.delay_ms is None)

    def held(self, candidate: Candidate) -> bool | Letter | None:
        """Return whether the guard of a candidate holds (`None` is unknown), or the letter for an error."""
        if candidate.code is not None:
            return self.held_by_code(candidate)
        if candidate.guard is None:
            return True
        try:
            return candidate.guard.test(self.env)
        except GuardFault:
            return ERROR

    def held_by_code(self, candidate: Candidate) -> bool | Letter:
        """Return whether a Python guard, called once per judging, chose this candidate."""
        assert candidate.code is not None
        name = candidate.code.name
        if name not in self.runs:
            names = self.machine.scope(self.state.frame.node).names
            self.runs[name] = call_guard(candidate.code, names, self.state, self.raised)
        run = self.runs[name]
        if run.error:
            return ERROR
        return run.returned == local_name(candidate.target) if candidate.code.targets else run.returned is True

    def mark_of(self, candidate: Candidate) -> int | None:
        """Return a checksum of the values that an `enter_when` or a `call` reads, `None` for other candidates."""
        if isinstance(candidate.action, Open):
            return 0 if candidate.guard is None else _mark(candidate.guard, self.env, self.state)
        if candidate.level != "enter" or candidate.guard is None:
            return None
        return _mark(candidate.guard, self.env, self.state)

    def is_unchanged(self, candidate: Candidate, mark: int) -> bool:
        """Return whether nothing that an `enter_when` or a `call` reads has changed since it was last judged (law 2.2).

        Being entered by it does not count as judged in the node itself, so that the node works before
        an unguarded way out or another `enter_when` leads on.
        """
        if isinstance(candidate.action, Open):
            return self.state.frame.calls.get(candidate.id) == mark
        found = self.state.frame.judged.get(candidate.target)
        if found == _entered(mark):
            return candidate.target != self.state.frame.node
        return found == mark


def _entered(mark: int) -> int:
    """Return the checksum to store for an `enter_when` by which its node was entered."""
    return crc32(b"0", mark)


def _mark(guard: Guard, env: Env, state: State) -> int:
    """Return a checksum of what a guard reads, without clock values; a repeated text in a new message counts as new."""
    seen: list[object] = []
    for ref in guard.refs:
        if ref.address:
            found = env.fields.get(ref.address)
            seen.append(None if found is None else found.value)
        elif ref.key.startswith("message."):
            has_message = ref.read is not None and env.source.get(ref.key, ref.read) is not None
            seen.append(state.doing.seq if has_message and state.doing is not None else None)
        elif ref.key not in CLOCK_ROOTS and ref.read is not None:
            seen.append(env.source.get(ref.key, ref.read))
    return crc32(encode(seen))


def guard_fault(judgement: Judgement, candidates: Candidates, env: Env) -> Fault | None:
    """Return one failure for all guard errors of a judgement, at the line of the first; `None` without errors.

    Errors of mirrors do not count, as mirrors only describe.
    """
    if ERROR not in judgement.outcomes:
        return None
    calls = {run.guard: run for run in judgement.code}
    found: list[tuple[Candidate, str, str]] = []
    for candidate, letter in zip(candidates.all, judgement.outcomes, strict=True):
        if letter == ERROR and not candidate.is_mirror:
            found.append((candidate, *_error_of(candidate, calls, env)))
    if not found:
        return None
    message = "; ".join(f"{candidate.id}: {error}" for candidate, error, _ in found)
    return Fault("guard", message, at=found[0][2], transition=found[0][0].id)


def _error_of(candidate: Candidate, calls: dict[str, CodeRun], env: Env) -> tuple[str, str]:
    """Return the error of a guard, and the line where the guard is written."""
    if candidate.code is not None:
        run = calls[candidate.code.name]
        return run.error, run.at
    assert candidate.guard is not None
    at = candidate.guard.span.line_text
    try:
        candidate.guard.test(env)
    except GuardFault as error:
        return str(error), at
    return "the guard is in error", at


def named_undeclared_node(judgement: Judgement) -> bool:
    """Return whether a Python guard returned a node that it does not declare as a target."""
    return any(returned_undeclared(run) for run in judgement.code)


# what a judging read -----------------------------------------------------------------------------


def has_stored_reads(candidates: Candidates, decided: Decided) -> bool:
    """Return whether the values that a decision read are still stored; retention removes only these values."""
    return len(decided.reads) == len(candidates.addresses) + len(candidates.roots)
