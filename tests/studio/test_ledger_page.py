"""A form in the studio: its headline and ledger, the words in the chat, what answers would do, and the card to confirm."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from support.serving import Served
from support.talking import settled
from support.watching import PHONE, Watched, violations

FLOW = """
flow: car_damage
start: claim
records:
  claim:
    policy: {type: string, title: Policy}
    day: {type: date, title: When, max: today, format: "date: full"}
    amount: {type: number, title: Damage, min: 0, format: "currency: EUR"}
    invoice: {type: string, title: Invoice}
    injured: {type: boolean, title: Anybody injured}
    urgent: {type: boolean, title: Urgent, default: false}
nodes:
  claim:
    form:
      fields:
        - {field: claim.policy, ask: "What is the number of your policy? It stands on the letter."}
        - {field: claim.day, ask: "When did it happen?"}
        - {field: claim.amount, ask: "How much is the damage?"}
        - {field: claim.invoice, ask: "What is the number of the invoice?", ask_when: claim.amount >= 2000}
        - {field: claim.injured, ask: "Was anybody injured?"}
        - {field: claim.urgent, ask: "Is it urgent?", asked: false, required: false}
      confirm: {buttons: {yes: That is right, edit: Change something}}
    transitions:
      - {id: small, at: after, when: claim.amount < 2000, because: the damage is small, to: open}
  open: {say: Your claim is opened., end: opened}
"""
UNTIL_THE_LAST = ("AB-123456", "31 december 2999", "yesterday", "it was about 1279")


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the form, and a conversation at its last question and one at its summary."""
    file = tmp_path_factory.mktemp("claims") / "car_damage.flow.yaml"
    file.write_text(FLOW, "utf-8")
    with Served("serve", file, "--port", "0") as served:
        for name, more in (("asked", ()), ("confirms", ("no",)), ("confirmed", ("no",))):
            served.post("/api/conversations", flow="car_damage", name=name)
            for text in (*UNTIL_THE_LAST, *more):
                served.post(f"/api/conversations/{name}/turns", text=text)
        yield served


def ledger(page: Page) -> dict[str, list[str]]:
    """Return the labels of the ledger by group."""
    expect(page.locator(".fl")).to_be_visible()
    script = """() => Object.fromEntries([...document.querySelectorAll('.fl section')].map((one) =>
        [one.dataset.group, [...one.querySelectorAll('li')].map((row) => row.dataset.field)]))"""
    return page.evaluate(script)


def test_the_ledger_has_each_question_under_the_headline(claims: Served, watched: Watched) -> None:
    page = settled(watched.open(f"{claims.address}/c/asked"))
    panel = page.get_by_role("region", name="Debug panel")
    expect(panel.locator(".verdict h2")).to_have_text("Asks for “Anybody injured”: 3 of 4 answered")
    assert ledger(page) == {
        "asked": ["claim.injured"],
        "refused": ["claim.day"],
        "given": ["claim.policy", "claim.day", "claim.amount"],
        "left": ["claim.urgent"],
        "passed_over": ["claim.invoice"],
    }
    expect(panel.locator("[data-group=refused]")).to_contain_text("31 december 2999")
    expect(panel.locator("[data-group=passed_over]")).to_contain_text("Only with Damage ≥ €2,000.00 (is €1,279.00)")
    expect(page.locator(".comp .prog")).to_contain_text("3 of 4")
    assert page.locator(".comp .bar i").count() == 4
    panel.locator("[data-group=given] [data-field='claim.amount'] button.words").click()
    expect(page.locator(".chat u.lit")).to_have_text("1279")
    outlooks = panel.locator("[data-group=asked] .ifs button")
    expect(outlooks).to_have_text(["Yesthen the summarytry", "Nothen the summarytry"])
    outlooks.first.click()
    expect(page.get_by_text("What if, at turn")).to_be_visible()


def test_the_summary_is_a_card_with_what_a_yes_would_do(claims: Served, watched: Watched) -> None:
    page = settled(watched.open(f"{claims.address}/c/confirmed"))
    card = page.locator(".sum")
    expect(card).to_contain_text("Damage")
    expect(card).to_contain_text("€1,279.00")
    expect(card.locator("dl>div", has_text="When")).to_contain_text("from yesterday")
    expect(card).not_to_contain_text("It stands on the letter")
    expect(card.locator(".runs li b")).to_have_text(["Moves to Open", "Ends: opened"])
    expect(card.locator(".passed")).to_contain_text("Invoice")
    card.get_by_role("button", name="That is right").click()
    expect(page.get_by_role("region", name="Turn 7")).to_contain_text("Your claim is opened.")


def test_axe_finds_nothing(claims: Served, watched: Watched, axe: str) -> None:
    for name in ("asked", "confirms"):
        page = settled(watched.open(f"{claims.address}/c/{name}"))
        expect(page.locator(".fl")).to_be_visible()
        assert violations(page, axe) == [], name


def test_a_phone_and_two_hundred_per_cent(claims: Served, watched: Watched, axe: str) -> None:
    page = settled(watched.open(f"{claims.address}/c/asked", viewport=PHONE))
    page.get_by_role("navigation", name="Panes").get_by_role("button", name="Why").click()
    expect(page.locator(".fl")).to_be_visible()
    assert violations(page, axe) == []
    half = watched.open(f"{claims.address}/c/asked", viewport={"width": 720, "height": 450})
    half.get_by_role("navigation", name="Panes").get_by_role("button", name="Why").click()
    expect(half.locator(".fl")).to_be_visible()
    for one in (page, half):
        assert one.evaluate("document.documentElement.scrollWidth <= innerWidth")
