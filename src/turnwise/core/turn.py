"""Builds one step of a turn: the current state, the events decided, the effects requested.

Only events change the state: `emit` folds each as it is decided, so a run and its replay cannot differ.
"""

from __future__ import annotations

from typing import ClassVar, final

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.costs import LinkedBudget
from turnwise.core.guards import Env, GuardFault, env_of
from turnwise.core.locale import rules_at, rules_of
from turnwise.core.machine import Derived, LinkedNode, Machine
from turnwise.core.options import fix_options_from
from turnwise.core.overlays import voices
from turnwise.core.spending import CallPlan, allowed_by, period_of, plan_call, spent_of, wanted_by
from turnwise.core.state import Fault, Place, State, Timer, TurnState, ValueOrigin
from turnwise.core.state.effects import AnyEffect, CallModel, Purpose, RunTool, Understand
from turnwise.core.state.events import (
    AnyEvent,
    BudgetReached,
    EffectAsked,
    Entry,
    FieldCleared,
    FieldRevived,
    FieldSet,
    FieldShelved,
    GiveBackRefused,
    ItemAdded,
    ItemChanged,
    ItemEvent,
    ItemMoved,
    ItemRemoved,
    QuestionsFixed,
    Said,
    Warned,
    WordsHidden,
)
from turnwise.core.state.events.budgets import BudgetWay
from turnwise.core.state.fold import CHANGES
from turnwise.core.state.items import with_ids
from turnwise.core.state.kinds import RefusalCode, ReplyKind, WarningCode
from turnwise.core.template import Template
from turnwise.core.values import Refused, Rules, Value, read_value
from turnwise.flow.addresses import map_of

_ITEMS = frozenset((ItemAdded, ItemChanged, ItemRemoved, ItemMoved))
_WRITES = frozenset((FieldSet, FieldCleared, FieldShelved, FieldRevived, QuestionsFixed)) | _ITEMS
_BY_MACHINE: frozenset[ValueOrigin] = frozenset(("set", "scope", "derived", "prefill", "default"))
"""How a list comes that the machine itself copies from another field, so that its items keep their ids."""


def derived_value(machine: Machine, derived: Derived, state: State) -> Value:
    """Return the value of a derived field in a state; `None` if it cannot be computed."""
    return derive_value(machine, derived, state)[0]


def derive_value(machine: Machine, derived: Derived, state: State) -> tuple[Value, str]:
    """Return the value of a derived field in a state, or `None` and the error, empty if only values are missing."""
    try:
        value = derived.value(env_of(state))
    except GuardFault as error:
        return None, str(error)
    except OverflowError:
        return None, "the result is too large"
    stored = None if value is None else read_value(derived.field, value, rules_of(machine, state))
    return (None, stored.text) if isinstance(stored, Refused) else (stored, "")


