"""What MCP servers send: answers to calls as our own data, and lines that a command prints beside the protocol."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from threading import Thread
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError
from msgspec.json import decode

from turnwise.core.values.json_data import as_list, as_object
from turnwise.core.values.schema import is_needed, value_schema
from turnwise.flow.model import Tool
from turnwise.runner.tool_execution import ToolRefused

if TYPE_CHECKING:
    from mcp.types import CallToolResult


_SHOWN = 200
"""How many characters of a line are told."""

_log = logging.getLogger("turnwise.mcp")


class Said:
    """What a command writes to its standard error goes into the log, and the last line is kept; so is the first line
    of its standard output that is no JSON-RPC.
    """

    def __init__(self, server: str) -> None:
        reading, writing = os.pipe()
        self.file = os.fdopen(writing, "w", encoding="utf-8")
        self.stray = ""
        self._server = server
        self._last = ""
        self._is_reached = False
        self._reader = Thread(target=self._read, args=(reading,), name="turnwise-mcp-errors", daemon=True)
        self._reader.start()

    def listen(self) -> None:
        """Take what the protocol's package logs of this task's server, and of no other."""
        _speaking.set(self)
        logging.getLogger("mcp.client.stdio").addFilter(_take)

    def reached(self) -> None:
        """The server answers: a stray line that it wrote until then is told now. Where it never does, the reason
        of that tells it.
        """
        self._is_reached = True
        if self.stray:
            self._tell_stray()

    @property
    def untold(self) -> str:
        """The stray line that no log has told; empty where there is none."""
        return "" if self._is_reached else self.stray

    def _tell_stray(self) -> None:
        _log.warning("the server '%s' %s", self._server, self.stray)

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                self._last = line.strip() or self._last
                _log.debug("%s: %s", self._server, line.rstrip())

    def take(self, record: logging.LogRecord) -> None:
        """Tell what was logged in one line, a stray line of the server once."""
        error = record.exc_info[1] if record.exc_info else None
        line = _line_of(error)
        if line is None:
            _log.warning("the server '%s': %s: %s", self._server, record.getMessage(), error)
        elif line.strip() and not self.stray:
            self.stray = f"writes to its standard output what is no JSON-RPC: {line.strip()[:_SHOWN]!r}"
            if self._is_reached:
                self._tell_stray()
        elif line.strip():
            _log.debug("%s: %r", self._server, line[:_SHOWN])

    async def last_words(self) -> str:
        """The last line of standard error, once everything has been read."""
        self.file.close()
        await asyncio.to_thread(self._reader.join, 1.0)
        return self._last


_speaking: ContextVar[Said | None] = ContextVar("turnwise_mcp_said", default=None)
"""Whose server the task that logs is about."""


def _take(record: logging.LogRecord) -> bool:
    """Whether a record is none of our servers', so that it is logged as it is."""
    said = _speaking.get()
    if said is not None:
        said.take(record)
    return said is None


def _line_of(error: Any) -> str | None:
    """The line that could not be read, out of the error that tells so."""
    errors: Any = getattr(error, "errors", None)
    found = (as_list(errors()) if callable(errors) else None) or ()
    first = as_object(found[0]) if found else None
    return str(first.get("input", "")) if first is not None else None


def data_of(answer: CallToolResult) -> Any:
    """An answer as data: what it has of structure, else its text or its parts. A text that is a JSON object or list
    is read as one. Raises `ToolRefused` with the server's words where it says that the call failed.
    """
    parts: list[Any] = [
        block.text if block.type == "text" else block.model_dump(mode="json", by_alias=True, exclude_none=True)
        for block in answer.content
    ]
    if answer.is_error:
        raise ToolRefused("; ".join(str(part) for part in parts) or "the server says no more than that it failed")
    if answer.structured_content is not None:
        return answer.structured_content
    if len(parts) == 1:
        return _read(parts[0])
    return parts or None


def _read(part: Any) -> Any:
    if isinstance(part, str) and part.lstrip()[:1] in ("{", "["):
        try:
            return decode(part)
        except DecodeError:
            return part
    return part


def differences(tool: Tool, schema: Mapping[str, Any]) -> Iterator[str]:
    """What a flow declares of a tool's arguments otherwise than the server does."""
    listed: dict[str, Any] = schema.get("properties") or {}
    needed: list[str] = schema.get("required") or []
    declared = {arg.name: arg for arg in tool.args}
    for name, arg in declared.items():
        if name not in listed:
            if not (schema.get("additionalProperties") or (not listed and "additionalProperties" not in schema)):
                yield f"the flow declares the argument '{name}', and the server takes no such argument"
            continue
        kinds, own = kinds_of(listed[name]), value_schema(arg)["type"]
        if arg.type != "duration" and kinds and not kinds & {own, "number" if own == "integer" else own}:
            yield f"the flow declares '{name}' as {arg.type}, and the server takes {' or '.join(sorted(kinds))}"
        if name in needed and not is_needed(arg) and arg.default is None:
            yield f"'{name}' may be left out in the flow, and the server needs it"
    for name in needed:
        if name not in declared:
            yield f"the server needs the argument '{name}', which the flow does not declare"


def kinds_of(schema: Any) -> set[str]:
    """The types that a schema says; none where it does not say it plainly."""
    found = as_object(schema) or {}
    either: list[Any] = found.get("anyOf") or found.get("oneOf") or []
    if either:
        return set[str]().union(*[kinds_of(one) for one in either])
    kind: Any = found.get("type")
    return {kind} if isinstance(kind, str) else {str(one) for one in as_list(kind) or ()}
