"""Wrong overlays in a document: each is reported at its key, with what was expected (TW107, TW028, TW022)."""

from __future__ import annotations

import pytest

from turnwise.api.documents import check_text

HEAD = "flow: f\nstart: n\nnodes: {n: {prompt: Talk.}}\noverlays:\n"
FORM = "a day or a moment of local time, such as 2026-11-20 or 2026-11-20T18:00, from 1900 to 3000"


def found(overlay: str) -> list[str]:
    """What is reported of an overlay `x` that has an addendum."""
    text = f"{HEAD}  x: {{addendum: So., {overlay}}}\n"
    return [f"{one.span.column} {one.code} {one.message}; {one.hint}" for one in check_text(text.encode(), "f.yaml")]


FAULTS = {
    "from: 1 December": f"28 TW107 '1 December' is no day and no moment; 'from' is {FORM}",
    "to: 2026-02-30": f"26 TW107 '2026-02-30' is no day and no moment; 'to' is {FORM}",
    "to: 2026-11-20T18:00Z": f"26 TW107 '2026-11-20T18:00Z' is no day and no moment; 'to' is {FORM}",
    "from: 1620-01-01": f"28 TW107 '1620-01-01' is no day and no moment; 'from' is {FORM}",
    "from: 2026-11-22, to: 2026-11-20": (
        "44 TW107 'x' ends on 2026-11-20, before it begins on 2026-11-22; 'from' is the first day or moment, 'to' the"
        " last one"
    ),
    "from: 2026-11-20T18:00, to: 2026-11-20T17:59": (
        "50 TW107 'x' ends on 2026-11-20T17:59, before it begins on 2026-11-20T18:00; 'from' is the first day or moment,"
        " 'to' the last one"
    ),
    "from: 2026-11-20, every: year": (
        "47 TW107 'x' comes back, and has no beginning or no end; give it both 'from' and 'to'"
    ),
    "from: 2026-01-01, to: 2027-01-01, every: year": (
        "63 TW107 'x' comes back before it ends; make it shorter than a year, or leave 'every' out"
    ),
    "from: 2026-01-01, time_zone: Europe/Berln": (
        "51 TW028 'Europe/Berln' is no time zone; did you mean 'Europe/Berlin'?"
    ),
}


@pytest.mark.parametrize(("overlay", "fault"), FAULTS.items(), ids=FAULTS)
def test_what_is_wrong_is_reported_at_its_key(overlay: str, fault: str) -> None:
    assert found(overlay) == [fault]


@pytest.mark.parametrize(
    "overlay",
    [
        "from: 2026-11-20, to: 2026-11-20",
        "from: 2026-11-20T18:00, to: 2026-11-20",
        "from: 2026-11-20 18:00:00, to: 2026-11-21",
        "from: 2026-01-01, to: 2026-12-31, every: year",
        "from: 2024-02-29, to: 2025-02-27, every: year",
        "to: 2026-11-20",
        "time_zone: Asia/Tokyo",
    ],
)
def test_what_is_right_is_not_reported(overlay: str) -> None:
    assert found(overlay) == []


def test_what_cannot_be_read_is_all_reported_at_once() -> None:
    assert [one.partition(" TW")[2][:3] for one in found("from: soon, to: later, time_zone: Mars")] == [
        "107",
        "107",
        "028",
    ]
