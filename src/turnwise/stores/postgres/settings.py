"""What is set for all conversations of a flow: a row for each time that a name was set."""

from __future__ import annotations

from typing import Any

import msgspec

from turnwise.runner.ports import Setting
from turnwise.stores.postgres.commit import given, kept
from turnwise.stores.postgres.reader import Reader

_ROW = "SELECT flow, name, data, who, at_ms FROM setting"
_NOW = (
    "SELECT DISTINCT ON (name) flow, name, data, who, at_ms FROM setting"
    " WHERE flow = %s AND starts_with(name, %s) ORDER BY name, n DESC"
)
_LATEST = f"{_ROW} WHERE flow = %s AND name = %s ORDER BY n DESC LIMIT 1"
_HISTORY = f"{_ROW} WHERE flow = %s AND name = %s ORDER BY n"
_INSERT = "INSERT INTO setting (flow, name, data, who, at_ms) VALUES (%s, %s, %s, %s, %s)"


async def add(reader: Reader, setting: Setting) -> None:
    """Add what a name is set to now."""
    data = msgspec.json.encode(setting.data).decode()
    row = (kept(setting.flow), kept(setting.name), data, kept(setting.by), setting.at_ms)
    await reader.write(lambda db: db.execute(_INSERT, row))


async def current(reader: Reader, flow: str, prefix: str) -> tuple[Setting, ...]:
    """Return what is set for a flow now, in order of names."""
    found = [reader.made(_setting_of, row) for row in await reader.all(_NOW, kept(flow), kept(prefix))]
    return tuple([one for one in found if one.data is not None])


async def history(reader: Reader, flow: str, name: str) -> tuple[Setting, ...]:
    """Return what a name was set to, in the order in which it was set."""
    return tuple([reader.made(_setting_of, row) for row in await reader.all(_HISTORY, kept(flow), kept(name))])


async def latest(reader: Reader, flow: str, name: str) -> Any:
    """Return what a name is set to, `None` if nothing."""
    row = await reader.one(_LATEST, kept(flow), kept(name))
    return reader.made(_setting_of, row).data if row is not None else None


def _setting_of(row: tuple[Any, ...]) -> Setting:
    flow, name, data, by, at_ms = row
    return Setting(given(flow), given(name), msgspec.json.decode(data), given(by), at_ms)
