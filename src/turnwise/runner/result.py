"""The public result of a turn: texts, buttons, form, artefacts, state, and why the turn moved or did not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

from msgspec import Struct, field

from turnwise.core.guards.types import unset_value
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, Failed, Fault, Person, State, Waiting, value_at
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold
from turnwise.core.state.kinds import RefusalCode
from turnwise.core.state.read_lists import with_lists
from turnwise.core.step.begin_buttons import begin_buttons
from turnwise.errors import UnknownConversation, UnknownField
from turnwise.flow.diagnostic import nearest
from turnwise.runner.open_offer import OpenOffer, offer_of
from turnwise.runner.perform import words_at

if TYPE_CHECKING:
    from turnwise.core.explain.hiding import Hide
    from turnwise.core.explain.now import Exit
    from turnwise.core.spending_report import SpentAmount
    from turnwise.core.trace import Decision
    from turnwise.flow.model import Moment
    from turnwise.runner.transition_eval import DebugEvent, TransitionEval

Event = TypeVar("Event", bound=e.AnyEvent)
NOT_INTERPRETED = "not interpreted while a person is in charge"
"""The note of a turn whose message goes to the person in charge."""
NOT_INTERPRETED_YET = "not interpreted while a person is awaited"
_SHOWN = 60
"""How many characters of its text `repr` of a turn shows."""
_BEGAN: dict[type, str] = {
    e.UserSaid: "a message",
    e.UserChose: "a button",
    e.Commands: "commands",
    e.ToolUsed: "the use of a tool",
    e.TimerFired: "a timer",
    e.ScheduleDue: "a schedule",
    e.EventReceived: "an event of another system",
    e.Continued: "the flow by itself",
    e.UndoAsked: "an undo",
    e.TakenOver: "a person takes over",
    e.OperatorSaid: "a message of the person in charge",
    e.GivenBack: "a person gives back",
    e.Migrated: "a change to another version of the flow",
}
"""The kind of a turn, by the event that began it; any other event is the start of a conversation."""


class Turn(Struct, frozen=True, dict=True):
    """One turn of a conversation, or the refusal of an event (`refused` is its code, `text` its words).

    To show: `text` and `buttons`. To go on with: `node`, `status`, `value("user.age")`, `form`, `artefacts`, `outcome`;
    `state` has all of it. To understand: `decisions`, `events`, `warnings`. Absence is `None`.
    """

    conversation: str
    machine: Machine
    """The machine that took the turn."""
    after: State | None
    """The state after the turn; `None` where no conversation has begun."""
    entries: tuple[e.Entry, ...] = ()
    """The journal entries of the turn, in order; empty for a refusal."""
    before: State | None = None
    """The state before the turn; `None` where the turn began the conversation, or the state is not known."""
    earlier_entries: Mapping[int, e.Entry] = field(default_factory=dict[int, e.Entry])
    """Entries of earlier turns to which the entries of this one refer, by their positions.
    They are decisions, the messages that those read, and the messages that the answers of the form came from."""
    refused: RefusalCode | None = None
    """The code of the refusal; `None` where the event was accepted."""
    refusal: str = ""
    """The reason why the event was refused, in words; empty where it was accepted."""
    refused_fields: tuple[tuple[str, str], ...] = ()
    """The fields for which the event was refused, each with the reason in words."""
    is_duplicate: bool = False
    """True where the idempotency key was used before: this is the turn that it began then."""
    recovered: tuple[Turn, ...] = ()
    """The turns just before this one whose callers did not get them, because of a crash or because they left."""
    unprompted: tuple[Turn, ...] = ()
    """The turns since the last one with a caller that the machine started itself and in which it said something."""

    def __repr__(self) -> str:
        if self.refused:
            return f"<Turn of {self.conversation!r}, refused: {self.refused}>"
        from textwrap import shorten

        where = f", in {self.node}" if self.node is not None else ""
        end = f", ended: {self.outcome}" if self.outcome else ""
        said = f", {shorten(self.text, _SHOWN, placeholder='…')!r}" if self.text else ""
        return f"<Turn {self.number} of {self.conversation!r}{where}{end}{said}>"

    @property
    def state(self) -> State:
        """The state after the turn. Raises `UnknownConversation` where its first event was refused."""
        if self.after is None:
            raise UnknownConversation(self.conversation, f"its first event was refused: {self.refused}")
        return self.after

    @property
    def node(self) -> str | None:
        """The node in charge after the turn; `None` where no conversation has begun."""
        return self.after.node if self.after is not None else None

    @property
    def status(self) -> Literal["waiting", "ended", "failed"] | None:
        """Whether the conversation waits, has ended, or failed in its last turn; `None` where none has begun."""
        match self.after.status if self.after is not None else None:
            case Waiting():
                return "waiting"
            case Ended():
                return "ended"
            case Failed():
                return "failed"
            case None:
                return None

    @property
    def person(self) -> Person | None:
        """The person for whom the conversation waits after the turn, or who is in charge; `None` where none is."""
        return self.after.person if self.after is not None else None

    @property
    def note(self) -> str:
        """Why the user's message was not interpreted; an empty text where it was."""
        person = self.before.frame.person if self.before is not None else None
        if person is None or not (self._of(e.UserSaid) or self._of(e.UserChose)):
            return ""
        return NOT_INTERPRETED if person.operator else NOT_INTERPRETED_YET

    def value(self, field: str) -> Any:
        """Return the value of a field after the turn, as guards see it: `None` if it has none, else its default.

        Raises `UnknownField`.
        """
        if field not in self.machine.fields:
            raise UnknownField(field, nearest(field, self.machine.fields))
        values = self.after.values if self.after is not None else {}
        found = value_at(values, field)
        return unset_value(self.machine.fields[field]) if found is None else found

    @property
    def number(self) -> int:
        """The turn's number, 0 for a refusal."""
        return self.entries[0].turn if self.entries else 0

    @property
    def about(self) -> str:
        """A description of the turn: `turn 4, an undo back to turn 2`; for a refusal, that it is no turn."""
        if not self.entries:
            return f"refused ({self.refused}): this is no turn, and changed nothing" if self.refused else "no turn"
        first, last = self.entries[0].turn, self.entries[-1].turn
        if first != last:
            return f"turns {first} to {last}"
        if self.undone_to is not None:
            return f"turn {first}, an undo back to turn {self.undone_to}"
        began = [_BEGAN[type(event)] for event in self.events if type(event) in _BEGAN]
        return f"turn {first}, {(began or ['the start'])[-1]}"

    @property
    def undone_to(self) -> int | None:
        """The turn that an undo went back to; `None` where the turn was no undo."""
        undone = self._of(e.Undone)
        return undone[-1].to if undone else None

    @property
    def events(self) -> tuple[e.AnyEvent, ...]:
        """The events of the turn, in order."""
        return tuple([entry.event for entry in self.entries])

    @property
    def said(self) -> tuple[e.Said, ...]:
        """The replies of the turn, in order."""
        return self._of(e.Said)

    @property
    def operator_said(self) -> tuple[e.OperatorSaid, ...]:
        """What the person in charge said in the turn."""
        return self._of(e.OperatorSaid)

    @property
    def text(self) -> str:
        """All replies of the turn, separated by blank lines; for a refusal, its text."""
        return "\n\n".join([said.text for said in self.said]) if not self.refused else self.refusal

    @property
    def buttons(self) -> tuple[e.Button, ...]:
        """The buttons that the user can press after the turn."""
        return self.said[-1].buttons if self.said else ()

    @property
    def starts(self) -> tuple[e.Button, ...]:
        """The buttons by which the user may begin a scope now (`commands: [{start: […]}]`)."""
        return begin_buttons(self.machine, self.after) if self.after is not None else ()

    @property
    def offer(self) -> OpenOffer | None:
        """The offer that is the open question after the turn; `None` where none is.
        All offers, also those that wait, are in `state.offers`.
        """
        return offer_of(self.machine, self.after)

    @property
    def position(self) -> int | None:
        """The journal position of the buttons, to send along when one is pressed; `None` without buttons."""
        offers = [entry.seq for entry in self.entries if isinstance(entry.event, e.Said) and entry.event.buttons]
        return offers[-1] if offers else None

    @property
    def artefacts(self) -> tuple[e.ArtefactMade, ...]:
        """The artefacts that a form made for the host."""
        return self._of(e.ArtefactMade)

    @property
    def warnings(self) -> tuple[e.Warned, ...]:
        """Warnings for the operators of the conversation."""
        return self._of(e.Warned)

    @property
    def outcome(self) -> str | None:
        """The outcome with which the conversation has ended; `None` if it has not."""
        return self.after.status.outcome if self.after is not None and isinstance(self.after.status, Ended) else None

    @cached_property
    def form(self) -> dict[str, Any] | None:
        """The form in charge as data; `None` where no form is in charge.
        It has `form_status`, the `asked` field, `answers` and `inactive` ones, `progress` in per cent; beside them the
        keys of forms that are written as gates, spelled as in the gates: `status` (`pass_`, `next_gate`, `next_query`),
        `gates`, `button_context`, `button_metadata`, `completion_status`.
        """
        from turnwise.core.forms.summary import form_view

        if self.after is None:
            return None
        known = self._entries_by_position if self.after.frame.form is not None else {}
        places = [value.place for value in self.after.values.values() if value.place is not None] if known else []
        words = {place: words_at(known.get(place[0]), place[1], place[2]) for place in places}
        return form_view(self.machine, self.after, words)

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """Every decision of the turn, with every candidate."""
        return tuple([self.decision(one) for one in self.judged])

    def decision(self, judged: JudgedDecision, *, is_brief: bool = False) -> Decision:
        """Return one decision of the turn, with every candidate. `is_brief` leaves out what changed since the decision
        before and, where a candidate held, why others did not.
        """
        from turnwise.core.explain.decision import Move, explain

        entry, decided, state, undone_by, nothing_set = judged
        candidates = self.machine.candidates(decided.node, cast("Moment", decided.moment))
        is_caught = decided.moment == "error" and state.doing is not None
        return explain(
            self.machine,
            entry,
            self.conversation,
            self._messages if candidates.message_at is not None else {},
            None if is_brief else self.judged_before(judged),
            judged_for=state.doing.fault if is_caught and state.doing is not None else None,
            move=Move(undone_by, tuple(nothing_set)),
            hide=self.hide,
            state=state,
            is_brief=is_brief,
        )

    def judged_before(self, judged: JudgedDecision) -> e.Decided | None:
        """Return the decision before `judged` at the same node and moment; `None` if none is stored."""
        key = f"{judged.decided.node}/{judged.decided.moment}"
        place = next((one.decided[key] for one in judged.state.frames if key in one.decided), 0)
        if place >= self.entries[0].seq:
            return next((one.decided for one in self.judged if one.entry.seq == place), None)
        event = self.earlier_entries[place].event if place in self.earlier_entries else None
        return with_lists(event, None) if isinstance(event, e.Decided) else None  # its lists are read with its turn

    @cached_property
    def _messages(self) -> dict[int, str]:
        return messages_among(self._entries_by_position.values())

    @cached_property
    def judged(self) -> list[JudgedDecision]:
        """The decisions of the turn as they were recorded, in order."""
        found: list[JudgedDecision] = []
        state = self.before
        for entry in self.entries:
            if isinstance(entry.event, e.Decided):
                assert state is not None
                found.append(self.judged_on(entry, entry.event, state))
            state = fold(state, entry)
        return found

    def judged_on(self, entry: e.Entry, decided: e.Decided, state: State) -> JudgedDecision:
        """Return a decision as `entry` recorded it, with the `state` that it was made on and what came of its move."""
        following = (one.event for one in self.entries[entry.seq - self.entries[0].seq + 1 :])
        own = list(takewhile(lambda event: not isinstance(event, e.Decided), following))
        undone_by = own[0].fault if own and isinstance(own[0], e.Faulted) else None
        decided = with_lists(decided, state)
        return JudgedDecision(entry, decided, state, undone_by, [one for one in own if isinstance(one, e.NothingSet)])

    @property
    def nothing_set(self) -> tuple[e.NothingSet, ...]:
        """Every `set` of the turn that computed no value because a value that it reads was missing."""
        return self._of(e.NothingSet)

    @property
    def spending(self) -> SpentAmount:
        """What the calls of the turn used, in a flow with budgets; nothing in one without."""
        from turnwise.core.spending_report import spent_by

        return spent_by(self.events)

    @property
    def taken(self) -> tuple[str, ...]:
        """The names of the transitions that were taken, in order."""
        return tuple(decision.taken for decision in self.decisions if decision.taken)

    @property
    def left(self) -> tuple[Exit, ...]:
        """The exits of the turn: how it left each node, in order; also by a move that an earlier turn planned."""
        from turnwise.core.explain.now import exits

        start = self.before if self.before is not None else self.after
        return exits(self.machine, self.events, start.node) if start is not None else ()

    @cached_property
    def evaluations(self) -> tuple[TransitionEval, ...]:
        """The payloads of `debug_transition_eval`, one per decision."""
        from turnwise.runner.transition_eval import transition_eval

        pairs = zip(self.judged, self.decisions, strict=True)
        return tuple(self.hide(transition_eval(self.machine, one.state, decision)) for one, decision in pairs)

    @property
    def debug_events(self) -> tuple[DebugEvent, ...]:
        """The lines to send to a debug panel, one per decision: `type`, and the evaluation as `data`."""
        from turnwise.runner.transition_eval import debug_event

        return tuple(debug_event(evaluation) for evaluation in self.evaluations)

    @cached_property
    def hide(self) -> Hide:
        """A function that redacts secrets in explanations of the turn."""
        from turnwise.core.explain.hiding import hide_nothing, hiding

        if not self.machine.has_secrets:
            return hide_nothing
        known = self._entries_by_position.values()
        pressed = {entry.seq: entry.event.value for entry in known if isinstance(entry.event, e.UserChose)}
        return hiding(self.machine, (self.before, self.state), known, self._messages | pressed)

    @cached_property
    def _entries_by_position(self) -> dict[int, e.Entry]:
        return {**self.earlier_entries, **{entry.seq: entry for entry in self.entries}}

    def _of(self, kind: type[Event]) -> tuple[Event, ...]:
        return tuple([entry.event for entry in self.entries if isinstance(entry.event, kind)])


class JudgedDecision(NamedTuple):
    """A recorded decision: the state on which it was made, and the result of its move."""

    entry: e.Entry
    decided: e.Decided
    state: State
    """The state on which the decision was made."""
    undone_by: Fault | None
    """The failure that undid the decision's move; `None` where none did."""
    nothing_set: list[e.NothingSet]
    """The `set`s for which the decision's move computed no value."""


def merge_turns(turns: Sequence[Turn]) -> Turn:
    """Merge consecutive turns into one."""
    first, last = turns[0], turns[-1]
    if first is last:
        return first
    earlier = {place: entry for turn in turns for place, entry in turn.earlier_entries.items()}
    entries = tuple([entry for turn in turns for entry in turn.entries])
    return Turn(
        last.conversation,
        last.machine,
        last.after,
        entries,
        first.before,
        earlier,
        recovered=first.recovered,
        unprompted=first.unprompted,
    )


def messages_among(entries: Iterable[e.Entry]) -> dict[int, str]:
    """Return the messages among some entries, by position."""
    return {entry.seq: entry.event.text for entry in entries if isinstance(entry.event, e.UserSaid)}
