"""A conversation of many turns in a flow of many nodes: the page is small, and shows as much as fits, not all of it."""

from __future__ import annotations

import gzip
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

import turnwise as tw
from support.serving import Served
from support.shell import ROOT
from support.talking import Talk
from support.watching import Watched

sys.path.insert(0, str(ROOT / "benchmarks"))
from page import large_flow

TURNS = 400
MOST_ELEMENTS = 2500
MOST_KB = 250
WHOLE = "transcript"
FIRST_VIEW = ("transcript after", "timeline", f"trace turn={TURNS}", "large")


@pytest.fixture
def long(tmp_path: Path) -> tuple[Path, str]:
    """A flow, and the address of a store in which one conversation of it has many turns."""
    file, store = tmp_path / "large.flow.yaml", f"sqlite:///{tmp_path}/long.db"
    file.write_text(large_flow(), "utf-8")
    with ThreadPoolExecutor(1) as threads:  # this one has an event loop
        threads.submit(talk_long, file, store).result()
    return file, store


def talk_long(file: Path, store: str) -> None:
    with tw.open_sync(file, store=store) as app:
        chat = app.chat("long")
        chat.start()
        for number in range(TURNS - 1):
            chat.say("on" if number % 3 else "what is that?")


def test_a_long_conversation_shows_as_much_as_fits(watched: Watched, long: tuple[Path, str]) -> None:
    file, store = long
    with Served("serve", file, "--store", store, "--port", "0") as served:
        page = watched.open(f"{served.address}/c/long")
        talk = Talk(page)
        talk.rests(TURNS)
        expect(page.locator(".score .mk").first).to_be_attached()
        assert page.evaluate("document.querySelectorAll('*').length") < MOST_ELEMENTS
        for step in range(1, 4):
            page.keyboard.press("ArrowLeft")
            talk.at(f"turn {TURNS - step} of {TURNS}")
        page.keyboard.press("Home")
        talk.at(f"turn 1 of {TURNS}")
        expect(talk.turn(1)).to_contain_text("Question 0")
        assert page.evaluate("document.querySelectorAll('*').length") < MOST_ELEMENTS
        page.close()  # before its server


def test_the_first_view_of_a_long_conversation_waits_for_little(watched: Watched, long: tuple[Path, str]) -> None:
    """Before the whole transcript is asked for, each part of the first view came, and was asked for once."""
    file, store = long
    with Served("serve", file, "--store", store, "--port", "0") as served:
        page = watched.page()
        asked: list[str] = []
        came: list[str] = []
        page.on("request", lambda one: asked.append(part_of(one.url)))
        page.on("requestfinished", lambda one: came.append(part_of(one.url)))
        with page.expect_request(lambda one: part_of(one.url) == WHOLE):
            page.goto(f"{served.address}/c/long")
        first = asked[: asked.index(WHOLE)]
        assert set(FIRST_VIEW) <= set(came)
        assert [first.count(part) for part in FIRST_VIEW] == [1] * len(FIRST_VIEW)
        Talk(page).rests(TURNS)
        page.keyboard.press("Home")
        expect(Talk(page).turn(1)).to_contain_text("Question 0")
        page.close()  # before its server


def part_of(address: str) -> str:
    """What a request asks for: the last part of its path, with the names of what it wants of it, and the turn."""
    found = urlsplit(address)
    query = [f"{name}={value}" if name == "turn" else name for name, value in parse_qsl(found.query)]
    return " ".join([found.path.rpartition("/")[2], *query])


def test_what_a_first_visit_loads_is_small() -> None:
    static = ROOT / "src" / "turnwise" / "server" / "static"
    named = (static / "index.html").read_text("utf-8")
    loaded = [file for file in (static / "assets").iterdir() if file.name in named and file.suffix in {".js", ".css"}]
    assert len(loaded) >= 2
    assert sum(len(gzip.compress(file.read_bytes())) for file in loaded) < MOST_KB * 1024
