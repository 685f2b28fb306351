"""Plants known defects into sound flows and looks whether they are reported: `PYTHONPATH=tests python -m check.planting 300`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from check.defects import KINDS, NoPlace, Planted
from turnwise.api.documents import check_text, load
from turnwise.authoring.document import read_document
from turnwise.authoring.yaml_text import write_yaml
from turnwise.flow.model import Flow

ROOT = Path(__file__).parents[2]
NEED_CODE = {"with_code.flow.yaml"}
"""Flows whose text alone is not the whole: they name functions."""

SOUND = sorted(
    path
    for path in [*ROOT.glob("examples/*/*.flow.yaml"), ROOT / "tests" / "flows" / "health_intake.flow.yaml"]
    if path.name not in NEED_CODE
)
"""Flows without a fault: the examples, and the one that the tests of seed 000 talk with."""

LEAST = 0.95
"""The part of all planted defects that must be reported."""


@dataclass(frozen=True)
class Tried:
    """What became of one planted defect."""

    kind: str
    flow: str
    number: int
    code: str
    line: int
    found: tuple[str, ...]
    text: str

    @property
    def is_told(self) -> bool:
        """True if the right code stands at the right line."""
        return f"{self.code}:{self.line}" in self.found

    @property
    def others(self) -> list[str]:
        """What was said besides."""
        return [one for one in self.found if one != f"{self.code}:{self.line}"]


def plant(count: int, seed: int = 0) -> Iterator[Tried]:
    """So many defects: every kind in turn, each in the next flow that has a place for it."""
    flows = {f"{path.parent.name}/{path.name}": load(path) for path in SOUND}
    kinds = list(KINDS)
    for number in range(count):
        chance = Random(f"{seed}/{number}")
        yield _tried(kinds[number % len(kinds)], flows, number, chance)


def _tried(kind: str, flows: dict[str, Flow], number: int, chance: Random) -> Tried:
    while True:
        name = chance.choice(list(flows))
        planted = _planted(kind, flows[name], chance)
        if planted is not None:
            break
    text = write_yaml(planted.flow)
    if planted.spoil is not None:
        text, line = planted.spoil(text)
    else:
        line = planted.place(read_document(text, name).flow).line
        assert line > 1, f"{kind}: the planted part has no place of its own"
    found = tuple(f"{one.code}:{one.span.line}" for one in check_text(text.encode(), name))
    return Tried(kind, name, number, planted.code, line, found, text)


def _planted(kind: str, flow: Flow, chance: Random) -> Planted | None:
    try:
        return KINDS[kind](flow, chance)
    except NoPlace:
        return None


def table(tried: list[Tried]) -> str:
    """What was missed, by kind."""
    all_of, missed = Counter(one.kind for one in tried), Counter(one.kind for one in tried if not one.is_told)
    lines = [f"{sum(missed.values())} of {len(tried)} planted defects were missed"]
    lines += [f"  {number} of {all_of[kind]}  {kind}" for kind, number in missed.most_common()]
    return "\n".join(lines)


def main() -> int:
    """Plant, and print what was missed; with `-v` each of them, with what was said besides."""
    tried = list(plant(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
    print(table(tried))
    for one in tried if "-v" in sys.argv else ():
        if not one.is_told or one.others:
            print(f"{one.number} {one.kind} in {one.flow}: {one.code}:{one.line}, found {', '.join(one.found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
