"""A model for demonstrations: a file lists the lines that it knows, the node where each is offered, and the replies.

It understands nothing else, and says so once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnwise.core.language import Language
from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed
from turnwise.models.no_model import NoModel, has_said_so
from turnwise.models.scripted import REPLY, Reply, model_reply, read_shape
from turnwise.runner.ports import ModelReply

MOST_OFFERED = 3
"""The most lines that are offered at once."""


class DialogueLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the user, the node where it is offered, and the replies of the turn, one per call of the model.

    A line is offered once the user has said the earlier lines of its node; with `always` from the beginning.
    """

    node: str
    say: str
    replies: tuple[str | Reply, ...] = ()
    always: bool = False


class Dialogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The replies of the first turn, and the known lines."""

    start: tuple[str | Reply, ...] = ()
    lines: tuple[DialogueLine, ...] = ()


def read_dialogue(file: Path) -> Dialogue:
    """Read a dialogue. Raises `TurnwiseError` with the place of a mistake in it."""
    return read_shape(
        file, Dialogue, "dialogue", f"a dialogue is {{start, lines: [{{node, say, replies}}]}}; a reply is {REPLY}"
    )


class DialogueModel:
    """Replies to the lines that are offered. The terminal calls `offer` after each turn."""

    converses = False
    """False: it asks no questions itself, so the offline rules may read a message as the answer to the next one."""

    def __init__(self, dialogue: Dialogue, language: Language) -> None:
        self.dialogue = dialogue
        self.language = language
        self._no_model = NoModel(language)
        self._said: set[str] = set()
        self._offered: tuple[DialogueLine, ...] = ()
        self._current: DialogueLine | None = None

    def restart(self) -> None:
        """Offer all lines again, for a new conversation."""
        self._said.clear()

    def offer(self, node: str) -> Sequence[str]:
        """Offer the lines of a node that the user can say now, and return them."""
        unsaid = [line for line in self.dialogue.lines if line.node == node and line.say not in self._said]
        following = [line for line in unsaid if not line.always][:1]
        self._offered = tuple([*following, *(line for line in unsaid if line.always)][:MOST_OFFERED])
        return [line.say for line in self._offered]

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Give the next reply to the line; to an unknown line, reply what is missing and what to type."""
        if request.wording or request.question:
            return await self._no_model.reply(request)
        before = [number for number, one in enumerate(request.transcript) if one.role == "user"]
        place = sum(one.role == "agent" for one in request.transcript[before[-1] + 1 if before else 0 :])
        if not before:
            replies = self.dialogue.start
        else:
            if place == 0:
                self._current = self._find_line(request.transcript[before[-1]].text)
            replies = self._current.replies if self._current is not None else ()
        if place >= len(replies):
            return await self._unknown(request)
        reply = model_reply(replies[place])
        if isinstance(reply, ProviderFailed):
            raise reply
        return reply

    def _find_line(self, text: str) -> DialogueLine | None:
        """Return the offered line that a message matches, regardless of case and final punctuation."""
        found = next((line for line in self._offered if _key(line.say) == _key(text)), None)
        if found is not None:
            self._said.add(found.say)
        return found

    async def _unknown(self, request: ModelRequest) -> ModelReply:
        if request.missing:
            return await self._no_model.reply(request)
        text = "Please type the number of a line." if self._offered else "There are no more lines: /new begins anew."
        if not has_said_so(self.language, request):
            text = f"{self.language.text('no_model')} {text}"
        return ModelReply(" ".join([*(request.spoken_notes or request.notes), text]))


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!?")
