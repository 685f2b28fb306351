"""A process whose tool ends it in the middle: the program `support.crashing_tool STORE NOTES POLICY`.

Each time that the tool is run, or asked whether it was done, a line is added to the notes. The first run does its work,
unless the policy says `before`, and then the process is gone.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any, Literal, cast

import turnwise as tw
from turnwise.core.state.events import ToolFailed, ToolReturned
from turnwise.models.scripted import call


def booking(notes: Path, policy: str) -> Any:
    """The tool."""

    def note(what: str, key: str) -> list[str]:
        with notes.open("a") as file:
            file.write(f"{what} {key}\n")
        return notes.read_text().splitlines()

    def was_booked(day: str, call: tw.ToolCall) -> str:
        note(f"checked {day}", call.key)
        if policy == "check, broken":
            raise OSError("the bank is closed")
        if policy == "check, not done":
            raise tw.NotDone
        return f"was booked {day}"

    on_crash = cast("Literal['again', 'check', 'unknown']", policy.partition(",")[0])

    @tw.tool(kind="effect", on_crash=on_crash, check=was_booked if on_crash == "check" else None)
    def book(day: str, call: tw.ToolCall) -> str:
        """Book."""
        if len(note("run", call.key)) == 1:
            os._exit(9)
        return f"booked {day}"

    return book


async def play(store: str, book: Any, *, is_first: bool) -> None:
    """Book, or go on where the last life ended."""
    nodes = [tw.Node("plan", prompt="Help.", tools=tw.ToolPolicy(allow=[book]))]
    model = tw.ScriptedModel([call("book", day="today"), "Done."] if is_first else ["Done."])
    async with tw.open(tw.Flow("f", start="plan", tools=[book], nodes=nodes), model=model, store=store) as app:
        chat = app.chat("main")
        if is_first:
            await chat.say("book")
        journal = await chat.journal()
        for event in [entry.event for entry in journal]:
            if isinstance(event, ToolReturned):
                print(json.dumps({"result": event.result}))
            elif isinstance(event, ToolFailed):
                print(json.dumps({"reason": event.reason, "in_doubt": event.in_doubt}))
        last = await chat.turn()
        print(json.dumps({"text": last.text}))


def main() -> None:
    """Live once."""
    written = Path(sys.argv[2])
    asyncio.run(play(sys.argv[1], booking(written, sys.argv[3]), is_first=not written.exists()))
