"""Sentences about lists of records: what is understood without a model is right, the rest proposes nothing."""

from __future__ import annotations

import pytest

from turnwise.understanding import understand
from utterances.item_lists import Row, allowed_of, rows, written

ALL = (*rows("item_lists.tsv"), *rows("item_lists_held.tsv"))


def proposed(row: Row) -> tuple[str, ...]:
    return written(list(understand(row.message, allowed_of(row.situation))))


def shown(some: list[Row]) -> str:
    return "\n".join(
        f"{one.id} [{one.situation}] {one.message}\n   wanted {one.wanted}\n   got    {proposed(one)}" for one in some
    )


def test_most_sentences_about_lists_are_understood() -> None:
    missed = [row for row in ALL if proposed(row) not in row.wanted]
    assert len(ALL) >= 260
    assert 1 - len(missed) / len(ALL) >= 0.99, shown(missed)


@pytest.mark.law("7.3b")
def test_no_sentence_about_a_list_does_what_it_does_not_say() -> None:
    wrong = [row for row in ALL if (found := proposed(row)) and found not in row.wanted]
    assert not wrong, shown(wrong)
