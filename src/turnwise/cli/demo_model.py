"""The models of demonstrations: they give prepared replies, word by word, so that the page shows them as they come."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from turnwise.core.language import Language
from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed
from turnwise.models.no_model import NoModel, has_said_so
from turnwise.models.scripted import Dialogue, Reply, dialogue_key, model_reply, prepared_reply
from turnwise.runner.model_port import ModelEvent, ModelReply, TextDelta, Usage

Replies = Callable[[ModelRequest], Awaitable[ModelReply]]
MODEL = "script"
"""The name of the model in the journal."""
WORD_S = 0.03
"""How long a model speaks a word."""
_WORD = re.compile(r"\S+\s*")


class SpokenModel:
    """Streams prepared replies word by word. It counts words as tokens.

    `pause` waits for a number of seconds: the time of the page, or the clock of a conversation that is being prepared.
    """

    converses = False
    """False: it asks no questions itself, so the offline rules may read a message as the answer to the next one."""

    def __init__(self, replies: Replies, pause: Callable[[float], Awaitable[None]]) -> None:
        self.replies = replies
        self.pause = pause

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Stream the next reply. Raises `ProviderFailed` where a failure was prepared."""
        reply = await self.replies(request)
        words = _WORD.findall(reply.text)
        for word in words:
            await self.pause(WORD_S)
            yield TextDelta(word)
        for call in reply.calls:
            await self.pause(WORD_S)
            yield call
        if reply.model != "none":
            asked = [*request.instructions, *(one.text for one in request.transcript)]
            yield Usage(MODEL, sum(len(_WORD.findall(text)) for text in asked), len(words) + len(reply.calls))


class PlannedReplies:
    """Gives the replies of a plan, one per call."""

    def __init__(self, plan: Iterable[str | Reply]) -> None:
        self.plan = deque(plan)

    async def __call__(self, request: ModelRequest) -> ModelReply:
        """Return the next reply. Raises `ProviderFailed` for a prepared failure, and at the end of the plan."""
        if not self.plan:
            raise ProviderFailed(f"no reply is prepared for the node {request.node}")
        return _reply(self.plan.popleft())


class KnownLines:
    """Replies to the lines of a dialogue, in any conversation and order; to other messages as without a model."""

    def __init__(self, dialogue: Dialogue, language: Language) -> None:
        self.dialogue = dialogue
        self.language = language
        self._no_model = NoModel(language)
        self._lines = {dialogue_key(line.say): line for line in reversed(dialogue.lines)}

    async def __call__(self, request: ModelRequest) -> ModelReply:
        """Return the reply: that of the line, or what is missing and which lines are known."""
        if request.wording or request.question:
            return await self._no_model.reply(request)
        found = prepared_reply(self.dialogue, request, lambda said: self._lines.get(dialogue_key(said)))
        return found or await self._unknown(request)

    async def _unknown(self, request: ModelRequest) -> ModelReply:
        lines = [line for line in self.dialogue.lines if line.node == request.node and not request.missing]
        if not lines or request.after_scope:
            return await self._no_model.reply(request)
        known = "\n".join(f"- {line.say}" for line in lines)
        text = f"These lines have a prepared reply here:\n\n{known}"
        if not has_said_so(self.language, request):
            text = f"{self.language.text('no_model')} {text}"
        return ModelReply(" ".join([*(request.spoken_notes or request.notes), text]), "none")


def _reply(planned: str | Reply) -> ModelReply:
    reply = model_reply(planned)
    if isinstance(reply, ProviderFailed):
        raise reply
    return reply
