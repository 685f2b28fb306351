"""The errors that turnwise raises, and nothing else.

What an author did wrong is a `Diagnostic`, what the world did wrong is an event; an exception is
left for a caller who asked for something that cannot be done.
"""

from __future__ import annotations

import reprlib


class TurnwiseError(Exception):
    """Root of every error that turnwise raises on purpose."""


class WrongArgument(TurnwiseError):
    """A call was given something of another kind than it takes: which argument, what it takes, what it got."""

    def __init__(self, argument: str, given: object, expected: str) -> None:
        super().__init__(f"{argument} must be {expected}, not {_told(given)}")
        self.argument = argument


class CannotBlock(TurnwiseError):
    """A blocking chat was used where a loop is running, or after it was closed."""


class Conflict(TurnwiseError):
    """Somebody else wrote this conversation first; nothing of this attempt was kept."""


class UnknownFormat(TurnwiseError):
    """Stored data has a format that this version does not read (law 1.4)."""

    def __init__(self, what: str, found: object, known: object) -> None:
        super().__init__(f"{what} has format {found!r}; this version of turnwise reads {known!r}")
        self.what = what
        self.found = found


class UnknownConversation(TurnwiseError):
    """No conversation has this id."""

    def __init__(self, conversation: str) -> None:
        super().__init__(f"there is no conversation {conversation!r}")
        self.conversation = conversation


class ProviderFailed(TurnwiseError):
    """A model or an understanding could not be reached or did not answer; the reason is its text."""


class UnknownTransition(TurnwiseError):
    """The flow has no transition of this name."""

    def __init__(self, transition: str, hint: str = "") -> None:
        super().__init__(f"no transition is called {transition!r}" + (f"; {hint}" if hint else ""))
        self.transition = transition


def _told(given: object) -> str:
    """What was given, as developers know it: its type, and what it is where that is short to say."""
    kind = type(given)
    if given is None:
        return "None"
    return f"{kind.__name__} {reprlib.repr(given)}" if kind.__module__ == "builtins" else kind.__name__
