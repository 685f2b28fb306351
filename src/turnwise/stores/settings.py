"""Keeps settings that hold for all conversations of a flow in memory, with their history."""

from __future__ import annotations

import msgspec

from turnwise.runner.ports import Setting


class SettingsInMemory:
    """The settings of flows in memory, each with all values that it was set to."""

    def __init__(self) -> None:
        self._history: dict[tuple[str, str], list[Setting]] = {}

    def add(self, setting: Setting) -> None:
        """Add a new value of a setting of a flow. The data is copied, as a file would store it."""
        data = msgspec.json.decode(msgspec.json.encode(setting.data))
        kept = Setting(setting.flow, setting.name, data, setting.by, setting.at_ms)
        self._history.setdefault((setting.flow, setting.name), []).append(kept)

    def all(self, flow: str, prefix: str) -> tuple[Setting, ...]:
        """Return the settings of a flow that are set now and whose name begins with `prefix`, in order of names."""
        found = sorted(key for key in self._history if key[0] == flow and key[1].startswith(prefix))
        latest = [self._history[key][-1] for key in found]
        return tuple([one for one in latest if one.data is not None])

    def history(self, flow: str, name: str) -> tuple[Setting, ...]:
        """Return all values that a setting of a flow was set to, in the order in which it was set."""
        return tuple(self._history.get((flow, name), ()))
