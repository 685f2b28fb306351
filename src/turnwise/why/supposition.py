"""What a question about what would have been supposes, and which fields a transition reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from turnwise.core.machine import Candidate, Machine
from turnwise.why.answer import Subject


class Supposition(NamedTuple):
    """What a question supposes: values by field, `None` for none, also some that the field may refuse. `subjects` are
    what it asks about; with `is_still` it asks about what had happened to them. Where the question only denies a value,
    `others` are what could have been in its place beside `values`. `instead` are the values that it sets against them.
    """

    values: Mapping[str, Any]
    subjects: tuple[Subject, ...]
    is_still: bool
    others: tuple[Mapping[str, Any], ...] = ()
    instead: Mapping[str, Any] = {}

    @property
    def every(self) -> tuple[Mapping[str, Any], ...]:
        """All values that are supposed in the place of each other."""
        return (self.values, *self.others)


def read_by(machine: Machine, one: Candidate) -> set[str]:
    """Return the fields that the guard, the function and the writes of a transition read, and those from which these
    are computed.
    """
    records = one.code.parameters if one.code is not None else ()
    found = {name for name in machine.fields if name.partition(".")[0] in records}
    refs = [*(one.guard.refs if one.guard is not None else ()), *(ref for write in one.writes for ref in write.reads)]
    found |= {ref.address for ref in refs}
    for derived in reversed(machine.derived):
        found |= {*derived.reads} if derived.address in found else set()
    return found
