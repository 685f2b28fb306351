"""Conversations about an order: what a message does to it is what it says; the rest changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from turnwise import SyncApp
from utterances.item_talk import FLOWS, Played, Row, opened, played, rows

ALL = (*rows("item_talk.tsv"), *rows("item_talk_held.tsv"))


@pytest.fixture(scope="module")
def apps() -> Iterator[dict[str, SyncApp]]:
    found = {language: opened(language) for language in FLOWS}
    yield found
    for app in found.values():
        app.close()


@pytest.fixture(scope="module")
def all_played(apps: dict[str, SyncApp]) -> list[tuple[Row, Played]]:
    return [(row, played(row, apps[row.language])) for row in ALL]


def shown(some: list[tuple[Row, Played]]) -> str:
    return "\n".join(
        f"{row.id} {' / '.join(row.before)} / {row.message}\n   wanted {row.wanted}\n   got    {one.after}"
        for row, one in some
    )


def test_most_messages_to_an_order_are_understood(all_played: list[tuple[Row, Played]]) -> None:
    missed = [(row, one) for row, one in all_played if not one.is_right(row)]
    assert 1 - len(missed) / len(all_played) >= 0.98, shown(missed)


@pytest.mark.law("7.3b")
def test_no_message_does_to_an_order_what_it_does_not_say(all_played: list[tuple[Row, Played]]) -> None:
    wrong = [(row, one) for row, one in all_played if not one.is_right(row) and not one.is_silent]
    assert not wrong, shown(wrong)
