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
"""The outcome of a candidate in a decision."""


class Operand(Struct, frozen=True, gc=False, omit_defaults=True):
    """A value that a condition read."""

    name: str
    """The name of what was read: a field (`user.age`) or a root (`turns`)."""
    value: Any
    """The value that was read; `None` if it was missing."""
    how: str = ""
    """How the value was set, `default`, or `missing` if there is none; empty for a root."""
    turn: int = 0
    """The number of the turn in which the value was set; 0 for a root."""
    place: Place | None = None
    """The words of the value: position of the message, start and end in it; `None` if secret or not known."""


class Leaf(Struct, frozen=True, gc=False, omit_defaults=True, tag="leaf"):
    """A condition of a guard that is not a combination of others, with its verdict."""

    text: str
    """The condition as the author wrote it."""
    verdict: VerdictKind
    """Whether the condition holds."""
    operands: tuple[Operand, ...] = ()
    """The values that the condition read."""
    error: str = ""
    """Why the condition could not be computed, in words; empty if it could."""


class Group(Struct, frozen=True, gc=False, tag="group"):
    """A combination of conditions in a guard (`all`, `any`, `not`, `if`), with its verdict."""

    op: Literal["all", "any", "not", "if"]
    """How the conditions are combined."""
    verdict: VerdictKind
    """Whether the combination holds."""
    parts: tuple[Verdict, ...]
    """The combined conditions."""


Verdict = Leaf | Group
"""A part of a guard with its verdict."""


class Need(Struct, frozen=True, gc=False):
    """A change of one field that a guard needs to hold: the field, a sufficient value, and the condition.

    The rule is a guard. Where the rules of all changes of a set hold, the transition's guard holds, as long as no value
    changes that the rules do not read.
    """

    field: str
    """The address of the field."""
    value: Any
    """A value that would make the guard hold; `None` to remove the value."""
    rule: str
    """The condition that the new value has to meet."""
    now: Any
    """The value that the field has now, also by default; `None` if it has none."""
    text: str = ""
    """The condition with the values that it reads now: `user.age >= 38 (is 35)`."""


class JudgingChange(Struct, frozen=True, gc=False):
    """A difference from the previous judging of a transition: a value that was read, or the outcome."""

    name: str
    """The field or root that changed, or `outcome`."""
    before: Any
    """The value at the previous judging."""
    now: Any
    """The value at this judging."""


class GuardCode(Struct, frozen=True, omit_defaults=True):
    """A Python guard in an explanation: its source, and what its call returned, read and raised."""

    name: str
    """The name of the function."""
    source: str
    """The source of the function, or why it is not available."""
    has_source: bool = True
    """False if `source` is the reason why there is none."""
    file: str = ""
    """The file of the source; empty without one."""
    line: int = 0
    """The line of the file at which the source begins, from 1; 0 without one."""
    returned: Any = None
    """What the guard returned; `None` if it was not called or raised."""
    reads: dict[str, Any] = {}
    """The values that the guard read, by field."""
    error: str = ""
    """The exception that the guard raised; empty if it raised none."""
    call: Literal["called", "not_called", "forgotten"] = "called"
    """Whether the guard was called; `forgotten` if it was, and retention erased the result."""
    at: str = ""
    """The `file:line` where the guard raised; empty if it did not."""


