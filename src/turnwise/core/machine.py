"""The machine: a linked, checked, immutable flow that is ready to run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from turnwise.core.call_names import CallNames, names_of_flow
from turnwise.core.guards import Evaluate, Ref, Test
from turnwise.core.guards.scope import Names
from turnwise.core.language import Language
from turnwise.core.state import State
from turnwise.core.state.events import Button
from turnwise.core.state.kinds import Level
from turnwise.core.template import Template
from turnwise.core.toolbox import LinkedTool, LinkedToolWork, Toolbox
from turnwise.core.values import Rules
from turnwise.flow.code import PythonGuard
from turnwise.flow.codec import fingerprint
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, Span
from turnwise.flow.guard import Expression
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field, Flow, Form, FormField, MatchMode, Moment, Node
from turnwise.flow.model.words import Reply


class Guard(Struct, frozen=True):
    """A compiled guard: its tree, its closure, what it reads, and where it stands."""

    expression: Expression
    test: Test
    refs: tuple[Ref, ...]
    span: Span = NOWHERE


class Go(Struct, frozen=True):
    """Move to a node."""

    target: str


class Stay(Struct, frozen=True):
    """Stay in the node, and judge no further candidates. A timer may say a reminder, `repeat` times in one wait."""

    say: Template | None = None
    repeat: int = 1


class Block(Struct, frozen=True):
    """Refuse the move, and reply with this text."""

    text: Template


class End(Struct, frozen=True):
    """End with an outcome."""

    outcome: str


Action = Go | Stay | Block | End


class Write(Struct, frozen=True):
    """A field that is written on a move: its value, and where it is written. `is_secret` is true where the value
    comes from a secret field. `expression` is what is computed and `reads` what that reads; a constant has neither.
    """

    address: str
    value: Evaluate
    span: Span
    is_secret: bool = False
    expression: Expression | None = None
    reads: tuple[Ref, ...] = ()


class Candidate(Struct, frozen=True):
    """A transition as it is judged at one node and moment.

    `guard` is its rule, `code` its Python guard; without either it is the `else` of its moment.
    `level` is where it was declared: at the node, for the whole flow, or as the `enter_when` of its target.
    """

    id: str
    moment: Moment
    level: Level
    action: Action
    guard: Guard | None = None
    code: PythonGuard | None = None
    is_mirror: bool = False
    because: str = ""
    priority: int = 100
    reply: Reply = "now"
    delay_ms: int | None = None
    writes: tuple[Write, ...] = ()
    span: Span = NOWHERE
    follows_any: bool = False
    """True if it may also follow a form that broke off: its rule reads the status of the form, or it says `any`."""
    target: str = ""
    """The node it goes to, empty where it goes to none."""

    def __post_init__(self) -> None:
        if isinstance(self.action, Go):
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
"""The timer that declines calls which nobody approved in time (law 4.5). No transition can have this name."""


class Candidates(Struct, frozen=True):
    """The candidates of one node at one moment, in the order of judging, and all that they read:
    fields by address, then roots. `is_plain` where every candidate is a rule or an `else`.
    """

    all: tuple[Candidate, ...]
    tests: tuple[Test, ...]
    addresses: tuple[str, ...]
    roots: tuple[tuple[str, Callable[[State], Any]], ...]
    message_at: int | None = None
    """Which of a decision's `reads` is the place of the message, where one is read."""
    has_enter_when: bool = False
    is_plain: bool = True

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of what is read, in the order of a decision's `reads`."""
        return (*self.addresses, *(key for key, _ in self.roots))


class Question(Struct, frozen=True):
    """A linked question of a form: its field as the form sees it, its texts, its tests. `labels` are templates."""

    form_field: FormField
    field: Field
    address: str
    key: str
    ask: Template
    help: Template | None
    match: MatchMode
    ask_when: Guard | None
    validators: tuple[tuple[Guard, Template | None], ...]
    stop_values: frozenset[Any]
    stop_say: Template | None
    rephrase: tuple[Template, ...]
    buttons: tuple[Button, ...]
    labels: Mapping[str, Template] = {}
    refuse: Template | None = None


class LinkedForm(Struct, frozen=True):
    """A linked form. `draft` is its statement with visible gaps; `labels` are the templates of its confirmation."""

    form: Form
    questions: tuple[Question, ...]
    in_order: tuple[Question, ...]  # those that are asked of their own accord, the required ones first
    by_address: Mapping[str, Question]
    acknowledge: Template | None
    statement: Template | None
    draft: Template | None
    summary: Template | None
    labels: Mapping[str, Template] = {}
    has_conditions: bool = False
    has_validators: bool = False


class Derived(Struct, frozen=True):
    """A derived field (law 1.5): its value as a closure, and the fields that it reads."""

    address: str
    field: Field
    value: Evaluate
    reads: tuple[str, ...]


class LinkedPerson(Struct, frozen=True):
    """A person as the work of a node, or for `hand_over`: the queue, a text for the person, the longest wait."""

    queue: str
    about: Template | None
    timeout_ms: int


Work = Literal["none", "say", "prompt", "form", "tool", "person"]


class LinkedNode(Struct, frozen=True):
    """A linked node: its work, its compiled texts and writes, the tools that it allows, its own transitions."""

    node: Node
    work: Work
    persona: Template | None
    prompt: Template | None
    say: Template | None
    form: LinkedForm | None
    entry: Template | None
    collects: tuple[str, ...]
    tools: frozenset[str]
    writes: tuple[Write, ...]
    writes_on_leave: tuple[Write, ...]
    candidates: tuple[Candidate, ...]
    toolbox: Toolbox
    tool: LinkedToolWork | None = None
    person: LinkedPerson | None = None
    reply_guard: Candidate | None = None
    into: Mapping[str, str] = {}
    """The record or field that takes the results of a tool here, where a model calls it or the program reports it."""
    settings: dict[str, Any] = {}
    """What requests to its model ask for: the settings of the flow, and those of the node in their place."""


