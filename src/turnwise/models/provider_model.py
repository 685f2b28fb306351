"""A model of a provider: opens the connection with the first call, repeats failed attempts, and hides keys."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed, RequestTooLong, TurnwiseError
from turnwise.models.names import RealName
from turnwise.models.reach import NO_MODELS_VARIABLE, AttemptFailed, CallSettings, check_connectable
from turnwise.models.redaction import KeyHider, keys_in
from turnwise.runner.model_port import ModelEvent

if TYPE_CHECKING:
    from turnwise.models.wire import ProviderConnection


class ProviderModel:
    """A model of a provider, reached over the network. After `close` the next call connects again."""

    understands = True
    """True: it also interprets messages of users."""

    def __init__(self, name: RealName, reach: CallSettings) -> None:
        self.name = name
        self.reach = reach
        self._connection: ProviderConnection | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def __repr__(self) -> str:
        return f"ProviderModel({str(self.name)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the pieces of an answer. Raises `ProviderFailed`.
        The request is sent again only before the first piece.
        """
        connection, patience, keys = await self._connect(), self.reach.patience, keys_in(self.reach.environment)
        attempt, is_shown = 1, False
        while True:
            try:
                async with aclosing(self._attempt(connection, request, keys)) as pieces:
                    async for event in pieces:
                        is_shown = True
                        yield event
                return
            except AttemptFailed as failure:
                may_pass = failure.may_pass and not is_shown
                pause_s = patience.pause(attempt, failure.wait_s) if may_pass else None
                if pause_s is None:
                    attempts = f" (asked {attempt} times)" if attempt > 1 else ""
                    kind = RequestTooLong if failure.is_too_long else ProviderFailed
                    raise kind(f"{self.name} {failure.message(keys)}{attempts}") from None
            await asyncio.sleep(pause_s)
            attempt += 1

    async def _attempt(
        self, connection: ProviderConnection, request: ModelRequest, keys: tuple[str, ...]
    ) -> AsyncGenerator[ModelEvent]:
        """Send the request once, and stream the answer without keys. Raises `AttemptFailed`, also after a silence that
        is too long.
        """
        hider = KeyHider(keys)
        silence_s = self.reach.patience.silence_s
        try:
            async with aclosing(connection.stream(request)) as pieces:
                while True:
                    try:
                        async with asyncio.timeout(silence_s):
                            event = await anext(pieces)
                    except StopAsyncIteration:
                        break
                    except TimeoutError:
                        raise AttemptFailed(f"was silent for {silence_s:g} s", may_pass=True) from None
                    for shown in hider.hide(event) if event is not None else ():
                        yield shown
        except AttemptFailed:
            for shown in hider.flush():
                yield shown
            raise
        for shown in hider.flush():
            yield shown

    async def _connect(self) -> ProviderConnection:
        """Return the connection of this event loop. Raises `ProviderFailed` where it is forbidden or fails."""
        if not self.reach.may_call:
            raise ProviderFailed(f"{self.name} was not asked: real models are forbidden here ({NO_MODELS_VARIABLE})")
        loop = asyncio.get_running_loop()
        if self._connection is None or self._loop is not loop:
            self._connection = await asyncio.to_thread(self._open)
            self._loop = loop
        return self._connection

    def _open(self) -> ProviderConnection:
        environment = self.reach.environment
        try:
            check_connectable(self.name, environment)
            from turnwise.models.wire import ProviderConnection

            return ProviderConnection(self.name, self.reach.patience, environment)
        except AttemptFailed as failure:
            raise ProviderFailed(f"{self.name} {failure.message(keys_in(environment))}") from None
        except TurnwiseError as error:
            raise ProviderFailed(str(error)) from None

    async def close(self) -> None:
        """Close the connection to the provider."""
        connection, self._connection = self._connection, None
        if connection is not None and self._loop is asyncio.get_running_loop():
            await connection.close()
