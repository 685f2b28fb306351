"""A real Chromium on a real server: `studio` is the server, `view` opens its pages and watches what they report. A test
that changes no setting of the page takes `show` instead, which moves a page that is loaded already, and one that changes
nothing on the server either takes `visit`, for which all tests share a server.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from support.serving import Served
from support.shell import ROOT
from support.talking import Open
from support.visiting import LoadedPages
from support.watching import LONGEST_MS, Profiles, Watched

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    # a page lives for seconds: what an optimizing compiler would save later costs more now
    "--js-flags=--no-maglev,--no-opt",
    # pages of one profile share a process, which has compiled the script of the page already
    *("--process-per-site", "--disable-site-isolation-trials"),
]


expect.set_options(timeout=LONGEST_MS)


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """The page, built from the present sources."""
    command = [sys.executable, "scripts/build_studio.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The Chromium of this folder. Playwright keeps an event loop running in this thread, in which no test of another
    folder could begin one.
    """
    found = subprocess.run(["sh", "scripts/browser.sh"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found.stdout.strip(), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a demonstration with its prepared conversations: playing them takes longer than a server's start."""
    folder = tmp_path_factory.mktemp("seeded")
    with demonstration(folder) as served:
        served.get("/api/conversations")
    return folder


def demonstration(folder: Path) -> Served:
    """The demonstration on a free port, with its store in a folder."""
    return Served("demo", "--no-browser", "--port", "0", "--store", f"sqlite:///{folder}/studio.db")


def copied(seeded: Path, folder: Path) -> Iterator[Served]:
    """Serve the demonstration with a copy of the prepared store in a folder."""
    with demonstration(shutil.copytree(seeded, folder, dirs_exist_ok=True)) as served:
        yield served


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, seeded: Path) -> Iterator[Served]:
    """The demonstration on a free port, with a store of its own, for the tests of one module."""
    yield from copied(seeded, tmp_path_factory.mktemp("studio"))


@pytest.fixture(scope="package")
def profiles(browser: Browser) -> Profiles:
    """Profiles of that browser."""
    return Profiles(browser)


@pytest.fixture
def watched(profiles: Profiles) -> Iterator[Watched]:
    """Pages of one test."""
    found = Watched(profiles)
    yield found
    found.close()


@pytest.fixture
def view(studio: Served, watched: Watched) -> Open:
    """Open an address of the studio, such as `/c/maria`."""

    def open_page(path: str = "/", **options: Any) -> Page:
        return watched.open(studio.address + path, **options)

    return open_page


@pytest.fixture(scope="package")
def shared(tmp_path_factory: pytest.TempPathFactory, seeded: Path) -> Iterator[Served]:
    """The demonstration, for all tests that change nothing of it."""
    yield from copied(seeded, tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="module")
def shared_pages(shared: Served, profiles: Profiles) -> Iterator[LoadedPages]:
    """Pages of the shared demonstration, for the tests of one module."""
    pages = LoadedPages(profiles, shared.address)
    yield pages
    pages.close()


@pytest.fixture(scope="module")
def studio_pages(studio: Served, profiles: Profiles) -> Iterator[LoadedPages]:
    """Pages of the studio, for the tests of one module."""
    pages = LoadedPages(profiles, studio.address)
    yield pages
    pages.close()


def moved(pages: LoadedPages, watched: Watched, session: pytest.Session) -> Iterator[Open]:
    """Yield how a test moves loaded pages, and check them after it; after a failure the next test loads them anew."""
    failed = session.testsfailed
    yield pages.visit
    if session.testsfailed > failed:
        pages.close()
    pages.check(watched.expected)


@pytest.fixture
def visit(shared_pages: LoadedPages, watched: Watched, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Show an address of the shared demonstration, such as `/c/maria`, in a page that is loaded already."""
    yield from moved(shared_pages, watched, request.session)


@pytest.fixture
def show(studio_pages: LoadedPages, watched: Watched, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Show an address of the studio, such as `/c/maria`, in a page that is loaded already."""
    yield from moved(studio_pages, watched, request.session)


@pytest.fixture(scope="session")
def axe() -> str:
    """The program that finds what is not accessible."""
    return (ROOT / "studio" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
