"""How deeply data may be nested, and a bounded form of stored data that is nested more deeply.

Everything here works without recursion, so that no data makes it fail. What passes is shallow enough for functions that
recurse over data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from msgspec.json import encode

from turnwise.flow.late_pattern import late_pattern

MOST_NESTED = 64
"""How deeply data from outside may be nested (`data_depth`): from models, tools, clients, programs and files."""
MOST_STORED = MOST_NESTED + 16
"""How deeply an entry or a state may be nested, with the data in it."""
TOO_DEEP = f"it is nested more than {MOST_NESTED} deep (data_depth)"
"""Why a value that is nested too deep is refused."""
_CONTAINERS: tuple[type, ...] = (list, tuple, dict, set, frozenset)
_TEXT: re.Pattern[bytes] = cast("Any", late_pattern(cast("Any", rb'"(?:[^"\\]|\\.)*+"')))
_PART = late_pattern(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]')
_ALIKE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def is_too_deep(data: Any, most: int = MOST_NESTED) -> bool:
    """Return whether containers are nested more than `most` deep, as in data that contains itself."""
    level: dict[int, Any] = {id(data): data} if isinstance(data, _CONTAINERS) else {}
    for _ in range(most):
        if not level:
            return False
        below: dict[int, Any] = {}
        for outer in level.values():
            items = cast("dict[Any, Any]", outer).values() if isinstance(outer, dict) else cast("Iterable[Any]", outer)
            for one in items:
                if isinstance(one, _CONTAINERS):
                    below[id(one)] = one
        level = below
    return bool(level)


def is_text_too_deep(text: bytes, most: int = MOST_NESTED) -> bool:
    """Return whether a JSON text is nested more than `most` deep."""
    return not _is_shallow(text, most) and next(_deep_spans(text.decode(errors="replace"), most), None) is not None


def flatten_deep_data(text: bytes) -> bytes:
    """Return a stored JSON text in which data nested deeper than `MOST_STORED` is replaced by its text.
    Earlier versions stored data of any depth.
    """
    if _is_shallow(text, MOST_STORED):
        return text
    letters, found, last = text.decode(), list[str](), 0
    for start, end in _deep_spans(letters, MOST_STORED):
        found += [letters[last:start], encode(letters[start:end]).decode()]
        last = end
    return "".join([*found, letters[last:]]).encode() if last else text


def _is_shallow(text: bytes, most: int) -> bool:
    """Return true if brackets alone show that a text is shallow; each round removes the innermost pairs."""
    if text.count(b"[") + text.count(b"{") <= most:
        return True
    return _closes_within(text, most) or (b'"' in text and _closes_within(_TEXT.sub(b"", text), most))


def _closes_within(text: bytes, most: int) -> bool:
    rest = text.translate(_ALIKE, _NO_BRACKETS)
    for _ in range(most):
        before = len(rest)
        rest = rest.replace(b"[]", b"")
        if not rest or len(rest) == before:
            break
    return not rest


def _deep_spans(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield the span of each list and object that begins more than `most` deep, the outermost ones."""
    depth = start = 0
    for part in _PART.finditer(text):
        match part[0]:
            case "[" | "{":
                depth += 1
                start = part.start() if depth == most + 1 else start
            case "]" | "}":
                depth -= 1
                if depth == most:
                    yield start, part.end()
            case _:
                pass
    if depth > most:  # the text is cut off
        yield start, len(text)
