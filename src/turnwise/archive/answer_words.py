"""In which words an answer is written: the language of its sentences, and titles or ids for what a flow has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from turnwise.errors import WrongArgument

if TYPE_CHECKING:
    from turnwise.core.machine import Machine
    from turnwise.core.phrase import Writer
    from turnwise.core.state import State


LANGUAGES = ("en", "de")
"""The languages in which answers and lines about events are written."""


@cache
def texts_in(language: str) -> Mapping[str, str]:
    """Return the sentence templates in a language, by the English ones; empty for English.

    `texts/de.json` has those of German, grouped by the modules that write them; what stands in brackets is left out
    without its value. A test checks that each template of the code has one with the same values.
    """
    if language == "en":
        return {}
    import json
    from importlib.resources import files

    groups = json.loads(files("turnwise.archive").joinpath("texts", f"{language}.json").read_text(encoding="utf-8"))
    return {english: text for texts in groups.values() for english, text in texts.items()}


class AnswerWords(NamedTuple):
    """The language of an answer, and whether it uses titles."""

    language: str = "en"
    """The code of the answer's language, one of `LANGUAGES`."""
    has_titles: bool = False
    """Whether titles for people replace the names in the flow, also in conditions and values."""

    def writer(
        self, machine: Machine, state: State | None = None, conversations: Mapping[str, str] = MappingProxyType({})
    ) -> Writer:
        """Return a writer of answers about a conversation; without a state, conditions and values stay unchanged.
        `conversations` are what people call the conversations that the answer names, by their ids.

        Raises `WrongArgument` for another language.
        """
        from turnwise.archive.answer_titles import AnswerTitles
        from turnwise.core.phrase import Writer

        if self.language not in LANGUAGES:
            raise WrongArgument("language", self.language, f"one of {', '.join(LANGUAGES)}")

        texts = texts_in(self.language)
        if not self.has_titles:
            return Writer(self.language, texts)
        return Writer(self.language, texts, AnswerTitles(machine, state, self.language, conversations).title)


ENGLISH = AnswerWords()
"""The default: answers in English, with the names of the flow."""