@final
class Phase:
    """A phase of a turn, such as interpreting the message or doing the node's work. It is no `Enum`, whose members take
    as long to look up as a function to call.
    """

    __slots__ = ("name",)
    UNDERSTAND: ClassVar[Phase]
    """Interpret the user's message."""
    BEFORE: ClassVar[Phase]
    """Judge the moment `before`."""
    WORK: ClassVar[Phase]
    """Do the work of the node."""
    AFTER: ClassVar[Phase]
    """Judge the moment `after`."""
    FINISH: ClassVar[Phase]
    """End the turn."""
    AWAIT: ClassVar[Phase]
    """Wait for the result of an effect."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Phase.{self.name}"


for _name in ("UNDERSTAND", "BEFORE", "WORK", "AFTER", "FINISH", "AWAIT"):
    setattr(Phase, _name, Phase(_name))


class Step(Struct, frozen=True, gc=False):
    """The result of one step: the new state, the new entries of the journal, and the effects to perform.

    Without effects the turn is over. Persist the events before performing an effect.
    """

    state: State
    """The state after the step."""
    entries: tuple[Entry, ...]
    """The events of the step in order, as entries of the journal."""
    effects: tuple[AnyEffect, ...] = ()
    """The effects that the runner has to perform, such as model calls."""
    raised: tuple[BaseException, ...] = ()
    """The exceptions that Python guards raised, to be logged."""


class Refusal(Struct, frozen=True, gc=False):
    """Why an event was refused, so that nothing changed."""

    code: RefusalCode
    """The code of why the event was refused."""
    text: str
    """Why the event was refused, in words."""
    recovered: tuple[int, ...] = ()
    """The numbers of turns that resumed after a crash and that this refusal reports to the caller."""
    unprompted: tuple[int, ...] = ()
    """The numbers of turns that the machine started itself and that this refusal reports to the caller."""
    fields: tuple[tuple[str, str], ...] = ()
    """The addresses of the wrong fields, each with the reason in words."""
    fact: GiveBackRefused | None = None
    """The event that the journal records about the refusal; `None` for none."""


class TextRefused(Exception):
    """Raised where a text requires a value that is missing, so that the text is not sent (law 3.9)."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class OverBudget(Exception):
    """Raised where a call would exceed a budget of the flow, so that it is not made."""

    def __init__(self, refused: CallPlan) -> None:
        super().__init__(refused.purpose)
        self.refused = refused


