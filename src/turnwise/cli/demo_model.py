"""The models of demonstrations: they give prepared replies, word by word, so that the page shows them as they come."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed
from turnwise.models.dialogue import SCRIPT_MODEL
from turnwise.models.scripted import Reply, model_reply
from turnwise.runner.model_port import ModelEvent, ModelReply, TextDelta, Usage

Replies = Callable[[ModelRequest], Awaitable[ModelReply]]
"""A function that returns the reply to a request, as a model does."""
SECONDS_PER_WORD = 0.03
"""How many seconds a prepared reply takes for each word."""
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
            await self.pause(SECONDS_PER_WORD)
            yield TextDelta(word)
        for call in reply.calls:
            await self.pause(SECONDS_PER_WORD)
            yield call
        if reply.model != "none":
            asked = [*request.instructions, *(one.text for one in request.transcript)]
            yield Usage(SCRIPT_MODEL, sum(len(_WORD.findall(text)) for text in asked), len(words) + len(reply.calls))


class PlannedReplies:
    """A model that gives the replies of a plan, one per call."""

    def __init__(self, plan: Iterable[str | Reply]) -> None:
        self.plan = deque(plan)

    async def __call__(self, request: ModelRequest) -> ModelReply:
        """Return the next reply. Raises `ProviderFailed` for a prepared failure, and at the end of the plan."""
        if not self.plan:
            raise ProviderFailed(f"no reply is prepared for the node {request.node}")
        return _reply(self.plan.popleft())


def _reply(planned: str | Reply) -> ModelReply:
    reply = model_reply(planned)
    if isinstance(reply, ProviderFailed):
        raise reply
    return reply
