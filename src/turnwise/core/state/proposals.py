"""Scopes that are proposed to the user (law 6.5): each waits, is the open question, or was passed over."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

BY_NODE: Final = "node"
"""Who proposes a scope by its own `offer`; a schedule proposes by its name."""

OfferOutcome = Literal["taken", "declined", "lapsed"]
"""What became of an offer."""

LapseReason = Literal["", "other_turn", "left", "question", "scope", "closed"]
"""Why an offer lapsed: the user spoke of something else, its node was left, another question was asked, another scope
was opened, or the scope in which it was made was closed.
"""


class Proposal(Struct, frozen=True, gc=False, omit_defaults=True):
    """A scope that is proposed: its opener, who proposes it, and the input that it opens with, by address.

    `frame` is the frame in which it is proposed, `visit` the visit to `node` that proposes it. It is `waiting` until it
    may be asked, then `open`. One that was declined or has lapsed is `passed`: the user may still begin its scope.
    `asked` counts how often it was asked. With `is_worded` a model puts the opener in words of its own.
    """

    scope: str
    opener: str
    by: str = BY_NODE
    frame: int = 0
    node: str = ""
    visit: int = 0
    given: dict[str, Any] = {}
    status: Literal["waiting", "open", "passed"] = "waiting"
    asked: int = 0
    is_worded: bool = False
