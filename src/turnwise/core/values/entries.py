"""Divides the text of a list of texts into its entries (law 7.3a).

Marks divide. A word such as *and* divides only where the list shows that it joins its last two entries: behind the last
comma (`nuts, milk and eggs`). Elsewhere it may belong to an entry (`salt and pepper chips`), so there are two readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.values.numerals import read_numeral
from turnwise.core.values.refusal import Refused, Rules
from turnwise.flow.late_pattern import late_pattern

Joint = Literal["", "comma", "mark", "stop", "and", "hyphen"]
"""What stands before an entry: nothing, a comma, a semicolon or line break, the end of a sentence, a joining word, or
one behind a hyphen, which joins two halves (`Salz- und Pfefferstreuer`).
"""
_QUOTED = late_pattern(r'"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|»[^«]+«')
_OPENS, _CLOSES = tuple('"“„«»'), tuple('"“”«»')
_WORDS = frozenset({"and", "hyphen"})
_JOINTS: dict[str, Joint] = {",": "comma", ";": "mark", "\n": "mark", ".": "stop", "!": "stop", "?": "stop"}
DIVIDING_MARKS = frozenset(_JOINTS)
"""Marks that divide entries."""


def joint_of_mark(mark: str) -> Joint:
    """Return the kind of separator that a mark is; a word of contrast or addition counts as a semicolon."""
    return _JOINTS.get(mark, "mark")


class Piece(Struct, frozen=True):
    """A part of a text between two separators: the separator before it, and its start and end."""

    joint: Joint
    """The separator before the part."""
    start: int
    """The index, from 0, of the part's first character in the text."""
    end: int
    """The index, from 0, behind the part's last character in the text."""


def pieces_of(text: str, rules: Rules) -> Iterator[Piece]:
    """Yield the parts of a text between separators; those in quotes, or inside a word or number, do not count."""
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    start = 0
    joint: Joint = ""
    for found in rules.language.joint.finditer(text):
        place = found.start()
        if _is_inside_word(text, place, rules) or any(begin < place < end for begin, end in quoted):
            continue
        if text[start:place].strip():
            yield Piece(joint, start, place)
            joint = ""
        joint = joint or _JOINTS.get(found[0]) or _word_between(text[:place].rstrip(), text[found.end() :].lstrip())
        start = found.end()
    if text[start:].strip():
        yield Piece(joint, start, len(text))


def _word_between(before: str, after: str) -> Joint:
    """Return what a word such as *and* is between two texts. Quotes beside it show where an entry ends."""
    if before.endswith("-"):
        return "hyphen"
    return "mark" if before[-1:] in _CLOSES or after[:1] in _OPENS else "and"


def _is_inside_word(text: str, place: int, rules: Rules) -> bool:
    """Return whether a stop stands inside a word or number, or a comma inside a number."""
    is_mark, around = text[place] in ".,", text[max(place - 1, 0) : place + 2]
    if not is_mark or len(around) < 3 or place == 0 or any(map(str.isspace, around)):
        return False
    before, after = text[:place].rsplit(maxsplit=1)[-1], text[place + 1 :].split(maxsplit=1)[0]
    return text[place] == "." or read_numeral(f"{before},{after}", rules.language.thousands_mark) is not None


def joints_that_divide(joints: Sequence[Joint]) -> list[bool] | None:
    """Return for each separator whether it divides the entries of a list; `None` if that is ambiguous."""
    marks = set(joints) - _WORDS
    if _WORDS.isdisjoint(joints):
        return [True] * len(joints)
    if not marks or "stop" in marks:
        return None
    is_end = marks == {"comma"} and joints[-1] == "and"
    if is_end and joints[-2] in _WORDS:
        return None  # `a, b and c and d`
    return [joint not in _WORDS or (is_end and at == len(joints) - 1) for at, joint in enumerate(joints)]


def entries_of(text: str, pieces: Sequence[Piece], rules: Rules) -> list[str] | Refused:
    """Return the list entries in the pieces of a text, or a refusal with both possible readings, each a list."""
    joints: list[Joint] = [piece.joint for piece in pieces[1:]]
    divides = joints_that_divide(joints)
    if divides is not None:
        return _joined(text, pieces, divides)
    whole = _joined(text, pieces, [joint not in _WORDS for joint in joints])
    part = _joined(text, pieces, [True] * len(joints))
    words = {"whole": _spelled(whole, rules), "part": _spelled(part, rules)}
    refused = rules.refused("ambiguous", **words)
    return replace(refused, text=rules.language.text("refused_entries", **words), readings=(whole, part))


def _joined(text: str, pieces: Sequence[Piece], divides: Sequence[bool]) -> list[str]:
    """Return the entries of a text, pieces that are not divided in one; quotes around an entry do not belong to it."""
    spans: list[tuple[int, int]] = [(piece.start, piece.end) for piece in pieces[:1]]
    for piece, divided in zip(pieces[1:], divides, strict=True):
        start = piece.start if divided else spans.pop()[0]
        spans.append((start, piece.end))
    found = [text[start:end].strip() for start, end in spans]
    return [one[1:-1].strip() if _QUOTED.fullmatch(one) else one for one in found]


def _spelled(entries: Sequence[str], rules: Rules) -> str:
    """Return entries as a text with one reading: one with a joint in it stands in quotes."""
    return ", ".join([f'"{one}"' if len(list(pieces_of(one, rules))) > 1 else one for one in entries])
