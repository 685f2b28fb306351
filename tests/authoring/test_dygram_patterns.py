"""The types UUID and URL of DyGram accept the texts that have their form, and no other."""

from __future__ import annotations

import pytest

import turnwise as tw
from turnwise.api.documents import check_text
from turnwise.core.values.patterns import field_regex

UUID, URL = "UUID", "URL"


def _pattern(type_: str, more: str = "") -> str:
    flow = tw.loads(f"context order {{ value<{type_}>{more}; }}\nstate a;", format="dygram")
    (field,) = flow.records[0].fields
    return field.pattern


@pytest.mark.parametrize(
    ("type_", "value", "is_accepted"),
    [
        (UUID, "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f", True),
        (UUID, "3F2B8C1E-5D4A-4C6B-9E7F-0A1B2C3D4E5F", True),
        (UUID, "00000000-0000-0000-0000-000000000000", True),
        (UUID, "3f2b8c1e5d4a4c6b9e7f0a1b2c3d4e5f", False),
        (UUID, "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5", False),
        (UUID, "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5g", False),
        (URL, "https://example.org", True),
        (URL, "http://localhost:8080/a?b=c#d", True),
        (URL, "s3://bucket/key", True),
        (URL, "https://münchen.example/straße", True),
        (URL, "example.org", False),
        (URL, "https://", False),
        (URL, "https://example.org/a b", False),
        (URL, "my page https://example.org", False),
    ],
)
def test_a_uuid_or_url_accepts(type_: str, value: str, is_accepted: bool) -> None:
    assert bool(field_regex(_pattern(type_)).fullmatch(value)) is is_accepted


def test_a_type_in_another_keeps_its_pattern_and_that_of_the_field_wins() -> None:
    assert _pattern("URL?") == _pattern("Optional<url>") == _pattern("List<URL>") == _pattern(URL)
    assert _pattern(URL, ': { pattern: "https://.+"; }') == "https://.+"
    assert _pattern("string") == ""


def test_a_default_without_the_form_is_reported() -> None:
    found = check_text(b'context order { page<URL>: "none"; }\nstate a;', "a.dy")
    assert [one.code for one in found if one.severity == "error"] == ["TW042"]
