"""Replies by what the user says: prepared lines with their replies, and by node a reply to any other message.

They stand for a model in demonstrations and where a flow is tried without one. They understand nothing themselves.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import cast

import msgspec

from turnwise.core.language import Language, language_of
from turnwise.core.prompts import ModelRequest
from turnwise.core.prompts.markers import APPLICATION
from turnwise.core.state.effects import NO_MODEL
from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.models.no_model import NoModel, has_said_so
from turnwise.models.scripted import EXPECTED_REPLY, Reply, ScriptedModel, model_reply, read_shape
from turnwise.runner.model_port import ModelEvent, ModelReply, TextDelta, Usage

MOST_OFFERED = 3
"""The most lines that are offered at once."""
SCRIPT_MODEL = "script"
"""The name of a dialogue in the journal, as the model that replied."""
_SHAPE = (
    f"{{start, lines: [{{node, say, replies}}], otherwise: [{{node, matches, replies}}]}}; a reply is {EXPECTED_REPLY}"
)


class DialogueLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A known line of the user in a demonstration, and the model's replies to it."""

    node: str
    """The node in which the line is offered."""
    say: str
    """The text of the line."""
    replies: tuple[str | Reply, ...] = ()
    """The model's replies in the line's turn, one per model call."""
    always: bool = False
    """True where the line is offered from the beginning; else once the user has sent the earlier lines of its node."""


class Otherwise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The replies to messages of a node that are no known line.
    Each message gets the next reply, and after the last the first again.
    """

    node: str
    """The node in which the messages are sent."""
    replies: tuple[str, ...]
    """The replies, one after another."""
    matches: str = ""
    """A regular expression that is searched in the messages, without regard to case; empty for all messages."""

    def is_for(self, request: ModelRequest, said: str) -> bool:
        """Return whether the replies are for the message `said` at the node of a request."""
        return self.node == request.node and re.search(self.matches, said, re.IGNORECASE) is not None

    def next_reply(self, request: ModelRequest) -> str:
        """Return the reply after those that the request's transcript already has."""
        said = sum(one.role == "agent" and one.text.endswith(self.replies) for one in request.transcript)
        return self.replies[said % len(self.replies)]


class Dialogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a dialogue's file: replies of the first turn, known lines, and replies to other messages, of
    which the first that is for a message counts.
    """

    start: tuple[str | Reply, ...] = ()
    """The replies of the first turn, one per model call."""
    lines: tuple[DialogueLine, ...] = ()
    """The known lines."""
    otherwise: tuple[Otherwise, ...] = ()
    """The replies to messages that are no known line."""


def read_dialogue(file: Path) -> Dialogue:
    """Return the dialogue in a file. Raises `TurnwiseError` with the place of a mistake in it."""
    return _checked(read_shape(file, Dialogue, "dialogue", f"a dialogue is {_SHAPE}"), file)


def model_of_file(file: str) -> ScriptedModel | KnownLines:
    """Return the model of a file with a list of replies, or with a dialogue.
    Raises `TurnwiseError` with the place of a mistake in it.
    """
    hint = f"a script is a list of replies: {EXPECTED_REPLY}; or a dialogue: {_SHAPE}"
    shape = cast("type[list[str | Reply] | Dialogue]", list[str | Reply] | Dialogue)
    found = read_shape(Path(file), shape, "script", hint)
    if isinstance(found, list):
        return ScriptedModel([model_reply(reply) for reply in found])
    return KnownLines(_checked(found, Path(file)))


def _checked(dialogue: Dialogue, file: Path) -> Dialogue:
    """Return a dialogue whose patterns are regular expressions, with replies to each."""
    for number, one in enumerate(dialogue.otherwise):
        place = f"{file}: otherwise[{number}]"
        if not one.replies:
            raise TurnwiseError(f"{place} has no replies")
        try:
            re.compile(one.matches)
        except re.error as error:
            raise TurnwiseError(f"{place}: {one.matches!r} is no regular expression: {error}") from None
    return dialogue


class KnownLines:
    """A model that replies to messages as the file of a dialogue says, in any conversation and order.
    A message that it has no reply for is answered as without a model. `language` is that of the flow, with its own
    texts; else it is that of each request.
    """

    converses = False
    """False: it asks no questions itself, so the offline rules may read a message as the answer to the next one."""

    def __init__(self, dialogue: Dialogue, language: Language | None = None) -> None:
        self.dialogue = dialogue
        self.language = language
        self._lines = {dialogue_key(line.say): line for line in reversed(dialogue.lines)}

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Return the prepared reply to the message of a request. Raises `ProviderFailed` for a prepared failure.
        For an unknown message the reply says what is missing and which lines are known.
        """
        if request.wording or request.question:
            return await self._no_model(request).reply(request)
        found = prepared_reply(self.dialogue, request, lambda said: self._lines.get(dialogue_key(said)))
        return found or other_reply(self.dialogue, request) or await self._unknown(request)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the prepared reply in one piece."""
        reply = await self.reply(request)
        if reply.text:
            yield TextDelta(reply.text)
        for call in reply.calls:
            yield call
        yield Usage(reply.model or SCRIPT_MODEL, finish=reply.finish)

    def _no_model(self, request: ModelRequest) -> NoModel:
        return NoModel(self.language or language_of(request.language))

    async def _unknown(self, request: ModelRequest) -> ModelReply:
        lines = [line for line in self.dialogue.lines if line.node == request.node and not request.missing]
        language = self.language or language_of(request.language)
        last = request.transcript[-1] if request.transcript else None
        is_farewell = last is not None and last.role == "user" and language.courtesy(last.text) == "farewell"
        if not lines or request.after_scope or is_farewell:
            return await self._no_model(request).reply(request)
        known = "\n".join(f"- {line.say}" for line in lines)
        text = f"These lines have a prepared reply here:\n\n{known}"
        if not has_said_so(language, request):
            text = f"{language.text('no_model')} {text}"
        return ModelReply(" ".join([*(request.spoken_notes or request.notes), text]), NO_MODEL)


class DialogueModel:
    """A model that replies to the lines that are offered. The terminal calls `offer` after each turn."""

    converses = False
    """False: it asks no questions itself, so the offline rules may read a message as the answer to the next one."""

    def __init__(self, dialogue: Dialogue, language: Language) -> None:
        self.dialogue = dialogue
        self.language = language
        self._no_model = NoModel(language)
        self._said: set[str] = set()
        self._offered: tuple[DialogueLine, ...] = ()
        self._known: dict[str, DialogueLine] = {}
        """Every line that was offered: one that opened a scope is replied to when the scope is closed."""

    def restart(self) -> None:
        """Offer all lines again, for a new conversation."""
        self._said.clear()
        self._known.clear()

    def offer(self, node: str, said: str = "") -> Sequence[str]:
        """Offer the lines of a node that the user can send now, and return them; `said` is the last message."""
        if dialogue_key(said) in self._known:
            self._said.add(self._known[dialogue_key(said)].say)
        unsaid = [line for line in self.dialogue.lines if line.node == node and line.say not in self._said]
        following = [line for line in unsaid if not line.always][:1]
        self._offered = tuple([*following, *(line for line in unsaid if line.always)][:MOST_OFFERED])
        self._known |= {dialogue_key(line.say): line for line in self._offered}
        return [line.say for line in self._offered]

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Return the next reply to the sent line; for an unknown line, say what is missing and what to type."""
        if request.wording or request.question:
            return await self._no_model.reply(request)
        found = prepared_reply(self.dialogue, request, self._find_line)
        return found or other_reply(self.dialogue, request) or await self._unknown(request)

    def _find_line(self, text: str) -> DialogueLine | None:
        """Return the line that was offered and that a message matches, regardless of case and final punctuation."""
        found = self._known.get(dialogue_key(text))
        if found is not None:
            self._said.add(found.say)
        return found

    async def _unknown(self, request: ModelRequest) -> ModelReply:
        if request.missing or request.after_scope:
            return await self._no_model.reply(request)
        text = "Please type the number of a line." if self._offered else "There are no more lines: /new begins anew."
        if not has_said_so(self.language, request):
            text = f"{self.language.text('no_model')} {text}"
        return ModelReply(" ".join([*(request.spoken_notes or request.notes), text]))


def prepared_reply(
    dialogue: Dialogue, request: ModelRequest, line_of: Callable[[str], DialogueLine | None]
) -> ModelReply | None:
    """Return the next prepared reply to a request; `None` if none is prepared.
    `line_of` returns the known line of a message, `None` if it is none. Raises `ProviderFailed` for a prepared failure.
    """
    said = [number for number, one in enumerate(request.transcript) if one.role == "user"]
    place = replies_after(request, said[-1] + 1 if said else 0)
    line = line_of(request.transcript[said[-1]].text) if said else None
    is_start = not said or (line is None and replies_after(request, 0) == 0)
    replies = dialogue.start if is_start else line.replies if line is not None else ()
    if place >= len(replies):
        return None
    reply = model_reply(replies[place])
    if isinstance(reply, ProviderFailed):
        raise reply
    return reply


def other_reply(dialogue: Dialogue, request: ModelRequest) -> ModelReply | None:
    """Return the reply to a message that is not a known line; `None` if no reply is for it: where none is prepared, a
    field is missing, or a scope was closed in this turn.
    """
    last = next((one.text for one in reversed(request.transcript) if one.role == "user"), "")
    if request.missing or request.after_scope or not last:
        return None
    found = next((one for one in dialogue.otherwise if one.is_for(request, last)), None)
    if found is None:
        return None
    notes = request.spoken_notes or request.notes
    return ModelReply(" ".join([*notes, found.next_reply(request)]), SCRIPT_MODEL)


def replies_after(request: ModelRequest, place: int) -> int:
    """Return how often an agent has spoken in a transcript from index `place` on, without summaries of scopes."""
    later = request.transcript[place:]
    return sum(one.role == "agent" and not one.text.startswith(APPLICATION) for one in later)


def dialogue_key(text: str) -> str:
    """Return a line in the form in which lines are compared: without case, double spaces and final punctuation."""
    return " ".join(text.casefold().split()).rstrip(".!?")
