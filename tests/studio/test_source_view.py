"""The source of a flow: its documents, what stands beside their lines, and the ways from a line to the graph and back."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from support.serving import Served
from support.talking import Open, Talk
from support.watching import PHONE, Watched, violations

CLAIMS = """\
import { adjuster as expert } from "./parts/people.dy";
import { closing } from "./parts/closing.flow.yaml";

machine "Claims desk" {
  autonomous: false;
  start: invoice;
}

context claim {
  amount<number>; // the sum on the invoice
}

state invoice "Check the invoice" {
  form: { fields: [{ field: "claim.amount" }]; };
}

invoice -when: "claim.amount > 10000"-> expert;
invoice -when: "claim.amount <= 10000"-> closing;
"""
PEOPLE = """\
// who may decide
state adjuster "An adjuster" {
  say: "An adjuster calls you.";
  end: "adjuster";
}
"""
CLOSING = """\
flow: closing
start: closing
nodes:
  closing:
    say: The money is on its way.
    end: paid
"""


def touched(path: Path, text: str) -> None:
    """Write a file, with a time of its own whatever the clock of the file system."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text, "utf-8")
    os.utime(path, ns=(now := max(before, path.stat().st_mtime_ns) + 1_000_000_000, now))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("claims")
    (made / "parts").mkdir()
    touched(made / "parts" / "people.dy", PEOPLE)
    touched(made / "parts" / "closing.flow.yaml", CLOSING)
    touched(made / "claims.dy", CLAIMS)
    return made


@pytest.fixture(scope="module")
def claims(folder: Path) -> Iterator[Served]:
    with Served("serve", folder / "claims.dy", "--port", "0", "--reload") as served:
        served.post("/api/conversations", flow="claims_desk", name="anna")
        served.post("/api/conversations/anna/turns", text="12000")
        yield served


def lines(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=f"Lines of {name}")


def files(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Files of this flow")


def text(page: Page, name: str) -> Locator:
    return page.get_by_role("textbox", name=f"Text of {name}")


def test_each_document_of_a_flow_is_one_click_away_with_its_marks(claims: Served, watched: Watched) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk")
    expect(files(page).locator(".sfl button")).to_have_text(
        [re.compile(name) for name in ("claims.dy", "people.dy", "closing.flow.yaml")]
    )
    line = lines(page, "claims.dy").locator(".cm-line", has_text="10000").first
    expect(line).to_contain_text("to_expert taken 1 of 1 times")
    keyword = lines(page, "claims.dy").get_by_text("machine", exact=True)
    assert keyword.evaluate("one => getComputedStyle(one).fontWeight") == "700"
    comment = lines(page, "claims.dy").get_by_text("// the sum on the invoice")
    assert comment.evaluate("one => getComputedStyle(one).fontStyle") == "italic"
    files(page).get_by_role("button", name="closing.flow.yaml").click()
    closing = lines(page, "parts/closing.flow.yaml")
    expect(closing.locator(".cm-line", has_text="closing:").last).to_contain_text("closing never visited")
    expect(closing.locator(".cm-lineNumbers .cm-gutterElement", has_text="6")).to_be_visible()


def test_a_line_selects_its_step_in_the_graph_and_a_step_its_line(claims: Served, watched: Watched) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk")
    lines(page, "claims.dy").locator(".cm-line", has_text="<= 10000").click()
    about = page.get_by_role("region", name="About To closing")
    expect(about).to_contain_text("≤ 10000")
    expect(page.locator("button.ge[aria-pressed=true]")).to_contain_text("To closing")
    page.locator("button.gn", has_text="expert").click()
    expect(lines(page, "parts/people.dy").locator(".cm-line.at")).to_contain_text("state adjuster")
    page.locator("button.ge", has_text="To expert").click()
    expect(lines(page, "claims.dy").locator(".cm-line.at")).to_contain_text("> 10000")


def test_the_keyboard_goes_from_a_line_to_its_step_along_a_way_and_to_a_declaration(
    claims: Served, watched: Watched
) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk#L13")
    expect(lines(page, "claims.dy").locator(".cm-line.at")).to_contain_text("state invoice")
    text(page, "claims.dy").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="About Invoice")).to_be_visible()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_role("region", name=re.compile("About To "))).to_be_visible()
    expect(lines(page, "claims.dy").locator(".cm-line.at")).to_contain_text("invoice -when")
    page.keyboard.press("Alt+ArrowDown")
    expect(lines(page, "parts/people.dy").locator(".cm-line.at")).to_contain_text("state adjuster")
    files(page).get_by_role("button", name="claims.dy").click()
    field = lines(page, "claims.dy").locator(".cm-line", has_text="fields:")
    field.get_by_text('"claim.amount"').click(modifiers=["Control"])
    expect(lines(page, "claims.dy").locator(".cm-line.at")).to_contain_text("amount<number>")


