"""Journals without the record of what was refused: a refused event adds that, and changes nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.state import events as e


def without_refused(journal: Iterable[e.Entry]) -> tuple[e.Entry, ...]:
    """Return the entries of a journal but those of refused events."""
    return tuple([entry for entry in journal if not isinstance(entry.event, e.EventRefused)])
