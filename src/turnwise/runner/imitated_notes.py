"""Finds notes that a model imitates: lines that begin with the mark of the application or of a person (law 2.1).

A text that speaks of such a mark within a line imitates none.
"""

from __future__ import annotations

from unicodedata import category

from turnwise.core.prompts.markers import begins_with_mark
from turnwise.runner.text_filters import HoldingFilter

_LONGEST_MARK = 100
_BEFORE = " \n\t>*_#-+"
"""What may stand before a mark in its line."""


class ImitatedNotes(HoldingFilter):
    """Withholds the text of one reply from where it imitates a note that turnwise writes in transcripts."""

    def __init__(self) -> None:
        super().__init__()
        self._is_at_begin = True
        """True if nothing has come in the line but what may stand before a mark."""
        self.are_found = False

    def _advance(self, *, is_end: bool) -> str:
        text, at = self._held, 0
        while at < len(text) and not self.are_found:
            if not self._is_at_begin:
                line = text.find("\n", at)
                at, self._is_at_begin = (line + 1, True) if line >= 0 else (len(text), False)
                continue
            char, kind = text[at], category(text[at])
            if kind in ("Ps", "Sm"):
                if not is_end and _is_open(text[at:]):
                    break
                self._is_at_begin = False
                self.are_found = begins_with_mark(text[at : at + _LONGEST_MARK].partition("\n")[0])
                if self.are_found:
                    break
            else:
                self._is_at_begin = char in _BEFORE or kind in ("Cf", "Zs")
            at += 1
        shown, self._held = text[:at], text[at:]
        return shown


def _is_open(text: str) -> bool:
    """Return whether a bracket may still become a mark."""
    return len(text) < _LONGEST_MARK and not any(char == "\n" or category(char) == "Pe" for char in text)
