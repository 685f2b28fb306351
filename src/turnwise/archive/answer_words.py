"""In which words an answer is written: the language of its sentences, and titles or ids for what a flow has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from turnwise.errors import WrongArgument

if TYPE_CHECKING:
    from turnwise.core.machine import Machine
    from turnwise.core.phrase import Writer
    from turnwise.core.state import State


class AnswerWords(NamedTuple):
    """The words of an answer."""

    language: str = "en"
    """The code of its language, one of `LANGUAGES`."""
    has_titles: bool = False
    """Whether nodes, fields, tools, conditions and values stand as people call and write them, not as the flow does."""

    def writer(self, machine: Machine, state: State) -> Writer:
        """Return what writes an answer about a conversation. Raises `WrongArgument` for another language."""
        from turnwise.archive.answer_titles import AnswerTitles
        from turnwise.core.phrase import Writer
        from turnwise.why.languages import LANGUAGES, texts_in

        if self.language not in LANGUAGES:
            raise WrongArgument("language", self.language, f"one of {', '.join(LANGUAGES)}")

        texts = texts_in(self.language)
        if not self.has_titles:
            return Writer(self.language, texts)
        return Writer(self.language, texts, AnswerTitles(machine, state, self.language).title)


ENGLISH = AnswerWords()
"""The words of an answer that asks for no others."""
