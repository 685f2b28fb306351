"""A small flow with a tool that waits until the test lets it return, so that a turn is in progress meanwhile."""

from __future__ import annotations

import asyncio

BOOK = """
flow: desk
start: ask
busy: reject
tools: {book: {about: book, kind: effect, on_crash: again}}
nodes:
  ask: {say: Shall I book?, transitions: [{id: go, to: booking, when: turns >= 1}]}
  booking: {tool: book, transitions: [{id: done, to: booked}]}
  booked: {say: It is booked., transitions: [{id: again, at: before, when: turns > 99, to: ask}]}
"""
BOOK_AND_END = f"{BOOK[: BOOK.rindex(', transitions')]}, end: booked}}\n"


class Booking:
    """The tool: `asked` is set when it is called, and it returns when `opened` is set."""

    def __init__(self) -> None:
        self.asked, self.opened = asyncio.Event(), asyncio.Event()

    async def book(self) -> str:
        self.asked.set()
        await self.opened.wait()
        return "done"
