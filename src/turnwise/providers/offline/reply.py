"""What is said in place of a model's reply: that there is no model, and what is still missing.

It never pretends to converse.
"""

from __future__ import annotations

from turnwise.core.language import Language


def reply(language: Language, missing: tuple[str, ...], courtesy: str = "") -> str:
    """A plain reply that names what is still needed, if anything is; a courtesy is returned in its kind."""
    no_model = language.text(courtesy or "no_model")
    if not missing:
        return no_model
    return f"{no_model} {language.text('still_needed', fields=', '.join(missing))}"
