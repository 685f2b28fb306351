"""A new conversation from another, up to the end of one of its turns."""

from __future__ import annotations

from turnwise.archive.importing import begin, refuse_taken
from turnwise.archive.walk import pages, settled
from turnwise.core.events import Erased, Forked
from turnwise.core.fold import fold_all
from turnwise.core.step import note
from turnwise.errors import UnknownTurn
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Clock, Store


async def fork(
    store: Store,
    machines: AnyMachines,
    clock: Clock,
    source: str,
    conversation: str,
    turn: int | None = None,
    *,
    effects: bool = False,
) -> None:
    """Begin a conversation as a copy of another, up to the end of a turn (the last whole one); both go on
    by themselves. Its timers are copied too. Tools that change the world are refused in it, unless `effects` allows
    them. Raises `UnknownTurn`, `ConversationExists`.
    """
    await refuse_taken(store, conversation)
    last = await settled(store, source)
    number = last.turn if turn is None else turn
    of_turn = await store.turn(source, number) if 1 <= number <= last.turn else ()
    if not of_turn or any(isinstance(entry.event, Erased) for entry in of_turn):
        raise UnknownTurn(source, number, last.turn, is_erased=bool(of_turn))
    entries = [entry async for page in pages(store, source, of_turn[-1].seq) for entry in page]
    state = fold_all(entries)
    assert state is not None
    await machines.shown(state.fingerprint)  # what nobody could go on with is not copied
    step = note(state, Forked(source, number, effects), clock.now_ms())
    await begin(store, conversation, (*entries, *step.entries), step.state)
