"""The languages of answers: the templates of sentences in English, and what stands for each in another language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "de")
"""The languages in which answers are written."""


@cache
def texts_in(language: str) -> Mapping[str, str]:
    """Return the templates of a language by the English ones; of English there are none.

    `texts/de.toml` has those of German. A test checks that each template of the code has one with the same values.
    """
    if language == "en":
        return {}
    return tomllib.loads(files("turnwise.why").joinpath("texts", f"{language}.toml").read_text(encoding="utf-8"))
