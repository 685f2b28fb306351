"""A flow of many nodes: its layout is computed beside the page, which stays responsive."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from support.serving import Served
from support.talking import settled
from support.watching import Watched, violations

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


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return {name: float(value) for name, value in found.items()}


def is_inside(inner: dict[str, float], outer: dict[str, float]) -> bool:
    return (
        inner["x"] >= outer["x"] - 1
        and inner["y"] >= outer["y"] - 1
        and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    )


def middle(one: dict[str, float]) -> tuple[float, float]:
    return one["x"] + one["width"] / 2, one["y"] + one["height"] / 2


CENTRED = """() => {
    const [here, frame] = ['.gpart:has(.gn.now)', '.gframe'].map((one) => document.querySelector(one).getBoundingClientRect());
    return Math.abs(here.top + here.height / 2 - frame.top - frame.height / 2) < 3;
}"""
"""The current node is in the middle: a banner above the frame may still have been about to move it."""


def walked_flow() -> str:
    """Return a flow of sixty nodes, whose message `go 3` leads from the third to the next; others lead further."""
    lines = ["flow: walked", "start: n0", "records: {user: {age: integer}}", "nodes:"]
    for number in range(NODES - 1):
        lines += [f"  n{number}:", f"    say: Step {number}", "    transitions:"]
        ways = [(number + 1, f'message.text == "go {number}"')]
        ways += [(min(NODES - 1, number + far), f"user.age > {300 + far}") for far in (3, 5) if number + far < NODES]
        lines += [f"      - {{id: t{number}_{to}, when: '{when}', to: n{to}, because: so}}" for to, when in ways]
    return "\n".join([*lines, f"  n{NODES - 1}: {{say: Bye., end: done}}"])


def test_a_graph_of_sixty_nodes_fits_and_follows(watched: Watched, tmp_path: Path, axe: str) -> None:
    file = tmp_path / "walked.flow.yaml"
    file.write_text(walked_flow(), "utf-8")
    with Served("serve", file, "--port", "0") as served:
        served.post("/api/conversations", flow="walked", name="one")
        for text in ("hello", *[f"go {number}" for number in range(12)]):
            served.post("/api/conversations/one/turns", text=text)
        page = watched.open(f"{served.address}/c/one?view=graph")
        expect(page.locator(".gn.now")).to_contain_text("N12", timeout=60_000)
        expect(page.get_by_text("more nodes are further away")).to_be_visible()
        rows = {name: box(page, f".gpart.place:has-text('{name}')")["y"] for name in ("n11", "n12", "n13", "n14")}
        assert rows["n11"] < rows["n12"] < rows["n13"] < rows["n14"]
        expect(page.locator(".gmap .mn")).to_have_count(NODES, timeout=60_000)
        expect(page.locator(".gmap .mn.was")).to_have_count(12)
        seams = page.locator(".score .mk:not(.minor)").all()
        places = sorted(float(one.bounding_box()["x"]) for one in seams)  # type: ignore[index]
        assert all(later - earlier >= 18 for earlier, later in pairwise(places))

        page.get_by_role("button", name=f"All {NODES}").click()
        expect(page.locator(".gpart.place")).to_have_count(NODES, timeout=60_000)
        frame = box(page, ".gframe")
        page.get_by_role("button", name="Fit", exact=True).click()
        for part in page.locator(".gpart.place").all():
            found = part.bounding_box()
            assert found is not None
            assert is_inside({key: float(value) for key, value in found.items()}, frame)

        page.get_by_role("button", name="Centre", exact=True).click()
        for _ in range(2):
            page.wait_for_function(CENTRED)
            here, centre = middle(box(page, ".gpart:has(.gn.now)")), middle(box(page, ".gframe"))
            assert abs(here[0] - centre[0]) < 3
            assert abs(here[1] - centre[1]) < 3
            page.get_by_role("button", name="Previous decision").click()
            page.get_by_role("button", name="Previous decision").click()
            expect(page.locator(".gn.now")).not_to_contain_text("N12")
        page.get_by_role("button", name="Around here").click()
        assert violations(settled(page), axe) == []
        page.close()  # before its server
