"""Every code block of the documents runs, and the generated pages are up to date."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from sybil import Document, Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from mutants.catalogue import LAWS
from support.shell import run
from turnwise.api.open import check_text
from turnwise.flow.diagnostic import has_errors
from turnwise.testing.play import play_file
from turnwise.testing.report import failure_lines
from turnwise.testing.scenario import parse_scenarios

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
)
WITH_BLOCKS = [page for page in PAGES if not re.fullmatch(r"TW\d+", page.stem)]
"""The pages about the codes of the checker hold flows with faults: `test_checks.py` runs those."""


def run_flow(example: Example) -> str | None:
    """A YAML block is a flow without errors; one that is part of a flow is passed over by its first key."""
    text = example.parsed
    if not text.startswith(("flow:", "# yaml-language-server", "#")):
        return None
    found = check_text(text.encode(), f"{example.path}:{example.line}")
    return "\n".join(map(str, found)) if has_errors(found) else None


def run_shell(example: Example) -> str | None:
    """A line of a shell block that calls turnwise ends well."""
    for line in example.parsed.splitlines():
        before, found, words = line.partition("turnwise ")
        if not found:
            continue
        given = subprocess.check_output(before.rstrip("| "), shell=True, cwd=ROOT) if before else b""
        done = run(*shlex.split(words, comments=True), given=given, at=ROOT)
        if done.code:
            return f"{line}\nexit {done.code}\n{done.out}{done.err}"
    return None


def run_scenario(example: Example) -> str | None:
    """A scenario block plays as it says."""
    path = Path(example.path).parent / "block.scenario"
    file = parse_scenarios(example.parsed, path)
    return "\n".join(failure_lines(path, play_file(file))) or None


def _documents() -> Sybil:
    return Sybil(
        parsers=[
            PythonCodeBlockParser(),
            CodeBlockParser("yaml", run_flow),
            CodeBlockParser("sh", run_shell),
            CodeBlockParser("scenario", run_scenario),
        ],
        path=str(ROOT),
    )


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_code_block_of_a_page_runs(page: Path) -> None:
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        document = _documents().parse(page)
        assert isinstance(document, Document)
        for example in document.examples():
            example.evaluate()
    finally:
        os.chdir(before)


def test_the_generated_pages_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    for path, text in reference.pages():
        assert (ROOT / path).read_text("utf-8") == text, f"{path} is out of date: run scripts/reference.py"


def test_every_link_between_documents_leads_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_every_law_that_is_named_can_be_looked_up() -> None:
    found = re.findall(r"^\*\*(\d+\.\d+[a-z]?) ", (ROOT / "docs" / "laws.md").read_text("utf-8"), re.MULTILINE)
    assert len(found) == len(set(found))
    files = [
        path for folder in ("src", "tests", "docs") for path in (ROOT / folder).rglob("*.*") if path.suffix in _TEXTS
    ]
    named = {number for path in files for number in re.findall(r"\b[Ll]aws? (\d+\.\d+[a-z]?)", path.read_text("utf-8"))}
    assert {*LAWS, *named} <= set(found)


_TEXTS = (".py", ".md", ".scenario", ".toml")


def test_a_heading_or_anchor_that_is_linked_is_there() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md"]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]*)\)", page.read_text("utf-8")):
            path = page.parent / target if target else page
            heads = re.findall(r"^#+ (.*)", path.read_text("utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", head.casefold()).replace(" ", "-") for head in heads}
            assert anchor in anchors, f"{page.relative_to(ROOT)} links to {target}#{anchor}"


def test_every_code_of_a_refusal_stands_in_the_concepts() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "src" / "turnwise").rglob("*.py")]
    codes = {code for text in sources for code in re.findall(r'Refusal\("(\w+)"', text)} - {"not_awaited"}
    told = (ROOT / "docs" / "concepts.md").read_text("utf-8")
    assert len(codes) > 10
    assert {code for code in codes if f"`{code}`" not in told} == set()
