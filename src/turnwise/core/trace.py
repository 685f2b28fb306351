"""The trace: decisions with their candidates, verdicts and values, as data for programs, terminal and debug panel.

Nothing here is stored: it is made from a `Decided` event and the machine when someone asks. These are
trees, without circles, so the garbage collector need not follow them (`gc=False`).
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, to_builtins

from turnwise.core.guards.types import value_text
from turnwise.core.state import Place
from turnwise.core.state.events import NothingSet
from turnwise.core.state.kinds import FaultKind, Level

VerdictKind = Literal["held", "not_held", "unknown", "error"]
"""Whether a guard, or a part of one, holds."""
ActionName = Literal["to", "call", "stay", "block", "return", "end"]
"""What taking a transition does."""
Outcome = Literal["taken", "false", "unknown", "outranked", "not_reached", "blocked", "error"]
"""What came of a candidate."""


class Operand(Struct, frozen=True, gc=False, omit_defaults=True):
    """A value that a leaf read."""

    name: str
    """What was read: a field (`user.age`) or a root (`turns`)."""
    value: Any
    """What it was; `None` where there is none."""
    how: str = ""
    """How the value was set, `default`, or `missing` where there is none; empty for a root."""
    turn: int = 0
    """The turn in which the value was set; 0 for a root."""
    place: Place | None = None
    """In which words of which message it stands; `None` for a secret, and where it came from no message."""


class Leaf(Struct, frozen=True, gc=False, omit_defaults=True, tag="leaf"):
    """A condition that is no combination of others."""

    text: str
    """The condition as it is written."""
    verdict: VerdictKind
    """Whether it holds."""
    operands: tuple[Operand, ...] = ()
    """The values that it read."""
    error: str = ""
    """Why it could not be computed; empty if it could."""


class Group(Struct, frozen=True, gc=False, tag="group"):
    """A combination: `all`, `any`, `not`, or `if` with its test, what follows, and what else."""

    op: Literal["all", "any", "not", "if"]
    """How the parts are combined."""
    verdict: VerdictKind
    """Whether it holds."""
    parts: tuple[Verdict, ...]
    """The combined conditions."""


Verdict = Leaf | Group
"""A part of a guard with its verdict."""


class Need(Struct, frozen=True, gc=False):
    """One field change: the field, a value that would do, the rule that asks for it, and the value that it has now.

    The rule is a guard. Where the rules of all changes of a set hold, the transition's guard holds, as long as no value
    changes that the rules do not read.
    """

    field: str
    """The address of the field."""
    value: Any
    """A value that would do; `None` to take it away."""
    rule: str
    """The condition that the new value must meet."""
    now: Any
    """The value that it has now, also by default."""
    text: str = ""
    """The rule with the values that it reads now: `user.age >= 38 (is 35)`."""


class JudgingChange(Struct, frozen=True, gc=False):
    """What is different from the judging before: a value that was read, or the outcome."""

    name: str
    """The field or root, or `outcome`."""
    before: Any
    """At the judging before."""
    now: Any
    """At this judging."""


class GuardCode(Struct, frozen=True, omit_defaults=True):
    """A Python guard: its source (or why there is none), whether it was called, what it returned, read and raised."""

    name: str
    """The name of the function."""
    source: str
    """Its text, or why there is none."""
    has_source: bool = True
    """False where `source` says why there is none."""
    file: str = ""
    """The file of its source; empty without one."""
    line: int = 0
    """The line at which its source begins."""
    returned: Any = None
    """What it returned; `None` if it was not called or raised."""
    reads: dict[str, Any] = {}
    """The values that it read, by field."""
    error: str = ""
    """The exception that it raised; empty if it raised none."""
    call: Literal["called", "not_called", "forgotten"] = "called"
    """Whether it was called; `forgotten` where it was, and retention dropped what came of it."""
    at: str = ""
    """The `file:line` that raised; empty if none did."""


class Failure(Struct, frozen=True, gc=False, omit_defaults=True):
    """What failed: its kind, the reason, and what it is about. Secrets are hidden."""

    kind: FaultKind
    """What failed: a write, a tool, a model, a guard; or that a limit was reached, or a call refused."""
    reason: str
    """The reason in words."""
    tool: str = ""
    """The tool that failed; empty if none did."""
    subject: str = ""
    """The field (`record.field`), the argument of the tool, or the limit that it is about."""
    value: Any = None
    """The value that was refused."""
    bound: Any = None
    """What that value exceeds."""
    at: str = ""
    """The `file:line` in the user's own code or flow."""
    transition: str = ""
    """The transition whose guard or write failed."""

    @property
    def summary(self) -> str:
        """The failure in words, without its place: `a write was refused: u.age: That is more than 120; given 200`."""
        head = _FAILED[self.kind].format(tool=self.tool)
        given = f"; given {value_text(self.value)}" if self.value is not None else ""
        return f"{head}: {self.reason.rstrip('.')}{given}"

    @property
    def text(self) -> str:
        """The failure in words with its place: `the tool look failed: KeyError: 'x' (tools.py:12)`."""
        return f"{self.summary} ({self.at})" if self.at else self.summary


