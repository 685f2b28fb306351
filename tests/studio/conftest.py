"""A real Chromium on a real server: `studio` is the server, `view` opens its pages and watches what they report."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from support.serving import Served
from support.shell import ROOT
from support.talking import Open

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
]
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
LONGEST_MS = 10_000


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """The page, built from the present sources."""
    command = [sys.executable, "scripts/build_studio.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium per worker of the tests, with a profile of its own."""
    found = subprocess.run(["sh", "scripts/browser.sh"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found.stdout.strip(), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demonstration on a free port, with a store of its own, for the tests of one module."""
    store = f"sqlite:///{tmp_path_factory.mktemp('studio')}/studio.db"
    with Served("demo", "--no-browser", "--port", "0", "--store", store) as served:
        yield served


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
        context.on("console", lambda message: self._note(message.text) if message.type == "error" else None)
        context.on("weberror", lambda error: self._note(str(error.error)))
        context.on("request", lambda request: self._check(request.url))
        self.contexts.append(context)
        return context

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
        assert faults == []


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """Pages of one test."""
    found = Watched(browser)
    yield found
    found.close()


@pytest.fixture
def view(studio: Served, watched: Watched) -> Open:
    """Open an address of the studio, such as `/c/maria`."""

    def open_page(path: str = "/", **options: Any) -> Page:
        return watched.open(studio.address + path, **options)

    return open_page


@pytest.fixture(scope="session")
def axe() -> str:
    """The program that finds what is not accessible."""
    return (ROOT / "studio" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
