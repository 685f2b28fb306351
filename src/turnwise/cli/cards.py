"""The summary of a form in the terminal: a card of labels and answers, without the marks of Markdown."""

from __future__ import annotations

import re

_ANSWER = re.compile(r"\*\*(?P<title>[^\n]+?)\*\*\n→ (?P<answer>.*)", re.DOTALL)
_HEADING = re.compile(r"#+\s+(.+)")
_WORDS = re.compile(r'(?P<answer>.*) \((?P<from>[^():]+: "(?P<words>.*)")\)', re.DOTALL)
_WIDEST = 32
"""A longer title stands on a line of its own."""


def summary_card(text: str) -> list[str]:
    """Return the lines of a card for a summary text in the layout of a language; empty for any other text."""
    blocks = [one.strip() for one in text.split("\n\n") if one.strip()]
    found = [_ANSWER.fullmatch(one) for one in blocks]
    heading = _HEADING.fullmatch(blocks[0]) if blocks else None
    if heading is None or not any(found):
        return []
    titles = [one["title"] for one in found if one is not None]
    width = max(len(title) for title in titles if len(title) <= _WIDEST or title is titles[0])
    width = min(width, _WIDEST)
    lines = [heading[1], "─" * len(heading[1])]
    for block, one in zip(blocks[1:], found[1:], strict=True):
        if one is not None:
            lines += [] if lines[-1].startswith(("  ", "─")) else [""]
            lines += _row(one["title"], one["answer"], width)
        elif block != "---" and not block.endswith(":**"):
            lines += [*([""] if lines[-1] else []), _plain(block)]
    return lines


def _row(title: str, answer: str, width: int) -> list[str]:
    """Return an answer behind its title; the user's words only where they say something else."""
    known = _WORDS.fullmatch(answer)
    if known is not None and known["words"].casefold() == known["answer"].casefold():
        answer = known["answer"]
    first, *more = answer.split("\n")
    head = [f"  {title}"] if len(title) > width else []
    label = "" if head else title
    return [*head, f"  {label:<{width}}  {first}", *[f"  {'':<{width}}  {line}" for line in more]]


def _plain(text: str) -> str:
    """Return a line without the marks of emphasis."""
    return text.replace("**", "")
