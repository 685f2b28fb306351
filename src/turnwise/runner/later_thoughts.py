"""Removes blocks of thoughts that come after the beginning of a reply, as models that think between sentences write.

A text that only speaks of the tags keeps them: in code, in quotes, in an example, or between the words of a sentence.
"""

from __future__ import annotations

from turnwise.flow.late_pattern import late_pattern

_WORDS = "think|thinking|thought|reasoning|reason|seed:think|longcat_think"
_BEGIN = late_pattern(rf"(?i:<(?:{_WORDS})>|\[think\]|◁think▷)")
END_TAGS = rf"</(?:{_WORDS})>|\[/think\]|◁/think▷"
"""The tags that end thoughts, as a pattern."""
_END = late_pattern(f"(?i:{END_TAGS})")
_PART = late_pattern(r"(?i:<[a-z:_]{0,13}|\[(?:t(?:h(?:i(?:nk?)?)?)?)?|◁(?:t(?:h(?:i(?:nk?)?)?)?)?)\Z")
"""The end of a text that may become a begin tag."""
_LONGEST_TAG = 16
_SENTENCE_ENDS = ".!?…。！？"
_QUOTES = "`\"'“‘«„([{<"


class LaterThoughts:
    """Removes the thoughts (`<think>` blocks) that come after the beginning of one reply's text."""

    def __init__(self) -> None:
        self._held = ""
        self._shown: list[str] = []
        self._searched = 0
        """How much of thoughts that wait has no end tag."""
        self._is_inside = False
        self._skips_space = False
        self._is_after_thoughts = False

    def add(self, piece: str, *, is_after_thoughts: bool) -> str:
        """Return the text that can be shown after one more piece; `is_after_thoughts`: thoughts came before it."""
        self._held += piece
        self._is_after_thoughts = self._is_after_thoughts or is_after_thoughts
        return self._advance(is_end=False)

    def end(self) -> str:
        """Return the text that was still held back, at the end of the reply.
        Thoughts that never end are shown, unless others came before them.
        """
        return self._advance(is_end=True)

    def _advance(self, *, is_end: bool) -> str:
        begin = len(self._shown)
        while self._held and (self._skip(is_end=is_end) if self._is_inside else self._show(is_end=is_end)):
            pass
        return "".join(self._shown[begin:])

    def _skip(self, *, is_end: bool) -> bool:
        """Skip to the end of thoughts; return false if it has not come yet."""
        found = _END.search(self._held, self._searched)
        if found is None:
            self._searched = max(0, len(self._held) - _LONGEST_TAG)
            if is_end:
                self._emit("" if self._is_after_thoughts else self._held)
                self._held = ""
            return False
        self._held, self._is_inside, self._is_after_thoughts = self._held[found.end() :], False, True
        self._skips_space = not self._shown or self._shown[-1][-1:].isspace()
        return True

    def _show(self, *, is_end: bool) -> bool:
        """Show the text before the next thoughts; return false if nothing more can be decided."""
        if self._skips_space:
            self._held = self._held.lstrip()
            self._skips_space = not self._held
        found = _BEGIN.search(self._held)
        if found is None:
            part = None if is_end else _PART.search(self._held, max(0, len(self._held) - _LONGEST_TAG))
            cut = len(self._held) if part is None else part.start()
            self._emit(self._held[:cut])
            self._held = self._held[cut:]
            return False
        self._emit(self._held[: found.start()])
        self._held = self._held[found.start() :]
        size = found.end() - found.start()
        if len(self._held) == size and not is_end:
            return False
        if self._begins_thoughts(self._held[size : size + 1]):
            self._is_inside, self._searched = True, size
        else:
            self._emit(self._held[:size])
            self._held = self._held[size:]
        return True

    def _emit(self, text: str) -> None:
        if text:
            self._shown.append(text)

    def _begins_thoughts(self, after: str) -> bool:
        """Return whether a begin tag begins thoughts, by what stands before it and the character after it."""
        before = "".join(self._shown)
        line = before.rpartition("\n")[2]
        if before.count("```") % 2 or line.count("`") % 2:
            return False
        if not line.strip():
            return self._is_after_thoughts or not before.rstrip().endswith(":")
        if self._is_after_thoughts and not line[-1].isspace():
            return line[-1] not in _QUOTES
        return line.rstrip()[-1] in _SENTENCE_ENDS and bool(after) and not after.isspace()
