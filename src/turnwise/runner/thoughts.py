"""Removes the thoughts of a model from a text that comes in pieces, however these are cut.

Here thoughts count only at the beginning of a reply; `later_thoughts` finds those that follow. An end tag alone ends
thoughts too, for some chat templates open them: then the text before it is withdrawn.
"""

from __future__ import annotations

import re

from turnwise.flow.late_pattern import late_pattern
from turnwise.runner.later_thoughts import END_TAGS

_PAIRS = (
    ("<think>", "</think>"),  # DeepSeek, Qwen, MiniMax, Phi
    ("<thinking>", "</thinking>"),  # Nova, and Claude where a prompt asks for it
    ("<thought>", "</thought>"),  # Gemini and EXAONE
    ("<reasoning>", "</reasoning>"),
    ("<reason>", "</reason>"),  # a default of Open WebUI
    ("<seed:think>", "</seed:think>"),  # Seed-OSS
    ("<longcat_think>", "</longcat_think>"),
    ("[think]", "[/think]"),  # Magistral
    ("◁think▷", "◁/think▷"),  # Kimi
    ("<|start_thinking|>", "<|end_thinking|>"),  # Command
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|think|>", "<|end|>"),  # Solar Open
    ("<|channel>thought", "<channel|>"),  # Gemma
    ("<unused94>thought", "<unused95>"),  # MedGemma
    ("<|channel|>analysis<|message|>", "<|end|>"),  # gpt-oss
    ("<|channel|>commentary<|message|>", "<|end|>"),
)
"""The begin and the end of thoughts, as open models write them, case-folded."""
_ANSWERS = (
    ("<answer>", "</answer>"),
    ("<response>", "</response>"),
    ("<|begin_of_solution|>", "<|end_of_solution|>"),
    ("<|start_response|>", "<|end_response|>"),
)
"""What may enclose the reply after thoughts."""
_EMPTY = ("<think/>", "<think />", "<thinking/>", "<thinking />")
"""What stands for thoughts that are none."""
_CHANNEL = ("<|start|>assistant", "<|channel|>final<|message|>", "<|begin|>assistant", "<|content|>")
"""What gpt-oss and Solar Open write before their reply."""
_CHANNEL_ENDS = ("<|return|>", "<|end|>")
_BEGINS = tuple(begin for begin, _ in _PAIRS)
_ALONE = tuple(end for begin, end in _PAIRS if end[1:-1] == f"/{begin[1:-1]}" or "thinking" in end or "thought" in end)
_ANY_END = late_pattern("|".join(map(re.escape, _ALONE)))
_LONGEST_TAG = max(len(tag) for pair in _PAIRS for tag in pair)
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
"""Characters that show nothing, which may stand before a tag."""
_LONGEST_LEAD = 1_000
_END_ALONE = late_pattern(rf"{END_TAGS}|<\|end_thinking\|>|<\|end_of_thought\|>")
_MAY_BEGIN = ("<", "[", "◁")
_SENTENCE_ENDS = ".!?…:;。！？)*`\"'”’"
_QUOTES = "`\"'“‘«„([{<"