class Failure(Struct, frozen=True, gc=False, omit_defaults=True):
    """A failure in an explanation: its kind, its reason, and what it is about. Secrets are hidden."""

    kind: FaultKind
    """What failed: a write, a tool, a model, a guard; a limit that was reached, or a call that was refused."""
    reason: str
    """The reason of the failure in words."""
    tool: str = ""
    """The tool that failed; empty if none did."""
    subject: str = ""
    """The field (`record.field`), tool argument or limit that the failure is about; empty if none."""
    value: Any = None
    """The value that was refused; `None` if the failure is not about a value."""
    bound: Any = None
    """The bound that `value` exceeds; `None` if there is none."""
    at: str = ""
    """The `file:line` in the user's own code or flow where the failure arose; empty if none."""
    transition: str = ""
    """The transition whose guard or write failed; empty if none did."""

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
    """One candidate of a decision: a transition, its outcome, and the reasons."""

    id: str
    """The name of the transition."""
    outcome: Outcome
    """The outcome for the transition: taken, false, unknown, outranked, not reached and so on."""
    action: ActionName
    """What the transition does when it is taken."""
    target: str = ""
    """The node or scope to which the transition leads; empty if to none."""
    level: Level = "node"
    """Where the transition is declared: at the node, for the whole flow, or at its target."""
    priority: int = 100
    """The order of judging: lower numbers are judged first."""
    because: str = ""
    """The author's reason for the transition; empty if there is none."""
    source: str = ""
    """The `file:line` of the transition in the flow."""
    is_mirror: bool = False
    """True if the guard only describes a Python guard, which decides."""
    by: str = ""
    """Which transition outranked this one, why it was not reached, or what blocked it; empty if nothing did."""
    verdict: Verdict | None = None
    """The conditions of the guard as a tree with verdicts; `None` without a guard."""
    missing: tuple[str, ...] = ()
    """The addresses of the fields without a value that the guard reads."""
    needs: tuple[tuple[Need, ...], ...] = ()
    """Up to three minimal sets of field changes, each of which would make the guard hold."""
    in_words: tuple[str, ...] = ()
    """If no field change helps: up to three other ways in words, each a condition that no field change meets."""
    changed: tuple[JudgingChange, ...] = ()
    """What differs from the previous judging of the transition."""
    code: GuardCode | None = None
    """The Python guard of the transition; `None` if it has none."""
    failure: Failure | None = None
    """The failure that undid the move of the transition; `None` if there was none."""
    planned: bool = False
    """True if the move is made at the next message (`reply: next`)."""
    is_exception: bool = False
    """True if the flow declares that this transition is never named as the nearest one."""


class Disagreement(Struct, frozen=True, gc=False):
    """A mirror rule and the Python guard that it describes chose differently (law 2.16)."""

    rules: str
    """The target that the mirror rules chose; `(stay)` for none."""
    code: str
    """The target that the Python guard chose; `(stay)` for none."""


class Decision(Struct, frozen=True, gc=False, omit_defaults=True):
    """One judging of a moment: every candidate in the order of judging, and a sentence that sums it up."""

    conversation: str
    """The name of the conversation."""
    seq: int
    """The position of the decision in the journal."""
    turn: int
    """The number of the turn in which the decision was made."""
    at_ms: int
    """When the decision was made, in milliseconds since 1970."""
    node: str
    """The node in charge."""
    moment: str
    """The name of the moment that was judged, such as `before`."""
    line: str
    """The decision in one sentence, such as what was taken and why."""
    candidates: tuple[Considered, ...] = ()
    """The transitions that were considered, in the order of judging."""
    taken: str = ""
    """The name of the transition that was taken; empty if none was."""
    overlays: tuple[str, ...] = ()
    """The names of the overlays that were active."""
    mirror_disagrees: Disagreement | None = None
    """How mirror rules and Python guard chose differently; `None` if they did not."""
    failure: Failure | None = None
    """The failure for which an `error` moment was judged; `None` for other moments."""
    hypothetical: bool = False
    """True if the decision was never made: its outcomes are what would happen."""
    nothing_set: tuple[NothingSet, ...] = ()
    """The fields for which the chosen move computed no value."""
    operator: str = ""
    """The operator who made the decision; empty if the machine did."""
    reason: str = ""
    """Why the operator made the decision; empty if the machine did."""
    erased: str = ""
    """Which values that were read retention erased, when, and by which rule, in words; empty if none."""

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as JSON data."""
        return to_builtins(self)

    def candidate(self, transition: str) -> Considered | None:
        """Return the candidate with this transition name; `None` if there is none."""
        return next((c for c in self.candidates if c.id == transition), None)

    def about(self, name: str) -> tuple[Considered, ...]:
        """Return the candidate with this transition name, else those that lead to the node of this name."""
        found = tuple([c for c in self.candidates if c.id == name])
        return found or tuple([c for c in self.candidates if c.target == name])

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failure that the decision answers, and the failure that undid the chosen move, if any."""
        undone = [candidate.failure for candidate in self.candidates if candidate.failure is not None]
        return (*((self.failure,) if self.failure is not None else ()), *undone)
