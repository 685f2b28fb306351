"""The queue: start page of a key that may take over, with the longest wait first and a preview."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.serving import Served
from support.talking import settled
from support.watching import PHONE, Watched, violations
from turnwise.server.access import KeyFile

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    """A server with keys, two conversations that wait, and the key of an operator."""
    keys = KeyFile(tmp_path_factory.mktemp("keys") / "keys.json")
    root = keys.add("root", ["admin"], 0)
    operator = keys.add("lena", ["operator", "debug:read"], 0)
    with Served(
        "serve", ROOT / "examples/health_intake/call_back.flow.yaml", "--keys", keys.path, "--port", "0"
    ) as served:
        for name in ("romy", "ada"):
            for path, body in (
                ("/api/conversations", f'{{"flow": "call_back", "name": "{name}"}}'),
                (f"/api/conversations/root:{name}/turns", '{"text": "I sleep badly since I take the new pills"}'),
                (f"/api/conversations/root:{name}/turns", '{"text": "0151 234567"}'),
            ):
                status, _, text = served.fetch(path, body.encode(), authorization=f"Bearer {root}")
                assert status < 300, text
        yield served, operator


def queue(watched: Watched, desk: tuple[Served, str], **options: object) -> Page:
    """Open the start page with the key of the operator."""
    served, key = desk
    page = watched.open(served.address, **options)
    watched.expected += ["401", "Unauthorized"]
    page.get_by_label("Key", exact=True).fill(key)
    page.get_by_role("button", name="Use this key").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=1)).to_contain_text("wait for a person")
    return settled(page)


def test_the_start_page_of_an_operator_is_the_queue(desk: tuple[Served, str], watched: Watched) -> None:
    page = queue(watched, desk)
    rows = page.locator(".qrows>li")
    expect(rows).to_have_count(2)
    assert [one.get_attribute("data-conversation") for one in rows.all()] == ["root:romy", "root:ada"]
    expect(rows.first).to_contain_text("A nurse is asked for")
    expect(rows.first).to_contain_text("0151 234567")
    expect(rows.first).to_contain_text("since")
    page.get_by_role("link", name="ada", exact=True).first.click()
    preview = page.get_by_role("region", name="What is known")
    expect(preview.get_by_role("heading", level=2)).to_contain_text("ada has waited")
    expect(preview).to_contain_text("When you give it back")
    expect(preview).to_contain_text("It would")
    page.get_by_role("link", name="Conversations and flows").click()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("wait for a person")


def test_axe_finds_nothing(desk: tuple[Served, str], watched: Watched, axe: str) -> None:
    page = queue(watched, desk)
    expect(page.get_by_text("When you give it back")).to_be_visible()
    assert violations(page, axe) == []


def test_a_phone(desk: tuple[Served, str], watched: Watched, axe: str) -> None:
    page = queue(watched, desk, viewport=PHONE)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_taking_over_from_the_queue(desk: tuple[Served, str], watched: Watched) -> None:
    page = queue(watched, desk)
    page.locator(".qrows>li").first.get_by_role("button", name="Take over").click()
    panel = page.get_by_role("region", name="A person takes over")
    expect(panel).to_be_visible()
    panel.get_by_label("Your name, shown to the user").fill("Lena")
    panel.get_by_role("button", name="Take over", exact=True).click()
    expect(page.get_by_role("textbox", name="Message as Lena")).to_be_visible()
