"""The four listings of seed 002 in the studio: each runs from its file, and shows what the seed expects of it.

The seed's words: a write is stored, and the next task reads it; a task does its work before the condition is judged; the
error edge catches the call of a tool that does not exist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.seed_listings import LISTINGS, Listing
from support.serving import Served
from support.talking import Talk, loaded
from support.watching import Profiles, Watched

LINES = {
    "first": (10, "start -when"),
    "second": (19, "write -> read"),
    "third": (14, "work -when"),
    "fourth": (11, "-catch->"),
}
"""The line of the transition that moved, and what stands there."""


@pytest.fixture(scope="module", params=LISTINGS)
def name(request: Any) -> str:
    return request.param


@pytest.fixture(scope="module")
def listing(name: str) -> Listing:
    return LISTINGS[name]


@pytest.fixture(scope="module")
def server(name: str, listing: Listing, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp(name)
    flow, replies = folder / f"{name}.dy", folder / "replies.yaml"
    flow.write_text(listing.text, "utf-8")
    replies.write_text(listing.replies, "utf-8")
    with Served("serve", flow, "--port", "0", "--model", f"scripted:{replies}") as served:
        yield served


@pytest.fixture(scope="module")
def page(server: Served, profiles: Profiles, listing: Listing) -> Iterator[Page]:
    """The page of the conversation, which ran to its end; the tests of a listing move in it."""
    watched = Watched(profiles)
    page = watched.open(server.address + "/")
    page.get_by_role("button", name=re.compile("^Begin a conversation with")).click()
    expect(page.get_by_text(f"Ended: {listing.outcome.replace('_', ' ')}").first).to_be_visible()
    yield page
    watched.close()


def panel(page: Page, tab: str) -> str:
    """The text of a tab of the panel."""
    page.get_by_role("tab", name=tab, exact=True).click()
    found = loaded(Talk(page).panel)
    expect(found).to_contain_text(re.compile(r"\S" if tab != "Events" else "moved"))  # its rows come last
    return found.inner_text()


def test_it_runs_as_the_seed_expects(page: Page, listing: Listing) -> None:
    transcript = Talk(page).transcript
    for said in listing.said:
        expect(transcript).to_contain_text(said)
    expect(transcript).to_contain_text(listing.move)
    state = panel(page, "State")
    for field, value in listing.values.items():
        assert field.rpartition(".")[2] in state.casefold()
        assert (value if isinstance(value, str) else json.dumps(value)) in state


def test_the_work_comes_before_the_condition_and_a_write_before_the_work_is_done(
    page: Page, name: str, listing: Listing
) -> None:
    events = panel(page, "Events") if name != "second" else ""
    if name in ("first", "third"):
        order = [events.index(kind) for kind in ("\nfield set\n", "\nwork done\n", "\nmoved\n")]
        assert order == sorted(order), events
    if name == "fourth":
        order = [events.index(kind) for kind in ("\ncall refused\n", "\nfailure\n", "\nmoved\n")]
        assert order == sorted(order), events
        expect(Talk(page).transcript).to_contain_text("there is no tool 'no_such_tool'")
    if name == "second":
        assert "hello world" in panel(page, "Prompt & tools"), "the second task has read what the first one wrote"
    assert listing.move


def test_the_line_that_moved_is_marked_in_the_source(server: Served, page: Page, name: str) -> None:
    page.goto(f"{server.address}/f/{server.get('/api/flows')[0]['name']}")
    number, words = LINES[name]
    source = page.get_by_role("region", name=f"Lines of {name}.dy")
    line = source.locator(".cm-line", has_text=words)
    expect(line).to_contain_text("taken 1 of 1 times")
    expect(source.locator(".cm-lineNumbers .cm-gutterElement", has_text=str(number)).last).to_be_visible()
    page.go_back()
