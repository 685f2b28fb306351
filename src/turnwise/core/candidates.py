"""Transitions as they are judged: guards, actions, and the candidates of a node at a moment in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from turnwise.core.guards import Evaluate, Ref, Test
from turnwise.core.state import State
from turnwise.core.state.kinds import Level
from turnwise.core.template import Template
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import NOWHERE, Span
from turnwise.flow.guard import Expression
from turnwise.flow.model import Moment
from turnwise.flow.model.words import Reply


class Guard(Struct, frozen=True):
    """A compiled guard: its syntax tree, the closure that evaluates it, what it reads, and where it is written."""

    expression: Expression
    """The syntax tree of the guard."""
    test: Test
    """The function that evaluates the guard to true, false or unknown (`None`)."""
    refs: tuple[Ref, ...]
    """The fields and roots that the guard reads."""
    span: Span = NOWHERE
    """Where the guard is written in the flow."""


class Write(Struct, frozen=True):
    """A field that is written on a move, and the value that it gets."""

    address: str
    """The address of the field."""
    value: Evaluate
    """The function that computes the value that is written."""
    span: Span
    """Where the write stands in the flow."""
    is_secret: bool = False
    """True if the value comes from a secret field."""
    expression: Expression | None = None
    """The expression that computes the value; `None` for a constant."""
    reads: tuple[Ref, ...] = ()
    """The fields and roots that the expression reads; empty for a constant."""


class GoTo(Struct, frozen=True):
    """An action of a transition: move to a node."""

    target: str
    """The qualified name of the node."""


class Stay(Struct, frozen=True):
    """An action of a transition: stay in the node, and judge no further candidates."""

    say: Template | None = None
    """The reminder that a timer sends; `None` if it sends none."""
    repeat: int = 1
    """How often a timer sends the reminder during one wait."""


class Block(Struct, frozen=True):
    """An action of a transition: refuse the move, and send a reply."""

    text: Template
    """The template of the reply."""


class End(Struct, frozen=True):
    """An action of a transition: end the conversation with an outcome."""

    outcome: str
    """The name of the outcome with which the conversation ends."""


class Open(Struct, frozen=True):
    """An action of a transition: open a scope as an interruption, and continue in the node afterwards."""

    scope: str
    """The qualified name of the scope."""
    input: tuple[Write, ...] = ()
    """The input fields of the scope, with the values that they get when it opens."""


class Return(Struct, frozen=True):
    """An action of a transition: close the scope in which it stands, with the outcome `completed`."""


Action = GoTo | Stay | Block | End | Open | Return
"""What taking a transition does."""


class Candidate(Struct, frozen=True):
    """A transition of the flow as it is judged at one node and one moment of a turn.

    Without a rule and without a Python guard it is the `else` of its moment.
    """

    id: str
    """The name of the transition."""
    moment: Moment
    """The moment at which the transition is judged."""
    level: Level
    """Where the transition was declared: at the node, for the whole flow, or as `enter_when` of its target."""
    action: Action
    """What the transition does when it is taken."""
    guard: Guard | None = None
    """The guard of the transition; `None` if it has none."""
    code: PythonGuard | None = None
    """The Python guard of the transition; `None` if it has none."""
    is_mirror: bool = False
    """True if the guard only describes a Python guard, which decides."""
    because: str = ""
    """The author's reason for the transition; empty if there is none."""
    priority: int = 100
    """The order of judging: lower numbers are judged first."""
    reply: Reply = "now"
    """Whether the target node speaks in this turn (`now`) or only at the user's next message (`next`)."""
    delay_ms: int | None = None
    """For a timer: after how many milliseconds it fires; else `None`."""
    events: tuple[str, ...] = ()
    """At the moment `event`: the names of the external events for which it is judged; empty for all."""
    writes: tuple[Write, ...] = ()
    """The fields that are written when the transition is taken."""
    note: Template | None = None
    """The text that the transition passes to the model of the node or scope that it enters; `None` for none."""
    span: Span = NOWHERE
    """Where the transition stands in the flow."""
    follows_any: bool = False
    """True if it may also be taken after an unfinished form: its guard reads the form's status, or it says `any`."""
    is_exception: bool = False
    """True if explanations never name the transition as the one that was nearest to holding."""
    target: str = ""
    """The node to which the transition moves; empty if it moves to none."""

    def __post_init__(self) -> None:
        if isinstance(self.action, GoTo):
            force_setattr(self, "target", self.action.target)

    @property
    def is_guarded(self) -> bool:
        """True unless the transition is the `else` of its moment."""
        return self.guard is not None or self.code is not None


MESSAGE = "message.text"
"""The root with the user's message; decisions record the place of the message in the journal in place of its text."""

