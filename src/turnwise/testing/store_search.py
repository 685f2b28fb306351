"""Conformance tests for lists of conversations: queries, pages, searches, counts."""

from __future__ import annotations

from turnwise.core.state.events import Erased
from turnwise.core.state.retention import Retention
from turnwise.runner.ports import Store
from turnwise.runner.search import ConversationQuery, NodeCount
from turnwise.testing.store_support import NOON_MS, Journal, refused, with_store, written
from turnwise.testing.store_turns import TurnContract


async def _found(store: Store, **query: object) -> list[str]:
    page = await store.find(ConversationQuery(**query))  # pyright: ignore[reportArgumentType]  any part of a query
    assert page.total == len(page.rows) or page.next
    return [row.conversation for row in page.rows]


class SearchContract(TurnContract):
    """Conformance tests for lists of conversations: they show the state after the last whole turn."""

    @with_store
    async def test_a_list_shows_the_conversation_that_changed_last_first(self, store: Store) -> None:
        """The conversation that changed last is listed first; a row shows the last whole turn and marks an open one."""
        one, other = Journal("talk"), Journal("intake")
        await written(store, "one", [one.begin("hello")])
        other.day = 1
        await written(store, "other", [other.begin("good day")])
        assert await _found(store) == ["other", "one"]
        one.day = 2
        await written(store, "one", [one.turn("again")])
        page = await store.find(ConversationQuery())
        assert [row.conversation for row in page.rows] == ["one", "other"]
        row = page.rows[0]
        assert (row.flow, row.fingerprint, row.seq) == ("talk", "fingerprint of talk", one.seq)
        assert (row.began_ms, row.at_ms) == (NOON_MS, one.known.at_ms)
        assert (row.node, row.status, row.waits_for, row.is_open) == ("home", "waiting", "message", False)
        await store.commit("one", one.open("once more"))
        assert (await store.find(ConversationQuery())).rows[0].is_open
        await store.commit("one", one.end())
        assert not (await store.find(ConversationQuery())).rows[0].is_open
        assert await store.forget("one")
        assert await _found(store) == ["other"]

    @with_store
    async def test_the_conversations_of_an_owner_are_counted(self, store: Store) -> None:
        """The conversations of an owner (the part of the id before the first colon) are counted.

        Refused and repeated commits count nothing.
        """
        one = Journal()
        await written(store, "ada:1", [one.begin("hello"), one.turn("again")])
        for name in ("ada:2", "ada:x:y", "adam:1", "ada", "Ada:1", "", ":1"):
            await written(store, name, [Journal().begin("hello")])
        await refused(store, "ada:1", Journal().begin("hello"))
        await store.commit("ada:3", Journal().open("not ended"))
        owners = ("ada", "adam", "Ada", "bob", "ad_", "%")
        assert [await store.owned(owner) for owner in owners] == [4, 1, 1, 0, 0, 0]
        for name in ("ada:3", "ada:3", "ada:1", "adam:1", "nobody:1"):
            await store.forget(name)
        assert [await store.owned(owner) for owner in owners] == [2, 0, 1, 0, 0, 0]
        await written(store, "ada:1", [Journal().begin("hello")])
        assert await store.owned("ada") == 3

    @with_store
    async def test_a_query_selects_by_flow_node_status_and_name(self, store: Store) -> None:
        """A query selects by flow, node, status and name; an empty part does not restrict it."""
        for name, flow in (("ada:1", "talk"), ("ada:2", "intake"), ("bob:1", "talk"), ("ada", "talk")):
            await written(store, name, [Journal(flow).begin(f"I am {name}")])
        assert sorted(await _found(store, flow="talk")) == ["ada", "ada:1", "bob:1"]
        assert sorted(await _found(store, prefix="ada:")) == ["ada:1", "ada:2"]
        assert await _found(store, prefix="ada:", flow="talk") == ["ada:1"]
        assert len(await _found(store, node="home", status="waiting", waits_for=("message", "button"))) == 4
        for query in (
            {"node": "away"},
            {"status": "ended"},
            {"waits_for": ("person",)},
            {"flow": "%"},
            {"prefix": "%"},
        ):
            assert await _found(store, **query) == []
        counted = await store.counts()
        assert counted == (NodeCount("intake", "home", "waiting", 1), NodeCount("talk", "home", "waiting", 3))
        assert await store.counts("talk") == counted[1:]
        assert await store.counts("none") == ()

    @with_store
    async def test_pages_together_are_the_whole_list(self, store: Store) -> None:
        """The pages of a list contain each conversation once, even if many changed at the same time."""
        names = [f"c{number}" for number in range(23)]
        for number, name in enumerate(names):
            journal = Journal()
            journal.day = number % 3
            await written(store, name, [journal.begin("hello")])
        whole = await _found(store, limit=100)
        assert sorted(whole) == sorted(names)
        found, after = list[str](), ""
        for _ in range(5):
            page = await store.find(ConversationQuery(after=after, limit=5))
            assert page.total == 23
            found += [row.conversation for row in page.rows]
            after = page.next
        assert (found, after) == (whole, "")

    @with_store
    async def test_a_text_is_searched_in_names_nodes_and_messages(self, store: Store) -> None:
        """A search finds a text in names, nodes and messages (not in JSON keys), in any case, also in long texts."""
        one, other = Journal(), Journal()
        await written(store, "Order 42", [one.begin("Grüße aus KÖLN"), one.turn('100% "sure" \\ yes')])
        await written(store, "other", [other.begin("word " * 2_000 + "needle")])
        for text in ("order 4", "GRÜSSE AUS köln", '100% "SURE"', "\\ yes", "you said 100%"):
            assert await _found(store, text=text) == ["Order 42"], text
        assert await _found(store, text="NEEDLE") == ["other"]
        assert len(await _found(store, text="home")) == 2
        for text in ("user_said", "_", "100%%", "'; DROP TABLE event; --"):
            assert await _found(store, text=text) == [], text

    @with_store
    async def test_a_text_is_found_where_a_word_begins_with_it(self, store: Store) -> None:
        """A search finds a text at the start of a word or number, and letters without case anywhere."""
        one = Journal()
        await written(store, "ada:order42", [one.begin("I want a health_check on 1042, Anna-Lena. 我想订两张票")])
        for text in ("wan", "check", "order", "42", "104", "lena", "anna-l", "a health", "订两", "on 1042, a"):
            assert await _found(store, text=text) == ["ada:order42"], text
        for text in ("ant", "ealth", "heck", "rder", "nna", "na-lena", "ome"):
            assert await _found(store, text=text) == [], text

    @with_store
    async def test_what_was_erased_is_not_found(self, store: Store) -> None:
        """A search does not find text that retention erased."""
        journal = Journal()
        await written(store, "a", [journal.begin("forget me")])
        journal.day = 9
        await written(store, "a", [journal.turn("keep me")])
        await store.retain(Retention(events_days=5), journal.known.at_ms)
        assert any(isinstance(entry.event, Erased) for entry in await store.entries("a"))
        assert await _found(store, text="forget me") == []
        assert await _found(store, text="keep me") == ["a"]
