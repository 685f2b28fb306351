"""Writes a flow as canonical YAML: keys in a fixed order, one notation for each value.

What it writes is read the same by every YAML reader, also by those of YAML 1.1, which would make a
truth of `yes` and a time of `12:30`. It keeps no comments: they are no part of a flow.
"""

from __future__ import annotations

import json
import re
from typing import Any

from turnwise.authoring.source import number_of
from turnwise.errors import WrongArgument
from turnwise.flow.codec import write_flow
from turnwise.flow.model import Flow

WIDTH = 110
"""How long a line may be, in characters."""
_LONGEST_KEY = 1000
_SECTIONS = ("records", "tools", "mcp", "nodes", "transitions", "overlays", "schedules")


def write_yaml(flow: Flow) -> str:
    """Return a flow as a YAML document; reading it gives an equal flow."""
    given: Any = flow
    if not isinstance(given, Flow):
        raise WrongArgument("flow", given, "a Flow, as load gives it")
    lines: list[str] = []
    for key, value in write_flow(flow).items():
        if key not in _SECTIONS:
            lines += _entry(f"{key_text(key)}:", value, "")
        elif value:
            lines += ["", f"{key_text(key)}:", *_members(value, "  ")]
        else:
            lines += ["", f"{key_text(key)}: {_inline(value)}"]
    return "\n".join(lines) + "\n"


def _members(value: Any, pad: str) -> list[str]:
    """Return the members of a mapping or list, each on its own lines."""
    lines: list[str] = []
    if isinstance(value, dict):
        for key, member in value.items():  # pyright: ignore[reportUnknownVariableType]
            lines += _pair(str(key), member, pad)  # pyright: ignore[reportUnknownArgumentType]
    else:
        for member in value:
            lines += _entry("-", member, pad)
    return lines


def _pair(key: str, value: Any, pad: str) -> list[str]:
    """Return a key and its value; YAML wants a mark before a very long key."""
    written = key_text(key)
    if len(written) <= _LONGEST_KEY:
        return _entry(f"{written}:", value, pad)
    return [f"{pad}? {written}", *_entry(":", value, pad)]


def _entry(opening: str, value: Any, pad: str) -> list[str]:
    """Return a value after the beginning of its line: a key with its colon, or the dash of a list."""
    if isinstance(value, str) and is_block_text(value):
        indicator = "|" if value.endswith("\n") else "|-"
        lines = value.removesuffix("\n").split("\n")
        return [f"{pad}{opening} {indicator}", *(f"{pad}  {line}" if line else "" for line in lines)]
    if not isinstance(value, dict | list) or not value:
        return [f"{pad}{opening} {_inline(value, in_line=False)}"]
    line = _one_line(value)
    if line and len(pad) + len(opening) + 1 + len(line) <= WIDTH:
        return [f"{pad}{opening} {line}"]
    members = _members(value, f"{pad}  ")
    if opening == "-":
        return [f"{pad}- {members[0].removeprefix(f'{pad}  ')}", *members[1:]]
    return [f"{pad}{opening}", *members]


# on one line -------------------------------------------------------------------------------------


def _one_line(value: Any) -> str:
    """Return a mapping or list on one line, or an empty text where that would not be readable."""
    if _weight(value) > WIDTH or _depth(value) > _DEEPEST:
        return ""
    return _inline(value)


_DEEPEST = 3


def _depth(value: Any) -> int:
    """Return how many brackets stand around the innermost value; a text of several lines is too deep for one."""
    if isinstance(value, str):
        return _DEEPEST + 1 if "\n" in value else 0
    if isinstance(value, dict | list):
        members: Any = value.values() if isinstance(value, dict) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        return 1 + max((_depth(member) for member in members), default=0)
    return 0


def _weight(value: Any) -> int:
    """Return a lower bound of the number of characters, without writing them."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(str(key)) + _weight(member) for key, member in value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list):
        return sum(_weight(member) for member in value)  # pyright: ignore[reportUnknownVariableType]
    return 1


def _inline(value: Any, *, in_line: bool = True) -> str:
    """Return a value as it stands inside a line; `in_line`: inside brackets, where a comma ends a text."""
    if isinstance(value, dict):
        pairs = (f"{key_text(str(key))}: {_inline(member)}" for key, member in value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_inline(member) for member in value)}]"  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, str):
        return scalar_text(value, in_line=in_line)
    if isinstance(value, float):
        return re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))
    return json.dumps(value)


# texts -------------------------------------------------------------------------------------------

_FIRST = r"[^\s\-?:,\[\]{}#&*!|>'\"%@`.=<~+]"
_PLAIN = re.compile(rf"{_FIRST}(?:[^:#]|:(?=[^\s])|(?<=\S)\#)*")
_PLAIN_IN_LINE = re.compile(rf"{_FIRST}[^:#,?\[\]{{}}]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_READ_OTHERWISE = re.compile(
    r"""y|n|yes|no|on|off|true|false|null|nan|inf         # truths and nothing
    |[0-9][0-9_,.]*(?:e[-+]?[0-9]*)?                      # numbers, also with separators
    |0b[01_]+|0o[0-7_]+|0x[0-9a-f_]+                      # numbers of other bases
    |[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?          # numbers and times to the base of sixty
    |[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[t\s].*)?           # dates
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def key_text(text: str) -> str:
    """Return the YAML text of a key, in quotes if it is no plain name."""
    return text if _KEY.fullmatch(text) and not _READ_OTHERWISE.fullmatch(text) else _quoted(text)


def scalar_text(text: str, *, in_line: bool) -> str:
    """Return a text as one line of YAML, in quotes if needed; `in_line` is true inside brackets."""
    plain = _PLAIN_IN_LINE if in_line else _PLAIN
    is_plain = plain.fullmatch(text) and text.isprintable() and text[-1] not in " :"
    is_itself = is_plain and not _READ_OTHERWISE.fullmatch(text) and number_of(text) is None
    return text if is_itself else _quoted(text)


def _quoted(text: str) -> str:
    if ('"' in text or "\\" in text) and "'" not in text and text.isprintable():
        return f"'{text}'"
    return '"' + "".join(_ESCAPES.get(c) or (c if c.isprintable() else _escaped(c)) for c in text) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def is_block_text(text: str) -> bool:
    """Return whether a text of several lines can be written as a YAML block."""
    if "\n" not in text or text.endswith("\n\n") or not text[0].strip():
        return False
    return all(line.isprintable() and (not line or line.strip()) for line in text.split("\n"))
