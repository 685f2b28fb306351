"""The reply where no model is connected: it says once that none is connected, and asks for the missing fields."""

from __future__ import annotations

from turnwise.core.language import Language
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import NO_MODEL
from turnwise.runner.model_port import ModelReply


class NoModel:
    """The model of an app without a model: says so at nodes with a prompt, and never imitates a model."""

    def __init__(self, language: Language) -> None:
        self.language = language

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Return a reply that says what was refused, that no model is connected, and what is missing.
        A greeting is answered by a greeting. After a closed scope only what was refused and what is needed is said, or
        nothing (law 6.3).
        """
        language = self.language
        if request.wording:
            return ModelReply(request.wording, NO_MODEL)
        if request.question:
            return ModelReply(language.text("no_model_aside"), NO_MODEL)
        last = request.transcript[-1] if request.transcript else None
        courtesy = language.courtesy(last.text) if last is not None and last.role == "user" else ""
        if request.after_scope:
            text = language.text("still_needed", fields=", ".join(request.missing)) if request.missing else ""
        else:
            text = reply(language, request.missing, courtesy, has_said_so=has_said_so(language, request))
        return ModelReply(" ".join(filter(None, [*(request.spoken_notes or request.notes), text])), NO_MODEL)


def reply(language: Language, missing: tuple[str, ...], courtesy: str = "", *, has_said_so: bool = False) -> str:
    """Return a reply that names the missing fields, and that no model is connected unless `has_said_so` before.
    A `courtesy` of the user, such as `greeting`, is answered in place of saying that none is connected.
    """
    no_model = language.text(courtesy or "no_model")
    if not missing or courtesy == "farewell":
        return no_model
    needed = language.text("still_needed", fields=", ".join(missing))
    return needed if has_said_so and not courtesy else f"{no_model} {needed}"


def has_said_so(language: Language, request: ModelRequest) -> bool:
    """Return whether the agent has said earlier in the transcript that no model is connected."""
    no_model = language.text("no_model")
    return any(one.role == "agent" and no_model in one.text for one in request.transcript)
