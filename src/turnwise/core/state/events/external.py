"""Events from outside the machine: from users and programs, from effects, from retention."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.core.state import State, TakenBack, Timer
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.effects import Call


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """What all events share: nothing but being one."""


class Started(Event, frozen=True, tag="started"):
    """A conversation began. Always the first event. The first node is entered with it, unless a write
    that belongs to entering was refused.
    """

    flow: str
    version: int
    fingerprint: str
    node: str
    time_zone: str = "UTC"
    language: str = "en"
    is_entered: bool = True


class UserSaid(Event, frozen=True, tag="user_said"):
    """The user said something."""

    text: str


class UserChose(Event, frozen=True, tag="user_chose"):
    """The user pressed a button: its value (or label), and the position that offered it."""

    value: str
    position: int | None = None


class Commands(Event, frozen=True, tag="commands"):
    """Commands came from the host: an importer, a test, another understanding."""

    commands: tuple[AnyCommand, ...]


class ToolUsed(Event, frozen=True, tag="tool_used"):
    """The host's own code used a tool."""

    tool: str
    arguments: dict[str, Any] = {}
    result: Any = None


class TimerFired(Event, frozen=True, tag="timer_fired"):
    """A timer came due: the transition it belongs to, the visit for which it was armed, and its time."""

    timer: str
    visit: int | None = None
    due_ms: int | None = None

    def means(self, timer: Timer) -> bool:
        """True if this is that timer; one that was armed anew since is another."""
        is_visit = self.visit is None or timer.visit == self.visit
        return timer.transition == self.timer and is_visit and self.due_ms in (None, timer.due_ms)


class Continued(Event, frozen=True, tag="continued"):
    """An autonomous flow goes on by itself (law 2.8)."""


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """The host takes the last turn back, or all turns after `to`."""

    to: int | None = None


OutsideEvent = UserSaid | UserChose | Commands | ToolUsed | TimerFired | Continued | UndoAsked


class Understood(Event, frozen=True, tag="understood"):
    """A message was understood as commands. What else was claimed is recorded and not believed. Of an understanding
    by a model, `model`, `prompt`, tokens and cost are as in `ModelReplied`.
    """

    effect: str
    commands: tuple[AnyCommand, ...] = ()
    by: Literal["rules", "model", "function"] = "rules"
    claims: dict[str, Any] = {}
    model: str = ""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    replaced: int = 0


class UnderstandingFailed(Event, frozen=True, tag="understanding_failed"):
    """Understanding failed; the turn goes on without commands. `at` is `file:line` where the user's own code raised."""

    effect: str
    reason: str
    at: str = ""


class ModelReplied(Event, frozen=True, tag="model_replied"):
    """A model answered, with a text, with calls of tools, or with both. `prompt` is a hash that proves what it was
    shown; `cost` is in US dollars, where the provider's prices are known.
    """

    effect: str
    text: str = ""
    calls: tuple[Call, ...] = ()
    model: str = ""
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    replaced: int = 0


class ModelFailed(Event, frozen=True, tag="model_failed"):
    """A model did not answer, or not to its end: `text` is what it had said until then, `at` is `file:line` where the
    user's own code raised.
    """

    effect: str
    reason: str
    text: str = ""
    replaced: int = 0
    at: str = ""


class ToolReturned(Event, frozen=True, tag="tool_returned"):
    """A tool gave a result (JSON data), after so many milliseconds."""

    effect: str
    tool: str
    result: Any = None
    ms: int = 0
    call: str = ""
    replaced: int = 0


class ToolFailed(Event, frozen=True, tag="tool_failed"):
    """A tool gave no result. `in_doubt` is true where it may have done its work all the same (law 4.5); `not_run` is
    true where nobody could take the call, so that it is no use of the tool (law 4.3). `at` is `file:line` where the
    user's own code raised.
    """

    effect: str
    tool: str
    reason: str
    ms: int = 0
    call: str = ""
    in_doubt: bool = False
    not_run: bool = False
    at: str = ""


class WordsRecalled(Event, frozen=True, tag="words_recalled"):
    """Words from the journal, `None` where they are no longer kept."""

    effect: str
    words: tuple[str | None, ...]


class StateRecalled(Event, frozen=True, tag="state_recalled"):
    """The state at the end of an earlier turn, and what was performed since and stays: the tools, and the calls among
    them that were the work of a node. `said` is what was said last in that turn.
    """

    effect: str
    turn: int
    state: State | None = None
    kept: tuple[str, ...] = ()
    calls: tuple[TakenBack, ...] = ()
    said: str = ""


ResultEvent = (
    Understood
    | UnderstandingFailed
    | ModelReplied
    | ModelFailed
    | ToolReturned
    | ToolFailed
    | WordsRecalled
    | StateRecalled
)


class TurnRestarted(Event, frozen=True, tag="turn_restarted"):
    """A turn that was cut off goes on from the effect that it awaits; what was shown and not kept is taken back."""


class CallerLeft(Event, frozen=True, tag="caller_left"):
    """Nobody received the outcome of these turns: their callers had left. `unprompted` are turns that the machine
    started and that nobody received either. Without both: a refusal has reported all that nobody had received.
    """

    turns: tuple[int, ...]
    unprompted: tuple[int, ...] = ()


class Snapshot(Event, frozen=True, tag="snapshot"):
    """The state at this position: folding may begin here. It changes nothing."""

    state: State


class Forked(Event, frozen=True, tag="forked"):
    """All that comes before was taken over from another conversation, up to the end of a turn. Without `effects`
    tools that change the world are not run here (law 6.9).
    """

    source: str
    turn: int
    effects: bool = False


class Migrated(Event, frozen=True, tag="migrated"):
    """The conversation goes on with another version of its flow, from this state."""

    fingerprint: str
    state: State


class Erased(Event, frozen=True, tag="erased"):
    """An event that is no longer kept; `kind` is what it was."""

    kind: str


Kept = TurnRestarted | CallerLeft | Snapshot | Forked | Migrated | Erased
