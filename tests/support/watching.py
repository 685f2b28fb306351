"""Pages in Chromium, and what goes wrong in them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
LONGEST_MS = 10_000


@dataclass
class Watched:
    """Contexts of the browser and what went wrong in their pages."""

    browser: Browser
    faults: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    """Parts of messages that a test causes on purpose."""

    def open(self, address: str, **options: Any) -> Page:
        """Open a page in a profile of its own, and wait until it shows something."""
        page = self.context(**options).new_page()
        page.goto(address)
        page.wait_for_selector("main")
        return page

    def context(self, **options: Any) -> BrowserContext:
        """Return a new profile that reports console errors, violations of the policy and requests to others."""
        context = self.browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **options})
        context.set_default_timeout(LONGEST_MS)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._note(str(error.error)))
        context.on("request", lambda request: self._check(request.url))
        self.contexts.append(context)
        return context

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(f"{message.text} {message.location.get('url', '')}")

    def _note(self, text: str) -> None:
        self.faults.append(text)

    def _check(self, address: str) -> None:
        if not address.startswith(("http://127.0.0.1:", "data:", "blob:")):
            self.faults.append(f"a request to {address}")

    def close(self) -> None:
        """Close the pages, and fail if one reported a fault."""
        for context in self.contexts:
            context.close()
        faults = [fault for fault in self.faults if not any(part in fault for part in self.expected)]
        assert not faults, "\n".join(faults)


_MORE = json.dumps({name: {"enabled": True} for name in ("target-size", "label-content-name-mismatch")})


def violations(page: Page, axe: str) -> list[str]:
    """What axe finds: the rule, and the first elements that break it. The size of targets (WCAG 2.2 AA) is not among the
    rules that axe checks by itself, nor is whether a name begins with what is shown.
    """
    page.evaluate(axe)
    found: dict[str, Any] = page.evaluate(f"() => axe.run(document, {{resultTypes: ['violations'], rules: {_MORE}}})")
    return [
        f"{one['id']}: {one['help']}: {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}"
        for one in found["violations"]
    ]
