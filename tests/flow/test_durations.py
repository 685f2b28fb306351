"""Time spans: as people write them, as seconds, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.flow.durations import read_duration_s, write_duration

READ: list[tuple[str, float | None]] = [
    ("90s", 90), ("30m", 1800), ("5min", 300), ("2h", 7200), ("3d", 259_200), ("2w", 1_209_600), ("1h30m", 5400), ("250ms", 0.25),
    ("1.5h", 5400), (" 2 h ", 7200), ("2H", 7200), ("PT90M", 5400), ("P1DT2H", 93_600), ("P2W", 1_209_600), ("pt0.5s", 0.5),
    ("30", None), ("", None), ("h", None), ("1y", None), ("-5m", None), ("5m later", None), ("P", None), ("PT", None), ("1 2h", 43_200),
]  # fmt: skip


@pytest.mark.parametrize(("text", "seconds"), READ, ids=[text or "nothing" for text, _ in READ])
def test_a_time_span_means_so_many_seconds(text: str, seconds: float | None) -> None:
    assert read_duration_s(text) == seconds


@given(st.integers(0, 10**12))
def test_every_millisecond_is_written_and_read(milliseconds: int) -> None:
    assert read_duration_s(write_duration(milliseconds / 1000)) == milliseconds / 1000
