"""Finds the scopes that a message asks to begin, one or several in order (`quiz me, and then explain "weil"`).

Every word has to belong to a wish: to a phrase that begins a scope, to its title with a verb, to politeness, or to what
joins two wishes. A message with any other word begins nothing, so that no scope opens where one is only mentioned.
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.state.commands import Start
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.vocabulary.beginnings import BEGINNINGS, BeginningWords
from turnwise.understanding.vocabulary.tables import Phrases, length_at

_MOST_TOKENS = 60
"""A longer message is more than a wish."""


def beginnings_of(text: Text, situation: Situation) -> list[Start]:
    """Return the commands that begin scopes, each once, if a message only asks for that; else an empty list."""
    known = BEGINNINGS.get(situation.vocabulary.code)
    if known is None or not situation.allowed.begins or not 0 < len(text.tokens) <= _MOST_TOKENS:
        return []
    found = _Wishes(text, situation, known).from_(0) or []
    return list({one.target: one for one in reversed(found)}.values())[::-1]


class _Wishes:
    """The wishes of one message, read from left to right."""

    def __init__(self, text: Text, situation: Situation, known: BeginningWords) -> None:
        self.text = text
        self.known = known
        self.begins = situation.allowed.begins
        self._found: dict[int, list[Start] | None] = {}

    def from_(self, first: int) -> list[Start] | None:
        """Return the wishes of all tokens from one on; `None` if a token belongs to none."""
        if first not in self._found:
            self._found[first] = self._read(first)
        return self._found[first]

    def _read(self, first: int) -> list[Start] | None:
        count = len(self.text.tokens)
        for stop in range(first + 1, count + 1):
            wish = self._wish(first, stop)
            if wish is None:
                continue
            if self._after_marks(stop) == count:
                return [wish]
            for following in self._links(stop):
                rest = self.from_(following)
                if rest is not None:
                    return [wish, *rest]
        return None

    def _wish(self, first: int, stop: int) -> Start | None:
        """Return the wish that some tokens are as a whole, with the words around its phrase."""
        for begin, is_verb in self._begins(first, stop):
            for end in reversed([*self._ends(begin, stop)]):
                typed = self.text.as_typed(begin, end)
                for one in self.begins:
                    given = one.read(typed)
                    if given is not None and (not is_verb or not given):
                        return Start(target=one.scope, input=given, words=self.text.span(first, stop), confidence=1.0)
        return None

    def _begins(self, first: int, stop: int) -> Iterator[tuple[int, bool]]:
        """Yield where the phrase may begin: behind what leads to it, and whether a verb or an article stands before."""
        yield first, False
        while (at := self._after_marks(self._after(self.known.leads, first, stop))) > first and at < stop:
            first = at
            yield first, False
        after = self._after(self.known.verbs, first, stop)
        while after < stop and self.text.words[after] in self.known.articles:
            after += 1
        if first < after < stop:
            yield after, True

    def _ends(self, begin: int, stop: int) -> Iterator[int]:
        """Yield where the phrase may end: before small words, the nearest last."""
        yield stop
        is_cut = True
        while is_cut and stop - begin > 1:
            is_cut = False
            for size in (1, 2, 3):
                at = stop - size
                if at > begin and self._after(self.known.trailing, at, stop) == stop:
                    stop, is_cut = at, True
                    yield stop
                    break
            if not is_cut and self.text.kind(stop - 1) == "mark":
                stop, is_cut = stop - 1, True
                yield stop

    def _links(self, at: int) -> Iterator[int]:
        """Yield where the next wish begins: behind marks, and a phrase that joins two."""
        after = self._after_marks(at)
        linked = self._after_marks(self._after(self.known.links, after, len(self.text.tokens)))
        if linked > after:
            yield linked
        if after > at:
            yield after

    def _after_marks(self, at: int) -> int:
        while self.text.kind(at) == "mark":
            at += 1
        return at

    def _after(self, table: Phrases, at: int, stop: int) -> int:
        """Return the position behind the longest phrase of a table, the same where none begins here."""
        size = length_at(table, self.text.words, at) if at < stop else 0
        return at + size if at + size <= stop else at
