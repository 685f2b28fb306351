r"""The patterns of fields: `\w` and `\d` are letters and digits of every script, in linear time."""

from __future__ import annotations

import pytest

from turnwise.core.language import language_of
from turnwise.core.values import Refused, Rules, read_value
from turnwise.core.values.patterns import of_all_scripts
from turnwise.flow.model import Field

RULES = Rules(language_of("en"))


@pytest.mark.law("5.2")
@pytest.mark.parametrize(
    ("pattern", "text", "holds"),
    [
        (r"\w+", "Łukasz", True),
        (r"\w+", "शर्मिला", True),
        (r"\w+", "מִרְיָם", True),
        (r"\w+", "علی‌رضا", True),
        (r"\w+", "Anna-Lena", False),
        (r"[\w-]+", "Zoë-Renée", True),
        (r"\d{4}", "٢٠٢٧", True),
        (r"[A-Z]\d+", "Q४२", True),
        (r"[A-Z]\d+", "Éa", False),
        (r"\W\w", "éa", False),
        (r"\D+", "٤", False),
        (r"\\w", r"\w", True),
        (r"\Q\d\E", "7", False),
        (r"[]\d]+", "]7٧", True),
        (r"\w{1,60}", "é" * 60, True),
    ],
)
def test_letters_and_digits_are_those_of_every_script(pattern: str, text: str, *, holds: bool) -> None:
    found = read_value(Field("code", pattern=pattern), text, RULES)
    assert (found == text) is holds
    assert holds or isinstance(found, Refused)


def test_what_is_written_out_stays() -> None:
    assert of_all_scripts(r"[a-z]{2}[[:digit:]]\.\S") == r"[a-z]{2}[[:digit:]]\.\S"
