"""Conversations that a test opens, and that are closed after it."""

from __future__ import annotations

from typing import Any

import turnwise as tw

_OPEN: list[Any] = []


def opened(flow: Any, **options: Any) -> tw.SyncChat:
    """Return a conversation with a flow; `close_all` closes it."""
    app = tw.open_sync(flow, **options)
    _OPEN.append(app)
    return app.chat("a")


def close_all() -> None:
    """Close every conversation that was opened."""
    while _OPEN:
        _OPEN.pop().close()