class Machine(Struct, frozen=True, dict=True, weakref=True):
    """A flow ready to run."""

    flow: Flow
    language: Language
    rules: Rules
    names: Names
    fields: Mapping[str, Field]
    validators: Mapping[str, tuple[tuple[Guard, Template | None], ...]]
    refusals: Mapping[str, Template]  # said where a bound or the pattern of a field refuses a value
    tools: Mapping[str, LinkedTool]
    nodes: Mapping[str, LinkedNode]
    flow_candidates: tuple[Candidate, ...]
    enter_candidates: tuple[Candidate, ...]
    forms_of: Mapping[str, tuple[str, ...]]
    fallback: Template
    code: Mapping[str, PythonGuard]
    person: LinkedPerson | None = None
    """Who comes where the user asks for a person; `None` where `hand_over` only tells the host."""
    derived: tuple[Derived, ...] = ()  # each after what it reads
    warnings: tuple[Diagnostic, ...] = ()
    explainers: dict[tuple[str, str], Any] = {}
    secret_results: Mapping[str, frozenset[str]] = {}
    """The parts of results, by tool, that belong into secret fields; an empty name is a whole result."""
    speaks: Template | None = None
    """Names the language of a conversation from its fields; `None` where the flow has one language."""
    languages: Mapping[str, Machine] = {}
    """The machine of the flow in each language, by code, where the language may change; this one is among them."""
    _candidates: dict[tuple[str, str], Candidates] = {}

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits for the flow and the sources of its functions."""
        return fingerprint(self.flow, tuple(guard.source for guard in self.code.values()))

    def speaking(self, state: State | None) -> Machine:
        """Return the machine of this flow in the language of a conversation; this one without a state."""
        return self.languages.get(state.language, self) if self.languages and state is not None else self

    @cached_property
    def has_secrets(self) -> bool:
        """True if there is a field, or an argument of a tool, that is secret."""
        args = (arg for tool in self.tools.values() for arg in tool.args.values())
        return any(field.secret for field in (*self.fields.values(), *args))

    @cached_property
    def call_names(self) -> CallNames:
        """The names that a model may call anywhere in the flow."""
        return names_of_flow({name: tool.args for name, tool in self.tools.items()}, self.names.records, self.nodes)

    def candidates(self, node: str, moment: Moment) -> Candidates:
        """The candidates of a node at a moment: made at the first asking, the same ever after."""
        key = (node, moment)
        found = self._candidates.get(key)
        if found is None:
            found = self._candidates[key] = _candidates_at(self, node, moment)
        return found

    def all_candidates(self) -> Iterator[Candidate]:
        """Every candidate: those of the nodes, in the order of the flow, those of the flow, and each `enter_when`."""
        for node in self.nodes.values():
            yield from node.candidates
        yield from self.flow_candidates
        yield from self.enter_candidates

    def transitions(self, *moments: Moment) -> tuple[str, ...]:
        """The names of all transitions, or of those at some moments, each once, in the order of the flow."""
        return tuple(dict.fromkeys(c.id for c in self.all_candidates() if not moments or c.moment in moments))

    def title(self, address: str) -> str:
        """What a field is about, in words."""
        of = self.fields[address]
        return of.about or of.name.replace("_", " ")

    def short_title(self, address: str) -> str:
        """What a field is called in a sentence: its title without what explains it."""
        title = self.title(address)
        head = _EXPLANATION.split(title, maxsplit=1)[0]
        first, _, rest = head.partition(",")
        return (head if self.language.joint.search(rest) else first) or title


_EXPLANATION = late_pattern(r"\s*[(\[:;]|\s+[-–—]\s")
"""What separates a title from its explanation, beside a comma that lists nothing."""

_LEVELS = {"node": 0, "flow": 1, "enter": 2}


def _candidates_at(machine: Machine, node: str, moment: Moment) -> Candidates:
    """Law 2.4: guarded before unguarded, then priority, then node, flow, `enter_when`, then order; for
    errors the nearest first (law 3.9).

    A transition of the flow is a way out of every node, so where it leads it is none.
    """
    found = [c for c in machine.nodes[node].candidates if c.moment == moment]
    found += [c for c in machine.flow_candidates if c.moment == moment and c.target != node]
    found += [c for c in machine.enter_candidates if c.moment == moment]
    found = in_order(found, moment)
    refs: dict[str, Ref] = {}
    for candidate in found:
        for ref in candidate.guard.refs if candidate.guard else ():
            refs.setdefault(ref.key, ref)
    has_enter_when = any(c.level == "enter" for c in found)
    addresses = tuple(ref.address for ref in refs.values() if ref.address)
    # A decision records the message by its position, and every other root by its value.
    roots = tuple(
        (ref.key, _message_place if ref.key == MESSAGE else ref.read)
        for ref in refs.values()
        if ref.read is not None and not ref.address
    )
    return Candidates(
        all=tuple(found),
        tests=tuple(c.guard.test if c.guard is not None else lambda _env: True for c in found),
        addresses=addresses,
        roots=roots,
        message_at=next((place for place, (key, _) in enumerate(roots, len(addresses)) if key == MESSAGE), None),
        has_enter_when=has_enter_when,
        is_plain=not has_enter_when and not any(c.code or c.is_mirror for c in found),
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
