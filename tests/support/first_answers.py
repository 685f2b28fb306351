"""The first answer of an address, for tests of what a page does before it comes or where it is not the server's.

A route with `times=1` is not used: the browser sometimes keeps the request that follows while the route is taken away.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import APIResponse, Page, Route


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
