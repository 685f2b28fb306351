"""Compares two prompts, and finds where the transcript of a prompt begins."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.prompts.window import is_shown
from turnwise.runner.ports import Store
from turnwise.runner.result import Turn
from turnwise.why.prompts import Prompt, PromptPart, model_calls, store_before


class WindowStart(NamedTuple):
    """The first message of the transcript that a model was shown."""

    said: str
    """The text of the message."""
    turn: int
    """The number of the turn of the message."""
    reason: str
    """Why the transcript begins with this message, in words."""
    messages: int
    """The number of messages of the transcript that the model was shown."""


def changes_between(before: Prompt, now: Prompt) -> list[str]:
    """Return in words what changed between two prompts: parts, messages of the transcript, tools, the node."""
    found: list[str] = []
    if before.node != now.node:
        found.append(phrase("{node} speaks in place of {before}", node=now.node, before=before.node))
    old, new = _texts(before), _texts(now)
    for part in dict.fromkeys((*old, *new)):
        if part not in new:
            found.append(phrase("the part {part} was left out", part=part))
        elif part not in old:
            found.append(phrase("the part {part} was added", part=part))
        elif old[part] != new[part]:
            found.append(phrase("the part {part} changed", part=part))
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
    found: list[str] = [phrase("{count} joined the transcript", count=_count(added))] if added else []
    return [*found, phrase("{count} left the transcript", count=_count(gone))] if gone else found


def _transcript(prompt: Prompt) -> list[PromptPart]:
    return [part for part in prompt.parts if part.part == "transcript"]


def _count(number: int) -> str:
    return Phrase("1 message") if number == 1 else phrase("{number} messages", number=number)


def _tools(before: Prompt, now: Prompt) -> list[str]:
    old, new = [[tool.name for tool in prompt.request.tools] for prompt in (before, now)]
    added = [name for name in new if name not in old]
    gone = [name for name in old if name not in new]
    found: list[str] = [phrase("{added} became available as a tool", added=joined(added, ", "))] if added else []
    return [*found, phrase("{gone} is no longer available as a tool", gone=joined(gone, ", "))] if gone else found


async def window_began(store: Store, machine: Machine, turn: Turn, prompt: Prompt) -> WindowStart | None:
    """Return where the transcript of a prompt begins; `None` if it shows no whole transcript."""
    asked = next((one for one in model_calls(turn) if one.seq == prompt.seq), None)
    shown = prompt.request.transcript
    if asked is None or not shown or prompt.purpose == "understand":
        return None
    most, state, (seq, number) = machine.flow.limits.window, asked.state, prompt.begins
    frame = state.frame
    earlier = await store_before(store, seq).window(turn.conversation, frame.transcript_from, 1, frame.id)
    if not earlier:
        reason = Phrase("it shows the conversation from its beginning")
    elif prompt.history >= most or is_shown(state, earlier[0].turn):
        reason = phrase(
            "the limit window allows {most} turns before the present one, and a full window moves on by turns",
            most=most,
        )
    else:
        reason = Phrase("an undo took back what was before")
    said = shown[0].text or joined((call.tool for call in shown[0].calls), ", ")
    return WindowStart(said, number, reason, len(shown))
