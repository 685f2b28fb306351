"""`turnwise explain`: why a turn of a stored conversation moved, or did not."""

from __future__ import annotations

from pathlib import Path

from turnwise.archive import Archive
from turnwise.cli.asked import ask, print_json
from turnwise.cli.show import headings, plain_console, print_decision, print_story, put


def run_explain(
    store: str, python: Path | None, conversation: str, *, turn: int | None, transition: str | None, as_json: bool
) -> int:
    """Explain; gives the exit code: 1 where there is nothing of the name that is asked for."""

    async def work(archive: Archive) -> int:
        decisions = await archive.explain(conversation, turn, transition)
        if as_json:
            about = {number: (await archive.turn(conversation, number)).about for number in {d.turn for d in decisions}}
            print_json([{"about": about[decision.turn], **decision.to_dict()} for decision in decisions])
            return 0
        last = await archive.turn(conversation, turn)
        told = await archive.turn(conversation, decisions[0].turn) if decisions else None
        if not transition:
            print_story(plain_console(), last, told)
            return 0
        for line in headings(last, told):
            put(plain_console(), line, "bold")
        for decision in decisions:
            print_decision(plain_console(), decision, transition)
        return 0

    return ask(store, python, work, as_json=as_json)
