"""What goes wrong between here and a provider, before it is told to anybody."""

from __future__ import annotations

from turnwise.models.redaction import hidden

_MOST_TOLD = 400
"""Characters of a failure: what providers say may be a page."""


class Trouble(Exception):
    """What went wrong in one attempt: in words, whether it may pass, and how many seconds the server asked to wait."""

    def __init__(self, text: str, *, may_pass: bool, wait_s: float | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.may_pass = may_pass
        self.wait_s = wait_s

    def told(self, keys: tuple[str, ...]) -> str:
        """The words, without keys, and not longer than a reader wants them."""
        text = hidden(self.text, keys)
        return text if len(text) <= _MOST_TOLD else f"{text[:_MOST_TOLD]} …"
