"""What a flow or a node asks of its models: settings, and a check of each reply."""

from __future__ import annotations

from typing import Any, Literal

from turnwise.flow.call_sites import call_site
from turnwise.flow.code import PythonGuard
from turnwise.flow.converters import function, functions
from turnwise.flow.declare import Takes, converter, hidden, key, part
from turnwise.flow.diagnostic import Span
from turnwise.flow.frozen import put
from turnwise.flow.kinds import FunctionName, Integer, Number, Text, one_of
from turnwise.flow.model.values import GUARD, Guard
from turnwise.flow.model.words import TEXTS, Function

Thinking = Literal["", "off", "on", "minimal", "low", "medium", "high"]
"""How much a model thinks before it replies; empty: as the model does by default."""


GUARD_NAME: Takes[str | Function, str] = converter(FunctionName())
"""The converter of a Python function, or its name, to the name."""
_NAMES = ("temperature", "max_tokens", "top_p", "seed", "stop", "thinking")


@part("the settings of a model")
class Settings:
    """The settings for requests to a model; each setting of a node overrides that of the flow."""

    temperature: float | None = key("the sampling temperature: 0 for the likeliest words", Number(0, 2), default=None)
    max_tokens: int | None = key("the most tokens of one reply", Integer(1), default=None)
    top_p: float | None = key(
        "nucleus sampling: the probability share of words that it chooses from", Number(0, 1), default=None
    )
    seed: int | None = key("the random seed", Integer(), default=None)
    stop: tuple[str, ...] = key("texts at which its reply ends", converter=TEXTS, default=())
    thinking: Thinking = key("how much it thinks before it replies", one_of(Thinking), default="")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""

    def given(self) -> dict[str, Any]:
        """Return the settings that are set, by name."""
        return {name: value for name in _NAMES if (value := getattr(self, name)) not in (None, "", ())}


def name_guard(made: Any) -> None:
    """Replace the guard function of a part of a flow by its name, and store the function in the part's `code`."""
    code: Any = functions(made.code)
    found = function(made.guard)
    if isinstance(found, PythonGuard):
        put(made, "guard", found.name)
        code = (*code, found)
    put(made, "code", code)


@part("a check of each reply of a model", prepare=name_guard)
class ReplyGuard:
    """A check of each whole reply of a model before the user sees it; if it holds, a text replaces the reply."""

    say: str = key("the text that replaces the reply", Text())
    when: Guard = key("when a reply is replaced; it reads `reply.text` too", converter=GUARD, default="")
    guard: str = key("the Python function that decides this; it may ask for `reply`", converter=GUARD_NAME, default="")
    code: tuple[PythonGuard, ...] = hidden(default=())
    """The Python guard that a program gave as `guard`, or nothing."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""
