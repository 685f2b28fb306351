"""Conformance tests for turns of a store: claims, fencing tokens, idempotency keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from turnwise.errors import Superseded
from turnwise.runner.ports import Claim, Receipt, Store
from turnwise.testing.store_support import Journal, holds, leads_to, refused, with_store, written


class TurnContract(ABC):
    """Conformance tests for turns: one run writes a turn, from its first commit to its last."""

    @abstractmethod
    def open(self, place: Path) -> Store:
        """Return a store on the data in a folder, which is empty at first."""

    @with_store
    async def test_a_turn_claims_its_conversation_until_it_ends(self, store: Store) -> None:
        """The first commit of a turn claims the conversation, the last one releases it.

        The state is folded meanwhile.
        """
        journal = Journal()
        await store.commit("a", journal.begin())
        assert await store.claim("a") is None
        other = journal.copy()
        await store.commit("a", journal.open("b"))
        assert await store.claim("a") == Claim(is_mine=True, is_alive=True)
        assert await store.cut_off() == ("a",)
        await leads_to(store, "a", journal.state)
        await refused(store, "a", other.open("c"))
        await refused(store, "a", other.turn("d"))
        await store.commit("a", journal.go_on("e"))
        await leads_to(store, "a", journal.state)
        await store.commit("a", journal.end())
        assert (await store.claim("a"), await store.cut_off()) == (None, ())
        await holds(store, "a", journal)

    @with_store
    async def test_a_conversation_can_begin_with_a_turn_that_goes_on(self, store: Store) -> None:
        """A conversation can begin with a turn of several commits; its state is then the fold of its first entries."""
        journal = Journal()
        await store.commit("a", journal.open("a", "key"))
        await leads_to(store, "a", journal.state)
        assert await store.conversations() == ("a",)
        await written(store, "a", [journal.go_on("b"), journal.end()])
        await holds(store, "a", journal)

    @with_store
    async def test_without_a_claim_no_turn_goes_on(self, store: Store) -> None:
        """A `next` commit is refused if its run does not hold the claim of the turn."""
        journal = Journal()
        await store.commit("a", journal.begin())
        late = journal.copy()
        late.open("never written")
        await refused(store, "a", late.go_on("b"), Superseded)
        await holds(store, "a", journal)

    @with_store
    async def test_a_turn_that_was_taken_over_is_fenced(self, store: Store) -> None:
        """The commits of a run whose turn was taken over are refused, during the turn and after it."""
        journal = Journal()
        await written(store, "a", [journal.begin(), journal.open("b", "key")])
        old = journal.copy()
        await store.commit("a", journal.take_over())
        await refused(store, "a", old.copy().go_on("too late"), Superseded)
        await refused(store, "a", old.copy().end(), Superseded)
        await store.commit("a", journal.end())
        await refused(store, "a", old.end(), Superseded)
        await holds(store, "a", journal)
        assert await store.claim("a") is None

    @with_store
    async def test_a_run_holds_its_turn_until_it_ends_or_is_taken_over(self, store: Store) -> None:
        """A run can ask whether it still holds its turn, as it does before each call with side effects."""
        journal = Journal()
        assert not await store.holds("a", 1)
        await written(store, "a", [journal.begin(), journal.open("b")])
        first = journal.fence
        assert (await store.holds("a", first), await store.holds("a", -1)) == (True, False)
        await store.commit("a", journal.take_over())
        assert (await store.holds("a", first), await store.holds("a", journal.fence)) == (False, True)
        await store.commit("a", journal.go_on("c"))
        assert await store.holds("a", journal.fence)
        await store.commit("a", journal.end())
        assert not await store.holds("a", journal.fence)

    @with_store
    async def test_a_turn_whose_first_commit_was_refused_can_write_nothing_into_the_one_under_way(
        self, store: Store
    ) -> None:
        """A run whose first commit was refused cannot write into another run's turn of the same process and number.

        A later commit may fit the positions by chance.
        """
        journal = Journal()
        await store.commit("a", journal.begin())
        second = journal.copy()
        await store.commit("a", journal.open("first", "k1"))
        await refused(store, "a", second.open("second", "k2"))
        await refused(store, "a", second.go_on("it follows the position"), Superseded)
        await store.commit("a", journal.go_on("to the first"))
        await refused(store, "a", second.end(), Superseded)
        assert await store.receipt("a", "k2") is None
        await store.commit("a", journal.end())
        await holds(store, "a", journal)

    @with_store
    async def test_a_run_that_was_taken_over_by_the_same_process_is_fenced(self, store: Store) -> None:
        """The commits of a run are refused if its own process took over the turn, even at the right position."""
        journal = Journal()
        await written(store, "a", [journal.begin(), journal.open("b")])
        old = journal.copy()
        await store.commit("a", journal.take_over())
        old.go_on("refused before")
        await refused(store, "a", old.go_on("too late"), Superseded)
        await store.commit("a", journal.end())
        await holds(store, "a", journal)

    @with_store
    async def test_a_key_is_kept_with_its_turn(self, store: Store) -> None:
        """An idempotency key is stored from the first commit of its turn on, for its conversation only."""
        journal, other = Journal(), Journal()
        await written(store, "a", [journal.begin(key="k1"), journal.open("b", "k2")])
        await store.commit("other", other.begin())
        assert await store.receipt("a", "k1") == Receipt("k1", "body of k1", 1)
        assert await store.receipt("a", "k2") == Receipt("k2", "body of k2", 2)
        assert (await store.receipt("a", "k3"), await store.receipt("other", "k1")) == (None, None)
