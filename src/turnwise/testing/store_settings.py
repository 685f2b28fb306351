"""Conformance tests for settings: what is set for all conversations of a flow, with its history."""

from __future__ import annotations

from typing import Any

from turnwise.runner.ports import Setting, Store
from turnwise.testing.store_support import NOON_MS, Journal, with_store, with_two_stores, written


async def _set(store: Store, name: str, *values: Any, flow: str = "talk") -> None:
    for number, data in enumerate(values):
        await store.set_setting(flow, name, data, "ada", NOON_MS + number)


class SettingsContract:
    """Conformance tests for settings: the last value holds, and earlier values are in the history."""

    @with_store
    async def test_what_was_set_last_holds(self, store: Store) -> None:
        """The last value of each name of each flow holds; `None` removes it."""
        assert await store.setting("talk", "a") is None
        await _set(store, "a", 1, {"ü": [1.5, True, None]})
        await _set(store, "a", "other", flow="another")
        await _set(store, "b", 1, None)
        assert await store.setting("talk", "a") == {"ü": [1.5, True, None]}
        assert (await store.setting("another", "a"), await store.setting("talk", "b")) == ("other", None)
        assert await store.setting("nothing", "a") is None

    @with_store
    async def test_settings_are_listed_by_their_names(self, store: Store) -> None:
        """The settings of one flow are listed by name, and by a prefix of the name as it is written."""
        for name in ("x.b", "x.a", "xya", "X.c", "x%"):
            await _set(store, name, name)
        await _set(store, "x.a", "off", flow="another")
        await _set(store, "x.gone", 1, None)
        found = (Setting("talk", "x.a", "x.a", "ada", NOON_MS), Setting("talk", "x.b", "x.b", "ada", NOON_MS))
        assert await store.settings("talk", "x.") == found
        assert [one.name for one in await store.settings("talk")] == ["X.c", "x%", "x.a", "x.b", "xya"]
        assert [one.data for one in await store.settings("another")] == ["off"]
        assert await store.settings("talk", "y") == ()

    @with_store
    async def test_the_history_stays(self, store: Store) -> None:
        """The history keeps each value with who set it and when, even after the setting was removed."""
        await store.set_setting("talk", "a", "on", "ada", NOON_MS)
        await store.set_setting("talk", "a", None, "bob", NOON_MS + 5)
        first, last = Setting("talk", "a", "on", "ada", NOON_MS), Setting("talk", "a", None, "bob", NOON_MS + 5)
        assert await store.setting_history("talk", "a") == (first, last)
        assert await store.setting_history("talk", "b") == ()

    @with_store
    async def test_conversations_are_apart(self, store: Store) -> None:
        """Settings of a flow exist independently of its conversations."""
        journal = Journal()
        await _set(store, "a", "on")
        await written(store, "x", [journal.begin()])
        assert await store.forget("x")
        assert await store.setting("talk", "a") == "on"
        assert await store.conversations() == ()

    @with_store
    async def test_what_a_caller_changes_later_is_not_stored(self, store: Store) -> None:
        """A later change of the caller's data does not change the stored setting."""
        data = {"on": [1]}
        await store.set_setting("talk", "a", data, "ada", NOON_MS)
        data["on"].append(2)
        assert await store.setting("talk", "a") == {"on": [1]}


class SharedSettingsContract(SettingsContract):
    """Further conformance tests for settings of stores that several processes share."""

    @with_two_stores
    async def test_another_process_reads_what_was_set(self, one: Store, two: Store) -> None:
        """A setting of one process is read by another at once, in the order in which it was set."""
        await _set(one, "a", 1)
        assert await two.setting("talk", "a") == 1
        await _set(two, "a", 2)
        assert await one.setting("talk", "a") == 2
        assert [setting.data for setting in await one.setting_history("talk", "a")] == [1, 2]
