"""Addresses of fields, `user.age`: a record, a dot and a field. The name of a record may be a path (`desk.memo`), that
of a field has no dot. An answer in a field of answers has an address, too: `feedback.answers.q1`.
"""

from __future__ import annotations

from collections.abc import Container


def record_of(address: str) -> str:
    """Return the record part of a field's address: `user` of `user.name`."""
    return address.rpartition(".")[0]


def field_of(address: str) -> str:
    """Return the field part of a field's address: `name` of `user.name`."""
    return address.rpartition(".")[2]


def split_name(name: str, records: Container[str]) -> tuple[str, str]:
    """Return the record and the field that a name means; the field is empty for a record or a name without a dot."""
    if name in records or "." not in name:
        return name, ""
    return record_of(name), field_of(name)


def map_of(address: str) -> str:
    """Return the field of answers that an answer's address belongs to: `feedback.answers` of `feedback.answers.q1`.
    Of a field in a record whose name is a path it is that record, which is no field.
    """
    whole = address.rpartition(".")[0]
    return whole if "." in whole else ""


def answer_address(field: str, id_: str) -> str:
    """Return the address of the answer to the question `id_` in a field of answers."""
    return f"{field}.{id_}"
