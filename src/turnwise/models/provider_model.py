"""One model of a provider: asked with patience, and nothing of its keys is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.models.errors import Trouble
from turnwise.models.names import FORBIDDEN, RealName, check_ready
from turnwise.models.reach import Reach
from turnwise.models.redaction import Hiding, keys_in
from turnwise.runner.ports import ModelEvent

if TYPE_CHECKING:
    from turnwise.models.wire import Line


class RealModel:
    """A model that is reached over the network. The line to it is opened with the first call, and again after
    `close`.
    """

    understands = True

    def __init__(self, name: RealName, reach: Reach) -> None:
        self.name = name
        self.reach = reach
        self._line: Line | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def __repr__(self) -> str:
        return f"RealModel({str(self.name)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """The pieces of an answer; a request is sent again while nothing of it was shown. Raises `ProviderFailed`."""
        line, patience, keys = await self._opened(), self.reach.patience, keys_in(self.reach.environment)
        attempt, is_shown = 1, False
        while True:
            try:
                async with aclosing(self._once(line, request, keys)) as pieces:
                    async for event in pieces:
                        is_shown = True
                        yield event
                return
            except Trouble as trouble:
                may_pass = trouble.may_pass and not is_shown
                pause_s = patience.pause(attempt, trouble.wait_s) if may_pass else None
                if pause_s is None:
                    tried = f" (asked {attempt} times)" if attempt > 1 else ""
                    raise ProviderFailed(f"{self.name} {trouble.told(keys)}{tried}") from None
            await asyncio.sleep(pause_s)
            attempt += 1

    async def _once(self, line: Line, request: ModelRequest, keys: tuple[str, ...]) -> AsyncGenerator[ModelEvent]:
        """One attempt, without keys in what is said. Raises `Trouble`."""
        hiding = Hiding(keys)
        async with aclosing(self._lively(line, request)) as pieces:
            try:
                async for event in pieces:
                    for told in hiding.told(event):
                        yield told
            except Trouble:
                for told in hiding.rest():
                    yield told
                raise
        for told in hiding.rest():
            yield told

    async def _lively(self, line: Line, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        """One attempt that ends where nothing comes for too long. Raises `Trouble`."""
        silence_s = self.reach.patience.silence_s
        async with aclosing(line.pieces(request)) as pieces:
            while True:
                try:
                    async with asyncio.timeout(silence_s):
                        event = await anext(pieces)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise Trouble(f"was silent for {silence_s:g} s", may_pass=True) from None
                if event is not None:
                    yield event

    async def _opened(self) -> Line:
        """The line to the provider, one for each loop. Raises `ProviderFailed` where it may or can not be opened."""
        if not self.reach.may_call:
            raise ProviderFailed(f"{self.name} was not asked: real models are forbidden here ({FORBIDDEN})")
        loop = asyncio.get_running_loop()
        if self._line is None or self._loop is not loop:
            self._line = await asyncio.to_thread(self._open)
            self._loop = loop
        return self._line

    def _open(self) -> Line:
        try:
            check_ready(self.name, self.reach.environment)
            from turnwise.models.wire import Line

            return Line(self.name, self.reach.patience, self.reach.environment)
        except Trouble as trouble:
            raise ProviderFailed(f"{self.name} {trouble.told(keys_in(self.reach.environment))}") from None
        except TurnwiseError as error:
            raise ProviderFailed(str(error)) from None

    async def close(self) -> None:
        """Let go of the connections."""
        line, self._line = self._line, None
        if line is not None and self._loop is asyncio.get_running_loop():
            await line.close()
