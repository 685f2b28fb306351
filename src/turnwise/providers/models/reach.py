"""What models are reached with: the environment that holds their keys, whether they may be, and how patiently."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from turnwise.providers.models.names import are_forbidden
from turnwise.providers.models.patience import Patience, patience_of


@dataclass(frozen=True, slots=True)
class Reach:
    """How models are reached. The environment is not shown: it holds keys."""

    environment: Mapping[str, str]
    may_call: bool
    patience: Patience

    def __repr__(self) -> str:
        return f"Reach(may_call={self.may_call}, patience={self.patience})"


def reach_of(
    environment: Mapping[str, str] | None = None, *, may_call: bool | None = None, patience: Patience | None = None
) -> Reach:
    """How models are reached: as the environment says where nothing else is said. Raises `TurnwiseError` for a
    variable that is no number.
    """
    found = os.environ if environment is None else environment
    calls = not are_forbidden(found) if may_call is None else may_call
    return Reach(found, calls, patience or patience_of(found))
