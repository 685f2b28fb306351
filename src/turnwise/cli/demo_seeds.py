"""The prepared conversations of the demonstration: reads `seeds.yaml` of an example, and plays it into a store.

Each is played with a clock of its own that ends where the conversation is said to have rested, so that its times are
those of a real one.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.api.open import open as open_app
from turnwise.authoring.python import ProgramCode
from turnwise.cli.demo_model import SECONDS_PER_WORD, PlannedReplies, SpokenModel
from turnwise.core.state import Ended
from turnwise.core.state.events import Decided
from turnwise.errors import TurnwiseError
from turnwise.flow.durations import read_duration_s
from turnwise.flow.model import Flow
from turnwise.models.scripted import Reply, read_shape
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import Store

SEEDS = "seeds.yaml"
"""The file with the prepared conversations of an example."""
DEFAULT_PAUSE_S = 14.0
"""The seconds between two steps that declare no `wait`."""
_HINT = (
    "it has advice, look and conversations; a conversation is {name, flow, ago, turn, shows, about, "
    "steps: [{begin, run, say, choose, take_over, person, fire or wait, replies}]}"
)


class SeedStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a prepared conversation, such as a message, a button or time that passes, with model replies."""

    say: str = ""
    """A message of the user; empty for none."""
    choose: str = ""
    """The button that the user presses; empty for none."""
    begin: bool = False
    """True to begin the conversation."""
    run: bool = False
    """True to begin an autonomous flow, and wait until it rests."""
    take_over: str = ""
    """The name of the person who takes over; empty for none."""
    person: str = ""
    """A message of the person in charge; empty for none."""
    fire: str = ""
    """The schedule that fires before its time; empty for none."""
    wait: str = ""
    """How much time passes before the step, as a duration such as `2h`; empty for none."""
    replies: tuple[str | Reply, ...] = ()
    """The replies of the model in the step, call by call."""

    @property
    def words(self) -> int:
        """How many words and tool calls the model's replies have."""
        texts = [reply if isinstance(reply, str) else reply.text for reply in self.replies]
        calls = [call for reply in self.replies if not isinstance(reply, str) for call in reply.calls]
        return sum(len(text.split()) for text in texts) + len(calls)


class Seed(Struct, frozen=True, forbid_unknown_fields=True):
    """A prepared conversation."""

    name: str
    """The name of the conversation."""
    ago: str
    """How long ago its last step was, as a duration."""
    steps: tuple[SeedStep, ...]
    """The steps of the conversation, in order."""
    flow: str = ""
    """The name of the flow's file; empty for the example's own."""
    turn: int = 0
    """The number of the turn at which the page opens an ended conversation; 0 for the last one with a decision."""
    shows: str = ""
    """What the conversation shows, as a headline of the start page; empty to leave it out there."""
    about: str = ""
    """A sentence about what to look for in the conversation."""

    @property
    def duration_s(self) -> float:
        """How many seconds the conversation took from its beginning until it rested."""
        return sum(_pause_s(step) + step.words * SECONDS_PER_WORD for step in self.steps)


class AdvisedLines(Struct, frozen=True, forbid_unknown_fields=True):
    """Messages that a visitor may send in a node, offered as buttons."""

    node: str
    """The node in which the messages may be sent."""
    say: tuple[str, ...]
    """The messages."""
    field: str = ""
    """The field that the form asks for at that moment; empty where it asks for none."""
    missing: str = ""
    """The field that must have no value at that moment; empty for none."""
    flow: str = ""
    """The name of the flow's file; empty for the example's own."""


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """The conversations of the guided tour, and what to look at in them.
    It says what to say first, where to see why, what to try, with which other turn to compare it, and which one waits
    for a person.
    """

    say: str
    """The first message to send."""
    conversation: str
    """The prepared conversation in which to see why."""
    turn: int
    """The number of the turn in `conversation` that is explained."""
    field: str
    """The field for which to try another value."""
    value: str
    """The value to try."""
    against_turn: int
    """The number of the turn in `conversation` with which to compare `turn`."""
    waiting: str
    """The name of the conversation that waits for a person."""


