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
    """A performed call of a node's own work, whose result an undo removed."""

    id: str
    """The id of the call; the same call of the node gets it again."""
    node: str
    tool: str
    arguments: str
    """A digest of the arguments."""


class KeptEffect(Struct, frozen=True, gc=False, array_like=True):
    """An effect that was performed in a turn which an undo took back, so that its next run is asked about."""

    tool: str
    """The tool that performed it."""
    arguments: str
    """A digest of the arguments."""
    turn: int
    """The turn in which it was performed."""
    at_ms: int
    """When it was performed."""
    result: str = ""
    """What the user may be shown of the result."""
    in_doubt: bool = False
    """True where it is not certain that it was done."""
    frame: int = 0
    """The frame in which it was performed."""


def digest(arguments: dict[str, Any]) -> str:
    """Return a hash of arguments: equal arguments have equal hashes."""
    return sha256(encode(arguments, order="deterministic")).hexdigest()[:32]


def kept_effect(kept: Iterable[KeptEffect], tool: str, arguments: dict[str, Any]) -> KeptEffect | None:
    """Return the effect that is the same as a call, if there is one."""
    alike = [one for one in kept if one.tool == tool]
    hashed = digest(arguments) if alike else ""
    return next((one for one in alike if one.arguments == hashed), None)


def without_results(kept: tuple[KeptEffect, ...], from_frame: int) -> tuple[KeptEffect, ...]:
    """Return effects without the results of those that were performed in a frame, or in one that was opened later."""
    if not any(one.result and one.frame >= from_frame for one in kept):
        return kept
    return tuple([replace(one, result="") if one.frame >= from_frame else one for one in kept])


def merge_effects(kept: Iterable[KeptEffect], more: Iterable[KeptEffect]) -> tuple[KeptEffect, ...]:
    """Return effects with those that were performed later; of the same one, the last."""
    found = {(one.tool, one.arguments): one for one in (*kept, *more)}
    return tuple(sorted(found.values(), key=lambda one: one.at_ms))[-KEPT_USES:]
