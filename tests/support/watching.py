"""Pages in Chromium, and what goes wrong in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize, WebError

WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
LONGEST_MS = 30_000
_OF_THE_MACHINE = "net::ERR_NETWORK_CHANGED"
"""What the browser says when the machine gets or loses an address, as another test lets it: the page asks again."""
_DEFAULTS: dict[str, Any] = {"viewport": WIDE, "reduced_motion": "reduce"}


class Profiles:
    """Profiles of a browser that were used and cleared: a page in one of them starts sooner than in a new one.

    Each keeps a page open, and with it the process in which the next page of this site starts.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._free: dict[str, list[BrowserContext]] = {}

    def take(self, options: dict[str, Any]) -> BrowserContext:
        """Return a profile that keeps nothing of what was done in it."""
        free = self._free.get(repr(options))
        return free.pop() if free else self._new(options)

    def _new(self, options: dict[str, Any]) -> BrowserContext:
        context = self.browser.new_context(**options)
        first = context.new_page()
        first.route("**/*", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
        first.goto("http://127.0.0.1/")
        return context

    def give_back(self, context: BrowserContext, options: dict[str, Any], origins: set[str]) -> None:
        """Close the pages of a profile, and clear what those of some origins kept; forget a profile that was closed."""
        if not context.pages:
            return
        first, *pages = context.pages
        for page in pages:
            page.close()
        context.unroute_all()
        session = context.new_cdp_session(first)
        for origin in origins:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
        self._free.setdefault(repr(options), []).append(context)


class Watched:
    """Profiles of the browser that a test uses, and what went wrong in their pages."""

    def __init__(self, profiles: Profiles) -> None:
        self.profiles = profiles
        self.faults: list[str] = []
        self.expected: list[str] = []
        """Parts of messages that a test causes on purpose."""
        self._origins: set[str] = set()
        self._taken: list[tuple[BrowserContext, dict[str, Any]]] = []

    def open(self, address: str, **options: Any) -> Page:
        """Open an address in a cleared profile, and wait until it shows something."""
        page = self.page(**options)
        page.goto(address)
        page.wait_for_selector("main")
        return page

    def page(self, viewport: ViewportSize = WIDE, **options: Any) -> Page:
        """Return an empty page in a cleared profile that no other page of the test is in."""
        given = _DEFAULTS | options
        context = self.profiles.take(given)
        self._taken.append((context, given))
        self._watch(context)
        page = context.new_page()
        if viewport != WIDE:
            page.set_viewport_size(viewport)
        return page

    def _watch(self, context: BrowserContext) -> None:
        """Note console errors, violations of the policy and requests to others."""
        context.set_default_timeout(LONGEST_MS)
        context.on("console", self._hear)
        context.on("weberror", self._catch)
        context.on("request", self._check)

    def _unwatch(self, context: BrowserContext) -> None:
        context.remove_listener("console", self._hear)
        context.remove_listener("weberror", self._catch)
        context.remove_listener("request", self._check)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and _OF_THE_MACHINE not in message.text:
            self.faults.append(f"{message.text} {message.location.get('url', '')}")

    def _catch(self, error: WebError) -> None:
        self.faults.append(str(error.error))

    def _check(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            self.faults.append(f"a request to {request.url}")
        elif request.url.startswith("http:"):
            self._origins.add("http://" + urlsplit(request.url).netloc)

    def close(self) -> None:
        """Close the pages, and fail if one reported a fault."""
        for context, options in self._taken:
            self.profiles.give_back(context, options, self._origins)
            self._unwatch(context)
        self._taken.clear()
        self.check()

    def check(self) -> None:
        """Fail if a page reported a fault since the last check."""
        faults, self.faults = self.faults, []
        faults = [fault for fault in faults if not any(part in fault for part in self.expected)]
        assert not faults, "\n".join(faults)


LIST, TIMELINE = 'section[aria-label="Conversations"]', 'section[aria-label="Timeline"]'
_MORE = {name: {"enabled": True} for name in ("target-size", "label-content-name-mismatch")}
_COLOURS = ["color-contrast", "link-in-text-block"]
_BRIEF = {"resultTypes": ["violations"], "selectors": False}
"""What axe reports: an element is reported by its HTML, and to find a selector for each takes longer than most rules."""


def violations(page: Page, axe: str, *, apart: Sequence[str] = ()) -> list[str]:
    """What axe finds: the rule, and the first elements that break it; colours in the light and in the dark. The size of
    targets (WCAG 2.2 AA) is not among the rules that axe checks by itself, nor is whether a name begins with what is shown.
    The parts `apart` are not looked at: those that another test has looked at.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    found = _run(page, apart, _BRIEF | {"rules": _MORE})
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {one}" for one in _run(page, apart, _BRIEF | {"runOnly": _COLOURS})]
    page.emulate_media(color_scheme="light")
    return found


def _run(page: Page, apart: Sequence[str], options: dict[str, Any]) -> list[str]:
    script = "([exclude, options]) => axe.run({exclude}, options)"
    found: dict[str, Any] = page.evaluate(script, [[[one] for one in apart], options])
    return [
        f"{one['id']}: {one['help']}: {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}"
        for one in found["violations"]
    ]
