"""Bounds of time on work that somebody else's code does."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any


def within(seconds: float | None) -> AbstractAsyncContextManager[Any]:
    """What is done in it raises `TimeoutError` after so many seconds; `None` gives it all the time it needs."""
    return nullcontext() if seconds is None else asyncio.timeout(seconds)
