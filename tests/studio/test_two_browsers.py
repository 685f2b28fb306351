"""A visitor in the chat widget and an operator in the studio, each in a browser of their own: the whole loop of docs/people.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from support.serving import Served
from support.talking import Talk, write
from support.watching import PHONE, Watched

FLOW = """
flow: support
start: advise
commands: [hand_over]
person: {queue: advisers, about: "about {{ case.topic }}", timeout: 10m}
records:
  case: {topic: string, refund: {type: number, min: 0, max: 500}}
nodes:
  advise:
    form:
      fields:
        - {field: case.topic, ask: What is it about?}
        - {field: case.refund, ask: How much do you want back?}
    transitions: [{id: complete, when: form.status == "confirmed", to: done}]
  done: {say: "You get {{ case.refund }} back.", end: solved}
"""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Served]:
    flow = tmp_path / "support.flow.yaml"
    flow.write_text(FLOW, "utf-8")
    with Served("serve", flow, "--port", "0", "--store", f"sqlite:///{tmp_path}/support.db") as served:
        yield served


def visitor(desk: Served, watched: Watched) -> Page:
    """A phone with the widget on a page."""
    page = watched.page(viewport=PHONE)
    html = '<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>'
    script = f'<script src="{desk.address}/widget.js" data-flow="support" data-title="Ask us"></script>'

    def shop(route: Route) -> None:
        route.fulfill(body=html + script, content_type="text/html")

    page.route("**/shop", shop)
    page.goto(f"{desk.address}/shop")
    page.get_by_role("button", name="Open the chat").click()
    return page


def test_a_visitor_is_handed_over_helped_and_given_back(desk: Served, watched: Watched) -> None:
    page = visitor(desk, watched)
    log = page.get_by_role("log")
    operator = watched.open(f"{desk.address}/")
    write(page, "my bill")
    expect(log).to_contain_text("How much do you want back?")
    write(page, "talk to a human")
    expect(log).to_contain_text("I am getting a person for you.")

    row = operator.get_by_role("region", name="Go on").get_by_role("link")
    expect(row).to_contain_text("Waits for a person")
    row.click()
    talk = Talk(operator)
    expect(talk.transcript).to_contain_text("my bill")
    operator.keyboard.press("t")
    expect(operator.get_by_role("region", name="A person takes over")).to_contain_text("about my bill")
    expect(operator.get_by_label("Your name, shown to the user")).to_be_focused()
    operator.keyboard.type("Lena")
    operator.keyboard.press("Enter")
    expect(operator.get_by_role("textbox", name="Message as Lena")).to_be_focused()
    expect(log).to_contain_text("Lena joined the conversation.")
    operator.keyboard.type("Hello, this is Lena. How much was it?")
    operator.keyboard.press("Enter")
    expect(log).to_contain_text("Hello, this is Lena.")

    write(page, "it was twenty")
    said = talk.transcript.locator(".turn", has_text="it was twenty")
    expect(said).to_contain_text("Not interpreted while a person is in charge")
    panel = operator.get_by_role("region", name="A person takes over")
    panel.get_by_label(re.compile("refund", re.IGNORECASE)).fill("2000")
    expect(panel.locator(".fault")).to_be_visible()
    panel.get_by_label(re.compile("refund", re.IGNORECASE)).fill("20")
    expect(panel.locator(".fault")).to_have_count(0)
    operator.get_by_role("textbox", name="Message as Lena").fill("I wrote it down.")
    operator.keyboard.press("Control+Enter")

    expect(log).to_contain_text("I wrote it down.")
    expect(log).to_contain_text("Lena left the conversation.")
    expect(talk.transcript.locator(".seam", has_text="Lena gave the conversation back, set refund")).to_be_visible()
    assert log.inner_text().count("How much do you want back?") == 1, "it asks again for what was agreed"
    found = desk.get(f"/api/conversations/{desk.get('/api/conversations')['conversations'][0]['id']}/state")
    refund = next(one for one in found["values"] if one["field"] == "case.refund")
    assert (refund["value"], refund["origin"]["how"]) == (20, "operator")
    expect(log).to_contain_text("You get 20 back.")
    expect(page.get_by_role("status")).to_contain_text("This conversation has ended.")
    expect(operator.locator(".live")).to_contain_text("Ended: solved")
    expect(operator.locator("#main:focus, #main :focus")).to_have_count(1)
