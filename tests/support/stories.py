"""Conversations that several modules of tests ask about: each is played once per module, and closed at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

import turnwise as tw
from support.shell import ROOT
from turnwise.api.documents import link_checked
from turnwise.core.machine import Machine

Play = TypeVar("Play", bound=Callable[..., Any])
_KEPT: list[Any] = []


def shared(play: Play) -> Play:
    """Keep what a story returns until `closing` ends."""
    kept: Any = cache(play)
    _KEPT.append(kept)
    return kept


_loads = cache(tw.loads)


@cache
def _linked(path: Path) -> Machine:
    return link_checked(path)


def _is_kept(flow: Any, options: Mapping[str, Any]) -> bool:
    """Whether a flow is a document of this repository, which no test changes, and has no code beside it."""
    if not isinstance(flow, str | Path) or options.keys() & {"guards", "tools"}:
        return False
    return str(flow).endswith(".yaml") and Path(flow).resolve().is_relative_to(ROOT)


@contextmanager
def closing() -> Iterator[None]:
    """Close at the end each app that was opened meanwhile, and forget the shared stories that it belongs to.

    An app has a thread and three open files; a thousand of them are more than a process may open on most machines.
    Texts and documents that are opened again and again are read once: nothing changes a flow or a machine.
    """
    opened: list[tw.SyncApp] = []
    open_sync = tw.open_sync

    def open_and_note(flow: Any, **options: Any) -> tw.SyncApp:
        opened.append(open_sync(_linked(Path(flow)) if _is_kept(flow, options) else flow, **options))
        return opened[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tw, "open_sync", open_and_note)
        patched.setattr(tw, "loads", _loads)
        yield
    for play in _KEPT:
        play.cache_clear()
    for app in opened:
        app.close()
