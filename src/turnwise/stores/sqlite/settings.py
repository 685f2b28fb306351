"""Stores settings that hold for all conversations of a flow, in a table: one row for each change of a setting."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from turnwise.runner.ports import Setting
from turnwise.stores.sqlite.reader import Reader

_ROW = "SELECT flow, name, data, who, at_ms FROM setting"
_NOW = f"{_ROW} AS one WHERE flow = ?1 AND substr(name, 1, length(?2)) = ?2 AND n ="
_LATEST = f"{_NOW} (SELECT max(n) FROM setting WHERE flow = one.flow AND name = one.name) ORDER BY name"
_HISTORY = f"{_ROW} WHERE flow = ? AND name = ? ORDER BY n"
_INSERT = "INSERT INTO setting (flow, name, data, who, at_ms) VALUES (?, ?, ?, ?, ?)"


def add(db: sqlite3.Connection, setting: Setting) -> None:
    """Add a new value of a setting of a flow."""
    data = msgspec.json.encode(setting.data).decode()
    db.execute(_INSERT, (setting.flow, setting.name, data, setting.by, setting.at_ms))


def current(reader: Reader, flow: str, prefix: str) -> tuple[Setting, ...]:
    """Return the settings of a flow that are set now and whose name begins with `prefix`, in order of names."""
    found = [reader.decode(_setting_of, row) for row in reader.all(_LATEST, flow, prefix)]
    return tuple([one for one in found if one.data is not None])


def history(reader: Reader, flow: str, name: str) -> tuple[Setting, ...]:
    """Return all values that a setting of a flow was set to, in the order in which it was set."""
    return tuple([reader.decode(_setting_of, row) for row in reader.all(_HISTORY, flow, name)])


def latest(reader: Reader, flow: str, name: str) -> Any:
    """Return the value of a setting of a flow; `None` if it is not set."""
    row = reader.one(f"{_ROW} WHERE flow = ? AND name = ? ORDER BY n DESC LIMIT 1", flow, name)
    return reader.decode(_setting_of, row).data if row is not None else None


def _setting_of(row: tuple[Any, ...]) -> Setting:
    flow, name, data, by, at_ms = row
    return Setting(flow, name, msgspec.json.decode(data), by, at_ms)
