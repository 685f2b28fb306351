"""What is different between two prompts, and where the transcript of a prompt begins."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.core.machine import Machine
from turnwise.core.prompts.window import is_shown
from turnwise.runner.ports import Store
from turnwise.runner.result import Turn
from turnwise.why.prompts import Prompt, PromptPart, model_calls, store_before


class WindowStart(NamedTuple):
    """The first message of a transcript that a model was shown."""

    said: str
    """The text of the message."""
    turn: int
    """The turn of the message."""
    reason: str
    """Why it is the first, in words."""
    messages: int
    """How many messages the model was shown."""


def changes(before: Prompt, now: Prompt) -> list[str]:
    """Return what changed between two prompts, in words: parts, messages of the transcript, tools, the node."""
    found: list[str] = []
    if before.node != now.node:
        found.append(f"{now.node} speaks in place of {before.node}")
    old, new = _texts(before), _texts(now)
    for part in dict.fromkeys((*old, *new)):
        if part not in new:
            found.append(f"the part {part} was left out")
        elif part not in old:
            found.append(f"the part {part} was added")
        elif old[part] != new[part]:
            found.append(f"the part {part} changed")
    return found + _messages(before, now) + _tools(before, now)


def _texts(prompt: Prompt) -> dict[str, list[str]]:
    """Return the texts of each part, apart from the transcript."""
    found: dict[str, list[str]] = {}
    for part in prompt.parts:
        if part.part != "transcript":
            found.setdefault(part.part, []).append(part.text)
    return found


def _messages(before: Prompt, now: Prompt) -> list[str]:
    """Return how the transcript moved on: the messages that left at its beginning, and those that joined at its end."""
    old, new = _transcript(before), _transcript(now)
    gone = next(place for place in range(len(old) + 1) if new[: len(old) - place] == old[place:])
    added = len(new) - (len(old) - gone)
    found = [f"{_count(added)} joined the transcript"] if added else []
    return [*found, f"{_count(gone)} left the transcript"] if gone else found


def _transcript(prompt: Prompt) -> list[PromptPart]:
    return [part for part in prompt.parts if part.part == "transcript"]


def _count(number: int) -> str:
    return "1 message" if number == 1 else f"{number} messages"


def _tools(before: Prompt, now: Prompt) -> list[str]:
    old, new = [[tool.name for tool in prompt.request.tools] for prompt in (before, now)]
    added = [name for name in new if name not in old]
    gone = [name for name in old if name not in new]
    found = [f"{', '.join(added)} became available as a tool"] if added else []
    return [*found, f"{', '.join(gone)} is no longer available as a tool"] if gone else found


async def window_began(store: Store, machine: Machine, turn: Turn, prompt: Prompt) -> WindowStart | None:
    """Return where the transcript of a prompt begins; `None` where it shows none, or only a part of it for an
    understanding.
    """
    asked = next((one for one in model_calls(turn) if one.seq == prompt.seq), None)
    shown = prompt.request.transcript
    if asked is None or not shown or prompt.purpose == "understand":
        return None
    most, state, (seq, number) = machine.flow.limits.window, asked.state, prompt.begins
    frame = state.frame
    earlier = await store_before(store, seq).window(turn.conversation, frame.transcript_from, 1, frame.id)
    if not earlier:
        reason = "it shows the conversation from its beginning"
    elif prompt.history >= most or is_shown(state, earlier[0].turn):
        reason = f"the limit window allows {most} turns before the present one, and a full window moves on by turns"
    else:
        reason = "an undo took back what was before"
    said = shown[0].text or ", ".join(call.tool for call in shown[0].calls)
    return WindowStart(said, number, reason, len(shown))
