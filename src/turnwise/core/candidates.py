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
    """A compiled guard: its tree, its closure, what it reads, and where it stands."""

    expression: Expression
    """Its tree."""
    test: Test
    """The function that judges it."""
    refs: tuple[Ref, ...]
    """The fields and roots that it reads."""
    span: Span = NOWHERE
    """Where it stands in the flow."""


class Write(Struct, frozen=True):
    """A field that is written on a move: its value, and where it is written."""

    address: str
    """The field."""
    value: Evaluate
    """The function that computes the value."""
    span: Span
    """Where it stands in the flow."""
    is_secret: bool = False
    """True where the value comes from a secret field."""
    expression: Expression | None = None
    """What is computed; `None` for a constant."""
    reads: tuple[Ref, ...] = ()
    """What the expression reads; empty for a constant."""


class GoTo(Struct, frozen=True):
    """Move to a node."""

    target: str
    """The qualified name of the node."""


class Stay(Struct, frozen=True):
    """Stay in the node, and judge no further candidates. A timer may say a reminder."""

    say: Template | None = None
    """What a timer says, if it says something."""
    repeat: int = 1
    """How often a timer says the reminder in one wait."""


class Block(Struct, frozen=True):
    """Refuse the move, and reply with this text."""

    text: Template
    """The reply."""


class End(Struct, frozen=True):
    """End with an outcome."""

    outcome: str


class Open(Struct, frozen=True):
    """Open a scope, whose node this is, as an interruption."""

    scope: str
    """The qualified name of the scope."""
    input: tuple[Write, ...] = ()
    """The fields of the scope that are written when it opens, with their values."""


class Return(Struct, frozen=True):
    """Close the scope in which the transition stands, with the outcome `completed`."""


Action = GoTo | Stay | Block | End | Open | Return
"""What taking a transition does."""


class Candidate(Struct, frozen=True):
    """A transition as it is judged at one node and moment.

    Without a rule and without a Python guard it is the `else` of its moment.
    """

    id: str
    """The name of the transition."""
    moment: Moment
    """When it is judged."""
    level: Level
    """Where it was declared: at the node, for the whole flow, or as the `enter_when` of its target."""
    action: Action
    """What taking it does."""
    guard: Guard | None = None
    """Its rule; `None` where it has none."""
    code: PythonGuard | None = None
    """Its Python guard; `None` where it has none."""
    is_mirror: bool = False
    """True where its rule only describes a Python guard, which decides."""
    because: str = ""
    """Why the author wants it."""
    priority: int = 100
    """Lower numbers are judged first."""
    reply: Reply = "now"
    """Whether the target speaks in this turn or the next."""
    delay_ms: int | None = None
    """Of a timer: after how long it fires."""
    events: tuple[str, ...] = ()
    """The events of other systems at which it is judged, at `event`; empty for all."""
    writes: tuple[Write, ...] = ()
    """The fields that it writes."""
    note: Template | None = None
    """What the model of the node or scope reads to which it goes."""
    span: Span = NOWHERE
    """Where it stands in the flow."""
    follows_any: bool = False
    """True if it may also follow a form that broke off: its rule reads the status of the form, or it says `any`."""
    is_exception: bool = False
    """True if it is never what a conversation is nearest to."""
    target: str = ""
    """The node it goes to, empty where it goes to none."""

    def __post_init__(self) -> None:
        if isinstance(self.action, GoTo):
            force_setattr(self, "target", self.action.target)

    @property
    def is_guarded(self) -> bool:
        """True unless it is the `else` of its moment."""
        return self.guard is not None or self.code is not None


MESSAGE = "message.text"
"""The root that is recorded by its place in the journal."""

PERSON_TIMEOUT: Final = "person timeout"
"""The timer that ends the wait for a person (law 6.10). No transition can have this name."""
APPROVAL_DEADLINE: Final = "approval deadline"
"""The timer that declines calls which were not approved in time (law 4.5). No transition can have this name."""


class Candidates(Struct, frozen=True):
    """The candidates of one node at one moment, in the order of judging, and all that they read: fields by address,
    then roots.
    """

    all: tuple[Candidate, ...]
    """The candidates, in the order of judging."""
    tests: tuple[Test, ...]
    """Their guards as functions, in the same order."""
    addresses: tuple[str, ...]
    """The fields that they read."""
    roots: tuple[tuple[str, Callable[[State], Any]], ...]
    """The roots that they read, with the functions that read them."""
    message_at: int | None = None
    """Which of a decision's `reads` is the place of the message, where one is read."""
    lists: tuple[int, ...] = ()
    """Which of them are lists."""
    has_enter_when: bool = False
    """True where one of them is the `enter_when` of its target."""
    is_plain: bool = True
    """True where it is enough to evaluate the guards in order: none is Python, opens a scope, or names events."""
    follows_work: bool = False
    """Whether they are judged after the work of the node, which may have broken off."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of what is read, in the order of a decision's `reads`."""
        return (*self.addresses, *(key for key, _ in self.roots))


def _is_special(candidate: Candidate) -> bool:
    """Return whether a candidate is more than a rule or an `else`."""
    is_called = candidate.code is not None or isinstance(candidate.action, Open)
    return is_called or candidate.is_mirror or bool(candidate.events)


_LEVELS = {"node": 0, "flow": 1, "enter": 2}
_NONE = Candidates((), (), (), ())
"""Of a node without candidates at a moment."""


def candidates_of(declared: Iterable[Candidate], moment: Moment) -> Candidates:
    """Return the candidates of a moment in the order of judging (law 2.4): with a guard before those without, then by
    priority, level and place in the flow; for errors the nearest first (law 3.9).
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
    """The candidates of a moment in the order of judging."""
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
    """Return by what a candidate of a moment goes before another one, which comes later."""
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
