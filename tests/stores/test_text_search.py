"""A text search over more conversations than a page searches says so, and goes on with the next page."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from turnwise.api.open import open_store
from turnwise.runner.search import ConversationQuery
from turnwise.stores import memory
from turnwise.stores.sqlite import search
from turnwise.testing.store_support import Journal, written


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_text_is_found_in_the_oldest_conversation_page_by_page(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (memory, search):
        monkeypatch.setattr(module, "MOST_SEARCHED", 4)

    async def searches() -> None:
        store = open_store("memory://" if kind == "memory" else f"sqlite:///{tmp_path / 'a.db'}")
        for number in range(10):
            journal = Journal()
            journal.day = number
            await written(store, f"ada:{number}", [journal.begin("needle" if number in (0, 7, 8, 9) else "straw")])
        journal = Journal()
        journal.day = 20
        await written(store, "bob:1", [journal.begin("needle")])
        query = ConversationQuery(text="NEEDLE", prefix="ada:", limit=2)
        found: list[tuple[list[str], int, bool]] = []
        while True:
            page = await store.find(query)
            found.append(([row.conversation for row in page.rows], page.total, page.is_complete))
            if not page.next:
                break
            query = ConversationQuery(text="NEEDLE", prefix="ada:", limit=2, after=page.next)
        assert found == [
            (["ada:9", "ada:8"], 3, False),  # 9 to 6 are searched: another owner's conversation counts for nothing
            (["ada:7"], 1, False),  # 7 to 4
            (["ada:0"], 1, True),  # 3 to 0
        ]
        nothing = await store.find(ConversationQuery(text="nothing", prefix="ada:"))
        assert (nothing.rows, nothing.total, nothing.is_complete, bool(nothing.next)) == ((), 0, False, True)
        whole = await store.find(ConversationQuery(prefix="ada:", limit=20))
        assert (len(whole.rows), whole.total, whole.next, whole.is_complete) == (10, 10, "", True)
        await store.close()

    asyncio.run(searches())
