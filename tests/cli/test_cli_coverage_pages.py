"""The pages of `turnwise test --html`: what stands in them, and that everybody can read them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

import turnwise as tw
from support.chats import INTAKE
from support.shell import run
from turnwise.api.documents import load_text
from turnwise.testing.coverage import Coverage
from turnwise.testing.coverage import page as module

LINES = INTAKE.read_text("utf-8").splitlines()
STYLE = Path(module.__file__).with_name("page.css").read_text("utf-8")


def line_of(text: str) -> int:
    """The line of the flow that has a text."""
    return next(number for number, line in enumerate(LINES, 1) if text in line)


GROUPS, INELIGIBLE = line_of("id: three_groups"), line_of("ineligible: {say")
SCENARIO = """\
flow: intake.flow.yaml
scenario: a man
commands: set(user.gender, "man")
node: ineligible
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "intake.flow.yaml").write_bytes(INTAKE.read_bytes())
    (tmp_path / "a.scenario").write_text(SCENARIO, "utf-8")
    return tmp_path


class Page(HTMLParser):
    """A page: its tags, its ids, its links, and the text of each line of the source."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.lines: dict[str, str] = {}
        self.line = ""
        self.shown = ""
        self.feed(text)
        assert self.open == [], "every tag is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert not {"src", "onload", "onclick"} & set(given)
        assert tag != "link"
        assert tag != "th" or given["scope"] == "col"
        assert tag != "section" or given["aria-labelledby"]
        assert tag != "span" or "mark" not in (given.get("class") or "") or given["aria-label"]
        self.open += [] if tag == "meta" else [tag]
        self.tags.append(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" else []
        if tag == "li" and "id" in given:
            self.line = given["id"] or ""
            self.lines[self.line] = f"{given['class']}: "
        if "aria-label" in given and self.line:
            self.lines[self.line] += f"({given['aria-label']}) "

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.shown += data
        if "li" in self.open and self.line:
            self.lines[self.line] += data


def read(file: Path) -> Page:
    return Page(file.read_text("utf-8"))


def test_a_page_marks_the_lines_of_the_source(folder: Path) -> None:
    ran = run("test", "a.scenario", "--html", "out", at=folder)
    assert (ran.code, ran.err) == (0, "wrote out/intake.html\n")
    assert [path.name for path in (folder / "out").iterdir()] == ["intake.html"]
    page = read(folder / "out" / "intake.html")
    assert page.lines[f"l{GROUPS}"].startswith(f"lack: (line {GROUPS}) {GROUPS}(not all seen) ✗")
    assert page.lines[f"l{GROUPS}"].endswith("three_groups: never judged")
    assert page.lines[f"l{INELIGIBLE}"].startswith(f"seen: {INELIGIBLE}(seen) ✓  ineligible: {{say: Thank you.")
    assert page.lines["l1"].startswith(": 1# A small health intake")
    assert len(page.lines) == len(LINES)
    assert "all22 %nodes2 of 5transitions1 of 5leaves of guards2 of 12" in page.shown


def test_a_page_stands_alone_and_is_read_aloud_and_by_keyboard(folder: Path) -> None:
    run("test", "a.scenario", "--html", "out", at=folder)
    text = (folder / "out" / "intake.html").read_text("utf-8")
    page = Page(text)
    assert not re.search(r"https?://|url\(|@import|fetch\(", text)
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert page.links[0] == "#source"
    assert '<html lang="en">' in text
    assert {tag: page.tags.count(tag) for tag in ("h1", "main", "section", "ol", "button")} == {
        "h1": 1, "main": 1, "section": 2, "ol": 1, "button": 2,
    }  # fmt: skip
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h\d", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert ":focus-visible" in text


def test_a_flow_that_was_seen_whole_lists_nothing(folder: Path) -> None:
    (folder / "intake.flow.yaml").write_text("flow: f\nstart: a\nnodes: {a: {say: Hi.}}\n", "utf-8")
    (folder / "a.scenario").write_text("flow: intake.flow.yaml\nscenario: x\nstart:\nturn: 1\n", "utf-8")
    run("test", "a.scenario", "--html", "out", at=folder)
    page = read(folder / "out" / "intake.html")
    assert "Nothing is missing" in page.shown
    assert "button" not in page.tags
    assert "table" not in page.tags


def test_a_flow_without_a_file_says_so(tmp_path: Path) -> None:
    coverage = Coverage()
    with tw.open_sync(load_text(b"{flow: f, start: a, nodes: {a: {say: Hi.}}}", "<stdin>")) as app:
        chat = app.chat("main")
        coverage.add(chat.start())
    (written,) = module.write_pages(coverage.flows, tmp_path)
    assert "This flow is in no file that can be read here." in read(written).shown


def test_several_flows_have_an_index(folder: Path) -> None:
    (folder / "own").mkdir()
    (folder / "own" / "intake.flow.yaml").write_text("flow: f\nstart: a\nnodes: {a: {say: '<b>&'}}\n", "utf-8")
    (folder / "own" / "c.scenario").write_text("flow: intake.flow.yaml\nscenario: <x>\nstart:\nturn: 1\n", "utf-8")
    ran = run("test", ".", "--html", "out", at=folder)
    assert ran.err == "wrote out/index.html\n"
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["index.html", "intake.html", "intake2.html"]
    index = read(folder / "out" / "index.html")
    assert sorted(index.links) == ["intake.html", "intake2.html"]
    assert index.shown.startswith("26 % coverageCoverage: 26 %2 flows")
    assert read(folder / "out" / "intake2.html").links[1] == "index.html"
    assert "&lt;b&gt;&amp;" in (folder / "out" / "intake2.html").read_text("utf-8")


# colours -----------------------------------------------------------------------------------------


def brightness(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it."""
    long = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(long[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(scheme: int) -> None:
    colours = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]+)", block))
        for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    ]
    assert colours[0].keys() == colours[1].keys()
    found = colours[scheme]
    for paper, texts in {
        "paper": ("ink", "muted", "link", "seen"),
        "soft": ("ink", "muted"),
        "lack-paper": ("ink", "muted", "lack", "link"),
    }.items():
        for text in texts:
            assert contrast(found[text], found[paper]) >= 4.5, (text, paper)
