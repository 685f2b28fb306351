"""Stores settings that hold for all conversations of a flow: one row for each change of a setting."""

from __future__ import annotations

from typing import Any

import msgspec

from turnwise.runner.ports import Setting
from turnwise.stores.postgres.commit import escape_text, unescape_text
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
    """Add a new value of a setting of a flow."""
    data = msgspec.json.encode(setting.data).decode()
    row = (escape_text(setting.flow), escape_text(setting.name), data, escape_text(setting.by), setting.at_ms)
    await reader.write(lambda db: db.execute(_INSERT, row))


async def current(reader: Reader, flow: str, prefix: str) -> tuple[Setting, ...]:
    """Return the settings of a flow that are set now and whose name begins with `prefix`, in order of names."""
    found = [reader.decode(_setting_of, row) for row in await reader.all(_NOW, escape_text(flow), escape_text(prefix))]
    return tuple([one for one in found if one.data is not None])


async def history(reader: Reader, flow: str, name: str) -> tuple[Setting, ...]:
    """Return all values that a setting of a flow was set to, in the order in which it was set."""
    return tuple(
        [reader.decode(_setting_of, row) for row in await reader.all(_HISTORY, escape_text(flow), escape_text(name))]
    )


async def latest(reader: Reader, flow: str, name: str) -> Any:
    """Return the value of a setting of a flow; `None` if it is not set."""
    row = await reader.one(_LATEST, escape_text(flow), escape_text(name))
    return reader.decode(_setting_of, row).data if row is not None else None


def _setting_of(row: tuple[Any, ...]) -> Setting:
    flow, name, data, by, at_ms = row
    return Setting(unescape_text(flow), unescape_text(name), msgspec.json.decode(data), unescape_text(by), at_ms)
