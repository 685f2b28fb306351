"""The reply where no model is connected: it says so, and asks for what is still missing."""

from __future__ import annotations

from turnwise.core.language import Language
from turnwise.core.prompts import ModelRequest
from turnwise.runner.ports import ModelReply


def reply(language: Language, missing: tuple[str, ...], courtesy: str = "", *, has_said_so: bool = False) -> str:
    """A plain reply that names what is still needed, if anything is; a courtesy is returned in its kind.

    Where it `has_said_so` before, that no model is connected is not said again, but where nothing else can be.
    """
    no_model = language.text(courtesy or "no_model")
    if not missing:
        return no_model
    needed = language.text("still_needed", fields=", ".join(missing))
    return needed if has_said_so and not courtesy else f"{no_model} {needed}"


class NoModel:
    """Speaks for nodes with a prompt when there is no model; it never pretends to be one."""

    def __init__(self, language: Language) -> None:
        self.language = language

    async def reply(self, request: ModelRequest) -> ModelReply:
        """That no model is connected (once; to a greeting, a greeting), what was refused, and what is still needed."""
        if request.wording:
            return ModelReply(request.wording, "none")
        language = self.language
        if request.question:
            return ModelReply(language.text("no_model_aside"), "none")
        said = request.transcript[-1] if request.transcript else None
        courtesy = language.courtesy(said.text) if said is not None and said.role == "user" else ""
        text = reply(language, request.missing, courtesy, has_said_so=has_said_so(language, request))
        return ModelReply(" ".join([*(request.spoken_notes or request.notes), text]), "none")


def has_said_so(language: Language, request: ModelRequest) -> bool:
    """Whether the conversation was told before that no model is connected."""
    no_model = language.text("no_model")
    return any(one.role == "agent" and no_model in one.text for one in request.transcript)
