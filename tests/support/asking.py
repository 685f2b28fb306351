"""Asking models without a chat: one request, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Message, ToolSpec
from turnwise.errors import ProviderFailed
from turnwise.models import CallSettings, Patience, call_settings, model_named
from turnwise.models.reach import close_model
from turnwise.runner.model_port import ModelEvent, TextDelta

KEY = "sk-secret-1234567890"
HASTE = Patience(connect_s=2, silence_s=2, retries=2, pause_s=0.001)


def reach(patience: Patience = HASTE, **environment: str) -> CallSettings:
    """How tests reach the fake server: with keys, in haste."""
    keys = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "COMPATIBLE_API_KEY", "GEMINI_API_KEY"), KEY)
    keys |= dict.fromkeys(("MISTRAL_API_KEY", "GROQ_API_KEY"), KEY)
    return call_settings({**keys, **environment}, may_call=True, patience=patience)


def request(*said: Message | str, tools: Sequence[str] = (), **more: Any) -> ModelRequest:
    """A request: a text is the user's."""
    transcript = tuple([Message("user", one) if isinstance(one, str) else one for one in said])
    specs = tuple([ToolSpec(name, f"does {name}", {"type": "object", "properties": {}}) for name in tools])
    return ModelRequest("here", ("You are kind.", "Ask for the name."), transcript, specs, **more)


def ask(model: Any, *requests: ModelRequest) -> list[ModelEvent | str]:
    """The events of the answers; what failed is the text of it, at the end."""
    found: list[ModelEvent | str] = []

    async def all_of_them() -> None:
        try:
            for one in requests or (request("Hello"),):
                async for event in model.stream(one):
                    found.append(event)  # noqa: PERF401  what comes before a failure counts
        except ProviderFailed as failure:
            found.append(str(failure))
        await close_model(model)

    asyncio.run(all_of_them())
    return found


def ask_named(name: str, *requests: ModelRequest, patience: Patience = HASTE, **environment: str) -> list[Any]:
    """The events of the answers of a named model."""
    return ask(model_named(name, reach(patience, **environment)), *requests)


def text_of(events: Sequence[ModelEvent | str]) -> str:
    """What was said."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))
