"""Running what might never end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

LONGEST_S = 120.0


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """What it gave; fails where it takes too long, so that a test always ends."""

    async def bounded() -> Any:
        return await asyncio.wait_for(work, LONGEST_S)

    return asyncio.run(bounded())
