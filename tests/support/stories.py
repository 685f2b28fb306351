"""Conversations that several modules of tests ask about: each is played once per module, and closed at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import pytest

import turnwise as tw

Play = TypeVar("Play", bound=Callable[..., Any])
_KEPT: list[Any] = []


def shared(play: Play) -> Play:
    """Keep what a story returns until `closing` ends."""
    kept: Any = cache(play)
    _KEPT.append(kept)
    return kept


@contextmanager
def closing() -> Iterator[None]:
    """Close at the end each app that was opened meanwhile, and forget the shared stories that it belongs to.

    An app has a thread and three open files; a thousand of them are more than a process may open on most machines.
    """
    opened: list[tw.SyncApp] = []
    open_sync = tw.open_sync

    def open_and_note(*given: Any, **options: Any) -> tw.SyncApp:
        opened.append(open_sync(*given, **options))
        return opened[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tw, "open_sync", open_and_note)
        yield
    for play in _KEPT:
        play.cache_clear()
    for app in opened:
        app.close()
