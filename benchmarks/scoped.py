"""Measures scopes: opening and closing one, and the turn of the conversation around it after a long survey inside."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from durable import Disk, Samples, disk
from promises import INNER

FLOW = """
flow: tutor
start: chat
records: {feedback: {text: string}}
nodes:
  chat:
    prompt: You are Maya, a tutor.
    transitions: [{id: ask, at: before, when: message.text == "ask me", call: survey}]
  survey:
    scope:
      inherits: [message]
      returns: feedback
      summary: "Feedback: {{ feedback.text }}"
      start: talk
      nodes:
        talk:
          prompt: You ask for feedback.
          transitions: [{id: over, at: before, when: message.text == "enough", end: over, set: {feedback.text: message.text}}]
"""
SURVEYS = 3
"""The surveys of which the best ratio counts: what else the machine does can only make it worse."""
BEFORE = 30
"""The turns before a survey, and the openings and closings, of which the median counts."""


STEPPED = 10
"""The turns of which SQLite's steps are counted: one alone may write a page more."""


class Talking:
    """A model that always says the same."""

    async def reply(self, _request: Any) -> Any:
        """Say something."""
        import turnwise as tw

        return tw.ModelReply("Well, let us go on with that.")


def time_scopes(repeats: int, inner: int = INNER) -> Samples:
    """What opening and closing a scope adds to two turns, and the turn behind a survey beside those before it."""
    found: Samples = {"scope": [], "scope_after": [], "scope_after_steps": []}
    for _ in range(repeats):
        with TemporaryDirectory() as folder:
            scope, after = asyncio.run(_times(f"sqlite:///{folder}/scopes.db", inner))
            found["scope"].append(scope)
            found["scope_after"].append(after)
        with TemporaryDirectory() as folder, disk(counts_steps=True):
            found["scope_after_steps"].append(asyncio.run(_steps(f"sqlite:///{folder}/scopes.db", inner)))
    return found


async def _times(address: str, inner: int) -> tuple[float, float]:
    app, ratios = _opened(address), list[float]()
    for number in range(SURVEYS):
        chat = app.chat(f"survey {number}")
        before = [await _timed(chat, "and then?") for _ in range(BEFORE)][BEFORE // 2 :]
        await _survey(chat, inner)
        ratios.append(await _timed(chat, "and then?") / statistics.median(before))
    chat, plain, scoped = app.chat("openings"), list[float](), list[float]()
    for _ in range(BEFORE):
        plain.append(await _timed(chat, "and then?") + await _timed(chat, "and then?"))
        scoped.append(await _timed(chat, "ask me") + await _timed(chat, "enough"))
    await app.close()
    return statistics.median(scoped) / statistics.median(plain) - 1, min(ratios)


async def _steps(address: str, inner: int) -> float:
    """What SQLite has to do for some turns behind a survey ÷ for as many before it."""
    app = _opened(address)
    chat, counts = app.chat("survey"), list[int]()
    for _ in range(BEFORE):
        await chat.say("and then?")
    for is_behind in (False, True):
        if is_behind:
            await _survey(chat, inner)
        Disk.steps = 0
        for _ in range(STEPPED):
            await chat.say("and then?")
        counts.append(Disk.steps)
    await app.close()
    return counts[1] / counts[0]


def _opened(address: str) -> Any:
    import turnwise as tw

    return tw.open(tw.loads(FLOW), store=address, model=Talking(), understand=lambda _message, _allowed: ())


async def _survey(chat: Any, inner: int) -> None:
    await chat.say("ask me")
    for number in range(inner // 2):  # a message and its reply
        await chat.say(f"answer {number}")
    await chat.say("enough")


async def _timed(chat: Any, text: str) -> float:
    """Time of the processor for one turn, all threads."""
    start = time.process_time()
    await chat.say(text)
    return time.process_time() - start
