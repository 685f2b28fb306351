"""The machines that conversations run on: the one that is open, and those with which older ones began.

A conversation goes on with the version of the flow that it began with, until it is migrated (law 6.8).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec import Struct
from msgspec.json import decode, encode

from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.errors import FlowUnavailable, UnknownFormat
from turnwise.flow.code import PythonGuard
from turnwise.flow.codec import decode_flow, encode_flow
from turnwise.flow.diagnostic import FlowError
from turnwise.runner.ports import Store

FORMAT = 1


class _Code(Struct, omit_defaults=True):
    """A Python guard as it was when the flow was kept: to be shown, never to be run."""

    source: str
    has_source: bool = True
    file: str = ""
    line: int = 0


class _Kept(Struct):
    """A flow in the store, with the code that it named."""

    flow: str
    code: dict[str, _Code] = {}
    format: int = FORMAT


class Machines:
    """Finds the machine of a fingerprint. `guards` are the Python guards that older flows may name."""

    def __init__(self, current: Machine, store: Store, guards: Iterable[PythonGuard] = ()) -> None:
        self.current = current
        self.store = store
        self.guards = {guard.name: guard for guard in (*guards, *current.code.values())}
        self._others: dict[str, Machine] = {}
        self._is_kept = False

    async def of(self, fingerprint: str) -> Machine:
        """The machine of a fingerprint. Raises `FlowUnavailable`."""
        if fingerprint == self.current.fingerprint:
            return self.current
        if fingerprint not in self._others:
            document = await self.store.flow(fingerprint)
            if document is None:
                raise FlowUnavailable(fingerprint, "the store does not have it")
            self._others[fingerprint] = self.linked(fingerprint, document)
        return self._others[fingerprint]

    async def keep_current(self) -> None:
        """See to it that the store has the flow, before a conversation begins with it."""
        if not self._is_kept:
            await self.store.keep_flow(self.current.fingerprint, document_of(self.current))
            self._is_kept = True

    def linked(self, fingerprint: str, document: str) -> Machine:
        """The machine of a kept flow, whose code is shown as it was. Raises `FlowUnavailable`."""
        kept = decode(document, type=_Kept)
        if kept.format != FORMAT:
            raise UnknownFormat("the kept flow", kept.format, FORMAT)
        code = [_as_it_was(guard, kept.code[name]) for name, guard in self.guards.items() if name in kept.code]
        try:
            return link(decode_flow(kept.flow), code)
        except FlowError as error:
            raise FlowUnavailable(fingerprint, str(error)) from None


def document_of(machine: Machine) -> str:
    """What the store keeps of a machine: its flow, and the text of its code."""
    code = {g.name: _Code(g.source, g.has_source, g.file, g.line) for g in machine.code.values()}
    return encode(_Kept(encode_flow(machine.flow), code)).decode()


def _as_it_was(guard: PythonGuard, code: _Code) -> PythonGuard:
    return replace(guard, source=code.source, has_source=code.has_source, file=code.file, line=code.line)
