"""A flow of many nodes: its layout is computed beside the page, which stays responsive."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Route, expect

from support.serving import Served
from support.watching import Watched

NODES = 60


def large_flow() -> str:
    """Return a flow in which each node leads to two others."""
    lines = ["flow: large", "start: n0", "records: {user: {age: integer}}", "nodes:"]
    for number in range(NODES - 1):
        targets = sorted({number + 1, min(NODES - 1, number + 3)})
        lines += [f"  n{number}:", f"    say: Question {number}", "    transitions:"]
        lines += [
            f"      - {{id: t{number}_{place}, when: user.age > {300 - 100 * place}, to: n{target}, because: it is}}"
            for place, target in enumerate(targets)
        ]
    return "\n".join([*lines, f"  n{NODES - 1}: {{say: Bye., end: done}}"])


def test_the_page_answers_while_a_large_flow_is_laid_out(watched: Watched, tmp_path: Path) -> None:
    file = tmp_path / "large.flow.yaml"
    file.write_text(large_flow(), "utf-8")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    with Served("serve", file, "--port", "0") as served:
        page = watched.page()
        page.route("**/layout.worker-*.js", hold)
        page.goto(f"{served.address}/f/large")
        expect(page.get_by_role("button", name="Drawing")).to_be_visible(timeout=60_000)  # the server checks the flow
        with page.expect_request("**/layout.worker-*.js"):
            page.get_by_role("button", name="Drawing").click()
        expect(page.get_by_text(f"Laying out {NODES + 2} nodes…")).to_be_visible()
        page.get_by_role("button", name="Source").click()
        expect(page.get_by_role("region", name="Lines of large.flow.yaml")).to_contain_text("Question 3")
        page.get_by_role("button", name="Drawing").click()
        expect(page.get_by_text(f"Laying out {NODES + 2} nodes…")).to_be_visible()
        held[0].continue_()
        expect(page.get_by_role("button", name="n0", exact=False).first).to_be_visible(timeout=60_000)
        expect(page.locator(".gpart.place")).to_have_count(NODES)
        assert len(held) == 1, "the layout was computed twice"
        page.close()  # before its server
