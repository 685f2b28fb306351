"""Finds calls of tools that a model wrote as text, as small models do, and holds them back from a stream.

A text is a call if it names a tool of the flow or of turnwise in a form that models write, or if it is the markup of a
call, whatever it names.
"""

from __future__ import annotations

from turnwise.core.call_names import CallNames
from turnwise.flow.late_pattern import late_pattern
from turnwise.runner.call_arguments import called_at_head
from turnwise.runner.call_heads import head_begin
from turnwise.runner.call_objects import called_by_object, is_of_program, may_be_call
from turnwise.runner.call_tags import ELEMENT, OPEN_TAG, TAG, called_in_tags

_OPENER = late_pattern(r"[{<\[`]|to=functions\.|functools\[")
_OPENER_PART = late_pattern(r"(?<!\w)(?:to=?f?u?n?c?t?i?o?n?s?|t|fu?n?c?t?o?o?l?s?)\Z")
"""The end of a text that may become such a word."""
_FENCE = late_pattern(r"`{1,3}\w{0,20}\s*")
_LONGEST_HEAD = 200
"""After so many characters a text that may be a call is held back to its end."""
_MOST_CHARACTERS = 20_000
"""How much of a text is searched for calls that are no JSON."""
_LONGEST_WORD = 14
_MOST_BEFORE = 16
_MARKS = "`*\"'[]()<> \n\t.:"
"""What may stand around a name that is a whole reply."""


class WrittenCalls:
    """Withholds calls of tools that a model wrote into the text of one reply."""

    def __init__(self, names: CallNames) -> None:
        self._names = names
        self._held = ""
        self._is_holding = False
        self._shown: list[str] = []
        self._before = ""
        """The last characters that were shown, with which a line may have begun."""
        self.tool = ""
        """The tool that is called in the text, at its end."""

    def add(self, piece: str) -> str:
        """Add a piece; return what can be shown of it and of what was held back before, but nothing a second time."""
        self._held += piece
        if self._is_holding:
            return ""
        cut = self._safe()
        shown, self._held = self._held[:cut], self._held[cut:]
        if shown:
            self._shown.append(shown)
            self._before = _tail((self._before + shown)[-_MOST_BEFORE:])
        return shown

    def end(self) -> str:
        """Return the text that was held back, at the end of the reply, and find whether it calls a tool."""
        held, self._held = self._held, ""
        if held:
            before = "".join(self._shown)[-_MOST_CHARACTERS:]
            self.tool = called_in(before + held, self._names)
        return held

    def _safe(self) -> int:
        """Return how much of the text that waits can be no call."""
        text, at, cut = self._held, 0, len(self._held)
        while (found := _OPENER.search(text, at)) is not None:
            begin = found.start()
            verdict, at = _judged(text, begin, self._names)
            if verdict is not False:
                self._is_holding = verdict is True or len(text) - begin > _LONGEST_HEAD
                cut = begin
                break
        else:
            part = _OPENER_PART.search(text, max(0, cut - _LONGEST_WORD))
            cut = part.start() if part is not None else cut
        before = self._before or "\n"
        begin, is_call = head_begin(before + text[:cut], self._names)
        if begin - len(before) < cut:
            self._is_holding = self._is_holding or is_call
        return max(0, min(cut, begin - len(before)))


def _tail(text: str) -> str:
    """Return the marks at the end of a text, with the character before them."""
    at = len(text)
    while at and not text[at - 1].isalnum():
        at -= 1
    return text[max(0, at - 1) :]


def _judged(text: str, begin: int, names: CallNames) -> tuple[bool | None, int]:
    """Return whether a call may stand at a place, `None` if what comes next decides, and where to look on."""
    at = begin
    while at < len(text):
        if at - begin > _LONGEST_HEAD:
            return True, at
        element = ELEMENT.match(text, at)
        if text[at].isspace():
            at += 1
        elif text[at] == "`" and (fence := _FENCE.match(text, at)) is not None:
            at = fence.end()
        elif TAG.match(text, at) is not None or (element is not None and names.find(element["name"])):
            return True, at
        elif text[at] == "{":
            return may_be_call(text, at, names), at + 1
        elif text[at] == "[" and not OPEN_TAG.match(text, at):
            at += 1
        elif text[at] in "[<":
            return None if OPEN_TAG.match(text, at) else False, at + 1
        else:
            return text[begin] not in "{<[`", at + 1
    return None, at


def called_in(text: str, names: CallNames) -> str:
    """Return the name of the tool that a text calls; empty where it calls none."""
    whole = text.strip(_MARKS)
    if is_of_program(whole) and names.find(whole):  # a reply that is only the name of a tool
        return names.find(whole)
    short = text[-_MOST_CHARACTERS:]
    return called_by_object(text, names) or called_in_tags(short, names) or called_at_head(short, names)
