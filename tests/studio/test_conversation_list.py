"""The list of conversations: counts and pages where not all are loaded, and times by the clock of the server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from support.served import ELIGIBILITY
from support.serving import Served
from support.watching import Watched

PAGE = 200
MORE = 21
DAY_MS = 86_400_000


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with more conversations than a page of the list has. `oldest` changed first."""
    store = f"sqlite:///{tmp_path_factory.mktemp('crowded')}/many.db"
    with Served("serve", ELIGIBILITY, "--port", "0", "--store", store) as served:
        served.post("/api/conversations", flow="eligibility", name="oldest")
        served.post("/api/conversations", flow="eligibility", name="ended")
        served.post("/api/conversations/ended/person/take-over", operator="Lena")
        served.post("/api/conversations/ended/person/give-back", operator="Lena", end="done")
        for number in range(PAGE + MORE - 2):
            served.post("/api/conversations", flow="eligibility", name=f"c-{number:03}")
        yield served


def rows(page: Page) -> Locator:
    return page.get_by_role("region", name="List of conversations").get_by_role("link")


def shown(page: Page) -> Locator:
    return page.get_by_role("group", name="Show", exact=True)


def test_the_list_counts_what_is_not_loaded_and_loads_it(crowded: Served, watched: Watched) -> None:
    page = watched.open(f"{crowded.address}/c/c-150")
    total = PAGE + MORE
    expect(shown(page)).to_have_text(re.compile(rf"All {total}\s*Waiting {total - 1}\s*Person 0"))
    expect(rows(page)).to_have_count(PAGE)
    crowded.post("/api/conversations/c-002/person/take-over", operator="Lena")
    expect(shown(page)).to_have_text(re.compile(rf"All {total}\s*Waiting {total - 2}\s*Person 1"))
    page.get_by_role("button", name=re.compile("^Person")).click()
    expect(rows(page)).to_have_count(1)
    crowded.post("/api/conversations/c-002/person/give-back", operator="Lena")
    expect(shown(page)).to_have_text(re.compile(rf"All {total}\s*Waiting {total - 1}\s*Person 0"))
    page.get_by_role("button", name=re.compile("^Waiting")).click()
    expect(rows(page)).to_have_count(PAGE + 1)  # the first page, and the one that changed
    page.get_by_role("button", name="Show more").click()
    expect(rows(page)).to_have_count(total - 1)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)


def test_an_old_conversation_that_is_open_is_listed_and_in_view(crowded: Served, watched: Watched) -> None:
    page = watched.open(f"{crowded.address}/c/oldest")
    row = rows(page).filter(has_text="oldest")
    expect(row).to_have_attribute("aria-current", "page")
    expect(row).to_be_in_viewport()


def test_a_conversation_that_is_not_loaded_is_found_by_its_name(crowded: Served, watched: Watched) -> None:
    page = watched.open(f"{crowded.address}/c/c-150")
    expect(rows(page)).to_have_count(PAGE)
    page.get_by_role("searchbox", name="Filter conversations").fill("oldest")
    expect(rows(page)).to_have_count(1)


@pytest.mark.parametrize("ahead_ms", [DAY_MS, -DAY_MS])
def test_times_are_those_of_the_server_where_the_clock_of_the_browser_is_wrong(
    studio: Served, watched: Watched, ahead_ms: int
) -> None:
    page = watched.page()
    page.add_init_script(f"const now = Date.now.bind(Date); Date.now = () => now() + {ahead_ms}")
    page.goto(f"{studio.address}/c/lea?tab=state")
    expect(rows(page).filter(has_text=re.compile("^Lea")).locator("time")).to_have_text(re.compile(r"^\d+ min$"))
    expect(page.locator(".live")).to_contain_text(re.compile(r"Waits for a message in .+, \d+ min$"))
    expect(page.get_by_text(re.compile(r"in 2\d min"))).to_have_count(2)


def test_a_long_line_of_the_list_ends_with_an_ellipsis(studio: Served, watched: Watched) -> None:
    page = watched.open(f"{studio.address}/c/nora")
    words = rows(page).filter(has_text="nora").locator(".s > span")
    expect(words).to_contain_text("Code differs")
    line = rows(page).filter(has_text="nora").locator(".s")
    assert line.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert words.evaluate("one => getComputedStyle(one).textOverflow") == "ellipsis"