PERSON_TIMEOUT: Final = "person timeout"
"""The timer that ends the wait for a person (law 6.10). No transition can have this name."""
APPROVAL_DEADLINE: Final = "approval deadline"
"""The timer that declines calls which were not approved in time (law 4.5). No transition can have this name."""


class Candidates(Struct, frozen=True):
    """The candidates of one node at one moment, in the order of judging, and all that their guards read."""

    all: tuple[Candidate, ...]
    """The candidates, in the order of judging."""
    tests: tuple[Test, ...]
    """The guards of the candidates as functions, in the same order."""
    addresses: tuple[str, ...]
    """The addresses of the fields that the guards read."""
    roots: tuple[tuple[str, Callable[[State], Any]], ...]
    """The roots that the guards read, each with the function that reads it from a state."""
    message_at: int | None = None
    """The index, from 0, of the message's place in a decision's `reads`; `None` if no guard reads the message."""
    lists: tuple[int, ...] = ()
    """The indexes, from 0, of the lists in a decision's `reads`."""
    has_enter_when: bool = False
    """True if one of the candidates is the `enter_when` of its target."""
    is_plain: bool = True
    """True if evaluating guards in order suffices: none is Python, opens a scope, or names events."""
    follows_work: bool = False
    """True if the candidates are judged after the node's work, which may have been left unfinished."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the fields and roots that are read, in the order of a decision's `reads`."""
        return (*self.addresses, *(key for key, _ in self.roots))


def _is_special(candidate: Candidate) -> bool:
    """Return whether a candidate is more than a rule or an `else`."""
    is_called = candidate.code is not None or isinstance(candidate.action, Open)
    return is_called or candidate.is_mirror or bool(candidate.events)


_LEVELS = {"node": 0, "flow": 1, "enter": 2}
_NONE = Candidates((), (), (), ())
"""Of a node without candidates at a moment."""


def candidates_of(declared: Iterable[Candidate], moment: Moment) -> Candidates:
    """Return those of the candidates `declared` that are judged at a moment, in the order of judging (law 2.4). Those
    with a guard come before those without, then by priority, level and place in the flow; for errors the nearest first
    (law 3.9).
    """
    found = in_order([one for one in declared if one.moment == moment], moment)
    if not found:
        return _NONE
    refs: dict[str, Ref] = {}
    for candidate in found:
        for ref in candidate.guard.refs if candidate.guard else ():
            refs.setdefault(ref.key, ref)
    has_enter_when = "enter" in [c.level for c in found]
    fields = [ref.field for ref in refs.values() if ref.field is not None]
    addresses = tuple([ref.address for ref in refs.values() if ref.address])
    # A decision records the message by its position, and every other root by its value.
    roots = tuple(
        [
            (ref.key, _message_place if ref.key == MESSAGE else ref.read)
            for ref in refs.values()
            if ref.read is not None and not ref.address
        ]
    )
    return Candidates(
        all=tuple(found),
        tests=tuple([c.guard.test if c.guard is not None else lambda _env: True for c in found]),
        addresses=addresses,
        roots=roots,
        lists=tuple([place for place, field in enumerate(fields) if field.type == "list"]),
        message_at=next((place for place, (key, _) in enumerate(roots, len(addresses)) if key == MESSAGE), None),
        has_enter_when=has_enter_when,
        is_plain=not has_enter_when and not any(map(_is_special, found)),
        follows_work=moment == "after",
    )


def in_order(candidates: Iterable[Candidate], moment: Moment) -> list[Candidate]:
    """Return the candidates of a moment in the order of judging."""
    return sorted(candidates, key=_order_of_errors if moment == "error" else _order)


def _order(candidate: Candidate) -> tuple[int, int, int]:
    return not candidate.is_guarded, candidate.priority, _LEVELS[candidate.level]


def _order_of_errors(candidate: Candidate) -> tuple[int, int, int]:
    return _LEVELS[candidate.level], not candidate.is_guarded, candidate.priority


Precedence = Literal["guard", "priority", "level", "order"]
"""By what a candidate goes before another: it has a guard and the other has none, its priority, where it was declared,
or its place in the flow.
"""


def precedence(first: Candidate, second: Candidate, moment: Moment) -> Precedence:
    """Return the reason why the candidate `first` of a moment is judged before the candidate `second`."""
    order, keys = (_order_of_errors, _KEYS_OF_ERRORS) if moment == "error" else (_order, _KEYS)
    for key, one, other in zip(keys, order(first), order(second), strict=True):
        if one != other:
            return key
    return "order"


_KEYS: tuple[Precedence, ...] = ("guard", "priority", "level")
_KEYS_OF_ERRORS: tuple[Precedence, ...] = ("level", "guard", "priority")


def _message_place(state: State) -> int | None:
    doing = state.doing
    return doing.seq if doing is not None and doing.message is not None else None
