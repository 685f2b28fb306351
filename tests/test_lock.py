"""The locked packages are those that are declared, each with its hashes, and no address stands beside them (0002)."""

from __future__ import annotations

import re
import tomllib

import pytest

from support.shell import ROOT

LOCK = (ROOT / "requirements.lock").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DECLARED = [
    *((line, "pyproject.toml") for line in PROJECT["project"]["dependencies"]),
    *((line, "pyproject.toml") for line in PROJECT["project"]["optional-dependencies"]["server"]),
    *((line, "pyproject.toml:dev") for line in PROJECT["dependency-groups"]["dev"]),
]


@pytest.mark.parametrize(("declared", "by"), DECLARED, ids=[line for line, _ in DECLARED])
def test_what_is_declared_is_locked_for_that_reason(declared: str, by: str) -> None:
    name, least = re.fullmatch(r"([\w.-]+)>=([\d.]+)(?:,<\d+)?(?:;.*)?", declared).groups()  # type: ignore[union-attr]
    written = re.sub(r"[-_.]+", "-", name)
    blocks = re.findall(rf"^{re.escape(written)}==(\S+) .*\n((?: {{4}}.*\n)+)", LOCK, re.MULTILINE)
    assert blocks
    for version, block in blocks:
        assert f"turnwise ({by})" in block
        assert [*map(int, re.findall(r"\d+", version))] >= [*map(int, re.findall(r"\d+", least))]


def test_every_package_has_hashes_and_none_an_address() -> None:
    entries = re.split(r"^(?=\S+==)", LOCK, flags=re.MULTILINE)[1:]
    assert len(entries) > len(DECLARED)
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in LOCK
    assert not re.search(r"--(index|extra-index|find-links|trusted-host)", LOCK)
