"""The shape of the words by which a language speaks of the items of a list: verbs, references, counts, small words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from turnwise.understanding.tokens import words_of

ItemWord = Literal[
    "add",
    "want",
    "subject",
    "have",
    "remove",
    "take",
    "off",
    "deny",
    "change",
    "keep",
    "empty",
    "swap",
    "move",
    "put",
    "replace",
    "is",
    "not",
    "no",
    "without",
    "with",
    "only",
    "just",
    "same",
    "another",
    "more",
    "the",
    "that",
    "those",
    "a",
    "it",
    "they",
    "all",
    "both",
    "of_those",
    "of",
    "to",
    "place",
    "top",
    "end",
    "last",
    "before_last",
    "one",
    "list",
    "and",
    "or",
    "except",
    "instead",
    "no_cue",
    "yes",
    "rather",
    "again",
    "also",
    "done",
    "filler",
    "request",
]
"""What a word does in a sentence about items.

Verbs: `want` asks for something (`I'd like`), as `have` does behind a `subject` or a `request` (`could I just have`);
`take` removes with a word of `off` (`take … off`), `deny` says that
something is not wanted, `put` moves, or adds to an item. `is` leads to a value (`should be`, `gets`, `:`). References:
`the`, `that`, `those`, `it`; `they` may be one or several; `all`, `both`; `last`, `before_last`; `one` stands for an
item, `list` for the whole list, `place` leads to a position. Counts: `another`, `more`, `of_those`. `to` joins a value
or a reference (`on the first`, `in red`). `no_cue` takes back what was said just before; `rather` may mean in place of
something (`a hawaii instead`), `also` means beside it, `again` asks for
something once more, `done` says that there is no more.
"""


class ItemWords(Struct, frozen=True):
    """The phrases of a language about items."""

    phrases: Mapping[str, tuple[tuple[tuple[str, ...], tuple[ItemWord, ...]], ...]]
    """Phrases with what their words do, keyed by the first word, the longest first."""
    times: frozenset[str]
    """Words behind a count: *x* in `2 x`."""
    times_endings: tuple[str, ...]
    """Endings of a count (`zweimal`)."""
    plurals: tuple[str, ...]
    """Endings of words in the plural."""
    comparing: tuple[str, ...]
    """Endings of words that may be a comparison (`kleiner`)."""
    counting: frozenset[str]
    """Words in the name or question of a field that holds how many of an item there are."""
    leaving_out: frozenset[str]
    """Words in the name or question of a list that holds what an item is to be without."""


def item_phrases(
    table: Mapping[ItemWord | tuple[ItemWord, ...], str],
) -> dict[str, tuple[tuple[tuple[str, ...], tuple[ItemWord, ...]], ...]]:
    """Return phrases keyed by their first word, the longest first; `|` or a line break separates them in `table`."""
    found: dict[str, list[tuple[tuple[str, ...], tuple[ItemWord, ...]]]] = {}
    for does, text in table.items():
        meanings: tuple[ItemWord, ...] = does if isinstance(does, tuple) else (does,)
        for line in text.replace("|", "\n").split("\n"):
            if said := words_of(line):
                found.setdefault(said[0], []).append((said, meanings))
    return {first: tuple(sorted(some, key=lambda one: (-len(one[0]), one[0]))) for first, some in found.items()}
