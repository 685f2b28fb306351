"""Templates of texts: fixed parts and holes, joined when a text is rendered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from turnwise.core.guards import Env
from turnwise.core.guards.scope import Root
from turnwise.core.machine import Template

TEMPLATE_ROOTS: dict[str, Root] = {
    "form.number": Root("int", lambda _state: None),
    "form.total": Root("int", lambda _state: None),
    "form.progress": Root("int", lambda _state: None),
}
"""What the texts of forms may read beside the roots of guards; forms fill them in when they speak."""

Fill = Callable[[Env], str | None]
Part = str | Fill
GAP = "…"
"""Stands for a missing value in a text that is shown before all values are known."""


def filled(parts: Sequence[Part], gap: str = "") -> Template:
    """Return the template of some parts; `gap` replaces missing values."""
    if all(isinstance(part, str) for part in parts):
        text = "".join(part for part in parts if isinstance(part, str))
        return lambda _env: text

    def fill(env: Env) -> str:
        texts = [part if isinstance(part, str) else part(env) for part in parts]
        return "".join([gap if text is None else text for text in texts])

    return fill
