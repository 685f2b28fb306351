"""A test has one conversation and one app: these chats open and close their app with them."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.api.open import open as open_flow
from turnwise.api.open import open_sync
from turnwise.api.sync import SyncChat


class OneSyncChat(SyncChat):
    """The chat `main` of an app that is opened for it; in a `with` block it enters and closes the app."""

    def __init__(self, *args: Any, **more: Any) -> None:
        app = open_sync(*args, **more)
        super().__init__(app, app.app.chat("main"))
        self.runtime = app.app.runtime

    def __enter__(self) -> Self:
        self.app.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.app.close()

    def close(self) -> None:
        """Close the app."""
        self.app.close()


class OneChat(Chat):
    """The same for `async with`."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.app: App = open_flow(*args, **more)
        super().__init__(self.app.runtime, "main")

    async def __aenter__(self) -> Self:
        await self.app.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.app.close()

    async def close(self) -> None:
        """Close the app."""
        await self.app.close()
