"""Pages that stay loaded from test to test: a move inside of a page takes a third of the work of loading it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from support.watching import Profiles, Watched

_MOVE = """async (address) => {
    document.querySelector(".tabbar:not(.places) button:nth-of-type(2)")?.click();
    for (const to of ["/-", address]) {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
        await new Promise((done) => setTimeout(done));
    }
}"""
"""Go to an address by way of the chat, the first pane of a phone, and of the page for unknown addresses, so that no view
that was open stays open.
"""


class LoadedPages:
    """Pages of a server that no test changes, one for each set of options, such as a language.

    What a view keeps ends when it closes. What the page itself keeps stays: settings, and an open panel of the person.
    """

    def __init__(self, profiles: Profiles, address: str) -> None:
        self.address = address
        self._watched = Watched(profiles)
        self._pages: dict[str, Page] = {}

    def visit(self, path: str = "/", **options: Any) -> Page:
        """Show an address such as `/c/maria` as a link in the page does; load it where no page is loaded yet."""
        page = self._pages.get(repr(options))
        if page is None:
            page = self._pages[repr(options)] = self._watched.open(self.address + path, **options)
        else:
            page.mouse.move(0, 0)
            page.evaluate(_MOVE, path)
            page.wait_for_selector("main")
        return page

    def check(self, expected: list[str]) -> None:
        """Fail if a page reported a fault that the test did not expect."""
        self._watched.expected = expected
        self._watched.check()

    def close(self) -> None:
        """Close the pages: the next visit loads one anew."""
        self._pages.clear()
        self._watched.close()
