"""Every Python block of the documents passes pyright strict: one run of the type checker over all pages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")],
)
SETTINGS = {
    "typeCheckingMode": "strict",
    "pythonVersion": "3.11",
    "extraPaths": [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT / "examples" / "health_intake")],
    "reportDuplicateImport": False,  # each block can be copied alone, so it repeats `import turnwise as tw`
}
_BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(page: str) -> list[str]:
    """The Python of a page, each line at its own line number: one program, as the tests run it.

    A page about a code of the checker has two programs, the bad example and the mended one.
    """
    found: list[list[str]] = []
    is_about_code = page.startswith("# TW")
    for block in _BLOCK.finditer(page):
        first = page.count("\n", 0, block.start(1))
        if not found or is_about_code:
            found.append([])
        found[-1] += [""] * (first - len(found[-1])) + block[1].splitlines()
    return ["\n".join(lines) + "\n" for lines in found]


def written(folder: Path) -> dict[Path, str]:
    """Write the programs of all pages into a folder; return the page that each file is from."""
    pages: dict[Path, str] = {}
    for page in PAGES:
        name = page.relative_to(ROOT)
        for number, program in enumerate(programs(page.read_text("utf-8"))):
            path = folder / name.with_name(f"{page.stem}_{number}.py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(program, "utf-8")
            pages[path.resolve()] = str(name)
    return pages


def type_errors(folder: Path) -> list[str]:
    """What the type checker reports of the pages, as `page:line: rule: message`."""
    pages = written(folder)
    (folder / "pyrightconfig.json").write_text(json.dumps(SETTINGS), "utf-8")
    checker = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    report = json.loads(subprocess.run(checker, capture_output=True, text=True, timeout=300, check=False).stdout)
    assert report["summary"]["filesAnalyzed"] == len(pages)
    return [
        f"{pages[Path(one['file']).resolve()]}:{one['range']['start']['line'] + 1}: {one.get('rule')}: {one['message']}"
        for one in report["generalDiagnostics"]
        if one["severity"] == "error"
    ]


def test_every_python_block_passes_pyright_strict(tmp_path: Path) -> None:
    found = type_errors(tmp_path)
    if found:
        pytest.fail("\n".join(found), pytrace=False)


def test_a_wrong_type_is_reported_at_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A page\n\n```python\nname: str = 'Ada'\n```\n\nText.\n\n```python\nage: int = name\n```\n", "utf-8"
    )
    monkeypatch.setattr(sys.modules[__name__], "PAGES", [page])
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    folder = tmp_path / "programs"
    folder.mkdir()
    (only,) = type_errors(folder)
    assert only.startswith("page.md:10: reportAssignmentType: ")
