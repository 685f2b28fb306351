"""Editing the documents of a flow in the studio: the checker while typing, repairs, completion, saving, drafts."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from support.first_answers import held_answer
from support.serving import Served
from support.watching import LONGEST_MS, PHONE, Watched, violations

CLAIMS = """\
import { adjuster } from "./people.dy";

machine "Claims desk" {
  autonomous: false;
  start: invoice;
}

context claim {
  amount<number>;
}

state invoice "Check the invoice" {
  form: { fields: [{ field: "claim.amount"; }]; };
}

state done {
  say: "Thank you.";
  end: "done";
}

invoice -when: "claim.amount > 10000"-> adjuster;
invoice -when: "claim.amount <= 10000"-> done;
"""
PEOPLE = 'state adjuster {\n  say: "An adjuster calls you.";\n  end: "adjuster";\n}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.dy").write_text(PEOPLE, "utf-8")
    (tmp_path / "claims.dy").write_text(CLAIMS, "utf-8")
    return tmp_path


@pytest.fixture
def claims(folder: Path) -> Iterator[Served]:
    with Served("serve", folder / "claims.dy", "--port", "0", "--edit") as served:
        served.post("/api/conversations", flow="claims_desk", name="anna")
        yield served


def lines(page: Page, name: str = "claims.dy") -> Locator:
    return page.get_by_role("region", name=f"Lines of {name}")


def text(page: Page, name: str = "claims.dy") -> Locator:
    return page.get_by_role("textbox", name=f"Text of {name}")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def editing(claims: Served, watched: Watched) -> Page:
    page = watched.open(f"{claims.address}/f/claims_desk")
    button(page, "Edit").click()
    expect(page.locator(".sfaults")).to_have_text("no problems")
    return page


def at(page: Page, place: str, move: str = "End") -> None:
    """Put the cursor into the line that has a text."""
    lines(page).locator(".cm-line", has_text=place).click()
    page.keyboard.press(move)


def wait_until_written(folder: Path, text: str) -> None:
    """Wait until the file has a text: *Save* is disabled while the file is written, too."""
    deadline = time.monotonic() + LONGEST_MS / 1000
    while text not in (folder / "claims.dy").read_text("utf-8"):
        assert time.monotonic() < deadline, f"{text!r} was not written"
        time.sleep(0.02)


def test_an_edit_shows_its_problem_the_repair_mends_it_and_saving_draws_the_new_graph(
    claims: Served, watched: Watched, folder: Path
) -> None:
    page = editing(claims, watched)
    at(page, "-> adjuster;")
    page.keyboard.press("Enter")
    page.keyboard.insert_text(
        'state later { say: "Later."; end: "later"; }\ninvoice -when: "claim.ammount == 7"-> later;'
    )
    wrong = lines(page).locator(".cm-line.err", has_text="ammount")
    expect(wrong.locator(".er.error")).to_have_text("ammount")
    expect(page.locator(".sfaults")).to_have_text("1 error")
    expect(page.locator("button.gn", has_text="later")).to_have_count(0)
    lines(page).get_by_role("button", name="Change 'ammount' to 'amount'").click()
    expect(text(page)).to_be_focused()
    expect(lines(page).locator(".cm-fault.error")).to_have_count(0)
    assert (folder / "claims.dy").read_text("utf-8") == CLAIMS, "nothing is written before it is saved"
    page.keyboard.press("Control+s")
    expect(page.locator("button.gn", has_text="later")).to_be_visible()
    expect(button(page, "Save")).to_be_disabled()
    wait_until_written(folder, 'claim.amount == 7"-> later;')
    claims.post("/api/conversations", flow="claims_desk", name="new")
    assert claims.post("/api/conversations/new/turns", text="7")["text"] == "Later."
    assert claims.post("/api/conversations/anna/turns", text="7")["text"] == "Thank you.", "it keeps its version"


def test_names_are_completed_and_a_card_says_what_the_conversations_did(claims: Served, watched: Watched) -> None:
    claims.post("/api/conversations/anna/turns", text="5")
    page = editing(claims, watched)
    lines(page).locator(".cm-line", has_text="<= 10000").get_by_text("<= 10000").hover()
    expect(lines(page).locator(".cm-about")).to_contain_text("judged 1 time, held 1")
    at(page, "-> done;")
    page.keyboard.press("Enter")
    page.keyboard.type('invoice -when: "claim.am', delay=20)
    option = lines(page).get_by_role("option", name=re.compile("^amount"))
    expect(option).to_be_visible()
    page.wait_for_timeout(200)  # a list that has just come takes no key, which was meant for the text
    page.keyboard.press("Enter")
    expect(lines(page).locator(".cm-line", has_text='invoice -when: "claim.amount').last).to_have_text(
        re.compile(r'^invoice -when: "claim.amount"$')
    )


def test_format_and_undo_change_the_draft_alone(claims: Served, watched: Watched, folder: Path) -> None:
    page = editing(claims, watched)
    at(page, 'say: "Thank you."', "Home")
    page.keyboard.insert_text("      ")
    line = lines(page).locator(".cm-line", has_text='say: "Thank you."')
    expect(line).to_have_text('        say: "Thank you.";')
    button(page, "Format").click()
    expect(line).to_have_text('  say: "Thank you.";')
    button(page, "Undo").click()
    expect(line).to_have_text('        say: "Thank you.";')
    at(page, "context claim")
    page.keyboard.insert_text(" {{{")
    watched.expected.append("409")
    button(page, "Format").click()
    expect(page.get_by_role("alert")).to_contain_text("line")
    assert (folder / "claims.dy").read_text("utf-8") == CLAIMS


def test_what_is_typed_while_the_text_is_formatted_stays(claims: Served, watched: Watched) -> None:
    page = editing(claims, watched)
    at(page, 'say: "Thank you."', "Home")
    page.keyboard.insert_text("      ")
    with held_answer(page, "**/source/format"):
        button(page, "Format").click()
        at(page, "state done", "Home")
        page.keyboard.insert_text("// typed meanwhile ")
    expect(page.get_by_role("status").filter(has_text="Not formatted: the text has changed meanwhile")).to_have_count(1)
    expect(lines(page).locator(".cm-line", has_text="state done")).to_contain_text("// typed meanwhile ")
    expect(lines(page).locator(".cm-line", has_text='say: "Thank you."')).to_have_text('        say: "Thank you.";')


def test_the_keyboard_leaves_the_editor_with_escape_and_tab(claims: Served, watched: Watched) -> None:
    page = editing(claims, watched)
    at(page, "state done", "Home")
    page.keyboard.press("Tab")
    expect(lines(page).locator(".cm-line", has_text="state done")).to_have_text(re.compile("^  state done {"))
    expect(text(page)).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(text(page)).not_to_be_focused()
    expect(lines(page).locator(".cm-line", has_text="state done")).to_have_text(re.compile("^  state done {"))
    text(page).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    expect(text(page)).to_be_focused()


def test_a_draft_stays_while_the_reader_is_elsewhere_and_the_page_warns(claims: Served, watched: Watched) -> None:
    page = editing(claims, watched)
    at(page, 'say: "Thank you."')
    page.keyboard.type(" // mine")
    files = page.get_by_role("navigation", name="Files of this flow")
    expect(files.get_by_role("button", name="claims.dy")).to_contain_text("not saved")
    files.get_by_role("button", name="people.dy").click()
    expect(text(page, "people.dy")).to_be_visible()
    page.get_by_role("link", name="turnwise").first.click()
    back = page.get_by_role("status").filter(has_text="Not saved").get_by_role("link", name="claims.dy")
    expect(back).to_be_visible()
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.evaluate("document.body.click()")
    page.close(run_before_unload=True)
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    back.click()
    expect(lines(page).locator(".cm-line", has_text="// mine")).to_be_visible()
    button(page, "Save").click()
    expect(button(page, "Save")).to_be_disabled()
    expect(files.get_by_role("button", name="claims.dy")).not_to_contain_text("not saved")


def test_a_file_that_changed_meanwhile_is_not_overwritten_unless_the_author_says_so(
    claims: Served, watched: Watched, folder: Path
) -> None:
    page = editing(claims, watched)
    at(page, 'say: "Thank you."')
    page.keyboard.type(" // mine")
    theirs = CLAIMS.replace("Thank you.", "Thanks.")
    (folder / "claims.dy").write_text(theirs, "utf-8")
    watched.expected.append("409")
    page.keyboard.press("Control+s")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("claims.dy has changed on disk")
    assert (folder / "claims.dy").read_text("utf-8") == theirs
    notice.get_by_role("button", name="Keep mine").click()
    button(page, "Save").click()
    expect(page.get_by_text("not saved", exact=True)).to_have_count(0)
    assert "// mine" in (folder / "claims.dy").read_text("utf-8")
    page.keyboard.press("Escape")
    at(page, "// mine")
    page.keyboard.type(" again")
    (folder / "claims.dy").write_text(theirs, "utf-8")
    notice.get_by_role("button", name="Take the file").click()
    expect(lines(page).locator(".cm-line", has_text="Thanks.")).to_be_visible()
    expect(lines(page).locator(".cm-line", has_text="again")).to_have_count(0)


def test_a_tab_beside_the_one_with_the_stream_shows_a_file_that_changes(
    claims: Served, watched: Watched, folder: Path
) -> None:
    first = editing(claims, watched)
    second = first.context.new_page()
    second.goto(f"{claims.address}/f/claims_desk")
    for page in (first, second):
        expect(lines(page).locator(".cm-line", has_text="Thank you.")).to_be_visible()
    (folder / "claims.dy").write_text(CLAIMS.replace("Thank you.", "Thanks. // both"), "utf-8")
    for page in (first, second):
        expect(lines(page).locator(".cm-line", has_text="Thanks. // both")).to_be_visible()


def test_a_save_that_the_server_answers_late_is_no_change_on_disk(
    claims: Served, watched: Watched, folder: Path
) -> None:
    page = editing(claims, watched)
    at(page, 'say: "Thank you."')
    page.keyboard.type(" // mine")
    late = """() => { const plain = window.fetch; window.fetch = async (...asked) => {
        const answer = await plain(...asked);
        if (asked[1]?.method === "PUT") await new Promise((resolve) => { window.answerNow = resolve; });
        return answer;
    }; window.notices = 0; new MutationObserver(() => {
        window.notices += document.querySelectorAll(".snotice").length;
    }).observe(document.body, { childList: true, subtree: true }); }"""
    page.evaluate(late)
    read_again = page.expect_response(lambda answer: answer.request.method == "GET" and "/source" in answer.url)
    with read_again:
        page.keyboard.press("Control+s")
        wait_until_written(folder, "// mine")
    page.keyboard.type(" and more")
    page.wait_for_function("() => window.answerNow")
    page.evaluate("window.answerNow()")
    expect(button(page, "Save")).to_be_enabled()
    assert page.evaluate("window.notices") == 0
    page.keyboard.press("Control+s")
    wait_until_written(folder, "// mine and more")


def test_a_document_with_errors_is_saved_and_the_version_before_stays(
    claims: Served, watched: Watched, folder: Path
) -> None:
    page = editing(claims, watched)
    at(page, "state done", "Home")
    page.keyboard.insert_text("] ")
    expect(lines(page).locator(".cm-line.err")).to_be_visible()
    button(page, "Save").click()
    expect(page.get_by_role("status").filter(has_text="This file has errors.")).to_be_visible()
    wait_until_written(folder, "] state done")
    claims.post("/api/conversations", flow="claims_desk", name="new")


def test_an_import_is_checked_with_what_is_typed_in_the_other_document(claims: Served, watched: Watched) -> None:
    page = editing(claims, watched)
    at(page, "import {")
    page.keyboard.press("Home")
    page.keyboard.insert_text('import { expert } from "./people.dy";\n')
    expect(lines(page).locator(".cm-line.err", has_text="expert")).to_be_visible()
    files = page.get_by_role("navigation", name="Files of this flow")
    files.get_by_role("button", name="people.dy").click()
    lines(page, "people.dy").locator(".cm-line").last.click()
    page.keyboard.insert_text('state expert { say: "Hello."; end: "expert"; }\n')
    files.get_by_role("button", name="claims.dy").click()
    expect(lines(page).locator(".cm-line", has_text="import { expert }")).to_be_visible()
    expect(lines(page).locator(".cm-fault.error")).to_have_count(0)


def test_axe_finds_nothing_while_a_broken_text_is_edited(claims: Served, watched: Watched, axe: str) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk")
    button(page, "Edit").click()
    at(page, "<= 10000")
    page.keyboard.press("Enter")
    page.keyboard.insert_text('invoice -when: "claim.ammount == 7"-> done;')
    expect(lines(page).get_by_role("button", name="Change 'ammount' to 'amount'")).to_be_visible()
    page.keyboard.press("Control+ ")
    assert violations(page, axe) == []


def test_a_phone_reads_only(claims: Served, watched: Watched) -> None:
    page = watched.open(f"{claims.address}/f/claims_desk", viewport=PHONE)
    page.get_by_role("button", name="Source").click()
    expect(text(page)).to_have_attribute("aria-readonly", "true")
    expect(button(page, "Edit")).to_have_count(0)


def test_without_the_option_there_is_no_edit(folder: Path, watched: Watched) -> None:
    watched.expected.append("ERR_CONNECTION_REFUSED")
    with Served("serve", folder / "claims.dy", "--port", "0") as served:
        page = watched.open(f"{served.address}/f/claims_desk")
        expect(text(page)).to_have_attribute("aria-readonly", "true")
        expect(button(page, "Edit")).to_have_count(0)
        (folder / "claims.dy").write_text(CLAIMS.replace("Thank you.", "Thanks."), "utf-8")
        page.reload()
        expect(lines(page).locator(".cm-line", has_text='say: "Thank you."')).to_be_visible()
        expect(page.get_by_role("navigation", name="Files of this flow")).to_contain_text("changed on disk")
