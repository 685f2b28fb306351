"""Values as people read them: no language and no value makes it fail, and nothing technical is shown."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from babel.localedata import locale_identifiers

from turnwise.core.formatting import FORMATS, STYLES, FormatLocale, formatter, localized
from turnwise.flow.template import Format

LANGUAGES = locale_identifiers()
SPANS = [timedelta(days=10, hours=2, minutes=3, seconds=4), timedelta(seconds=0.5), timedelta(0), timedelta(days=-3)]
MOMENTS = [
    datetime(2026, 11, 20, 18, 30, 5, tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
    datetime.min.replace(tzinfo=UTC),
]
VALUES: dict[str, list[Any]] = {
    "duration": SPANS,
    "timestamp": MOMENTS,
    "date": ["2026-11-20", "0001-01-01", "9999-12-31"],
    "time": ["18:30", "00:00:01"],
    "double": [0.5, -1e300, 1234567.891],
    "int": [0, -(2**63), 2**63 - 1],
}


def test_a_time_span_of_many_units_is_written_in_german() -> None:
    assert (
        localized("duration", SPANS[0], FormatLocale("de", "UTC"))
        == "1 Woche, 3 Tage, 2 Stunden, 3 Minuten, 4 Sekunden"
    )


def test_a_unit_that_the_tables_lack_is_written_in_a_wider_form() -> None:
    narrow = formatter(Format("duration", "narrow", False, 0), "duration")
    assert narrow(timedelta(seconds=0.5), FormatLocale("de", "UTC")) == "0,5 Sek."


@pytest.mark.parametrize("kind", VALUES)
def test_every_value_is_written_in_every_language(kind: str) -> None:
    for language in LANGUAGES:
        for value in VALUES[kind]:
            text = localized(kind, value, FormatLocale(language, "UTC"))
            assert text
            assert "duration-" not in text


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_every_value_in_every_language(name: str) -> None:
    found = FORMATS[name]
    words = ["EUR"] if name == "currency" else found.words or (STYLES if name in ("date", "time") else [""])
    for word in words:
        for kind in found.kinds:
            write = formatter(Format(name, word, False, 0), kind)
            for language in LANGUAGES:
                for value in VALUES[kind]:
                    text = write(value, FormatLocale(language, "Pacific/Auckland"))
                    assert text
                    assert "duration-" not in text
