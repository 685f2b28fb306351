"""What is shipped: a wheel, and the sources from which the same wheel is made, each with all that it needs.

Both are built here, without the network: what builds them is among the packages of development.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

from support.shell import ROOT, run
from turnwise.cli.demo_examples import EXAMPLES


def build(source: Path, to: Path, kind: str, **env: str) -> Path:
    """Build the one file of a kind."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(to)]
    variables = {**os.environ, **env}
    done = subprocess.run(command, cwd=source, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = to.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel puts where packages are."""
    folder = tmp_path_factory.mktemp("installed")
    ZipFile(wheel).extractall(folder)
    return folder


def files_below(folder: Path) -> set[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if "__pycache__" not in path.parts}


def test_the_wheel_has_the_package_and_the_examples_and_nothing_else(wheel: Path) -> None:
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    package = {f"turnwise/{name}" for name in files_below(ROOT / "src" / "turnwise")}
    examples = {f"turnwise/examples/{name}" for name in files_below(ROOT / "examples")}
    assert names == package | examples
    assert {"turnwise/py.typed", "turnwise/schemas/flow.schema.json"} <= names


def test_the_wheel_has_the_built_page_with_the_licences_of_its_packages(wheel: Path) -> None:
    archive = ZipFile(wheel)
    page = archive.read("turnwise/server/static/index.html").decode()
    scripts = re.findall(r'(?:src|href)="\./([^"]+)"', page)
    assert scripts
    assert {f"turnwise/server/static/{name}" for name in scripts} <= set(archive.namelist())
    notices = archive.read("turnwise/server/static/THIRD_PARTY_LICENSES.txt").decode()
    packages = re.findall(r"^([@\w/.-]+) [\d.]+ \((?:MIT|ISC)\)$", notices, re.MULTILINE)
    assert {"react", "react-dom", "@dagrejs/dagre"} <= {*packages}
    assert notices.count("Permission ") == len(packages)


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size <= 3_250_000


def test_a_wheel_can_be_built_without_the_page(tmp_path: Path) -> None:
    names = ZipFile(build(ROOT, tmp_path, "wheel", TURNWISE_STUDIO="skip")).namelist()
    assert "turnwise/py.typed" in names
    assert [name for name in names if "/static/" in name] == []


def test_the_wheel_says_what_it_is_and_needs(wheel: Path) -> None:
    archive = ZipFile(wheel)
    (folder,) = {name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name}
    about = Parser().parsestr(archive.read(f"{folder}/METADATA").decode())
    assert (about["Name"], about["Requires-Python"], about["License-Expression"]) == ("turnwise", ">=3.11", "MIT")
    assert about.get_payload().startswith("# turnwise")
    points = archive.read(f"{folder}/entry_points.txt").decode().split()
    assert "turnwise=turnwise.cli:main" in "".join(points)
    assert "turnwise=turnwise.testing.plugin" in "".join(points)
    assert f"{folder}/licenses/LICENSE" in archive.namelist()


def test_the_sources_give_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sources = build(ROOT, tmp_path / "sdist", "sdist")
    with tarfile.open(sources) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (folder,) = (tmp_path / "unpacked").iterdir()
    tops = {path.name for path in folder.iterdir()}
    assert tops - {".gitignore"} == {
        *("src", "examples", "studio", "scripts", "docs", "README.md", "LICENSE", "CHANGELOG.md"),
        *("pyproject.toml", "PKG-INFO"),
    }
    again = ZipFile(build(folder, tmp_path / "again", "wheel"))
    first = ZipFile(wheel)
    assert {one.filename: one.CRC for one in again.infolist()} == {one.filename: one.CRC for one in first.infolist()}


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_is_installed_shows_every_example_without_the_repository(
    installed: Path, tmp_path: Path, example: str
) -> None:
    ran = run("demo", example, at=tmp_path, PYTHONPATH=str(installed))
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[-1].startswith("Now talk with it yourself: turnwise demo")
    others = {*EXAMPLES} - {example}
    listed = next(line for line in ran.lines if line.startswith("Other examples: "))
    assert all(f"turnwise demo {other}" in listed for other in others)


def test_what_is_installed_checks_and_tests(installed: Path, tmp_path: Path) -> None:
    where = "import turnwise; print(turnwise.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", where], env={"PYTHONPATH": str(installed)}, capture_output=True, text=True, check=True
    )
    assert Path(found.stdout.strip()).is_relative_to(installed)
    (tmp_path / "f.yaml").write_text("flow: f\nstart: a\nnodes: {a: {say: Hi., end: done}}\n", "utf-8")
    assert run("check", "f.yaml", at=tmp_path, PYTHONPATH=str(installed)).out == "f.yaml: no problems\n"
    assert run("--help", PYTHONPATH=str(installed)).code == 0
    examples = installed / "turnwise" / "examples"
    ran = run("test", examples, "--fail-under", "100", at=tmp_path, PYTHONPATH=str(installed))
    assert (ran.code, ran.err) == (0, "")
