"""The list of conversations shows where a guard failed and where code and rules differ."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.talking import Open


def test_the_queue_is_not_empty_on_first_sight(view: Open) -> None:
    page = view("/c/hanna")
    page.get_by_role("button", name=re.compile("^(Person, 1 waits|Take over)")).first.click()
    queue = page.locator("details.queue")
    expect(queue.locator("summary")).to_contain_text("1 waits")
    expect(queue).to_contain_text("nurses: I sleep badly since I take the new pills")


def test_the_list_marks_a_guard_in_error_and_code_that_differs(view: Open) -> None:
    page = view("/c/maria")
    rows = page.get_by_role("region", name="List of conversations")
    expect(rows.get_by_role("link", name="vera")).to_contain_text("Guard in error")
    expect(rows.get_by_role("link", name="nora")).to_contain_text("Code differs")
    expect(rows.get_by_role("link", name="hanna")).not_to_contain_text("Guard in error")
    expect(rows.get_by_role("link", name="hanna")).not_to_contain_text("Code differs")