class Prepared(Struct, frozen=True, forbid_unknown_fields=True):
    """The conversations, messages and guided tour that the demonstration prepares for an example."""

    conversations: tuple[Seed, ...]
    """The prepared conversations."""
    advice: tuple[AdvisedLines, ...] = ()
    """Messages that a visitor may send, by node."""
    look: Look | None = None
    """The guided tour; `None` without one."""


def read_seeds(folder: Path) -> tuple[Seed, ...]:
    """Return the prepared conversations of an example's folder. Raises `TurnwiseError` with the place of a mistake."""
    return read_prepared(folder).conversations


def read_prepared(folder: Path) -> Prepared:
    """Return what is prepared in an example's folder. Raises `TurnwiseError` with the place of a mistake."""
    file = folder / SEEDS
    prepared = read_shape(file, Prepared, "file of conversations", _HINT)
    for seed in prepared.conversations:
        for text in (seed.ago, *(step.wait for step in seed.steps if step.wait)):
            if read_duration_s(text) is None:
                raise TurnwiseError(f"{file}: {seed.name}: {text!r} is no duration, such as 90s or 2h")
    return prepared


async def play_seeds(seeds: Collection[Seed], flow: Flow, code: ProgramCode, store: Store, now_ms: int) -> None:
    """Play prepared conversations of one flow into a store, except those that the store has already.
    `code` has the guards and tools of the flow.
    """
    known = set(await store.conversations())
    for seed in seeds:
        if seed.name not in known:
            await _play(seed, flow, code, store, now_ms)


async def opening_places(seeds: Collection[Seed], store: Store) -> list[tuple[str, int, int, str, str]]:
    """Return for each prepared conversation its name, opening turn, last valid position, headline and remark.
    The turn is the named one, or the last turn that decided something, 0 for the end.
    """
    found: list[tuple[str, int, int, str, str]] = []
    for seed in seeds:
        state = await store.load(seed.name)
        if state is None:
            continue
        is_over = isinstance(state.status, Ended)
        entries = await store.entries(seed.name) if is_over and not seed.turn else ()
        decided = [one.turn for one in entries if isinstance(one.event, Decided) and one.event.outcomes]
        turn = seed.turn or max(decided, default=state.turn)
        if turn < state.turn or seed.shows:
            found.append((seed.name, turn if turn < state.turn else 0, state.seq, seed.shows, seed.about))
    return found


async def _play(seed: Seed, flow: Flow, code: ProgramCode, store: Store, now_ms: int) -> None:
    since_s = (read_duration_s(seed.ago) or 0) + seed.duration_s
    clock = ManualClock(now_ms - round(since_s * 1000))

    async def pause(seconds: float) -> None:
        clock.move_s(seconds)

    model = SpokenModel(PlannedReplies(reply for step in seed.steps for reply in step.replies), pause)
    app = open_app(flow, store=store, model=model, guards=code.guards, tools=code.tools_of(flow), clock=clock)
    chat = app.chat(seed.name)
    for step in seed.steps:
        clock.move_s(_pause_s(step))
        await _take(step, app, chat)
    await app.drain()


async def _take(step: SeedStep, app: App, chat: Chat) -> None:
    """Take one step of a conversation. Raises `TurnwiseError` where the conversation refuses it."""
    await app.tick()
    match step:
        case SeedStep(run=True):
            turn = (await chat.run())[-1]
        case SeedStep(begin=True):
            turn = await chat.start()
        case SeedStep(choose=str(button)) if button:
            turn = await chat.choose(button)
        case SeedStep(say=str(text)) if text:
            turn = await chat.say(text)
        case SeedStep(take_over=str(name)) if name:
            turn = await chat.take_over(name)
        case SeedStep(person=str(text)) if text:
            turn = await chat.operator_say(text)
        case SeedStep(fire=str(schedule)) if schedule:
            turn = await chat.fire(schedule)
        case _:
            return
    if turn.refused is not None:
        raise TurnwiseError(f"the prepared conversation {chat.name!r} cannot be played: {turn.refused}")


def _pause_s(step: SeedStep) -> float:
    return (read_duration_s(step.wait) if step.wait else None) or DEFAULT_PAUSE_S
