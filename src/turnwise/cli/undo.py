"""`turnwise undo` and `turnwise fork`: going back, and branching off."""

from __future__ import annotations

from pathlib import Path

from turnwise.api.open import open as open_flow
from turnwise.archive import Archive
from turnwise.cli.asked import ask
from turnwise.cli.show import plain_console, print_turn, put
from turnwise.errors import UnknownTurn


def run_undo(store: str, python: Path | None, conversation: str, *, to: int | None) -> int:
    """Take turns back; gives the exit code: 1 where that is refused."""

    async def work(archive: Archive) -> int:
        state = await archive.state(conversation)
        if to is not None and not 1 <= to <= state.turn:
            raise UnknownTurn(conversation, to, state.turn)
        machine = await archive.machines.of(state.fingerprint)
        app = open_flow(machine, store=archive.store, guards=list(machine.code.values()))
        turn = await app.chat(conversation).undo(to=to)
        print_turn(plain_console(), turn, debug=False)
        return 1 if turn.refused is not None else 0

    return ask(store, python, work, writes=True)


def run_fork(store: str, source: str, conversation: str, *, turn: int | None, effects: bool) -> int:
    """Branch off; gives the exit code."""

    async def work(archive: Archive) -> int:
        await archive.fork(source, conversation, turn, effects=effects)
        state = await archive.state(conversation)
        put(plain_console(), f"{conversation}: as {source} was at the end of turn {state.turn}, in {state.node}")
        return 0

    return ask(store, None, work, writes=True)
