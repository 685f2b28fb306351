"""The name of a field in a sentence, from its title or its description (`about`), and texts with a capital at their
beginning.
"""

from __future__ import annotations

from turnwise.core.language import Language
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field

_NUMBER = late_pattern(r"(\w+\s+)?\d+")
"""A number of a question, as its title begins."""
_EXPLANATION = late_pattern(r"\s*[(\[:;]|\s+[-–—]\s")
"""What separates a title from its explanation, beside a comma that lists nothing."""


def title_of(field: Field) -> str:
    """Return the description of a field in words: its title, or what it is about."""
    return field.about or field.title or field.name.replace("_", " ")


def short_title_of(field: Field, language: Language) -> str:
    """Return the title of a field; without one, its `about` without explanations at its end.
    In `Question 1: which article?` the part behind the number is no explanation.
    """
    if field.title:
        return field.title
    title = title_of(field)
    heads = (title[: found.start()] for found in _EXPLANATION.finditer(title))
    head = next((one for one in heads if not _NUMBER.fullmatch(one)), title)
    first, _, rest = head.partition(",")
    is_list = language.joint.search(rest) or _NUMBER.fullmatch(first)
    return (head if is_list else first).rstrip(" ?.…") or title


def capital(text: str) -> str:
    """Return a text whose first letter is a capital."""
    return text[:1].upper() + text[1:]