def test_it_is_read_only_and_says_why(claims: Served, watched: Watched) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk")
    expect(files(page)).to_contain_text("When one is saved, the flow is loaded again.")
    before = text(page, "claims.dy").inner_text()
    text(page, "claims.dy").focus()
    page.keyboard.type("xyz")
    page.keyboard.press("Backspace")
    page.keyboard.insert_text("more")
    assert text(page, "claims.dy").inner_text() == before
    assert text(page, "claims.dy").get_attribute("aria-readonly") == "true"


def test_folding_and_search(claims: Served, watched: Watched) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk")
    source = lines(page, "claims.dy")
    source.locator(".cm-foldGutter span[title='Fold line']").first.click()
    expect(source.locator(".cm-foldPlaceholder")).to_be_visible()
    expect(source.get_by_text("autonomous")).to_have_count(0)
    page.get_by_role("button", name="Find", exact=True).click()
    field = page.get_by_role("searchbox", name="Find in this file")
    expect(field).to_be_focused()
    field.press_sequentially("claim.amount")
    expect(source.get_by_role("status")).to_have_text("1 of 3")
    field.press("Enter")
    expect(source.get_by_role("status")).to_have_text("2 of 3")
    field.fill("grs")
    expect(source.get_by_role("status")).to_have_text("not found")
    assert page.url.endswith("/f/claims_desk"), "letters of the search are no keys of the page"
    field.press("Escape")
    expect(text(page, "claims.dy")).to_be_focused()
    source.locator(".cm-line", has_text="invoice -when").first.click()
    page.get_by_role("button", name=re.compile("^invoice")).first.click()


def test_a_conversation_marks_where_it_is_and_what_decided(claims: Served, watched: Watched) -> None:
    claims.post("/api/conversations", flow="claims_desk", name="berta")
    page = watched.open(f"{claims.address}/c/berta?view=source")
    source = lines(page, "claims.dy")
    expect(source.locator(".cm-line.here")).to_have_text(
        [re.compile("state invoice"), re.compile("form"), re.compile("}")]
    )
    expect(source.locator(".cm-line.here").first).to_contain_text("here")
    claims.post("/api/conversations/berta/turns", text="20000")
    moved = source.locator(".cm-line:has-text('> 10000') + .cm-verdict.ok")
    expect(moved).to_have_text("invoice → expert: to_expert · turn 2")
    expect(source.locator(".cm-line", has_text="<= 10000").locator(".cm-note.no")).to_have_text("false")
    files(page).get_by_role("button", name="people.dy").click()
    expect(lines(page, "parts/people.dy").locator(".cm-line.here").first).to_contain_text("state adjuster")
    page.get_by_role("button", name="Current line").click()
    expect(source.locator(".cm-line.at")).to_contain_text("> 10000")


