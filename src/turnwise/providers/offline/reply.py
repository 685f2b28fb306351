"""What is said in place of a model's reply: that there is no model, and what is still missing.

It never pretends to converse.
"""

from __future__ import annotations

from turnwise.core.language import Language


def reply(language: Language, missing: tuple[str, ...], courtesy: str = "", *, has_said_so: bool = False) -> str:
    """A plain reply that names what is still needed, if anything is; a courtesy is returned in its kind.

    Where it `has_said_so` before, that no model is connected is not said again, but where nothing else can be.
    """
    no_model = language.text(courtesy or "no_model")
    if not missing:
        return no_model
    needed = language.text("still_needed", fields=", ".join(missing))
    return needed if has_said_so and not courtesy else f"{no_model} {needed}"
