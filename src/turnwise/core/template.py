"""Texts with holes: rendered from the values of a conversation, with the holes for which there is no value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from turnwise.core.guards import Env

Fill = Callable[[Env], str | None]
"""A function that returns the text of a hole; `None` for a value that is missing or cannot be computed."""


class LinkedExpression(Struct, frozen=True):
    """A compiled `{{ }}` of a text: the function that renders it, and the expression."""

    fill: Fill
    """The function that renders the text of the expression."""
    expression: str
    """The expression as the author wrote it."""
    fields: tuple[str, ...] = ()
    """The addresses of the fields that the expression reads."""
    at: str = ""
    """Where the expression stands, as `file:line:column`."""
    is_required: bool = False
    """True if the whole text is refused when the value is missing, blank or an empty list."""


class Template:
    """A compiled text with `{{ }}`; calling it renders the text. `gap` is the text for each missing value."""

    __slots__ = ("fixed", "gap", "parts")

    def __init__(self, parts: Sequence[str | LinkedExpression], gap: str = "") -> None:
        self.parts = tuple(parts)
        self.gap = gap
        texts = [part for part in self.parts if isinstance(part, str)]
        self.fixed = "".join(texts) if len(texts) == len(self.parts) else None
        """The text, if it has no holes."""

    def __call__(self, env: Env) -> str:
        """Return the text."""
        return self.fixed if self.fixed is not None else self.render(env)[0]

    def render(self, env: Env) -> tuple[str, tuple[LinkedExpression, ...]]:
        """Return the rendered text, and the `{{ }}` that had no value."""
        if self.fixed is not None:
            return self.fixed, ()
        texts: list[str] = []
        gaps: list[LinkedExpression] = []
        for part in self.parts:
            text = part if isinstance(part, str) else part.fill(env)
            if isinstance(part, LinkedExpression) and (text is None or (part.is_required and not text.strip())):
                gaps.append(part)
            texts.append(self.gap if text is None else text)
        return "".join(texts), tuple(gaps)