_FAILED = {
    "write": "a write was refused",
    "tool": "the tool {tool} failed",
    "model": "the model failed",
    "guard": "a guard failed",
    "limit": "a limit was reached",
    "refused": "a call of {tool} was refused",
    "text": "a text was not said",
}


class Considered(Struct, frozen=True, gc=False, omit_defaults=True):
    """One candidate of a decision."""

    id: str
    """The name of the transition."""
    outcome: Outcome
    """What came of it: taken, false, unknown, outranked, not reached."""
    action: ActionName
    """What taking it does."""
    target: str = ""
    """The node or scope that it leads to."""
    level: Level = "node"
    """Where it is declared: at the node, for the whole flow, at its target."""
    priority: int = 100
    """Lower numbers are judged first."""
    because: str = ""
    """Why the author wants it."""
    source: str = ""
    """Its `file:line` in the flow."""
    is_mirror: bool = False
    """True where its rule only describes a Python guard, which decides."""
    by: str = ""
    """Who outranked it, why it was not reached, or what blocked it."""
    verdict: Verdict | None = None
    """Every part of its guard with its verdict."""
    missing: tuple[str, ...] = ()
    """The fields without a value that the guard reads."""
    needs: tuple[tuple[Need, ...], ...] = ()
    """Up to three irreducible sets of field changes, each of which would make the guard hold."""
    in_words: tuple[str, ...] = ()
    """Where there is no such set: up to three other ways, each with a condition that no field change can flip."""
    changed: tuple[JudgingChange, ...] = ()
    """What is different from the judging before."""
    code: GuardCode | None = None
    """Its Python guard, where it has one."""
    failure: Failure | None = None
    """What undid its move."""
    planned: bool = False
    """True where its move is made with the next message (`reply: next`)."""
    is_exception: bool = False
    """True where the flow says that it is never what a conversation is nearest to."""


class Disagreement(Struct, frozen=True, gc=False):
    """A mirror rule and the Python guard that it describes chose differently (law 2.16)."""

    rules: str
    """What the rules chose."""
    code: str
    """What the Python guard chose."""


class Decision(Struct, frozen=True, gc=False, omit_defaults=True):
    """One judging of a moment: every candidate, in the order of judging, and a line that sums it up."""

    conversation: str
    seq: int
    """Its position in the journal."""
    turn: int
    """The turn in which it was made."""
    at_ms: int
    """When it was made, in milliseconds since 1970."""
    node: str
    """The node in charge."""
    moment: str
    """The moment that was judged."""
    line: str
    """The decision in one line."""
    candidates: tuple[Considered, ...] = ()
    """The transitions that were judged, in order."""
    taken: str = ""
    """The name of the transition that was taken; empty if none was."""
    overlays: tuple[str, ...] = ()
    """The overlays that were active."""
    mirror_disagrees: Disagreement | None = None
    """Set where the rules and the Python guard chose differently."""
    failure: Failure | None = None
    """What an `error` moment was judged for."""
    hypothetical: bool = False
    """True where it was never made: its outcomes say what would come of it."""
    nothing_set: tuple[NothingSet, ...] = ()
    """The fields in which the move that it chose set nothing."""
    operator: str = ""
    """The person who made it; empty where the machine did."""
    reason: str = ""
    """Why the person made it."""
    erased: str = ""
    """Which values that it read retention erased, when, and by which rule; empty if none."""

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as JSON data."""
        return to_builtins(self)

    def candidate(self, transition: str) -> Considered | None:
        """Return the candidate of this name."""
        return next((c for c in self.candidates if c.id == transition), None)

    def about(self, name: str) -> tuple[Considered, ...]:
        """Return the candidate of this name, else those that lead to the node of this name."""
        found = tuple([c for c in self.candidates if c.id == name])
        return found or tuple([c for c in self.candidates if c.target == name])

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failure that the decision answers, and the one that undid the move that it chose."""
        undone = [candidate.failure for candidate in self.candidates if candidate.failure is not None]
        return (*((self.failure,) if self.failure is not None else ()), *undone)
