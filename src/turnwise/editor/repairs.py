"""The edits that repair what a diagnostic reports, where its hint says what to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from turnwise.editor.text import Span
from turnwise.flow.diagnostic import Diagnostic

_QUOTED = re.compile(r"'([^']+)'")
_MEANT = re.compile(r"did you mean '([^']+)'\?")
_WRITE = re.compile(r"(?:^|: |; )write '([^']+)'")
_GUARD = re.compile(r"write \w+: (\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')$")
_LABEL = re.compile(r"write (?:--?|=)\"(?P<words>[^\"]*)\"(?:->|-->|=>)$")
_KEYED = re.compile(r"write (?P<key>[\w.-]+): \"(?P<value>[^\"]*)\"$")
_DECLARE = re.compile(r"declare it: (?P<what>(?:state|context|tool) [\w.]+(?: \{ … \})?;?)")
_NAME = re.compile(r"[\w-]+")
_CURLY = re.compile("[“”„«»‟‘’‚`]([^\n“”„«»‟‘’‚`]*)[“”„«»‟‘’‚`]")
_END = re.compile(r"end it with (\*/|[\"'])$")


class Repair(NamedTuple):
    """An edit that repairs a problem."""

    title: str
    """What the edit does, in words for authors."""
    span: Span
    """The part of the text that is replaced."""
    text: str
    """The text that replaces the part."""


def repairs_of(diagnostic: Diagnostic, text: str, begin: int) -> list[Repair]:
    """Return the edits that repair a problem which begins at the offset `begin` of a text."""
    found = [one for make in _MAKERS for one in make(diagnostic, text, begin)]
    return list(dict.fromkeys(found))


def _nearest(diagnostic: Diagnostic, text: str, begin: int) -> Iterator[Repair]:
    """Put the nearest name in place of one that is unknown."""
    meant = _MEANT.search(diagnostic.hint)
    if meant is None:
        return
    line_end = text.find("\n", begin)
    end = line_end if line_end >= 0 else len(text)
    places = [(text.find(name, begin, end), name) for name in _QUOTED.findall(diagnostic.message)]
    found = sorted(one for one in places if one[0] >= 0 and one[1] != meant[1])
    if not found:  # the place may be that of the line: a name in it that is written once
        start = text.rfind("\n", 0, begin) + 1
        names = [name for name in _QUOTED.findall(diagnostic.message) if text.count(name, start, end) == 1]
        found = [(text.find(name, start, end), name) for name in names if name != meant[1]][:1]
    if found:
        at, name = found[0]
        yield Repair(f"Change '{name}' to '{meant[1]}'", Span(at, at + len(name)), meant[1])


def _written(diagnostic: Diagnostic, text: str, begin: int) -> Iterator[Repair]:
    """Put what the hint says in place of the sign or name that the message names."""
    meant = _WRITE.search(diagnostic.hint)
    if meant is None:
        return
    wrong = [one for one in _QUOTED.findall(diagnostic.message) if text.startswith(one, begin)]
    name = _NAME.match(text, begin)
    if wrong:
        yield Repair(f"Write '{meant[1]}'", Span(begin, begin + len(wrong[0])), meant[1])
    elif name is not None and name[0].replace("-", "_") == meant[1]:
        yield Repair(f"Write '{meant[1]}'", Span(begin, name.end()), meant[1])


def _quoted(diagnostic: Diagnostic, text: str, begin: int) -> Iterator[Repair]:
    """Put a guard or a label into quotes."""
    guard, label = _GUARD.search(diagnostic.hint), _LABEL.search(diagnostic.hint)
    if diagnostic.code == "TW134" and guard is not None:
        words, quote = guard["double"] or guard["single"] or "", guard[1][0]
    elif diagnostic.code == "TW133" and label is not None:
        words, quote = label["words"], '"'
    else:
        return
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())))
    found = pattern.match(text, begin)
    if words and found is not None:
        yield Repair(f"Write {quote}{words}{quote}", Span(begin, found.end()), f"{quote}{words}{quote}")


def _value(diagnostic: Diagnostic, text: str, begin: int) -> Iterator[Repair]:
    """Put the value of a YAML key into quotes."""
    meant = _KEYED.search(diagnostic.hint)
    if meant is None or diagnostic.code == "TW134":
        return
    start = text.rfind("\n", 0, begin) + 1
    value = re.escape(meant["value"])
    found = re.compile(rf"[^\n]*?\b{re.escape(meant['key'])}:\s+(?P<value>{value})").match(text, start)
    if found is not None:
        yield Repair(f'Write "{meant["value"]}"', Span(*found.span("value")), f'"{meant["value"]}"')


def _left_out(diagnostic: Diagnostic, text: str, begin: int) -> Iterator[Repair]:
    """Leave out a sign that stands where none can."""
    signs = [one for one in _QUOTED.findall(diagnostic.message) if text.startswith(one, begin) and len(one) == 1]
    if diagnostic.hint == "leave it out" and signs:
        yield Repair(f"Leave out '{signs[0]}'", Span(begin, begin + 1), "")


def _straight(diagnostic: Diagnostic, text: str, begin: int) -> Iterator[Repair]:
    """Put a text into straight quotes."""
    found = _CURLY.match(text, begin)
    if diagnostic.code == "TW130" and found is not None and '"' not in found[1]:
        yield Repair(f'Write "{found[1]}"', Span(*found.span()), f'"{found[1]}"')


def _ended(diagnostic: Diagnostic, text: str, begin: int) -> Iterator[Repair]:
    """End a text or comment: in its line, before what ends the statement."""
    end = _END.search(diagnostic.hint)
    if diagnostic.code != "TW132" or end is None:
        return
    stop = text.find("\n", begin)
    stop = stop if stop >= 0 else len(text)
    written = text[begin:stop].rstrip(" \t\r;") if end[1] != "*/" else text[begin:stop].rstrip()
    at = begin + len(written)
    yield Repair(f"End it with {end[1]}", Span(at, at), f" {end[1]}" if end[1] == "*/" else end[1])


def _declared(diagnostic: Diagnostic, text: str, begin: int) -> Iterator[Repair]:
    """Declare what is only named."""
    del begin
    found = _DECLARE.search(diagnostic.hint)
    if found is None:
        return
    what = found["what"].replace("{ … }", "{ }").rstrip(";")
    lead = "" if text.endswith("\n") or not text else "\n"
    yield Repair(f"Declare: {what};", Span(len(text), len(text)), f"{lead}{what};\n")


_MAKERS: tuple[Callable[[Diagnostic, str, int], Iterator[Repair]], ...] = (
    _nearest,
    _written,
    _quoted,
    _value,
    _left_out,
    _straight,
    _ended,
    _declared,
)