class StepBuilder:
    """The mutable workspace of one step: it collects events, effects and the new state.

    `node` and `doing` follow the state, so that reading them costs nothing.
    """

    __slots__ = (
        "again",
        "at_ms",
        "continues",
        "doing",
        "effects",
        "entries",
        "machine",
        "node",
        "number",
        "raised",
        "seq",
        "state",
    )
    state: State
    """The state after all events of the step so far."""
    node: LinkedNode
    """The node in charge."""
    doing: TurnState
    """The part of the state that lasts for this turn; `None` once the turn has ended."""

    def __init__(self, machine: Machine, state: State, at_ms: int, number: int) -> None:
        self.machine = machine
        self.state = state = state if state.at_ms == at_ms else replace(state, at_ms=at_ms)
        self.node = machine.nodes.get(state.frame.node)  # type: ignore[assignment]  as in `_set`
        self.doing = state.doing  # type: ignore[assignment]
        self.seq = state.seq
        self.at_ms = at_ms
        self.number = number
        self.entries: list[Entry] = []
        self.effects: list[AnyEffect] = []
        self.raised: list[BaseException] = []
        self.again: Timer | None = None
        """The reminder that is armed again after it fired."""
        self.continues = False
        """True if an autonomous flow begins its next turn by itself (law 2.8)."""

    def _set(self, state: State) -> None:
        """Go on with a state, and with what follows it."""
        self.state = state
        # Nothing reads the node of another version of the flow, nor what lasts for a turn that has ended.
        self.node = self.machine.nodes.get(state.frame.node)  # type: ignore[assignment]
        self.doing = state.doing  # type: ignore[assignment]

    def speak(self) -> None:
        """Switch to the machine in the language of the state, with its questions and options."""
        self.machine = self.machine.for_conversation(self.state)
        self._set(self.state)

    @property
    def env(self) -> Env:
        """The environment in which guards and texts are evaluated now."""
        return Env(self.state.values, self.state)

    @property
    def rules(self) -> Rules:
        """The rules for reading values now."""
        return rules_at(self.machine.rules, self.state)

    def emit(self, event: AnyEvent, frame: int | None = None) -> None:
        """Record an event (of the frame in charge, or of `frame`), and update the state with it."""
        kind, state = type(event), self.state
        if kind is FieldSet and self.machine.item_lists:
            event = self._with_ids(event)  # type: ignore[arg-type]
        self.seq = seq = self.seq + 1
        entry = Entry(seq, self.number, self.at_ms, event, state.frame.id if frame is None else frame)
        self.entries.append(entry)
        self.state = state = CHANGES[kind](state, entry, event)
        self.node = self.machine.nodes.get(state.frame.node)  # type: ignore[assignment]
        self.doing = state.doing  # type: ignore[assignment]
        if kind in _WRITES and (self.machine.has_secrets or self.machine.derived or self.machine.option_sources):
            self._written(event)  # type: ignore[arg-type]

    def _with_ids(self, event: FieldSet) -> FieldSet:
        """Return an event that sets a list of records with an id for each item; any other event as it is."""
        if event.field not in self.machine.item_lists:
            return event
        found, last = self.state.values.get(event.field), self.state.last_item
        known = found.value if found is not None else ()
        given = with_ids(event.value, known, last, is_own=event.how in _BY_MACHINE)
        return replace(event, value=given.items, last_item=given.last if given.last > last else 0)

    def _written(
        self, event: FieldSet | FieldCleared | FieldShelved | FieldRevived | QuestionsFixed | ItemEvent
    ) -> None:
        """Hide the words of a secret that was written, and compute what depends on a field that was."""
        if isinstance(event, FieldSet | ItemAdded | ItemChanged) and self.machine.fields[event.field].secret:
            place = self._place_of(event)
            if place is not None:  # the words stay hidden when the field has another value, or none
                self.emit(WordsHidden(place))
        if self.machine.option_sources:
            fix_options_from(self, event.field)
        if self.machine.derived and getattr(event, "how", "") != "derived":
            self.derive(event.field)

    def _place_of(self, event: FieldSet | ItemAdded | ItemChanged) -> Place | None:
        """Return the span of the words that a value was written from."""
        found = self.state.values.get(event.field)
        if isinstance(event, FieldSet) or event.words is None:
            return found.place if found is not None else None
        return self.doing.seq, *event.words

    def derive(self, written: str = "") -> None:
        """Compute the derived fields again after a write to the field `written`, if any; warn of errors (law 1.5)."""
        changed = {written, map_of(written)}
        for derived in self.machine.derived:
            found = self.state.values.get(derived.address)
            value, fault = derive_value(self.machine, derived, self.state)
            if value != (found.value if found is not None else None):
                changed.add(derived.address)
            if fault and not changed.isdisjoint(derived.reads):
                is_secret = any(self.machine.fields[one].secret for one in (derived.address, *derived.reads))
                self.warn(
                    "guard_error", f"{derived.address} cannot be computed" + (f": {fault}" if not is_secret else "")
                )
            if value is None and found is not None:
                self.emit(FieldCleared(derived.address, "derived"))
            elif value is not None and (found is None or found.value != value):
                self.emit(FieldSet(derived.address, value, "derived"))

    def ask(self, effect: AnyEffect) -> Phase:
        """Request an effect and wait for its result. Raises `OverBudget` if no budget allows a model call."""
        if self.machine.budgets:
            effect = self._within_budgets(effect)
        self.emit(EffectAsked(effect))
        self.effects.append(effect)
        return Phase.AWAIT

    def _within_budgets(self, effect: AnyEffect) -> AnyEffect:
        """Return an effect as budgets allow it: rules read a message where they refuse a model. Raises `OverBudget`."""
        if type(effect) is Understand and not effect.field:
            found = plan_call(self.machine, self.state, "understand")
            return replace(effect, by_rules=not found.may_call, model=found.model if found.cheaper else "")
        if type(effect) is CallModel:
            found = plan_call(self.machine, self.state, effect.purpose)
            if not found.may_call:
                raise OverBudget(found)
            for budget in found.cheaper:
                self.record_reached(budget, found, "model")
        if type(effect) is RunTool and not effect.call and self.state.frame.awaiting_approval is None:
            found = plan_call(self.machine, self.state, "tool")
            if not found.may_call:
                raise OverBudget(found)
        return effect

    def may_call_model(self, purpose: Purpose) -> bool:
        """Return whether budgets allow a model call in place of a fixed text; record it if they do not."""
        found = plan_call(self.machine, self.state, purpose) if self.machine.budgets else None
        if found is None or found.may_call:
            return True
        if found.refused is not None:
            self.record_reached(found.refused, found, "own_text")
        return False

    def record_reached(self, budget: LinkedBudget, found: CallPlan, way: BudgetWay) -> None:
        """Record that the call `found` reaches a budget, and what follows (`way`); a model switch once per period."""
        state, period = self.state, period_of(budget, self.state)
        known = state.spending.reached if state.spending is not None else {}
        if way == "model" and known.get(budget.name) == period:
            return
        self.emit(
            BudgetReached(
                budget=budget.name,
                measure=budget.measure,
                per=budget.per,
                period=period,
                amount=allowed_by(budget, state),
                spent=spent_of(budget, state),
                needed=getattr(found.reserved, budget.measure),
                then=way,
                purpose=found.purpose,
                node=state.frame.node,
                model=found.usual,
                instead=budget.model if way == "model" else "",
                wanted=wanted_by(budget, state, found.reserved) if way == "ask" else 0,
                currency=budget.currency,
            )
        )

    def ask_model(self, purpose: Purpose = "reply", question: str = "") -> Phase:
        """Request a reply of the model for the node in charge, for a purpose.
        Gaps in its instructions are warned of with the first call in a turn. Raises `TextRefused` if a required value
        is missing.
        """
        node, frame = self.node, self.state.frame
        is_entering = node.work == "prompt" and frame.entered_turn == self.number
        is_repeated = self.doing.prompted == frame.node
        personas = (node.persona,) if self.state.overlays is None else voices(self.machine, self.state, node)
        for template in (*personas, node.prompt, node.entry if is_entering else None):
            if template is not None and template.fixed is None:
                self.fill(template, is_repeated=is_repeated)
        return self.ask(CallModel(self.effect_id(), purpose, question))

    def effect_id(self) -> str:
        """Return the id of the next effect: the number of the turn, and its number in the turn."""
        return f"{self.number}.{self.doing.effects + 1}"

    def say(self, text: str, kind: ReplyKind = "say") -> None:
        """Record that a text is sent to the user, unless it is empty."""
        if text.strip():
            self.emit(Said(text, kind))

    def fill(self, template: Template, env: Env | None = None, *, is_repeated: bool = False, of: str = "") -> str:
        """Return the rendered text of a template, called `of`; warn operators, once (not if `is_repeated`), of each `{{
        }}` without a value. Raises `TextRefused` if a `{{ }}` requires its value.
        """
        if template.fixed is not None:
            return template.fixed
        text, gaps = template.render(env or self.env)
        for gap in sorted(gaps, key=lambda one: not one.is_required):
            missing = tuple([name for name in gap.fields if name not in self.state.values])
            what, of = f"{{{{ {gap.expression} }}}} has no value", of or f"the text of '{self.node.node.name}'"
            if gap.is_required:
                subject = next(iter((*missing, *gap.fields)), "")
                message = f"{what}, and {of} requires it"
                raise TextRefused(Fault("text", message, subject=subject, at=gap.at))
            if not is_repeated:
                self.warn("text_gap", f"{of} has a gap: {what}", missing)
        return text

    def warn(self, code: WarningCode, message: str, fields: tuple[str, ...] = ()) -> None:
        """Record a warning for operators, with the fields that it is about."""
        self.emit(Warned(code, message, fields))

    def savepoint(self) -> tuple[State, int]:
        """Return a mark of the current point in the turn, to which `roll_back_to` returns."""
        return self.state, len(self.entries)

    def roll_back_to(self, mark: tuple[State, int]) -> None:
        """Discard all events and changes since a mark."""
        self._set(mark[0])
        now, machine = self.state, self.machine
        if machine.question_lists is not now.question_lists or machine.option_lists is not now.option_lists:
            self.speak()
        del self.entries[mark[1] :]
        self.seq = self.entries[-1].seq if self.entries else self.state.seq

    def result(self) -> Step:
        """Return the result of this step: the new state, the entries and the effects."""
        return Step(replace(self.state, seq=self.seq), tuple(self.entries), tuple(self.effects), tuple(self.raised))
