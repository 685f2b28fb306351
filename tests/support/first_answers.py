"""The first answers of an address, for tests of what a page does before they come or where they are not the server's.

Routes stay: the browser sometimes keeps a request for ever that comes while a route is taken away, also by `times=1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import APIResponse, Page, Route


class Failing:
    """Addresses that answer nothing, or an error of the server, until `mend` is called."""

    def __init__(self, page: Page, *paths: str, status: int | None = None) -> None:
        self.status = status
        self.is_mended = False
        for path in paths:
            page.route(path, self._answer)

    def mend(self) -> None:
        """From now on the server answers."""
        self.is_mended = True

    def _answer(self, route: Route) -> None:
        if self.is_mended:
            route.continue_()
        elif self.status is None:
            route.abort()
        else:
            route.fulfill(status=self.status, body="no")


@contextmanager
def held_answer(page: Page, path: str = "**/turns") -> Iterator[None]:
    """The server takes the first request, and the page gets its answer only at the end of the block."""
    held: list[tuple[Route, APIResponse]] = []
    page.route(path, lambda route: route.continue_() if held else held.append((route, route.fetch())))
    yield
    while not held:
        page.evaluate("0")  # Playwright calls the handler while it waits for the page
    [(route, answer)] = held
    route.fulfill(response=answer)


def answer_first(page: Page, answer: dict[str, Any], path: str = "**/turns") -> None:
    """Answer the first request in place of the server, which does not hear of it."""
    seen: list[Route] = []

    def reply(route: Route) -> None:
        seen.append(route)
        if len(seen) == 1:
            route.fulfill(**answer)
        else:
            route.continue_()

    page.route(path, reply)