def test_why_leads_to_the_line_and_the_line_to_the_graph(claims: Served, watched: Watched) -> None:
    page = watched.open(f"{claims.address}/c/anna?turn=2")
    card = Talk(page).card("to_expert")
    card.get_by_role("link", name="claims.dy:17").click()
    source = lines(page, "claims.dy")
    expect(source.locator(".cm-line.at")).to_contain_text("> 10000")
    expect(page).to_have_url(re.compile("view=source"))
    source.locator(".cm-line", has_text="> 10000").click()
    page.get_by_role("button", name="Show in the graph").click()
    expect(page.get_by_role("region", name="About To expert")).to_be_visible()
    page.go_back()
    expect(source).to_be_visible()
    page.get_by_role("banner").get_by_role("button", name="Chat", exact=True).click()
    expect(page.get_by_role("log")).to_be_visible()
    page.keyboard.press("s")
    expect(source).to_be_visible()


def test_a_saved_import_is_shown_and_a_broken_one_is_reported_at_its_place(
    claims: Served, watched: Watched, folder: Path
) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk")
    people = folder / "parts" / "people.dy"
    files(page).get_by_role("button", name="people.dy").click()
    source = lines(page, "parts/people.dy")
    expect(source).to_contain_text("An adjuster calls you.")
    try:
        touched(people, PEOPLE.replace("calls you", "visits you"))
        expect(source).to_contain_text("An adjuster visits you.")
        touched(people, PEOPLE.replace("calls you", "visits you").replace("end:", "end"))
        expect(source.locator(".cm-fault").first).to_contain_text("TW")
        expect(source.locator(".cm-line.err").first).to_contain_text("state adjuster")
        expect(files(page).get_by_role("button", name=re.compile(r"people.dy \d+ error"))).to_be_visible()
        expect(page.get_by_role("status").filter(has_text="This file has errors.")).to_be_visible()
        source.locator(".cm-fault").first.get_by_role("button", name=re.compile("About TW")).click()
        expect(page.get_by_role("region", name=re.compile("About TW"))).to_contain_text("Reported")
        claims.post("/api/conversations", flow="claims_desk", name="cora")
        answer = claims.post("/api/conversations/cora/turns", text="30000")
        assert "An adjuster visits you." in answer["text"], "the version from before goes on"
    finally:
        touched(people, PEOPLE)
    expect(source).to_contain_text("An adjuster calls you.")
    expect(source.locator(".cm-fault")).to_have_count(0)


@pytest.mark.parametrize("path", ["/f/claims_desk#L17", "/c/anna?view=source"])
@pytest.mark.parametrize("is_phone", [False, True])
def test_axe_finds_nothing(claims: Served, watched: Watched, axe: str, path: str, *, is_phone: bool) -> None:
    options = {"viewport": PHONE} if is_phone else {}
    page = watched.open(claims.address + path, **options)
    expect(lines(page, "claims.dy").locator(".cm-line.at")).to_be_visible()
    lines(page, "claims.dy").locator(".cm-line", has_text="> 10000").click(position={"x": 30, "y": 8})
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.get_by_role("searchbox", name="Find in this file")).to_be_visible()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_phone_has_a_list_of_files(claims: Served, watched: Watched) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk", viewport=PHONE)
    page.get_by_role("button", name="Source").click()
    page.get_by_role("combobox", name="File").select_option(label="parts/people.dy")
    expect(lines(page, "parts/people.dy")).to_contain_text("An adjuster")


def test_the_editor_is_loaded_when_a_source_is_first_shown(view: Open) -> None:
    page = view("/c/maria")
    loaded = "performance.getEntriesByType('resource').some(one => /\\/Editor-[^/]*\\.js$/.test(one.name))"
    expect(page.get_by_role("log")).to_be_visible()
    assert not page.evaluate(loaded)
    page.keyboard.press("s")
    expect(lines(page, "health_intake.flow.yaml")).to_be_visible()
    expect(lines(page, "health_intake.flow.yaml").locator(".cm-line.here").first).to_be_visible()
    assert page.evaluate(loaded)
