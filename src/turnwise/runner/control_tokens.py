"""Removes the control tokens of a chat template that a server left at the beginning or the end of a reply (law 2.1).

What follows the header of another message is no part of the reply. A token in code or in quotes is what a text speaks
of, and the tokens of calls are left to `written_calls`.
"""

from __future__ import annotations

import re

from turnwise.flow.late_pattern import late_pattern
from turnwise.runner.readable import MARKERS, ROLES
from turnwise.runner.text_filters import HoldingFilter

_OF_CALLS = r"(?!<[^<>\n]{0,40}(?i:tool|func|call|invoke|python_tag|plugin|action|channel))"
_TOKEN_TEXT = (
    rf"(?:{_OF_CALLS}<(?:[|｜][\w:./▁ -]{{1,60}}[|｜]|(?i:{MARKERS})|turn\||[|]turn)>"
    r"|\[/?(?:INST|SYS|EOS|BOS|PAD|UNK)\]|<<?/?SYS>>)"
)
_RUN = late_pattern(rf"{_TOKEN_TEXT}(?:\s*{_TOKEN_TEXT})*")
"""Control tokens with nothing between them."""
_OPENS = r"(?i:<\|(?:im_start|start|start_header_id|role)\|>|<start_of_turn>|<turn\||<\|turn>)"
_HEADER = late_pattern(rf"{_OPENS}\s*(?i:{ROLES})\b(?:\s*(?:{_TOKEN_TEXT}|<\|message\|>))?[:\s]*")
"""What begins a message: its role, between control tokens."""
_OPEN_HEADER = late_pattern(rf"{_OPENS}\s*[A-Za-z]{{0,9}}\Z")
_SPEAKER = late_pattern(
    r"(?i:<[|｜](?:assistant|model|bot|ai|begin[\w▁ ]{0,20}|start[\w▁ ]{0,20}|bos|im_start)[|｜]>|<(?:s|bos)>)"
)
"""A token that only stands before a reply."""
_PART = late_pattern(r"(?:<(?:[|｜]?[\w:./▁ -]{0,60}[|｜]?|<?/?\w{0,30})|\[/?\w{0,5})\Z")
"""The end of a text that may become a control token."""
_CUT = late_pattern(rf"{_OF_CALLS}<[|｜][\w▁]{{2,40}}[|｜]?\Z")
"""A control token that was cut off."""
_MAY_BEGIN = ("<", "[")
_LONGEST = 64
_MOST_HELD = 2_000
_QUOTES = "`\"'“‘«„("


class ControlTokens(HoldingFilter):
    """Removes control tokens around the text of one reply."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: list[str] = []
        self._is_first = True
        self._is_skipping = False
        """True behind tokens before the reply."""
        self._is_over = False
        """True behind the header of another message."""

    def _advance(self, *, is_end: bool) -> str:
        if self._is_first and not self._skip_first(is_end=is_end):
            return ""
        text = self._held
        cut = 0 if self._is_over else self._cut(text, is_end=is_end)
        shown, self._held = text[:cut], "" if is_end or self._is_over else text[cut:]
        if shown:
            self._shown.append(shown)
        return shown

    def _skip_first(self, *, is_end: bool) -> bool:
        """Skip the tokens before the reply; return false if the reply has not begun."""
        while (text := self._held.lstrip()).startswith(_MAY_BEGIN):
            header = _HEADER.match(text)
            run = _RUN.match(text) if header is None else None
            found = header or run
            is_open = _PART.match(text) or _OPEN_HEADER.match(text) or (found is not None and found.end() == len(text))
            if not is_end and is_open and len(text) <= _MOST_HELD:
                return False
            if found is None or (run is not None and not _stands_before(run, text)):
                break
            self._held, self._is_skipping = text[found.end() :], True
        if self._is_skipping:
            self._held = self._held.lstrip()
        self._is_first = not is_end and not self._held.strip()
        return not self._is_first

    def _cut(self, text: str, *, is_end: bool) -> int:
        """Return how much of a text can be shown: up to the tokens that end it, or may end it."""
        if _MAY_BEGIN[0] not in text and _MAY_BEGIN[1] not in text:
            return len(text)
        at = 0 if len(text) <= _MOST_HELD or is_end else len(text)
        while (run := _RUN.search(text, at)) is not None:
            at = run.end()
            rest = text[at:].lstrip()
            header = next((one for one in _HEADER.finditer(text, run.start()) if one.start() < at), None)
            is_ending = not rest or header is not None or _PART.match(rest) or _OPEN_HEADER.search(text, run.start())
            if not is_ending or self._is_quoted(text[: run.start()]):
                continue
            self._is_over = header is not None
            if self._is_over or not rest or not is_end or _CUT.match(rest):
                return run.start()
        part = (_CUT if is_end else _PART).search(text, max(at, len(text) - _LONGEST))
        if part is None or (is_end and self._is_quoted(text[: part.start()])):
            return len(text)
        return part.start()

    def _is_quoted(self, before: str) -> bool:
        """Return whether a token after a text is in code or in quotes, or ends what an element of HTML strikes out."""
        before = "".join((*self._shown, before))
        line = before.rpartition("\n")[2]
        is_code = before.count("```") % 2 or line.count("`") % 2
        return bool(is_code) or before[-1:] in tuple(_QUOTES) or "<s>" in before


def _stands_before(run: re.Match[str], text: str) -> bool:
    """Return whether control tokens at the beginning of a text are no part of its first sentence."""
    after = text[run.end() : run.end() + 1]
    if run[0].lower() == "<s>":
        return after.isspace()
    return after != " " or _SPEAKER.match(text) is not None
