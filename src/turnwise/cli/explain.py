"""`turnwise explain`: why a turn of a stored conversation moved, or did not."""

from __future__ import annotations

from pathlib import Path

from turnwise.archive import Archive
from turnwise.cli.asked import ask, print_json
from turnwise.cli.show import plain_console, print_decision, print_why, put
from turnwise.core.explain.now import Standing, standing
from turnwise.errors import TurnwiseError


def run_explain(
    store: str, python: Path | None, conversation: str, *, turn: int | None, transition: str | None, as_json: bool
) -> int:
    """Explain; gives the exit code: 1 where there is nothing of the name that is asked for."""

    async def work(archive: Archive) -> int:
        decisions = await archive.explain(conversation, turn, transition)
        if as_json:
            print_json(decisions)
            return 0
        if not transition:
            found = await archive.turn(conversation, turn or (decisions[0].turn if decisions else None))
            console = plain_console()
            put(console, f"turn {found.number}", "bold")
            print_why(console, found)
            return 0
        if not decisions:
            return await _not_judged(archive, conversation, turn, transition)
        for decision in decisions:
            print_decision(plain_console(), decision, transition)
        return 0

    return ask(store, python, work, as_json=as_json)


async def _not_judged(archive: Archive, conversation: str, turn: int | None, transition: str) -> int:
    """Say how a transition stood at the end of a turn in which it was not judged. Raises `TurnwiseError` for one
    that leads out of another node.
    """
    console = plain_console()
    found = await archive.turn(conversation, turn)
    now = standing(found.machine, found.state, transition)
    if isinstance(now, Standing):
        put(console, now.why)
        print_decision(console, now.decision, transition)
        return 0
    known = f"there is {', '.join(now)}" if now else "it has none"
    raise TurnwiseError(f"{found.state.node} has no transition called '{transition}'; {known}")
