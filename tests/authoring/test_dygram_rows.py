"""Which documents of `tests/flows/dsl` show which row of the language: each construct stands in at least one of them."""

from __future__ import annotations

import pytest

from support.dygram_rows import FOLDER, ROWS, documents_of, texts

FEWEST = 100


def test_there_are_enough_documents() -> None:
    assert len(texts()) >= FEWEST


@pytest.mark.parametrize("row", ROWS)
def test_a_document_shows_the_row(row: str) -> None:
    assert documents_of(ROWS[row]), f"no document of {FOLDER} has {row}"
