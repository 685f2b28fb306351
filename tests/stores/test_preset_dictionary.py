"""The dictionary with which short rows are compressed: what it returns can be read, also by later versions."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.stores.encoded import COMPRESSED_FROM_BYTES, pack, pack_tightly, unpack
from turnwise.stores.preset_dictionary import MARK, compress, decompress

DECIDED = b'{"type":"decided","node":"router","moment":"before","outcomes":"t","taken":0}'
STORED = {
    DECIDED: "01c36d4c11a479468a6100",
    b'{"type":"user_said","text":"I am 41"}': "01c397793d151273154c80310400",
    b'{"type":"said","text":"Hello","kind":"reply"}': "01c391053d527372f231f22100",
}
"""Rows of this dictionary as they are in databases. They stay readable: a change of the dictionary needs a new number."""


@pytest.mark.parametrize(("text", "stored"), STORED.items())
def test_a_row_that_is_stored_can_be_read_for_ever(text: bytes, stored: str) -> None:
    assert unpack(bytes.fromhex(stored)) == text


@given(st.binary(max_size=3 * COMPRESSED_FROM_BYTES))
def test_what_is_packed_is_unpacked(data: bytes) -> None:
    text = b'{"text":"' + data + b'"}'
    assert unpack(pack_tightly(text)) == unpack(pack(text)) == text


def test_a_usual_entry_takes_a_fifth() -> None:
    assert len(compress(DECIDED)) < len(DECIDED) / 5


def test_a_long_text_is_compressed_as_before() -> None:
    text = b'{"text":"' + b"word " * COMPRESSED_FROM_BYTES + b'"}'
    assert pack_tightly(text) == pack(text)


@pytest.mark.parametrize("damage", ["cut off", "longer", "another row"])
def test_a_damaged_row_is_not_taken_for_a_text(damage: str) -> None:
    whole = compress(DECIDED)
    row = {"cut off": whole[:-4], "longer": whole + b"\x00", "another row": MARK + b"\xff" * 9}[damage]
    with pytest.raises(zlib.error):
        decompress(row)
