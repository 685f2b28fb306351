"""The effects of turns that an undo took back: they stay recorded as performed (law 6.9)."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

KEPT_USES = 64
"""How many tool uses are kept in order (law 1.1), and how many effects that undos did not reverse."""


class TakenBack(Struct, frozen=True, gc=False, array_like=True):
    """A call that a node made itself and whose result an undo removed."""

    id: str
    """The id of the call, which the node reuses if it makes the same call again."""
    node: str
    """The address of the node."""
    tool: str
    """The name of the tool."""
    arguments: str
    """A hash of the arguments of the call."""


class KeptEffect(Struct, frozen=True, gc=False, array_like=True):
    """An effect that an undo did not reverse; the user is asked before the same call runs again."""

    tool: str
    """The tool that had the effect."""
    arguments: str
    """A hash of the arguments of the call."""
    turn: int
    """The number of the turn in which the tool ran."""
    at_ms: int
    """When the tool ran, in milliseconds since 1970."""
    result: str = ""
    """The part of the result that the user may see, as text; empty if none."""
    in_doubt: bool = False
    """True if it is not certain that the tool did its work."""
    frame: int = 0
    """The id of the frame in which the tool ran; 0 for the root."""


def digest(arguments: dict[str, Any]) -> str:
    """Return a hash of arguments: equal arguments have equal hashes."""
    return sha256(encode(arguments, order="deterministic")).hexdigest()[:32]


def kept_effect(kept: Iterable[KeptEffect], tool: str, arguments: dict[str, Any]) -> KeptEffect | None:
    """Return the kept effect with the same tool and arguments as a call; `None` if there is none."""
    alike = [one for one in kept if one.tool == tool]
    hashed = digest(arguments) if alike else ""
    return next((one for one in alike if one.arguments == hashed), None)


def without_results(kept: tuple[KeptEffect, ...], from_frame: int) -> tuple[KeptEffect, ...]:
    """Return the effects; those of the frame with the id `from_frame` or of later frames without their results."""
    if not any(one.result and one.frame >= from_frame for one in kept):
        return kept
    return tuple([replace(one, result="") if one.frame >= from_frame else one for one in kept])


def merge_effects(kept: Iterable[KeptEffect], more: Iterable[KeptEffect]) -> tuple[KeptEffect, ...]:
    """Return the effects `kept` and `more`; of those with the same tool and arguments only the last."""
    found = {(one.tool, one.arguments): one for one in (*kept, *more)}
    return tuple(sorted(found.values(), key=lambda one: one.at_ms))[-KEPT_USES:]