class ThoughtFilter:
    """Removes a model's thoughts (such as `<think>` blocks) from the text of one reply."""

    def __init__(self) -> None:
        self.has_thoughts = False
        self._held: str = ""
        self._end: str = ""
        """The tag that ends the present thoughts; empty outside of them."""
        self._begin_tag: str = ""
        self._depth = 1
        """How many thoughts have begun within each other."""
        self._doubtful: list[str] | None = None
        """The text after an end tag that ends the thoughts only if no better one comes."""
        self._is_begun = False
        """True if text of the reply itself has come."""
        self._closers: tuple[str, ...] = ()
        self._before: str = ""
        """The text so far, as long as an end tag alone may follow."""
        self._is_watching = True
        """False after an end tag that the text only speaks of."""

    def add(self, piece: str) -> tuple[str, bool]:
        """Return the text to show after one more piece, and true if everything shown before was thoughts."""
        self._held += piece
        return self._advance(is_end=False)

    def end(self) -> tuple[str, bool]:
        """Return the text that was held back at the end of the reply, and true if all shown before was thoughts."""
        return self._advance(is_end=True)

    def _advance(self, *, is_end: bool) -> tuple[str, bool]:
        if not self._is_begun and not self._begin(is_end=is_end):
            return "", False
        if self._closers:
            return self._without_closer(is_end=is_end), False
        if self.has_thoughts or not self._is_watching:
            text, self._held = self._held, ""
            return text, False
        return self._watch_end_alone(is_end=is_end)

    def _begin(self, *, is_end: bool) -> bool:
        """Skip what stands before the reply; return true if the reply has begun."""
        while True:
            if self._end and not self._skip_thoughts(is_end=is_end):
                if is_end:
                    self._held = ""
                return False
            text = _without_lead(self._held)
            if not text:
                if is_end and self.has_thoughts:
                    self._held = ""
                return is_end and bool(self._held)
            skipped = self._skip_tag(text, is_end=is_end) if text[0] in _MAY_BEGIN else False
            if skipped is None:
                return False
            if not skipped:
                self._held = text if self.has_thoughts else self._held
                self._is_begun = True
                return True

    def _skip_thoughts(self, *, is_end: bool) -> bool:
        """Skip to the end of the thoughts; return false if it has not come yet."""
        while (found := self._next_tag()) is not None:
            text, tag = self._held, found[0]
            self._pass(found.end())
            if tag == self._begin_tag:
                self._depth += 1
            elif tag == self._end and self._depth == 1:
                self._held, self._end, self._doubtful = text[found.end() :], "", None
                return True
            elif tag == self._end or self._doubtful is None:
                self._depth -= tag == self._end
                self._doubtful = []
        if not is_end or self._doubtful is None:
            self._pass(0 if is_end else max(0, len(self._held) - _LONGEST_TAG + 1))
            return False
        self._held, self._end, self._doubtful = "".join(self._doubtful) + self._held, "", None
        return True

    def _next_tag(self) -> re.Match[str] | None:
        """Return the next tag within thoughts: theirs, or an end tag of others."""
        folded = _folded(self._held)
        found = _ANY_END.search(folded)
        own = re.search(f"{re.escape(self._begin_tag)}|{re.escape(self._end)}", folded)
        return min((one for one in (found, own) if one is not None), key=lambda one: one.start(), default=None)

    def _pass(self, size: int) -> None:
        """Pass a part of the thoughts, which may turn out to be the reply."""
        if self._doubtful is not None:
            self._doubtful.append(self._held[:size])
        self._held = self._held[size:]

    def _skip_tag(self, text: str, *, is_end: bool) -> bool | None:
        """Skip a tag at the beginning of a text; return false if there is none, `None` if it may still come."""
        folded = _folded(text)
        for begin, end in (*_PAIRS, *(_ANSWERS if self.has_thoughts else ())):
            if folded.startswith(begin):
                self._held = text[len(begin) :]
                if (begin, end) in _ANSWERS:
                    self._closers = (end,)
                else:
                    self._begin_tag, self._end, self._depth, self.has_thoughts = begin, end, 1, True
                return True
        for tag in _EMPTY:
            if folded.startswith(tag):
                self._held, self.has_thoughts = text[len(tag) :], True
                return True
        for tag in _CHANNEL:
            if folded.startswith(tag):
                self._held, self.has_thoughts = text[len(tag) :], True
                self._closers = _CHANNEL_ENDS
                return True
        known = (*_BEGINS, *_EMPTY, *_CHANNEL, *((begin for begin, _ in _ANSWERS) if self.has_thoughts else ()))
        return None if not is_end and any(tag.startswith(folded) for tag in known) else False

    def _without_closer(self, *, is_end: bool) -> str:
        """Return the text without the tag that closes the reply, which may be at its end."""
        text, folded = self._held, _folded(self._held).rstrip()
        if is_end:
            closer = next((one for one in self._closers if folded.endswith(one)), "")
            self._held = ""
            return text[: len(folded) - len(closer)].rstrip() if closer else text
        at = max((folded.rfind(one[:size]) for one in self._closers for size in _ending(folded, one)), default=-1)
        cut = len(folded) if at < 0 else at
        self._held = text[cut:]
        return text[:cut]

    def _watch_end_alone(self, *, is_end: bool) -> tuple[str, bool]:
        """Return the text, unless an end tag shows that it was thoughts."""
        text, self._held = self._held, ""
        if "<" not in text and "[" not in text and "◁" not in text:  # each of `_MAY_BEGIN`
            self._before += text
            return text, False
        folded = _folded(text)
        found = _END_ALONE.search(folded)
        if found is not None and (is_end or found.end() < len(text)):  # what follows it decides
            if not _ends_thoughts(self._before + text[: found.start()], text[found.end() :]):
                self._is_watching = False
                return text, False
            self.has_thoughts, self._held, self._is_begun = True, text[found.end() :], False
            return self._advance(is_end=is_end)[0], True
        cut = len(text) if is_end else self._cut(folded, found.start() if found is not None else len(folded))
        self._held, shown = text[cut:], text[:cut]
        self._before += shown
        return shown, False

    def _cut(self, folded: str, most: int) -> int:
        """Return where the end of a text begins that may become an end tag."""
        return min((most, *(len(folded) - size for tag in _ALONE for size in _ending(folded, tag))))


def _ends_thoughts(before: str, after: str) -> bool:
    """Return whether an end tag alone ends thoughts. A text that only speaks of it quotes it, names the begin tag too,
    or has it between the words of a sentence.
    """
    if any(begin in _folded(before) for begin in _BEGINS) or before.count("```") % 2:
        return False
    if not before or before[-1] == "\n":
        return True
    if before[-1] in _QUOTES or before.rpartition("\n")[2].count("`") % 2:
        return False
    if not before[-1].isspace():
        return True
    return before.rstrip(" \t")[-1:] in (*_SENTENCE_ENDS, "\n", "") and (not after or after[0].isspace())


def _without_lead(text: str) -> str:
    """Return a text without what stands before it and shows nothing."""
    rest = text.lstrip()
    while rest and rest[0] in _INVISIBLE and len(text) <= _LONGEST_LEAD:
        rest = rest.lstrip(_INVISIBLE).lstrip()
    return rest


def _ending(text: str, tag: str) -> list[int]:
    """Return the sizes of the ends of a text that a tag begins with."""
    return [size for size in range(1, min(len(text), len(tag)) + 1) if text.endswith(tag[:size])]


def _folded(text: str) -> str:
    """Return a text in lower case, with the same length."""
    lowered = text.lower()
    return (
        lowered if len(lowered) == len(text) else "".join(one if len(one.lower()) > 1 else one.lower() for one in text)
    )
