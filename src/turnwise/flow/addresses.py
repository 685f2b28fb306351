"""Addresses of fields, `user.age`: a record, a dot and a field. The name of a record may be a path (`desk.memo`), that
of a field has no dot.
"""

from __future__ import annotations

from collections.abc import Container


def record_of(address: str) -> str:
    """Return the record of a field."""
    return address.rpartition(".")[0]


def field_of(address: str) -> str:
    """Return the name of a field in its record."""
    return address.rpartition(".")[2]


def split_name(name: str, records: Container[str]) -> tuple[str, str]:
    """Return the record and the field that a name means; of a record, and of a name without a dot, no field."""
    if name in records or "." not in name:
        return name, ""
    return record_of(name), field_of(name)
