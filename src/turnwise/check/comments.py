"""Comments that suppress a warning: `# turnwise: ignore TW058 the host fills it`.

An error is never suppressed, and a comment that suppresses nothing is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from turnwise.flow.diagnostic import CODES, Diagnostic, Span, nearest, problem

_COMMENT = re.compile(r"(?:#|//)\s*turnwise:\s*(?P<word>\w*)\s*(?P<rest>.*)$")
_CODE = re.compile(r"[,\s]*(TW\w+|tw\w+)\b")


@dataclass
class _Comment:
    """A comment: its place, the lines that it covers, its codes, and those that it suppressed."""

    span: Span
    lines: range
    codes: tuple[str, ...]
    used: set[str] = field(default_factory=set[str])


def not_suppressed(
    diagnostics: Iterable[Diagnostic], lines: Sequence[str], file: str, *, is_whole: bool = True
) -> list[Diagnostic]:
    """Return the diagnostics of a file that no comment in its `lines` suppresses, and those about faulty comments.
    Unused comments are reported only if the file `is_whole`.
    """
    faults: list[Diagnostic] = []
    comments = list(_comments(lines, file, faults))
    left = [one for one in diagnostics if not _is_aside(one, comments)]
    idle = [(code, comment.span) for comment in comments for code in comment.codes if code not in comment.used]
    if is_whole:
        faults += [problem("TW081", f"there is no {code} here to ignore", span) for code, span in idle]
    return [*left, *faults]


def _is_aside(diagnostic: Diagnostic, comments: Iterable[_Comment]) -> bool:
    """True if a comment suppresses this warning; the comment counts as used."""
    if diagnostic.severity == "error":
        return False
    found = [c for c in comments if diagnostic.span.line in c.lines and diagnostic.code in c.codes]
    for comment in found:
        comment.used.add(diagnostic.code)
    return bool(found)


def _comments(lines: Sequence[str], file: str, faults: list[Diagnostic]) -> Iterator[_Comment]:
    """Yield the valid comments of a file; faults of others are added to `faults`."""
    for number, text in enumerate(lines, 1):
        found = _COMMENT.search(text) if "turnwise:" in text else None
        if found is None:
            continue
        span = Span(file, number, found.start() + 1)
        if found["word"] != "ignore":
            hint = nearest(found["word"], ["ignore"]) or "# turnwise: ignore CODE reason"
            faults.append(problem("TW080", f"'{found['word']}' is nothing that a comment can ask for", span, hint))
            continue
        codes, reason = _read(found["rest"])
        wrong = [code for code in codes if code not in CODES or CODES[code].severity == "error"]
        faults += [_wrong(code, span) for code in wrong]
        if not codes or not reason:
            what = "which code" if not codes else "why"
            faults.append(problem("TW080", f"this does not say {what}", span, "# turnwise: ignore CODE reason"))
        else:
            is_alone = not text[: found.start()].strip()
            reach = _reach(lines, _next(lines, number) if is_alone else number, is_python=file.endswith(".py"))
            yield _Comment(span, reach, tuple(code for code in codes if code not in wrong))


def _read(rest: str) -> tuple[list[str], str]:
    """Return the codes at the beginning of a text, and the rest of it."""
    codes: list[str] = []
    while found := _CODE.match(rest):
        codes.append(found[1].upper())
        rest = rest[found.end() :]
    return codes, rest.strip(" ,:-\t")


def _wrong(code: str, span: Span) -> Diagnostic:
    if code in CODES:
        return problem("TW080", f"{code} is an error: it cannot be ignored", span)
    return problem("TW080", f"there is no code {code}", span, nearest(code, CODES))


def _next(lines: Sequence[str], number: int) -> int:
    """Return the number of the next line that is neither blank nor a comment."""
    for later, text in enumerate(lines[number:], number + 1):
        if text.strip() and not text.lstrip().startswith("#"):
            return later
    return number


_TEXT = re.compile(r"(?P<indent>\s*(?:- +)*)[^\s#'\"{\[][^:#]*:\s+[^\s#{\[&*].*")
"""The first line of a key with a text: lines that are indented further continue it."""
_OPEN = re.compile(r'"{3}|\'{3}')


def _reach(lines: Sequence[str], number: int, *, is_python: bool) -> range:
    """Return the lines of a text that begins at a line, since no comment can stand inside a text."""
    last = number
    if is_python:
        is_open = len(_OPEN.findall(lines[number - 1])) % 2 == 1
        while is_open and last < len(lines):
            last += 1
            is_open = _OPEN.search(lines[last - 1]) is None
    elif found := _TEXT.fullmatch(lines[number - 1]):
        indent = len(found["indent"])
        while last < len(lines) and (not lines[last].strip() or len(lines[last]) - len(lines[last].lstrip()) > indent):
            last += 1
    return range(number, last + 1)
