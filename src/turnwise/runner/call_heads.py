"""Finds the names of tools at the head of a line or sentence of a text, where a model may have written a call.

Only words of calling may stand before the name: a text that speaks of a tool within a sentence calls none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnwise.core.call_names import CallNames
from turnwise.flow.late_pattern import late_pattern
from turnwise.runner.call_objects import ARGUMENTS, is_of_program

_CALLING = (
    "call|calls|calling|called|invoke|invokes|invoking|use|uses|using|run|running|execute|executes|executing|tool|tools"
    "|tool_call|tool_use|toolcall|tool_name|function|functions|function_call|action|command|name|print|aufruf|aufrufe"
    "|rufe|ruft|werkzeug|werkzeugaufruf|funktion|funktionsaufruf|nutze|verwende|starte"
)
"""The words that announce a call."""
_BESIDE = (
    "i|ll|m|am|we|re|will|let|me|s|us|going|to|now|the|a|step|await|return|const|var|and|then|ich|wir|werde|nun|jetzt"
    "|das|die|den|schritt|request|assistant|commentary|json|code|tool_code"
)
"""The words that may stand beside them."""
_ANNOUNCING = frozenset(_CALLING.split("|"))
_WORDS = frozenset((*_ANNOUNCING, *_BESIDE.split("|")))
_PARTS_OF_WORDS = frozenset(word[:size] for word in _WORDS for size in range(1, len(word) + 1))
_AFTER = ("with", "mit", "using", "auf", *(word.partition("_")[0] for word in ARGUMENTS))
"""The words that may stand between a tool and its arguments."""
ENCLOSES = {"[": "]", "(": ")", "*": "*", "_": "_", "<": ">"}
"""Brackets and marks in which models write a note about a call, each with its closing one."""

_BEGIN = (
    r"(?:\A|(?<=\n)|(?<=[.!?:…。] )|(?<== )|(?<=[^=!<>]=))(?P<marks>(?:[^\w\n]|_){0,12})"
    rf"(?P<lead>(?:(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))}|\d{{1,3}})[^\w\n]{{1,4}}){{0,8}})"
)
"""The beginning of a line, a sentence or what is assigned, with the words before a name."""
_LEAD = late_pattern(rf"(?i:{_BEGIN}(?:[\w-]{{1,40}}[.:/]){{0,3}}[\"'`*_]{{0,3}}\Z)")
_GROWING = late_pattern(rf"(?i:{_BEGIN}(?:functions?\.|default_api\.)?(?P<word>[\w.-]{{0,60}})\Z)")
"""The end of a text that may become the head of a call."""
_EXAMPLE = late_pattern(
    r"(?i:\b(?:example|e\.g\.?|usage|syntax|signature|format|like(?: this)?|beispiel|z\. ?b\.):[ \"'`*]*\Z)"
)
"""What stands before an example of a call."""
_TOKEN = late_pattern(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*")
_OPENED = late_pattern(r"[*`\"'_]{0,3}(?:[(\[]|\s?[:=]?\s*(?:\{|\Z))")
_MOST_BEFORE = 160


class Head(NamedTuple):
    """The name of a tool in a text, where a model may have written a call, with what stands before it."""

    tool: str
    """The name of the tool that was found."""
    begin: int
    """The offset in the text at which the line or sentence with the name begins."""
    end: int
    """The offset in the text just after the last character of the name."""
    marks: str
    """The characters, other than letters and digits, with which the line or sentence begins."""
    lead: str
    """The words between the marks and the name; empty if there are none."""
    is_program: bool
    """True if the name is written as only programs write names: `look_up`, `lookUp`."""
    is_exact: bool
    """True if the name is written exactly as the flow declares it."""
    is_announced: bool
    """True if the words before the name announce a call."""

    @property
    def is_plain(self) -> bool:
        """True if the name may also be an ordinary word of the language."""
        return not self.is_program and not self.is_announced


def call_heads(text: str, names: CallNames) -> Iterator[Head]:
    """Yield the names of tools at the head of a line or sentence, where a model may have written a call."""
    if not names.may_be_in(text):
        return
    for found in _TOKEN.finditer(text):
        for begin, end in _spans(found):
            tool = names.find(text[begin:end])
            if tool:
                before = text[max(0, begin - _MOST_BEFORE) : begin]
                lead = _LEAD.search(before if begin <= _MOST_BEFORE else f"\0{before}")
                if lead is not None and not _EXAMPLE.search(before[: lead.start() + len(lead["marks"])]):
                    at = begin - len(before) + lead.start() - (begin > _MOST_BEFORE)
                    is_announced = any(word in _ANNOUNCING for word in re.findall(r"\w+", lead["lead"].lower()))
                    is_program = is_of_program(text[begin:end])
                    is_exact = text[begin:end] == tool
                    yield Head(tool, at, end, lead["marks"], lead["lead"], is_program, is_exact, is_announced)
                break


def _spans(token: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield where in a token the name of a tool may stand: the whole, without a module, without a method."""
    begin, end = token.span()
    yield begin, end
    if "." in token[0]:
        yield begin + token[0].rindex(".") + 1, end
        yield begin, begin + token[0].index(".")


def head_begin(text: str, names: CallNames) -> tuple[int, bool]:
    """Return the offset at which a call may begin in a text that still arrives, and whether a tool's name is at that
    offset. The offset is the text's length if no call may begin.
    """
    for head in call_heads(text, names):
        verdict = _may_be_called(text, head, names)
        if verdict is not False:
            return head.begin, verdict is True
    found = _GROWING.search(text, max(0, len(text) - _MOST_BEFORE))
    while found is not None:
        word, marks = found["word"].rpartition(".")[2], found["marks"].strip()
        if word:
            is_lead = names.are_declared and word.lower() in _PARTS_OF_WORDS
            may_be = is_lead or names.may_become(word) or names.may_become(found["word"])
        else:
            may_be = names.are_declared and (bool(found["lead"]) or not marks or any(map(str.isascii, marks)))
        if may_be:
            return found.start(), False
        found = _GROWING.search(text, found.start() + 1) if found.start() < len(text) else None
    return len(text), False


def _may_be_called(text: str, head: Head, names: CallNames) -> bool | None:
    """Return whether arguments follow a name; `None` if what comes next decides."""
    rest = text[head.end :].lstrip("*`\"'_ \t])>")
    if not rest:
        return None
    if head.is_announced and not ENCLOSES.keys().isdisjoint(head.marks):
        return True
    if head.is_plain:
        found = _OPENED.match(text, head.end)
        return found is not None and (found[0][-1:] in ("(", "[", "{") or None)
    if not rest[0].isalnum():
        if not rest.strip(".!?,; \n"):
            return None
        return rest[0] not in ".,!?;" or (rest[0] == "," and head.is_announced)
    word = re.match(r"[\w-]+", rest)
    assert word is not None
    first = word[0].lower()
    if word.end() == len(rest):
        return None
    return (
        first in _AFTER
        or names.takes(head.tool, first)
        or (rest[0].isdigit() and head.is_program and head.is_announced)
    )
