"""Marks the lines of the application or a person in a request to a model, and removes such marks from other texts.

A mark is worth something only if nobody else can write it: neither the user, nor a tool, nor the model itself, nor the
name that an operator goes by.
"""

from __future__ import annotations

from typing import Any, cast
from unicodedata import category, normalize

from turnwise.flow.late_pattern import late_pattern

APPLICATION = "[From the application, not from the user]"
"""The heading of the application's notes, at the end of the instructions for a model."""
_PERSON = "a person:]"
_WORDS = ("from the application", "a person:")
"""What a mark contains, as `_skeleton` has it."""
_IMITATED = late_pattern(
    r"\W{0,3}(?:\[|\W{0,3}(?=[^\])}>]{0,60}(?:not from the|nicht (?:vom|von der|von dem))\b))\s?(?:\w{1,20} )?"
    r"(?:from the app(?:lication)?|(?:von|aus) der (?:anwendung|app))\b[^\])}>]{0,60}[\])}>]"
    r"|\W{1,3}[^\[\](){}]{0,80}, ?(?:a person|eine person) ?: ?[\])}>]"
)
"""A mark as a model imitates it, in the languages of conversations, with the brackets that `without_marks` leaves."""
_MOST_NAME = 60
_SPACES = late_pattern(r"\s+")


def marked_as_of_person(name: str, text: str) -> str:
    """Return a text of an operator, marked with the operator's name."""
    plain = "".join(one for one in name if category(one)[0] in "LMNZ" or one in "-'.&’")
    return f"[{' '.join(plain.split())[:_MOST_NAME]}, {_PERSON} {without_marks(text)}"


def without_marks(text: str) -> str:
    """Return a text that cannot imitate the machine's marks: brackets of every kind become round ones."""
    if text.isascii():
        folded = text.lower()
        if "application" not in folded and "person:" not in folded:  # each mark has one of them
            return text
    skeleton = _skeleton(text)
    if not any(words in skeleton for words in _WORDS):
        return text
    kinds = {"Ps": "(", "Pe": ")"}
    return "".join([kinds.get(category(one), one) for one in text])


def begins_with_mark(text: str) -> bool:
    """Return whether a line begins like one of the machine's marks."""
    kinds = {"Ps": "[", "Pe": "]"}
    plain = "".join([one if one in "(){}" else kinds.get(category(one), one) for one in _skeleton(text)])
    return _IMITATED.match(plain) is not None


def data_without_marks(data: Any) -> Any:
    """Return JSON data whose texts cannot imitate the machine's marks."""
    if isinstance(data, str):
        return without_marks(data)
    if isinstance(data, dict):
        return {without_marks(name): data_without_marks(value) for name, value in cast("dict[str, Any]", data).items()}
    return [data_without_marks(item) for item in cast("list[Any]", data)] if isinstance(data, list) else data


def _skeleton(text: str) -> str:
    """Return a text without what may hide a mark from a comparison: case, spaces, characters that are not seen."""
    if not text.isascii():
        text = "".join([one for one in normalize("NFKC", text) if category(one) not in ("Cf", "Mn", "Cc")])
    return _SPACES.sub(" ", text.casefold())
