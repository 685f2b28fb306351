"""The API without an event loop: `SyncApp` and `SyncChat`, each method made from its async original."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from weakref import finalize

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.core.machine import Machine
from turnwise.core.state.events import Button
from turnwise.runner.event_loop import OwnLoop
from turnwise.runner.model_port import Delta
from turnwise.runner.result import Turn

P = ParamSpec("P")
"""The parameters of a chat's method."""
Result = TypeVar("Result")
"""The type of the result of a chat's method."""


def _of_chat(
    method: Callable[Concatenate[Chat, P], Coroutine[Any, Any, Result]],
) -> Callable[Concatenate[SyncChat, P], Result]:
    """Make a method of `SyncChat` that waits for one of `Chat`."""

    @wraps(method)
    def waits(self: SyncChat, *args: P.args, **more: P.kwargs) -> Result:
        return self.app.loop.wait(method(self.chat, *args, **more))

    return waits


def _of_app(
    method: Callable[Concatenate[App, P], Coroutine[Any, Any, Result]],
) -> Callable[Concatenate[SyncApp, P], Result]:
    """Make a method of `SyncApp` that waits for one of `App`."""

    @wraps(method)
    def waits(self: SyncApp, *args: P.args, **more: P.kwargs) -> Result:
        return self.loop.wait(method(self.app, *args, **more))

    return waits


def _release(app: App, loop: OwnLoop) -> None:
    """Close an app that nothing refers to any more, without waiting for it."""
    loop.end_after(app.close())


class SyncApp:
    """An `App` for code without an event loop: each call waits for its result. Several threads may use it at once.

    Use it in a `with` block; one that nothing refers to any more is closed in the background. Where a loop is running
    (a notebook, an async server) and after `close`, a call raises `CannotBlock`; use `tw.open` and `await` there.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self.loop = OwnLoop()
        self._released = finalize(self, _release, app, self.loop)
        self._released.atexit = False  # when the program ends, so do the threads

    @property
    def machine(self) -> Machine:
        """The linked flow of the app."""
        return self.app.machine

    def chat(self, conversation: str, *, existing: bool = False) -> SyncChat:
        """Return the chat of the conversation with this name; its first event begins the conversation.
        With `existing` no event begins it, and events raise `UnknownConversation` if there is no such conversation.
        """
        return SyncChat(self, self.app.chat(conversation, existing=existing))

    def import_(
        self, data: bytes, conversation: str | None = None, *, effects: bool | None = None, key: str | None = None
    ) -> SyncChat:
        """Import an exported conversation; see `App.import_`."""
        return SyncChat(self, self.loop.wait(self.app.import_(data, conversation, effects=effects, key=key)))

    conversations = _of_app(App.conversations)
    queue = _of_app(App.queue)
    what_if = _of_app(App.what_if)
    history = _of_app(App.history)
    migrate = _of_app(App.migrate)
    retain = _of_app(App.retain)
    set_schedule_input = _of_app(App.set_schedule_input)
    schedule_inputs = _of_app(App.schedule_inputs)
    tick = _of_app(App.tick)
    deliveries = _of_app(App.deliveries)
    send_again = _of_app(App.send_again)
    force_overlay = _of_app(App.force_overlay)
    forced_overlays = _of_app(App.forced_overlays)
    drain = _of_app(App.drain)

    def close(self, *, drain_s: float | None = None) -> None:
        """Drain, release store and tools, and end the event loop; `drain_s` as in `App.close`."""
        self._released.detach()
        if not self.loop.is_closed:
            try:
                if not self.loop.is_forked:
                    self.loop.wait(self.app.close(drain_s=drain_s))
            finally:
                self.loop.close()

    def __enter__(self) -> Self:
        try:
            self.loop.wait(self.app.__aenter__())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SyncChat:
    """A `Chat` for code without an event loop: each call waits for its result."""

    def __init__(self, app: SyncApp, chat: Chat) -> None:
        self.app = app
        self.chat = chat

    def __repr__(self) -> str:
        return f"<Sync{repr(self.chat)[1:]}"

    @property
    def name(self) -> str:
        """The name of the conversation."""
        return self.chat.name

    @property
    def machine(self) -> Machine:
        """The linked flow of the conversation."""
        return self.chat.machine

    start = _of_chat(Chat.start)
    say = _of_chat(Chat.say)
    choose = _of_chat(Chat.choose)
    commands = _of_chat(Chat.commands)
    tool_used = _of_chat(Chat.tool_used)
    fire = _of_chat(Chat.fire)
    event = _of_chat(Chat.event)
    take_over = _of_chat(Chat.take_over)
    operator_say = _of_chat(Chat.operator_say)
    give_back = _of_chat(Chat.give_back)
    approve = _of_chat(Chat.approve)
    decline = _of_chat(Chat.decline)
    decide = _of_chat(Chat.decide)
    undo = _of_chat(Chat.undo)
    run = _of_chat(Chat.run)
    following = _of_chat(Chat.following)
    state = _of_chat(Chat.state)
    activity = _of_chat(Chat.activity)
    journal = _of_chat(Chat.journal)
    frames = _of_chat(Chat.frames)
    transcript = _of_chat(Chat.transcript)
    turn = _of_chat(Chat.turn)
    explain = _of_chat(Chat.explain)
    why = _of_chat(Chat.why)
    compare = _of_chat(Chat.compare)
    ways_to = _of_chat(Chat.ways_to)
    dry_run = _of_chat(Chat.dry_run)
    what_if = _of_chat(Chat.what_if)
    history = _of_chat(Chat.history)
    replay = _of_chat(Chat.replay)
    rerun = _of_chat(Chat.rerun)
    export = _of_chat(Chat.export)
    migrate = _of_chat(Chat.migrate)
    forget = _of_chat(Chat.forget)
    force_overlay = _of_chat(Chat.force_overlay)
    overlays = _of_chat(Chat.overlays)
    spending = _of_chat(Chat.spending)

    def fork(
        self, conversation: str, *, turn: int | None = None, effects: bool = False, key: str | None = None
    ) -> SyncChat:
        """Begin another conversation as a copy of this one; see `Chat.fork`."""
        return SyncChat(self.app, self.app.loop.wait(self.chat.fork(conversation, turn=turn, effects=effects, key=key)))

    def stream(
        self, text: str | Button, *, position: int | None = None, key: str | None = None
    ) -> Iterator[Delta | Turn]:
        """Send a message or a button; yield each piece of a model's text as it arrives, and at the end the turn; see
        `Chat.stream`.
        """
        from queue import SimpleQueue

        pieces: SimpleQueue[Delta | Turn | None] = SimpleQueue()

        async def listen() -> None:
            try:
                async for piece in self.chat.stream(text, position=position, key=key):
                    pieces.put(piece)
            finally:
                pieces.put(None)

        listening = self.app.loop.begin(listen())
        try:
            while (piece := pieces.get()) is not None:
                yield piece
        except BaseException:
            listening.cancel()  # the stream is dropped: its turn goes on
            raise
        listening.result()
