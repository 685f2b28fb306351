"""The mutants, one file per section of the laws, and the tests that name a law."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
SOURCES = ROOT / "src"
MUTANTS = TESTS / "mutants"

LAWS = (
    *("1.1", "1.2", "1.3", "1.4", "1.6", "1.7", "1.8"),
    *("2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7"),
    *(f"2.{number}" for number in range(8, 19)),
    *("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "3.9a", "3.10", "3.11", "3.12", "3.13"),
    *("4.1", "4.2", "4.3", "4.3a", "4.4", "4.5"),
    *(f"5.{number}" for number in range(1, 15)),
    *("5.15", "5.16", "5.17", "5.18"),
    *("6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7", "6.8", "6.9", "6.10"),
    *("7.1", "7.1a", "7.2", "7.3", "7.3a", "7.3b", "7.4", "7.5", "7.6"),
)
"""The laws that hold in this version; each has tests and mutants."""

_MARK = re.compile(r"mark\.law\(([^)]*)\)")
_NUMBER = re.compile(r"[\"'](\d+\.\d+[a-z]?)[\"']")
_NAMED = re.compile(r"law-(\d+)-(\d+[a-z]?)-")


@dataclass(frozen=True)
class Mutant:
    """A small breaking patch: `find`, which occurs once in `file`, becomes `replace`, and `law` is broken."""

    name: str
    law: str
    file: str
    why: str
    find: str
    replace: str

    @property
    def module(self) -> str:
        """The module that it patches, as it is imported."""
        parts = Path(self.file).relative_to("src").with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def patched(self) -> str:
        """The text of its file with the patch; raises `ValueError` where it does not fit."""
        text = (ROOT / self.file).read_text("utf-8")
        found = text.count(self.find)
        if found != 1:
            raise ValueError(f"{self.name}: what it looks for occurs {found} times in {self.file}")
        return text.replace(self.find, self.replace)


def _place(law: str) -> tuple[int, int, str]:
    """Return the place of a law in their order: `7.3a` stands behind `7.3`."""
    section, _, number = law.partition(".")
    digits = number.rstrip("abcdefgh")
    return int(section), int(digits), number[len(digits) :]


@cache
def mutants() -> tuple[Mutant, ...]:
    """All mutants, by the numbers of their laws."""
    sections = [tomllib.loads(path.read_text("utf-8")) for path in MUTANTS.glob("section_*.toml")]
    found = [Mutant(**one) for section in sections for one in section["mutant"]]
    return tuple(sorted(found, key=lambda mutant: (_place(mutant.law), mutant.name)))


@cache
def files_of_laws() -> Mapping[str, tuple[Path, ...]]:
    """For every law the files with tests that name it, those that try at random last; a scenario file stands
    for the test that plays it.
    """
    found: dict[str, dict[Path, None]] = defaultdict(dict)
    for path in sorted(TESTS.rglob("test_*.py")):
        for mark in _MARK.findall(path.read_text("utf-8")):
            for law in _NUMBER.findall(mark):
                found[law][path] = None
    for path in sorted((TESTS / "transcripts").glob("*.scenario")):
        if named := _NAMED.match(path.name):
            found[f"{named[1]}.{named[2]}"][TESTS / "test_transcripts.py"] = None
    return {law: tuple(sorted(files, key=lambda path: "propert" in str(path))) for law, files in found.items()}
