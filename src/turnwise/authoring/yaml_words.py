"""What the parser of YAML says about a document that it cannot read, in words that name the line and the way out."""

from __future__ import annotations

import re

Told = tuple[str, str]
"""A message, and a hint."""

_KEY = re.compile(r"\s*(?:- +)*(?P<key>[\w.-]+): +(?P<value>\S.*)")
_SHOWN = 40


def in_words(said: str, text: str, line: int, column: int) -> Told | None:
    """The mistake at a line and column, counted from 0, for what the parser said of it; nothing where it is unknown."""
    lines = text.split("\n")
    here = lines[line] if line < len(lines) else ""
    if "mapping values are not allowed" in said:
        return _colon(lines, line, column)
    if "expected ',' or '}', but got ':'" in said:
        return "a ':' stands inside of a text between '{' and '}'", "a text with ': ' in it needs quotes"
    if "'\\t'" in said:
        return "a tab indents this line", "indent with spaces"
    if "but found '<block mapping start>'" in said or "but found '<block sequence start>'" in said:
        return _indented(lines, line)
    if "but found '-'" in said:
        return "a list begins here where a key is expected", "indent the '-' under the key that the list belongs to"
    if "<block end>" in said and "<scalar>" in said:
        return "more follows behind the quotes of a text", "quotes inside of a text need other quotes around it"
    if "cannot start any token" in said:
        return f"a text cannot begin with '{here[column : column + 1]}'", "put the text into quotes"
    if "could not find expected ':'" in said:
        return (
            "a key without its ':' stands before this",
            "write 'key: value', or put a text of several lines after '|'",
        )
    return None


def _colon(lines: list[str], line: int, column: int) -> Told:
    """A colon where a value has begun: in the same line, or in a line above that is not indented as deep."""
    found = _KEY.fullmatch(lines[line][:column])
    if found is not None:
        whole = _KEY.fullmatch(lines[line].rstrip())
        value = whole["value"] if whole is not None else found["value"]
        shown = (
            f'write {found["key"]}: "{value}"' if len(value) <= _SHOWN and '"' not in value else "put it into quotes"
        )
        return (
            f"the text of '{found['key']}' has a colon and a blank in it",
            f"a text with ': ' in it needs quotes: {shown}",
        )
    above = next((at for at in range(line - 1, -1, -1) if _counts(lines[at])), None)
    if above is not None and _depth(lines[above]) < _depth(lines[line]) and _KEY.fullmatch(lines[above].rstrip()):
        message = f"this line is indented deeper than line {above + 1}, whose key has a value already"
        return message, f"indent it as line {above + 1}: {_blanks(_depth(lines[above]))}"
    return "a ':' stands where no key can be", "a text with ': ' in it needs quotes"


def _indented(lines: list[str], line: int) -> Told:
    """A line whose indentation is that of no key above it."""
    open_: list[int] = []
    limit = _depth(lines[line]) + 1_000_000
    for at in range(line - 1, -1, -1):
        if _counts(lines[at]) and _depth(lines[at]) < limit:
            limit = _depth(lines[at])
            open_.insert(0, limit)
    places = " or ".join([", ".join(map(str, open_[-_MOST:-1])), str(open_[-1])] if open_[1:] else map(str, open_))
    message = f"this line is indented by {_blanks(_depth(lines[line]))}, and no key above it is"
    return message, f"indent it by {places}, as the keys above" if places else "begin it where the keys above begin"


_MOST = 4


def _counts(line: str) -> bool:
    """True unless a line is empty or a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _blanks(count: int) -> str:
    return f"{count} blank{'' if count == 1 else 's'}" if count else "no blanks"
